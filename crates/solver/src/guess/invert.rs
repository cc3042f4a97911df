//! Equations solved backwards: from the value a computation should have to the value one of its inputs must have for it,
//! the others as they are.
//!
//! Takes a failing clause and the values of all terms; gives numbers to write into inputs. Floating laws are not exact,
//! so a proposal is only likely: whoever asked evaluates it, and its neighbours.

use super::values::{Kind, Number};
use super::variables::Findings;
use tarka_terms::semantics::{self, mask, sign_bit};
use tarka_terms::{BinaryOp, ConvertOp, Node, Term, Terms, UnaryOp, predicate};

/// Terms that are looked into for one clause.
const MAX_STEPS: usize = 200;
/// How deep truth values are looked into for comparisons.
const MAX_COMPARISONS: usize = 32;

/// A term and the value it should have.
type Wish = (Term, u128);

/// Values of inputs, by their position in the findings, that may make a clause true. `value` gives the value of any
/// term now.
pub(super) fn proposals(
    terms: &Terms,
    findings: &Findings,
    clause: Term,
    value: &mut dyn FnMut(Term) -> u128,
) -> Vec<(usize, u128)> {
    let mut wishes = Vec::new();
    for (comparison, wanted) in comparisons(terms, clause) {
        of_comparison(terms, comparison, wanted, value, &mut wishes);
    }
    // The first wish of the clause comes first.
    wishes.reverse();
    let mut found = Vec::new();
    for _ in 0..MAX_STEPS {
        let Some((term, wanted)) = wishes.pop() else { break };
        match findings.positions.get(&term) {
            Some(position) => {
                if !found.contains(&(*position, wanted)) {
                    found.push((*position, wanted));
                }
            }
            None => of_operands(terms, term, wanted, value, &mut wishes),
        }
    }
    found
}

/// The comparisons a truth value is made of, each with the outcome that helps.
fn comparisons(terms: &Terms, clause: Term) -> Vec<(Term, bool)> {
    let mut found = Vec::new();
    let mut open = vec![(clause, true)];
    while let Some((next, wanted)) = open.pop() {
        if found.len() >= MAX_COMPARISONS {
            break;
        }
        match *terms.node(next) {
            Node::Unary(UnaryOp::Not, a) => open.push((a, !wanted)),
            Node::Binary(BinaryOp::And | BinaryOp::Or, a, b) => open.extend([(b, wanted), (a, wanted)]),
            _ => found.push((next, wanted)),
        }
    }
    found
}

/// What the sides of a comparison should be.
fn of_comparison(
    terms: &Terms,
    comparison: Term,
    wanted: bool,
    value: &mut dyn FnMut(Term) -> u128,
    wishes: &mut Vec<Wish>,
) {
    let (relations, kind, a, b) = match *terms.node(comparison) {
        Node::FCmp(relations, a, b) => (relations, Kind::Float(terms.width(a)), a, b),
        Node::Binary(op, a, b) if op.is_predicate() => {
            let relations = match op {
                BinaryOp::Eq => predicate::EQUAL,
                BinaryOp::Ult | BinaryOp::Slt => predicate::LESS,
                BinaryOp::Ule | BinaryOp::Sle => predicate::LESS | predicate::EQUAL,
                _ => return,
            };
            (relations, Kind::Integer(terms.width(a)), a, b)
        }
        _ => return,
    };
    let relations = if wanted { relations } else { predicate::ALWAYS & !relations };
    let (left, right) = (value(a), value(b));
    if relations & predicate::EQUAL != 0 {
        wishes.extend([(a, right), (b, left)]);
    }
    for (relation, step) in [(predicate::LESS, -1), (predicate::GREATER, 1)] {
        if relations & relation != 0 {
            wishes.extend(kind.moved(right, step).map(|bits| (a, bits)));
            wishes.extend(kind.moved(left, -step).map(|bits| (b, bits)));
        }
    }
}

