//! Patterns of long doubles that are numbers: adds to a query what every 80-bit float in the input must satisfy.
//!
//! Such a float has an integer bit, which is set exactly if the exponent is not 0; the hardware refuses most other
//! patterns, and none of them can be written as a number in C. So they are no inputs: a clause for each pattern that a
//! floating operation reads says so, and every layer below keeps to it.
//!
//! Costs nothing where no such float was ever met.

use crate::Answer;
use crate::layer::{Layer, Question};
use rustc_hash::FxHashSet;
use tarka_terms::semantics::extended;
use tarka_terms::{BinaryOp, ConvertOp, Node, Term, Terms};

/// The layer.
pub(crate) struct Encoding;

impl Layer for Encoding {
    fn name(&self) -> &'static str {
        "encoding"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        if terms.has_extended_floats() {
            for pattern in patterns(terms, question) {
                question.prefix.push(is_number(terms, pattern));
            }
        }
        None
    }
}

/// The 80-bit terms that are read as floats and depend on the input otherwise than through a floating operation, whose
/// results are always in order.
fn patterns(terms: &Terms, question: &Question) -> Vec<Term> {
    let mut patterns = Vec::new();
    let mut seen = FxHashSet::default();
    let mut read = FxHashSet::default();
    let mut open: Vec<Term> = question.prefix.iter().rev().copied().chain([question.flipped]).collect();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        let node = terms.node(term);
        if reads_floats(node) {
            node.for_each_operand(|operand| {
                let is_pattern = terms.width(operand) == extended::WIDTH
                    && !makes_float(terms.node(operand))
                    && terms.as_constant(operand).is_none();
                if is_pattern && read.insert(operand) {
                    patterns.push(operand);
                }
            });
        }
        node.for_each_operand(|operand| open.push(operand));
        if let Node::Read(table, _) = *node {
            open.extend(terms.table_entries(table));
        }
    }
    patterns
}

fn reads_floats(node: &Node) -> bool {
    match node {
        Node::Unary(op, _) => op.is_float(),
        Node::Binary(op, ..) => op.is_float(),
        Node::Convert(op, _) => matches!(op, ConvertOp::FToSi | ConvertOp::FToUi | ConvertOp::FToF),
        Node::FCmp(..) | Node::Fma(..) => true,
        _ => false,
    }
}

fn makes_float(node: &Node) -> bool {
    match node {
        Node::Unary(op, _) => op.is_float(),
        Node::Binary(op, ..) => op.is_float(),
        Node::Convert(op, _) => matches!(op, ConvertOp::SiToF | ConvertOp::UiToF | ConvertOp::FToF),
        Node::Fma(..) => true,
        _ => false,
    }
}

/// The integer bit is set exactly if the exponent is not 0.
fn is_number(terms: &mut Terms, pattern: Term) -> Term {
    let (integer, exponent) = (terms.extract(pattern, 63, 1), terms.extract(pattern, 64, 15));
    let zero = terms.constant(15, 0);
    let is_zero = terms.binary(BinaryOp::Eq, exponent, zero);
    terms.binary(BinaryOp::Xor, integer, is_zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::testing::question;
    use tarka_terms::{Evaluator, predicate};

    fn asked(terms: &mut Terms, flipped: Term) -> Vec<Term> {
        let mut asked = question(&[], flipped);
        assert_eq!(Encoding.ask(terms, &mut asked), None);
        asked.prefix
    }

    #[test]
    fn each_long_double_of_the_input_has_its_integer_bit() {
        let mut t = Terms::new();
        let x = t.word(0, 10);
        let sum = t.binary(BinaryOp::FAdd, x, x);
        let flipped = t.fcmp(predicate::LESS, sum, x);
        let clauses = asked(&mut t, flipped);
        assert_eq!(clauses.len(), 1, "the sum is in order anyway");
        let holds = |bits: u128| {
            let bytes = bits.to_le_bytes();
            Evaluator::new().eval(&t, clauses[0], &bytes.as_slice()) == 1
        };
        let one = 0x3fff << 64 | 1 << 63;
        assert!(holds(0) && holds(5) && holds(one) && holds(0x7fff << 64 | 3 << 62));
        assert!(!holds(0x3fff << 64) && !holds(1 << 63) && !holds(0x7fff << 64 | 1 << 62));
    }

    #[test]
    fn other_floats_are_left_alone() {
        let mut t = Terms::new();
        let x = t.word(0, 8);
        let flipped = t.fcmp(predicate::UNORDERED, x, x);
        assert_eq!(asked(&mut t, flipped), []);
    }
}
