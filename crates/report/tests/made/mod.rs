//! Hand-made results with faults of every shape.

use std::collections::BTreeMap;

use tarka_events::{
    AttackFigures, Fault, FaultClass, FaultKind, FaultSet, FaultStep, Figures, Need, PathSketch,
    SolverFigures, Status, UnitResult, UnitSuite, WrittenFault,
};
use tarka_report::{Baseline, Report, ReportedUnit, Run, build};
use tarka_scenario::Executed;
use tarka_source::{GoalScope, Place};

/// The unit that the faults are in.
pub const SOURCE: &str = "\
#include <stdlib.h>

static int helper(int *p)
{
    return *p;
}

int parse(int *p, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++) {
        if (n > 5 && \"{0}\"[0])
            total += helper(p) / (n - 7);
    }
    int *q = malloc(4);
    free(q);
    return total + *q;
}
";

pub fn sources(text: &str) -> BTreeMap<String, String> {
    BTreeMap::from([("src/unit.c".to_string(), text.to_string())])
}

pub fn at(line: u32, column: u32) -> Place {
    Place { file: "src/unit.c".into(), line, column }
}

/// The line that holds `part`, from 1.
pub fn line_of(text: &str, part: &str) -> u32 {
    text.lines().position(|line| line.contains(part)).expect("a line with it") as u32 + 1
}

/// A bug at the place of `part` in `parse`.
pub fn fault(text: &str, kind: FaultKind, part: &str) -> Fault {
    let line = line_of(text, part);
    let column =
        text.lines().nth(line as usize - 1).and_then(|line| line.find(part)).expect("part") as u32 + 1;
    Fault {
        run: 4,
        stack: vec![("parse".into(), at(line, column))],
        ..Fault::new(kind, "parse".into(), at(line, column), Executed::default())
    }
}

/// A contract first, as the campaign might give it, then two bugs: one with a way there, one with places that belong to it.
pub fn faults(text: &str) -> Vec<Fault> {
    let step = |part: &str, outcome: &str, times| FaultStep {
        place: at(line_of(text, part), 9),
        text: part.into(),
        outcome: outcome.into(),
        times,
    };
    let call = line_of(text, "helper(p) /");
    vec![
        Fault {
            function: "helper".into(),
            stack: vec![
                ("helper".into(), at(line_of(text, "return *p"), 12)),
                ("parse".into(), at(call, 22)),
            ],
            class: FaultClass::Contract,
            need: Some(Need { words: "needs p != NULL".into(), expression: Some("p != NULL".into()) }),
            ..fault(text, FaultKind::NullDereference, "*p;")
        },
        Fault {
            history: vec![step("i < n", "true", 7), step("n > 5", "true", 1)],
            ..fault(text, FaultKind::DivisionByZero, "/ (n - 7)")
        },
        Fault {
            related: vec![
                ("allocated".into(), at(line_of(text, "malloc(4)"), 14)),
                ("freed".into(), at(line_of(text, "free(q)"), 5)),
            ],
            ..fault(text, FaultKind::UseAfterFree, "*q;")
        },
    ]
}

pub fn result(faults: Vec<Fault>) -> UnitResult {
    UnitResult {
        file: "src/unit.c".into(),
        function: "parse".into(),
        criterion: "branch".into(),
        scope: GoalScope::Unit,
        strategy: "auto".into(),
        seed: 1,
        has_drawn: false,
        status: Status::Complete,
        runs: 12,
        divergences: 0,
        solver: SolverFigures::default(),
        execute_ms: 0,
        total_ms: 0,
        goals: Vec::new(),
        kept_runs: Vec::new(),
        faults,
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

/// A suite with a file for each fault, all shown.
pub fn suite(faults: usize) -> UnitSuite {
    let written = |number: usize| WrittenFault {
        path: Some(format!("parse/fault_parse_{number}.c")),
        confirmed: true,
        shown: "Tarka saw the sanitizers report it.".into(),
        ..WrittenFault::default()
    };
    UnitSuite { faults: (1..=faults).map(written).collect(), ..UnitSuite::default() }
}

pub fn run() -> Run<'static> {
    Run {
        tool: "tarka 0.1.0",
        command: "tarka gen src/unit.c",
        seed: 1,
        directory: "..",
        aim: None,
        coverage: Figures::default(),
        looked_for: FaultSet::default(),
        baseline: None,
        silences: &[],
        without_times: true,
    }
}

/// The report on these results.
pub fn report_of(run: &Run, results: &[UnitResult], text: &str) -> Report {
    let suites: Vec<UnitSuite> = results.iter().map(|result| suite(result.faults.len())).collect();
    let units = results.iter().zip(&suites).map(|(result, suite)| ReportedUnit {
        result,
        suite,
        flags: &[],
        linked: &[],
    });
    build(run, &units.collect::<Vec<_>>(), &sources(text))
}

/// The report on [`faults`] in a text.
pub fn report(text: &str) -> Report {
    report_of(&run(), &[result(faults(text))], text)
}

/// What a report would be read as with `--baseline`.
pub fn baseline_of(report: &Report) -> Baseline {
    Baseline::parse(&serde_json::to_string(report).expect("JSON")).expect("a baseline")
}
