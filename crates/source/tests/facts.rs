//! What the model knows about the inputs of small C files: `facts/NAME.c` beside `facts/NAME.expected`; and the stubs
//! planned for others: `stubs/NAME.c` beside `stubs/NAME.expected`.
//! To accept a change, run with `TARKA_BLESS=1` and read the difference.

use crate::common;

#[test]
fn facts_read_as_expected() {
    common::check_goldens("facts", |file| common::facts(&common::model(file)));
}

#[test]
fn stubs_read_as_expected() {
    common::check_goldens("stubs", |file| common::stubs(&common::model(file)));
}

#[test]
fn types_are_the_same_whatever_they_are_called() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let file = scratch.path().join("unit.c");
    let text = "struct node { int value; };
typedef struct node node_t;
typedef unsigned char byte;
typedef int (*visitor)(node_t *, byte);
int plain(struct node *n, unsigned char c) { return n->value + c; }
int named(node_t *n, byte c) { return n->value - c; }
int other(node_t *n, signed char c) { return n->value * c; }
int unit(visitor v, int (*w)(const struct node *, byte)) { return v != 0 && w != 0; }
";
    std::fs::write(&file, text).expect("writable");
    let model = common::try_model(&file, &[]).expect("it compiles");
    let types = &model.types;
    let function = |name| model.function_named(name).expect("it is there").1;
    let pointee = |position: usize| {
        types.pointee(function("unit").params[position].ty).expect("a pointer to a function")
    };
    assert!(types.same_type(function("plain").ty, function("named").ty));
    assert!(types.same_type(function("plain").ty, pointee(0)));
    assert!(!types.same_type(function("plain").ty, function("other").ty));
    assert!(!types.same_type(function("plain").ty, pointee(1)), "const is told apart");
}

#[test]
fn variables_that_nothing_in_the_file_changes_are_fixed() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let file = scratch.path().join("unit.c");
    let text = "#include <string.h>
struct pair { int a, b[2]; };
static int level = 3, *where = &level;
static int table[4] = {1, 2}, filled[4], sorted[4], walked[4], counted, reached[2], shown;
static const char *names[] = {\"one\", \"two\", 0};
static char *texts[] = {\"one\", 0};
static struct pair still = {1, {2, 3}}, moved;
static volatile int device;
static int (*handler)(int);
int seen_elsewhere;
static int step(int *at) { return ++*at; }
static int sum(const int *at) { return at[0] + at[1]; }
int unit(int i) {
    const int *end = walked + 4;
    int total = table[i & 3] + *table + sum(table) + still.b[1] + (int)sizeof reached;
    filled[i & 3] = 1;
    memset(sorted, 0, sizeof sorted);
    for (const int *p = walked; p < end; p++) total += *p;
    moved.b[0] = step(&counted);
    texts[0][1] = 'x';
    texts[1] = texts[0];
    if (strcmp(names[i & 1], \"two\") == 0 && handler) total += handler(i);
    return total + device + seen_elsewhere + shown + *where;
}
";
    std::fs::write(&file, text).expect("writable");
    let model = common::try_model(&file, &[]).expect("it compiles");
    let fixed: Vec<_> =
        model.globals.iter().filter(|global| global.is_fixed).map(|global| global.name.as_str()).collect();
    assert_eq!(fixed, ["where", "table", "reached", "shown", "names", "still", "handler"]);
}
