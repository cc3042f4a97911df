//! How much hard arithmetic a question holds: what an engine that turns it into gates at once must be spared.
//!
//! A product or quotient of two unknown words of n bits becomes some n² gates, each other operation some n. Z3's SMT core
//! builds the gates of a clause without looking at its limits: a quotient of 128 bits takes it a third of a second and
//! 90 MB, a chain of ten of them the tenfold, and no interrupt ends it before.

use rustc_hash::FxHashSet;
use tarka_terms::{BinaryOp, Node, Term, Terms};

/// What was counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Work {
    /// Products of bit widths over all products and quotients.
    pub(crate) squares: u64,
}

impl Work {
    /// Counts the arithmetic of these clauses, equal terms once, until there is more than `most`.
    pub(crate) fn of(terms: &Terms, clauses: &[Term], most: u64) -> Work {
        let mut work = Work::default();
        let mut seen = FxHashSet::default();
        let mut open = clauses.to_vec();
        while let Some(term) = open.pop() {
            if work.squares > most {
                break;
            }
            if !seen.insert(term) {
                continue;
            }
            let node = terms.node(term);
            work.squares += squares(terms, node);
            node.for_each_operand(|operand| open.push(operand));
            if let Node::Read(table, _) = *node {
                open.extend(terms.table_entries(table));
            }
        }
        work
    }
}

fn squares(terms: &Terms, node: &Node) -> u64 {
    let Node::Binary(op, a, b) = *node else { return 0 };
    let width = u64::from(terms.width(a));
    match (op, terms.as_constant(b)) {
        // One row of gates for each bit of the constant.
        (BinaryOp::Mul, Some(value)) => width * u64::from(value.count_ones().min(value.count_zeros() + 1)),
        (BinaryOp::Mul | BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem, _) => {
            width * width
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_count_by_the_square_of_their_width_and_equal_ones_once() {
        let mut t = Terms::new();
        let (a, b) = (t.input(0), t.input(1));
        let (wide_a, wide_b) = (t.zext(a, 32), t.zext(b, 32));
        let (product, quotient) =
            (t.binary(BinaryOp::Mul, wide_a, wide_b), t.binary(BinaryOp::UDiv, wide_a, wide_b));
        let (less, same) =
            (t.binary(BinaryOp::Ult, product, quotient), t.binary(BinaryOp::Eq, product, wide_a));
        assert_eq!(Work::of(&t, &[less, same], u64::MAX).squares, 2 * 32 * 32);
        assert_eq!(Work::of(&t, &[same], u64::MAX).squares, 32 * 32);
        let five = t.constant(32, 5);
        let times_five = t.binary(BinaryOp::Mul, wide_a, five);
        assert_eq!(Work::of(&t, &[times_five], u64::MAX).squares, 2 * 32);
    }
}
