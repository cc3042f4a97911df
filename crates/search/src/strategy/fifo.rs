//! `fifo`: first in, first out, which is what paper 4 measures its learned selection against.
//!
//! Candidates are tried in the order in which they were found: those of one run, from the top, before those of the next.

use std::collections::VecDeque;

use super::{RunSummary, Strategy, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// First in, first out.
#[derive(Default)]
pub struct FirstInFirstOut {
    queue: VecDeque<CandidateId>,
}

impl Strategy for FirstInFirstOut {
    fn name(&self) -> &'static str {
        "fifo"
    }

    fn absorb(&mut self, _view: View, new: &[CandidateId], _run: RunSummary) {
        self.queue.extend(new);
    }

    fn choose(&mut self, view: View, _rng: &mut Rng) -> Option<CandidateId> {
        std::iter::from_fn(|| self.queue.pop_front()).find(|&candidate| view.is_open(candidate))
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn restart(&mut self) {
        *self = FirstInFirstOut::default();
    }
}
