//! Makes the sliced query smaller: conjunctions are split, clauses that hold anyway are dropped, and bytes that clauses
//! fix to one value are put in everywhere. A clause that becomes false answers the query.
//!
//! A pointer that must not be null is mostly fixed by that, and a length below 16 has seven bytes that are 0. With such
//! bytes in place many clauses have nothing to do with each other any more; of those the ones that hold on the current input are
//! left out, as in the slice.

use crate::intervals::{Outcome, SharedAnalysis};
use crate::layer::{Layer, Question};
use crate::rebuilt::Rebuilt;
use crate::slice::Groups;
use crate::slots;
use crate::{Answer, Model};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use tarka_terms::{BinaryOp, Evaluator, Node, Term, Terms, UnaryOp};

/// Values are put into queries of at most this many clauses: a longer query is not rebuilt.
const MAX_CLAUSES: usize = 2_000;
/// How often values are put in: what is found by that is put in again.
const MAX_ROUNDS: usize = 8;

/// The simplifying layer.
#[derive(Default)]
pub(crate) struct Simplify {
    /// Bytes that were put in.
    fixed: BTreeMap<u32, u8>,
    /// Terms that numbers were put in for.
    known: FxHashSet<Term>,
    rebuilt: Rebuilt,
    groups: Groups,
    analysis: SharedAnalysis,
    evaluator: Evaluator,
}

impl Simplify {
    /// With an analysis that another layer looks at afterwards.
    pub(crate) fn with(analysis: SharedAnalysis) -> Simplify {
        Simplify { analysis, ..Simplify::default() }
    }

    /// Puts in what is fixed until nothing more is; an answer if a contradiction shows up.
    fn put_in(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        for _ in 0..MAX_ROUNDS {
            let Some(clauses) = flattened(terms, &question.prefix) else { return Some(Answer::Unsat) };
            question.prefix = clauses;
            if terms.as_constant(question.flipped) == Some(0) {
                return Some(Answer::Unsat);
            }
            if question.prefix.len() > MAX_CLAUSES {
                break;
            }
            let mut fresh = fixed_bytes(terms, question.clauses());
            if fresh.is_empty() {
                match self.fixed_slots(terms, question) {
                    Some(fixed) => fresh = fixed,
                    None => return Some(Answer::Unsat),
                }
            }
            if fresh.is_empty() && self.put_in_terms(terms, question) {
                continue;
            }
            if fresh.is_empty() {
                let answer = self.slice_again(terms, question);
                if answer.is_some() {
                    return answer;
                }
                normalise(terms, question);
                // A contradiction is left to the layer that says which clauses it needs.
                let mut analysis = self.analysis.lock();
                if matches!(analysis.run(terms, question), Outcome::Narrowed) {
                    fresh.extend(analysis.fixed_bytes(terms));
                }
            }
            if fresh.is_empty() {
                return None;
            }
            let values = fresh.iter().map(|(input, value)| (*input, *value)).collect();
            let clauses = question.prefix.iter_mut().chain([&mut question.flipped]);
            self.rebuilt.put_bytes(terms, values, clauses);
            self.fixed.extend(fresh);
        }
        let answer = self.slice_again(terms, question);
        normalise(terms, question);
        answer
    }

    /// Puts numbers in for terms that are equal to one by a clause, everywhere but in that clause; whether there was such a
    /// term that was not put in yet.
    fn put_in_terms(&mut self, terms: &mut Terms, question: &mut Question) -> bool {
        let equal: Vec<(Term, u128)> =
            question.clauses().filter_map(|clause| equal_to_number(terms, clause)).collect();
        let before = self.known.len();
        self.known.extend(equal.iter().map(|(term, _)| *term));
        if self.known.len() == before {
            return false;
        }
        // Of two numbers for a term either will do: the other clause becomes false.
        let mut clause_of = FxHashMap::default();
        for clause in question.clauses() {
            if let Some((term, _)) = equal_to_number(terms, clause) {
                clause_of.entry(term).or_insert(clause);
            }
        }
        let values = equal.into_iter().rev().collect();
        let Question { prefix, flipped, .. } = question;
        self.rebuilt.put_terms(terms, values, |terms, substitution| {
            for clause in prefix.iter_mut().chain([flipped]) {
                *clause = match equal_to_number(terms, *clause) {
                    Some((term, value)) if clause_of[&term] == *clause => {
                        let inside = substitution.apply_inside(terms, term);
                        let value = terms.constant(terms.width(inside), value);
                        terms.binary(BinaryOp::Eq, inside, value)
                    }
                    _ => substitution.apply(terms, *clause),
                };
            }
        });
        true
    }

