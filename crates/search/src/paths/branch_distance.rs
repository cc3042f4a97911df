//! How far a run was from going another way at a decision: the branch distance of search-based testing.
//!
//! Takes a decision's operand and the run's input; both sides of a comparison are evaluated on the input, and their
//! difference says how near the comparison came. Gives 0 if the input goes that way. Never: the solver.

use tarka_terms::{Assignment, BinaryOp, Evaluator, Node, Term, Terms, UnaryOp, predicate};
use tarka_trace::EventKind;

use crate::SiteTable;
use crate::paths::constraint::Outcome;
use crate::paths::tree::PathNode;

/// Conditions within a condition that are looked at; below that only their truth counts.
const MAX_NESTING: u32 = 16;

/// Measures distances under one run's input.
pub(crate) struct Ruler<'a> {
    evaluator: &'a mut Evaluator,
    terms: &'a Terms,
    input: &'a dyn Assignment,
}

impl<'a> Ruler<'a> {
    /// For this input; the evaluator is only lent, so that its tables are made once.
    pub(crate) fn new(
        evaluator: &'a mut Evaluator,
        terms: &'a Terms,
        input: &'a dyn Assignment,
    ) -> Ruler<'a> {
        evaluator.restart();
        Ruler { evaluator, terms, input }
    }

    /// The distance to an outcome of a source decision; `None` for other decisions.
    pub(crate) fn outcome_distance(
        &mut self,
        sites: &SiteTable,
        node: &PathNode,
        outcome: Outcome,
    ) -> Option<f64> {
        match node.kind {
            EventKind::Condition => Some(self.truth_distance(node.operand, outcome != 0, 0)),
            EventKind::Switch => self.arm_distance(sites, node, outcome),
            EventKind::Internal | EventKind::InternalSwitch | EventKind::Check | EventKind::Undefined => None,
        }
    }

    fn value(&mut self, term: Term) -> u128 {
        self.evaluator.eval_more(self.terms, term, self.input)
    }

    fn arm_distance(&mut self, sites: &SiteTable, node: &PathNode, outcome: Outcome) -> Option<f64> {
        let (values, signed) = sites.arm_values(node.site, u32::try_from(outcome).ok()?)?;
        // Any value that no other arm has leads to the default: hardly ever far away.
        let Some((first, last)) = values else { return Some(1.0) };
        let (width, value) = (self.terms.width(node.operand), self.value(node.operand));
        let value = if signed { signed_value(value, width) } else { value as i128 };
        Some((first as f64 - value as f64).max(value as f64 - last as f64).max(0.0))
    }

    /// The distance of a condition to being true or false.
    fn truth_distance(&mut self, term: Term, wanted: bool, nesting: u32) -> f64 {
        let width = self.terms.width(term);
        if nesting == MAX_NESTING {
            return if (self.value(term) != 0) == wanted { 0.0 } else { 1.0 };
        }
        match *self.terms.node(term) {
            Node::ZExt(inner) | Node::SExt(inner) => self.truth_distance(inner, wanted, nesting + 1),
            Node::Unary(UnaryOp::Not, inner) if width == 1 => {
                self.truth_distance(inner, !wanted, nesting + 1)
            }
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) if width == 1 => {
                let needs_both = (op == BinaryOp::And) == wanted;
                let left = self.truth_distance(left, wanted, nesting + 1);
                let right = self.truth_distance(right, wanted, nesting + 1);
                if needs_both { left + right } else { left.min(right) }
            }
            Node::Binary(op, left, right) if op.is_predicate() => {
                self.comparison_distance(op, left, right, wanted)
            }
            Node::FCmp(relations, left, right) => self.floating_distance(relations, left, right, wanted),
            _ => {
                let value = self.value(term);
                match ((value != 0) == wanted, wanted) {
                    (true, _) => 0.0,
                    (false, true) => 1.0,
                    (false, false) => signed_value(value, width).unsigned_abs() as f64,
                }
            }
        }
    }

    fn comparison_distance(&mut self, op: BinaryOp, left: Term, right: Term, wanted: bool) -> f64 {
        let width = self.terms.width(left);
        let (a, b) = (self.value(left), self.value(right));
        let unsigned = a as f64 - b as f64;
        let signed = signed_value(a, width) as f64 - signed_value(b, width) as f64;
        let (difference, relations) = match op {
            // Whether the sides are signed is not known; -1 and 1 are not far apart, nor are 127 and 128.
            BinaryOp::Eq if signed.abs() < unsigned.abs() => (signed, predicate::EQUAL),
            BinaryOp::Eq => (unsigned, predicate::EQUAL),
            BinaryOp::Ult => (unsigned, predicate::LESS),
            BinaryOp::Ule => (unsigned, predicate::LESS | predicate::EQUAL),
            BinaryOp::Slt => (signed, predicate::LESS),
            BinaryOp::Sle => (signed, predicate::LESS | predicate::EQUAL),
            _ => {
                return if (tarka_terms::semantics::binary(op, width, a, b) != 0) == wanted {
                    0.0
                } else {
                    1.0
                };
            }
        };
        to_relation(difference, if wanted { relations } else { !relations })
    }

    fn floating_distance(&mut self, relations: u8, left: Term, right: Term, wanted: bool) -> f64 {
        let relations = if wanted { relations } else { !relations };
        let width = self.terms.width(left);
        let (a, b) = (floating(self.value(left), width), floating(self.value(right), width));
        match a.zip(b).map(|(a, b)| a - b).filter(|difference| !difference.is_nan()) {
            Some(difference) => to_relation(difference, relations),
            None if relations & predicate::UNORDERED != 0 => 0.0,
            None => 1.0,
        }
    }
}

