//! Stubs in emitted files: what they look like, that gcc and clang take them, and that they do what the run saw.

use crate::unit::{Bench, add, address, compile, le};
use tarka_events::{Named, NamedAddress, RunEnd};
use tarka_scenario::{Executed, Object, Role};
use tarka_source::{
    LibraryInput, Stub, StubPart, library_input_of, plan_library, plan_pointer, plan_undefined,
};

fn int(value: i32) -> [u8; 4] {
    value.to_le_bytes()
}

/// A bench with stubs for every undefined function, in the order the unit mentions them.
fn bench(source: &str, function: &str) -> Bench {
    let mut bench = Bench::new(source, function);
    let declared = bench.model.declared_functions.iter().filter(|declared| !declared.in_system_header);
    bench.unit.stubs = declared.map(|declared| plan_undefined(&bench.model, declared).unwrap()).collect();
    bench
}

/// A bench with stubs for the library's functions of these inputs.
fn library_bench(source: &str, function: &str, inputs: &[LibraryInput]) -> Bench {
    let mut bench = Bench::new(source, function);
    let stub = |declared: &tarka_source::DeclaredFunction| {
        let input = library_input_of(&declared.name).filter(|input| inputs.contains(input))?;
        plan_library(&bench.model, declared, input)
    };
    bench.unit.stubs = bench.model.declared_functions.iter().filter_map(stub).collect();
    bench
}

fn number(bench: &Bench, name: &str) -> usize {
    bench.unit.stubs.iter().position(|stub| stub.name == name).unwrap()
}

/// Adds values of a stub's call to an input.
fn calls(bench: &Bench, mut input: Executed, name: &str, values: &[(u32, StubPart, &[u8])]) -> Executed {
    let index = number(bench, name);
    let stub = &bench.unit.stubs[index];
    for (call, part, bytes) in values {
        let (ty, size) = value_shape(bench, stub, *part);
        let mut before = bytes.to_vec();
        before.resize(size as usize, 0);
        let role = Role::Stub { stub: index as u32, call: *call, part: *part };
        add(&mut input, Object::new(role, bench.model.types.key(ty), before));
    }
    input
}

fn value_shape(bench: &Bench, stub: &Stub, part: StubPart) -> (tarka_source::TypeId, u64) {
    let types = &bench.model.types;
    let size = |ty| types.get(ty).size;
    match part {
        StubPart::Result => stub.value_type(types).map(|ty| (ty, size(ty))).unwrap(),
        StubPart::Out(position) => {
            let out = stub.outs.iter().find(|out| out.position == position).unwrap();
            (out.ty, size(out.ty) * out.count)
        }
        StubPart::Errno => types.int().map(|ty| (ty, 4)).unwrap(),
    }
}

/// The emitted file from the unit's `#include` to the check, and the tests.
fn shown(bench: &Bench) -> String {
    let function = &bench.unit.function;
    let text = bench.read(&format!("{function}/test_{function}.c"));
    let start = text.find("is what it should do").map(|at| at + text[at..].find('\n').unwrap()).unwrap();
    let end = text.find("static int tarka_failed").unwrap();
    format!("{}\n…\n{}\n", text[start..end].trim(), bench.tests())
}

/// Writes and judges (pedantic C99 included), then shows.
fn judged(bench: &mut Bench) -> String {
    bench.judged();
    let function = &bench.unit.function;
    let file = bench.folder.path().join(format!("out/{function}/test_{function}.c"));
    for compiler in ["gcc", "clang-19"] {
        compile(compiler, &file, &["-std=c99".into(), "-Wpedantic".into()]);
    }
    shown(bench)
}

use StubPart::{Errno, Out, Result as Answer};

