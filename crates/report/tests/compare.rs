//! A comparison of hand-made trials, every figure worked out by hand.

use tarka_events::{AttackFigures, Cause, Goal, PathSketch, SolverFigures, Status, UnitResult, Verdict};
use tarka_report::compare::{CompareRun, Comparison, compare, compare_page, difference_words, unit_table};
use tarka_source::{GoalKind, GoalScope, Place, SiteId};

/// A trial in which these runs covered the goals first; 0: never covered.
fn trial(seed: u64, runs: u64, first_runs: [u64; 4]) -> UnitResult {
    let goal = |(index, &run): (usize, &u64)| Goal {
        id: format!("f:{index}:1"),
        what: GoalKind::Outcome { site: SiteId(index as u32), outcome: 1, taken: true },
        callee: None,
        place: Place { file: "unit.c".into(), line: index as u32 + 1, column: 5 },
        kind: "condition".into(),
        text: format!("a < {index}"),
        verdict: match run {
            0 => Verdict::Unknown {
                cause: Cause::Budget,
                place: None,
                reason: "the budget ran out".into(),
                advice: None,
            },
            run => Verdict::Covered { run, ms: 1, pair: None },
        },
        attacks: 0,
        refutations: 0,
    };
    UnitResult {
        file: "unit.c".into(),
        function: "f".into(),
        criterion: "branch".into(),
        scope: GoalScope::Unit,
        strategy: String::new(),
        seed,
        has_drawn: false,
        status: if first_runs.contains(&0) { Status::Budget } else { Status::Complete },
        runs,
        divergences: 0,
        solver: SolverFigures {
            queries: runs * 2,
            before_runs: first_runs.iter().map(|&run| (run, run * 2 - run.min(1))).collect(),
            ..SolverFigures::default()
        },
        execute_ms: 0,
        total_ms: runs * 10,
        goals: first_runs.iter().enumerate().map(goal).collect(),
        kept_runs: Vec::new(),
        faults: Vec::new(),
        concretisations: Vec::new(),
        limits: Vec::new(),
        attack: AttackFigures::default(),
        refuted: Vec::new(),
        stubs: Vec::new(),
        named_addresses: Vec::new(),
        calls: Vec::new(),
        paths: PathSketch::default(),
    }
}

/// `quick` covers three goals in both trials and the fourth in one; `slow` two, one of them late.
fn compared(without_times: bool) -> Comparison {
    let strategies = ["quick", "slow"].map(String::from);
    let run = CompareRun {
        tool: "tarka",
        command: "tarka compare",
        criterion: "branch",
        strategies: &strategies,
        seed: 1,
        repeat: 2,
        runs: 200,
        seconds: Some(1.0),
        without_times,
    };
    let trials = vec![
        trial(1, 30, [1, 1, 5, 30]),
        trial(2, 200, [1, 3, 7, 0]),
        trial(1, 200, [1, 150, 0, 0]),
        trial(2, 200, [1, 20, 0, 0]),
    ];
    compare(&run, &[trials])
}

#[test]
fn goals_and_their_deviation() {
    let comparison = compared(false);
    let unit = &comparison.units[0];
    assert_eq!((unit.goals, unit.common, unit.most, unit.best.as_str()), (4, 2, 4, "quick"));
    let (quick, slow) = (&unit.strategies[0], &unit.strategies[1]);
    assert_eq!((quick.covered.mean, quick.covered.least, quick.covered.most), (3.5, 3.0, 4.0));
    assert_eq!(quick.covered.deviation, Some(0.707), "the square root of a half");
    assert_eq!(slow.covered.deviation, Some(0.0));
    // At 100 runs: 4 and 3 against 1 and 2. 1000 and 4000 are beyond the trials.
    assert_eq!(quick.goals_at.len(), 1);
    assert_eq!((quick.goals_at[0].goals.mean, slow.goals_at[0].goals.mean), (3.5, 1.5));
}

#[test]
fn runs_to_a_coverage() {
    let comparison = compared(false);
    let [quick, slow] = comparison.units[0].strategies.as_slice() else { panic!("two strategies") };
    let to = |index: usize| {
        let of = |figures: &tarka_report::compare::Figures| {
            let to = &figures.runs_to[index];
            (to.reached, to.runs.map(|runs| runs.mean))
        };
        (quick.runs_to[index].name.clone(), quick.runs_to[index].goals, of(quick), of(slow))
    };
    assert_eq!(to(0), ("common".into(), 2, (2, Some(2.0)), (2, Some(85.0))));
    assert_eq!(to(1), ("50%".into(), 2, (2, Some(2.0)), (2, Some(85.0))));
    assert_eq!(to(2), ("90%".into(), 4, (1, Some(30.0)), (0, None)), "3.6 goals are 4");
    assert_eq!(to(3), ("100%".into(), 4, (1, Some(30.0)), (0, None)));
    assert_eq!(quick.runs_to_last.mean, 18.5);
}

