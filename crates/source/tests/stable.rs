//! Which conditions have the same value each time one call evaluates them.

use crate::common;

/// The texts of the stable conditions of a file's function `f`, in order.
fn stable(body: &str) -> Vec<String> {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let file = scratch.path().join("unit.c");
    let before = "enum mode { OFF, ON }; extern int g; int h(int); struct s { int m; };\n";
    let text = format!(
        "{before}int f(int x, unsigned char c, double d, enum mode e, int *p, struct s s) {{\n{body}\nreturn 0; }}\n"
    );
    std::fs::write(&file, text).expect("writable");
    let model = common::try_model(&file, &[]).expect("it compiles");
    let function = model.function_named("f").expect("it is there").1;
    function.uses.stable_sites.iter().map(|&site| model.site(site).text.clone()).collect()
}

#[test]
fn parameters_constants_and_locals_that_are_set_once_are_stable() {
    let body = "
        const int twice = 2 * x; int low = twice - (int)sizeof x; _Bool big = c > 'a';
        if (x > 3 && !(c == 7)) return 1;
        if (low < ~x || d * 2 > 1.5) return 2;
        while (big) return 3;
        switch (e) { case ON: if (e != OFF) return 4; }
        switch (x % 3) { default: return 5; }";
    let expected = ["x > 3", "!(c == 7)", "low < ~x", "d * 2 > 1.5", "big", "e", "e != OFF", "x % 3"];
    assert_eq!(stable(body), expected);
}

#[test]
fn memory_calls_globals_and_conditions_inside_are_not() {
    let body = "
        static int kept = 3; volatile int v = x; int chosen = x ? 1 : 2; int both = x && c; int array[2] = {x, c};
        if (*p > 3) return 1;
        if (p) return 2;
        if (g) return 3;
        if (h(x)) return 4;
        if (s.m) return 5;
        if (kept) return 6;
        if (v) return 7;
        if (chosen == 2) return 8;
        if (both) return 9;
        if (array[0]) return 10;";
    // The conditions of `?:` and `&&` themselves are.
    assert_eq!(stable(body), ["x", "x", "c"]);
}

#[test]
fn what_is_assigned_anywhere_or_may_be_through_a_pointer_is_not() {
    for change in ["x = 3;", "x += 1;", "++x;", "x--;", "p = &x;", "(x) = 3;", "for (x = 0; x < 3; x++) ;"] {
        let body =
            format!("int copy = x; if (x > 3) return 1; if (copy > 3) return 2; if (c) return 3; {change}");
        assert_eq!(stable(&body), ["c"], "{change}");
    }
    assert_eq!(stable("p[x] = 3; g = x; if (x > 3) return 1;"), ["x > 3"], "its value is only read");
}

#[test]
fn a_local_whose_initialiser_may_be_jumped_over_is_not() {
    let skipped = "switch (x) { int t = 5; case 1: if (t > c) return 1; }";
    assert_eq!(stable(skipped), ["x"]);
    assert_eq!(stable("switch (x) { case 1: { int t = 5; if (t > c) return 1; } }"), ["x", "t > c"]);
    assert_eq!(stable("if (c) goto out; int t = 5; if (t > c) return 1; out: return t;"), ["c"]);
    assert_eq!(stable("__asm__(\"\" : \"+r\"(x)); if (c) return 1;"), [""; 0]);
}
