//! The ranges of all terms of a question, narrowed until nothing changes any more or enough was done.
//!
//! Takes a question; gives the values its bytes and terms can have, or that it has no model and which clauses say so.
//! Clauses about one byte count exactly, as sets of values; the others through ranges, from operands to terms and back.

use super::backward::backward;
use super::bytes::{ByteSet, OneByteClauses};
use super::forward::{MAX_ENTRIES, forward};
use super::range::Range;
use crate::layer::Question;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tarka_terms::{Node, Parts, Term, Terms};

/// Larger questions are passed on.
const MAX_TERMS: usize = 4_000;
/// How often all terms are visited at most.
const MAX_ROUNDS: usize = 6;

/// No time at all: what was never done.
const NEVER: u32 = u32::MAX;

/// Clauses that took part in something, by position in the question; the last bit stands for all from there on.
pub(super) type Reason = u128;

/// Tables kept from question to question, told apart by round.
#[derive(Default)]
pub(crate) struct Analysis {
    store: u64,
    round: u32,
    /// For each term the round it was entered in and its position below.
    entered: Vec<(u32, u32)>,
    /// The terms of the question, operands first.
    order: Vec<Term>,
    states: Vec<State>,
    /// How often a state was narrowed since the terms were entered.
    changes: u32,
    one_byte: OneByteClauses,
    /// The clauses that were narrowed last, all bytes free, and what came out.
    last: Option<(Vec<Term>, Outcome)>,
}

#[derive(Clone, Copy)]
struct State {
    range: Range,
    /// Of an input byte its values.
    set: ByteSet,
    reason: Reason,
    /// When it was last narrowed, and when it was last narrowed by its operands and they by it: by the count of changes.
    changed: u32,
    forward: u32,
    backward: u32,
}

/// An analysis that two layers look at: what the one had narrowed the other need not narrow again.
#[derive(Clone, Default)]
pub(crate) struct SharedAnalysis(Arc<Mutex<Analysis>>);

impl SharedAnalysis {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Analysis> {
        // The layers of a chain are asked one after the other, and what a panic left is begun anew.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What came out.
#[derive(Clone)]
pub(crate) enum Outcome {
    /// Too large to be looked at.
    PassedOn,
    /// No model, because of these clauses.
    Contradiction(Vec<Term>),
    /// Values are narrowed: ask [`Analysis::range`] and [`Analysis::values`].
    Narrowed,
}

impl Analysis {
    /// Narrows all terms of the question, unless that was just done.
    pub(crate) fn run(&mut self, terms: &Terms, question: &Question) -> Outcome {
        if let Some((clauses, outcome)) = &self.last
            && self.store == terms.identity()
            && question.clauses().eq(clauses.iter().copied())
        {
            return outcome.clone();
        }
        let outcome = self.run_keeping(terms, question, &|_| false);
        self.last = Some((question.clauses().collect(), outcome.clone()));
        outcome
    }

    /// The same where some bytes keep their current value, which then is no clause: a contradiction says nothing of the
    /// question.
    pub(super) fn run_keeping(
        &mut self,
        terms: &Terms,
        question: &Question,
        keeps: &dyn Fn(u32) -> bool,
    ) -> Outcome {
        self.last = None;
        let clauses: Vec<Term> = question.clauses().collect();
        if !self.enter(terms, &clauses) {
            return Outcome::PassedOn;
        }
        let kept = |term: &Term| match *terms.node(*term) {
            Node::Input(byte) if keeps(byte) => Some((*term, question.current.byte(byte))),
            _ => None,
        };
        let kept: Vec<(Term, u8)> = self.order.iter().filter_map(kept).collect();
        match self.narrow(terms, &clauses, &kept) {
            Ok(()) => Outcome::Narrowed,
            Err(reason) => Outcome::Contradiction(named(&clauses, reason)),
        }
    }

    /// What is known of a term.
    pub(super) fn range(&self, terms: &Terms, term: Term) -> Range {
        if let Some(value) = terms.as_constant(term) {
            return Range::point(terms.width(term), value);
        }
        match self.entered[term.index()] {
            (entered, position) if entered == self.round => self.states[position as usize].range,
            _ => Range::full(terms.width(term)),
        }
    }

    /// The clauses that took part in what is known of a term.
    pub(super) fn reason(&self, term: Term) -> Reason {
        match self.entered[term.index()] {
            (entered, position) if entered == self.round => self.states[position as usize].reason,
            _ => 0,
        }
    }

    /// The terms that were looked at, operands first.
    pub(super) fn terms(&self) -> &[Term] {
        &self.order
    }

    /// The input bytes of the question with their values, sorted by byte.
    pub(super) fn values(&self, terms: &Terms) -> Vec<(u32, ByteSet)> {
        let input = |term: &Term| match *terms.node(*term) {
            Node::Input(byte) => Some((byte, self.states[self.entered[term.index()].1 as usize].set)),
            _ => None,
        };
        let mut values: Vec<(u32, ByteSet)> = self.order.iter().filter_map(input).collect();
        values.sort_unstable_by_key(|(byte, _)| *byte);
        values
    }

