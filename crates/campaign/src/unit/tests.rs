//! The loop on programs that Rust functions play: neither a compiler nor a process has a part in it.

use std::path::PathBuf;

use tarka_events::{FaultKind, Proof, RunEnd, SketchEnd, Status, UnitResult, Verdict};
use tarka_instrument::{Build, Frame, Root, SiteInfo, SiteInfoKind, UnitLayout};
use tarka_runner::End;
use tarka_scenario::{Executed, Role};
use tarka_source::{
    Context, Function, FunctionId, Param, Place, Site, SiteId, SiteKind, SourceModel, Type, TypeId, TypeKind,
    TypeTable, Uses,
};

use super::{Job, UnitLoop};
use crate::Options;
use crate::target::Limits;
use crate::target::scripted::{Play, Scripted};

/// Where the two parameters lie in the arena.
const A: u32 = 0;
const B: u32 = 16;

/// A code address, and the line it stands for.
const ADDRESS: u64 = 0x40_1000;
const LINE: u32 = 7;

fn place(line: u32) -> Place {
    Place { file: "played.c".to_string(), line, column: 1 }
}

/// `unit(unsigned char a, unsigned char b)` with so many conditions, one a line.
fn model(conditions: u32) -> SourceModel {
    let mut types = TypeTable::default();
    let kind = TypeKind::Int { bits: 8, signed: false, is_char: true };
    types.types.push(Type { kind, size: 1, align: 1, spelling: "unsigned char".to_string() });
    types.name_types();
    let site = |number: u32| Site {
        id: SiteId(number),
        function: FunctionId(0),
        place: place(number + 1),
        lines: number + 1..=number + 1,
        text: format!("c{number}"),
        decision: number,
        position: 0,
        is_assertion: false,
        is_relative: false,
        refuses: false,
        adjusts: false,
        governs: 1..=1,
        kind: SiteKind::Condition { context: Context::If, always: None },
    };
    let param = |name: &str| Param { name: name.to_string(), ty: TypeId(0), ..Param::default() };
    let unit = Function {
        name: "unit".to_string(),
        written: "unit".to_string(),
        place: place(1),
        end_line: conditions + 1,
        is_static: false,
        is_inline: false,
        is_weak: false,
        is_named: true,
        is_variadic: false,
        in_main_file: true,
        params: vec![param("a"), param("b")],
        result: TypeId(0),
        sites: (0..conditions).map(SiteId).collect(),
        statements: Vec::new(),
        loops: Vec::new(),
        first_statement: 0,
        ty: TypeId(0),
        address_taken: false,
        may_fall_off: false,
        uses: Uses::default(),
    };
    SourceModel {
        file: PathBuf::from("played.c"),
        flags: Vec::new(),
        types,
        functions: vec![unit],
        globals: Vec::new(),
        declared_functions: Vec::new(),
        macros: Default::default(),
        inline_definitions: Default::default(),
        declared_variables: Vec::new(),
        mentions_errno: false,
        handed_fresh: Vec::new(),
        led_into: Vec::new(),
        sites: (0..conditions).map(site).collect(),
        decisions: Vec::new(),
        probed_text: String::new(),
        others: Vec::new(),
    }
}

/// What the instrumenter would have made of it.
fn build(model: &SourceModel) -> Build {
    let root = |position: u32, name: &str, offset: u32| Root {
        name: name.to_string(),
        ty: TypeId(0),
        offset,
        size: 1,
        role: Role::Argument { step: 0, position },
        initial: Vec::new(),
    };
    let source = |site: &Site| SiteInfo {
        kind: SiteInfoKind::Source { site: site.id, coverage: 2 * site.id.0 },
        function: "unit".to_string(),
        place: Some(site.place.clone()),
        what: site.text.clone(),
    };
    let mut build = Build::default();
    build.sites = model.sites.iter().map(source).collect();
    build.coverage_len = 2 * model.sites.len() as u32;
    let roots = vec![root(0, "a", A), root(1, "b", B)];
    build.units = vec![UnitLayout { function: FunctionId(0), roots, pointees_start: 32 }];
    build
}

/// What the loop makes of a program with so many conditions.
fn explore(conditions: u32, options: Options, program: &dyn Fn(&mut Play) -> End) -> UnitResult {
    let model = model(conditions);
    let build = build(&model);
    // Time is no matter: what is played takes none.
    let options = Options { time: None, ..options };
    let job = Job { model: &model, build: &build, plain_program: None, options: &options, unit: 0 };
    let limits = Limits {
        unit: 0,
        memory: options.memory_limit,
        site_count: build.sites.len() as u32,
        coverage_len: build.coverage_len,
        self_check: false,
    };
    let search = job.search().expect("the strategy exists");
    let target = Box::new(Scripted::new(limits, program));
    let symbols = |address: u64| {
        let frame = Frame { function: "unit".to_string(), place: Some(place(LINE)) };
        if address == ADDRESS { vec![frame] } else { Vec::new() }
    };
    UnitLoop::new(job, &|_| {}, &symbols, search, target, None).explore().result
}

/// The values of `a` and `b` in a run.
fn given(executed: &Executed) -> (u8, u8) {
    let argument = |wanted: u32| {
        let objects = &executed.scenario.objects;
        let is_it = |role: &Role| matches!(role, Role::Argument { position, .. } if *position == wanted);
        objects.iter().find(|object| is_it(&object.role)).expect("the argument").bytes[0]
    };
    (argument(0), argument(1))
}

/// The numbers of the runs that covered each goal, in order; 0 for none.
fn covered_by(result: &UnitResult) -> Vec<u64> {
    let run = |verdict: &Verdict| match verdict {
        Verdict::Covered { run, .. } => *run,
        _ => 0,
    };
    result.goals.iter().map(|goal| run(&goal.verdict)).collect()
}

