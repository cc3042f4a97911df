//! Everything beside parameters that can be an input: globals, calls in a row, stubs, library answers, preconditions.

use std::process::Command;

use crate::support::{Input, Outcome, Program, clang, int};
use tarka_instrument::{AddressOf, BuildRequest, InstrumentError, Root, UnitRequest, build};
use tarka_runner::End;
use tarka_scenario::Role;
use tarka_source::{LibraryInput, SourceRequest, StubKind, StubPart, analyse};
use tarka_trace::flag;

/// What is asked for beside a text and a function.
#[derive(Default)]
struct Wish<'a> {
    calls: u32,
    assumes: &'a [&'a str],
    library: &'a [LibraryInput],
    /// Another C text, compiled plainly and linked.
    beside: &'a str,
}

fn try_built(text: &str, function: &str, wish: &Wish<'_>) -> Result<Program, InstrumentError> {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("unit.c");
    std::fs::write(&file, text).expect("the source can be written");
    let clang = clang();
    let mut flags = Vec::new();
    if !wish.beside.is_empty() {
        let (source, object) = (folder.path().join("beside.c"), folder.path().join("beside.o"));
        std::fs::write(&source, wish.beside).expect("the source can be written");
        let compiled = Command::new(&clang).arg("-c").arg(&source).arg("-o").arg(&object).status();
        assert!(compiled.expect("clang runs").success());
        flags.push(object.to_string_lossy().into_owned());
    }
    let model = analyse(&SourceRequest { file: &file, flags: &flags, clang: &clang })
        .unwrap_or_else(|error| panic!("{error}"));
    let (function, _) = model.function_named(function).expect("the function exists");
    let assumes = wish.assumes.iter().map(|expression| expression.to_string()).collect();
    let unit = UnitRequest { assumes, calls: wish.calls.max(1), stub_calls: 4, function };
    let build = build(&BuildRequest {
        model: &model,
        units: &[unit],
        work_dir: folder.path(),
        clang: &clang,
        self_check: true,
        globals_as_inputs: false,
        library_inputs: wish.library,
        faults: tarka_trace::FaultSet::default(),
        promises_kept: false,
    })?;
    Ok(Program { model, build, folder })
}

fn built(text: &str, function: &str, wish: &Wish<'_>) -> Program {
    try_built(text, function, wish).unwrap_or_else(|error| panic!("{error}"))
}

fn plain(text: &str, function: &str) -> Program {
    built(text, function, &Wish::default())
}

fn position(program: &Program, role: &Role) -> usize {
    let roots = &program.build.units[0].roots;
    roots.iter().position(|root| root.role == *role).unwrap_or_else(|| panic!("{role:?} in {roots:#?}"))
}

fn root<'p>(program: &'p Program, role: &Role) -> &'p Root {
    &program.build.units[0].roots[position(program, role)]
}

fn global(name: &str) -> Role {
    Role::Global(name.to_owned())
}

fn param(call: u32, position: u32) -> Role {
    Role::Argument { step: call, position }
}

fn stub(stub: u32, call: u32, part: StubPart) -> Role {
    Role::Stub { stub, call, part }
}

/// An input with these roots set and all others at their initial value.
fn input(program: &Program, set: &[(Role, Vec<u8>)]) -> Input {
    let mut roots: Vec<Vec<u8>> =
        program.build.units[0].roots.iter().map(|root| root.initial.clone()).collect();
    for (role, bytes) in set {
        roots[position(program, role)] = bytes.clone();
    }
    Input { roots, pointees: Vec::new() }
}

/// Runs and demands that every label agrees with the program.
fn run(program: &Program, set: &[(Role, Vec<u8>)]) -> Outcome {
    let outcome = program.run(&input(program, set));
    assert_eq!(outcome.mismatches(), Vec::<String>::new(), "labels disagree with the program");
    outcome
}

/// The bytes a run left in a root, and whether it took all of them.
fn left<'o>(program: &Program, outcome: &'o Outcome, role: &Role) -> (&'o [u8], bool) {
    let root = root(program, role);
    let range = root.offset as usize..root.offset as usize + root.size as usize;
    let was_read = outcome.flags[range.clone()].iter().all(|bits| bits & flag::READ != 0);
    (&outcome.after[range], was_read)
}

