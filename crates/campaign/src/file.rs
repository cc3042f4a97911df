//! All units of one file: what cannot be tested is told so, the rest is built once and searched one by one, by whoever asks.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tarka_events::{AttackFigures, Event, PathSketch, SolverFigures, Status, UnitLog, UnitResult};
use tarka_faults::settle;
use tarka_inputs::why_not_testable;
use tarka_instrument::{Build, BuildRequest, InstrumentError, Symboliser, UnitRequest};
use tarka_search::strategy;
use tarka_settings::Bounds;
use tarka_source::{FunctionId, SourceModel};

use crate::aim;
use crate::dump::Dump;
use crate::library_answers::{self, LibraryAnswersBuild};
use crate::plain_program::PlainProgram;
use crate::target::{Forked, Limits};
use crate::unit::{Explored, Job, UnitLoop};
use crate::{CampaignError, Options};

/// One way to test a unit, where several are to be compared.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Name of the search strategy.
    pub strategy: String,
    /// Seed of every random choice.
    pub seed: u64,
}

/// The functions of a file, built and ready to be searched one by one.
pub struct FileSearches<'a> {
    model: &'a SourceModel,
    options: &'a Options,
    units: &'a [FunctionId],
    /// Why a function is not tested; its number among those that were built otherwise.
    places: Vec<Result<usize, String>>,
    builds: Option<Builds<'a>>,
}

impl FileSearches<'_> {
    /// Searches one of the functions, by its position. One that cannot be tested has that as its result.
    pub fn search(&self, position: usize, sink: &(dyn Fn(Event) + Sync)) -> UnitResult {
        self.search_so(position, self.options, sink)
    }

    fn search_so(&self, position: usize, options: &Options, sink: &(dyn Fn(Event) + Sync)) -> UnitResult {
        let (model, function) = (self.model, self.units[position]);
        let result = match (&self.places[position], &self.builds) {
            (Ok(unit), Some(builds)) => {
                let (build, plain_program) = (builds.first, Some(builds.plain_program));
                run_twice(Job { model, build, plain_program, options, unit: *unit }, builds, sink)
            }
            (place, _) => {
                let reason = place.as_ref().err().cloned().unwrap_or_default();
                let skipped = Status::Skipped(format!("{reason} ({})", model.function(function).place));
                untested(model, function, options, skipped)
            }
        };
        sink(Event::UnitFinished(Box::new(result.clone())));
        result
    }
}

/// Builds the given functions of a file and hands them over to be searched.
pub fn with_file<T>(
    model: &SourceModel,
    units: &[FunctionId],
    options: &Options,
    clang: &Path,
    work_dir: &Path,
    work: impl FnOnce(&FileSearches) -> T,
) -> Result<T, CampaignError> {
    strategy::by_name(&options.strategy)?;
    let mut reasons: Vec<Option<String>> =
        units.iter().map(|&unit| why_not_testable(&model.types, model.function(unit))).collect();
    let built = build_testable(model, units, &mut reasons, options, clang, work_dir)?;
    let mut number = 0..;
    let places = reasons.into_iter().map(|reason| match reason {
        Some(reason) => Err(reason),
        None => Ok(number.next().unwrap_or_default()),
    });
    let places = places.collect();
    let Some(built) = &built else {
        return Ok(work(&FileSearches { model, options, units, places, builds: None }));
    };
    let request = BuildRequest { units: &built.units, ..request_of(model, options, clang, work_dir) };
    let (plain_program, answering) =
        (PlainProgram::new(request, &built.build), LibraryAnswersBuild::new(request));
    let builds = Some(Builds { first: &built.build, plain_program: &plain_program, answering: &answering });
    Ok(work(&FileSearches { model, options, units, places, builds }))
}

/// Tests the given functions of a file, so many at a time as the options say; their logs come in the same order.
pub fn run_file(
    model: &SourceModel,
    units: &[FunctionId],
    options: &Options,
    clang: &Path,
    work_dir: &Path,
    sink: &(dyn Fn(Event) + Sync),
) -> Result<Vec<UnitLog>, CampaignError> {
    let all: Vec<usize> = (0..units.len()).collect();
    let mut results = vec![None; units.len()];
    with_file(model, units, options, clang, work_dir, |file| {
        run_some(&all, options.jobs, |position| file.search(position, sink), &mut results);
    })?;
    let mut logs: Vec<UnitLog> = results.into_iter().flatten().map(UnitLog::new).collect();
    settle(model, &mut logs);
    Ok(logs)
}

/// The same once for each trial, from one build: for each unit its results in the order of the trials. Strategy and
/// seed of the options are not used. Trials that differ in the seed alone have the result of the first of them if nothing was
/// drawn there: only the time could differ.
pub fn run_trials(
    model: &SourceModel,
    units: &[FunctionId],
    options: &Options,
    trials: &[Trial],
    clang: &Path,
    work_dir: &Path,
    sink: &(dyn Fn(Event) + Sync),
) -> Result<Vec<Vec<UnitResult>>, CampaignError> {
    let mut ways = Vec::new();
    for Trial { strategy, seed } in trials {
        strategy::by_name(strategy)?;
        ways.push(Options { strategy: strategy.clone(), seed: *seed, ..options.clone() });
    }
    let Some(any) = ways.first() else { return Ok(units.iter().map(|_| Vec::new()).collect()) };
    let results = with_file(model, units, any, clang, work_dir, |file| in_each_way(file, &ways, sink))?;
    let mut results = results.into_iter();
    Ok(units.iter().map(|_| results.by_ref().take(ways.len()).collect()).collect())
}

