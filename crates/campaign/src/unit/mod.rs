//! The loop of one unit: run, absorb, choose, solve, and again.
//!
//! Takes a built target and a unit, gives the unit's result. This is the one place where the pipeline bends back.
//! `questions` asks the solver for the next input, `mend` for one that goes a faulty run's way without its faults, `proofs`
//! for branches without any, which `attack` holds to the plain twin; `epoch` begins anew with other inputs, `ending` says
//! how a run ended, `rerun` makes the inputs of kept runs simple, `stretch` tries texts that a copy has no room for, `words`
//! those that the program compares with, `finish` writes the result.

mod attack;
mod ending;
mod epoch;
mod explain;
mod finish;
mod mend;
mod proofs;
mod questions;
mod rerun;
mod stretch;
mod words;

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tarka_events::{Event, FaultKind, Goal, UnitResult, Verdict};
use tarka_instrument::{Build, Symboliser, UnitLayout};
use tarka_runner::{End, RunnerError};
use tarka_search::strategy::{self, StrategyError};
use tarka_search::{CandidateId, CandidateState, Coverage, HowEnded, RunTrace, Search};
use tarka_settings::Bounds;
use tarka_solver::{Optimistic, Reason, SMT, Solver};
use tarka_source::{FunctionId, SourceModel};
use tarka_terms::{Evaluator, Terms};
use tarka_trace::FaultSet;

use crate::Options;
use crate::aliases::Aliases;
use crate::attack::Twin;
use crate::attack::{Attacked, Tried};
use crate::budget::Budget;
use crate::contradiction::{Contradictions, Stable};
use crate::dump::Dump;
use crate::environment::{self, Environment};
use crate::epochs::{self, Epochs};
use crate::evidence;
use crate::faults::FaultBook;
use crate::keep::{Keeper, Offer};
use crate::leaps::Leaps;
use crate::losses::Losses;
use crate::preconditions::Preconditions;
use crate::refusal::Refusals;
use crate::shape::{
    InputBytes, Needed, Overruns, Ranges, Shape, ShapeLimits, ShapeRequest, SlotPath, Touches,
};
use crate::target::{Target, snapshots};
use crate::verdict::Ending;
use explain::Explaining;
use stretch::Stretches;
use words::Words;

/// The part of a unit's time in which is found out what its proofs rest on.
const SETTLE_AT_THE_END: u32 = 5;

/// Least time between two progress events.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// What a unit's loop works on.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub model: &'a SourceModel,
    pub build: &'a Build,
    /// The same program without instrumentation, to hold proofs to.
    pub twin: Option<&'a Twin<'a>>,
    pub options: &'a Options,
    /// Position in [`Build::units`].
    pub unit: usize,
}

impl<'a> Job<'a> {
    pub(crate) fn function(&self) -> FunctionId {
        self.layout().function
    }