/// What the operands of a term should be, one at a time, for it to have a value.
fn of_operands(
    terms: &Terms,
    term: Term,
    wanted: u128,
    value: &mut dyn FnMut(Term) -> u128,
    wishes: &mut Vec<Wish>,
) {
    let width = terms.width(term);
    match *terms.node(term) {
        Node::Binary(op, a, b) if op.is_float() => {
            let (left, right) = (value(a), value(b));
            let compute = |op, a, b| semantics::binary(op, width, a, b);
            let apply = |op, a| semantics::unary(op, width, a);
            use BinaryOp::{FAdd, FAtan2, FDiv, FHypot, FMul, FPow, FRem, FRemainder, FSub};
            use UnaryOp::{FLog, FSqrt, FTan};
            let (for_a, for_b) = match op {
                FAdd => (compute(FSub, wanted, right), Some(compute(FSub, wanted, left))),
                FSub => (compute(FAdd, wanted, right), Some(compute(FSub, left, wanted))),
                FMul => (compute(FDiv, wanted, right), Some(compute(FDiv, wanted, left))),
                FDiv => (compute(FMul, wanted, right), Some(compute(FDiv, left, wanted))),
                FPow => {
                    let one = semantics::convert(ConvertOp::UiToF, 8, width, 1);
                    let exponent = compute(FDiv, apply(FLog, wanted), apply(FLog, left));
                    (compute(FPow, wanted, compute(FDiv, one, right)), Some(exponent))
                }
                FAtan2 => {
                    let slope = apply(FTan, wanted);
                    (compute(FMul, right, slope), Some(compute(FDiv, left, slope)))
                }
                FHypot => {
                    let square = |side| compute(FMul, side, side);
                    let other = |side| apply(FSqrt, compute(FSub, square(wanted), square(side)));
                    (other(right), Some(other(left)))
                }
                FRem | FRemainder => {
                    // With the quotient there is, or one more.
                    let multiple = compute(FSub, left, compute(op, left, right));
                    let same_quotient = compute(FAdd, multiple, wanted);
                    wishes.extend([(a, compute(FAdd, same_quotient, right)), (a, same_quotient)]);
                    (wanted, None)
                }
                _ => return,
            };
            wishes.extend(for_b.map(|bits| (b, bits)));
            wishes.push((a, for_a));
        }
        Node::Unary(UnaryOp::FSqrt, a) => {
            wishes.push((a, semantics::binary(BinaryOp::FMul, width, wanted, wanted)));
        }
        Node::Unary(UnaryOp::FCbrt, a) => {
            let square = semantics::binary(BinaryOp::FMul, width, wanted, wanted);
            wishes.push((a, semantics::binary(BinaryOp::FMul, width, square, wanted)));
        }
        Node::Unary(UnaryOp::FLog10, a) => {
            let ten = semantics::convert(ConvertOp::UiToF, 8, width, 10);
            wishes.push((a, semantics::binary(BinaryOp::FPow, width, ten, wanted)));
        }
        Node::Unary(op, a) if op.is_float() => {
            wishes.push((a, op.inverse().map_or(wanted, |inverse| semantics::unary(inverse, width, wanted))));
        }
        Node::Fma(a, b, c) => {
            let [left, right, addend] = [a, b, c].map(&mut *value);
            let compute = |op, a, b| semantics::binary(op, width, a, b);
            let product = compute(BinaryOp::FSub, wanted, addend);
            wishes.push((c, compute(BinaryOp::FSub, wanted, compute(BinaryOp::FMul, left, right))));
            wishes.push((b, compute(BinaryOp::FDiv, product, left)));
            wishes.push((a, compute(BinaryOp::FDiv, product, right)));
        }
        Node::Convert(op, a) => wishes.extend(before_conversion(terms, op, a, wanted, width)),
        Node::Ite(condition, yes, no) => {
            let chosen = if value(condition) == 1 { yes } else { no };
            wishes.push((chosen, wanted));
        }
        _ => of_integer_operands(terms, term, wanted, value, wishes),
    }
}