#[test]
fn a_stub_that_must_answer_one_then_five_then_fail() {
    let mut bench = bench(
        "#include <errno.h>\nint read_sensor(int channel);\n\
         int poll(void)\n{\n    if (read_sensor(0) == 1 && read_sensor(1) == 5 && read_sensor(2) < 0)\n        \
         return errno == EINTR ? 2 : 1;\n    return 0;\n}\n",
        "poll",
    );
    let values: [(u32, StubPart, &[u8]); 4] =
        [(0, Answer, &int(1)), (1, Answer, &int(5)), (2, Answer, &int(-1)), (2, Errno, &int(4))];
    let input = calls(&bench, bench.input().make(), "read_sensor", &values);
    bench.run(input, &[0, 2, 4, 6], RunEnd::Returned, &int(2));
    let input = calls(&bench, bench.input().make(), "read_sensor", &[(0, Answer, &int(0))]);
    bench.run(input, &[1], RunEnd::Returned, &int(0));
    insta::assert_snapshot!(judged(&mut bench));
}

#[test]
fn a_stub_with_nothing_but_results() {
    let mut bench = bench(
        "enum state { IDLE, BUSY };\nenum state state(void);\nvoid note(const char *text, ...);\n\
         int wait(int most)\n{\n    int n = 0;\n    while (n < most && state() == BUSY)\n        n++;\n    \
         note(\"%d\", n);\n    return n;\n}\n",
        "wait",
    );
    let values: [(u32, StubPart, &[u8]); 3] =
        [(0, Answer, &int(1)), (1, Answer, &int(1)), (2, Answer, &int(0))];
    let input = calls(&bench, bench.input().param(&int(7)).make(), "state", &values);
    bench.run(input, &[0, 2, 3], RunEnd::Returned, &int(2));
    bench.run(bench.input().param(&int(0)).make(), &[1], RunEnd::Returned, &int(0));
    insta::assert_snapshot!(judged(&mut bench));
}

#[test]
fn out_parameters_are_filled() {
    let mut bench = bench(
        "#include <stddef.h>\nstruct reading { const int id; double weight; };\nstruct point { int x, y; };\n\
         int measure(struct reading *reading, struct point *at);\nvoid receive(short *values, unsigned count);\n\
         int text_into(char *, size_t);\n\
         int total(void)\n{\n    struct reading r = {0, 0};\n    struct point p;\n    short values[2];\n    char name[8];\n    \
         if (measure(&r, &p) != 0 || text_into(name, sizeof name) == 0)\n        return -1;\n    \
         receive(values, 2);\n    return r.id + (int)r.weight + p.y + values[0] + values[1] + name[1];\n}\n",
        "total",
    );
    let mut reading = le(&[3, 0]);
    reading.extend(2.5f64.to_le_bytes());
    let input = bench.input().make();
    let input = calls(
        &bench,
        input,
        "measure",
        &[(0, Answer, &int(0)), (0, Out(0), &reading), (0, Out(1), &le(&[0, 7]))],
    );
    let input = calls(&bench, input, "text_into", &[(0, Answer, &int(3)), (0, Out(0), b"abc")]);
    let input = calls(&bench, input, "receive", &[(0, Out(0), &[1, 0, 2, 0])]);
    bench.run(input, &[1, 3], RunEnd::Returned, &int(3 + 2 + 7 + 1 + 2 + i32::from(b'b')));
    let input = calls(&bench, bench.input().make(), "measure", &[(0, Answer, &int(-4))]);
    bench.run(input, &[0], RunEnd::Returned, &int(-1));
    insta::assert_snapshot!(judged(&mut bench));
}

