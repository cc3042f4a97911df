//! The two faces of a report, from hand-made results.

use std::collections::BTreeMap;

use tarka_events::{
    AttackFigures, Cause, Choice, Concretisation, Fault, FaultKind, FaultSet, Figures, Goal, KeptRun,
    PathSketch, Proof, Refuted, RunEnd, Share, SolverFigures, SolverLayer, Status, TruthCondition, TruthRow,
    TruthTable, UnitResult, UnitSuite, Verdict, WrittenFault, WrittenRefuted, WrittenTest,
};
use tarka_report::{CoveredByRun, GoalCounts, ReportedUnit, Run, build, page};
use tarka_scenario::Executed;
use tarka_source::{DecisionId, Evidence, GoalKind, GoalScope, Place, SiteId};

fn place(line: u32) -> Place {
    Place { file: "unit.c".into(), line, column: 9 }
}

fn goal(outcome: u32, verdict: Verdict) -> Goal {
    Goal {
        id: format!("f:0:{outcome}"),
        what: GoalKind::Outcome { site: SiteId(0), outcome, taken: true },
        callee: None,
        place: place(2),
        kind: "condition".into(),
        text: "a < b && \"<script>\"".into(),
        verdict,
        attacks: 600,
        refutations: outcome,
    }
}

fn unit(status: Status) -> (UnitResult, UnitSuite) {
    let result = UnitResult {
        file: "unit.c".into(),
        function: "f".into(),
        criterion: "branch".into(),
        scope: GoalScope::Unit,
        strategy: "dfs".into(),
        seed: 3,
        has_drawn: false,
        status,
        runs: 12,
        divergences: 1,
        solver: SolverFigures {
            queries: 5,
            sat: 3,
            unsat: 1,
            unknown: 1,
            cached: 0,
            before_runs: vec![(2, 5)],
            ms: 40,
            optimistic: 2,
            optimistic_hits: 1,
            wrong_models: 0,
            layers: vec![SolverLayer { name: "smt".into(), asked: 3, answered: 2, us: 4500 }],
        },
        execute_ms: 50,
        total_ms: 100,
        goals: vec![
            goal(1, Verdict::Covered { run: 2, ms: 7, pair: None }),
            goal(
                0,
                Verdict::Unknown {
                    cause: Cause::Budget,
                    place: None,
                    reason: "the budget ran out".into(),
                    advice: Some("give it more time".into()),
                },
            ),
        ],
        kept_runs: Vec::new(),
        faults: vec![Fault {
            message: "an assertion failed".into(),
            run: 4,
            stack: vec![("f".into(), place(3))],
            ..Fault::new(FaultKind::Assertion, "f".into(), place(3), Executed::default())
        }],
        concretisations: vec![Concretisation {
            place: place(4),
            what: "an argument of `read`".into(),
            count: 9,
        }],
        stubs: Vec::new(),
        named_addresses: Vec::new(),
        calls: Vec::new(),
        paths: PathSketch::default(),
        limits: vec!["depth 4 reached".into()],
        attack: AttackFigures { runs: 600, ms: 90 },
        refuted: vec![Refuted {
            goal: "f:0:1".into(),
            claim: "exhausted: every path was explored (12 runs)".into(),
            file: "refuted_f_1.c".into(),
            run: KeptRun {
                run: 0,
                executed: Executed::default(),
                covers: vec![0],
                evidence: Evidence::default(),
                end: RunEnd::Returned,
            },
        }],
    };
    let suite = UnitSuite {
        tests: vec![WrittenTest {
            name: "test_f_1".into(),
            path: "f/test_f.c".into(),
            inputs: vec![("p".into(), "&node_1".into())],
            setup: vec!["struct node node_1 = {0};".into()],
            run: 2,
            covers: vec![0],
            new_goals: vec![0],
            evidence: Evidence::default(),
        }],
        faults: vec![WrittenFault {
            path: Some("f/fault_f_1.c".into()),
            confirmed: true,
            ..Default::default()
        }],
        refuted: vec![WrittenRefuted {
            path: Some("f/refuted_f_1.c".into()),
            confirmed: true,
            inputs: vec![("n".into(), "77".into())],
        }],
        coverage: figures(),
        shown_by: BTreeMap::from([(0, vec!["test_f_1".into(), "fault_f_1".into()])]),
        decisions: vec![TruthTable {
            place: place(2),
            text: "a < b && c".into(),
            counted: false,
            conditions: vec![
                TruthCondition { text: "a < b".into(), pair: Some(["fault_f_1".into(), "test_f_1".into()]) },
                TruthCondition { text: "c".into(), pair: None },
            ],
            rows: vec![
                TruthRow {
                    values: vec![Some(true), Some(true)],
                    result: true,
                    tests: vec!["fault_f_1".into()],
                },
                TruthRow { values: vec![Some(false), None], result: false, tests: vec!["test_f_1".into()] },
            ],
        }],
        choice: Choice { runs: 5, smallest: true },
        ..UnitSuite::default()
    };
    (result, suite)
}

