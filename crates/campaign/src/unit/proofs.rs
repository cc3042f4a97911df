//! Proofs in between: branches that contradict what holds on every way to them are no goals any longer.

use tarka_verdicts::Means;

use super::UnitLoop;

/// Runs after which a proof is tried first; then each time they have doubled.
const FIRST: u64 = 16;

/// True if it is time to look for proofs after this many runs.
pub(super) fn is_due(runs: u64) -> bool {
    runs >= FIRST && runs.is_power_of_two()
}

impl UnitLoop<'_> {
    /// Proves what can be proved of the branches that no run has taken, and gives them up.
    pub(super) fn prove(&mut self) {
        if !self.is_unfinished() {
            return;
        }
        let (model, environment) = (self.job.model, &self.records.environment);
        let mut means = Means {
            model,
            icfg: &self.job.build.icfg,
            stable: &self.records.stable,
            terms: &mut self.explorer.terms,
            solver: &mut *self.explorer.solver,
        };
        let is_open = |site, outcome| !environment.is_taken(model, (site, outcome));
        if self.records.contradictions.prove(&mut means, is_open) {
            for &(site, outcome) in self.records.contradictions.proved().keys() {
                self.explorer.search.exclude(site, outcome);
            }
        }
    }
}
