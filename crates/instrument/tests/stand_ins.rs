//! What stands in for the rest of a program: stubs that have come to the end of their script, what they write, handles of the
//! library, and results that a function does not have.

use crate::support::{Input, Options, Outcome, Program, int, program};
use tarka_runner::End;
use tarka_trace::{ARENA_BASE, FaultKind};

#[test]
fn a_stub_leaves_alone_what_its_caller_has_written() {
    let text = "
        #include <stdlib.h>
        struct node { int size; struct node *next; };
        void visit(struct node *node); void load(struct node *node); void append(char **text); void count(int *n);
        int f(void) {
          struct node node = { 3, 0 }, fresh, *block = malloc(sizeof *block); char *text = malloc(4); int n = 1;
          if (!block) return 0;
          visit(&node); load(&fresh); append(&text); count(&n); load(block);
          free(text); free(block);
          return node.size;
        }";
    let program = program(text, "f", Options::default());
    let outs =
        |name: &str| program.build.stubs.iter().find(|stub| stub.name == name).map(|stub| stub.outs.len());
    assert_eq!(["visit", "load", "append", "count"].map(outs), [Some(0), Some(1), Some(0), Some(1)]);
    assert_eq!(program.run(&Input::default()).result_i32(), 3);
}

#[test]
fn after_its_script_a_stub_gives_what_ends_loops() {
    let text = "
        enum state { IDLE, BUSY, DONE = 7 };
        int ready(void); int item(void); enum state state(void); double level(void); void poll_flag(int *flag);
        int f(void) {
          int flag;
          while (!ready()) {}
          while (item() != 0) {}
          while (item() >= 0) {}
          while (state() != DONE) {}
          while (level() < 0.5) {}
          do poll_flag(&flag); while (flag != 1);
          return 5;
        }";
    let ending = program(text, "f", Options::default());
    assert_eq!(ending.run(&Input::default()).result_i32(), 5);
    let text = "int item(void); int f(void) { while (item() != 12345) {} return 5; }";
    assert_eq!(program(text, "f", Options::default()).run(&Input::default()).end, End::Timeout);
}

#[test]
fn streams_and_folders_of_the_input_are_open() {
    let text = "
        #include <dirent.h>
        #include <stdio.h>
        int f(FILE *a, FILE *b, DIR *folder) {
          fprintf(a, \"%d\", 42); rewind(a);
          int first = fgetc(a), other = fgetc(b);
          return first == '4' && other == EOF && readdir(folder) == 0 && fclose(a) == 0;
        }";
    let program = program(text, "f", Options::default());
    let given = opaque(&program, [true, true, true]);
    assert_eq!(given.result_i32(), 1);
    let given = opaque(&program, [true, false, true]);
    assert_eq!(given.end, End::Fault(FaultKind::NullDereference));
}

/// Runs a unit whose parameters are pointers to objects that nobody may look into, or null.
fn opaque(program: &Program, given: [bool; 3]) -> Outcome {
    let start = program.build.units[0].pointees_start;
    let at = |number: u32| ARENA_BASE + u64::from(start + 512 * number);
    let roots = (0..3).zip(given).map(|(number, given)| if given { at(number) } else { 0 });
    let roots = roots.map(|address| address.to_le_bytes().to_vec()).collect();
    let pointees = (0..3).map(|number| (start + 512 * number, vec![0; 64])).collect();
    program.run(&Input { roots, pointees })
}

/// The result of a run, and the kinds of the faults on the way.
fn result(program: &Program, number: i32) -> (usize, Vec<Option<FaultKind>>) {
    let outcome = program.run(&Input::of(&[&int(number)]));
    assert_eq!(outcome.end, End::Returned);
    (outcome.result.len(), outcome.faults.iter().map(|fault| FaultKind::from_u32(fault.kind)).collect())
}

#[test]
fn a_function_that_falls_off_its_end_has_no_result_and_who_uses_it_is_told() {
    let text = "
        int half(int a) { if (a > 3) return a / 2; }
        int ignores(int a) { half(a); return 1; }
        int uses(int a) { return half(a) == 2; }
        int last(int a) { int x; if (a > 3) x = 1; return x; }";
    let uninitialised = vec![Some(FaultKind::Uninitialised)];
    let of = |function| program(text, function, Options::default());
    assert_eq!((result(&of("half"), 3), result(&of("half"), 4)), ((0, Vec::new()), (4, Vec::new())));
    assert_eq!(result(&of("ignores"), 3), (4, Vec::new()));
    assert_eq!(
        (result(&of("uses"), 3), result(&of("uses"), 4)),
        ((4, uninitialised.clone()), (4, Vec::new()))
    );
    assert_eq!((result(&of("last"), 3), result(&of("last"), 4)), ((4, uninitialised), (4, Vec::new())));
}
