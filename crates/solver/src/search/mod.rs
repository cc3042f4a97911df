//! The cheap search: the question as a program, run on inputs near the current one.
//!
//! Takes a sliced question; gives a model under which every clause holds, or hands the question on. First clauses are
//! solved backwards for the bytes they are made of, and what that breaks is repaired (`repair.rs`); then words are moved
//! towards a model by how far the sides of comparisons are apart (`climb.rs`), which is longer for floating-point and other
//! hard arithmetic: one product of doubles may take Z3 seconds, and the values that programs ask for are mostly a constant
//! of the question, its neighbour or a simple number.
//!
//! Never answers that there is no model, never looks at a clock, and draws no random numbers: the same question on the
//! same input has the same answer.

mod climb;
mod codes;
mod compile;
mod compiled;
mod distance;
mod invert;
mod program;
mod repair;
mod run;
mod state;
mod values;
mod variables;

use crate::layer::{Layer, Question};
use crate::{Answer, Model};
pub use compiled::{Compiled, Programs, Running};
use state::State;
use tarka_terms::Terms;
use tarka_terms::semantics::mask;
use values::Kind;

/// A question with more instructions than this is not worth compiling.
const MAX_INSTRUCTIONS: usize = 50_000;
/// Instructions that a question's search may run: some 500 us. Nearly all that are found at all take less than 1,000.
const WORK: u64 = 100_000;
/// The same for a question that is hard for whoever decides: some 5 ms.
const HARD_WORK: u64 = 1_000_000;
/// How often everything may be evaluated however large the question is.
const LEAST_EVALUATIONS: u64 = 8;
/// How often everything may be evaluated as long as that is no more than the work for a hard question three times over: sums of many
/// parts need some hundred steps, whatever their size.
const EVALUATIONS: u64 = 3_000;
const MOST_WORK: u64 = 3 * HARD_WORK;
/// The part of the work that is spent on mending before words are moved.
const REPAIR_SHARE: u64 = 2;

/// The searching layer.
#[derive(Default)]
pub(crate) struct SearchLayer {
    programs: Programs,
}

impl SearchLayer {
    fn search(&mut self, terms: &Terms, question: &Question) -> Option<Model> {
        let compiled = self.programs.compile(terms, question.clauses(), MAX_INSTRUCTIONS)?;
        let state = compiled.start(question.current).state;
        let inputs = compiled.inputs();
        let frozen = vec![0; inputs.len()];
        let mut search = Search { state, frozen, limit: 0 };
        match search.run() {
            Err(Stop::Found) => {
                let bytes = inputs.iter().copied().zip(search.state.bytes().iter().copied());
                Some(Model { bytes: bytes.collect() })
            }
            _ => None,
        }
    }
}

impl Layer for SearchLayer {
    fn name(&self) -> &'static str {
        "search"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        self.search(terms, question).map(Answer::Sat)
    }
}

/// Why a search stops.
enum Stop {
    Found,
    UsedUp,
}

/// One search.
struct Search<'c> {
    state: State<'c>,
    /// For each byte how many steps of the way here wrote it.
    frozen: Vec<i32>,
    /// The work at which to stop.
    limit: u64,
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), Stop> {
        // After simplification the current values of the remaining bytes may do.
        if self.state.failing() == 0 {
            return Err(Stop::Found);
        }
        let is_hard = self.state.code.has_floats || self.state.code.has_hard_integers;
        // What was paid so far is one evaluation of everything: large questions get a few tries too.
        let once = self.state.work;
        let work = if is_hard { HARD_WORK } else { WORK };
        let work = work.max((EVALUATIONS * once).min(MOST_WORK)).max(LEAST_EVALUATIONS * once);
        let start = self.state.bytes().to_vec();
        self.limit = once + work / REPAIR_SHARE;
        if let Err(Stop::Found) = repair::repair(self) {
            return Err(Stop::Found);
        }
        self.state.restore(&start);
        self.limit = once + work;
        let variables = variables::of(self.state.code, self.state.data);
        climb::climb(self, &variables)
    }

    /// Before each evaluation: whether one more may be made.
    fn pay(&mut self) -> Result<(), Stop> {
        if self.state.work >= self.limit { Err(Stop::UsedUp) } else { Ok(()) }
    }
}

fn mask_of(kind: Kind) -> u128 {
    mask(kind.width())
}

#[cfg(test)]
mod differential;
#[cfg(test)]
mod tests;
