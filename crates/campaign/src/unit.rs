//! The loop of one unit: run, absorb, choose, solve, and again.
//!
//! Takes a built target and a unit, gives the unit's result. This is the one place where the pipeline bends back.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tarka_events::{Concretisation, Event, SolverFigures, Status, UnitResult};
use tarka_instrument::{Build, Symboliser};
use tarka_runner::{End, Run, RunnerError};
use tarka_search::{Absorbed, CandidateId, CandidateState, Coverage, RunTrace, Search};
use tarka_solver::{Answer, Query, Solver};
use tarka_source::{FunctionId, Place, SourceModel};
use tarka_terms::Terms;
use tarka_trace::flag;

use crate::Options;
use crate::budget::Budget;
use crate::environment::Environment;
use crate::faults::{Ended, FaultBook};
use crate::keep::Keeper;
use crate::losses::Losses;
use crate::refusal::Refusals;
use crate::shape::support::{KeptZero, members_kept_zero};
use crate::shape::{DomainWidth, InputBytes, ObjectShape, OnlyNull, Shape, ShapeLimits, ShapeRequest};
use crate::target::{Target, snapshots};
use crate::verdict::{Ending, Grounds, status};

/// Pointers that one may follow from a parameter before only null is tried.
pub(crate) const POINTER_DEPTH: u32 = 4;

/// Least time between two progress events.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// What a unit's loop works on.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub model: &'a SourceModel,
    pub build: &'a Build,
    pub options: &'a Options,
    /// Position in [`Build::units`].
    pub unit: usize,
}

impl<'a> Job<'a> {
    pub(crate) fn function(&self) -> FunctionId {
        self.build.units[self.unit].function
    }

    pub(crate) fn shape(&self) -> Shape<'a> {
        let layout = &self.build.units[self.unit];
        Shape::new(&ShapeRequest {
            model: self.model,
            function: layout.function,
            roots: &layout.roots,
            stubs: &self.build.stubs,
            addresses: &self.build.addresses,
            first_free: layout.pointees_start,
            limits: ShapeLimits {
                depth: POINTER_DEPTH,
                elements: 16,
                string: 32,
                calls: 1,
                sizes: BTreeMap::new(),
            },
        })
    }
}

/// Why a unit's loop stopped short.
pub(crate) enum Failure {
    Runner(RunnerError),
    BeforeUnit,
}

impl From<RunnerError> for Failure {
    fn from(error: RunnerError) -> Failure {
        Failure::Runner(error)
    }
}

/// The state of one unit's loop.
pub(crate) struct UnitLoop<'a> {
    job: Job<'a>,
    sink: &'a (dyn Fn(Event) + Sync),
    symboliser: &'a Symboliser,
    shape: Shape<'a>,
    search: Search,
    terms: Terms,
    solver: Box<dyn Solver + Send>,
    target: Target,
    budget: Budget,
    losses: Losses,
    environment: Environment,
    refusals: Refusals,
    faults: FaultBook,
    keeper: Keeper,
    /// The input of each run that found new decisions, by run number minus 1.
    inputs: Vec<Option<InputBytes>>,
    covered_ms: Vec<u64>,
    /// Concretisations by site, over all runs.
    concretised: Vec<u64>,
    runs: u64,
    divergences: u64,
    last_progress: Instant,
}