    fn layout(&self) -> &'a UnitLayout {
        &self.build.units[self.unit]
    }

    fn name(&self) -> &'a str {
        &self.model.function(self.function()).name
    }

    /// How far the unit's inputs may grow; only a unit with state is called more than once.
    fn bounds(&self) -> Bounds {
        let bounds = self.options.settings.bounds_of(self.name());
        let calls = crate::file::most_calls(self.model, self.function(), &bounds);
        Bounds { calls, ..bounds }
    }

    pub(crate) fn shape(
        &self,
        limits: &ShapeLimits,
        ranges: &Ranges,
        roomy: &BTreeSet<SlotPath>,
    ) -> Shape<'a> {
        let layout = self.layout();
        Shape::new(&ShapeRequest {
            model: self.model,
            function: layout.function,
            roots: &layout.roots,
            stubs: &self.build.stubs,
            addresses: &self.build.addresses,
            first_free: layout.pointees_start,
            limits: limits.clone(),
            ranges: ranges.clone(),
            roomy: roomy.clone(),
        })
    }

    /// A search that knows nothing yet.
    pub(crate) fn search(&self) -> Result<Search, StrategyError> {
        let (model, function, options) = (self.model, self.function(), self.options);
        let strategy = strategy::by_name(&options.strategy)?;
        let asked = (function, options.criterion);
        let search = Search::new(model, &self.build.icfg, asked, strategy, options.seed);
        let mut search = if options.filter { search } else { search.without_filter() };
        if options.faults != FaultSet::NONE && !options.goals_only {
            search = search.beyond_goals(environment::allocations(self.build));
        }
        if let Some(aim) = &options.aim {
            search.aim(|_, goal| aim.asks(model, function, *goal));
        }
        Ok(search)
    }

    fn solver(&self, dump: Option<&Dump>) -> Box<dyn Solver + Send> {
        let solver = dump.map_or_else(self.options.solver, |dump| dump.solver(self.name()));
        if self.options.optimistic { Box::new(Optimistic::new(solver)) } else { solver }
    }

    /// The limits of the unit's first epoch.
    pub(crate) fn first_epoch(&self) -> Epochs {
        let settings = self.options.settings.functions.get(self.name());
        let sizes = settings.map(|settings| settings.sizes.clone()).unwrap_or_default();
        Epochs::new(self.bounds(), sizes)
    }
}

/// Why a unit's loop stopped short.
pub(crate) enum Failure {
    Runner(RunnerError),
    BeforeUnit,
    /// Its questions could not be written down.
    Dump(String),
}

impl From<RunnerError> for Failure {
    fn from(error: RunnerError) -> Failure {
        Failure::Runner(error)
    }
}

/// What a unit's loop came to.
pub(crate) struct Explored {
    pub result: UnitResult,
    /// A condition always went the same way, and no input decided it.
    pub one_sided: bool,
}

/// An input to run.
struct Next {
    input: InputBytes,
    /// The candidate it is for.
    aim: Option<CandidateId>,
    sharing: Sharing,
    /// Why the path to it could not be kept in mind: where the run goes is anyone's guess.
    hope: Option<Reason>,
    /// It goes the way of a run before, and is to do so without faults.
    is_mended: bool,
}

/// Whether pointers of an input may lead to one and the same object. Where such a pointer is followed, the run reads
/// other bytes than the path it was made from, so going elsewhere says nothing about the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sharing {
    None,
    Some,
    /// Even pointers that the path had followed lead elsewhere now: one way of many, taken to see what happens.
    Moved,
}

/// What a run was given, so that it can be repeated.
#[derive(Clone)]
pub(crate) struct Given<'a> {
    pub shape: Rc<Shape<'a>>,
    pub input: InputBytes,
    pub calls: u32,
    /// It took all the time or memory that a run may have.
    pub is_slow: bool,
}