/// Builds the units for which there is no reason against it. When the build fails because of some of them, they get that
/// as their reason and the others are built; `None` if nothing is left to build.
fn build_testable(
    model: &SourceModel,
    units: &[FunctionId],
    reasons: &mut [Option<String>],
    options: &Options,
    clang: &Path,
    work_dir: &Path,
) -> Result<Option<Built>, CampaignError> {
    loop {
        let testable = units.iter().zip(reasons.iter()).filter(|(_, reason)| reason.is_none());
        let requests: Vec<UnitRequest> =
            testable.map(|(&unit, _)| unit_request(model, unit, options)).collect();
        if requests.is_empty() {
            return Ok(None);
        }
        let request = BuildRequest { units: &requests, ..request_of(model, options, clang, work_dir) };
        let error = match tarka_instrument::build(&request) {
            Ok(build) => return Ok(Some(Built { build, units: requests })),
            Err(error) => error,
        };
        let blamed: Vec<bool> = requests.iter().map(|unit| is_to_blame(model, unit, &error)).collect();
        // What all units need is the file's matter; what is wrong with one unit's own input never is.
        let is_own = matches!(error, InstrumentError::Unnamed { .. } | InstrumentError::TooLarge { .. });
        let is_blamed = blamed.contains(&true) && (is_own || blamed.contains(&false));
        // What the rest of the program lacks has a stub where the file is tested alone.
        if !is_blamed || !is_own && !model.others.is_empty() {
            let file = model.file.display().to_string();
            return Err(CampaignError::Build { file, source: Box::new(error) });
        }
        let open = reasons.iter_mut().filter(|reason| reason.is_none());
        for (reason, _) in open.zip(blamed).filter(|(_, blamed)| *blamed) {
            *reason = Some(error.to_string());
        }
    }
}

/// A build and what it was asked to test.
struct Built {
    build: Build,
    units: Vec<UnitRequest>,
}

/// The programs that the units of a file run in.
struct Builds<'a> {
    first: &'a Build,
    plain_program: &'a PlainProgram<'a>,
    answering: &'a LibraryAnswersBuild<'a>,
}

/// What is the same for every build of a file.
fn request_of<'a>(
    model: &'a SourceModel,
    options: &'a Options,
    clang: &'a Path,
    work_dir: &'a Path,
) -> BuildRequest<'a> {
    BuildRequest {
        model,
        units: &[],
        work_dir,
        clang,
        self_check: false,
        globals_as_inputs: false,
        library_inputs: &options.library_inputs,
        faults: options.faults,
        promises_kept: options.defects.promises_kept,
    }
}

/// What the instrumenter needs to know of a unit.
fn unit_request(model: &SourceModel, function: FunctionId, options: &Options) -> UnitRequest {
    let name = &model.function(function).name;
    let bounds = options.settings.bounds_of(name);
    let assumes = options.settings.assumes_of(name).iter();
    UnitRequest {
        function,
        assumes: assumes.map(|assume| assume.expression.clone()).collect(),
        calls: most_calls(model, function, &bounds),
        stub_calls: bounds.stub_calls,
    }
}

/// How often a unit is called in a row at most: once, unless it or something it calls keeps state from call to call that no
/// input sets: in a function, or in another file.
pub(crate) fn most_calls(model: &SourceModel, function: FunctionId, bounds: &Bounds) -> u32 {
    let keeps_state = |id: &FunctionId| !model.function(*id).uses.static_locals.is_empty();
    let is_hidden = !model.hidden_variables(function).is_empty();
    if is_hidden || model.reachable_functions(function).iter().any(keeps_state) { bounds.calls } else { 1 }
}

/// True if a build failed because of this unit, and might not without it.
fn is_to_blame(model: &SourceModel, unit: &UnitRequest, error: &InstrumentError) -> bool {
    match error {
        InstrumentError::Unnamed { function, .. } | InstrumentError::TooLarge { function, .. } => {
            model.function(unit.function).name == *function
        }
        InstrumentError::Undefined { names, .. } => {
            let mentions = |id: &FunctionId| {
                let uses = &model.function(*id).uses;
                let functions = uses
                    .declared_functions
                    .iter()
                    .map(|&index| &model.declared_functions[index as usize].name);
                let variables = uses
                    .declared_variables
                    .iter()
                    .map(|&index| &model.declared_variables[index as usize].name);
                functions.chain(variables).any(|name| names.contains(name))
            };
            model.reachable_functions(unit.function).iter().any(mentions)
        }
        _ => false,
    }
}