    /// Bytes of parts with few values of which the clauses about nothing else leave one; `None` if they leave none.
    fn fixed_slots(&mut self, terms: &Terms, question: &Question) -> Option<BTreeMap<u32, u8>> {
        let mut fixed = BTreeMap::new();
        for slot in slots::of_question(terms, question).iter().filter(|slot| slot.complete) {
            let mut possible = slot.possible(terms, question, &mut self.evaluator);
            let first = possible.next()?;
            if possible.next().is_none() {
                fixed.extend(slot.bytes.iter().copied().zip(first.iter().copied()));
            }
        }
        Some(fixed)
    }

    /// Leaves out what has nothing to do with the clauses that fail on the current input; an answer if none does.
    fn slice_again(&mut self, terms: &Terms, question: &mut Question) -> Option<Answer> {
        if question.prefix.len() > MAX_CLAUSES {
            return None;
        }
        self.evaluator.restart();
        let fails = |clause| self.evaluator.eval_more(terms, clause, question.current) == 0;
        let fails: Vec<bool> = question.clauses().map(fails).collect();
        let groups = self.groups.of_clauses(terms, question.clauses());
        let failing: FxHashSet<u32> =
            groups.iter().zip(&fails).filter(|(_, fails)| **fails).map(|(group, _)| *group).collect();
        let clauses = question.clauses().zip(&groups).zip(&fails);
        let mut kept: Vec<(Term, bool)> = clauses
            .filter(|((_, group), _)| failing.contains(group))
            .map(|((clause, _), fails)| (clause, *fails))
            .collect();
        let Some(first) = kept.iter().position(|(_, fails)| *fails) else {
            return Some(Answer::Sat(Model {
                bytes: self.fixed.iter().map(|(byte, value)| (*byte, *value)).collect(),
            }));
        };
        question.flipped = kept.remove(first).0;
        question.prefix = kept.into_iter().map(|(clause, _)| clause).collect();
        None
    }
}

impl Layer for Simplify {
    fn name(&self) -> &'static str {
        "simplify"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        self.fixed.clear();
        self.known.clear();
        self.put_in(terms, question)
    }

    fn answered(&mut self, _: &mut Terms, _: &Question, answer: &mut Answer) {
        if let Answer::Sat(Model { bytes }) = answer {
            self.fixed.extend(bytes.iter().copied());
            *bytes = std::mem::take(&mut self.fixed).into_iter().collect();
        }
    }
}

/// The clauses as all later layers see them.
fn normalise(terms: &mut Terms, question: &mut Question) {
    // Remainders are hard for whoever decides: domains are spelt out.
    for clause in &mut question.prefix {
        *clause = slots::spelt_out(terms, *clause).unwrap_or(*clause);
    }
    // Clauses that became equal are one.
    question.prefix.sort_unstable();
    question.prefix.dedup();
}

/// The clauses with conjunctions split and true ones left out; `None` if one is false.
fn flattened(terms: &mut Terms, clauses: &[Term]) -> Option<Vec<Term>> {
    let mut flat = Vec::with_capacity(clauses.len());
    let mut open: Vec<Term> = clauses.iter().rev().copied().collect();
    while let Some(clause) = open.pop() {
        match *terms.node(clause) {
            Node::Const(0) => return None,
            Node::Const(_) => {}
            Node::Binary(BinaryOp::And, a, b) => open.extend([b, a]),
            Node::Unary(UnaryOp::Not, inner) => match *terms.node(inner) {
                Node::Binary(BinaryOp::Or, a, b) => open.extend([terms.not(b), terms.not(a)]),
                _ => flat.push(clause),
            },
            _ => flat.push(clause),
        }
    }
    Some(flat)
}

