//! The self-check: does every label stand for the value the program computed?
//!
//! Takes a function, builds it so that the target records the concrete value of every labelled result, runs it on
//! zeros and on random inputs, and evaluates each label's term on the same input. Gives every difference in words.

use std::path::Path;
use std::time::Duration;

use tarka_instrument::{BuildRequest, UnitRequest};
use tarka_runner::Run;
use tarka_search::{Importer, Rng, RunTrace};
use tarka_source::{FunctionId, SourceModel};
use tarka_terms::{Evaluator, Terms};
use tarka_trace::{EventKind, Op, node_label};

use crate::shape::{InputBytes, Ranges, Shape};
use crate::target::{Limits, Target, snapshots};
use crate::unit::Job;
use crate::{CampaignError, Options};

/// Differences kept per function: one broken operation shows in thousands of labels.
const MOST_MISMATCHES: usize = 20;

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
        promises_kept: false,
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
    let mut target = Target::start(&build.exe, limits).map_err(not_run)?;
    let options = Options::default();
    let job = Job { model, build: &build, twin: None, options: &options, unit: 0 };
    let shape = job.shape(job.first_epoch().limits(), &Ranges::default());
    let mut rng = Rng::new(request.seed);
    let mut check = SelfCheck::default();
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
        if check.mismatches.len() >= MOST_MISMATCHES {
            check.mismatches.truncate(MOST_MISMATCHES);
            break;
        }
    }
    Ok(check)
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