/// What the tests of the unit cover, the only one of the call.
fn figures() -> Figures {
    Figures {
        statement: Share { covered: 3, total: 4 },
        function: Share { covered: 1, total: 1 },
        ..Figures::default()
    }
}

fn run(without_times: bool) -> Run<'static> {
    Run {
        tool: "tarka 0.1.0",
        command: "tarka gen unit.c",
        seed: 3,
        directory: "..",
        aim: None,
        coverage: figures(),
        looked_for: FaultSet::default(),
        baseline: None,
        silences: &[],
        without_times,
    }
}

#[test]
fn every_field_has_its_value() {
    let (result, suite) = unit(Status::Budget);
    let report = build(
        &run(false),
        &[ReportedUnit { result: &result, suite: &suite, flags: &["-DX".into()], linked: &[] }],
        &BTreeMap::new(),
    );
    insta::assert_snapshot!(serde_json::to_string_pretty(&report).unwrap());
}

#[test]
fn a_condition_that_decides_alone_names_its_two_tests() {
    let (mut result, mut suite) = unit(Status::Complete);
    result.goals[0].what = GoalKind::Independence { decision: DecisionId(0), position: 1 };
    result.goals[0].kind = "mcdc".into();
    suite.pairs.insert(0, ["test_f_1".into(), "test_f_3".into()]);
    let report = build(
        &run(false),
        &[ReportedUnit { result: &result, suite: &suite, flags: &[], linked: &[] }],
        &BTreeMap::new(),
    );
    let goals = &report.units[0].goal_list;
    assert_eq!(goals[0].pair, Some(["test_f_1".to_string(), "test_f_3".to_string()]));
    assert_eq!(goals[0].outcome, "independent");
    assert!(!serde_json::to_string(&goals[1]).unwrap().contains("pair"));
}

#[test]
fn what_was_asked_for_is_said_where_that_is_not_everything() {
    let (result, suite) = unit(Status::Complete);
    let units = [ReportedUnit { result: &result, suite: &suite, flags: &[], linked: &[] }];
    let report = build(&Run { aim: Some("lines 3-4 of a<b.c"), ..run(false) }, &units, &BTreeMap::new());
    assert_eq!(report.units[0].aim.as_deref(), Some("lines 3-4 of a<b.c"));
    assert!(page(&report, &BTreeMap::new()).contains("Only goals asked for: lines 3-4 of a&lt;b.c"));
    let report = build(&run(false), &units, &BTreeMap::new());
    assert!(!serde_json::to_string(&report).unwrap().contains("aim"));
}

/// What two units say of two sides of `g`, which one of them may be: the counts of the report.
fn told_twice(by_one: [Verdict; 2], by_other: [Verdict; 2], other_is_g: bool) -> GoalCounts {
    let of_g = |verdicts: [Verdict; 2], is_g: bool| {
        let (mut result, _) = unit(Status::Budget);
        let callee = (!is_g).then(|| "g".to_string());
        let goals = (0..).zip(verdicts);
        result.goals = goals
            .map(|(outcome, verdict)| Goal {
                callee: callee.clone(),
                id: format!("g:0:{outcome}"),
                ..goal(outcome, verdict)
            })
            .collect();
        result
    };
    let (one, other, suite) = (of_g(by_one, false), of_g(by_other, other_is_g), UnitSuite::default());
    let units = [&one, &other].map(|result| ReportedUnit { result, suite: &suite, flags: &[], linked: &[] });
    build(&run(false), &units, &BTreeMap::new()).goals.expect("some goal is of another function")
}

