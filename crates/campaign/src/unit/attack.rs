//! The attack on a unit's proofs: the plain program runs on many inputs, and what takes a side that was called infeasible is
//! looked at on the target.
//!
//! A run of the plain program alone proves nothing wrong: it may have gone on through something undefined, or beyond a bound of
//! inputs. The target says which. Where it takes the side as well, the run is an ordinary one and the goal is covered;
//! where it goes another way without a word, something is wrong with us, and that is said.

use std::collections::HashSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tarka_events::{KeptRun, RunEnd, Verdict};
use tarka_faults::{believed, end_of, recorded};
use tarka_inputs::{PlainInputs, ReplayInput, Shape};
use tarka_instrument::PlainBuild;
use tarka_runner::{End, RunnerError};
use tarka_search::{Goals, HowEnded};
use tarka_source::{EvaluationKey, Evidence};
use tarka_trace::FaultKind;
use tarka_verdicts::{AttackedGoal, Doubt, Ending, Hit, Vary, stopped};

use super::finish::Judged;
use super::next::{Aliasing, Next};
use super::{Failure, UnitLoop};
use crate::clock::Clock;
use crate::evidence;
use crate::target::{Forked, Limits, Target};

/// How long a run of the plain program may take.
const RUN_LIMIT: Duration = Duration::from_millis(30);

/// How long the target may take where the plain program took no longer than that.
const LOOK_LIMIT: Duration = Duration::from_millis(400);

/// Runs of it that took longer, after which the attack is over.
const MOST_TIMEOUTS: u32 = 5;

/// Inputs that are made for each that is run, at most: some are the same as others.
const MOST_TRIES: usize = 4;

/// Most known inputs that are run as they are.
const MOST_KNOWN: usize = 200;

/// How many times as many inputs a unit gets in which a proof was wrong: there are more to find.
const MORE_WHERE_WRONG: u32 = 8;

/// Inputs of one goal that are looked at on the target.
const MOST_LOOKS: u32 = 8;

/// Runs of the attack are numbered from here on where they stand beside those of the search.
const FIRST_NUMBER: u64 = 1 << 40;

/// What makes an input another one: shape, calls and bytes.
type Key<'a> = (*const Shape<'a>, u32, Vec<(u32, u8)>);

/// The plain program at work.
struct Attacker<'t, 'a> {
    target: Forked,
    handed: PlainInputs<'t>,
    /// The goals with what the search covered and what the plain program covers.
    known_goals: Goals,
    /// The inputs so far, and all that were tried, refused or not.
    inputs: Vec<ReplayInput<'a>>,
    tried: HashSet<Key<'a>>,
    /// What inputs are made of: those of the search, and those that went a new way here.
    known: Vec<ReplayInput<'a>>,
    ways: HashSet<Vec<u8>>,
    timeouts: u32,
    clock: Rc<Clock>,
}

/// What a run of the plain program did.
struct PlainRun {
    evidence: Evidence,
    end: End,
}

/// What the target does with an input of the attack.
enum Rerun {
    /// A precondition ended the run.
    Refused,
    /// It does the same.
    Same(Box<KeptRun>),
    /// It stopped before.
    Stopped(Doubt),
    /// It did something else.
    Differs(Box<KeptRun>),
}

/// What a run is to show.
enum Wanted {
    Goal(u32),
    /// Half of a pair.
    Evaluation(EvaluationKey),
}

impl Wanted {
    fn is_shown(&self, goals: &Goals, evidence: &Evidence) -> bool {
        match self {
            Wanted::Goal(goal) => goals.covers(evidence).contains(goal),
            Wanted::Evaluation(key) => evidence.evaluations.contains(key),
        }
    }
}

impl<'a> Attacker<'_, 'a> {
    /// False for an input that was tried before.
    fn is_new(&mut self, given: &ReplayInput<'a>) -> bool {
        let bytes = given.input.changed_within(0, u32::MAX).to_vec();
        self.tried.insert((Rc::as_ptr(&given.shape), given.calls, bytes))
    }

    /// The runs that cover a goal together, each with its part in that.
    fn parts(&self, goal: usize, number: u64) -> Vec<(u64, Wanted)> {
        match self.known_goals.pair(goal) {
            Some((held, failed)) => {
                [held, failed].map(|(key, run)| (run, Wanted::Evaluation(key))).into_iter().collect()
            }
            None => vec![(number, Wanted::Goal(goal as u32))],
        }
    }

    /// Runs the plain program; `None` if a precondition ended the run.
    fn run(&mut self, unit: &UnitLoop<'a>, given: &ReplayInput<'a>) -> Result<Option<PlainRun>, RunnerError> {
        let objects = given.shape.objects(&given.input);
        let bytes = self.handed.bytes(&objects, &given.input);
        let run = self.target.run_bytes(&objects, &bytes, given.calls, RUN_LIMIT)?;
        let asserts = &unit.job.model.function(unit.job.function()).uses.entry_asserts;
        let is_refused = match run.end() {
            End::Assumption(_) | End::BeforeUnit => true,
            End::Fault(FaultKind::Assertion) => !asserts.is_empty(),
            _ => false,
        };
        self.timeouts += u32::from(run.end() == End::Timeout);
        self.clock.add(run.used());
        let (end, evidence) = (run.end(), evidence::of_run(unit.job.model, &run));
        Ok((!is_refused).then_some(PlainRun { evidence, end }))
    }
}