#[test]
fn a_stub_for_a_function_pointer_is_a_static_function() {
    let mut bench = Bench::new(
        "int apply(int (*step)(int, const char *), int x)\n{\n    if (step && step(x, \"a\") == 9)\n        \
         return step(x, \"b\");\n    return -1;\n}\n",
        "apply",
    );
    let pointer = bench.params()[0];
    bench.unit.stubs.push(plan_pointer(&bench.model, pointer, "stub_step".into()).unwrap());
    bench.unit.named_addresses.push(NamedAddress { address: 0x40_1000, size: 0, what: Named::Stub(0) });
    let input = bench.input().param(&0x40_1000u64.to_le_bytes()).param(&int(3)).make();
    let input = calls(&bench, input, "stub_step", &[(0, Answer, &int(9)), (1, Answer, &int(4))]);
    bench.run(input, &[0, 2], RunEnd::Returned, &int(4));
    bench.run(bench.input().param(&[]).param(&int(0)).make(), &[1], RunEnd::Returned, &int(-1));
    insta::assert_snapshot!(judged(&mut bench));
    // The same file without a test that uses the stub has none: it would be an unused function.
    bench.unit.kept_runs.remove(0);
    bench.judged();
    assert!(!shown(&bench).contains("stub_step"));
}

#[test]
fn results_that_point_to_objects_of_the_test() {
    let mut bench = bench(
        "struct node { int key; struct node *next; };\nstruct node *first(void);\nconst char *name_of(int key);\n\
         struct node make(int key);\n\
         int f(void)\n{\n    struct node *n = first();\n    if (n && n->next)\n        return name_of(n->key)[0];\n    \
         return make(1).key;\n}\n",
        "f",
    );
    let node = bench.ty("struct node");
    let mut input = calls(&bench, bench.input().make(), "first", &[(0, Answer, &address(0).to_le_bytes())]);
    input = calls(&bench, input, "name_of", &[(0, Answer, &address(2).to_le_bytes())]);
    let mut bytes = le(&[5, 0]);
    bytes.extend(address(1).to_le_bytes());
    let nodes = bench.input().object(0, 0, node, 1, &bytes, &bytes).object(0, 8, node, 1, &[], &[]).make();
    nodes.scenario.objects.into_iter().for_each(|object| add(&mut input, object));
    let last = input.scenario.objects.len() - 1;
    input.scenario.objects[last].role = Role::Pointee { object: last as u32 - 1, offset: 8 };
    let text = bench.ty("char");
    let mut name = bench.input().object(1, 0, text, 4, b"go", b"go").make().scenario.objects;
    name[0].address = address(2);
    name.into_iter().for_each(|object| add(&mut input, object));
    bench.run(input, &[0, 2], RunEnd::Returned, &int(i32::from(b'g')));
    let input = calls(&bench, bench.input().make(), "make", &[(0, Answer, &le(&[8, 0, 0, 0]))]);
    bench.run(input, &[1], RunEnd::Returned, &int(8));
    insta::assert_snapshot!(judged(&mut bench));
}

#[test]
fn a_function_that_never_returns_ends_the_test() {
    let mut bench = bench(
        "__attribute__((noreturn)) void die(const char *why);\nint f(int x) { if (x < 0) die(\"negative\"); return x; }\n",
        "f",
    );
    bench.run(bench.input().param(&int(-1)).make(), &[0], RunEnd::Exited(0), &[]);
    bench.run(bench.input().param(&int(1)).make(), &[1], RunEnd::Returned, &int(1));
    insta::assert_snapshot!(judged(&mut bench));
}

#[test]
fn undefined_variables_are_defined() {
    let mut bench = Bench::new(
        "#include <stdio.h>\nextern int config;\nextern const char *const label;\nextern short table[];\n\
         extern struct { int depth; } limits;\n\
         int f(void) { if (config > 3) fputs(\"\", stdout); return label ? table[0] : config + limits.depth; }\n",
        "f",
    );
    bench.run(bench.input().make(), &[1, 3], RunEnd::Returned, &int(0));
    let mut input = bench.input().make();
    let config = &bench.model.declared_variables[0];
    let (role, key) = (Role::Global(config.name.clone()), bench.model.types.key(config.ty));
    add(&mut input, Object { initial: int(0).to_vec(), ..Object::new(role, key, int(4).to_vec()) });
    bench.run(input, &[0, 3], RunEnd::Returned, &int(4));
    insta::assert_snapshot!(judged(&mut bench));
}

