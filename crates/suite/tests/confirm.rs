//! Confirmed means: the file, compiled as its header says, was seen to show exactly this fault.

use crate::unit::Bench;

fn int(value: i32) -> [u8; 4] {
    value.to_le_bytes()
}

/// The fault file of a function `f` of one `int`, whether it is confirmed, and what was seen.
fn file_of(source: &str, kind: &str, line: u32, argument: &[u8]) -> (String, bool, String) {
    let mut bench = Bench::new(source, "f");
    bench.fault(kind, line, bench.input().param(argument).make());
    let fault = bench.write().faults.remove(0);
    assert_eq!(
        fault.sanitizer,
        fault.confirmed && fault.shown.contains("Sanitizer")
            || fault.shown.contains("the sanitizers report it")
    );
    (bench.read("f/fault_f_1.c"), fault.confirmed, fault.shown)
}

/// It is confirmed, by a build with these flags.
fn is_shown(source: &str, kind: &str, line: u32, argument: i32, flags: &str) -> String {
    let (text, confirmed, shown) = file_of(source, kind, line, &int(argument));
    assert!(confirmed, "{shown}\n{text}");
    assert!(text.contains(&format!("Show it:  clang-19 -g {flags} ")), "{text}");
    shown
}

const USUAL: &str = "-fsanitize=address,undefined -fno-sanitize-recover=undefined";

#[test]
fn what_ends_every_program_is_shown_by_the_sanitizers_too() {
    let shown = is_shown("int f(int x) { int *p = 0; return x + *p; }\n", "null-dereference", 1, 0, USUAL);
    assert_eq!(shown, "Tarka saw the sanitizers report it; without them it ends with SIGSEGV.");
    let shown = is_shown(
        "#include <assert.h>\nint f(int x)\n{\n    assert(x > 3);\n    return x;\n}\n",
        "assertion",
        4,
        1,
        USUAL,
    );
    assert_eq!(shown, "Tarka saw the sanitizers report it; without them it ends with SIGABRT.");
    let recursion = "int f(int x) { return x ? f(x) + 1 : 0; }\n";
    let shown = is_shown(recursion, "stack-overflow", 1, 1, USUAL);
    assert_eq!(shown, "Tarka saw the sanitizers report it; without them it ends with SIGSEGV.");
}

#[test]
fn lost_memory_is_shown_and_returned_memory_is_not_lost() {
    let lost = "#include <stdlib.h>\nint *f(int x)\n{\n    int *kept = malloc(8);\n    int *lost = malloc(40);\n    \
                if (x > 3)\n        return kept;\n    free(lost);\n    return kept;\n}\n";
    let shown = is_shown(lost, "leak", 5, 4, USUAL);
    assert_eq!(shown, "Tarka saw LeakSanitizer, a part of AddressSanitizer, report it.");
    let (_, confirmed, shown) = file_of(lost, "leak", 4, &int(4));
    assert!(!confirmed, "line 4 allocates what is returned: {shown}");
    let (_, confirmed, shown) = file_of(lost, "leak", 5, &int(1));
    assert!(!confirmed && shown.contains("-fsanitize=address,undefined reports nothing"), "{shown}");
}

#[test]
fn memory_that_an_input_points_to_is_not_lost() {
    let mut bench = Bench::new(
        "#include <stdlib.h>\nstruct box { int *content; };\nvoid f(struct box *b) { b->content = malloc(4); }\n",
        "f",
    );
    let content = bench.pointee(bench.params()[0]);
    bench.fault("leak", 3, bench.input().pointer(0).object(0, 0, content, 1, &[0; 8], &[0; 8]).make());
    let suite = bench.write();
    assert!(!suite.faults[0].confirmed, "{}", bench.read("f/fault_f_1.c"));
}

#[test]
fn uninitialised_memory_takes_a_sanitizer_of_its_own() {
    let source =
        "int f(int x)\n{\n    int y;\n    if (x > 3)\n        y = 1;\n    int z = y + x;\n    return z;\n}\n";
    let shown = is_shown(source, "uninitialised-read", 6, 1, "-fsanitize=memory");
    assert_eq!(shown, "Tarka saw MemorySanitizer report it; -fsanitize=address,undefined cannot show it.");
    let (_, confirmed, shown) = file_of(source, "uninitialised-read", 6, &int(4));
    assert!(!confirmed && shown.contains("-fsanitize=memory reports nothing"), "{shown}");
}

#[test]
fn kinds_with_flags_of_their_own() {
    let float = "int f(float x) { return (int)x; }\n";
    let (text, confirmed, _) = file_of(float, "float-conversion", 1, &1e30_f32.to_le_bytes());
    assert!(confirmed && text.contains("float-cast-overflow"), "{text}");
    let wraps = "unsigned f(unsigned x) { return x + 1; }\n";
    let flags = "-fsanitize=address,undefined,unsigned-integer-overflow -fno-sanitize-recover=all";
    is_shown(wraps, "unsigned-overflow", 1, -1, flags);
    let local = "static int *at(int x)\n{\n    int y = x;\n    int *p = &y;\n    return p;\n}\nint f(int x) { return *at(x); }\n";
    is_shown(local, "use-after-return", 7, 1, USUAL);
}

#[test]
fn another_objection_on_the_way_confirms_nothing() {
    let source = "int t[4];\nint f(int x)\n{\n    int y = x + 1;\n    return y < 0 ? t[y & 3] : 0;\n}\n";
    let (text, confirmed, shown) = file_of(source, "out-of-bounds", 5, &int(i32::MAX));
    assert!(!confirmed, "{text}");
    assert!(shown.contains("reports something else: signed integer overflow"), "{shown}");
    assert!(shown.contains("(line 4)"), "{shown}");
    // The same kind on another line is another fault.
    let (_, confirmed, _) = file_of(source, "signed-overflow", 5, &int(i32::MAX));
    assert!(!confirmed);
}

#[test]
fn after_another_objection_the_program_goes_on_to_this_one() {
    let source = "#include <stdlib.h>\nint f(int x)\n{\n    int y = x + 1;\n    char *p = malloc(2);\n    p[2] = 0;\n    \
                  free(p);\n    return y << 1;\n}\n";
    let flags = "-fsanitize=address,undefined -fsanitize-recover=address";
    is_shown(source, "out-of-bounds", 6, i32::MAX, flags);
    is_shown(source, "shift", 8, i32::MAX, flags);
}
