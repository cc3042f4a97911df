//! Proofs are attacked on the plain program before they are told: a wrong one is withdrawn, a right one survives.

use std::time::Duration;

use crate::c::{Unit, fingerprint, test_with};
use tarka_campaign::{Defects, Options};
use tarka_events::{Cause, Goal, Proof, UnitResult, Verdict};
use tarka_source::Criterion;

/// `abs` of an input loses its label where a promise about its result is kept, and then 77 looks impossible.
const LOST: &str = "#include <stdlib.h>\n";

/// Long enough on a machine with other work: what is asked here is how many runs, not how fast they are.
const ATTACK_TIME: Duration = Duration::from_secs(60);

/// The options under which that loss happens.
fn losing(criterion: Criterion) -> Options {
    let defects = Defects { promises_kept: true, ..Defects::default() };
    Options { criterion, defects, ..patient() }
}

fn patient() -> Options {
    Options { attack_time: ATTACK_TIME, ..Options::default() }
}

fn goal<'r>(result: &'r UnitResult, id: &str) -> &'r Goal {
    let found = result.goals.iter().find(|goal| goal.id == id);
    found.unwrap_or_else(|| panic!("no goal {id} in {:?}", result.goals))
}

fn is_covered(goal: &Goal) -> bool {
    matches!(goal.verdict, Verdict::Covered { .. })
}

#[test]
fn a_wrong_proof_is_refuted_and_its_goal_covered() {
    let text = format!("{LOST}int f(int x) {{ if (abs(x) == 77) return 1; return 0; }}");
    let result = test_with(&text, &losing(Criterion::Branch));
    let wrong = goal(&result, "f:0:1");
    assert!(is_covered(wrong), "{wrong:?}");
    assert!(wrong.attacks > 0 && wrong.refutations == 1, "{wrong:?}");
    let [refuted] = result.refuted.as_slice() else { panic!("{:?}", result.refuted) };
    assert_eq!((refuted.goal.as_str(), refuted.file.as_str()), ("f:0:1", "refuted_f_1.c"));
    assert!(refuted.claim.starts_with("exhausted: "), "{}", refuted.claim);
    let bytes = refuted.run.executed.scenario.objects[0].bytes.as_slice();
    assert_eq!(i32::from_le_bytes(bytes.try_into().expect("an int")).abs(), 77);
    let kept = result.kept_runs.iter().any(|kept| kept.covers.contains(&1));
    assert!(kept, "the run that covers it can become a test");
}

#[test]
fn a_pair_of_evaluations_refutes_as_well() {
    let text = format!("{LOST}int f(int x, int y) {{ if (abs(x) == 77 && y > 3) return 1; return 0; }}");
    let result = test_with(&text, &losing(Criterion::Mcdc));
    for id in ["f:d0:1", "f:d0:c0", "f:d0:c1"] {
        assert!(is_covered(goal(&result, id)), "{:?}", goal(&result, id));
        assert!(result.refuted.iter().any(|refuted| refuted.goal == id), "{id}: {:?}", result.refuted);
    }
}

#[test]
fn what_rests_on_the_same_ground_is_withdrawn_too() {
    let text = format!(
        "{LOST}int f(int x, int a, int b) {{ if (abs(x) == 77) return 1;\n\
         if ((a > 5 && b > 5) || a < 0) {{ if (a == 2) return 1; }} return 0; }}"
    );
    let result = test_with(&text, &losing(Criterion::Branch));
    assert!(is_covered(goal(&result, "f:0:1")));
    let Verdict::Unknown { cause, reason, .. } = &goal(&result, "f:4:1").verdict else {
        panic!("{:?}", goal(&result, "f:4:1"))
    };
    assert_eq!(*cause, Cause::Refuted, "{reason}");
    assert!(reason.starts_with("another proof of this function was refuted"), "{reason}");
}

