//! Random questions to a solver: truth values over a few input bytes, small enough to be decided by trying.
//!
//! Takes the terms to begin with, the widths to cut them to, and steps, which are plain numbers that a property test draws and
//! shrinks; gives clauses. Tests of the whole solver and of its layers use it. Never: floats, which no trying decides; what
//! the answer is.

use tarka_terms::{BinaryOp, BinaryOp::*, Term, Terms};

/// One step of a random query: operation, two operands, a number.
pub type RandomOp = (u8, u8, u8, u16);

const OPS: [BinaryOp; 18] =
    [Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, Ult, Ule, Slt, Sle];

/// Grows terms over these step by step, of these widths where one is cut to size and of four times the widest at most; gives
/// the last truth values among them, last first.
pub fn truths(terms: &mut Terms, mut known: Vec<Term>, widths: &[u16], steps: &[RandomOp]) -> Vec<Term> {
    // No term is wider than 128 bits.
    let widest_half = widths.iter().max().map_or(0, |widest| (2 * widest).min(64));
    for (kind, a, b, number) in steps {
        let pick = |position: &u8| known[known.len() - 1 - usize::from(*position) % known.len().min(6)];
        let (a, b) = (pick(a), pick(b));
        let width = terms.width(a);
        let b = match number % 4 {
            0 | 1 => terms.constant(width, (*number >> 2).into()),
            _ => fit(terms, b, width, *number),
        };
        let next = match kind % 24 {
            op @ 0..18 => terms.binary(OPS[usize::from(op)], a, b),
            18 => terms.not(a),
            19 if width <= widest_half => terms.concat(a, b),
            20 => {
                let condition = fit(terms, known[0], 1, *number);
                terms.ite(condition, a, b)
            }
            21 => {
                let entry = |entry: u128| (entry * u128::from(*number)) >> 3;
                let mut entries: Vec<Term> = (0..20).map(|at| terms.constant(8, entry(at))).collect();
                entries[3] = terms.input(0);
                let table = terms.table(entries);
                terms.read(table, a)
            }
            _ => fit(terms, a, widths[usize::from(*number) % widths.len()], *number),
        };
        known.push(next);
    }
    known.into_iter().rev().filter(|term| terms.width(*term) == 1).take(6).collect()
}

fn fit(terms: &mut Terms, term: Term, width: u16, number: u16) -> Term {
    let from = terms.width(term);
    match (from > width, number.is_multiple_of(2)) {
        (true, true) => terms.extract(term, from - width, width),
        (true, false) => terms.extract(term, 0, width),
        (false, true) => terms.sext(term, width),
        (false, false) => terms.zext(term, width),
    }
}