impl<'a> UnitLoop<'a> {
    /// Attacks every proof that would be told.
    pub(super) fn attack(&mut self, ending: &Ending) {
        let most = self.job.options.attacks;
        let Some(plain_program) = self.job.plain_program.filter(|_| most > 0) else { return };
        self.explorer.give_up_postponed(&mut self.records.losses);
        let Judged { goals, .. } = self.judged(ending);
        let is_asked = |index: usize| self.explorer.search.goals().is_asked(index);
        for (index, goal) in goals.into_iter().enumerate().filter(|(index, _)| is_asked(*index)) {
            if let Verdict::Infeasible { proof, reason, .. } = goal.verdict {
                let attacked = AttackedGoal { proof, claim: reason, looks: 0, hits: 0, hit: None };
                self.records.attacked.goals.insert(index, attacked);
            }
        }
        if self.records.attacked.goals.is_empty() {
            return;
        }
        let began = Instant::now();
        let outcome = match plain_program.get() {
            Ok(plain) => self.attack_with(plain, most).map_err(|error| error.to_string()),
            Err(message) => Err(format!("the plain program could not be built: {message}")),
        };
        self.records.attacked.why_not = outcome.err();
        self.records.attacked.figures.ms = began.elapsed().as_millis() as u64;
    }

    fn attack_with(&mut self, plain: &PlainBuild, most: u32) -> Result<(), RunnerError> {
        let job = self.job;
        let limits = Limits {
            unit: job.unit as u32,
            memory: job.options.memory_limit,
            site_count: 0,
            coverage_len: job.build.coverage_len,
            self_check: false,
        };
        let mut attacker = Attacker {
            target: Forked::start(&plain.exe, limits, &job.options.allow)?,
            handed: PlainInputs::new(job.build, plain, job.unit),
            known_goals: self.explorer.search.goals().clone(),
            inputs: Vec::new(),
            tried: HashSet::new(),
            known: self.known_inputs(),
            ways: HashSet::new(),
            timeouts: 0,
            clock: Clock::start(),
        };
        let of_search = attacker.known.len().min(MOST_KNOWN);
        let mut vary = Vary::new(plain, job.model, job.function(), job.options.seed);
        for number in 0..MOST_TRIES * (MORE_WHERE_WRONG * most) as usize {
            let next = attacker.known.get(number).filter(|_| number < of_search).cloned();
            let Some(given) = next.or_else(|| vary.next(&attacker.known)) else { break };
            if attacker.is_new(&given) {
                self.attack_once(&mut attacker, given)?;
            }
            let times = if self.records.attacked.is_any_settled() { MORE_WHERE_WRONG } else { 1 };
            let (runs, tries) = (self.records.attacked.figures.runs, number as u64 + 1);
            let is_enough =
                runs >= (times * most).into() || tries >= MOST_TRIES as u64 * u64::from(times * most);
            let is_late = attacker.clock.left_of(job.options.attack_time * times).is_zero();
            let is_slow = attacker.timeouts >= MOST_TIMEOUTS || is_late;
            if is_enough || is_slow || self.records.attacked.is_over() {
                break;
            }
        }
        Ok(())
    }

