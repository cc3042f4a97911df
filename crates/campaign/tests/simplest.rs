//! What does not matter to a path keeps its default, and what matters reads as if written by hand.

use crate::c::{covered, int_param, param, test};
use tarka_events::{RunEnd, UnitResult};

fn returning(result: &UnitResult, value: i32) -> &tarka_scenario::Executed {
    let found = result.kept_runs.iter().find(|kept| kept.executed.observation.result == value.to_le_bytes());
    &found.unwrap_or_else(|| panic!("no run returns {value}: {:#?}", result.kept_runs)).executed
}

#[test]
fn what_does_not_matter_keeps_its_default() {
    let result = test(
        "int f(int a, int b, int c) {
            if (a == 77) { if (b == 12345) return 1; return 2; }
            if (c == 99) return 3;
            return 4;
        }",
    );
    assert_eq!(covered(&result), (6, 6));
    let three = returning(&result, 3);
    assert_eq!([0, 1, 2].map(|position| int_param(three, position)), [0, 0, 99]);
    let two = returning(&result, 2);
    assert_eq!([0, 1, 2].map(|position| int_param(two, position)), [77, 0, 0]);
}

#[test]
fn numbers_are_small_and_enumerators_preferred() {
    let result = test(
        "enum colour { RED, GREEN = 7, BLUE = 9 };
         int f(int n, enum colour c, double d) {
            if (n < -50) return 1;
            if (n > 1000) return 2;
            if (c != RED) return 3;
            if (d > 2.5) return 4;
            return 5;
        }",
    );
    assert!((-64..-50).contains(&int_param(returning(&result, 1), 0)));
    assert!((1001..=1024).contains(&int_param(returning(&result, 2), 0)));
    assert_eq!(int_param(returning(&result, 3), 1), 7);
    assert_eq!(f64::from_le_bytes(param(returning(&result, 4), 2).try_into().unwrap()), 10.0);
}

#[test]
fn pointers_that_do_not_matter_are_null_and_strings_are_printable() {
    let result = test(
        "int f(const char *s, int *unused, int flag) {
            if (flag == 3) { if (unused) *unused = 1; return 1; }
            if (s && s[0] > 'Z' && s[1] != 0 && s[2] == 0) return 2;
            return 3;
        }",
    );
    let two = returning(&result, 2);
    assert_eq!(param(two, 1), [0; 8]);
    let text = &two.scenario.objects.iter().find(|object| object.bytes.len() > 8).expect("a string").bytes;
    assert_eq!(&text[..3], b"aa\0");
}

/// Nodes whose kind says what their union holds.
const NODES: &str = "enum kind { NUMBER, NAME, PAIR };
    struct node { enum kind kind; union { long number; const char *name; const struct pair *pair; } as; };
    struct pair { char operator; struct node left, right; };
    int is_name(const struct node *n) { return n->kind == NAME && n->as.name != 0; }
    ";

/// The objects of a run, by type: bytes.
fn object<'a>(executed: &'a tarka_scenario::Executed, ty: &str) -> &'a [u8] {
    let found = executed.scenario.objects.iter().find(|object| object.ty.to_string() == ty);
    &found.unwrap_or_else(|| panic!("no {ty}: {:#?}", executed.scenario)).bytes
}

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

#[test]
fn a_union_holds_what_its_tag_says() {
    let result = test(&format!(
        "{NODES} int f(const struct node *node) {{
            if (node->kind != PAIR || node->as.pair == 0) return 0;
            if (node->as.pair->operator != '+') return 1;
            if (node->as.pair->left.kind != NUMBER) return 2;
            return node->as.pair->left.as.number != 0 ? 3 : 4;
        }}"
    ));
    assert_eq!(covered(&result), (10, 10));
    for value in 1..=4 {
        let run = returning(&result, value);
        let node = object(run, "struct node");
        assert_eq!(node[0], 2, "a pair");
        let pair = run.scenario.objects.iter().find(|object| object.address == word(node, 8));
        assert_eq!(pair.expect("an object").ty.to_string(), "struct pair", "what {value} is made of");
        assert!(run.scenario.objects.iter().all(|object| !object.ty.to_string().contains("char")));
    }
    assert_eq!(word(object(returning(&result, 3), "struct pair"), 16), 1, "the plainest number");
}

#[test]
fn a_tag_says_what_its_union_holds_where_nobody_asks_for_the_tag() {
    let result = test(&format!(
        "{NODES} int f(const struct node *node) {{
            const char *name = node->as.name;
            if (name == 0) return 0;
            return name[0] == 'a' && name[1] == 'b' ? 2 : 1;
        }}"
    ));
    assert_eq!(covered(&result), (6, 6));
    assert_eq!(object(returning(&result, 2), "struct node")[0], 1, "a name");
    assert_eq!(object(returning(&result, 0), "struct node")[0], 0, "whatever");
}

#[test]
fn the_input_of_a_fault_is_simple_too() {
    let result =
        test("int f(int a, int b, int c) {\n if (a > 500)\n return 1000 / (b - c - 1);\n return 0;\n}");
    let fault = result.faults.iter().find(|fault| fault.kind.name() == "division-by-zero").unwrap();
    assert!((501..=1000).contains(&int_param(&fault.executed, 0)));
    let (b, c) = (int_param(&fault.executed, 1), int_param(&fault.executed, 2));
    assert_eq!(b - c, 1);
    assert!(b.abs() <= 1 && c.abs() <= 1, "{b} {c}");
    assert!(result.kept_runs.iter().any(|kept| kept.end == RunEnd::Returned));
}
