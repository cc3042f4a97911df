//! What it means to look at a value: decisions that are checks, and those that keep nothing away.

use crate::c::faults_as_text::{classified, nulls_apart, one};

#[test]
fn an_assertion_is_no_check_for_another_one_but_states_what_is_taken() {
    let two = "#include <assert.h>
int g;
int f(int base, int order) {
    g = order;
    assert(base >= 2);
    assert(order == 1 || order == -1);
    assert(base <= 6);
    return base == 4;
}";
    let classified = classified(two);
    assert!(classified.iter().all(|(_, class)| class != "bug"), "{classified:?}");
    let checked = "#include <assert.h>
int f(int base) {
    if (base < 2) return 0;
    assert(base <= 6);
    return base == 4;
}";
    assert_eq!(self::classified(checked), one(4, "bug"), "a check that is not enough");
    let taken = "#include <assert.h>
static const int bits[7] = {0, 1, 2, 3, 4, 5, 6};
int f(int base) {
    assert(base >= 2);
    assert(base <= 6 || base == 9);
    return bits[base] == 4;
}";
    assert_eq!(self::classified(taken), one(6, "bug"), "9 is said to be taken");
}

#[test]
fn asking_for_certain_values_does_not_say_how_large_a_number_may_be() {
    let by_switch = "int f(int base) {
    switch (base) {
    case 2: return 1;
    case 8: return 3;
    }
    return 1000 / (unsigned)base;
}";
    assert_eq!(classified(by_switch), one(6, "needs base != 0"));
    let by_zero = "int f(int count) {\n return (count == 0 ? 1 : count) << 8;\n}";
    assert_eq!(classified(by_zero), one(2, "needs count >= 0 && count <= 8388607"));
    let later = "int f(int base) {
    int digits = base - 1;
    if (base <= 16) digits = 16;
    return digits;
}";
    assert_eq!(classified(later), one(2, "needs base >= -2147483647"));
    let by_another = "unsigned f(unsigned to, unsigned from) {
    if (to <= from) return from % to;
    return 0;
}";
    assert_eq!(classified(by_another), one(2, "needs to >= 1"));
    let far = "int f(int count, int n) {
    int sum = 0;
    for (int i = 0; i < 3 && i < n; i++) sum++;
    return sum + (count == 7) - (-count);
}";
    assert_eq!(classified(far)[0], (4, "needs count >= -2147483647".to_string()));
}

#[test]
fn to_be_another_pointer_is_not_to_be_null() {
    let text = "struct number { int size; };
static void set(struct number *r, const struct number *x) {
    if (r != x) r->size = x->size;
}
int f(const struct number *b) {
    struct number own = { 0 };
    set(&own, b);
    return own.size > 3;
}";
    let classified = classified(text);
    assert!(
        !classified.is_empty() && classified.iter().all(|(_, class)| class.starts_with("needs")),
        "{classified:?}"
    );
}

#[test]
fn how_far_other_loops_go_is_no_look_at_what_keeps_a_loop_alive() {
    let text = "int f(const int *depth, int count, int most) {
    int rounds = 0;
    if (depth == 0) return 0;
    while (1) {
        int too_deep = 0;
        for (int i = 0; i < count; i++)
            if (depth[i] != i + most) too_deep = 1;
        if (!too_deep) break;
        rounds++;
    }
    return rounds;
}";
    let classified = nulls_apart(text);
    assert!(classified.iter().any(|(line, _)| *line == 4), "{classified:?}");
    assert!(classified.iter().all(|(_, class)| class != "bug"), "{classified:?}");
    let own = "int f(int x) {\n if (x == 3)\n  for (;;) ;\n return 0;\n}";
    assert_eq!(nulls_apart(own), one(3, "bug"));
}

#[test]
fn how_far_a_loop_goes_is_no_bound_of_its_numbers() {
    let text = "int f(int first, int last) {
    int sum = 0;
    for (int n = first; n <= last; n++)
        if (sum++ > 2) break;
    return sum;
}";
    assert!(classified(text).iter().all(|(_, class)| class != "bug"), "{:?}", classified(text));
    let fixed = "const int t[10] = {1, 2};
int f(int first) {
    int sum = 0;
    for (int i = first; i < 10; i++) sum += t[i];
    return sum;
}";
    assert_eq!(classified(fixed), one(4, "bug"), "it is held to what there is");
}

#[test]
fn a_condition_is_a_check_if_it_refuses_changes_or_leads_there() {
    let beside = "int f(int base) {
    int wide = 0;
    if (base > 16) wide = 2;
    return base - 1 + wide / 4;
}";
    assert_eq!(classified(beside), one(4, "needs base >= -2147483647"));
    let elsewhere = "static int is_negative(int n) {\n if (n < 0) return 1;\n return 0;\n}
static int sign(int n) {\n int s = 0;\n if (n < 0) s = 1;\n return s;\n}
int g(int base) { return is_negative(base) - (base - 1); }
int f(int base) { return sign(base) - (base - 1); }";
    assert_eq!(classified(elsewhere)[0], (11, "needs base >= -2147483647".to_string()));
    let clamped = "const int t[10] = {1, 2};\nint f(int n) {\n if (n > 9) n = 9;\n return t[n];\n}";
    assert_eq!(classified(clamped), one(4, "bug"));
    let ended = "#include <stdlib.h>\nconst int t[10] = {1, 2};