fn address(program: &Program, what: &AddressOf) -> u64 {
    let addresses = &program.build.addresses;
    addresses.iter().find(|known| known.what == *what).unwrap_or_else(|| panic!("{addresses:#?}")).address
}

fn function_named(program: &Program, name: &str) -> AddressOf {
    AddressOf::Function(program.model.function_named(name).expect("the function exists").0)
}

// ---- Globals ----

#[test]
fn a_global_starts_with_its_own_bytes_is_symbolic_and_shows_what_the_unit_left() {
    let text = "
        int limit = 7; static struct { short low; const char *name; } state = { -2, \"x\" }; static long zero;
        const int fixed = 3; int unused = 9; static int big[100000];
        static int still = 4; void set(long to) { zero = to; state.low = (short)to; big[0] = 1; }
        static int helper(void) { return state.low + (int)zero + big[0] + still - 4; }
        int f(int x) { limit = limit + x; if (limit == 12) return helper() + fixed; return 0; }";
    let program = plain(text, "f");
    assert_eq!(root(&program, &global("limit")).initial, int(7));
    assert_eq!(root(&program, &global("state")).initial[..2], (-2_i16).to_le_bytes());
    assert_eq!(root(&program, &global("zero")).initial, [0; 8]);
    let names: Vec<&str> = program.build.units[0].roots.iter().map(|root| root.name.as_str()).collect();
    assert_eq!(
        names,
        ["x", "limit", "state", "zero"],
        "neither constants, nor what nothing changes, is unused or too large"
    );

    let outcome = run(&program, &[(param(0, 0), int(5))]);
    assert_eq!(outcome.path(), [(0, 1, true)], "5 + the initial 7");
    assert_eq!(outcome.result_i32(), 1);
    assert_eq!(left(&program, &outcome, &global("limit")).0, int(12));

    let outcome = run(&program, &[(global("limit"), int(-1))]);
    assert_eq!(outcome.path(), [(0, 0, true)]);
    assert_eq!(left(&program, &outcome, &global("limit")).0, int(-1));
}

#[test]
fn globals_hold_addresses_of_globals_functions_and_library_functions_from_the_start() {
    let text = "
        #include <search.h>
        static int numbers[3] = { 4, 5, 6 }; int *second = &numbers[1];
        static int twice(int x) { return 2 * x; } int (*change)(int) = twice;
        void (*enter)(void *, void *) = insque;
        int f(void) { struct { void *next, *before; } node; enter(&node, 0); return change(*second); }";
    let program = plain(text, "f");
    let numbers =
        program.model.globals.iter().position(|global| global.name == "numbers").expect("it is there");
    let first = address(&program, &AddressOf::Global(numbers as u32));
    assert_eq!(root(&program, &global("second")).initial, (first + 4).to_le_bytes());
    let twice = address(&program, &function_named(&program, "twice"));
    assert_eq!(root(&program, &global("change")).initial, twice.to_le_bytes());
    assert_ne!(root(&program, &global("enter")).initial, [0; 8], "a library function has an address as well");
    assert_eq!(run(&program, &[]).result_i32(), 10);
}

#[test]
fn thread_local_variables_are_left_alone() {
    let text = "static _Thread_local int own = 4; int shared = 5; int f(void) { return own + shared; }";
    let program = plain(text, "f");
    assert_eq!(program.build.units[0].roots.len(), 1);
    assert_eq!(run(&program, &[]).result_i32(), 9);
}

#[test]
fn undefined_variables_are_defined_and_those_of_other_objects_start_with_their_own_bytes() {
    let text = "
        extern volatile int missing; extern struct { int a, b; } other;
        int f(void) { extern short inner; if (missing == 5) return other.b + inner; return 0; }";
    let program =
        built(text, "f", &Wish { beside: "struct { int a, b; } other = { 1, 40 };", ..Wish::default() });
    assert_eq!(root(&program, &global("missing")).initial, [0; 4]);
    assert_eq!(root(&program, &global("other")).initial[4..], int(40));
    let outcome =
        run(&program, &[(global("missing"), int(5)), (global("inner"), 2_i16.to_le_bytes().to_vec())]);
    assert_eq!(outcome.path(), [(0, 1, true)]);
    assert_eq!(outcome.result_i32(), 42);
}

// ---- Calls in a row ----

#[test]
fn a_unit_with_state_is_called_with_arguments_of_its_own_each_time() {
    let text = "
        int f(int x) {
          static int last = 1; static int calls;
          calls++;
          if (x == last * 10) { last = x; return calls; }
          last = x;
          return -calls;
        }";
    let program = built(text, "f", &Wish { calls: 3, ..Wish::default() });
    let given = input(&program, &[(param(0, 0), int(7)), (param(1, 0), int(70)), (param(2, 0), int(700))]);
    let outcome = program.run_calls(&given, 3);
    assert_eq!(outcome.mismatches(), Vec::<String>::new());
    assert_eq!(outcome.path(), [(0, 0, true), (0, 1, true), (0, 1, true)]);
    assert_eq!(outcome.result_i32(), 3, "the last call's result");
    assert_eq!(program.run_calls(&given, 1).result_i32(), -1, "as many calls as the run asks for");
    assert_eq!(program.run_calls(&given, 0).result_i32(), -1, "none counts as one");
}

// ---- Stubs of undefined functions ----

#[test]
fn a_stub_hands_out_a_fresh_value_for_every_call() {
    let text = "
        int read_sensor(int channel);
        int f(void) {
          if (read_sensor(0) != 1) return 0;
          if (read_sensor(1) != 5) return 1;
          if (read_sensor(2) < 0) return 2;
          return 3;
        }";
    let program = plain(text, "f");
    assert_eq!(program.build.stubs[0].name, "read_sensor");
    assert_eq!(program.build.stubs[0].kind, StubKind::Undefined);
    let result = |call| stub(0, call, StubPart::Result);
    let outcome = run(&program, &[(result(0), int(1)), (result(1), int(5)), (result(2), int(-1))]);
    assert_eq!(outcome.result_i32(), 2);
    assert_eq!(outcome.path(), [(0, 0, true), (1, 0, true), (2, 1, true)]);
    assert!(left(&program, &outcome, &result(2)).1, "a call that happened took its value");
    assert!(!left(&program, &outcome, &result(3)).1, "one that did not, did not");
    assert!(outcome.concretised.is_empty(), "{:?}", outcome.lost());
    assert!(
        !program.build.sites.iter().any(|site| site.what.starts_with("call to ")),
        "a stubbed call is no call to the outside: {:#?}",
        program.build.sites
    );
}

#[test]
fn more_calls_than_values_are_answered_and_said() {
    let text = "int next(void); int f(void) { int n = 0; while (n < 9 && next() == 1) n++; return n; }";
    let program = plain(text, "f");
    let ones: Vec<_> = (0..4).map(|call| (stub(0, call, StubPart::Result), int(1))).collect();
    let outcome = run(&program, &ones);
    assert_eq!(outcome.result_i32(), 4);
    assert_eq!(outcome.stub_exhausted, Some(0));
    assert_eq!(run(&program, &[]).stub_exhausted, None);
}

#[test]
fn a_stub_fills_what_its_parameters_point_to_and_sets_errno() {
    let text = "
        #include <errno.h>
        #include <string.h>
        struct point { int x, y; };
        int locate(const char *name, struct point *where, unsigned char *raw, unsigned raw_len);
        int f(void) {
          struct point p = { 0, 0 }; unsigned char raw[3];
          memset(raw, 9, sizeof raw);
          errno = 0;
          if (locate(\"a\", &p, raw, 2) != 0) return errno == ENOENT ? -1 : -2;
          if (p.y == 30 && raw[0] == 1 && raw[1] == 2) return raw[2];
          return 0;
        }";
    let program = plain(text, "f");
    let (where_, raw) = (stub(0, 0, StubPart::Out(1)), stub(0, 0, StubPart::Out(2)));
    assert_eq!(root(&program, &raw).size, 32, "as many as a stub may fill");
    let bytes: Vec<u8> = (1..=32).collect();
    let point: Vec<u8> = [int(0), int(30)].concat();
    let outcome = run(&program, &[(where_, point), (raw.clone(), bytes)]);
    assert_eq!(outcome.result_i32(), 9, "no more than there is room for");
    assert!(outcome.path().iter().skip(1).all(|(_, _, symbolic)| *symbolic), "{:?}", outcome.path());
    let taken = root(&program, &raw).offset as usize;
    let marks: Vec<bool> =
        outcome.flags[taken..taken + 3].iter().map(|bits| bits & flag::READ != 0).collect();
    assert_eq!(marks, [true, true, false]);

    let failed = [(stub(0, 0, StubPart::Result), int(-1)), (stub(0, 0, StubPart::Errno), int(2))];
    let outcome = run(&program, &failed);
    assert_eq!(outcome.result_i32(), -1);
    assert!(outcome.path().iter().all(|(_, _, symbolic)| *symbolic), "{:?}", outcome.path());
}

#[test]
fn stubs_take_null_any_declaration_and_structs_and_those_that_never_return_end_the_run() {
    let text = "
        struct pair { long a, b, c; };
        struct pair make(struct pair from, int *out); int old_style(); double many(const char *how, ...);
        _Noreturn void give_up(int why);
        int f(int x) {
          struct pair p = { 1, 2, 3 };
          if (x == 1) give_up(3);
          if (make(p, 0).b == 8 && old_style(x, 2) == 4 && many(\"\", x, 2.0) > 1.5) return 1;
          return 0;
        }";
    let program = plain(text, "f");
    let number = |name: &str| {
        program.build.stubs.iter().position(|stub| stub.name == name).expect("there is a stub") as u32
    };
    let pair: Vec<u8> = [0_i64, 8, 0].iter().flat_map(|number| number.to_le_bytes()).collect();
    let outcome = run(
        &program,
        &[
            (stub(number("make"), 0, StubPart::Result), pair),
            (stub(number("old_style"), 0, StubPart::Result), int(4)),
            (stub(number("many"), 0, StubPart::Result), 1.75_f64.to_le_bytes().to_vec()),
        ],
    );
    assert_eq!(outcome.result_i32(), 1);
    assert!(outcome.path().iter().all(|(_, _, symbolic)| *symbolic), "{:?}", outcome.path());
    assert_eq!(run(&program, &[(param(0, 0), int(1))]).end, End::Exited(0));
}

#[test]
fn what_objects_or_libraries_define_gets_no_stub() {
    let text = "#include <math.h>\nint helper(int); int f(int x) { return helper(x) + (int)floor(cosh(x)); }";
    let wish = Wish { beside: "int helper(int x) { return 41 + x; }", ..Wish::default() };
    let program = built(text, "f", &wish);
    assert!(program.build.stubs.is_empty(), "{:?}", program.build.stubs);
    assert_eq!(run(&program, &[]).result_i32(), 42);
}

#[test]
fn what_no_stub_can_stand_for_is_in_the_way_only_of_units_that_reach_it() {
    let text = "
        struct opaque elsewhere(int);
        static void *g = elsewhere;
        int f(int x) { return x + 1; }
        int h(void) { return g != 0; }";
    assert_eq!(run(&plain(text, "f"), &[(param(0, 0), int(4))]).result_i32(), 5);
    assert!(try_built(text, "h", &Wish::default()).is_err());
}

#[test]
fn inline_functions_are_built_whatever_their_linkage() {
    let text = "
        inline int one(int x) { return x + 1; } extern inline int two(int x) { return one(x) + 1; }
        static inline int three(int x) { return two(x) + 1; }
        int f(int x) { if (three(x) == 13) return 1; return 0; }";
    for function in ["f", "one", "two"] {
        let outcome = run(&plain(text, function), &[(param(0, 0), int(10))]);
        assert_eq!(outcome.end, End::Returned, "{function}");
    }
}

// ---- Function pointers ----

#[test]
fn a_function_pointer_takes_a_function_of_the_file_or_a_stub() {
    let text = "
        typedef int (*compare)(const int *, const int *);
        struct table { compare order; int *items; };
        static int rising(const int *a, const int *b) { return *a - *b; }
        compare standard = rising;
        int f(struct table t, int a, int b) {
          if (!t.order) return -9;
          if (t.order(&a, &b) > 0) return 1;
          return 0;
        }";
    let program = plain(text, "f");
    let stubs: Vec<&str> = program.build.stubs.iter().map(|stub| stub.name.as_str()).collect();
    assert_eq!(stubs, ["stub_order"]);
    let table = |order: u64| [order.to_le_bytes(), [0; 8]].concat();
    let rising = address(&program, &function_named(&program, "rising"));
    let given = [(param(0, 0), table(rising)), (param(0, 1), int(4)), (param(0, 2), int(3))];
    assert_eq!(run(&program, &given).result_i32(), 1);
    let stubbed = address(&program, &AddressOf::Stub(0));
    let outcome = run(&program, &[(param(0, 0), table(stubbed)), (stub(0, 0, StubPart::Result), int(6))]);
    assert_eq!(outcome.result_i32(), 1);
    assert!(outcome.path().iter().all(|(_, _, symbolic)| *symbolic), "{:?}", outcome.path());
    assert_eq!(run(&program, &[]).result_i32(), -9);
}

#[test]
fn stubs_behind_pointers_have_names_that_nothing_else_has() {
    let text = "
        typedef void (*handler)(int); int stub_done; static void stub_fail(long x) { (void)x; }
        struct hooks { handler done; void (*fail)(long); void (*again)(int); };
        int f(struct hooks *h, double (*)(void)) { stub_fail(stub_done); return h != 0; }";
    let stubs = plain(text, "f").build.stubs;
    let names: Vec<&str> = stubs.iter().map(|stub| stub.name.as_str()).collect();
    assert_eq!(names, ["stub_done_2", "stub_fail_2", "stub_function"], "one for each type of function");
}

#[test]
fn each_unit_has_the_globals_and_stubs_that_it_can_reach() {
    let text = "
        int first(void); int second(void); static int total;
        static void deep(void) { total += second(); }
        static void (*const steps[])(void) = { deep };
        int f(void) { return first(); }
        int g(int i) { steps[i](); return 0; }";
    let roots_of = |function: &str| -> Vec<String> {
        let mut names: Vec<String> =
            plain(text, function).build.units[0].roots.iter().map(|root| root.name.clone()).collect();
        names.dedup();
        names
    };
    assert_eq!(roots_of("f"), ["first"]);
    assert_eq!(roots_of("g"), ["i", "total", "second"]);
}

// ---- Answers of the library ----

#[test]
fn random_numbers_and_time_are_inputs_when_asked_for() {
    let text = "
        #include <stdlib.h>
        #include <time.h>
        int f(void) {
          time_t now = 0;
          if (rand() == 1234 && rand() == 5) return 1;
          if (time(&now) == 77 && now == 77) return 2;
          return 0;
        }";
    let program =
        built(text, "f", &Wish { library: &[LibraryInput::Rand, LibraryInput::Time], ..Wish::default() });
    let number = |name: &str| {
        program.build.stubs.iter().position(|stub| stub.name == name).expect("there is a stub") as u32
    };
    let rand = |call| stub(number("rand"), call, StubPart::Result);
    assert_eq!(run(&program, &[(rand(0), int(1234)), (rand(1), int(5))]).result_i32(), 1);
    let time = stub(number("time"), 0, StubPart::Result);
    assert_eq!(run(&program, &[(time, 77_i64.to_le_bytes().to_vec())]).result_i32(), 2);
    let impossible = run(&program, &[(rand(0), int(-1))]);
    assert_eq!(impossible.end, End::Assumption(u32::MAX - 1), "rand is never negative");
    assert!(plain(text, "f").build.stubs.is_empty(), "only when asked for");
}

#[test]
fn allocation_fails_when_the_input_says_so() {
    let text = "
        #include <errno.h>
        #include <stdlib.h>
        #include <string.h>
        int f(void) {
          char *a = malloc(4);
          if (!a) return errno == ENOMEM ? -1 : -2;
          strcpy(a, \"abc\");
          char *b = strdup(a);
          if (!b) { free(a); return -3; }
          int same = b[2] == 'c';
          free(a); free(b);
          return same;
        }";
    let program = built(text, "f", &Wish { library: &[LibraryInput::Alloc], ..Wish::default() });
    let fails = |name: &str| {
        let number = program.build.stubs.iter().position(|stub| stub.name == name).expect("there is a stub");
        (stub(number as u32, 0, StubPart::Result), int(1))
    };
    assert_eq!(run(&program, &[]).result_i32(), 1);
    assert_eq!(run(&program, &[fails("malloc")]).result_i32(), -1);
    assert_eq!(run(&program, &[fails("strdup")]).result_i32(), -3);
}

#[test]
fn reads_deliver_as_many_bytes_as_their_result_says() {
    let text = "
        #include <stdio.h>
        #include <unistd.h>
        int f(void) {
          char text[8] = \"-------\"; short items[4] = { 0 };
          if (read(0, text, 4) == 2 && text[1] == 'b' && text[2] == '-') {
            if (fread(items, sizeof *items, 4, 0) == 1 && items[0] == 0x201 && !items[1]) return 2;
            if (fgets(text, 5, 0) && text[3] == 0 && text[2] == 'z') return 3;
            return getchar();
          }
          return 1;
        }";
    let program = built(text, "f", &Wish { library: &[LibraryInput::Read], ..Wish::default() });
    let number = |name: &str| {
        program.build.stubs.iter().position(|stub| stub.name == name).expect("there is a stub") as u32
    };
    let filled = |first: &[u8]| [first, &[0; 256]].concat()[..256].to_vec();
    let long = |number: i64| number.to_le_bytes().to_vec();
    let (read, fread, fgets) = (number("read"), number("fread"), number("fgets"));
    let ab = [(stub(read, 0, StubPart::Result), long(2)), (stub(read, 0, StubPart::Out(1)), filled(b"ab"))];
    let with = |more: &[(Role, Vec<u8>)]| run(&program, &[&ab, more].concat());
    let items =
        [(stub(fread, 0, StubPart::Result), long(1)), (stub(fread, 0, StubPart::Out(0)), filled(&[1, 2]))];
    assert_eq!(with(&items).result_i32(), 2);
    let line =
        [(stub(fgets, 0, StubPart::Result), int(3)), (stub(fgets, 0, StubPart::Out(0)), filled(b"xyz"))];
    assert_eq!(with(&line).result_i32(), 3);
    let end =
        [(stub(fgets, 0, StubPart::Result), int(0)), (stub(number("getchar"), 0, StubPart::Result), int(-1))];
    assert_eq!(with(&end).result_i32(), -1);
    let too_much = run(&program, &[(stub(read, 0, StubPart::Result), long(5))]);
    assert_eq!(too_much.end, End::Assumption(u32::MAX - 1), "never more than asked for");
    let two_lines =
        [(stub(fgets, 0, StubPart::Result), int(3)), (stub(fgets, 0, StubPart::Out(0)), filled(b"x\nz"))];
    assert_eq!(with(&two_lines).end, End::Assumption(u32::MAX - 1), "a newline ends the line");
}

#[test]
fn what_is_delivered_beyond_the_input_is_zero_and_said() {
    let text = "
        #include <unistd.h>
        int fill(int *to, int n);
        int f(int n) {
          char text[1000]; text[299] = text[300] = 'x';
          long got = read(0, text, 1000);
          if (got > 299) return text[255] == 'a' && !text[256] && !text[299] && text[300] == 'x';
          int many[40]; return fill(many, n) ? 2 : 3;
        }";
    let program = built(text, "f", &Wish { library: &[LibraryInput::Read], ..Wish::default() });
    let number = |name: &str| {
        program.build.stubs.iter().position(|stub| stub.name == name).expect("there is a stub") as u32
    };
    let delivers = |count: i64| {
        let bytes = (stub(number("read"), 0, StubPart::Out(1)), vec![b'a'; 256]);
        [(stub(number("read"), 0, StubPart::Result), count.to_le_bytes().to_vec()), bytes]
    };
    let long = run(&program, &delivers(300));
    assert_eq!((long.result_i32(), long.stub_cut), (1, Some(number("read"))));
    assert!(long.concretised.is_empty(), "{:?}", long.lost());
    assert_eq!(run(&program, &delivers(256)).stub_cut, None);
    assert_eq!(run(&program, &[(param(0, 0), int(33))]).stub_cut, Some(number("fill")));
    assert_eq!(run(&program, &[(param(0, 0), int(32))]).stub_cut, None);
}

// ---- Preconditions ----

#[test]
fn an_input_that_does_not_meet_a_precondition_ends_the_run_with_its_number() {
    let text = "
        #define MOST 16
        struct list { int len; }; static int limit = 3;
        int f(const struct list *l, int n) { if (n > limit) return l->len; return 0; }";
    let wish = Wish { assumes: &["n >= 0 && n <= MOST", "l->len < limit"], ..Wish::default() };
    let program = built(text, "f", &wish);
    assert_eq!(run(&program, &[(param(0, 1), int(-1))]).end, End::Assumption(0));
    assert_eq!(run(&program, &[(param(0, 1), int(17))]).end, End::Assumption(0));
    let null = run(&program, &[]);
    assert_eq!(null.end, End::Assumption(1), "a precondition that crashes does not hold");
    assert!(null.events.iter().any(|event| event.outcome == 0), "and the way to meet it is on the path");

    let start = program.build.units[0].pointees_start;
    let pointer = (tarka_trace::ARENA_BASE + u64::from(start)).to_le_bytes().to_vec();
    let mut given = input(&program, &[(param(0, 0), pointer), (param(0, 1), int(9))]);
    given.pointees = vec![(start, int(2))];
    let outcome = program.run(&given);
    assert_eq!((outcome.end, outcome.result_i32()), (End::Returned, 2));
    assert_eq!(outcome.path().len(), 1, "conditions of a precondition are none of the source");
    assert!(outcome.events.len() > 3, "but branches of the path: {:?}", outcome.events);
}

#[test]
fn a_precondition_that_is_no_expression_is_named() {
    let wish = Wish { assumes: &["n > > 2"], ..Wish::default() };
    let message = match try_built("int f(int n) { return n; }", "f", &wish) {
        Ok(_) => panic!("it cannot be built"),
        Err(error) => error.to_string(),
    };
    assert!(message.contains("n > > 2"), "{message}");
}

// ---- The driver's text ----

/// What follows the user's text, without the runtime's declarations, which never change.
fn driver_text(program: &Program) -> String {
    let text = std::fs::read_to_string(program.folder.path().join("unit.i")).expect("the text is kept");
    let (_, driver) = text.split_once("# 1 \"<tarka driver>\"\n").expect("the driver is marked");
    let declared = |line: &&str| {
        let names_ours = line.contains(" tk_") || line.starts_with("void __tk_fits(");
        let is_ours = names_ours && line.ends_with(");") && !line.starts_with(' ');
        !is_ours && !line.contains("__tk_register_globals")
    };
    driver.lines().filter(declared).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_driver_can_be_read() {
    let text = "
        #include <errno.h>
        #include <stdlib.h>
        extern int config;
        static struct { char name[4]; int total; } state = { \"abc\", 2 };
        int measure(int channel, double *values, int n_values);
        int f(int x, int (*visit)(int)) {
          static int before;
          double values[2];
          if (measure(x, values, 2) < 0) return errno;
          before += config + state.total++ + visit(rand());
          return before;
        }";
    let wish = Wish {
        calls: 2,
        assumes: &["x > 0"],
        library: &[LibraryInput::Rand, LibraryInput::Alloc],
        ..Wish::default()
    };
    insta::assert_snapshot!("driver", driver_text(&built(text, "f", &wish)));
    let text = "
        #include <stdlib.h>
        #include <unistd.h>
        char *f(int from) { char *text = malloc(8); if (text && read(from, text, 8) < 0) abort(); return text; }";
    let wish = Wish { library: &[LibraryInput::Read, LibraryInput::Alloc], ..Wish::default() };
    insta::assert_snapshot!("library", driver_text(&built(text, "f", &wish)));
}