    /// The input bytes that can have one value only, and that value.
    pub(crate) fn fixed_bytes(&self, terms: &Terms) -> impl Iterator<Item = (u32, u8)> {
        let fixed = |(input, set): (u32, ByteSet)| {
            let value = set.values().next()?;
            (set.len() == 1).then_some((input, value))
        };
        self.values(terms).into_iter().filter_map(fixed)
    }

    /// Enters all terms; false if there are too many.
    fn enter(&mut self, terms: &Terms, clauses: &[Term]) -> bool {
        if self.store != terms.identity() || self.round == u32::MAX {
            self.store = terms.identity();
            self.entered.clear();
            self.one_byte.clear();
            self.round = 0;
        }
        self.round += 1;
        if self.entered.len() < terms.len() {
            self.entered.resize(terms.len(), (0, 0));
        }
        self.order.clear();
        // Of a clause about one byte nothing but the byte matters.
        let root = |clause: &Term| match *terms.inputs(*clause) {
            [input] => input_term(terms, *clause, input),
            _ => *clause,
        };
        let mut open: Vec<Term> = clauses.iter().map(root).collect();
        while let Some(term) = open.pop() {
            let entered = &mut self.entered[term.index()];
            if entered.0 == self.round {
                continue;
            }
            entered.0 = self.round;
            self.order.push(term);
            if self.order.len() > MAX_TERMS {
                return false;
            }
            let node = terms.node(term);
            node.for_each_operand(|operand| open.push(operand));
            if let Node::Read(table, _) = *node
                && terms.table_entries(table).len() <= MAX_ENTRIES
            {
                let entries = terms.table_entries(table).iter().copied();
                open.extend(entries.filter(|entry| terms.as_constant(*entry).is_none()));
            }
        }
        // Operands are older than what is made of them.
        self.order.sort_unstable();
        self.states.clear();
        self.changes = 0;
        for (position, term) in self.order.iter().enumerate() {
            self.entered[term.index()].1 = position as u32;
            let range = Range::full(terms.width(*term));
            let (set, forward, backward) = (ByteSet::ALL, NEVER, NEVER);
            self.states.push(State { range, set, reason: 0, changed: 0, forward, backward });
        }
        true
    }