/// The state of one unit's loop.
pub(crate) struct UnitLoop<'a> {
    job: Job<'a>,
    sink: &'a (dyn Fn(Event) + Sync),
    stacks: ending::Stacks<'a>,
    epochs: Epochs,
    shape: Rc<Shape<'a>>,
    /// Pointers that the unit was seen to order.
    ranges: Ranges,
    /// Pointers to more than their length says, and what runs did to counted objects without.
    roomy: BTreeSet<SlotPath>,
    overruns: Overruns,
    /// Pointers that runs died of because they were null.
    needed: Needed,
    search: Search,
    terms: Terms,
    solver: Box<dyn Solver + Send>,
    /// Where its questions are written down, if anywhere.
    dump: Option<Dump>,
    evaluator: Evaluator,
    target: Target,
    budget: Budget,
    preconditions: Preconditions<'a>,
    losses: Losses,
    environment: Environment,
    stable: Stable,
    contradictions: Contradictions,
    /// Runs made with inputs of the present size.
    runs_of_epoch: u64,
    refusals: Refusals,
    aliases: Aliases,
    faults: FaultBook,
    /// A run that covered something and is no test because of its faults.
    mend: Option<mend::Mend>,
    keeper: Keeper,
    /// What each kept run was given, and the first run of each fault.
    given_kept: Vec<Given<'a>>,
    given_faults: Vec<Given<'a>>,
    /// What some of all runs were given, for the attack on proofs, and what came of that.
    tried: Tried<'a>,
    attacked: Attacked,
    /// The input of each run of this epoch that found new decisions, by run number minus 1.
    inputs: Vec<Option<(InputBytes, Sharing)>>,
    /// What they take.
    input_bytes: usize,
    /// Candidates without an input, of which nobody knows yet whether only our bounds say so.
    unsettled: Vec<CandidateId>,
    /// Candidates whose questions were too hard for a short look.
    postponed: VecDeque<CandidateId>,
    /// Those of them that were asked again and are about checks.
    hard_faults: u32,
    leaps: Leaps,
    stretches: Stretches,
    words: Words,
    /// Inputs to run before any candidate.
    seeds: VecDeque<InputBytes>,
    /// What runs did with the objects behind pointers, and the sharing that was tried because of it.
    touches: Touches,
    shared: BTreeSet<(u32, u64)>,
    /// Pointers that were followed.
    followed: BTreeSet<u32>,
    /// Pointers of unions and the sites at which they were followed: other members were tried there.
    other_members: BTreeSet<(u32, u32)>,
    covered_ms: Vec<u64>,
    /// Each run that covered a goal first, with the questions before it.
    queries_before_runs: Vec<(u64, u64)>,
    /// Concretisations by site, over all runs.
    concretised: Vec<u64>,
    runs: u64,
    divergences: u64,
    /// Inputs made in hope that went where they should.
    hopes_come_true: u64,
    last_progress: Instant,
}

