//! What is written down about a unit's runs: figures, what was lost, and what verdicts rest on.
//!
//! Takes runs, gives what `verdicts` and the result need of them. Never: which input comes next.

use tarka_search::{CandidateState, Search};
use tarka_verdicts::{Attacked, Contradictions, Environment, Losses, Preconditions, Stable, Tried};

use super::job::Job;
use super::next::{Aliasing, Next};
use super::questions::optimistic_hit;

/// Figures of a unit, and what its verdicts rest on.
pub(super) struct RunRecords<'a> {
    pub preconditions: Preconditions<'a>,
    pub losses: Losses,
    pub environment: Environment,
    pub stable: Stable,
    pub contradictions: Contradictions,
    /// What some of all runs were given, for the attack on proofs, and what came of that.
    pub tried: Tried<'a>,
    pub attacked: Attacked,
    pub covered_ms: Vec<u64>,
    /// Each run that covered a goal first, with the questions before it.
    pub queries_before_runs: Vec<(u64, u64)>,
    /// Concretisations by site, over all runs.
    pub concretised: Vec<u64>,
    pub runs: u64,
    /// Runs made with inputs of the present size.
    pub runs_of_epoch: u64,
    pub divergences: u64,
    /// Inputs made for the flipped branch alone that went where they should.
    pub optimistic_hits: u64,
}

impl<'a> RunRecords<'a> {
    /// Empty books for a unit with so many goals.
    pub(super) fn new(job: &Job<'a>, goals: usize) -> RunRecords<'a> {
        let asserts = &job.model.function(job.function()).uses.entry_asserts;
        let assumes = job.options.settings.assumes_of(job.name());
        RunRecords {
            preconditions: Preconditions::new(job.name(), assumes, asserts),
            losses: Losses::default(),
            environment: Environment::new(job.model, job.build, job.layout()),
            stable: Stable::new(job.model, job.build, job.function()),
            contradictions: Contradictions::new(job.function()),
            tried: Tried::new(job.options.seed),
            attacked: Attacked::default(),
            covered_ms: vec![0; goals],
            queries_before_runs: Vec::new(),
            concretised: vec![0; job.build.sites.len()],
            runs: 0,
            runs_of_epoch: 0,
            divergences: 0,
            optimistic_hits: 0,
        }
    }

    /// Takes another run; gives its number.
    pub(super) fn count_run(&mut self) -> u64 {
        self.runs += 1;
        self.runs_of_epoch += 1;
        self.runs
    }

    /// Notes when goals were covered, and how often values became concrete.
    pub(super) fn note_figures(&mut self, covered: &[u32], ms: u64, concretised: &[u32]) {
        covered.iter().for_each(|&goal| self.covered_ms[goal as usize] = ms);
        for (total, &count) in self.concretised.iter_mut().zip(concretised) {
            *total += u64::from(count);
        }
    }

    /// Notes whether a run went where its input was to lead it. `is_whole` says that all of its path was looked at.
    pub(super) fn note_aim(&mut self, search: &mut Search, next: &Next, is_whole: bool) {
        let Some(candidate) = next.aim else { return };
        if let Some(reason) = &next.optimistic {
            self.optimistic_hits += u64::from(optimistic_hit(search, &mut self.losses, candidate, reason));
            return;
        }
        let is_fault = search.tree().candidate(candidate).is_fault;
        let diverged = search.learn(candidate, CandidateState::Done) == CandidateState::Diverged;
        self.divergences += u64::from(diverged && next.is_alone() && is_whole);
        self.losses.moved += u64::from(diverged && next.aliasing == Aliasing::Moved && !is_fault);
    }

    /// Begins anew with other inputs: what was lost was lost with the old ones.
    pub(super) fn begin(&mut self) {
        self.losses = Losses::default();
        self.runs_of_epoch = 0;
    }

    /// Forgets what runs covered and decided: they are to be made again.
    pub(super) fn forget_runs(&mut self, job: &Job<'a>) {
        self.covered_ms.iter_mut().for_each(|ms| *ms = 0);
        self.queries_before_runs.clear();
        self.concretised.iter_mut().for_each(|count| *count = 0);
        self.environment = Environment::new(job.model, job.build, job.layout());
    }
}