    /// What runs were given, the kept ones first.
    fn known_inputs(&self) -> Vec<ReplayInput<'a>> {
        self.findings.given().chain(self.records.tried.kept()).cloned().collect()
    }

    /// Runs the plain program once and follows up what it shows.
    fn attack_once(
        &mut self,
        attacker: &mut Attacker<'_, 'a>,
        given: ReplayInput<'a>,
    ) -> Result<(), RunnerError> {
        self.records.attacked.figures.runs += 1;
        let Some(run) = attacker.run(self, &given)? else { return Ok(()) };
        self.records.attacked.inputs += 1;
        if run.end != End::Timeout && attacker.ways.insert(run.evidence.outcomes.clone()) {
            attacker.known.push(given.clone());
        }
        attacker.inputs.push(given);
        let number = FIRST_NUMBER + attacker.inputs.len() as u64 - 1;
        let coverage = attacker.known_goals.absorb(&run.evidence, number, HowEnded::Well);
        let mut taken = coverage.covers;
        taken.extend(coverage.new);
        taken.sort_unstable();
        taken.dedup();
        // What hangs here hangs there, and longer.
        let is_told = |_: &u32| run.end != End::Timeout;
        for goal in taken.into_iter().filter(is_told).map(|goal| goal as usize) {
            // A pair stays the one that came first.
            let most = if attacker.known_goals.pair(goal).is_some() { 1 } else { MOST_LOOKS };
            let Some(attacked) = self.records.attacked.goals.get_mut(&goal) else { continue };
            if attacked.is_settled() || attacked.looks >= most {
                continue;
            }
            attacked.looks += 1;
            if let Some(hit) = self.follow_up(attacker, goal, number, run.end)?
                && let Some(attacked) = self.records.attacked.goals.get_mut(&goal)
            {
                attacked.add(hit);
            }
        }
        Ok(())
    }

    /// What the target says to the inputs by which the plain program covers a goal; `None` if they do not count.
    fn follow_up(
        &mut self,
        attacker: &mut Attacker<'_, 'a>,
        goal: usize,
        number: u64,
        end: End,
    ) -> Result<Option<Hit>, RunnerError> {
        let ended_well = matches!(end, End::Returned | End::Exited(_));
        let mut covering = None;
        for (number, wanted) in attacker.parts(goal, number) {
            // The search has made the other half of a pair itself.
            let Some(index) = number.checked_sub(FIRST_NUMBER) else { continue };
            let given = attacker.inputs[index as usize].clone();
            match self.look(&given, &wanted)? {
                Rerun::Same(run) => {
                    self.absorb_attack(&given)?;
                    covering = Some(run);
                }
                Rerun::Refused => return Ok(None),
                Rerun::Stopped(_) | Rerun::Differs(_) if !ended_well => return Ok(None),
                Rerun::Stopped(doubt) => return Ok(Some(Hit::Stopped(doubt))),
                Rerun::Differs(run) => {
                    // Something that is no input may have decided: then the plain program does not do it again either.
                    let again = attacker.run(self, &given)?;
                    let is_same =
                        again.is_some_and(|run| wanted.is_shown(&attacker.known_goals, &run.evidence));
                    return Ok(is_same.then_some(Hit::Contradicted(run)));
                }
            }
        }
        let is_covered = self.explorer.search.goals().first_run(goal).is_some();
        Ok(covering.filter(|_| is_covered).map(Hit::Covered))
    }

    /// Runs the target on an input of the attack, without taking in what it does.
    fn look(&mut self, given: &ReplayInput<'a>, wanted: &Wanted) -> Result<Rerun, RunnerError> {
        let objects = given.shape.objects(&given.input);
        let limit = self.budget.run_limit().min(LOOK_LIMIT);
        let run = self.executor.target.run(&objects, &given.input, given.calls, limit)?;
        let stack = self.executor.stacks.of_end(&run);
        if self.records.preconditions.refusal(run.end(), &stack, run.events()).is_some() {
            return Ok(Rerun::Refused);
        }
        let evidence = evidence::of_run(self.job.model, &run);
        let is_shown = wanted.is_shown(self.explorer.search.goals(), &evidence);
        let end = end_of(&run, &given.shape, &objects, &given.input);
        let believed = believed(self.job.options.faults, &objects, &given.input);
        let fault = recorded(&run, believed).find(|(kind, _)| *kind != FaultKind::Leak);
        let fault = fault.map(|(kind, record)| {
            let frames = record.backtrace_len.min(16) as usize;
            (
                kind,
                self.executor.stacks.of(&record.backtrace[..frames]).first().map(|(_, place)| place.clone()),
            )
        });
        let place = stack.first().map(|(_, place)| place.clone());
        let stopped = stopped(end, run.stack_overflow(), place, fault, run.stub_exhausted().is_some());
        match stopped {
            Some(doubt) if !is_shown => return Ok(Rerun::Stopped(doubt)),
            _ => {}
        }
        let run = Box::new(KeptRun {
            run: 0,
            executed: given.shape.record(&objects, &given.input, &run),
            covers: self.explorer.search.goals().covers(&evidence),
            end: match end {
                End::Returned => RunEnd::Returned,
                End::Exited(status) => RunEnd::Exited(status),
                _ => RunEnd::NotLookedFor,
            },
            evidence,
        });
        Ok(if is_shown { Rerun::Same(run) } else { Rerun::Differs(run) })
    }

    /// Takes a run of the attack in as if the search had made it.
    fn absorb_attack(&mut self, given: &ReplayInput<'a>) -> Result<(), RunnerError> {
        let input = given.input.clone();
        let next = Next { is_retry: true, ..Next::tried(input, Aliasing::Some) };
        let shape = std::mem::replace(&mut self.executor.input_pool.shape, given.shape.clone());
        let outcome = self.run_calls(&next, given.calls);
        self.executor.input_pool.shape = shape;
        match outcome {
            Err(Failure::Runner(error)) => Err(error),
            _ => Ok(()),
        }
    }
}
