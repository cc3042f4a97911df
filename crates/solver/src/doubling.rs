//! Doubling a loop: in a loop that goes on while a number of the input is greater, a few more rounds at once.
//!
//! Takes questions that ask for one (`Query::doubles_loop`) and whose flipped clause wants a word of the input to be greater than
//! something; gives a model in which the word is about twice what it need be, if every clause holds then.
//! Models near the current input would make such a loop longer by one round with each run.
//!
//! Never answers that there is no model.

use crate::layer::{Layer, Question};
use crate::slots::bytes_of_word;
use crate::{Answer, Model};
use tarka_terms::semantics::{mask, sign_bit};
use tarka_terms::{BinaryOp, Evaluator, Node, Term, Terms};

/// The fewest rounds.
const SHORTEST: u128 = 8;

/// The layer.
#[derive(Default)]
pub(crate) struct Doubling {
    evaluator: Evaluator,
}

impl Layer for Doubling {
    fn name(&self) -> &'static str {
        "doubling"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        if !question.doubles_loop {
            return None;
        }
        let (word, below) = greater(terms, question.flipped)?;
        let bytes = bytes_of_word(terms, word)?;
        let width = terms.width(word);
        let below = self.evaluator.eval(terms, below, question.current);
        let room = mask(width) >> 1;
        // A negative or huge number is no count.
        if width < 8 || below >= room / 2 || below & sign_bit(width) != 0 {
            return None;
        }
        let value = (2 * below).max(SHORTEST).min(room).to_le_bytes();
        let assignment = |input: u32| match bytes.iter().position(|byte| *byte == input) {
            Some(position) => value[position],
            None => question.current.byte(input),
        };
        let fails = self.evaluator.first_false(terms, question.clauses(), &assignment).is_some();
        (!fails).then(|| Answer::Sat(Model::of_question(terms, question, &assignment)))
    }
}

/// The word of the input that a clause wants to be greater than something, and what that is.
fn greater(terms: &Terms, clause: Term) -> Option<(Term, Term)> {
    match *terms.node(clause) {
        Node::Binary(BinaryOp::Ult | BinaryOp::Slt | BinaryOp::Ule | BinaryOp::Sle, below, word) => {
            Some((word, below))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::testing::question;

    fn double(terms: &mut Terms, prefix: &[Term], flipped: Term) -> Option<u16> {
        let mut asked = Question { doubles_loop: true, ..question(prefix, flipped) };
        match Doubling::default().ask(terms, &mut asked)? {
            Answer::Sat(model) => Some(u16::from_le_bytes([model.get(0)?, model.get(1)?])),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_count_is_doubled_where_the_other_clauses_allow_it() {
        let mut t = Terms::new();
        let (low, high) = (t.input(0), t.input(1));
        let count = t.concat(high, low);
        let (three, hundred) = (t.constant(16, 3), t.constant(16, 100));
        let more = [t.binary(BinaryOp::Ult, three, count), t.binary(BinaryOp::Slt, hundred, count)];
        assert_eq!(double(&mut t, &[], more[0]), Some(8));
        assert_eq!(double(&mut t, &[], more[1]), Some(200));
        let few = t.binary(BinaryOp::Ule, count, hundred);
        assert_eq!(double(&mut t, &[few], more[0]), Some(8));
        assert_eq!(double(&mut t, &[few], more[1]), None);
        let asked = &mut question(&[], more[0]);
        assert_eq!(Doubling::default().ask(&mut t, asked), None, "only where it is asked for");
    }
}