/// How much `a - b` has to change for one of the relations between a and b to hold.
fn to_relation(difference: f64, relations: u8) -> f64 {
    let mut nearest = f64::INFINITY;
    if relations & predicate::EQUAL != 0 {
        nearest = nearest.min(difference.abs());
    }
    if relations & predicate::LESS != 0 {
        nearest = nearest.min(if difference < 0.0 { 0.0 } else { difference + 1.0 });
    }
    if relations & predicate::GREATER != 0 {
        nearest = nearest.min(if difference > 0.0 { 0.0 } else { 1.0 - difference });
    }
    nearest
}

fn signed_value(value: u128, width: u16) -> i128 {
    let unused = 128 - width as u32;
    (value as i128) << unused >> unused
}

/// The number behind an IEEE bit pattern; `None` for x87's 80 bits.
fn floating(bits: u128, width: u16) -> Option<f64> {
    match width {
        32 => Some(f32::from_bits(bits as u32).into()),
        64 => Some(f64::from_bits(bits as u64)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(build: impl Fn(&mut Terms) -> Term, input: &[u8], wanted: bool) -> f64 {
        let (mut terms, mut evaluator) = (Terms::new(), Evaluator::new());
        let term = build(&mut terms);
        Ruler::new(&mut evaluator, &terms, &input).truth_distance(term, wanted, 0)
    }

    fn compare(op: BinaryOp, limit: u128) -> impl Fn(&mut Terms) -> Term {
        move |terms| {
            let (input, limit) = (terms.input(0), terms.constant(8, limit));
            terms.binary(op, input, limit)
        }
    }

    #[test]
    fn a_comparison_is_as_far_away_as_its_sides_are_apart() {
        assert_eq!(distance(compare(BinaryOp::Eq, 6), &[2], true), 4.0);
        assert_eq!(distance(compare(BinaryOp::Eq, 6), &[6], false), 1.0);
        assert_eq!(distance(compare(BinaryOp::Ult, 10), &[12], true), 3.0);
        assert_eq!(distance(compare(BinaryOp::Ult, 10), &[4], false), 6.0);
        assert_eq!(distance(compare(BinaryOp::Slt, 10), &[0xff], false), 11.0);
        assert_eq!(distance(compare(BinaryOp::Slt, 10), &[0xff], true), 0.0);
    }

    #[test]
    fn of_two_conditions_both_count_or_the_nearer_one() {
        let both = |terms: &mut Terms| {
            let (x, y) = (compare(BinaryOp::Ult, 10)(terms), terms.input(1));
            let limit = terms.constant(8, 100);
            let above = terms.binary(BinaryOp::Ult, limit, y);
            terms.binary(BinaryOp::And, x, above)
        };
        assert_eq!(distance(both, &[12, 90], true), 3.0 + 11.0);
        assert_eq!(distance(both, &[9, 103], false), 1.0);
    }
}