#[test]
fn both_sides_of_a_branch_are_covered_and_the_solver_finds_the_other_one() {
    let result = explore(1, Options::default(), &|play| {
        play.equals(0, A, 42);
        End::Returned
    });
    assert_eq!(result.status, Status::Complete);
    assert_eq!((covered_by(&result), result.runs), (vec![1, 2], 2));
    let inputs: Vec<_> = result.kept_runs.iter().map(|kept| given(&kept.executed)).collect();
    assert_eq!(inputs, [(0, 0), (42, 0)]);
    assert_eq!(result.divergences, 0);
}

#[test]
fn what_the_way_there_rules_out_is_proved() {
    let result = explore(2, Options::default(), &|play| {
        if play.less(0, A, 10) {
            play.equals(1, A, 200);
        }
        End::Returned
    });
    assert_eq!(result.status, Status::Complete);
    let [.., taken] = &result.goals[..] else { panic!("four goals") };
    assert!(matches!(&taken.verdict, Verdict::Infeasible { proof: Proof::Exhausted, .. }), "{taken:?}");
    assert_eq!(covered_by(&result).iter().filter(|&&run| run > 0).count(), 3);
}

#[test]
fn the_paths_are_sketched_with_what_became_of_every_way() {
    let result = explore(2, Options::default(), &|play| {
        if play.less(0, A, 10) {
            play.equals(1, A, 200);
        }
        End::Returned
    });
    let ways = |node: usize| -> Vec<(&str, SketchEnd)> {
        result.paths.nodes[node].ways.iter().map(|way| (way.outcome.as_str(), way.to)).collect()
    };
    assert_eq!((result.paths.nodes.len(), result.paths.left_out), (2, 0));
    assert_eq!(ways(0), [("true", SketchEnd::Node(1)), ("false", SketchEnd::End)]);
    assert_eq!(ways(1), [("false", SketchEnd::End), ("true", SketchEnd::Infeasible)]);
}

#[test]
fn a_hang_is_a_fault_with_the_input_that_shows_it() {
    let result = explore(1, Options::default(), &|play| {
        if play.equals(0, B, 7) { End::Timeout } else { End::Returned }
    });
    let [fault] = &result.faults[..] else { panic!("one fault: {:?}", result.faults) };
    assert_eq!((fault.kind, given(&fault.executed)), (FaultKind::Timeout, (0, 7)));
    assert_eq!(fault.place, place(1));
    let ends: Vec<_> = result.kept_runs.iter().map(|kept| &kept.end).collect();
    assert_eq!(ends, [&RunEnd::Returned, &RunEnd::Fault(0)]);
}

#[test]
fn a_crash_is_told_where_its_address_stands() {
    let result = explore(1, Options::default(), &|play| {
        if !play.equals(0, A, 1) {
            return End::Returned;
        }
        play.stands_at(ADDRESS);
        End::Signal { number: 11, address: 0 }
    });
    let [fault] = &result.faults[..] else { panic!("one fault: {:?}", result.faults) };
    assert_eq!((fault.kind, &fault.place), (FaultKind::NullDereference, &place(LINE)));
    assert_eq!(given(&fault.executed), (1, 0));
}

#[test]
fn a_budget_of_runs_ends_the_search_and_is_named_by_what_stays_open() {
    let program = |play: &mut Play| {
        for site in 0..6 {
            play.equals(site, if site % 2 == 0 { A } else { B }, 10 + site as u8);
        }
        End::Returned
    };
    let result = explore(6, Options { runs: Some(3), ..Options::default() }, &program);
    assert_eq!((&result.status, result.runs), (&Status::Budget, 3));
    let reasons = result.goals.iter().filter_map(|goal| match &goal.verdict {
        Verdict::Unknown { reason, .. } => Some(reason.as_str()),
        _ => None,
    });
    let reasons: Vec<&str> = reasons.collect();
    assert!(!reasons.is_empty());
    assert!(reasons.iter().all(|why| why.starts_with("the budget of 3 runs ran out")), "{reasons:?}");
    let result = explore(6, Options::default(), &program);
    assert_eq!(result.status, Status::Complete);
    assert!(covered_by(&result).iter().all(|&run| run > 0));
}

#[test]
fn a_run_that_goes_elsewhere_is_counted_and_proves_nothing() {
    let result = explore(1, Options::default(), &|play| {
        play.equals_in_vain(0, A, 7);
        End::Returned
    });
    assert_eq!((result.divergences, result.runs), (1, 2));
    assert_eq!(result.status, Status::Budget);
    let [_, taken] = &result.goals[..] else { panic!("two goals") };
    assert!(matches!(taken.verdict, Verdict::Unknown { .. }), "{taken:?}");
}

#[test]
fn a_program_that_ends_before_the_unit_is_an_error_of_the_unit() {
    let result = explore(1, Options::default(), &|_| End::BeforeUnit);
    let expected = "the program ended before `unit` could be called".to_string();
    assert_eq!((result.status, result.runs), (Status::Error(expected), 0));
    assert!(result.kept_runs.is_empty() && result.faults.is_empty());
}

#[test]
fn an_input_that_a_precondition_refuses_is_neither_a_test_nor_a_fault() {
    let result = explore(1, Options::default(), &|play| {
        if play.less(0, A, 100) { End::Assumption(0) } else { End::Returned }
    });
    assert_eq!(covered_by(&result)[0], 2);
    assert_eq!(result.kept_runs.len(), 1);
    assert!(given(&result.kept_runs[0].executed).0 >= 100);
    assert!(result.faults.is_empty());
}
