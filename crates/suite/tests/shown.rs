//! What is said of all emitted files together: figures for every criterion, and truth tables of decisions.

use crate::unit::Bench;
use tarka_events::{RunEnd, Share, Status};

fn int(value: i32) -> [u8; 4] {
    value.to_le_bytes()
}

const SWITCH: &str = "int f(int x) { switch (x) { case 1: return 5; case 2: return 6; } return 0; }\n";

#[test]
fn a_skipped_function_has_its_totals_and_nothing_covered() {
    let mut bench = Bench::new(SWITCH, "f");
    bench.unit.status = Status::Skipped("no reason".into());
    let coverage = bench.write().coverage;
    assert_eq!(coverage.function, Share { covered: 0, total: 1 });
    assert_eq!(coverage.switch, Share { covered: 0, total: 3 });
    assert_eq!(coverage.branch, Share { covered: 0, total: 6 });
    assert_eq!(coverage.statement.covered, 0);
    assert!(coverage.statement.total > 0);
}

#[test]
fn a_switch_counts_the_cases_jumped_to_and_its_unwritten_default() {
    let mut bench = Bench::new(SWITCH, "f");
    bench.run(bench.input().param(&int(2)).make(), &[1, 2, 5], RunEnd::Returned, &int(6));
    bench.run(bench.input().param(&int(0)).make(), &[1, 3, 4], RunEnd::Returned, &int(0));
    let suite = bench.write();
    assert_eq!(suite.coverage.function, Share { covered: 1, total: 1 });
    assert_eq!(suite.coverage.switch, Share { covered: 2, total: 3 });
    assert_eq!(suite.shown_by[&2], ["test_f_1"]);
    assert_eq!(suite.shown_by[&1], ["test_f_1", "test_f_2"]);
    assert!(suite.choice.smallest && suite.choice.runs == 2);
}

#[test]
fn an_empty_function_is_entered_by_its_test() {
    let mut bench = Bench::new("void f(void) {}\n", "f");
    bench.returns(bench.input().make(), &[]);
    assert_eq!(bench.write().coverage.function, Share { covered: 1, total: 1 });
}

#[test]
fn a_split_decision_has_a_truth_table_although_llvm_cov_has_no_figure() {
    let mut bench = Bench::new("int f(int a, int b, int c) { return !(a && b) || c; }\n", "f");
    let input = |bench: &Bench, a, b, c| bench.input().param(&int(a)).param(&int(b)).param(&int(c)).make();
    bench.returns(input(&bench, 0, 0, 0), &int(1));
    bench.returns(input(&bench, 1, 1, 0), &int(0));
    let suite = bench.write();
    assert_eq!(suite.coverage.mcdc, Share::default());
    let table = suite.decisions.iter().find(|table| table.text.contains("c")).unwrap();
    assert!(!table.counted);
    let rows: Vec<_> = table.rows.iter().map(|row| (row.values.clone(), row.result)).collect();
    let (t, f) = (Some(true), Some(false));
    assert_eq!(rows, [(vec![f, None, None], true), (vec![t, t, f], false)]);
    assert_eq!(table.conditions[0].pair, Some(["test_f_1".into(), "test_f_2".into()]));
    assert_eq!(table.conditions[1].pair, None);
}
