//! Runs that only the sanitizers stop, where it takes two of them to show that a condition decides alone: what is claimed
//! is what the files that remain show, no more and no less.

use crate::unit::Bench;
use tarka_events::{Cause, Goal, RunEnd, Share, Status, TruthRow, Verdict};
use tarka_source::{EvaluationKey, GoalKind};

fn int(value: i32) -> [u8; 4] {
    value.to_le_bytes()
}

/// Asks for nothing but that the conditions of the only `&&` or `||` decide alone.
fn asks_for_pairs(source: &str) -> Bench {
    let mut bench = Bench::new(source, "f");
    let decision = bench.model.decisions.iter().find(|decision| decision.mcdc).unwrap();
    let goal = |position: u32| Goal {
        id: format!("f:d0:c{position}"),
        what: GoalKind::Independence { decision: decision.id, position },
        callee: None,
        place: decision.place.clone(),
        kind: "mcdc".into(),
        text: format!("condition {position}"),
        verdict: Verdict::Covered { run: 1, ms: 1, pair: Some([1, u64::from(3 - position)]) },
        attacks: 0,
        refutations: 0,
    };
    let goals = (0..decision.conditions.len() as u32).map(goal).collect();
    bench.unit.goals = goals;
    bench
}

/// A run that returned and evaluated the decision in one way.
fn evaluates(bench: &mut Bench, parameters: [i32; 3], conditions: [Option<bool>; 2], result: bool) {
    let input = parameters.iter().fold(bench.input(), |input, value| input.param(&int(*value))).make();
    let decision = bench.model.decisions.iter().find(|decision| decision.mcdc).unwrap().id;
    let [a, b, x] = parameters;
    let wrapped = if a > 0 && b > 0 { x.wrapping_add(1) } else { x.wrapping_sub(1) };
    bench.run(input, &[], RunEnd::Returned, &int(wrapped));
    let evaluation = EvaluationKey::of_conditions(decision, &conditions, result);
    bench.unit.kept_runs.last_mut().unwrap().evidence.evaluations.insert(evaluation);
}

#[test]
fn two_stopped_runs_show_together_what_neither_shows_alone() {
    let mut bench = asks_for_pairs(
        "int f(int a, int b, int x)\n{\n    if (a > 0 && b > 0)\n        return x + 1;\n    return x - 1;\n}\n",
    );
    evaluates(&mut bench, [1, 1, i32::MAX], [Some(true), Some(true)], true);
    evaluates(&mut bench, [1, 0, i32::MIN], [Some(true), Some(false)], false);
    let suite = bench.write();
    assert!(suite.tests.is_empty(), "the sanitizers stop both");
    assert_eq!(suite.faults.iter().filter(|fault| fault.confirmed).count(), 2);
    let pair = ["fault_f_1".to_string(), "fault_f_2".to_string()];
    assert_eq!(suite.pairs.into_iter().collect::<Vec<_>>(), [(1, pair.clone())]);
    assert_eq!(suite.shown_by.into_iter().collect::<Vec<_>>(), [(1, pair.to_vec())]);
    assert_eq!(suite.by_faults_only.into_iter().collect::<Vec<_>>(), [1]);
    assert_eq!(suite.coverage.mcdc, Share { covered: 0, total: 2 }, "no test shows anything");
    assert_eq!(suite.coverage.function, Share { covered: 0, total: 1 });
    assert_eq!(suite.coverage.switch, Share { covered: 0, total: 0 });
    let row = |second: bool, test: &str| TruthRow {
        values: vec![Some(true), Some(second)],
        result: second,
        tests: vec![test.into()],
    };
    assert_eq!(suite.decisions[0].rows, [row(true, "fault_f_1"), row(false, "fault_f_2")]);
    assert_eq!(suite.decisions[0].conditions[0].pair, None);
    assert!(matches!(bench.unit.goals[0].verdict, Verdict::Unknown { .. }));
    let Verdict::Unknown { cause: Cause::Fault, place: Some(_), reason, advice: Some(_) } =
        &bench.unit.goals[1].verdict
    else {
        panic!("{:?}", bench.unit.goals[1].verdict)
    };
    let told = "only fault programs show it (fault_f_1, fault_f_2, signed-overflow at ";
    assert!(reason.starts_with(told), "{reason}");
    assert_eq!(bench.unit.status, Status::Budget);
}

#[test]
fn of_two_runs_that_end_in_the_same_fault_only_one_has_a_file_and_nothing_more_is_claimed() {
    let mut bench = asks_for_pairs(
        "int f(int a, int b, int x)\n{\n    int up = a > 0 && b > 0 ? 1 : -1;\n    return x + up;\n}\n",
    );
    evaluates(&mut bench, [1, 1, i32::MAX], [Some(true), Some(true)], true);
    evaluates(&mut bench, [1, 0, i32::MIN], [Some(true), Some(false)], false);
    // This one passes.
    evaluates(&mut bench, [0, 1, 5], [Some(false), None], false);
    let suite = bench.write();
    assert_eq!(suite.tests.len(), 1);
    assert_eq!(suite.faults.len(), 1, "one fault, one file");
    assert_eq!(suite.pairs.into_iter().collect::<Vec<_>>(), [(0, ["fault_f_1".into(), "test_f_1".into()])]);
    assert_eq!(suite.by_faults_only.into_iter().collect::<Vec<_>>(), [0], "a test and a fault program");
    assert_eq!(suite.coverage.mcdc, Share { covered: 0, total: 2 });
    let reason = match &bench.unit.goals[1].verdict {
        Verdict::Unknown { reason, .. } => reason.clone(),
        verdict => panic!("{verdict:?}"),
    };
    assert!(reason.starts_with("reached, but the sanitizers stop every test"), "{reason}");
    assert_eq!(bench.unit.status, Status::Budget);
    bench.judge();
}