/// A term of several bits and the number that it is equal to if this clause holds.
fn equal_to_number(terms: &Terms, clause: Term) -> Option<(Term, u128)> {
    let Node::Binary(BinaryOp::Eq, term, number) = *terms.node(clause) else { return None };
    let is_part = !matches!(terms.node(term), Node::Input(_)) && terms.width(term) > 1;
    Some((term, terms.as_constant(number)?)).filter(|_| is_part)
}

/// Bytes that a clause says have one value. Of two values for a byte either will do: the other clause becomes false.
fn fixed_bytes(terms: &Terms, clauses: impl Iterator<Item = Term>) -> BTreeMap<u32, u8> {
    let mut fixed = BTreeMap::new();
    let mut open: Vec<Term> = clauses.collect();
    while let Some(clause) = open.pop() {
        let Node::Binary(op, a, b) = *terms.node(clause) else { continue };
        match (op, terms.node(a), terms.as_constant(b)) {
            (BinaryOp::And, ..) => open.extend([a, b]),
            (BinaryOp::Eq, Node::Input(byte), Some(value)) => {
                fixed.insert(*byte, value as u8);
            }
            (BinaryOp::Ult, Node::Concat(..), Some(limit)) => {
                let bits = 128 - limit.saturating_sub(1).leading_zeros() as u16;
                fixed.extend(bytes_above(terms, a, bits).map(|byte| (byte, 0)));
            }
            _ => {}
        }
    }
    fixed
}