#[test]
fn a_goal_of_several_units_counts_once_by_what_is_known_best() {
    let covered = || Verdict::Covered { run: 1, ms: 0, pair: None };
    let never = || Verdict::Infeasible { proof: Proof::Exhausted, reason: "every path".into(), advice: None };
    let open = || Verdict::Unknown { cause: Cause::Budget, place: None, reason: "time".into(), advice: None };
    let counts = |counts: GoalCounts| {
        assert_eq!(counts.total, 2);
        [counts.covered, counts.infeasible, counts.infeasible_from_unit, counts.unknown]
    };
    assert_eq!(counts(told_twice([covered(), never()], [never(), covered()], false)), [2, 0, 0, 0]);
    // Nobody tested `g` itself: another caller may come there.
    assert_eq!(counts(told_twice([never(), never()], [never(), open()], false)), [0, 1, 1, 1]);
    // `g` itself was tested: what is proved of it holds, and what is open stays open.
    assert_eq!(counts(told_twice([never(), open()], [open(), never()], true)), [0, 1, 0, 1]);
}

#[test]
fn a_goal_of_another_function_says_whose_it_is_and_that_its_proof_speaks_of_the_unit() {
    let (mut result, suite) = unit(Status::Complete);
    for goal in &mut result.goals {
        goal.callee = Some("g".to_string());
    }
    let reason = "infeasible from f(): every path was explored".to_string();
    result.goals[1].verdict = Verdict::Infeasible { proof: Proof::Exhausted, reason, advice: None };
    let report = build(
        &run(false),
        &[ReportedUnit { result: &result, suite: &suite, flags: &[], linked: &[] }],
        &BTreeMap::new(),
    );
    let unit = &report.units[0];
    assert_eq!(unit.goals_scope.as_deref(), Some("callees"));
    assert!(unit.goal_list.iter().all(|goal| goal.function.as_deref() == Some("g")));
    let statuses: Vec<&str> = unit.goal_list.iter().map(|goal| goal.status.as_str()).collect();
    assert_eq!(statuses[..2], ["covered", "infeasible-from-unit"]);
    assert_eq!(unit.goals.infeasible_from_unit, unit.goals.infeasible);
    assert_eq!(unit.coverage_by_run.as_deref(), Some(&[CoveredByRun { runs: 2, covered: 1 }][..]));
    let page = page(&report, &BTreeMap::new());
    assert!(page.contains("Proved infeasible from f()") && page.contains("In <code>g()</code>"));
}

#[test]
fn times_are_left_out_on_request() {
    let (result, suite) = unit(Status::Complete);
    let report = build(
        &run(true),
        &[ReportedUnit { result: &result, suite: &suite, flags: &[], linked: &[] }],
        &BTreeMap::new(),
    );
    let unit = &report.units[0];
    assert_eq!((unit.total_ms, unit.execute_ms, unit.solver.ms), (0, 0, 0));
    assert_eq!(unit.goal_list[0].first_ms, Some(0));
}

#[test]
fn a_skipped_function_is_an_error_with_its_reason() {
    let (result, suite) = unit(Status::Skipped("it takes a function pointer".into()));
    let report = build(
        &run(false),
        &[ReportedUnit { result: &result, suite: &suite, flags: &[], linked: &[] }],
        &BTreeMap::new(),
    );
    let unit = &report.units[0];
    assert_eq!((unit.status.as_str(), unit.skipped), ("error", true));
    assert_eq!(unit.message, "it takes a function pointer");
}

