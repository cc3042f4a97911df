//! Parts of the input that may only have a few values get each of them tried, before anything is computed.
//!
//! Pointers are such parts, function pointers and truth values too. First one of them is changed; then all are given
//! values one after the other, in the order in which their clauses list them, and a value that breaks a clause about those
//! that have theirs is not followed further. If they are all the query speaks of, and nothing was left untried, there is no
//! model.

use crate::layer::{Layer, Question};
use crate::slots::{self, Slot};
use crate::{Answer, Model};
use rustc_hash::FxHashMap;
use tarka_terms::{Evaluator, Parts, Support, Term, Terms};

/// Most terms that are evaluated for a query: some 2 ms. What is found at all is found early.
const MAX_TERM_EVALUATIONS: u64 = 100_000;

/// The trying layer.
#[derive(Default)]
pub(crate) struct Finite {
    evaluator: Evaluator,
}

impl Finite {
    /// An answer, if trying gives one.
    fn try_values(&mut self, terms: &Terms, question: &Question) -> Option<Answer> {
        let mut slots = slots::of_question(terms, question);
        if slots.is_empty() {
            return None;
        }
        // What the flipped clause speaks of comes first: it is what must change.
        let flipped = terms.inputs(question.flipped);
        slots.sort_by_key(|slot| !slot.bytes.iter().any(|byte| flipped.binary_search(byte).is_ok()));
        let mut trial = Trial::new(terms, question, &slots, &mut self.evaluator);
        let outcome = trial.one_changed().and_then(|()| trial.all_changed());
        let bytes = trial.bytes;
        match outcome {
            Err(Stop::Found) => Some(Answer::Sat(Model::of_question(terms, question, &|input: u32| {
                bytes.get(&input).copied().unwrap_or_else(|| question.current.byte(input))
            }))),
            Err(Stop::UsedUp) => None,
            Ok(()) => {
                let is_everything = slots.iter().all(|slot| slot.complete) && covers(terms, question, &slots);
                is_everything.then_some(Answer::Unsat)
            }
        }
    }
}

/// Why trying stops.
enum Stop {
    Found,
    UsedUp,
}

/// The values that are being tried.
struct Trial<'a> {
    terms: &'a Terms,
    question: &'a Question<'a>,
    slots: &'a [Slot],
    /// For each slot the clauses that speak of it, perhaps of slots before it, and of nothing else; then all clauses.
    clauses: Vec<Vec<Term>>,
    evaluator: &'a mut Evaluator,
    /// The evaluator's count at which to stop.
    limit: u64,
    /// Values of bytes that are not those of the current input.
    bytes: FxHashMap<u32, u8>,
}

impl<'a> Trial<'a> {
    fn new(
        terms: &'a Terms,
        question: &'a Question,
        slots: &'a [Slot],
        evaluator: &'a mut Evaluator,
    ) -> Self {
        let mut places = Places::new(slots);
        let mut clauses: Vec<Vec<Term>> = vec![Vec::new(); slots.len() + 1];
        for clause in question.clauses() {
            let last = places.last(terms, terms.support(clause));
            if let Some(last) = last.filter(|last| *last < slots.len()) {
                clauses[last].push(clause);
            }
            clauses[slots.len()].push(clause);
        }
        let limit = evaluator.computed() + MAX_TERM_EVALUATIONS;
        Trial { terms, question, slots, clauses, evaluator, limit, bytes: FxHashMap::default() }
    }

    fn one_changed(&mut self) -> Result<(), Stop> {
        for slot in self.slots {
            for value in &slot.values {
                self.bytes.clear();
                self.write(slot, value);
                if self.holds(self.slots.len())? {
                    return Err(Stop::Found);
                }
            }
        }
        Ok(())
    }

    /// Gives slots values from the first on, and takes the next value of the last one where that fails.
    fn all_changed(&mut self) -> Result<(), Stop> {
        self.bytes.clear();
        let choices: Vec<Vec<&Vec<u8>>> = self.slots.iter().map(|slot| self.choices(slot)).collect();
        let mut chosen = vec![0];
        while let Some(next) = chosen.last_mut() {
            let choice = *next;
            *next += 1;
            let depth = chosen.len() - 1;
            let Some(value) = choices[depth].get(choice) else {
                chosen.pop();
                continue;
            };
            self.write(&self.slots[depth], value);
            if !self.holds(depth)? {
                continue;
            }
            if depth + 1 < self.slots.len() {
                chosen.push(0);
            } else if self.holds(self.slots.len())? {
                return Err(Stop::Found);
            }
        }
        Ok(())
    }