fn before_conversion(terms: &Terms, op: ConvertOp, a: Term, wanted: u128, width: u16) -> Option<Wish> {
    let (from, to) = match op {
        ConvertOp::FToF => (Kind::Float(width), Kind::Float(terms.width(a))),
        ConvertOp::SiToF | ConvertOp::UiToF => (Kind::Float(width), Kind::Integer(terms.width(a))),
        ConvertOp::FToSi | ConvertOp::FToUi => (Kind::Integer(width), Kind::Float(terms.width(a))),
    };
    Some((a, to.bits(Number { kind: from, bits: wanted })?))
}

/// The same for what is computed with a float's bits, and for integers on their way to or from a float.
fn of_integer_operands(
    terms: &Terms,
    term: Term,
    wanted: u128,
    value: &mut dyn FnMut(Term) -> u128,
    wishes: &mut Vec<Wish>,
) {
    let width = terms.width(term);
    let all = mask(width);
    match *terms.node(term) {
        Node::Binary(BinaryOp::Add, a, b) => {
            let (left, right) = (value(a), value(b));
            wishes.extend([(b, wanted.wrapping_sub(left) & all), (a, wanted.wrapping_sub(right) & all)]);
        }
        Node::Binary(BinaryOp::Sub, a, b) => {
            let (left, right) = (value(a), value(b));
            wishes.extend([(b, left.wrapping_sub(wanted) & all), (a, wanted.wrapping_add(right) & all)]);
        }
        Node::Binary(BinaryOp::Xor, a, b) => {
            let (left, right) = (value(a), value(b));
            wishes.extend([(b, wanted ^ left), (a, wanted ^ right)]);
        }
        Node::Binary(BinaryOp::Mul, a, b) => {
            let (left, right) = (value(a), value(b));
            for (operand, other) in [(b, left), (a, right)] {
                wishes.push((operand, semantics::binary(BinaryOp::SDiv, width, wanted, other)));
            }
        }
        Node::Binary(op @ (BinaryOp::SDiv | BinaryOp::UDiv), a, b) => {
            // With the remainder there is.
            let (left, right) = (value(a), value(b));
            let rest = if op == BinaryOp::SDiv { BinaryOp::SRem } else { BinaryOp::URem };
            let rest = semantics::binary(rest, width, left, right);
            let product = wanted.wrapping_mul(right);
            wishes.extend([(a, product & all), (a, product.wrapping_add(rest) & all)]);
        }
        Node::Binary(op @ (BinaryOp::SRem | BinaryOp::URem), a, b) => {
            // With the quotient there is, or one more.
            let (left, right) = (value(a), value(b));
            let multiple = left.wrapping_sub(semantics::binary(op, width, left, right));
            let same_quotient = multiple.wrapping_add(wanted);
            wishes.extend([(a, same_quotient.wrapping_add(right) & all), (a, same_quotient & all)]);
        }
        // What `fabs` is rewritten to: either sign will do.
        Node::ZExt(a) if is_magnitude(terms, a, width) => {
            if let Node::Extract(float, _) = *terms.node(a) {
                wishes.extend([(float, wanted | sign_bit(width)), (float, wanted)]);
            }
        }
        Node::ZExt(a) | Node::SExt(a) => wishes.push((a, wanted & mask(terms.width(a)))),
        Node::Extract(a, low) => {
            let kept = value(a) & !(all << low);
            wishes.push((a, kept | wanted << low));
        }
        Node::Concat(high, low) => {
            let low_width = terms.width(low);
            wishes.extend([(low, wanted & mask(low_width)), (high, wanted >> low_width)]);
        }
        _ => {}
    }
}

/// Whether a term is all but the highest of so many bits.
fn is_magnitude(terms: &Terms, term: Term, width: u16) -> bool {
    matches!(*terms.node(term), Node::Extract(whole, 0)
        if terms.width(whole) == width && terms.width(term) == width - 1)
}
