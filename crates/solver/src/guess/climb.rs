//! The search: from the current input, change one number, then two at once, as long as the query comes closer; then the
//! same from all ones, because products of zeros tell nothing.
//!
//! How close an input is: first how many clauses fail, then by how many representable values their sides are apart.
//! A step is kept only if it comes closer, so the search ends; it also ends when its evaluations are used up.

use super::invert;
use super::values::{Kind, Number};
use super::variables::{Findings, Variable};
use crate::layer::Question;
use rustc_hash::FxHashMap;
use tarka_terms::{BinaryOp, Evaluator, Node, Term, Terms, UnaryOp, predicate};

/// Values of each of two numbers that are tried together.
const PAIRED_VALUES: usize = 40;
/// Values of a number with each of which the clauses are solved for another one.
const GIVEN_VALUES: usize = 16;
/// How far beside a proposed value is looked.
const NEIGHBOURS: [i128; 5] = [0, 1, -1, 2, -2];
/// How deep truth values are looked into for a distance.
const MAX_DEPTH: u32 = 8;
/// The distance of a clause of which no better is known.
const FAR: f64 = 1.0;

/// How far from a model an input is: failing clauses, then the distance of their sides.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Cost(u32, f64);

/// Farther than any input.
const FARTHEST: Cost = Cost(u32::MAX, 0.0);

/// Why a search stops.
enum Stop {
    Found,
    UsedUp,
}

/// One search.
pub(super) struct Climb<'a> {
    terms: &'a Terms,
    clauses: Vec<Term>,
    findings: &'a Findings,
    variables: &'a [Variable],
    evaluator: &'a mut Evaluator,
    evaluations: usize,
    bytes: FxHashMap<u32, u8>,
    best: Cost,
}

impl<'a> Climb<'a> {
    pub(super) fn new(
        terms: &'a Terms,
        question: &Question,
        findings: &'a Findings,
        evaluator: &'a mut Evaluator,
        evaluations: usize,
    ) -> Self {
        // The flipped clause first: a step that breaks more than it mends is given up early.
        let clauses: Vec<Term> = question.clauses().collect();
        let inputs = clauses.iter().flat_map(|clause| terms.inputs(*clause));
        let bytes = inputs.map(|input| (*input, question.current.byte(*input))).collect();
        let (variables, best) = (findings.variables.as_slice(), FARTHEST);
        Climb { terms, clauses, findings, variables, evaluator, evaluations, bytes, best }
    }

    /// The bytes of a model, if one was met.
    pub(super) fn run(mut self) -> Option<FxHashMap<u32, u8>> {
        matches!(self.search(), Err(Stop::Found)).then_some(self.bytes)
    }

    fn search(&mut self) -> Result<(), Stop> {
        self.climb()?;
        let ones: Vec<(&Variable, u128)> = self
            .variables
            .iter()
            .filter_map(|variable| Some((variable, variable.kind.bits(Number::double(1.0))?)))
            .collect();
        self.write(&ones);
        self.best = FARTHEST;
        self.climb()
    }

    fn climb(&mut self) -> Result<(), Stop> {
        self.step(&[])?;
        loop {
            let before = self.best;
            self.single_values()?;
            self.solved_for_one(None)?;
            for variable in self.variables {
                self.descend(variable)?;
            }
            if self.best == before {
                self.solved_for_another()?;
                self.pairs()?;
            }
            if self.best == before {
                return Ok(());
            }
        }
    }

    fn single_values(&mut self) -> Result<(), Stop> {
        for variable in self.variables {
            for value in &variable.values {
                self.step(&[(variable, *value)])?;
            }
        }
        Ok(())
    }