#[test]
fn two_against_two_is_never_more_than_a_third_of_evidence() {
    let comparison = compared(false);
    let [quick, slow] = comparison.units[0].strategies.as_slice() else { panic!("two strategies") };
    assert_eq!((quick.covered_p, quick.runs_p), (None, None), "the best is not compared with itself");
    // Two of the six ways to deal four ranks out are this far apart.
    assert!((slow.covered_p.unwrap() - 1.0 / 3.0).abs() < 1e-9);
    assert!((slow.runs_p.unwrap() - 1.0 / 3.0).abs() < 1e-9);
}

#[test]
fn who_covered_what() {
    let comparison = compared(false);
    let unit = &comparison.units[0];
    assert_eq!(unit.strategies[0].only, ["f:2:1", "f:3:1"]);
    assert_eq!(unit.strategies[1].missed, ["f:2:1", "f:3:1"]);
    assert!(unit.strategies[0].missed.is_empty() && unit.strategies[1].only.is_empty());
    assert_eq!(
        unit.goal_list.iter().map(|goal| goal.covered.clone()).collect::<Vec<_>>(),
        [[2, 2], [2, 2], [2, 0], [1, 0]]
    );
    assert_eq!(
        difference_words(&comparison, unit),
        [
            ("unit.c:3: `a < 2` is true".to_string(), "only quick".to_string()),
            ("unit.c:4: `a < 3` is true".to_string(), "only quick (1/2)".to_string())
        ]
    );
}

#[test]
fn questions_up_to_each_goal_in_each_trial() {
    let comparison = compared(false);
    let queries: Vec<_> = comparison.units[0].goal_list.iter().map(|goal| goal.queries.clone()).collect();
    assert_eq!(queries[1], [[Some(1), Some(5)], [Some(299), Some(39)]]);
    assert_eq!(queries[3], [[Some(59), None], [None, None]]);
}

#[test]
fn the_curve_is_the_mean_after_each_run_that_changes_it() {
    let comparison = compared(false);
    let curves: Vec<_> = comparison.units[0].strategies.iter().map(|figures| figures.curve.clone()).collect();
    assert_eq!(curves[0], [(1, 1.5), (3, 2.0), (5, 2.5), (7, 3.0), (30, 3.5)]);
    assert_eq!(curves[1], [(1, 1.0), (20, 1.5), (150, 2.0)]);
}

#[test]
fn the_table_says_it_in_words() {
    let comparison = compared(false);
    let table = unit_table(&comparison, &comparison.units[0]);
    assert_eq!(
        table.header.join("|"),
        "strategy|goals|p goals|at 100|runs to 2|p runs|50% (2)|90% (4)|100% (4)|only|missed|queries|time"
    );
    assert_eq!(
        table.rows[0].join("|"),
        "quick|3.5 ± 0.7|best|3.5|2 ± 1.4|best|2|30 (1/2)|30 (1/2)|2|0|230|1.15 s"
    );
    assert_eq!(table.rows[1].join("|"), "slow|2|0.333|1.5|85 ± 91.9|0.333|85|-|-|0|2|400|2.00 s");
    let table = unit_table(&compared(true), &compared(true).units[0]);
    assert_eq!(table.header.last().map(String::as_str), Some("queries"), "no times, no column");
}

#[test]
fn a_trial_out_of_time_is_told_from_one_out_of_runs() {
    assert_eq!(compared(false).units[0].timed_out, 0, "all had their 200 runs, or every goal");
    let strategies = ["quick", "slow"].map(String::from);
    let run = CompareRun {
        tool: "tarka",
        command: "tarka compare",
        criterion: "branch",
        strategies: &strategies,
        seed: 1,
        repeat: 1,
        runs: 1000,
        seconds: Some(1.0),
        without_times: true,
    };
    let comparison = compare(&run, &[vec![trial(1, 100, [1, 0, 0, 0]), trial(1, 100, [1, 2, 3, 4])]]);
    assert_eq!(comparison.units[0].timed_out, 1, "the second has nothing open");
    assert_eq!(comparison.units[0].strategies[0].covered.deviation, None, "one trial has no spread");
}

#[test]
fn a_unit_that_could_not_be_tested_is_not_compared() {
    let strategies = ["quick", "slow"].map(String::from);
    let run = CompareRun {
        tool: "tarka",
        command: "tarka compare",
        criterion: "branch",
        strategies: &strategies,
        seed: 1,
        repeat: 1,
        runs: 10,
        seconds: None,
        without_times: false,
    };
    let mut failed = trial(1, 0, [0; 4]);
    failed.status = Status::Error("it <failed>".into());
    let comparison = compare(&run, &[vec![failed, trial(1, 10, [1, 2, 3, 4])]]);
    assert_eq!(comparison.units[0].message, "it <failed>");
    assert_eq!((comparison.total[0].covered, comparison.total[0].first_on), (0.0, 0));
    assert!(compare_page(&comparison).contains("it &lt;failed&gt;"));
}

#[test]
fn the_page_fetches_nothing_and_has_a_line_for_each_strategy() {
    let page = compare_page(&compared(false));
    for banned in ["http", "<script", "@import", "url("] {
        assert!(!page.contains(banned), "{banned} in the page");
    }
    assert_eq!(page.matches("<path class=\"curve ").count(), 2);
    assert!(page.contains("<title>quick</title>") && page.contains("color-scheme: light dark"));
    insta::assert_snapshot!(page);
}
