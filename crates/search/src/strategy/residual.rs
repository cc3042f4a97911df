//! `residual`: branch residual, the baseline of paper 5 (its reference 9).
//!
//! The residual of a branch is what is still open at it and behind it. The search goes down from the start of the unit, at
//! every decision the way with the greatest residual, the way that runs have taken among equals. Where that is a way not
//! taken, it is handed out, and the search goes on behind it once a run is there. At the end of a path, all others by
//! residual have their turn, until something new is covered and it begins again from the start.

use super::kinds::{KindFacts, Kinds, Pick};
use super::{RunSummary, Strategy, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::paths::tree::{NodeId, PathNode};
use crate::rng::Rng;
use tarka_trace::EventKind;

/// Branch residual.
pub struct Residual {
    /// Where the way down has got to; `None` when it has come to an end.
    place: Option<Place>,
    pool: Kinds<u32>,
}

#[derive(Clone, Copy)]
enum Place {
    Start,
    /// Behind a way not taken that was handed out at this decision.
    Flipped(NodeId, CandidateId),
}

impl Default for Residual {
    fn default() -> Residual {
        Residual { place: Some(Place::Start), pool: Kinds::new(Pick::Shortest) }
    }
}

fn value(view: View, kind: KindFacts) -> Option<u32> {
    Some(kind.branch.map_or(0, |branch| view.filter.open_behind(branch)))
}

/// What lies open behind a decision that goes this way.
fn residual(view: View, node: &PathNode, outcome: u64) -> u32 {
    let is_source = matches!(node.kind, EventKind::Condition | EventKind::Switch);
    let own = u32::try_from(outcome).ok().filter(|_| is_source);
    let own = own.and_then(|outcome| view.sites.coverage_index(node.site, outcome));
    own.or(node.branch_before()).map_or(0, |branch| view.filter.open_behind(branch))
}

impl Residual {
    /// Goes down as far as there is a way; gives the first way not taken that promises more.
    fn go_down(&mut self, view: View) -> Option<CandidateId> {
        let mut at = match self.place? {
            Place::Start => view.tree.first_after(None),
            Place::Flipped(node, candidate) => {
                let flipped = view.tree.candidate(candidate);
                match flipped.state {
                    CandidateState::Done => {
                        let mut edges = view.tree.node(node).edges.iter();
                        edges.find(|edge| edge.outcome == flipped.outcome).and_then(|edge| edge.child)
                    }
                    // It could not be taken: the decision has another best way now.
                    _ => Some(node),
                }
            }
        };
        while let Some(id) = at {
            let node = view.tree.node(id);
            let flips = node
                .candidates
                .clone()
                .map(CandidateId)
                .filter(|&flip| view.is_open(flip) && !view.tree.candidate(flip).is_fault);
            let flip = flips
                .map(|flip| (residual(view, node, view.tree.candidate(flip).outcome), flip))
                .max_by_key(|&(residual, flip)| (residual, std::cmp::Reverse(flip)));
            let taken = node.edges.iter().map(|edge| (residual(view, node, edge.outcome), edge.child));
            let taken = taken.reduce(|best, next| if next.0 > best.0 { next } else { best });
            if let Some((promise, flip)) = flip
                && taken.is_none_or(|(residual, _)| promise > residual)
            {
                self.place = Some(Place::Flipped(id, flip));
                return Some(flip);
            }
            at = taken.and_then(|(_, child)| child);
        }
        self.place = None;
        None
    }
}

impl Strategy for Residual {
    fn name(&self) -> &'static str {
        "residual"
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        if !run.new_goals.is_empty() && self.place.is_none() {
            self.place = Some(Place::Start);
        }
        self.pool.absorb(view, new.iter().copied(), |kind| value(view, kind));
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        self.go_down(view).or_else(|| self.pool.choose(view, rng, |kind| value(view, kind)))
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn restart(&mut self) {
        *self = Residual::default();
    }
}