#[test]
fn allocations_fail_where_the_script_says_so() {
    let mut bench = library_bench(
        "#include <errno.h>\n#include <stdlib.h>\n#include <string.h>\n\
         struct hooks { void *(*malloc)(size_t); };\nstatic struct hooks hooks = {malloc};\n\
         int f(char *old)\n{\n    char *a = hooks.malloc(8);\n    char *b = calloc(1, 4);\n    int result = 0;\n    \
         if (a == NULL || b == NULL)\n        result = errno == ENOMEM ? -1 : -2;\n    \
         free(a);\n    free(b);\n    free(old);\n    return result;\n}\n",
        "f",
        &[LibraryInput::Alloc],
    );
    let text = bench.ty("char");
    let old = bench.input().pointer(0).object(0, 0, text, 4, b"ab", b"ab").freed().make();
    let input = calls(&bench, old, "malloc", &[(0, Answer, &int(0))]);
    let input = calls(&bench, input, "calloc", &[(0, Answer, &int(1))]);
    bench.run(input, &[1, 2, 4], RunEnd::Returned, &int(-1));
    bench.run(bench.input().param(&[]).make(), &[1, 3], RunEnd::Returned, &int(0));
    insta::assert_snapshot!(judged(&mut bench));
}

#[test]
fn memory_that_a_stub_gave_is_lost_where_the_unit_asked_for_it() {
    let mut bench = library_bench(
        "#include <stdlib.h>\n\
         int f(void)\n{\n    char *a = malloc(8), *b;\n    if (!a)\n        return -1;\n    \
         b = malloc(8);\n    if (!b)\n        return -1;\n    free(a);\n    free(b);\n    return 0;\n}\n",
        "f",
        &[LibraryInput::Alloc],
    );
    let fails = |bench: &Bench| {
        let answers: [(u32, StubPart, &[u8]); 2] = [(0, Answer, &int(0)), (1, Answer, &int(1))];
        calls(bench, bench.input().make(), "malloc", &answers)
    };
    bench.fault("leak", 4, fails(&bench));
    bench.fault("leak", 7, fails(&bench));
    let shown = bench.write().faults;
    assert!(shown[0].confirmed, "{}", shown[0].shown);
    assert!(!shown[1].confirmed, "the second block was never given");
}

#[test]
fn time_and_chance_are_scripted() {
    let mut bench = library_bench(
        "#include <stdlib.h>\n#include <time.h>\n\
         int f(void)\n{\n    time_t now;\n    if (time(&now) != now || now < 100)\n        return 0;\n    \
         return rand() % 6 + 1 == 6 && getenv(\"HOME\") == NULL;\n}\n",
        "f",
        &[LibraryInput::Time, LibraryInput::Rand, LibraryInput::Getenv],
    );
    let input = calls(&bench, bench.input().make(), "time", &[(0, Answer, &1000u64.to_le_bytes())]);
    let input = calls(&bench, input, "rand", &[(0, Answer, &int(5))]);
    let input = calls(&bench, input, "getenv", &[(0, Answer, &[])]);
    bench.run(input, &[1, 3, 4, 6], RunEnd::Returned, &int(1));
    insta::assert_snapshot!(judged(&mut bench));
}

