//! Preconditions: which C expressions are taken, and what is said about the others.

use std::fmt::Write as _;

use crate::common;
use tarka_source::{assume_parameters, check_expression, expand_expression, find_clang};

const UNIT: &str = r#"
#include <string.h>
#include <stdio.h>
#define LIMIT (2 * WIDTH)
#define WIDTH 8
enum mode { IDLE, RUNNING };
struct node { int value; struct node *next; };
static int level;
int next_id(void) { return ++level; }
static int is_valid(const struct node *n) { return n && n->value > 0; }
int unit(const char *name, int count, struct node *head, enum mode mode, double grid[2][3]) {
    return name && count && head && mode && grid && is_valid(head);
}
int nothing(void) { return 0; }
int shapeless(struct { int x; } *p) { return p != 0; }
"#;

/// What is said about each expression.
fn verdicts(function: &str, expressions: &[&str]) -> String {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let file = scratch.path().join("unit.c");
    std::fs::write(&file, UNIT).expect("writable");
    let model = common::try_model(&file, &[]).expect("it compiles");
    let clang = find_clang().expect("clang");
    let (id, _) = model.function_named(function).expect("it is there");
    let mut out = String::new();
    for expression in expressions {
        match check_expression(&model, &clang, id, expression) {
            Ok(()) => {
                let expanded = expand_expression(&model, &clang, expression).expect("it was accepted");
                writeln!(out, "{expression}: fine as {expanded}").unwrap();
            }
            Err(error) => {
                let marks = [("unknown", &error.unknown), ("nearest", &error.nearest)];
                let marks: String = marks
                    .iter()
                    .filter_map(|(what, name)| Some(format!(" [{what} {}]", name.as_ref()?)))
                    .collect();
                writeln!(out, "{expression}: {error}{marks}").unwrap();
            }
        }
    }
    out
}

fn check(function: &str, cases: &[(&str, &str)]) {
    let expressions: Vec<&str> = cases.iter().map(|(expression, _)| *expression).collect();
    let expected: String = cases.iter().map(|(expression, said)| format!("{expression}: {said}\n")).collect();
    let seen = verdicts(function, &expressions);
    assert_eq!(seen, expected, "\n{seen}");
}

#[test]
fn expressions_over_parameters_globals_and_macros_are_taken() {
    check(
        "unit",
        &[
            ("count >= 0 && count <= LIMIT", "fine as count >= 0 && count <= (2 * 8)"),
            ("head != NULL", "fine as head != ((void*)0)"),
            ("level < INT_MAX", "fine as level < 2147483647"),
            ("mode == RUNNING || head->next->value", "fine as mode == RUNNING || head->next->value"),
            ("is_valid(head) && strlen(name) < 4", "fine as is_valid(head) && strlen(name) < 4"),
            ("name", "fine as name"),
            ("grid[1][2] == 0.5", "fine as grid[1][2] == 0.5"),
            ("sizeof(count++) == 4", "fine as sizeof(count++) == 4"),
            ("count\n> 0", "fine as count > 0"),
        ],
    );
}

#[test]
fn unknown_names_come_with_the_nearest_one() {
    check(
        "unit",
        &[
            (
                "cuont > 0",
                "column 1: use of undeclared identifier 'cuont'; did you mean 'count'? [unknown cuont] [nearest count]",
            ),
            (
                "head->valu > 0",
                "column 7: no member named 'valu' in 'struct node'; did you mean 'value'? [unknown valu] [nearest value]",
            ),
            (
                "count > 0 && lvel",
                "column 14: use of undeclared identifier 'lvel'; did you mean 'level'? [unknown lvel] [nearest level]",
            ),
            (
                "something_else",
                "column 1: use of undeclared identifier 'something_else' [unknown something_else]",
            ),
        ],
    );
    check("nothing", &[("count > 0", "column 1: use of undeclared identifier 'count' [unknown count]")]);
}

#[test]
fn what_is_no_expression_is_refused_with_its_column() {
    check(
        "unit",
        &[
            ("", "column 1: expected an expression"),
            ("count >", "column 8: expected expression"),
            ("count > 0) || (1", "column 10: the bracket ')' has no partner"),
            ("(count > 0", "column 1: the bracket '(' has no partner"),
            ("count, level", "column 6: expected one expression, ',' stands between two"),
            ("count > 0; level = 3", "column 10: expected one expression, ';' stands between two"),
            ("*head", "column 1: expected a number or a pointer, not 'struct node'"),
            ("head * 2", "column 6: invalid operands to binary expression ('struct node *' and 'int')"),
            ("#define X", "column 1: expected an expression, not a directive"),
        ],
    );
}

#[test]
fn what_changes_something_is_refused() {
    let changes = "a precondition must not change anything; for equality write '=='";
    check(
        "unit",
        &[
            ("count = 3", &format!("column 1: {changes}")),
            ("name && level++", &format!("column 9: {changes}")),
            ("(count += 2) > 0", &format!("column 2: {changes}")),
            (
                "count && puts(name)",
                "column 10: a precondition cannot call 'puts': it is neither in this file nor known to be without effects",
            ),
            ("({ count; })", "column 1: statements are not allowed in a precondition"),
        ],
    );
}

#[test]
fn a_parameter_without_a_nameable_type_is_named() {
    check(
        "shapeless",
        &[("p != 0", "column 1: shapeless has a parameter whose type cannot be named outside it")],
    );
}

#[test]
fn parameter_lists_read_like_c() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let file = scratch.path().join("unit.c");
    std::fs::write(&file, UNIT).expect("writable");
    let model = common::try_model(&file, &[]).expect("it compiles");
    let list = |name| assume_parameters(&model, model.function_named(name).expect("it is there").0);
    assert_eq!(
        list("unit").as_deref(),
        Some("const char *name, int count, struct node *head, enum mode mode, double (*grid)[3]")
    );
    assert_eq!(list("nothing").as_deref(), Some("void"));
    assert_eq!(list("shapeless"), None);
}