    /// Every failing clause solved for each of its numbers, with another number given a value first if one is named.
    fn solved_for_one(&mut self, given: Option<(&'a Variable, u128)>) -> Result<(), Stop> {
        let before = given.map(|(variable, _)| (variable, self.current(variable)));
        self.write(given.as_slice());
        let proposals = self.proposals();
        self.write(before.as_slice());
        for (position, value) in proposals {
            let variable = &self.variables[position];
            let others = given.into_iter().filter(|(given, _)| !std::ptr::eq(*given, variable));
            let mut values: Vec<_> = others.chain([(variable, value)]).collect();
            for beside in NEIGHBOURS {
                let moved = if beside == 0 { Some(value) } else { variable.kind.moved(value, beside) };
                if let (Some(moved), Some(last)) = (moved, values.last_mut()) {
                    last.1 = moved;
                    self.step(&values)?;
                }
            }
        }
        Ok(())
    }

    fn solved_for_another(&mut self) -> Result<(), Stop> {
        for variable in self.variables {
            for value in variable.values.iter().take(GIVEN_VALUES) {
                self.solved_for_one(Some((variable, *value)))?;
            }
        }
        Ok(())
    }

    fn proposals(&mut self) -> Vec<(usize, u128)> {
        self.evaluator.restart();
        let Climb { terms, clauses, findings, evaluator, bytes, .. } = self;
        let assignment = |input: u32| bytes.get(&input).copied().unwrap_or_default();
        let mut value = |term: Term| evaluator.eval_more(terms, term, &assignment);
        let mut found = Vec::new();
        for clause in clauses.iter() {
            if value(*clause) == 0 {
                found.extend(invert::proposals(terms, findings, *clause, &mut value));
            }
        }
        found
    }

    /// Steps of falling size in the order of the number's values, as in a binary search.
    fn descend(&mut self, variable: &'a Variable) -> Result<(), Stop> {
        for size in (0..variable.kind.position_bits()).rev() {
            for step in [1i128 << size, -(1i128 << size)] {
                if let Some(value) = variable.kind.moved(self.current(variable), step) {
                    self.step(&[(variable, value)])?;
                }
            }
        }
        Ok(())
    }

    fn pairs(&mut self) -> Result<(), Stop> {
        for (position, first) in self.variables.iter().enumerate() {
            for second in &self.variables[position + 1..] {
                for value in first.values.iter().take(PAIRED_VALUES) {
                    for other in second.values.iter().take(PAIRED_VALUES) {
                        self.step(&[(first, *value), (second, *other)])?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The pattern of a number in the input so far.
    fn current(&self, variable: &Variable) -> u128 {
        variable
            .bytes
            .iter()
            .fold(0, |bits, (byte, position)| bits | u128::from(self.bytes[byte]) << position)
    }

    /// Writes these values and keeps them if that comes closer.
    fn step(&mut self, values: &[(&Variable, u128)]) -> Result<(), Stop> {
        self.evaluations = self.evaluations.checked_sub(1).ok_or(Stop::UsedUp)?;
        let before: Vec<(&Variable, u128)> =
            values.iter().map(|(variable, _)| (*variable, self.current(variable))).collect();
        self.write(values);
        match self.cost() {
            Some(cost) if cost < self.best => self.best = cost,
            _ => self.write(&before),
        }
        if self.best.0 == 0 { Err(Stop::Found) } else { Ok(()) }
    }

    fn write(&mut self, values: &[(&Variable, u128)]) {
        for (variable, value) in values {
            for (byte, position) in &variable.bytes {
                self.bytes.insert(*byte, (value >> position) as u8);
            }
        }
    }

    /// Nothing if more clauses fail than before.
    fn cost(&mut self) -> Option<Cost> {
        self.evaluator.restart();
        let mut cost = Cost(0, 0.0);
        for position in 0..self.clauses.len() {
            let clause = self.clauses[position];
            if self.value(clause) == 0 {
                cost.0 += 1;
                if cost.0 > self.best.0 {
                    return None;
                }
                cost.1 += self.distance(clause, true, MAX_DEPTH);
            }
        }
        Some(cost)
    }

    fn value(&mut self, term: Term) -> u128 {
        let bytes = &self.bytes;
        self.evaluator.eval_more(self.terms, term, &|input| bytes.get(&input).copied().unwrap_or_default())
    }

    /// How far a truth value is from what it should be, from 0 to [`FAR`].
    fn distance(&mut self, clause: Term, wanted: bool, depth: u32) -> f64 {
        if (self.value(clause) == 1) == wanted {
            return 0.0;
        }
        if depth == 0 {
            return FAR;
        }
        match *self.terms.node(clause) {
            Node::Unary(UnaryOp::Not, a) => self.distance(a, !wanted, depth - 1),
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let sides = [a, b].map(|side| self.distance(side, wanted, depth - 1));
                let both = (op == BinaryOp::And) == wanted;
                if both { (sides[0] + sides[1]) / 2.0 } else { sides[0].min(sides[1]) }
            }
            Node::FCmp(relations, a, b) => {
                let relations = if wanted { relations } else { predicate::ALWAYS & !relations };
                let kind = Kind::Float(self.terms.width(a));
                let (a, b) = (self.value(a), self.value(b));
                if relations & !predicate::UNORDERED == 0 { FAR } else { gap(kind, a, b) }
            }
            Node::Binary(op, a, b) if op.is_predicate() => {
                let kind = Kind::Integer(self.terms.width(a));
                gap(kind, self.value(a), self.value(b))
            }
            _ => FAR,
        }
    }
}

/// How many values lie between two, as a part of all there are.
fn gap(kind: Kind, a: u128, b: u128) -> f64 {
    let all = kind.position_bits().max(63) + 2;
    match (kind.position(a), kind.position(b)) {
        (Some((a, _)), Some((b, _))) => (a.abs_diff(b) as f64 + 1.0) / 2f64.powi(all.into()),
        _ => FAR,
    }
}