#[test]
fn short_reads_are_scripted() {
    let mut bench = library_bench(
        "#include <errno.h>\n#include <stdio.h>\n#include <unistd.h>\n\
         int f(int fd, FILE *file)\n{\n    char b[16] = \"\";\n    char line[8];\n    \
         if (read(fd, b, 16) != 3 || fread(b + 3, 2, 4, file) != 1 || fgets(line, 8, file) != line)\n        return -1;\n    \
         if (fgets(line, 8, file) == NULL && getc(file) == EOF && read(fd, b, 1) < 0 && errno == EINTR)\n        \
         return b[2] + b[4] + line[1];\n    return 0;\n}\n",
        "f",
        &[LibraryInput::Read],
    );
    let input = bench.input().param(&int(0)).param(&[]).make();
    let input = calls(
        &bench,
        input,
        "read",
        &[(0, Answer, &[3]), (0, Out(1), b"abc"), (1, Answer, &[0xff; 8]), (1, Errno, &int(4))],
    );
    let input = calls(&bench, input, "fread", &[(0, Answer, &[1]), (0, Out(0), &[1, 2])]);
    let input =
        calls(&bench, input, "fgets", &[(0, Answer, &int(2)), (0, Out(0), b"hi"), (1, Answer, &int(0))]);
    let getc = if bench.unit.stubs.iter().any(|stub| stub.name == "getc") { "getc" } else { "fgetc" };
    let input = calls(&bench, input, getc, &[(0, Answer, &int(-1))]);
    let sum = i32::from(b'c') + 2 + i32::from(b'i');
    bench.run(input, &[1, 3, 5, 6, 8, 10, 12], RunEnd::Returned, &int(sum));
    insta::assert_snapshot!(judged(&mut bench));
}

#[test]
fn a_unit_with_state_is_called_in_a_row() {
    let mut bench = Bench::new(
        "int next(int step)\n{\n    static int sum;\n    sum += step;\n    if (sum > 10)\n        return 1;\n    return 0;\n}\n",
        "next",
    );
    let input = bench.input().param(&int(6)).next_call().param(&int(5)).make();
    bench.run(input, &[0], RunEnd::Returned, &int(1));
    bench.run(bench.input().param(&int(0)).make(), &[1], RunEnd::Returned, &int(0));
    assert_eq!(bench.write().tests[0].setup, ["(void)next(6);"]);
    insta::assert_snapshot!(judged(&mut bench));
}

#[test]
fn zeros_in_scripts_have_the_braces_that_compilers_want() {
    let mut bench = bench(
        "struct inner { int a; };\nstruct outer { struct inner in; int list[2]; };\n\
         struct outer whole(void);\nint part(struct outer *out);\nvoid fill(struct outer *all, unsigned n);\n\
         int f(void)\n{\n    struct outer o, p;\n    int sum = 0;\n    for (int i = 0; i < 2; i++) {\n        \
         sum += whole().list[1];\n        part(&o);\n        sum += o.in.a;\n        fill(&p, 1);\n        sum += p.in.a;\n    }\n    \
         return sum;\n}\n",
        "f",
    );
    let input = bench.input().make();
    let input = calls(&bench, input, "whole", &[(0, Answer, &le(&[0, 0, 2])), (1, Answer, &[])]);
    let values: [(u32, StubPart, &[u8]); 4] =
        [(0, Answer, &[]), (0, Out(0), &le(&[3])), (1, Answer, &[]), (1, Out(0), &[])];
    let input = calls(&bench, input, "part", &values);
    let input = calls(&bench, input, "fill", &[(0, Out(0), &le(&[4])), (1, Out(0), &[])]);
    bench.run(input, &[0, 1], RunEnd::Returned, &int(9));
    insta::assert_snapshot!(judged(&mut bench));
}

#[test]
fn a_stub_that_goes_on_after_its_script_ends_the_same_loop_in_the_test() {
    let mut bench = bench(
        "int ready(void);\nint level(int *out);\nint wait(void)\n{\n    int n = 0, flag = 0;\n    while (!ready())\n        \
         n++;\n    while (flag != 1)\n        n += level(&flag);\n    return n;\n}\n",
        "wait",
    );
    let mut input = bench.input().make();
    input.observation.stubs_go_on = true;
    let input = calls(&bench, input, "ready", &[(0, Answer, &[]), (1, Answer, &[])]);
    // The third call of ready() gives 1; those of level() give 7 with 0, then -1 with -1 and 1 with 1.
    let input = calls(&bench, input, "level", &[(0, Answer, &int(7)), (0, Out(0), &[])]);
    bench.run(input, &[0, 1, 2, 3], RunEnd::Returned, &int(9));
    let text = judged(&mut bench);
    assert!(text.contains("calls after those give what ends loops"), "{text}");
}