/// The page of a unit, without its markup's line ends.
fn page_of(result: &UnitResult, suite: &UnitSuite) -> String {
    let report =
        build(&run(false), &[ReportedUnit { result, suite, flags: &[], linked: &[] }], &BTreeMap::new());
    page(&report, &BTreeMap::new()).replace('\n', " ")
}

#[test]
fn the_page_has_a_truth_table_and_the_pair_of_each_condition() {
    let (result, suite) = unit(Status::Budget);
    let html = page_of(&result, &suite);
    let fault = "<a href=\"#test-f:fault_f_1\">fault_f_1</a>";
    let test = "<a href=\"#test-f:test_f_1\">test_f_1</a>";
    for part in [
        format!("<code>a &lt; b</code> <span class=\"quiet\">decides alone: {fault}, {test}</span>"),
        "<code>c</code> <span class=\"quiet\"><span class=\"part\">not shown to decide alone".to_string(),
        "llvm-cov has no MC/DC figure for this decision".to_string(),
        format!(
            "<tr><td class=\"f\">F</td><td class=\"d\">-</td><td class=\"f\">F</td><td class=\"quiet\">{test}</td></tr>"
        ),
    ] {
        assert!(html.contains(&part), "no `{part}` in:\n{html}");
    }
    for target in ["id=\"test-f:fault_f_1\"", "id=\"test-f:test_f_1\""] {
        assert_eq!(html.matches(target).count(), 1, "{target}");
    }
}

#[test]
fn the_page_says_why_and_what_to_do() {
    let (mut result, suite) = unit(Status::Budget);
    result.goals.push(goal(
        2,
        Verdict::Infeasible {
            proof: Proof::Contradiction,
            reason: "x < 0 and x > 9 exclude each other".into(),
            advice: None,
        },
    ));
    let html = page_of(&result, &suite);
    for part in [
        "<h3>Not covered (1)</h3>",
        "<span class=\"tag unknown\">budget</span>",
        "the budget ran out",
        "→ give it more time",
        "<h3>Proved infeasible (1)</h3>",
        "<span class=\"tag infeasible\">contradiction</span>",
        "x &lt; 0 and x &gt; 9 exclude each other",
        "1 of the 5 runs that can be a test: no smaller choice",
        "<span class=\"part\">3/4</span>",
    ] {
        assert!(html.contains(part), "no `{part}` in:\n{html}");
    }
}

#[test]
fn what_only_fault_programs_show_is_a_figure_of_its_own() {
    let (result, mut suite) = unit(Status::Budget);
    suite.by_faults_only.insert(1);
    suite.shown_by.insert(1, vec!["fault_f_1".into()]);
    let units = [ReportedUnit { result: &result, suite: &suite, flags: &[], linked: &[] }];
    let report = build(&run(false), &units, &BTreeMap::new());
    let goals = &report.units[0].goals;
    let counts = [goals.total, goals.covered, goals.infeasible, goals.unknown, goals.covered_by_faults_only];
    assert_eq!(counts, [2, 1, 0, 1, 1]);
    let goal = &report.units[0].goal_list[1];
    assert_eq!((goal.status.as_str(), goal.covered_by_faults_only), ("unknown", true));
    assert_eq!(goal.tests, ["fault_f_1"]);
    let html = page_of(&result, &suite);
    assert!(html.contains("<h3>Shown only by fault programs (1)</h3>"), "{html}");
    assert!(html.contains("<span class=\"tag budget\">budget</span>"), "{html}");
    assert!(!html.contains("<h3>Not covered"), "{html}");
    assert!(
        html.contains("data-label=\"Only by faults\" data-value=\"1\"><span class=\"\">1</span>"),
        "{html}"
    );
}

#[test]
fn a_unit_whose_goals_are_open_for_another_reason_is_not_out_of_budget() {
    let (mut result, suite) = unit(Status::Budget);
    if let Verdict::Unknown { cause, .. } = &mut result.goals[1].verdict {
        *cause = Cause::Environment;
    }
    let html = page_of(&result, &suite);
    assert!(html.contains("<span class=\"tag open\">open</span>"), "{html}");
    assert!(!html.contains("budget</span>"), "{html}");
}

