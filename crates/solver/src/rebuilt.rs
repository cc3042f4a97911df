//! Values put into clauses, remembered from question to question.
//!
//! Takes values of bytes or terms; gives the [`Substitution`] that was made for the same values before, with all that it
//! rebuilt. The questions of a unit share most clauses of their paths, and mostly the bytes that can have one value only:
//! what was rebuilt for one is looked up for the next. Bounded, and what it gives depends on nothing else.

use rustc_hash::FxHashMap;
use tarka_terms::{Substitution, Term, Terms};

/// Terms that are remembered, over all substitutions; beyond that all are forgotten.
const CAPACITY: usize = 1_000_000;

/// Substitutions by their values.
#[derive(Default)]
pub(crate) struct Rebuilt {
    /// Whose terms they are made of.
    store: u64,
    of_bytes: FxHashMap<Box<[(u32, u8)]>, Substitution>,
    of_terms: FxHashMap<Box<[(Term, u128)]>, Substitution>,
    /// What they kept when they were last used.
    size: usize,
}

impl Rebuilt {
    /// Puts values of bytes into clauses; sorted, each byte once.
    pub(crate) fn put_bytes<'c>(
        &mut self,
        terms: &mut Terms,
        values: Box<[(u32, u8)]>,
        clauses: impl Iterator<Item = &'c mut Term>,
    ) {
        self.make_room(terms);
        let of_values = || Substitution::new(values.iter().copied());
        let substitution = self.of_bytes.entry(values.clone()).or_insert_with(of_values);
        let before = substitution.size();
        clauses.for_each(|clause| *clause = substitution.apply(terms, *clause));
        self.size += substitution.size() - before;
    }

    /// Has values of terms put into clauses by `put`; of two values for a term the last one counts.
    pub(crate) fn put_terms(
        &mut self,
        terms: &mut Terms,
        values: Box<[(Term, u128)]>,
        put: impl FnOnce(&mut Terms, &mut Substitution),
    ) {
        self.make_room(terms);
        let substitution = match self.of_terms.get_mut(&values) {
            Some(known) => known,
            None => {
                let made = Substitution::of_terms(terms, values.iter().copied());
                self.of_terms.entry(values).or_insert(made)
            }
        };
        let before = substitution.size();
        put(terms, substitution);
        self.size += substitution.size().saturating_sub(before);
    }

    fn make_room(&mut self, terms: &Terms) {
        if self.store != terms.identity() || self.size > CAPACITY {
            *self = Rebuilt { store: terms.identity(), ..Rebuilt::default() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarka_terms::BinaryOp;

    #[test]
    fn other_values_and_other_stores_are_told_apart() {
        let mut rebuilt = Rebuilt::default();
        for _ in 0..2 {
            let mut terms = Terms::new();
            let (a, b) = (terms.input(0), terms.input(1));
            let sum = terms.binary(BinaryOp::Mul, a, b);
            for value in [3, 5, 3] {
                let mut clauses = [sum];
                rebuilt.put_bytes(&mut terms, Box::new([(0, value)]), clauses.iter_mut());
                let number = terms.constant(8, value.into());
                assert_eq!(clauses, [terms.binary(BinaryOp::Mul, b, number)]);
                let outer = terms.binary(BinaryOp::And, sum, a);
                rebuilt.put_terms(&mut terms, Box::new([(sum, value.into())]), |terms, substitution| {
                    let number = terms.constant(8, value.into());
                    assert_eq!(substitution.apply(terms, outer), terms.binary(BinaryOp::And, a, number));
                });
            }
        }
    }
}
