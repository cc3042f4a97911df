//! Proofs are attacked on the plain program before they are told: a wrong one is withdrawn, a right one survives.

mod c;

use c::test_with;
use tarka_campaign::Options;
use tarka_events::{Cause, Goal, UnitResult, Verdict};
use tarka_source::Criterion;

fn goal<'r>(result: &'r UnitResult, text: &str, outcome: u32) -> &'r Goal {
    let end = format!(":{outcome}");
    let found = result.goals.iter().find(|goal| goal.text.contains(text) && goal.id.ends_with(&end));
    found.unwrap_or_else(|| panic!("no goal {text} {outcome} in {:?}", result.goals))
}

#[test]
fn probe_abs() {
    for text in [
        "#include <stdlib.h>\nint f(int x) { if (abs(x) == 77) return 1; return 0; }",
        "int f(int x) { if (x > 5) { if (x < 3) return 1; } return x == 6; }",
        "int f(int a, int *p) { int t[4] = {0}; t[a] = 1; if (a > 10) return 2; return t[0]; }",
        "int f(int a, int b) { if ((a > 5 && b > 5) || a < 0) { if (a == 2 || b == 3) return 1; } return 0; }",
    ] {
        for criterion in [Criterion::Branch, Criterion::Mcdc] {
            let result = test_with(text, &Options { criterion, ..Options::default() });
            println!(
                "{text}\n{:?} {:?} {} runs {:?}",
                result.attack, result.limits, result.runs, result.total_ms
            );
            for goal in &result.goals {
                println!(
                    "  {} {} {:?} {} {}",
                    goal.id, goal.text, goal.verdict, goal.attacks, goal.refutations
                );
            }
            for refuted in &result.refuted {
                println!(
                    "  REFUTED {} {} {:?}",
                    refuted.goal, refuted.claim, refuted.run.input.objects[0].before
                );
            }
        }
    }
}
