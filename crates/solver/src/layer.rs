//! What a layer of the chain is, and the question that goes through it.
//!
//! Takes a [`Query`]; gives the [`Question`] that layers change and answer. Layers are asked in the order of `chain.rs`
//! until one answers; then those before it hear of the answer, last one first.

use crate::intervals::ByteSet;
use crate::{Answer, Deadline, Query, RunInput};
use rustc_hash::FxHashSet;
use std::time::Duration;
use tarka_terms::{Assignment, Term, Terms};

/// One step of the chain. A layer knows nothing of the others.
pub(crate) trait Layer: Send {
    /// The name its figures are shown under.
    fn name(&self) -> &'static str;

    /// Answers the question, or passes it on, perhaps in other words.
    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer>;

    /// Hears what a later layer answered to a question that this one passed on, and may better the answer. The
    /// question is as the layer that answered left it.
    fn answered(&mut self, _: &mut Terms, _: &Question, _: &mut Answer) {}

    /// Hears of an input that the target ran on.
    fn ran(&mut self, _: &RunInput) {}
}

/// A query on its way through the layers.
pub(crate) struct Question<'q> {
    /// What must hold beside the flipped clause.
    pub(crate) prefix: Vec<Term>,
    /// What must hold now.
    pub(crate) flipped: Term,
    /// The domains of input bytes, for the layer that adds them to the prefix.
    pub(crate) domain: &'q dyn Fn(&mut Terms, u32) -> Option<Term>,
    /// The current input. It satisfies the prefix.
    pub(crate) current: &'q dyn Assignment,
    /// Whether a number that must grow had better grow by more than it must.
    pub(crate) doubles_loop: bool,
    /// How much processor time the whole chain may take: for limits that must be the same on every machine.
    pub(crate) time_limit: Duration,
    /// When that is over.
    pub(crate) deadline: Deadline,
    /// Clauses of the question that already have no model together: set by a layer that answers so and knows them.
    pub(crate) core: Option<Vec<Term>>,
    /// The values that ranges leave to the bytes of the question, sorted by byte; empty before ranges were looked at.
    pub(crate) left: Vec<(u32, ByteSet)>,
}

impl<'q> Question<'q> {
    pub(crate) fn new(query: &Query<'q>) -> Question<'q> {
        Question {
            prefix: query.prefix.to_vec(),
            flipped: query.flipped,
            domain: query.domain,
            current: query.current,
            time_limit: query.time_limit,
            doubles_loop: query.doubles_loop,
            deadline: Deadline::after(query.time_limit),
            core: None,
            left: Vec::new(),
        }
    }

    /// All that must hold, the flipped clause first: whoever stops at the first that fails mostly stops there.
    pub(crate) fn clauses(&self) -> impl Iterator<Item = Term> + Clone + '_ {
        [self.flipped].into_iter().chain(self.prefix.iter().copied())
    }

    /// The input bytes of all clauses, sorted, each once.
    pub(crate) fn inputs(&self, terms: &Terms) -> Vec<u32> {
        let mut inputs: Vec<u32> = self.clauses().flat_map(|clause| terms.inputs(clause)).copied().collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }

    /// How many terms there are in the clauses, counted up to `most`: what one evaluation costs.
    pub(crate) fn size(&self, terms: &Terms, most: usize) -> usize {
        let mut seen = FxHashSet::default();
        let mut open: Vec<Term> = self.clauses().collect();
        while let Some(term) = open.pop() {
            if seen.len() >= most || !seen.insert(term) {
                continue;
            }
            terms.node(term).for_each_operand(|operand| open.push(operand));
        }
        seen.len()
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! Questions for the tests of layers.

    use super::*;
    use crate::no_domain;

    /// A question on an input of zeros without domains.
    pub(crate) fn question(prefix: &[Term], flipped: Term) -> Question<'static> {
        let query = Query {
            prefix: &[],
            flipped,
            domain: &no_domain,
            current: &|_| 0,
            time_limit: Duration::from_secs(1),
            doubles_loop: false,
        };
        Question { prefix: prefix.to_vec(), ..Question::new(&query) }
    }
}
