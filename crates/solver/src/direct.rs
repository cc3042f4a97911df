//! A cheap first try: give the bytes that are compared with a constant the value that makes the comparison come out.
//!
//! Most branches compare an input with a constant, and most of those are flipped by writing the constant, its
//! neighbour or an end of the range into the input. A guess counts only if every clause of the query holds under it;
//! otherwise the next layer decides.

use crate::layer::{Layer, Question};
use crate::{Answer, Model};
use rustc_hash::FxHashMap;
use tarka_terms::semantics::{mask, sign_bit};
use tarka_terms::{BinaryOp, Evaluator, Node, Term, Terms, UnaryOp};

/// Clauses of a conjunction that are looked at.
const MAX_CONJUNCTS: usize = 64;
/// A query with more clauses than this is not worth several evaluations.
const MAX_CLAUSES: usize = 2_000;

/// The guessing layer.
#[derive(Default)]
pub(crate) struct Direct {
    evaluator: Evaluator,
}

impl Direct {
    /// A guess under which every clause holds. It names every byte of the query, so that it does not depend on the
    /// current input.
    fn guess(&mut self, terms: &Terms, question: &Question) -> Option<Model> {
        if question.prefix.len() > MAX_CLAUSES {
            return None;
        }
        // After simplification the current values of the remaining bytes may do: that is the empty guess.
        let mut guesses = [Guess::default()].into_iter().chain(guesses(terms, question.flipped));
        guesses.find_map(|guess| {
            let assignment = |input: u32| match guess.get(&input) {
                Some((value, bits)) => value | question.current.byte(input) & !bits,
                None => question.current.byte(input),
            };
            if self.evaluator.first_false(terms, question.clauses(), &assignment).is_some() {
                return None;
            }
            Some(Model::of_question(terms, question, &assignment))
        })
    }
}

impl Layer for Direct {
    fn name(&self) -> &'static str {
        "direct"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        self.guess(terms, question).map(Answer::Sat)
    }
}

/// Values of input bytes, each with the bits it fixes.
type Guess = FxHashMap<u32, (u8, u8)>;

/// Guesses that may make a clause true, likeliest first.
fn guesses(terms: &Terms, clause: Term) -> Vec<Guess> {
    let mut conjuncts = vec![clause];
    let mut parts = Vec::new();
    while let Some(next) = conjuncts.pop() {
        match *terms.node(next) {
            Node::Binary(BinaryOp::And, a, b) => conjuncts.extend([b, a]),
            _ => parts.push(next),
        }
        if parts.len() + conjuncts.len() > MAX_CONJUNCTS {
            return Vec::new();
        }
    }
    let choices: Option<Vec<(Term, Vec<u128>)>> = parts.iter().map(|part| values(terms, *part)).collect();
    let Some(choices) = choices else { return Vec::new() };
    let most = choices.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    (0..most)
        .filter_map(|round| {
            let mut guess = Guess::default();
            for (term, values) in &choices {
                assign(terms, *term, values[round.min(values.len() - 1)], &mut guess)?;
            }
            Some(guess)
        })
        .collect()
}

/// A term that is compared, and values of it that make the comparison true. Of a disjunction the last part is taken,
/// which for words compared byte by byte is the lowest byte.
fn values(terms: &Terms, clause: Term) -> Option<(Term, Vec<u128>)> {
    let (mut clause, mut wanted) = (clause, true);
    let (op, a, b) = loop {
        match *terms.node(clause) {
            Node::Unary(UnaryOp::Not, inner) => (clause, wanted) = (inner, !wanted),
            Node::Binary(BinaryOp::And, _, last) if !wanted => clause = last,
            Node::Binary(BinaryOp::Or, _, last) if wanted => clause = last,
            Node::Binary(op, a, b) => break (op, a, b),
            _ => return Some((clause, vec![wanted.into()])),
        }
    };
    let width = terms.width(a);
    let most = mask(width);
    let (least_signed, most_signed) = (sign_bit(width), most >> 1);
    let (compared, values) = match (op, terms.as_constant(a), terms.as_constant(b)) {
        (BinaryOp::Eq, _, Some(c)) if wanted => (a, vec![c]),
        (BinaryOp::Eq, _, Some(c)) => (a, vec![c.wrapping_add(1), c ^ 1, 0]),
        (BinaryOp::Ult, _, Some(c)) if wanted => (a, vec![c.wrapping_sub(1), 0]),
        (BinaryOp::Ult, Some(c), _) if wanted => (b, vec![c.wrapping_add(1), most]),
        (BinaryOp::Slt, _, Some(c)) if wanted => (a, vec![c.wrapping_sub(1), 0, least_signed]),
        (BinaryOp::Slt, Some(c), _) if wanted => (b, vec![c.wrapping_add(1), most_signed]),
        _ => return None,
    };
    Some((compared, values.into_iter().map(|value| value & most).collect()))
}

