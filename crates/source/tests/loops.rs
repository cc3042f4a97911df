//! Loops: where they are, and how their heads read.

use crate::common;

/// Line, line after which it ends, and head of each loop.
fn loops(text: &str) -> Vec<(u32, u32, String)> {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let file = scratch.path().join("unit.c");
    std::fs::write(&file, text).expect("writable");
    let model = common::try_model(&file, &[]).expect("it compiles");
    let function = model.function_named("f").expect("it is there").1;
    function.loops.iter().map(|one| (one.place.line, one.end.0, one.text.clone())).collect()
}

#[test]
fn every_kind_of_loop_has_its_head_and_its_lines() {
    let found = loops(
        "#define LIMIT 10
int f(int n) {
    for (int i = 0;
         i < LIMIT; i++)
        n += i;
    while (n > 3) {
        do n--; while (n % 4 != 0);
        for (;;)
            break;
    }
again:
    if (n--)
        goto again;
    return n;
}
",
    );
    let expected = [
        (3, 5, "for (int i = 0; i < LIMIT; i++)"),
        (6, 10, "while (n > 3)"),
        (7, 7, "do … while (n % 4 != 0)"),
        (8, 9, "for (;;)"),
    ];
    let expected = expected.map(|(line, end, text)| (line, end, text.to_string()));
    assert_eq!(found, expected);
}

#[test]
fn the_loops_of_one_macro_are_one_and_read_as_the_user_wrote_it() {
    let found = loops(
        "#define REPEAT(times) for (int k = 0; k < (times); k++)
#define DRAIN(x) do { while (x) (x)--; } while (0)
int f(int n) {
    int all = 0;
    REPEAT(n) all += k;
    DRAIN(n);
    return all;
}
",
    );
    assert_eq!(found, [(5, 5, "REPEAT(n)".to_string()), (6, 6, "DRAIN(n)".to_string())]);
}
