//! Floats with another sign: what negation, `fabs` and its negation are when a term is built, found again in its bits.
//!
//! Takes a term; gives the float it is made of and what happens to its sign, so that a translation can say it of the value
//! and need not say it of the bits.

use tarka_terms::{BinaryOp, Node, Term, Terms, semantics};

/// What happens to a sign bit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Flipped,
    Cleared,
    Set,
}

/// The float of which a term is the bits with another sign.
pub(crate) fn change(terms: &Terms, term: Term) -> Option<(Term, Sign)> {
    let width = terms.width(term);
    let magnitude_of = |bits: Term| match *terms.node(bits) {
        Node::Extract(a, 0) if terms.width(a) == width && terms.width(bits) == width - 1 => Some(a),
        _ => None,
    };
    match *terms.node(term) {
        Node::Binary(BinaryOp::Xor, a, b) if terms.as_constant(b) == Some(semantics::sign_bit(width)) => {
            Some((a, Sign::Flipped))
        }
        Node::ZExt(bits) => Some((magnitude_of(bits)?, Sign::Cleared)),
        Node::Concat(sign, bits) if terms.as_constant(sign) == Some(1) => {
            Some((magnitude_of(bits)?, Sign::Set))
        }
        _ => None,
    }
}
