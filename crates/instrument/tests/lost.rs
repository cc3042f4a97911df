//! Memory that is lost when a unit returns, and memory that only looks so.

use crate::support::{Input, Options, Program, int, program};
use tarka_instrument::Symboliser;
use tarka_trace::FaultKind;

const UNIT: &str = r#"#include <stdlib.h>
#include <string.h>
#include <search.h>
struct node { struct node *next; char *text; };
struct node *list;
static __thread char *of_thread;
struct box { long tag; char *content; };
void keep_it(char *text);
void keep_box(struct box *box);
void log_it(const char *format, ...);
static int compare(const void *a, const void *b) { return a < b ? -1 : a > b; }

char *f(int n)
{
    static void *root;
    struct box box = {1, 0};
    char *p = malloc(16), *q = 0;
    if (!p) return 0;
    switch (n) {
    case 0: return p;
    case 1: free(p); return 0;
    case 2: return 0;
    case 3: return p + 7;
    case 4: list = malloc(sizeof *list); list->next = 0; list->text = p; return 0;
    case 5: of_thread = p; return 0;
    case 6: keep_it(p); return 0;
    case 7: box.content = p; keep_box(&box); return 0;
    case 8: free(p); p = malloc(sizeof(struct node));
        ((struct node *)p)->text = strdup("part of what p is");
        return 0;
    case 9: tsearch(p, &root, compare); return 0;
    case 10: p = realloc(p, 5000); return 0;
    case 11: exit(3);
    case 12: log_it("%p", p); return 0;
    case 13: q = calloc(2, 30); free(p); return n > 12 ? 0 : q;
    case 14: free(p); for (n = 0; n < 3; n++)
            q = malloc(8);
        return q;
    case 15: p = realloc(p, 300000); p[299999] = 1; return 0;
    }
    return p;
}
"#;

/// The lines and numbers of bytes that a call of `f` loses.
fn lost(program: &Program, symboliser: &Symboliser, n: i32) -> Vec<(u32, u64)> {
    let outcome = program.run(&Input::of(&[&int(n)]));
    let leaks = outcome.faults.iter().filter(|fault| fault.kind == FaultKind::Leak as u32);
    let mut lost: Vec<(u32, u64)> = leaks
        .map(|fault| {
            let addresses = &fault.backtrace[..fault.backtrace_len as usize];
            let mut frames = addresses.iter().flat_map(|address| symboliser.frames(*address));
            let place = frames.find_map(|frame| frame.place).expect("a place of the unit");
            (place.line, fault.address)
        })
        .collect();
    lost.sort_unstable();
    lost
}

#[test]
fn only_what_nothing_points_to_is_lost() {
    let program = program(UNIT, "f", Options::default());
    let symboliser = Symboliser::open(&program.build.exe, &program.model).expect("debug information");
    let lost = |n| lost(&program, &symboliser, n);
    assert_eq!(lost(2), [(17, 16)]);
    assert_eq!(lost(10), [(32, 5000)], "the block is where it was last allocated");
    assert_eq!(lost(13), [(35, 60)]);
    let in_loop = lost(14);
    assert!(in_loop.iter().all(|(line, _)| *line == 37), "{in_loop:?}");
    assert_eq!(in_loop.iter().map(|(_, bytes)| bytes).sum::<u64>(), 16, "two of three");
    assert_eq!(lost(15), [(39, 300000)]);
    let chain = lost(8);
    assert_eq!(chain.len(), 1, "what only a lost block points to is part of it: {chain:?}");
    assert_eq!(chain[0], (28, 16));
    for (n, why) in [
        (0, "returned"),
        (1, "freed"),
        (3, "returned, with an offset"),
        (4, "in a global list"),
        (5, "in a variable of the thread"),
        (6, "given to a function that nobody defines"),
        (7, "in an object given to such a function"),
        (9, "in memory of a library"),
        (11, "the program ended"),
        (12, "a variable argument of such a function"),
    ] {
        assert_eq!(lost(n), [], "{why}");
    }
}

#[test]
fn what_an_earlier_call_returned_is_not_lost() {
    let text = "#include <stdlib.h>\nint *f(int n) { return n ? malloc(4) : 0; }\n";
    let program = program(text, "f", Options::default());
    let outcome = program.run_calls(&Input::of(&[&int(1), &int(1)]), 2);
    assert!(outcome.faults.is_empty(), "{:?}", outcome.faults);
}

#[test]
fn main_ends_with_the_program() {
    let text = "#include <stdlib.h>\nint main(void) { return malloc(4) == 0; }\n";
    let outcome = program(text, "main", Options::default()).run(&Input::default());
    assert!(outcome.faults.is_empty(), "{:?}", outcome.faults);
}