impl<'a> UnitLoop<'a> {
    pub(crate) fn new(
        job: Job<'a>,
        sink: &'a (dyn Fn(Event) + Sync),
        symboliser: &'a Symboliser,
        search: Search,
        target: Target,
    ) -> UnitLoop<'a> {
        let goals = search.goals().goals().len();
        UnitLoop {
            shape: job.shape(),
            terms: Terms::new(),
            solver: tarka_solver::standard(),
            budget: Budget::new(job.options),
            losses: Losses::default(),
            environment: Environment::new(job.model, job.build),
            refusals: Refusals::default(),
            faults: FaultBook::default(),
            keeper: Keeper::new(goals),
            inputs: Vec::new(),
            covered_ms: vec![0; goals],
            concretised: vec![0; job.build.sites.len()],
            runs: 0,
            divergences: 0,
            last_progress: Instant::now(),
            job,
            sink,
            symboliser,
            search,
            target,
        }
    }

    /// The whole loop.
    pub(crate) fn explore(mut self) -> UnitResult {
        let mut input = self.shape.default_input();
        let mut aim = None;
        let ending = loop {
            if let Err(failure) = self.run(&input, aim) {
                return self.finish(Err(failure));
            }
            match self.next_input() {
                Ok((next, candidate)) => (input, aim) = (next, Some(candidate)),
                Err(ending) => break ending,
            }
        };
        self.finish(Ok(ending))
    }

    /// Runs the unit once and takes in what it did.
    fn run(&mut self, input: &InputBytes, aim: Option<CandidateId>) -> Result<(), Failure> {
        let objects = self.shape.objects(input);
        let limit = self.budget.run_limit();
        let run = self.target.run(&objects, input, limit)?;
        if run.end() == End::BeforeUnit {
            return Err(Failure::BeforeUnit);
        }
        self.runs += 1;
        let number = self.runs;
        let tables = snapshots(&run);
        let trace = RunTrace { events: run.events(), nodes: run.nodes(), tables: &tables };
        let outcome = self.search.absorb(&mut self.terms, &trace, run.coverage(), number);
        self.inputs.push((outcome.path.new_nodes > 0).then(|| input.clone()));
        self.environment.absorb(run.events(), run.coverage());
        let ms = self.budget.elapsed_ms();
        outcome.coverage.new.iter().for_each(|&goal| self.covered_ms[goal as usize] = ms);
        for (total, &count) in self.concretised.iter_mut().zip(run.concretised()) {
            *total += count as u64;
        }
        if let Some(candidate) = aim {
            let is_fault = self.search.tree().candidate(candidate).is_fault;
            let diverged = self.search.learn(candidate, CandidateState::Done) == CandidateState::Diverged;
            self.divergences += u64::from(diverged);
            self.losses.diverged += u64::from(diverged && !is_fault);
        }
        note_losses(&mut self.losses, &run, &outcome.path, &objects);
        if run.end() == End::Timeout {
            self.budget.count_hang();
        }
        let ended = ended(&self.job, self.symboliser, &run, &outcome.path, limit);
        let record = || self.shape.record(&objects, input, &run);
        let end = self.faults.enter(&ended, number, record);
        self.keeper.offer(number, &outcome.coverage, end, run.result(), record);
        self.report_progress(&outcome.coverage);
        Ok(())
    }

    /// The next input and the candidate it is for, or why there is none.
    fn next_input(&mut self) -> Result<(InputBytes, CandidateId), Ending> {
        loop {
            let candidate = self.search.choose().map_err(|_| Ending::NothingLeft)?;
            if let Some(what) = self.budget.used_up(self.runs) {
                self.search.give_back(candidate);
                return Err(Ending::Budget { what, open: self.search.tree().open_candidates() });
            }
            let (prefix, flipped) = self.search.constraints(&mut self.terms, candidate);
            let found_by = self.search.tree().node_of(candidate).run;
            let current =
                self.inputs[found_by as usize - 1].as_ref().expect("a run with new decisions is remembered");
            let shape = &self.shape;
            let query = Query {
                prefix: &prefix,
                flipped,
                domain: &|terms: &mut Terms, byte| {
                    shape.domain(terms, byte, current, DomainWidth::Narrow)
                },
                current,
                time_limit: self.budget.question_limit(),
            };
            match self.solver.solve(&mut self.terms, &query) {
                Answer::Sat(model) => {
                    let input = self.shape.reachable(&current.with(&model.bytes));
                    return Ok((input, candidate));
                }
                Answer::Unsat => self.refused(candidate, &prefix, flipped),
                Answer::Unknown(reason) => {
                    let tree = self.search.tree();
                    let (site, outcome) = (tree.node_of(candidate).site, tree.candidate(candidate).outcome);
                    if !tree.candidate(candidate).is_fault {
                        self.losses.unknown.insert((site, outcome), reason.to_string());
                    }
                    self.search.learn(candidate, CandidateState::Unknown);
                }
            }
        }
    }

    /// A candidate has no input; notes whether only our own bounds on inputs say so.
    fn refused(&mut self, candidate: CandidateId, prefix: &[tarka_terms::Term], flipped: tarka_terms::Term) {
        let tree = self.search.tree();
        if !tree.candidate(candidate).is_fault {
            let node = self.search.node_of(candidate);
            self.refusals.note(&mut self.losses, &self.terms, &self.shape, tree, node, prefix, flipped);
        }
        self.search.learn(candidate, CandidateState::Infeasible);
    }

    fn report_progress(&mut self, coverage: &Coverage) {
        if self.last_progress.elapsed() < PROGRESS_INTERVAL && (coverage.new.is_empty() || self.runs > 1) {
            return;
        }
        self.last_progress = Instant::now();
        (self.sink)(Event::Progress {
            function: self.job.model.function(self.job.function()).name.clone(),
            covered: self.search.goals().covered() as u32,
            goals: self.search.goals().goals().len() as u32,
            runs: self.runs,
            faults: self.faults.faults.len() as u32,
        });
    }

    fn finish(mut self, ending: Result<Ending, Failure>) -> UnitResult {
        let function = self.job.function();
        let unit = self.job.model.function(function);
        let concretisations = self.concretisations(&unit.place);
        for concretisation in &concretisations {
            let key = (concretisation.place.clone(), concretisation.what.clone());
            self.losses.concretised.insert(key, concretisation.count);
        }
        let kept_zero = members_kept_zero(&self.job.model.types, unit);
        self.losses.kept_zero = kept_zero.zero.clone();
        self.losses.environment = self.environment.decided(self.job.model, self.job.build, function);
        let (ending, error) = match ending {
            Ok(ending) => (ending, None),
            Err(failure) => {
                let message = match failure {
                    Failure::Runner(error) => error.to_string(),
                    Failure::BeforeUnit => {
                        format!("the program ended before `{}` could be called", unit.name)
                    }
                };
                (
                    Ending::Budget { what: format!("the unit could not be run: {message}"), open: 0 },
                    Some(message),
                )
            }
        };
        let grounds = Grounds {
            model: self.job.model,
            function,
            icfg: &self.job.build.icfg,
            goals: self.search.goals(),
            covered_ms: &self.covered_ms,
            losses: &self.losses,
            ending: &ending,
            runs: self.runs,
            has_pointers: kept_zero.has_pointers,
        };
        let goals = grounds.goals();
        let figures = self.solver.figures();
        UnitResult {
            file: self.job.model.file.display().to_string(),
            function: unit.name.clone(),
            criterion: self.job.options.criterion.name().to_string(),
            strategy: self.search.strategy_name().to_string(),
            seed: self.job.options.seed,
            status: error.map_or_else(|| status(&goals), Status::Error),
            runs: self.runs,
            divergences: self.divergences,
            solver: SolverFigures {
                queries: figures.queries,
                sat: figures.sat,
                unsat: figures.unsat,
                unknown: figures.unknown,
                cached: figures.cached + figures.direct,
                ms: figures.time.as_millis() as u64,
            },
            execute_ms: self.target.executing.as_millis() as u64,
            total_ms: self.budget.elapsed_ms(),
            goals,
            kept_runs: self.keeper.kept,
            faults: self.faults.faults,
            concretisations,
            limits: limits(kept_zero, &self.losses),
            stubs: self.job.build.stubs.clone(),
            named_addresses: Vec::new(),
        }
    }

    /// The places where values became concrete, each place and reason once, in order of their sites.
    fn concretisations(&self, unit: &Place) -> Vec<Concretisation> {
        let mut found: Vec<Concretisation> = Vec::new();
        let sites = self.job.build.sites.iter().zip(&self.concretised).filter(|&(_, &count)| count > 0);
        for (site, &count) in sites {
            let place = site.place.clone().unwrap_or_else(|| unit.clone());
            match found.iter_mut().find(|known| known.place == place && known.what == site.what) {
                Some(known) => known.count += count,
                None => found.push(Concretisation { place, what: site.what.clone(), count }),
            }
        }
        found
    }
}