int f(int n) {\n if (n > 9) exit(1);\n return t[n];\n}";
    assert_eq!(classified(ended), one(5, "bug"));
    let chosen = "const int t[10] = {1, 2};\nint f(int n) {\n int k = n > 9 ? 9 : n;\n return t[k];\n}";
    assert_eq!(classified(chosen), one(4, "bug"));
}

#[test]
fn where_no_check_tells_the_end_of_a_loop_and_an_assertion_are_no_looks() {
    // How often it shifts, the numbers decide; what it shifts by does not depend on them.
    let text = "int f(unsigned char least, unsigned char most) {
    int value = 1;
    for (int n = least; n <= most; n++)
        value <<= 1;
    return value;
}";
    let of_loop = classified(text);
    assert!(of_loop.iter().any(|(line, _)| *line == 4), "{of_loop:?}");
    assert!(of_loop.iter().all(|(_, class)| class != "bug"), "{of_loop:?}");
    let checked = text.replace("int value = 1;", "int value = 1; if (most > 40) return 0;");
    assert!(classified(&checked).contains(&(4, "bug".to_string())), "{:?}", classified(&checked));
    let far = "int f(const int *base, int least, int most) {
    int sum = 0;
    for (int i = least; i < most && sum < 4; i++)
        sum += base[i] & 1;
    return sum;
}";
    let far = nulls_apart(far);
    assert!(!far.is_empty() && far.iter().all(|(_, class)| class != "bug"), "{far:?}");
}

#[test]
fn that_a_loop_goes_as_far_as_a_value_is_no_check_of_it() {
    let powers = "unsigned f(unsigned long base) {
    unsigned long limit = 1000000000000UL / (base | 1), power = base | 1;
    unsigned digits = 1;
    while (power <= limit) {
        power *= base | 1;
        digits++;
    }
    return digits;
}";
    assert_eq!(nulls_apart(powers), one(4, "(was seen to fail with base == 0)"));
    let refused =
        powers.replacen("    unsigned digits", "    if (base > 90) return 0;\n    unsigned digits", 1);
    assert_eq!(nulls_apart(&refused), one(5, "bug"), "it refuses other bases and takes this one");
}

#[test]
fn what_a_function_that_has_returned_asserts_says_nothing_of_what_comes_after_it() {
    let text = "#include <assert.h>
static int width(unsigned long n) {
    assert(n > 0);
    return n > 255 ? 2 : 1;
}
int f(int base) {
    int bytes = width((unsigned long)base);
    return (bytes << 4) + (1 << base);
}";
    let shifts = |text: &str, at: u32| {
        let classified = classified(text).into_iter().filter(|(line, _)| *line == at);
        classified.map(|(_, class)| class).collect::<Vec<_>>()
    };
    assert_eq!(shifts(text, 8), ["needs base >= 0 && base <= 30"]);
    let own = text.replacen("    int bytes", "    assert(base > 0);\n    int bytes", 1);
    assert_eq!(shifts(&own, 9), ["bug"], "what the unit itself asserts is what it takes");
}

#[test]
fn what_a_loop_without_an_end_asks_in_every_round_is_no_check() {
    let text = "int f(int most, int n) {
    int rounds = 0;
    while (1) {
        int hits = 0;
        for (int i = 0; i < 4; i++) {
            if (n < i) break;
            hits = 1;
        }
        if (hits <= most) break;
        rounds = (rounds + 1) & 7;
    }
    return rounds;
}";
    let found = classified(text);
    assert!(found.iter().any(|(line, class)| *line == 3 && class != "bug"), "{found:?}");
    let asked_before = text.replacen("    while", "    if (most > 9 || n > 9) return 0;\n    while", 1);
    let found = classified(&asked_before);
    assert!(found.contains(&(4, "bug".to_string())), "it refuses other values and takes these: {found:?}");
}

#[test]
fn what_a_number_became_on_the_way_is_for_the_caller_who_gave_it() {
    let text = "static unsigned zeros(unsigned d) {
    unsigned n = 0;
    while (n < 8 && (d & 0x80) == 0) { d <<= 1; n++; }
    return n;
}
unsigned f(unsigned base, unsigned w) {
    unsigned sum = 0, shift = zeros(base);
    while (w > 0) {
        sum += w << (24 + shift);
        w /= 7;
    }
    return sum;
}";
    let is_bug = |text: &str, at: u32| {
        let classified = classified(text).into_iter().filter(|(line, _)| *line == at);
        classified.map(|(_, class)| class == "bug").collect::<Vec<_>>()
    };
    assert_eq!(is_bug(text, 9), [false], "that there is something left to do is no check of base");
    let refused = text.replacen("    while (w > 0)", "    if (w > 99) return 0;\n    while (w > 0)", 1);
    assert_eq!(is_bug(&refused, 10), [true], "the unit refuses other values, and none of w leads elsewhere");
}

#[test]
fn what_values_become_of_each_other_says_nothing_about_those_an_assertion_meets() {
    let text = "#include <assert.h>
static int half(int n) { return n > 100 ? n / 2 : n; }
int f(int n, int w) {
    int r = half(n);
    if (r >= w) r = r / 2 + w / 2;
    assert(r < 1000);
    return r;
}";
    let asserted = |text: &str, at: u32| {
        let classified = classified(text).into_iter().filter(|(line, _)| *line == at);
        classified.map(|(_, class)| class == "bug").collect::<Vec<_>>()
    };
    assert_eq!(asserted(text, 6), [false]);
    let refused = text.replacen("    int r", "    if (n > 5000 || w > 5000) return 0;\n    int r", 1);
    assert_eq!(asserted(&refused, 7), [true], "it refuses other values and takes these");
}