/// Searches every unit of a file in each of the ways, so many at a time as the first way has jobs. Each search has its own
/// server, terms, solver and random sequence, so its result does not depend on the others.
fn in_each_way(file: &FileSearches, ways: &[Options], sink: &(dyn Fn(Event) + Sync)) -> Vec<UnitResult> {
    let same_but_for_seed = |way: usize| {
        let is_same = |other: &Options| other.strategy == ways[way].strategy;
        ways.iter().position(is_same).unwrap_or(way)
    };
    let all = file.units.len() * ways.len();
    let mut results: Vec<Option<UnitResult>> = vec![None; all];
    let (first, later): (Vec<usize>, Vec<usize>) =
        (0..all).partition(|index| same_but_for_seed(index % ways.len()) == index % ways.len());
    let run = |index: usize| file.search_so(index / ways.len(), &ways[index % ways.len()], sink);
    let jobs = ways.first().map_or(1, |options| options.jobs);
    run_some(&first, jobs, run, &mut results);
    let mut open = Vec::new();
    for index in later {
        let way = index % ways.len();
        let known = results[index - way + same_but_for_seed(way)].as_ref().filter(|known| !known.has_drawn);
        match known.map(|known| UnitResult { seed: ways[way].seed, ..known.clone() }) {
            Some(same) => {
                sink(Event::UnitFinished(Box::new(same.clone())));
                results[index] = Some(same);
            }
            None => open.push(index),
        }
    }
    run_some(&open, jobs, run, &mut results);
    results.into_iter().map(|result| result.expect("every unit was run")).collect()
}

/// Runs these, so many at a time, and keeps each result in its place.
fn run_some(
    indices: &[usize],
    jobs: usize,
    run: impl Fn(usize) -> UnitResult + Sync,
    results: &mut [Option<UnitResult>],
) {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, UnitResult)>> = Mutex::new(Vec::new());
    let work = || {
        while let Some(&index) = indices.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = run(index);
            done.lock().expect("no worker panics while it holds the lock").push((index, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, indices.len().max(1)) {
            scope.spawn(work);
        }
    });
    let done = done.into_inner().expect("no worker panics while it holds the lock");
    done.into_iter().for_each(|(index, result)| results[index] = Some(result));
}

/// Tests a unit, once more with the library's answers as inputs where a branch on them may be open.
fn run_twice(job: Job, builds: &Builds, sink: &(dyn Fn(Event) + Sync)) -> UnitResult {
    let Explored { result: first, one_sided } = run_unit(job, sink);
    let second = library_answers::second_search(job.model, job.function(), job.options, (&first, one_sided));
    let Some((second, build)) = second.and_then(|second| Some((second, builds.answering.build()?))) else {
        return first;
    };
    let again = Job { build, plain_program: None, options: &second.options, ..job };
    library_answers::joined(first, run_unit(again, sink).result, &second.unasked)
}

fn run_unit(job: Job, sink: &(dyn Fn(Event) + Sync)) -> Explored {
    let (model, options, function) = (job.model, job.options, job.function());
    let error = |message: String| Explored {
        result: untested(model, function, options, Status::Error(message)),
        one_sided: false,
    };
    let search = match job.search() {
        Ok(search) => search,
        Err(unusable) => return error(unusable.to_string()),
    };
    let asked: Vec<bool> =
        (0..search.goals().goals().len()).map(|goal| search.goals().is_asked(goal)).collect();
    sink(Event::UnitStarted {
        function: model.function(function).name.clone(),
        goals: search.goals().asked() as u32,
    });
    let symboliser = match Symboliser::open(&job.build.exe, model) {
        Ok(symboliser) => symboliser,
        Err(unreadable) => return error(unreadable.to_string()),
    };
    let limits = Limits {
        unit: job.unit as u32,
        memory: options.memory_limit,
        site_count: job.build.sites.len() as u32,
        coverage_len: job.build.coverage_len,
        self_check: false,
    };
    let symbols = |address: u64| symboliser.frames(address);
    match Forked::start(&job.build.exe, limits, &job.options.allow) {
        Ok(target) => {
            let dump = options.dump_queries.as_deref();
            let dump = dump.map(|begins| Dump::create(begins, &model.function(function).name));
            let dump = match dump.transpose() {
                Ok(dump) => dump,
                Err(message) => return error(message),
            };
            let mut explored = UnitLoop::new(job, sink, &symbols, search, Box::new(target), dump).explore();
            aim::restrict(&mut explored.result, |goal| asked[goal]);
            explored
        }
        Err(unusable) => error(unusable.to_string()),
    }
}

/// The result of a unit that was not run.
pub fn untested(model: &SourceModel, function: FunctionId, options: &Options, status: Status) -> UnitResult {
    UnitResult {
        file: model.file.display().to_string(),
        function: model.function(function).name.clone(),
        criterion: options.criterion.name().to_string(),
        scope: options.scope,
        strategy: options.strategy.clone(),
        seed: options.seed,
        has_drawn: false,
        status,
        runs: 0,
        divergences: 0,
        solver: SolverFigures::default(),
        execute_ms: 0,
        total_ms: 0,
        goals: Vec::new(),
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
