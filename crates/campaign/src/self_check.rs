//! The self-check: does every label stand for the value the program computed?
//!
//! Takes a function, builds it as it is built for a search, optimised, but so that the target records the concrete value of
//! every labelled result; runs it on zeros and on random inputs, and evaluates each label's term on the same input. A label that
//! was lost has no value to compare: it shows where two runs part at a decision that no input is said to decide. Gives every
//! difference in words.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use tarka_inputs::{InputBytes, Ranges, Shape};
use tarka_instrument::{BuildRequest, UnitRequest};
use tarka_runner::Run;
use tarka_search::{Importer, Rng, RunTrace};
use tarka_source::{FunctionId, SourceModel};
use tarka_terms::{Evaluator, Terms};
use tarka_trace::{EventKind, Op, TraceEvent, node_label};

use crate::target::{Forked, Limits, Target, snapshots};
use crate::unit::Job;
use crate::{CampaignError, Options};

/// Differences kept per function: one broken operation shows in thousands of labels.
const MOST_MISMATCHES: usize = 20;

/// Runs that later ones are compared with.
const MOST_COMPARED: usize = 16;

/// What a self-check looked at and found.
#[derive(Clone, Debug, Default)]
pub struct SelfCheck {
    /// Runs made.
    pub runs: u64,
    /// Values compared.
    pub compared: u64,
    /// Decisions of the path compared.
    pub decisions: u64,
    /// How the runs ended, in the runner's words, each once.
    pub ends: Vec<String>,
    /// The bytes that the first run returned; empty if it did not return.
    pub first_result: Vec<u8>,
    /// Differences found.
    pub mismatches: Vec<Mismatch>,
}

/// A label whose term does not give the value the program computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Run number, from 1; the first run's input is all zeros.
    pub run: u64,
    /// What differs, in words.
    pub text: String,
}

/// What to check.
#[derive(Clone, Copy, Debug)]
pub struct SelfCheckRequest<'a> {
    /// The source.
    pub model: &'a SourceModel,
    /// The function.
    pub function: FunctionId,
    /// Number of runs.
    pub runs: u64,
    /// Seed of the random inputs.
    pub seed: u64,
    /// Make the globals symbolic, too, with their initial values.
    pub globals_as_inputs: bool,
    /// Time limit of a run.
    pub time_limit: Duration,
    /// clang 19.
    pub clang: &'a Path,
    /// An existing folder for the files of the build.
    pub work_dir: &'a Path,
    /// Put the defect back that the optimiser believes what functions promise.
    pub promises_kept: bool,
}

/// Checks one function.
pub fn self_check(request: &SelfCheckRequest) -> Result<SelfCheck, CampaignError> {
    let model = request.model;
    let file = || model.file.display().to_string();
    let build = tarka_instrument::build(&BuildRequest {
        model,
        units: &[UnitRequest::plain(request.function)],
        work_dir: request.work_dir,
        clang: request.clang,
        self_check: true,
        globals_as_inputs: request.globals_as_inputs,
        library_inputs: &[],
        faults: tarka_trace::FaultSet::default(),
        promises_kept: request.promises_kept,
    })
    .map_err(|error| CampaignError::Build { file: file(), source: Box::new(error) })?;
    let not_run = |error: tarka_runner::RunnerError| CampaignError::Run { file: file(), source: error };
    let limits = Limits {
        unit: 0,
        memory: 1 << 30,
        site_count: build.sites.len() as u32,
        coverage_len: build.coverage_len,
        self_check: true,
    };
    let mut target = Forked::start(&build.exe, limits, &tarka_confine::Allow::default()).map_err(not_run)?;
    let options = Options::default();
    let job = Job { model, build: &build, plain_program: None, options: &options, unit: 0 };
    let shape = job.shape(job.first_epoch().limits(), &Ranges::default(), &BTreeSet::new());
    let mut rng = Rng::new(request.seed);
    let mut check = SelfCheck::default();
    let mut earlier: Vec<Vec<TraceEvent>> = Vec::new();
    for number in 1..=request.runs {
        let input = if number == 1 { shape.default_input() } else { shape.random(&mut rng) };
        let run = target.run(&shape.objects(&input), &input, 1, request.time_limit).map_err(not_run)?;
        check.runs += 1;
        if number == 1 {
            check.first_result = run.result().to_vec();
        }
        let end = format!("{:?}", run.end());
        if !check.ends.contains(&end) {
            check.ends.push(end);
        }
        let found = compare(&run, &shape, &input, &mut check);
        check.mismatches.extend(found.into_iter().map(|text| Mismatch { run: number, text }));
        // A value that became concrete and was counted is not lost in silence.
        if run.concretised().iter().all(|&count| count == 0) {
            let lost = earlier.iter().find_map(|before| lost_label(before, run.events()));
            check.mismatches.extend(lost.map(|text| Mismatch { run: number, text }));
            if earlier.len() < MOST_COMPARED {
                earlier.push(run.events().to_vec());
            }
        }
        if check.mismatches.len() >= MOST_MISMATCHES {
            check.mismatches.truncate(MOST_MISMATCHES);
            break;
        }
    }
    Ok(check)
}

