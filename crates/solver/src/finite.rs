//! Parts of the input that may only have a few values get each of them tried, before anything is computed.
//!
//! Pointers are such parts, function pointers and truth values too. First one of them is changed; then all are given
//! values one after the other, in the order in which their clauses list them, and a value that breaks a clause about those
//! that have theirs is not followed further. If they are all the query speaks of, and nothing was left untried, there is no
//! model.

use crate::slots::{self, Slot};
use crate::{Answer, Figures, Model, Query, Solver};
use rustc_hash::FxHashMap;
use tarka_terms::{Evaluator, Term, Terms};

/// Most terms that are evaluated for a query: some 10 ms.
const MAX_TERM_EVALUATIONS: u64 = 500_000;

/// The trying layer.
pub(crate) struct Finite<S> {
    inner: S,
    evaluator: Evaluator,
    found: u64,
}

impl<S> Finite<S> {
    pub(crate) fn new(inner: S) -> Self {
        Finite { inner, evaluator: Evaluator::new(), found: 0 }
    }

    /// An answer, if trying gives one.
    fn try_values(&mut self, terms: &Terms, query: &Query) -> Option<Answer> {
        let mut slots = slots::of_query(terms, query);
        if slots.is_empty() {
            return None;
        }
        // What the flipped clause speaks of comes first: it is what must change.
        let flipped = terms.inputs(query.flipped);
        slots.sort_by_key(|slot| !slot.bytes.iter().any(|byte| flipped.binary_search(byte).is_ok()));
        let mut trial = Trial::new(terms, query, &slots, &mut self.evaluator);
        let outcome = trial.one_changed().and_then(|()| trial.all_changed());
        let bytes = trial.bytes;
        match outcome {
            Err(Stop::Found) => Some(Answer::Sat(Model::of_query(terms, query, &|input: u32| {
                bytes.get(&input).copied().unwrap_or_else(|| query.current.byte(input))
            }))),
            Err(Stop::UsedUp) => None,
            Ok(()) => {
                let is_everything = slots.iter().all(|slot| slot.complete) && covers(terms, query, &slots);
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
    query: &'a Query<'a>,
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
    fn new(terms: &'a Terms, query: &'a Query, slots: &'a [Slot], evaluator: &'a mut Evaluator) -> Self {
        let slot_of = |byte: &u32| slots.iter().position(|slot| slot.bytes.binary_search(byte).is_ok());
        let mut clauses: Vec<Vec<Term>> = vec![Vec::new(); slots.len() + 1];
        for clause in [query.flipped].into_iter().chain(query.prefix.iter().copied()) {
            let last = terms.inputs(clause).iter().map(|byte| slot_of(byte).unwrap_or(slots.len())).max();
            if let Some(last) = last.filter(|last| *last < slots.len()) {
                clauses[last].push(clause);
            }
            clauses[slots.len()].push(clause);
        }
        let limit = evaluator.computed() + MAX_TERM_EVALUATIONS;
        Trial { terms, query, slots, clauses, evaluator, limit, bytes: FxHashMap::default() }
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
        let current: Vec<u8> = slot.bytes.iter().map(|byte| self.query.current.byte(*byte)).collect();
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
        let (query, bytes) = (self.query, &self.bytes);
        let assignment = |input: u32| bytes.get(&input).copied().unwrap_or_else(|| query.current.byte(input));
        let clauses = self.clauses[position].iter().copied();
        Ok(self.evaluator.first_false(self.terms, clauses, &assignment).is_none())
    }
}

/// Whether every byte of the query is in a slot.
fn covers(terms: &Terms, query: &Query, slots: &[Slot]) -> bool {
    let mut clauses = query.prefix.iter().copied().chain([query.flipped]);
    let known = |input: &u32| slots.iter().any(|slot| slot.bytes.binary_search(input).is_ok());
    clauses.all(|clause| terms.inputs(clause).iter().all(known))
}

impl<S: Solver> Solver for Finite<S> {
    fn solve(&mut self, terms: &mut Terms, query: &Query) -> Answer {
        if let Some(answer) = self.try_values(terms, query) {
            self.found += u64::from(matches!(answer, Answer::Sat(_)));
            return answer;
        }
        // What could not be tried is at least spelt out: remainders are hard for whoever decides.
        let prefix: Vec<Term> =
            query.prefix.iter().map(|clause| slots::spelt_out(terms, *clause).unwrap_or(*clause)).collect();
        self.inner.solve(terms, &Query { prefix: &prefix, ..*query })
    }

    fn figures(&self) -> Figures {
        let inner = self.inner.figures();
        Figures { direct: inner.direct + self.found, ..inner }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Recorder, query};
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

    fn solve(terms: &mut Terms, prefix: &[Term], flipped: Term) -> (Answer, bool) {
        let mut layer = Finite::new(Recorder::new(Answer::Unknown(crate::Reason::TimeLimit)));
        let answer = layer.solve(terms, &query(prefix, flipped));
        let handed_on = !layer.inner.seen.is_empty();
        (answer, handed_on)
    }

    #[test]
    fn the_first_value_that_will_do_is_taken() {
        let mut t = Terms::new();
        let (a, domain) = one_of(&mut t, 0, &[0, 90, 20, 30]);
        let limit = t.constant(8, 10);
        let flipped = t.binary(BinaryOp::Ult, limit, a);
        let expected = Answer::Sat(Model { bytes: vec![(0, 90)] });
        assert_eq!(solve(&mut t, &[domain], flipped), (expected, false));
    }

    #[test]
    fn what_need_not_change_keeps_its_value() {
        let mut t = Terms::new();
        let ((a, of_a), (b, of_b)) = (one_of(&mut t, 0, &[0, 1, 2]), one_of(&mut t, 1, &[0, 1, 2]));
        let flipped = t.binary(BinaryOp::Ne, a, b);
        let expected = Answer::Sat(Model { bytes: vec![(0, 1), (1, 0)] });
        assert_eq!(solve(&mut t, &[of_a, of_b], flipped), (expected, false));
        let (zero, sum) = (t.constant(8, 0), t.binary(BinaryOp::Add, a, b));
        let three = t.constant(8, 3);
        let (nonzero, both) = (t.binary(BinaryOp::Ne, a, zero), t.binary(BinaryOp::Eq, sum, three));
        let expected = Answer::Sat(Model { bytes: vec![(0, 1), (1, 2)] });
        assert_eq!(solve(&mut t, &[of_a, of_b, nonzero], both), (expected, false));
    }

    #[test]
    fn when_everything_was_tried_there_is_no_model() {
        let mut t = Terms::new();
        let ((a, of_a), (b, of_b)) = (one_of(&mut t, 0, &[0, 5]), one_of(&mut t, 1, &[0, 6]));
        let (sum, seven) = (t.binary(BinaryOp::Add, a, b), t.constant(8, 7));
        let flipped = t.binary(BinaryOp::Eq, sum, seven);
        assert_eq!(solve(&mut t, &[of_a, of_b], flipped), (Answer::Unsat, false));
        // Another byte could make up for it.
        let free = t.input(2);
        let sum = t.binary(BinaryOp::Mul, sum, free);
        let flipped = t.binary(BinaryOp::Eq, sum, seven);
        assert!(solve(&mut t, &[of_a, of_b], flipped).1);
    }
}
