//! A made-up report of many functions: 20 files of ten, each function with 25 conditions, a decision of eleven, calls, faults and a
//! path tree as large as they get.

use std::collections::BTreeMap;

use tarka_events::{
    AttackFigures, Cause, Choice, Fault, FaultClass, FaultKind, FaultSet, FaultStep, Figures, Goal, Need,
    PathSketch, Proof, SKETCH_NODES, Share, SketchEnd, SketchNode, SketchSite, SketchWay, SolverFigures,
    Status, TruthCondition, TruthRow, TruthTable, UnitResult, UnitSuite, Verdict, WrittenFault, WrittenTest,
};
use tarka_report::{ReportedUnit, Run, build, page};
use tarka_scenario::Executed;
use tarka_source::{Evidence, GoalKind, GoalScope, Place, SiteId};

pub const FUNCTIONS: u32 = 200;
const PER_FILE: u32 = 10;
const CONDITIONS: u32 = 25;
/// Lines of a function, the empty one behind it included.
const LINES: u32 = CONDITIONS + 5;

/// The page of as many functions.
pub fn page_of(functions: u32) -> String {
    let all: Vec<(UnitResult, UnitSuite)> =
        (0..functions).map(|number| (result(number), suite(number))).collect();
    let units: Vec<ReportedUnit> =
        all.iter().map(|(result, suite)| ReportedUnit { result, suite, flags: &[], linked: &[] }).collect();
    let run = Run {
        tool: "tarka 0.1.0",
        command: "tarka gen src",
        seed: 1,
        directory: "..",
        aim: None,
        looked_for: FaultSet::default(),
        coverage: Figures::default(),
        baseline: None,
        silences: &[],
        without_times: true,
    };
    let files = (0..functions.div_ceil(PER_FILE)).map(|number| (file(number * PER_FILE), text(number)));
    let sources: BTreeMap<String, String> = files.collect();
    page(&build(&run, &units, &sources), &sources)
}

pub fn name(number: u32) -> String {
    format!("function_{number:03}")
}

fn file(function: u32) -> String {
    format!("src/part_{:02}.c", function / PER_FILE)
}

fn text(file: u32) -> String {
    let function = |at: u32| {
        let number = file * PER_FILE + at;
        let tests: String = (0..CONDITIONS)
            .map(|i| format!("    if (a[{i}] < b[{i}] /* <script>alert({i})</script> */)\n"))
            .collect();
        format!(
            "int {}(const int *a, const int *b)\n{{\n{tests}        return 1;\n    return 0;\n}}\n",
            name(number)
        )
    };
    (0..PER_FILE).map(function).collect()
}

/// Line of a condition of a function.
fn line(number: u32, condition: u32) -> u32 {
    (number % PER_FILE) * LINES + 3 + condition
}

fn at(number: u32, condition: u32) -> Place {
    Place { file: file(number), line: line(number, condition), column: 9 }
}

fn goal(number: u32, condition: u32, outcome: u32) -> Goal {
    let verdict = match (condition, number % 4) {
        (24, 1) if outcome == 0 => Verdict::Unknown {
            cause: Cause::Budget,
            place: None,
            reason: "the runs ended with 7 untried ways that may lead here".into(),
            advice: Some("give it more runs: -n".into()),
        },
        (23, 2) if outcome == 1 => Verdict::Infeasible {
            proof: Proof::Contradiction,
            reason: "a[3] < 0 and a[3] > 9 exclude each other".into(),
            advice: None,
        },
        (22, 3) if outcome == 1 => Verdict::Unknown {
            cause: Cause::Fault,
            place: None,
            reason: "only fault programs show it".into(),
            advice: None,
        },
        _ => Verdict::Covered { run: u64::from(condition * 3 + outcome + 1), ms: 0, pair: None },
    };
    Goal {
        callee: None,
        id: format!("{}:{condition}:{outcome}", name(number)),
        what: GoalKind::Outcome { site: SiteId(condition), outcome, taken: true },
        place: at(number, condition),
        kind: "condition".into(),
        text: format!("a[{condition}] < b[{condition}]"),
        verdict,
        attacks: 600,
        refutations: 0,
    }
}

fn fault(number: u32) -> Fault {
    let step = |condition: u32| FaultStep {
        place: at(number, condition),
        text: format!("a[{condition}] < b[{condition}]"),
        outcome: "true".into(),
        times: 1 + condition,
    };
    let (class, need) = match number % 3 {
        0 => (FaultClass::Bug, None),
        1 => (FaultClass::Unchecked, None),
        _ => (
            FaultClass::Contract,
            Some(Need { words: "needs a != NULL".into(), expression: Some("a != NULL".into()) }),
        ),
    };
    Fault {
        run: 4,
        history: (0..5).map(step).collect(),
        class,
        why: "b[7] is not looked at".into(),
        need,
        ..Fault::new(FaultKind::NullDereference, name(number), at(number, 7), Executed::default())
    }
}