/// The bounds on inputs that mattered, in words.
fn limits(kept_zero: KeptZero, losses: &Losses) -> Vec<String> {
    let mut limits = kept_zero.null;
    limits.extend(kept_zero.zero);
    // Pointers of an unsupported type are named above, each by its member.
    let met = losses.only_null.keys().filter(|why| !matches!(why, OnlyNull::Unsupported(_)));
    limits.extend(met.map(ToString::to_string));
    if losses.input_bound > 0 {
        let runs = crate::budget::count(losses.input_bound, "run");
        limits.push(format!("{runs} reached the end of an input object whose size is a guess"));
    }
    if losses.guessed_size > 0 {
        limits.push("some indices were only tried within the guessed size of their input object".to_string());
    }
    limits
}

fn note_losses(losses: &mut Losses, run: &Run, path: &Absorbed, objects: &[std::rc::Rc<ObjectShape>]) {
    losses.differing += u64::from(path.differs);
    losses.cut += u64::from(path.cut || run.truncated());
    losses.stopped += u64::from(matches!(run.end(), End::Timeout | End::Memory));
    let read_to_the_end = |object: &&std::rc::Rc<ObjectShape>| {
        object.ends_string && run.arena_flags(object.offset + object.size - 1, 1)[0] & flag::READ != 0
    };
    losses.input_bound +=
        u64::from(run.end() == End::InputBound || objects.iter().any(|object| read_to_the_end(&object)));
}

/// The end of a run with its frames.
fn ended<'a>(
    job: &Job<'a>,
    symboliser: &Symboliser,
    run: &Run,
    path: &Absorbed,
    limit: Duration,
) -> Ended<'a> {
    let site = run.fault_site().or(path.failed_checks.last().copied());
    let unit = job.model.function(job.function());
    // Frames cost a look into the debug information: only for runs that end badly.
    let quiet = matches!(run.end(), End::Returned | End::Exited(_) | End::InputBound);
    let stack = if quiet { Vec::new() } else { stack(symboliser, run.backtrace()) };
    Ended {
        end: run.end(),
        stack_overflow: run.stack_overflow(),
        stack,
        site: site.and_then(|site| {
            let info = job.build.sites.get(site as usize)?;
            Some((info.what.as_str(), info.place.as_ref()))
        }),
        left_an_object: !path.failed_checks.is_empty(),
        unit: (&unit.name, &unit.place),
        limit_ms: limit.as_millis() as u64,
    }
}

/// The frames of a backtrace that have a place, so a crash in a library function is placed where it was called.
fn stack(symboliser: &Symboliser, backtrace: &[u64]) -> Vec<(String, Place)> {
    let addresses = backtrace.iter().enumerate();
    // All but the first are return addresses: one less lies inside the call.
    let frames = addresses.flat_map(|(index, &address)| symboliser.frames(address - u64::from(index > 0)));
    frames.filter_map(|frame| Some((frame.function, frame.place?))).collect()
}