/// Writes a value into the input bytes a term is put together from; `None` if it is computed otherwise.
fn assign(terms: &Terms, term: Term, value: u128, guess: &mut Guess) -> Option<()> {
    let mut open = vec![(term, value)];
    while let Some((term, value)) = open.pop() {
        match *terms.node(term) {
            Node::Input(byte) => set(guess, byte, value as u8, 0xff),
            Node::Concat(high, low) => open.extend([(high, value >> terms.width(low)), (low, value)]),
            Node::ZExt(inner) | Node::SExt(inner) => open.push((inner, value)),
            Node::Extract(inner, low) => {
                let Node::Input(byte) = *terms.node(inner) else { return None };
                let bits = (mask(terms.width(term)) as u8) << low;
                set(guess, byte, (value as u8) << low & bits, bits);
            }
            _ => return None,
        }
    }
    Some(())
}

fn set(guess: &mut Guess, byte: u32, value: u8, bits: u8) {
    let entry = guess.entry(byte).or_default();
    *entry = (entry.0 & !bits | value, entry.1 | bits);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::testing::question;

    fn word(terms: &mut Terms) -> Term {
        let (low, high) = (terms.input(0), terms.input(1));
        terms.concat(high, low)
    }

    fn answer(terms: &mut Terms, current: u16, prefix: &[Term], flipped: Term) -> Option<Vec<(u32, u8)>> {
        let current = move |input: u32| current.to_le_bytes()[input as usize];
        let mut asked = Question { current: &current, ..question(prefix, flipped) };
        match Direct::default().ask(terms, &mut asked)? {
            Answer::Sat(model) => Some(model.bytes),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_compared_word_gets_the_constant_or_its_neighbour() {
        let mut t = Terms::new();
        let (word, c) = (word(&mut t), t.constant(16, 0x1234));
        for (op, current, expected) in [
            (BinaryOp::Eq, 0, 0x1234u16),
            (BinaryOp::Ne, 0x1234, 0x1235),
            (BinaryOp::Ult, 0xffff, 0x1233),
            (BinaryOp::Sle, 0x7fff, 0x1234),
        ] {
            let flipped = t.binary(op, word, c);
            let [low, high] = expected.to_le_bytes();
            assert_eq!(answer(&mut t, current, &[], flipped), Some(vec![(0, low), (1, high)]), "{op:?}");
        }
    }

    #[test]
    fn other_bytes_of_the_query_keep_their_value_and_are_named() {
        let mut t = Terms::new();
        let (a, b, five) = (t.input(0), t.input(1), t.constant(8, 5));
        let (prefix, flipped) = (t.binary(BinaryOp::Ule, b, a), t.binary(BinaryOp::Eq, a, five));
        assert_eq!(answer(&mut t, 0, &[prefix], flipped), Some(vec![(0, 5), (1, 0)]));
    }

    #[test]
    fn a_guess_that_breaks_the_prefix_is_dropped() {
        let mut t = Terms::new();
        let (a, b, five) = (t.input(0), t.input(1), t.constant(8, 5));
        let (prefix, flipped) = (t.binary(BinaryOp::Ule, a, b), t.binary(BinaryOp::Eq, a, five));
        assert_eq!(answer(&mut t, 0, &[prefix], flipped), None);
    }

    #[test]
    fn single_bits_leave_the_others_alone() {
        let mut t = Terms::new();
        let a = t.input(0);
        let bit = t.extract(a, 3, 1);
        assert_eq!(answer(&mut t, 0, &[], bit), Some(vec![(0, 8)]));
        let off = t.not(bit);
        let mut full = Question { current: &|_| 0xff, ..question(&[], off) };
        let expected = Answer::Sat(Model { bytes: vec![(0, 0xf7)] });
        assert_eq!(Direct::default().ask(&mut t, &mut full), Some(expected));
    }
}
