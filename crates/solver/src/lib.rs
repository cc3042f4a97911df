//! The solver: an input that keeps the path up to a branch and takes the branch the other way.
//!
//! Takes a [`Query`] (clauses that hold on the current input, one that must hold now, and the domains of input bytes);
//! gives [`Answer::Sat`] with the bytes to change, [`Answer::Unsat`], or [`Answer::Unknown`] with the reason. The layers
//! of [`standard`] are in `chain.rs`, one file each. A model is evaluated on the terms before it is given.
//!
//! Never knows the search, the source or the target.

mod cache;
mod cases;
mod chain;
mod check;
mod clock;
mod doubling;
mod encoding;
mod few;
mod finite;
mod intervals;
mod layer;
mod near;
mod optimistic;
mod rebuilt;
mod recorder;
mod search;
mod sign;
mod simplify;
mod slice;
mod slots;
pub mod smt;
pub mod smtlib;
pub mod z3;

pub use chain::{plain, recorded, standard};
pub use clock::Deadline;
pub use optimistic::Optimistic;
pub use search::{Compiled, Programs, Running};

use layer::Question;
use std::sync::Arc;
use std::time::Duration;
use tarka_terms::{Assignment, Term, Terms};

/// What to solve.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    /// Truth values that hold on the current input and must go on to hold.
    pub prefix: &'a [Term],
    /// The truth value that must hold now; it comes last.
    pub flipped: Term,
    /// A clause about the values an input byte may have, if there is one. A clause about several bytes is given for
    /// each of them.
    pub domain: &'a dyn Fn(&mut Terms, u32) -> Option<Term>,
    /// The current input. It satisfies the prefix and the domains.
    pub current: &'a dyn Assignment,
    /// How much processor time the solver may take.
    pub time_limit: Duration,
    /// Whether a number that must grow had better grow by more than it must.
    pub doubles_loop: bool,
}

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The current input with these bytes changed satisfies the query.
    Sat(Model),
    /// No input satisfies the query.
    Unsat,
    /// Not found out.
    Unknown(Reason),
    /// Not found out, for this reason; but the current input with these bytes changed makes the flipped clause true,
    /// whatever it does to the path. Only given by [`Optimistic`].
    Optimistic(Model, Reason),
}

/// Values of input bytes; every other byte keeps its current value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    /// Input bytes and their values, sorted, each byte once.
    pub bytes: Vec<(u32, u8)>,
}

impl Model {
    /// The value of a byte, if the model has one.
    pub fn get(&self, input: u32) -> Option<u8> {
        let position = self.bytes.binary_search_by_key(&input, |(byte, _)| *byte).ok()?;
        Some(self.bytes[position].1)
    }

    /// The values of all bytes of a question: a model that does not depend on the current input.
    pub(crate) fn of_question(terms: &Terms, question: &Question, values: &dyn Assignment) -> Model {
        let inputs = question.inputs(terms).into_iter();
        Model { bytes: inputs.map(|input| (input, values.byte(input))).collect() }
    }

    /// The current input with this model's bytes in place.
    pub fn over<'a>(&'a self, current: &'a dyn Assignment) -> impl Assignment + 'a {
        move |input| self.get(input).unwrap_or_else(|| current.byte(input))
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// Z3 used up its time or its deterministic resource limit.
    #[error("the solver reached its time limit")]
    TimeLimit,
    /// The solver used up the memory it may have.
    #[error("the solver reached its memory limit")]
    MemoryLimit,
    /// Z3 gave up, or the query has an operation without an exact translation.
    #[error("the solver cannot decide this: {0}")]
    Incomplete(String),
    /// Z3 gave a model that does not satisfy the query when it is evaluated.
    #[error("the solver's model does not satisfy the condition")]
    WrongModel,
    /// The query has more terms than are handed to Z3.
    #[error("the condition is too large ({0} terms)")]
    TooLarge(usize),
}

/// How often a solver was asked and what it answered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Questions asked.
    pub queries: u64,
    /// Questions with a model.
    pub sat: u64,
    /// Questions without one.
    pub unsat: u64,
    /// Questions not answered.
    pub unknown: u64,
    /// Models of a flipped clause without its path.
    pub optimistic: u64,
    /// Models that were thrown away because they did not satisfy the question.
    pub wrong_models: u64,
    /// Time spent on all of them.
    pub time: Duration,
    /// What each layer of the chain did, in the order in which they are asked.
    pub layers: Vec<LayerFigures>,
}

impl Figures {
    /// What the layer of this name did; nothing if the chain has none.
    pub fn layer(&self, name: &str) -> LayerFigures {
        self.layers.iter().find(|layer| layer.name == name).copied().unwrap_or_default()
    }

    /// Questions that never came to the last layer, which decides.
    pub fn without_smt(&self) -> u64 {
        self.queries - self.layer(SMT).asked
    }
}

/// The name of the last layer.
pub const SMT: &str = "smt";

/// What one layer did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayerFigures {
    /// The layer.
    pub name: &'static str,
    /// Questions that came to it.
    pub asked: u64,
    /// Questions it answered itself.
    pub answered: u64,
    /// Time it took, the others' left out.
    pub time: Duration,
}

/// An input that the target ran on.
pub type RunInput = Arc<dyn Assignment + Send + Sync>;

/// Anything that answers queries.
pub trait Solver {
    /// Answers one query. New terms (domain clauses, simplified clauses) are added to the store.
    fn solve(&mut self, terms: &mut Terms, query: &Query) -> Answer;

    /// Hears of an input that the target ran on: it may answer later queries.
    fn ran(&mut self, _: RunInput) {}

    /// What happened so far.
    fn figures(&self) -> Figures;
}

/// The domain of a query whose domain clauses are in its prefix already.
#[cfg(test)]
pub(crate) fn no_domain(_: &mut Terms, _: u32) -> Option<Term> {
    None
}