    fn narrow(&mut self, terms: &Terms, clauses: &[Term], kept: &[(Term, u8)]) -> Result<(), Reason> {
        for (byte, value) in kept {
            self.must(terms, *byte, &Range::point(8, (*value).into()), 0)?;
        }
        for (position, clause) in clauses.iter().enumerate() {
            let reason = 1 << position.min(127);
            match self.one_byte.allowed(terms, *clause) {
                Some((input, set)) => self.must_be_in(input_term(terms, *clause, input), set, reason)?,
                None => self.must(terms, *clause, &Range::point(1, 1), reason)?,
            };
        }
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            for position in 0..self.order.len() {
                changed |= self.forward(terms, position)?;
            }
            for position in (0..self.order.len()).rev() {
                changed |= self.backward(terms, position)?;
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }

    fn forward(&mut self, terms: &Terms, position: usize) -> Result<bool, Reason> {
        let term = self.order[position];
        if matches!(terms.node(term), Node::Input(_)) {
            return Ok(false);
        }
        if let Some((byte, holds)) = self.truth_of_byte(terms, term) {
            let State { set, reason, .. } = self.states[self.entered[byte.index()].1 as usize];
            let truth = match (set.meet(holds).is_none(), set.meet(holds.complement()).is_none()) {
                (true, _) => 0,
                (_, true) => 1,
                _ => return Ok(false),
            };
            return self.must(terms, term, &Range::point(1, truth), reason);
        }
        let since = self.states[position].forward;
        if since != NEVER && !self.operands_changed(terms, term, since) {
            return Ok(false);
        }
        self.states[position].forward = self.changes;
        let range = forward(terms, term, &|operand| self.range(terms, operand));
        let reason = self.reason_of_operands(terms, term);
        self.must(terms, term, &range, reason)
    }

    fn backward(&mut self, terms: &Terms, position: usize) -> Result<bool, Reason> {
        let term = self.order[position];
        let State { range, reason, changed, backward: since, .. } = self.states[position];
        if range == Range::full(range.width) {
            return Ok(false);
        }
        if since != NEVER && changed <= since && !self.operands_changed(terms, term, since) {
            return Ok(false);
        }
        self.states[position].backward = self.changes;
        if let (Some((byte, holds)), Some(value)) = (self.truth_of_byte(terms, term), range.value()) {
            return self.must_be_in(byte, if value == 1 { holds } else { holds.complement() }, reason);
        }
        let reason = reason | self.reason_of_operands(terms, term);
        let mut wanted: [Option<(Term, Range)>; 4] = [None; 4];
        let mut count = 0;
        let fits =
            backward(terms, term, &range, &|operand| self.range(terms, operand), &mut |operand, range| {
                wanted[count] = Some((operand, range));
                count += 1;
                Some(())
            });
        if fits.is_none() {
            return Err(reason);
        }
        let mut changed = false;
        for (operand, range) in wanted.into_iter().flatten() {
            changed |= self.must(terms, operand, &range, reason)?;
        }
        Ok(changed)
    }

    /// Narrows a term; whether that changed anything, or why there is no value for it.
    fn must(&mut self, terms: &Terms, term: Term, range: &Range, reason: Reason) -> Result<bool, Reason> {
        if let Some(value) = terms.as_constant(term) {
            return if range.contains(value) { Ok(false) } else { Err(reason) };
        }
        let state = &mut self.states[self.entered[term.index()].1 as usize];
        let Some(narrowed) = state.range.meet(range) else { return Err(state.reason | reason) };
        if narrowed == state.range {
            return Ok(false);
        }
        self.changes += 1;
        state.changed = self.changes;
        state.range = narrowed;
        state.reason |= reason;
        if let Node::Input(_) = *terms.node(term) {
            state.set = state.set.meet(ByteSet::of_range(&narrowed));
            let range = state.set.range().ok_or(state.reason)?;
            state.range = narrowed.meet(&range).ok_or(state.reason)?;
        }
        Ok(true)
    }

    /// The byte of a comparison of one byte alone, and the values under which it holds.
    fn truth_of_byte(&mut self, terms: &Terms, term: Term) -> Option<(Term, ByteSet)> {
        let is_comparison = matches!(*terms.node(term), Node::Binary(op, ..) if op.is_predicate());
        if !is_comparison || !matches!(terms.support_parts(terms.support(term)), Parts::Inputs([_])) {
            return None;
        }
        let (input, holds) = self.one_byte.allowed(terms, term)?;
        Some((input_term(terms, term, input), holds))
    }

    /// Narrows a byte to a set; whether that changed anything, or why there is no value for it.
    fn must_be_in(&mut self, byte: Term, set: ByteSet, reason: Reason) -> Result<bool, Reason> {
        let state = &mut self.states[self.entered[byte.index()].1 as usize];
        let narrowed = state.set.meet(set);
        if narrowed == state.set {
            return Ok(false);
        }
        self.changes += 1;
        state.changed = self.changes;
        (state.set, state.reason) = (narrowed, state.reason | reason);
        let range = narrowed.range().ok_or(state.reason)?;
        state.range = state.range.meet(&range).ok_or(state.reason)?;
        Ok(true)
    }

    /// Whether an operand, or an entry of the table that is read, was narrowed since then.
    fn operands_changed(&self, terms: &Terms, term: Term, since: u32) -> bool {
        let is_new = |operand: Term| match self.entered[operand.index()] {
            (entered, position) if entered == self.round => self.states[position as usize].changed > since,
            _ => false,
        };
        let node = terms.node(term);
        let mut changed = false;
        node.for_each_operand(|operand| changed |= is_new(operand));
        if let Node::Read(table, _) = *node
            && terms.table_entries(table).len() <= MAX_ENTRIES
        {
            changed |= terms.table_entries(table).iter().any(|entry| is_new(*entry));
        }
        changed
    }

    fn reason_of_operands(&self, terms: &Terms, term: Term) -> Reason {
        let mut reason = 0;
        terms.node(term).for_each_operand(|operand| reason |= self.reason(operand));
        if let Node::Read(table, _) = *terms.node(term)
            && terms.table_entries(table).len() <= MAX_ENTRIES
        {
            let entries = terms.table_entries(table).iter();
            reason |= entries.map(|entry| self.reason(*entry)).fold(0, |all, one| all | one);
        }
        reason
    }
}

/// The term of the one input byte that a term depends on.
fn input_term(terms: &Terms, clause: Term, input: u32) -> Term {
    let mut term = clause;
    let depends = |operand: &Term| !terms.inputs(*operand).is_empty();
    while *terms.node(term) != Node::Input(input) {
        // Any operand that depends on the byte leads to it; if none does, the byte is in the table that is read.
        let mut next = None;
        let node = terms.node(term);
        node.for_each_operand(|operand| next = next.or(Some(operand).filter(depends)));
        if let (None, Node::Read(table, _)) = (next, *node) {
            next = terms.table_entries(table).iter().copied().find(depends);
        }
        term = next.expect("a term that depends on a byte has an operand that does");
    }
    term
}

/// The clauses of a reason.
pub(super) fn named(clauses: &[Term], reason: Reason) -> Vec<Term> {
    let has = |position: usize| reason >> position.min(127) & 1 == 1;
    clauses.iter().enumerate().filter(|(position, _)| has(*position)).map(|(_, clause)| *clause).collect()
}
