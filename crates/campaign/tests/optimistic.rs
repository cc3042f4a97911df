//! Optimistic solving, end to end, with a solver that knows nothing as soon as there is a path to keep.

use crate::c::{covered, test_with};
use tarka_campaign::Options;
use tarka_events::{UnitResult, Verdict};
use tarka_solver::{Answer, Figures, Query, Reason, Solver};
use tarka_terms::Terms;

struct PathsAreHard(Box<dyn Solver + Send>);

impl Solver for PathsAreHard {
    fn solve(&mut self, terms: &mut Terms, query: &Query) -> Answer {
        if query.prefix.is_empty() { self.0.solve(terms, query) } else { Answer::Unknown(Reason::TimeLimit) }
    }

    fn figures(&self) -> Figures {
        self.0.figures()
    }
}

fn paths_are_hard() -> Box<dyn Solver + Send> {
    Box::new(PathsAreHard(tarka_solver::standard()))
}

fn is_covered(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Covered { .. })
}

fn tested(text: &str, optimistic: bool) -> UnitResult {
    test_with(text, &Options { solver: paths_are_hard, optimistic, ..Options::default() })
}

#[test]
fn a_branch_alone_is_enough_where_the_path_does_not_matter() {
    let text = "int f(int a, int b) { int n = 0; if (a > 5) n = 1; if (b == 77) n = 2; return n; }";
    let (without, with) = (tested(text, false), tested(text, true));
    assert_eq!(covered(&without), (3, 4));
    assert_eq!(without.solver.optimistic, 0);
    assert_eq!(covered(&with), (4, 4));
    assert!(with.solver.optimistic_hits >= 1);
    assert_eq!(with.divergences, 0, "to go elsewhere breaks no promise");
}

#[test]
fn an_optimistic_input_that_misses_leaves_the_goal_open_with_the_reason() {
    // What decides the second condition is computed by a loop, so that nobody proves it impossible.
    let text = "int f(int a) {\n  int sum = 0;\n  if (a <= 50) return 0;\n  for (int i = 0; i < 3; i++) sum += a / 3;\n  if (sum == 6) return 1;\n  return 2;\n}";
    let result = tested(text, true);
    assert_eq!(covered(&result), (5, 6));
    assert!(result.solver.optimistic >= 1);
    assert_eq!(result.solver.optimistic_hits, 0);
    let open: Vec<&Verdict> =
        result.goals.iter().map(|goal| &goal.verdict).filter(|verdict| !is_covered(verdict)).collect();
    let [Verdict::Unknown { cause, reason, .. }] = open[..] else { panic!("{open:?}") };
    assert_eq!((cause.name(), reason.contains("time limit")), ("solver", true), "{reason}");
}