/// Where two runs part at a decision without a label, in words: something of the input decides there, and nobody knows.
fn lost_label(one: &[TraceEvent], other: &[TraceEvent]) -> Option<String> {
    let way = |event: &TraceEvent| (event.kind, event.site, event.outcome);
    let (a, b) = one.iter().zip(other).find(|(a, b)| way(a) != way(b))?;
    let is_decision = [EventKind::Condition, EventKind::Switch].map(|kind| kind as u16).contains(&a.kind);
    let is_lost = a.label == 0 && b.label == 0 && (a.kind, a.site) == (b.kind, b.site) && is_decision;
    is_lost.then(|| {
        format!(
            "two inputs go {} and {} at site {}, and what decides has no label",
            a.outcome, b.outcome, a.site
        )
    })
}

/// Compares everything one run recorded.
fn compare(run: &Run, shape: &Shape, input: &InputBytes, check: &mut SelfCheck) -> Vec<String> {
    let tables = snapshots(run);
    let trace = RunTrace { events: run.events(), nodes: run.nodes(), tables: &tables, input };
    let (mut terms, mut evaluator) = (Terms::new(), Evaluator::new());
    let mut importer = Importer::new(&terms, &trace);
    // Roots are read back from the arena: globals put their own initial values there.
    let roots = shape.roots();
    let assignment = |byte: u32| match roots.iter().find(|root| (root.0..root.0 + root.1).contains(&byte)) {
        Some(_) => run.arena(byte, 1)[0],
        None => tarka_terms::Assignment::byte(input, byte),
    };
    let mut mismatches = Vec::new();
    if let Some(label) = run.self_check_clash() {
        mismatches.push(format!("label {label} had two different values in one run"));
    }
    let mut value_of = |label: u32| -> Option<u128> {
        let term = importer.import(&mut terms, label)?;
        Some(evaluator.eval_more(&terms, term, &assignment))
    };
    for (index, (&seen, &known)) in run.values().iter().zip(run.values_known()).enumerate() {
        if known == 0 {
            continue;
        }
        check.compared += 1;
        let node = &trace.nodes[index];
        let name = Op::from_u8(node.op).map_or("?", |op| op.c_name());
        let mask = if node.width >= 64 { u64::MAX } else { (1 << node.width) - 1 };
        match value_of(node_label(index as u32)) {
            None => mismatches.push(format!("node {index} ({name}, {} bits) has no term", node.width)),
            Some(value) if value as u64 & mask != seen & mask => mismatches.push(format!(
                "node {index} ({name}, {} bits, operands {} {} {}): the program computed {:#x}, its term {:#x}",
                node.width, node.a, node.b, node.c, seen & mask, value as u64 & mask,
            )),
            Some(_) => {}
        }
    }
    for (index, event) in trace.events.iter().enumerate().filter(|(_, event)| event.label != 0) {
        check.decisions += 1;
        let two_way = [EventKind::Condition, EventKind::Internal, EventKind::Check, EventKind::Undefined]
            .map(|kind| kind as u16);
        let Some(value) = value_of(event.label) else {
            mismatches.push(format!("event {index} at site {} has no term", event.site));
            continue;
        };
        if two_way.contains(&event.kind) && (value != 0) != (event.outcome != 0) {
            mismatches.push(format!(
                "event {index} at site {}: the program went {}, its term says {value}",
                event.site, event.outcome
            ));
        }
    }
    mismatches
}