/// The input bytes that a word has from this bit upwards, as far as it is put together from such.
fn bytes_above(terms: &Terms, word: Term, bits: u16) -> impl Iterator<Item = u32> {
    let mut bytes = Vec::new();
    let mut open = vec![(word, 0)];
    while let Some((part, start)) = open.pop() {
        match *terms.node(part) {
            Node::Concat(high, low) => open.extend([(low, start), (high, start + terms.width(low))]),
            Node::Input(byte) if start >= bits => bytes.push(byte),
            _ => {}
        }
    }
    bytes.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::testing::question;

    fn eq(terms: &mut Terms, a: Term, value: u128) -> Term {
        let constant = terms.constant(terms.width(a), value);
        terms.binary(BinaryOp::Eq, a, constant)
    }

    #[test]
    fn fixed_bytes_are_put_in_and_come_back_in_the_model() {
        let mut t = Terms::new();
        let (a, b, c) = (t.input(0), t.input(1), t.input(2));
        let product = t.binary(BinaryOp::Mul, a, b);
        let (fixed, flipped) = (eq(&mut t, a, 3), t.binary(BinaryOp::Ult, product, c));
        let (mut simplify, mut asked) = (Simplify::default(), question(&[fixed], flipped));
        assert_eq!(simplify.ask(&mut t, &mut asked), None);
        let mut answer = Answer::Sat(Model { bytes: vec![(2, 9)] });
        simplify.answered(&mut t, &asked, &mut answer);
        assert_eq!(answer, Answer::Sat(Model { bytes: vec![(0, 3), (2, 9)] }));
        let three = t.constant(8, 3);
        let product = t.binary(BinaryOp::Mul, b, three);
        let expected = t.binary(BinaryOp::Ult, product, c);
        assert_eq!((asked.prefix, asked.flipped), (vec![], expected));
    }

    #[test]
    fn values_found_by_putting_in_values_are_put_in_too() {
        let mut t = Terms::new();
        let (a, b, c) = (t.input(0), t.input(1), t.input(2));
        let sum = t.binary(BinaryOp::Add, a, b);
        let (fixed, follows, flipped) =
            (eq(&mut t, a, 3), eq(&mut t, sum, 10), t.binary(BinaryOp::Ult, b, c));
        let mut asked = question(&[fixed, follows], flipped);
        Simplify::default().ask(&mut t, &mut asked);
        let seven = t.constant(8, 7);
        let expected = t.binary(BinaryOp::Ult, seven, c);
        assert_eq!((asked.prefix, asked.flipped), (vec![], expected));
    }

    #[test]
    fn a_pointer_that_must_not_be_null_has_the_value_that_is_left() {
        let mut t = Terms::new();
        let (low, high, offset) = (t.input(0), t.input(1), t.input(2));
        let pointer = t.concat(high, low);
        let (null, object) = (eq(&mut t, pointer, 0), eq(&mut t, pointer, 0x1020));
        let domain = t.binary(BinaryOp::Or, null, object);
        let limit = t.constant(16, 0xfff);
        let (valid, wide) = (t.binary(BinaryOp::Ult, limit, pointer), t.zext(offset, 16));
        let place = t.binary(BinaryOp::Add, pointer, wide);
        let flipped = eq(&mut t, place, 0x1029);
        let mut asked = question(&[valid, domain], flipped);
        let expected = Answer::Sat(Model { bytes: vec![(0, 0x20), (1, 0x10), (2, 9)] });
        assert_eq!(Simplify::default().ask(&mut t, &mut asked), Some(expected));
        let not_it = t.not(object);
        let mut asked = question(&[valid, domain, not_it], flipped);
        assert_eq!(Simplify::default().ask(&mut t, &mut asked), Some(Answer::Unsat));
    }

    #[test]
    fn a_small_number_has_high_bytes_that_are_zero() {
        let mut t = Terms::new();
        let (a, b, c) = (t.input(0), t.input(1), t.input(2));
        let (word, limit) = (t.concat(b, a), t.constant(16, 0x80));
        let (small, other) = (t.binary(BinaryOp::Ult, word, limit), t.binary(BinaryOp::Ult, c, a));
        let mut asked = question(&[small], other);
        assert_eq!(Simplify::default().ask(&mut t, &mut asked), None);
        assert_eq!(asked.inputs(&t), [0, 2], "byte 1 is known");
    }

    #[test]
    fn a_byte_of_which_ranges_leave_one_value_is_put_in() {
        let mut t = Terms::new();
        let (a, b, entry) = (t.input(0), t.input(1), t.input(2));
        let table = t.table(vec![entry]);
        let (read, limit) = (t.read(table, a), t.constant(8, 9));
        // Beyond the table's end is 0, so the index must be 0.
        let prefix = [eq(&mut t, read, 7), t.binary(BinaryOp::Ult, a, b)];
        let flipped = t.binary(BinaryOp::Ult, limit, b);
        let mut asked = question(&prefix, flipped);
        assert_eq!(Simplify::default().ask(&mut t, &mut asked), None);
        assert_eq!(asked.inputs(&t), [1], "the index and the entry are known");
    }

    #[test]
    fn what_values_in_place_cut_off_is_left_out_if_it_holds() {
        let mut t = Terms::new();
        let (a, b, c) = (t.input(0), t.input(1), t.input(2));
        let (fixed, sum) = (eq(&mut t, a, 3), t.binary(BinaryOp::Add, a, b));
        let three = t.constant(8, 3);
        let holds = t.binary(BinaryOp::Ule, three, sum);
        let difference = t.binary(BinaryOp::Sub, c, a);
        let flipped = t.binary(BinaryOp::Ult, difference, three);
        let mut asked = question(&[fixed, holds], flipped);
        assert_eq!(Simplify::default().ask(&mut t, &mut asked), None);
        assert_eq!(asked.inputs(&t), [2]);
        // What does not hold with the new value stays, and is what must come true now.
        let fails = t.binary(BinaryOp::Ult, three, sum);
        let mut asked = question(&[fails], fixed);
        assert_eq!(Simplify::default().ask(&mut t, &mut asked), None);
        assert_eq!((asked.inputs(&t), asked.prefix.len()), (vec![1], 0));
    }

    #[test]
    fn contradictions_need_no_solver() {
        let mut t = Terms::new();
        let a = t.input(0);
        let (three, four) = (eq(&mut t, a, 3), eq(&mut t, a, 4));
        assert_eq!(Simplify::default().ask(&mut t, &mut question(&[three], four)), Some(Answer::Unsat));
    }
}