#[test]
fn names_of_the_unit_and_of_parameters_are_respected() {
    let mut bench = bench(
        "int get(int call, int *now, int *result);\nint get_calls, zero;\n\
         int f(int x) { int a, b; if (get(x, &a, &b)) return a + b + get_calls; return 0; }\n",
        "f",
    );
    let input = bench.input().param(&int(1)).make();
    let values: [(u32, StubPart, &[u8]); 3] =
        [(0, Answer, &int(1)), (0, Out(1), &int(2)), (0, Out(2), &int(3))];
    let input = calls(&bench, input, "get", &values);
    bench.run(input, &[0], RunEnd::Returned, &int(5));
    insta::assert_snapshot!(judged(&mut bench));
}

#[test]
fn a_fault_file_has_stubs_and_sequences_too() {
    let mut bench = bench(
        "int divisor(void);\nint f(int x)\n{\n    static int calls;\n    if (calls++)\n        return x / divisor();\n    return 0;\n}\n",
        "f",
    );
    let input = bench.input().param(&int(1)).next_call().param(&int(2)).make();
    bench.fault("division-by-zero", 6, calls(&bench, input.clone(), "divisor", &[(0, Answer, &int(0))]));
    bench.fault(
        "division-by-zero",
        6,
        calls(&bench, input, "divisor", &[(0, Answer, &int(0)), (1, Answer, &int(1))]),
    );
    let suite = bench.write();
    assert!(suite.faults.iter().all(|fault| fault.confirmed), "{:?}", suite.faults);
    insta::assert_snapshot!(bench.read("f/fault_f_2.c"));
    for compiler in ["gcc", "clang-19"] {
        compile(compiler, &bench.folder.path().join("out/f/fault_f_2.c"), &["-std=c99".into()]);
    }
}

#[test]
fn a_stub_that_gives_nothing_but_an_errno_of_zero_has_no_script() {
    let mut bench = bench(
        "void reset(void);\nint more(void);\nint count(void)\n{\n    int n = 0;\n    reset();\n    while (more())\n        \
         n++;\n    return n;\n}\n",
        "count",
    );
    let input = calls(&bench, bench.input().make(), "more", &[(0, Answer, &int(1)), (1, Answer, &int(0))]);
    let mut input = calls(&bench, input, "reset", &[(0, Errno, &int(0))]);
    input.observation.stubs_go_on = true;
    bench.run(input, &[0, 1], RunEnd::Returned, &int(1));
    let text = judged(&mut bench);
    assert!(text.contains("more_results") && !text.contains("reset_results"), "{text}");
}

#[test]
fn the_parameter_of_a_stub_may_be_called_like_a_macro_of_the_unit() {
    let mut bench = bench(
        "int convert(const char *text, void *data);\n#  define data (context->m_data)\n\
         int first(void)\n{\n    return convert(\"\", 0) == 3;\n}\n",
        "first",
    );
    let input = calls(&bench, bench.input().make(), "convert", &[(0, Answer, &int(3))]);
    bench.run(input, &[], RunEnd::Returned, &int(1));
    let definition = "int convert(const char *text, void *data)";
    let text = judged(&mut bench);
    assert!(text.contains(definition) && text.contains("#undef data\n"), "{text}");
}

#[test]
fn a_type_or_member_that_a_macro_of_the_unit_hides_can_be_written() {
    let mut bench = bench(
        "struct encoding { int kind; };\nint scan(const struct encoding *at, int size);\n\
         #define encoding (parser->m_encoding)\n#define kind 3\n#define other 4\n\
         int first(void)\n{\n    return scan(0, 1) == kind;\n}\n",
        "first",
    );
    let input = calls(&bench, bench.input().make(), "scan", &[(0, Answer, &int(3))]);
    bench.run(input, &[], RunEnd::Returned, &int(1));
    assert!(judged(&mut bench).contains("#undef encoding\n"));
}