    /// The values of a slot, its current one first if it may have it.
    fn choices(&self, slot: &'a Slot) -> Vec<&'a Vec<u8>> {
        let current: Vec<u8> = slot.bytes.iter().map(|byte| self.question.current.byte(*byte)).collect();
        let (mut first, rest): (Vec<_>, Vec<_>) = slot.values.iter().partition(|value| **value == current);
        first.extend(rest);
        first
    }

    fn write(&mut self, slot: &Slot, value: &[u8]) {
        self.bytes.extend(slot.bytes.iter().copied().zip(value.iter().copied()));
    }

    /// Whether the clauses of a slot hold, or for the position after the last all of them.
    fn holds(&mut self, position: usize) -> Result<bool, Stop> {
        if self.evaluator.computed() >= self.limit {
            return Err(Stop::UsedUp);
        }
        let (question, bytes) = (self.question, &self.bytes);
        let assignment =
            |input: u32| bytes.get(&input).copied().unwrap_or_else(|| question.current.byte(input));
        let clauses = self.clauses[position].iter().copied();
        Ok(self.evaluator.first_false(self.terms, clauses, &assignment).is_none())
    }
}

/// Where the slots of a query are.
struct Places {
    /// The position of a byte's slot.
    slots: FxHashMap<u32, usize>,
    /// The position after the last slot.
    nowhere: usize,
    /// What was found for a set of bytes: the clauses of a long path share theirs, and sets share their parts.
    known: FxHashMap<Support, Option<usize>>,
}

impl Places {
    fn new(slots: &[Slot]) -> Self {
        let mut places = FxHashMap::default();
        for (position, slot) in slots.iter().enumerate() {
            for &byte in &slot.bytes {
                places.entry(byte).or_insert(position);
            }
        }
        Places { slots: places, nowhere: slots.len(), known: FxHashMap::default() }
    }

    /// The position of the last slot that a set has bytes of, or the one after all of them if a byte has no slot; `None` for
    /// the empty set.
    fn last(&mut self, terms: &Terms, set: Support) -> Option<usize> {
        if let Some(&known) = self.known.get(&set) {
            return known;
        }
        let last = match terms.support_parts(set) {
            Parts::Inputs(bytes) => {
                let position = |byte| self.slots.get(byte).copied().unwrap_or(self.nowhere);
                bytes.iter().map(position).max()
            }
            Parts::Union(one, other) => self.last(terms, one).max(self.last(terms, other)),
        };
        self.known.insert(set, last);
        last
    }
}

/// Whether every byte of the query is in a slot.
fn covers(terms: &Terms, question: &Question, slots: &[Slot]) -> bool {
    let mut places = Places::new(slots);
    question.clauses().all(|clause| places.last(terms, terms.support(clause)) != Some(slots.len()))
}

impl Layer for Finite {
    fn name(&self) -> &'static str {
        "finite"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        self.try_values(terms, question)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::testing::question;
    use tarka_terms::{BinaryOp, Term};

    /// An input byte that is one of these values.
    fn one_of(terms: &mut Terms, byte: u32, values: &[u128]) -> (Term, Term) {
        let input = terms.input(byte);
        let mut clause = terms.constant(1, 0);
        for value in values {
            let value = terms.constant(8, *value);
            let equal = terms.binary(BinaryOp::Eq, input, value);
            clause = terms.binary(BinaryOp::Or, clause, equal);
        }
        (input, clause)
    }

    fn solve(terms: &mut Terms, prefix: &[Term], flipped: Term) -> Option<Answer> {
        Finite::default().ask(terms, &mut question(prefix, flipped))
    }

    #[test]
    fn the_first_value_that_will_do_is_taken() {
        let mut t = Terms::new();
        let (a, domain) = one_of(&mut t, 0, &[0, 90, 20, 30]);
        let limit = t.constant(8, 10);
        let flipped = t.binary(BinaryOp::Ult, limit, a);
        let expected = Answer::Sat(Model { bytes: vec![(0, 90)] });
        assert_eq!(solve(&mut t, &[domain], flipped), Some(expected));
    }

    #[test]
    fn what_need_not_change_keeps_its_value() {
        let mut t = Terms::new();
        let ((a, of_a), (b, of_b)) = (one_of(&mut t, 0, &[0, 1, 2]), one_of(&mut t, 1, &[0, 1, 2]));
        let flipped = t.binary(BinaryOp::Ne, a, b);
        let expected = Answer::Sat(Model { bytes: vec![(0, 1), (1, 0)] });
        assert_eq!(solve(&mut t, &[of_a, of_b], flipped), Some(expected));
        let (zero, sum) = (t.constant(8, 0), t.binary(BinaryOp::Add, a, b));
        let three = t.constant(8, 3);
        let (nonzero, both) = (t.binary(BinaryOp::Ne, a, zero), t.binary(BinaryOp::Eq, sum, three));
        let expected = Answer::Sat(Model { bytes: vec![(0, 1), (1, 2)] });
        assert_eq!(solve(&mut t, &[of_a, of_b, nonzero], both), Some(expected));
    }

    #[test]
    fn when_everything_was_tried_there_is_no_model() {
        let mut t = Terms::new();
        let ((a, of_a), (b, of_b)) = (one_of(&mut t, 0, &[0, 5]), one_of(&mut t, 1, &[0, 6]));
        let (sum, seven) = (t.binary(BinaryOp::Add, a, b), t.constant(8, 7));
        let flipped = t.binary(BinaryOp::Eq, sum, seven);
        assert_eq!(solve(&mut t, &[of_a, of_b], flipped), Some(Answer::Unsat));
        // Another byte could make up for it.
        let free = t.input(2);
        let sum = t.binary(BinaryOp::Mul, sum, free);
        let flipped = t.binary(BinaryOp::Eq, sum, seven);
        assert_eq!(solve(&mut t, &[of_a, of_b], flipped), None);
    }
}
