//! Candidates that make a check fail: each check site gets a few attempts, the least tried site first.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use crate::candidate::{CandidateId, CandidateState};
use crate::tree::PathTree;

/// Attempts per check site. A check that cannot be made to fail on its first few paths rarely fails on later ones,
/// and a loop reaches it thousands of times.
const ATTEMPTS: u32 = 6;

/// Fault candidates by check site.
#[derive(Default)]
pub(crate) struct FaultQueue {
    waiting: HashMap<u32, VecDeque<CandidateId>>,
    attempts: HashMap<u32, u32>,
    /// Sites with waiting candidates and attempts left: (attempts so far, site).
    ready: BTreeSet<(u32, u32)>,
    failed: HashSet<u32>,
}

impl FaultQueue {
    pub(crate) fn push(&mut self, site: u32, candidate: CandidateId) {
        let attempts = self.attempts.get(&site).copied().unwrap_or(0);
        if attempts >= ATTEMPTS || self.failed.contains(&site) {
            return;
        }
        self.waiting.entry(site).or_default().push_back(candidate);
        self.ready.insert((attempts, site));
    }

    /// A check that failed once has told what it can.
    pub(crate) fn site_failed(&mut self, site: u32) {
        self.failed.insert(site);
        self.retire(site);
    }

    /// Forgets candidates and attempts. A site that has failed stays settled.
    pub(crate) fn restart(&mut self) {
        *self = FaultQueue { failed: std::mem::take(&mut self.failed), ..FaultQueue::default() };
    }

    fn retire(&mut self, site: u32) {
        let attempts = self.attempts.get(&site).copied().unwrap_or(0);
        self.ready.remove(&(attempts, site));
        self.waiting.remove(&site);
    }

    pub(crate) fn choose(&mut self, tree: &PathTree) -> Option<CandidateId> {
        while let Some(&(attempts, site)) = self.ready.first() {
            let waiting = self.waiting.entry(site).or_default();
            let open = |&id: &CandidateId| tree.candidate(id).state == CandidateState::Open;
            let chosen = std::iter::from_fn(|| waiting.pop_front()).find(open);
            let exhausted = waiting.is_empty();
            self.ready.remove(&(attempts, site));
            if chosen.is_none() {
                continue;
            }
            self.attempts.insert(site, attempts + 1);
            if attempts + 1 < ATTEMPTS && !exhausted {
                self.ready.insert((attempts + 1, site));
            } else if attempts + 1 >= ATTEMPTS {
                self.retire(site);
            }
            return chosen;
        }
        None
    }
}