#[test]
fn the_page_fetches_nothing_and_escapes_what_the_source_says() {
    let (mut result, mut suite) = unit(Status::Budget);
    let hostile = "</script><script>alert('\u{2028}')</script><!--";
    result.faults[0].message = hostile.into();
    result.limits.push(hostile.into());
    result.function = "<b>f".into();
    suite.tests[0].inputs[0].1 = hostile.into();
    suite.tests[0].path = "\"><script>.c".into();
    let text = format!("int f()\n{{ if (a < b)\n assert(0); // {hostile}\n}}\n");
    let sources = BTreeMap::from([("unit.c".to_string(), text)]);
    let units = [ReportedUnit { result: &result, suite: &suite, flags: &[], linked: &[] }];
    let report = build(&run(false), &units, &sources);
    let html = page(&report, &sources);
    for banned in [
        "http:",
        "https:",
        "@import",
        "url(",
        "src=",
        "<script>alert",
        "<b>f",
        "<!--",
        "alert('\u{2028}')</script>",
    ] {
        assert!(!html.contains(banned), "{banned} in the page");
    }
    // Three of our own: the data, and two with what the page does.
    assert_eq!((html.matches("<script").count(), html.matches("</script>").count()), (3, 3));
    for part in [
        "&lt;script&gt;",
        "if (a &lt; b)",
        "▸    3   assert(0);",
        "f/fault_f_1.c",
        "the budget ran out",
        "9×",
    ] {
        assert!(html.contains(part), "no `{part}` in:\n{html}");
    }
    for element in ["section", "details", "article", "noscript", "div", "span"] {
        let (opened, closed) =
            (html.matches(&format!("<{element}")).count(), html.matches(&format!("</{element}>")).count());
        assert_eq!(opened, closed, "{element}");
    }
}

#[test]
fn the_data_of_the_page_is_json_with_everything_in_place() {
    let (mut result, suite) = unit(Status::Budget);
    result.goals[0].place.column = 8; // behind two characters of two bytes, or of two units
    result.calls = vec!["f".into(), "elsewhere".into()];
    let sources = BTreeMap::from([(
        "unit.c".to_string(),
        "int f()\n{é 𝄞 if (a < b) </script>\n}\n\nint g;\n".to_string(),
    )]);
    let units = [ReportedUnit { result: &result, suite: &suite, flags: &[], linked: &[] }];
    let html = page(&build(&run(false), &units, &sources), &sources);
    let (_, data) = html.split_once("type=\"application/json\">").expect("the data");
    let (data, _) = data.split_once("</script>").expect("its end");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    let function = &data["units"][0];
    assert_eq!(
        data["files"][0]["parts"],
        serde_json::json!([[1, ["int f()", "{é 𝄞 if (a < b) </script>", "}"]]])
    );
    assert_eq!(function["ranges"], serde_json::json!([[0, 1, 3]]));
    assert_eq!(function["calls"], serde_json::json!([0, "elsewhere"]));
    let goal = &function["goals"][0];
    assert_eq!((&goal["id"], &goal["l"], &goal["s"]), (&"goal-f:0:1".into(), &2.into(), &0.into()));
    assert_eq!(goal["tests"], serde_json::json!([0, 1]));
    assert_eq!(function["shown"], serde_json::json!(["test_f_1", "fault_f_1"]));
}

#[test]
fn functions_of_one_name_have_addresses_of_their_own() {
    let (one, suite) = unit(Status::Complete);
    let mut other = one.clone();
    other.file = "src/other.c".into();
    let units =
        [&one, &other, &other].map(|result| ReportedUnit { result, suite: &suite, flags: &[], linked: &[] });
    let html = page(&build(&run(false), &units, &BTreeMap::new()), &BTreeMap::new());
    for id in ["id=\"fn-f\"", "id=\"fn-f.other\"", "id=\"fn-f.other.2\"", "id=\"goal-f.other:0:1\""] {
        assert_eq!(html.matches(id).count(), 1, "{id}");
    }
}