#[test]
fn right_proofs_survive() {
    let text = "int f(int a, int b) { if ((a > 5 && b > 5) || a < 0) { if (a == 2) return 1; }\n\
                if (b > 9) { if (b < 7) return 2; } return 0; }";
    let result = test_with(text, &patient());
    for (id, expected) in [("f:3:1", Proof::Exhausted), ("f:5:1", Proof::Contradiction)] {
        let goal = goal(&result, id);
        assert!(matches!(goal.verdict, Verdict::Infeasible { proof, .. } if proof == expected), "{goal:?}");
        assert!(goal.attacks > 400 && goal.refutations == 0, "{goal:?}");
    }
    assert_eq!(goal(&result, "f:0:0").attacks, 0, "covered goals are not attacked");
    assert!(result.refuted.is_empty());
}

#[test]
fn what_only_undefined_behaviour_reaches_is_not_called_infeasible() {
    let text = "int f(int a) {\n  int t[4] = {0};\n  t[a] = 1;\n  if (a == 5) return 2;\n  return t[0]; }";
    let result = test_with(text, &patient());
    let goal = goal(&result, "f:0:1");
    let Verdict::Unknown { cause: Cause::Fault, place, reason, .. } = &goal.verdict else {
        panic!("{goal:?}")
    };
    assert_eq!(place.as_ref().map(|place| place.line), Some(3));
    assert!(reason.contains("out-of-bounds"), "{reason}");
    assert!(result.refuted.is_empty(), "nobody made a mistake");
}

#[test]
fn inputs_that_a_precondition_refuses_do_not_count() {
    let text = "#include <assert.h>\nint f(int a) { assert(a > 3); __builtin_assume(a != 8);\n\
                if (a == 2 || a == 8) return 1; return 0; }";
    let result = test_with(text, &patient());
    assert!(result.attack.runs > u64::from(result.goals.iter().map(|goal| goal.attacks).max().unwrap_or(0)));
    for goal in result.goals.iter().filter(|goal| goal.attacks > 0) {
        assert!(matches!(goal.verdict, Verdict::Infeasible { .. }), "{goal:?}");
    }
    assert!(result.refuted.is_empty());
}

/// Pointers to functions and variables, and what pointers hold by themselves, mean the same to the plain program.
#[test]
fn pointers_lead_to_the_same_things_in_the_plain_program() {
    let text = "static int one(void) { return 1; }\nstatic int two(void) { return 2; }\n\
                static int limits[3] = {4, 5, 6};\nstatic int (*chosen)(void) = two;\nstatic int *limit = limits + 1;\n\
                static const char *name = \"tarka\";\n\
                int f(int (*call)(void), int n) {\n\
                  if (call == one) { if (call() != 1) return 1; }\n\
                  if (chosen == two) { if (chosen() != 2) return 2; }\n\
                  if (limit == limits + 1) { if (limit - limits != 1) return 3; }\n\
                  if (n > 2 && n < 1) return 4;\n\
                  return name != 0; }";
    let results = Unit::new(text).test_all(&patient());
    let result = results.iter().find(|result| result.function == "f").expect("f is tested");
    let proved = result.goals.iter().filter(|goal| matches!(goal.verdict, Verdict::Infeasible { .. }));
    let texts: Vec<&str> = proved.map(|goal| goal.text.as_str()).collect();
    assert!(texts.contains(&"n < 1"), "{:?}", result.goals);
    assert!(result.refuted.is_empty(), "{:?}", result.refuted);
    let undefined = |goal: &&Goal| matches!(goal.verdict, Verdict::Unknown { cause: Cause::Fault, .. });
    assert_eq!(result.goals.iter().find(undefined).map(|goal| &goal.text), None);
}

#[test]
fn the_same_seed_attacks_with_the_same_inputs_and_none_is_as_many_as_asked_for() {
    let text =
        "int f(int *p, int n) { if (!p) return 0; if (n > 2 && *p > n && *p < 2) return 1; return *p; }";
    let run = |attacks| test_with(text, &Options { attacks, ..patient() });
    let (first, second, without) = (run(50), run(50), run(0));
    assert_eq!(fingerprint(&first), fingerprint(&second));
    assert_eq!(first.attack.runs, second.attack.runs);
    assert!((1..=50).contains(&first.attack.runs), "{:?}", first.attack);
    assert_eq!(without.attack.runs, 0);
    assert!(without.goals.iter().all(|goal| goal.attacks == 0));
}
