//! `random-branch`: a branch drawn evenly from all branches that some candidate could take, then one of that
//! branch's candidates drawn evenly.
//!
//! A loop's condition may own thousands of candidates and a condition behind it one: drawing the branch first gives
//! both the same chance.

use rustc_hash::FxHashMap;

use super::{RunSummary, Strategy, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// Random branch.
#[derive(Default)]
pub struct RandomBranch {
    /// Branches with candidates; the order is that of discovery, changed only by `swap_remove`.
    branches: Vec<((u32, u64), Vec<CandidateId>)>,
    index: FxHashMap<(u32, u64), usize>,
}

impl RandomBranch {
    fn forget(&mut self, slot: usize) {
        let (branch, _) = self.branches.swap_remove(slot);
        self.index.remove(&branch);
        if let Some((moved, _)) = self.branches.get(slot) {
            self.index.insert(*moved, slot);
        }
    }
}

impl Strategy for RandomBranch {
    fn name(&self) -> &'static str {
        "random-branch"
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], _run: RunSummary) {
        for &candidate in new {
            let branch = view.branch(candidate);
            let slot = *self.index.entry(branch).or_insert(self.branches.len());
            if slot == self.branches.len() {
                self.branches.push((branch, Vec::new()));
            }
            self.branches[slot].1.push(candidate);
        }
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        while !self.branches.is_empty() {
            let slot = rng.below(self.branches.len());
            let candidates = &mut self.branches[slot].1;
            // Settled candidates are thrown out as they come up; each is drawn at most once, so this ends.
            while !candidates.is_empty() {
                let candidate = candidates.swap_remove(rng.below(candidates.len()));
                if view.is_open(candidate) {
                    return Some(candidate);
                }
            }
            self.forget(slot);
        }
        None
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn restart(&mut self) {
        *self = RandomBranch::default();
    }
}
