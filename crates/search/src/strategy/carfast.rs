//! `carfast`: a baseline of paper 3 (§2.3.3): of the candidates whose branch is uncovered, one whose branch has the most
//! statements depending on it, directly or through others; the shorter path among equals.
//!
//! When no candidate's branch is uncovered there is nothing to be greedy for, and a random branch is taken.

use super::kinds::{KindFacts, Kinds, Pick};
use super::{RandomBranch, RunSummary, Strategy, UnitFacts, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;
use crate::statics::dependence::dependent_statements;

/// Most dependent statements first.
pub struct CarFast {
    statements: Vec<u32>,
    uncovered: Kinds<u32>,
    random: RandomBranch,
}

impl Default for CarFast {
    fn default() -> CarFast {
        CarFast {
            statements: Vec::new(),
            uncovered: Kinds::new(Pick::Shortest),
            random: RandomBranch::default(),
        }
    }
}

fn value(view: View, statements: &[u32], kind: KindFacts) -> Option<u32> {
    let branch = kind.branch.filter(|_| view.wants_open_goal(kind.sample))?;
    Some(statements.get(branch as usize).copied().unwrap_or(0))
}

impl Strategy for CarFast {
    fn name(&self) -> &'static str {
        "carfast"
    }

    fn prepare(&mut self, unit: UnitFacts) {
        self.statements = dependent_statements(unit);
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        // Every candidate is with the random ones as well, so one whose branch gets covered is not lost.
        self.random.absorb(view, new, run);
        let CarFast { statements, uncovered, .. } = self;
        uncovered.revalue_decisions(view, |kind| value(view, statements, kind));
        uncovered.absorb(view, new.iter().copied(), |kind| value(view, statements, kind));
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        let CarFast { statements, uncovered, random } = self;
        let greedy = uncovered.choose(view, rng, |kind| value(view, statements, kind));
        greedy.or_else(|| random.choose(view, rng))
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn restart(&mut self) {
        self.uncovered.clear();
        self.random.restart();
    }
}