/// As many decisions as a sketch has: each way on leads to one further, or ends.
fn paths(number: u32) -> PathSketch {
    let most = SKETCH_NODES as u32;
    let end = |child: u32, or: SketchEnd| if child < most { SketchEnd::Node(child) } else { or };
    let way = |outcome: &str, to| SketchWay { outcome: outcome.into(), to };
    let node = |index: u32| SketchNode {
        site: index.ilog2().min(CONDITIONS - 1),
        ways: vec![
            way("true", end(2 * index, SketchEnd::Untried)),
            way("false", end(2 * index + 1, SketchEnd::End)),
        ],
    };
    let site = |condition: u32| SketchSite {
        place: Some(at(number, condition)),
        text: format!("a[{condition}] < b[{condition}]"),
    };
    let root = SketchNode { site: 0, ways: vec![way("true", SketchEnd::Node(1))] };
    PathSketch {
        sites: (0..CONDITIONS).map(site).collect(),
        nodes: std::iter::once(root).chain((1..most).map(node)).collect(),
        roots: vec![0],
        left_out: 1000,
    }
}

fn result(number: u32) -> UnitResult {
    let goals = (0..CONDITIONS).flat_map(|condition| [1, 0].map(|outcome| goal(number, condition, outcome)));
    UnitResult {
        file: file(number),
        function: name(number),
        criterion: "branch".into(),
        scope: GoalScope::Unit,
        strategy: "auto".into(),
        seed: 1,
        has_drawn: false,
        status: if number % 4 == 1 || number % 4 == 3 { Status::Budget } else { Status::Complete },
        runs: 100 + u64::from(number),
        divergences: 0,
        solver: SolverFigures::default(),
        execute_ms: 0,
        total_ms: 0,
        goals: goals.collect(),
        kept_runs: Vec::new(),
        faults: if number.is_multiple_of(5) { vec![fault(number)] } else { Vec::new() },
        concretisations: Vec::new(),
        limits: Vec::new(),
        attack: AttackFigures::default(),
        refuted: Vec::new(),
        stubs: Vec::new(),
        named_addresses: Vec::new(),
        calls: if number + 1 < FUNCTIONS && number % PER_FILE < 6 {
            vec![name(number + 1)]
        } else {
            Vec::new()
        },
        paths: paths(number),
    }
}

fn suite(number: u32) -> UnitSuite {
    let test = |index: u32| WrittenTest {
        name: format!("test_{}_{index}", name(number)),
        path: format!("{0}/test_{0}.c", name(number)),
        inputs: vec![("a".into(), format!("(int[]){{{index}}}")), ("b".into(), "NULL".into())],
        setup: Vec::new(),
        run: u64::from(index),
        covers: vec![index],
        new_goals: vec![index, index + 10],
        evidence: Evidence::default(),
    };
    let condition = |index: usize| TruthCondition {
        text: format!("c{index} && \"<b>\""),
        pair: index
            .is_multiple_of(2)
            .then(|| [format!("test_{}_1", name(number)), format!("test_{}_2", name(number))]),
    };
    let row = |index: usize| TruthRow {
        values: (0..11).map(|at| (at <= index).then_some(at < index)).collect(),
        result: index == 10,
        tests: (1..9).map(|test| format!("test_{}_{test}", name(number))).collect(),
    };
    let all = 2 * CONDITIONS;
    UnitSuite {
        tests: (1..9).map(test).collect(),
        faults: vec![WrittenFault {
            path: Some(format!("{0}/fault_{0}_1.c", name(number))),
            confirmed: true,
            shown: "The sanitizers report it.".into(),
            ..WrittenFault::default()
        }],
        coverage: Figures {
            branch: Share {
                covered: u64::from(all - u32::from(!number.is_multiple_of(4))),
                total: all.into(),
            },
            function: Share { covered: 1, total: 1 },
            ..Figures::default()
        },
        shown_by: (0..all)
            .map(|goal| (goal, (1..9).map(|test| format!("test_{}_{test}", name(number))).collect()))
            .collect(),
        by_faults_only: if number % 4 == 3 { [44].into() } else { Default::default() },
        decisions: vec![TruthTable {
            place: at(number, 3),
            text: "a[3] < b[3]".into(),
            counted: true,
            conditions: (0..11).map(condition).collect(),
            rows: (0..11).map(row).collect(),
        }],
        choice: Choice { runs: 30, smallest: true },
        ..UnitSuite::default()
    }
}