impl<'a> UnitLoop<'a> {
    pub(crate) fn new(
        job: Job<'a>,
        sink: &'a (dyn Fn(Event) + Sync),
        symboliser: &'a Symboliser,
        search: Search,
        target: Target,
        dump: Option<Dump>,
    ) -> UnitLoop<'a> {
        let goals = search.goals().goals().len();
        let epochs = job.first_epoch();
        let ranges = Ranges::new(job.options.defects.ranges_apart);
        let roomy = BTreeSet::new();
        let shape = Rc::new(job.shape(epochs.limits(), &ranges, &roomy));
        let asserts = &job.model.function(job.function()).uses.entry_asserts;
        UnitLoop {
            seeds: VecDeque::from([shape.first_input()]),
            shape,
            ranges,
            roomy,
            overruns: Overruns::default(),
            needed: Needed::default(),
            epochs,
            terms: Terms::new(),
            solver: job.solver(dump.as_ref()),
            dump,
            evaluator: Evaluator::new(),
            budget: Budget::new(job.options),
            preconditions: Preconditions::new(
                job.name(),
                job.options.settings.assumes_of(job.name()),
                asserts,
            ),
            losses: Losses::default(),
            environment: Environment::new(job.model, job.build, job.layout()),
            stable: Stable::new(job.model, job.build, job.function()),
            contradictions: Contradictions::new(job.function()),
            runs_of_epoch: 0,
            refusals: Refusals::default(),
            aliases: Aliases::default(),
            faults: FaultBook::new(job.options.faults),
            mend: None,
            keeper: Keeper::new(search.goals().goals(), |goal| search.goals().is_asked(goal)),
            given_kept: Vec::new(),
            given_faults: Vec::new(),
            tried: Tried::new(job.options.seed),
            attacked: Attacked::default(),
            inputs: Vec::new(),
            input_bytes: 0,
            unsettled: Vec::new(),
            postponed: VecDeque::new(),
            hard_faults: 0,
            leaps: Leaps::default(),
            stretches: Stretches::default(),
            words: Words::default(),
            touches: Touches::default(),
            shared: BTreeSet::new(),
            followed: BTreeSet::new(),
            other_members: BTreeSet::new(),
            covered_ms: vec![0; goals],
            queries_before_runs: Vec::new(),
            concretised: vec![0; job.build.sites.len()],
            runs: 0,
            divergences: 0,
            hopes_come_true: 0,
            last_progress: Instant::now(),
            job,
            sink,
            stacks: ending::Stacks::new(symboliser),
            search,
            target,
        }
    }

    /// The whole loop.
    pub(crate) fn explore(mut self) -> Explored {
        let goals_only = self.job.options.goals_only;
        let ending = loop {
            if goals_only && !self.is_unfinished() {
                break Ending::NothingLeft;
            }
            let next = match self.next_step() {
                Ok(next) => next,
                Err(ending) => break ending,
            };
            if let Err(failure) = self.run(&next) {
                return Explored { result: self.finish(Err(failure)), one_sided: false };
            }
            if proofs::is_due(self.runs) {
                self.prove();
            }
        };
        self.prove();
        let is_proof = |goal: &Goal| matches!(goal.verdict, Verdict::Infeasible { .. });
        if self.judged(&ending).goals.iter().any(is_proof) {
            self.settle_refused(SETTLE_AT_THE_END);
        }
        self.attack(&ending);
        if goals_only {
            self.keeper.kept.clear();
        } else {
            self.simplify_kept();
        }
        let written = self.dump.as_ref().map_or(Ok(()), Dump::finish);
        let one_sided = !self.environment.decided(self.job.model, self.job.function()).is_empty();
        Explored { result: self.finish(written.map_err(Failure::Dump).map(|()| ending)), one_sided }
    }

    /// The next input with the candidate it is for, from larger inputs if the present ones have nothing more to give.
    fn next_step(&mut self) -> Result<Next, Ending> {
        loop {
            if let Some(used_up) = self.budget.is_full(self.bytes()).filter(|_| self.runs > 0) {
                // With other inputs the paths so far are of no use.
                let begins_anew = self.is_unfinished() && self.widen();
                if !begins_anew || self.budget.is_full(self.bytes()).is_some() {
                    return Err(Ending::Budget(used_up));
                }
            }
            self.give_room(true);
            if let Some(input) = self.next_seed()? {
                let sharing = if self.shared.is_empty() { Sharing::None } else { Sharing::Some };
                return Ok(Next { input, aim: None, sharing, hope: None, is_mended: false });
            }
            if let Some(next) = self.mended().or_else(|| self.worded()) {
                return Ok(next);
            }
            if self.is_unfinished() && self.epochs.is_stale(self.effort()) && self.widen() {
                continue;
            }
            if let Some(next) = self.stretched(false) {
                return Ok(next);
            }
            match self.next_input() {
                Ok(next) => return Ok(next),
                Err(Ending::NothingLeft) if self.stretches.any() => {
                    if let Some(used_up) = self.budget.used_up(self.runs) {
                        return Err(Ending::Budget(used_up));
                    }
                    if let Some(next) = self.stretched(true) {
                        return Ok(next);
                    }
                }
                // Only memory is used up, which beginning anew may give back.
                Err(Ending::Budget(_)) if self.budget.used_up(self.runs).is_none() => {}
                Err(Ending::NothingLeft)
                    if (self.is_unfinished() || self.search.wants_failures()) && self.widen() => {}
                Err(ending) => return Err(ending),
            }
        }
    }

    /// Bytes that the search keeps. The caches of the solver have bounds of their own.
    fn bytes(&self) -> usize {
        self.search.bytes() + self.terms.bytes() + self.input_bytes
    }

    fn effort(&self) -> u64 {
        epochs::effort(self.runs, self.solver.figures().layer(SMT).asked)
    }

    fn next_seed(&mut self) -> Result<Option<InputBytes>, Ending> {
        let Some(seed) = self.seeds.pop_front() else { return Ok(None) };
        // A budget of nothing still buys one run, so that there is something to tell.
        match self.budget.used_up(self.runs).filter(|_| self.runs > 0) {
            Some(used_up) => Err(Ending::Budget(used_up)),
            None => Ok(Some(seed)),
        }
    }

    /// Goals are open, or no run met the preconditions.
    fn is_unfinished(&self) -> bool {
        self.search.goals().open() > 0 || !self.preconditions.any_met()
    }

    /// Runs the unit once, as often in a row as this epoch calls it, and takes in what it did.
    fn run(&mut self, next: &Next) -> Result<(), Failure> {
        self.run_calls(next, self.epochs.limits().calls)
    }

    fn run_calls(&mut self, next: &Next, calls: u32) -> Result<(), Failure> {
        let Next { input, aim, sharing, hope, is_mended } = next;
        let alone = *sharing == Sharing::None && hope.is_none();
        let objects = self.shape.objects(input);
        let limit = self.budget.run_limit();
        let started = Instant::now();
        let run = self.target.run(&objects, input, calls, limit)?;
        if run.end() == End::BeforeUnit {
            return Err(Failure::BeforeUnit);
        }
        match run.end() {
            End::Returned | End::Exited(_) => self.budget.ended_after(started.elapsed()),
            End::Timeout if !run.asked_in_vain() => self.budget.count_hang(),
            _ => {}
        }
        self.runs += 1;
        self.runs_of_epoch += 1;
        let number = self.runs;
        let end = ending::end_of(&run, &self.shape, &objects, input);
        let stack = self.stacks.of_end(&run);
        let refusal = self.preconditions.refusal(run.end(), &stack, run.events());
        let tables = snapshots(&run);
        let trace = RunTrace { events: run.events(), nodes: run.nodes(), tables: &tables, input };
        let counted = if refusal.is_none() { run.coverage() } else { &[] };
        let shown = evidence::of_run(self.job.model, &run);
        let believed = ending::believed(self.job.options.faults, &objects, input);
        let how_ended = match refusal {
            Some(_) => HowEnded::Refused,
            None if ending::ends_well(&run, end, believed) => HowEnded::Well,
            None => HowEnded::Badly,
        };
        self.search.set_objects(objects.iter().map(|object| object.offset));
        let known_nodes = self.search.tree().len();
        let path = RunTrace { events: ending::looked_at(&run), ..trace };
        let outcome = self.search.absorb(&mut self.terms, &path, &shown, (number, how_ended));
        let known = (&mut self.ranges, &mut self.aliases);
        let of = (&self.terms, &*self.shape);
        // An attack begins nothing anew.
        if self.attacked.goals.is_empty() && epoch::find_ranges(known, of, self.search.tree(), known_nodes) {
            // No caller gives pointers into different objects: what such a run shows is worth nothing.
            self.inputs.push(None);
            self.begin_joined();
            return Ok(());
        }
        let followed = (&mut self.followed, &mut self.aliases);
        epoch::find_followed(followed, (&self.terms, &self.shape), self.search.tree(), known_nodes);
        if matches!(end, End::Signal { .. } | End::Fault(_)) {
            let of = (&self.terms, &*self.shape);
            let new = (self.search.tree(), known_nodes);
            let found = epoch::find_needed(&mut self.aliases, of, new, (run.events(), input));
            found.into_iter().for_each(|path| self.needed.note(path));
        }
        let tried = (&mut self.other_members, &mut self.aliases);
        let new = (self.search.tree(), known_nodes);
        self.seeds.extend(epoch::as_other_members(tried, (&self.terms, &self.shape), new, input));
        ending::failed_sites(&run).for_each(|site| self.search.site_failed(site));
        let has_news = outcome.path.new_nodes + outcome.path.new_checks > 0;
        self.overruns.absorb(&objects, &run, end, how_ended == HowEnded::Well);
        if has_news {
            self.touches.absorb(&objects, input, &run);
            self.solver.ran(Arc::new(input.clone()));
        }
        if self.job.options.faults.has(FaultKind::OutOfBounds) && !self.job.options.goals_only {
            self.stretches.note(run.long_texts(), input, *sharing);
        }
        self.words.note(run.met_words(), input, *sharing);
        let is_slow = ending::is_slow(&run, end);
        let given = || Given { shape: self.shape.clone(), input: input.clone(), calls, is_slow };
        if self.job.twin.is_some() {
            self.tried.add(given);
        }
        self.input_bytes += if has_news { input.bytes_kept() } else { 0 };
        self.inputs.push(has_news.then(|| (input.clone(), *sharing)));
        self.environment.absorb(run.events(), counted);
        if calls == 1 {
            self.stable.absorb(&mut self.terms, self.search.sites(), &trace, &run);
        }
        let ms = self.budget.elapsed_ms();
        outcome.coverage.new.iter().for_each(|&goal| self.covered_ms[goal as usize] = ms);
        for (total, &count) in self.concretised.iter_mut().zip(run.concretised()) {
            *total += count as u64;
        }
        if let (&Some(candidate), Some(reason)) = (aim, hope) {
            let came_true = questions::came_true(&mut self.search, &mut self.losses, candidate, reason);
            self.hopes_come_true += u64::from(came_true);
        } else if let &Some(candidate) = aim {
            let is_fault = self.search.tree().candidate(candidate).is_fault;
            let diverged = self.search.learn(candidate, CandidateState::Done) == CandidateState::Diverged;
            let is_whole = path.events.len() == trace.events.len();
            self.divergences += u64::from(diverged && alone && is_whole);
            self.losses.moved += u64::from(diverged && *sharing == Sharing::Moved && !is_fault);
        }
        self.losses.differing += u64::from(outcome.path.differs && alone);
        ending::note_losses(&mut self.losses, self.job.model, (&run, end), &outcome.path, &objects);
        if let Some(refusal) = refusal {
            let reached = self.search.goals().covers(&shown);
            if let Some((site, outcome)) = self.preconditions.refused(refusal, &reached, run.events()) {
                self.search.exclude(site, outcome);
            }
        } else {
            self.preconditions.met();
            let ended = ending::ended(&self.job, &self.stacks, (&run, end, believed), stack, limit);
            let record = || self.shape.record(&objects, input, &run);
            let known = self.faults.faults.len();
            let entered = self.faults.enter(&ended, number, record);
            let mut explaining = Explaining {
                job: self.job,
                shape: &self.shape,
                terms: &mut self.terms,
                solver: &mut *self.solver,
                trace: &trace,
                input,
                waited: run.waited(),
                exhausted: run.stub_exhausted().map(|stub| (stub, run.stub_exhausted_events())),
            };
            explaining.explain(&mut self.faults, known);
            self.given_faults.resize_with(self.faults.faults.len(), given);
            let shown_again = entered.faults.iter().map(|&fault| fault as usize).zip(entered.moments);
            for (fault, moment) in shown_again.filter(|(fault, _)| *fault < known) {
                if explaining.reconsider(&mut self.faults, (fault, moment), number, record) {
                    self.given_faults[fault] = given();
                }
            }
            let is_news = how_ended == HowEnded::Badly && !outcome.coverage.new.is_empty();
            if is_news && !is_mended && matches!(end, End::Returned | End::Exited(_)) {
                self.mend = mend::Mend::of(&mut self.terms, self.search.sites(), &trace, (input, *sharing));
            }
            let offer =
                Offer { run: number, coverage: &outcome.coverage, evidence: &shown, end: entered.end };
            if self.keeper.offer(offer, record) {
                self.given_kept.push(given());
            }
        }
        if !outcome.coverage.new.is_empty() {
            self.queries_before_runs.push((number, self.solver.figures().queries));
        }
        if !outcome.coverage.new.is_empty() || number == 1 {
            self.epochs.news(self.effort());
        }
        self.report_progress(&outcome.coverage);
        Ok(())
    }

    fn report_progress(&mut self, coverage: &Coverage) {
        if self.last_progress.elapsed() < PROGRESS_INTERVAL && (coverage.new.is_empty() || self.runs > 1) {
            return;
        }
        self.last_progress = Instant::now();
        (self.sink)(Event::Progress {
            function: self.job.name().to_string(),
            covered: self.search.goals().covered() as u32,
            goals: self.search.goals().asked() as u32,
            runs: self.runs,
            faults: self.faults.faults.len() as u32,
        });
    }
}
