//! Concatenation, extraction and extension: bytes taken apart and put together again give the original back.

use super::{Law2, Rule, rules};
use crate::node::{Node, Term};
use crate::store::Terms;

/// A law about `width` bits of a term from a low bit upwards.
type ExtractLaw = fn(&mut Terms, Term, u16, u16) -> Option<Term>;

pub(super) const CONCAT: &[Rule<Law2>] = rules!(
    "concat",
    concat_right_nested,
    concat_zeros,
    concat_onto_extension,
    concat_adjacent_extracts,
    concat_adjacent_in_chain,
    concat_constants_in_chain
);

pub(super) const EXTRACT: &[Rule<ExtractLaw>] = rules!(
    "extract",
    extract_of_extract,
    extract_of_concat,
    extract_of_zext,
    extract_of_sext,
    extract_of_constant_arms
);

/// A law about an extension to a width.
type ExtensionLaw = fn(&mut Terms, Term, u16) -> Option<Term>;

pub(super) const ZEXT: &[Rule<ExtensionLaw>] = rules!("zext", zext_of_extension);
pub(super) const SEXT: &[Rule<ExtensionLaw>] = rules!("sext", sext_of_extension);

/// `concat(concat(a, b), c) = concat(a, concat(b, c))`
fn concat_right_nested(terms: &mut Terms, high: Term, low: Term) -> Option<Term> {
    let Node::Concat(first, second) = *terms.node(high) else { return None };
    let rest = terms.concat(second, low);
    Some(terms.concat(first, rest))
}

/// `concat(0, a) = zext(a)`
fn concat_zeros(terms: &mut Terms, high: Term, low: Term) -> Option<Term> {
    let width = terms.width(high) + terms.width(low);
    terms.is_zero(high).then(|| terms.zext(low, width))
}

/// `concat(zext(a), b) = zext(concat(a, b))`
fn concat_onto_extension(terms: &mut Terms, high: Term, low: Term) -> Option<Term> {
    let inner = terms.as_zext(high)?;
    let width = terms.width(high) + terms.width(low);
    let joined = terms.concat(inner, low);
    Some(terms.zext(joined, width))
}

/// `concat(a[j..k], a[i..j]) = a[i..k]`
fn concat_adjacent_extracts(terms: &mut Terms, high: Term, low: Term) -> Option<Term> {
    let (from, high_start, high_width) = slice_of(terms, high);
    let (other, low_start, low_width) = slice_of(terms, low);
    (from == other && low_start + low_width == high_start)
        .then(|| terms.extract(from, low_start, low_width + high_width))
}

/// `concat(a[j..k], concat(a[i..j], b)) = concat(a[i..k], b)`
fn concat_adjacent_in_chain(terms: &mut Terms, high: Term, low: Term) -> Option<Term> {
    let Node::Concat(middle, rest) = *terms.node(low) else { return None };
    let merged = concat_adjacent_extracts(terms, high, middle)?;
    Some(terms.concat(merged, rest))
}

/// `concat(c, concat(d, a)) = concat(cd, a)`
fn concat_constants_in_chain(terms: &mut Terms, high: Term, low: Term) -> Option<Term> {
    let Node::Concat(middle, rest) = *terms.node(low) else { return None };
    terms.as_constant(high)?;
    terms.as_constant(middle)?;
    let merged = terms.concat(high, middle);
    Some(terms.concat(merged, rest))
}

/// The lowest piece of a chain of concatenations, if it is a constant, and what stands above it.
pub(super) fn above_constant(terms: &mut Terms, chain: Term) -> Option<(Term, Term)> {
    let Node::Concat(high, low) = *terms.node(chain) else { return None };
    if terms.as_constant(low).is_some() {
        return Some((high, low));
    }
    let mut lowest = low;
    while let Node::Concat(_, low) = *terms.node(lowest) {
        lowest = low;
    }
    terms.as_constant(lowest)?;
    let below = terms.width(lowest);
    let above = terms.extract(chain, below, terms.width(chain) - below);
    Some((above, lowest))
}

/// A term as a slice of another one, or of itself.
fn slice_of(terms: &Terms, term: Term) -> (Term, u16, u16) {
    match *terms.node(term) {
        Node::Extract(from, low) => (from, low, terms.width(term)),
        _ => (term, 0, terms.width(term)),
    }
}

/// `a[i..][j..] = a[i+j..]`
fn extract_of_extract(terms: &mut Terms, a: Term, low: u16, width: u16) -> Option<Term> {
    let Node::Extract(inner, inner_low) = *terms.node(a) else { return None };
    Some(terms.extract(inner, inner_low + low, width))
}

/// A slice of `concat(a, b)` is a slice of `a`, of `b`, or the concatenation of both
fn extract_of_concat(terms: &mut Terms, a: Term, low: u16, width: u16) -> Option<Term> {
    let Node::Concat(high_part, low_part) = *terms.node(a) else { return None };
    let split = terms.width(low_part);
    Some(if low >= split {
        terms.extract(high_part, low - split, width)
    } else if low + width <= split {
        terms.extract(low_part, low, width)
    } else {
        let below = terms.extract(low_part, low, split - low);
        let above = terms.extract(high_part, 0, low + width - split);
        terms.concat(above, below)
    })
}

/// A slice of `zext(a)` is a slice of `a`, zeros, or an extended slice
fn extract_of_zext(terms: &mut Terms, a: Term, low: u16, width: u16) -> Option<Term> {
    let inner = terms.as_zext(a)?;
    let inner_width = terms.width(inner);
    Some(if low >= inner_width {
        terms.constant(width, 0)
    } else if low + width <= inner_width {
        terms.extract(inner, low, width)
    } else {
        let kept = terms.extract(inner, low, inner_width - low);
        terms.zext(kept, width)
    })
}

/// A slice of `sext(a)` is a slice of `a`, copies of its sign, or an extended slice
fn extract_of_sext(terms: &mut Terms, a: Term, low: u16, width: u16) -> Option<Term> {
    let inner = terms.as_sext(a)?;
    let inner_width = terms.width(inner);
    Some(if low + width <= inner_width {
        terms.extract(inner, low, width)
    } else {
        let start = low.min(inner_width - 1);
        let kept = terms.extract(inner, start, inner_width - start);
        terms.sext(kept, width)
    })
}

/// `ite(c, 5, 6)[i..] = ite(c, 5[i..], 6[i..])`
fn extract_of_constant_arms(terms: &mut Terms, a: Term, low: u16, width: u16) -> Option<Term> {
    let Node::Ite(condition, yes, no) = *terms.node(a) else { return None };
    terms.as_constant(yes)?;
    terms.as_constant(no)?;
    let (yes, no) = (terms.extract(yes, low, width), terms.extract(no, low, width));
    Some(terms.ite(condition, yes, no))
}

/// `zext(zext(a)) = zext(a)`
fn zext_of_extension(terms: &mut Terms, a: Term, width: u16) -> Option<Term> {
    let inner = terms.as_zext(a)?;
    Some(terms.zext(inner, width))
}

/// `sext(sext(a)) = sext(a)`, and `sext(zext(a)) = zext(a)`
fn sext_of_extension(terms: &mut Terms, a: Term, width: u16) -> Option<Term> {
    if let Some(inner) = terms.as_sext(a) {
        return Some(terms.sext(inner, width));
    }
    let inner = terms.as_zext(a)?;
    Some(terms.zext(inner, width))
}

/// `a | b = a ^ b = a + b` is a concatenation where at every bit at least one side is the constant 0: bytes assembled
/// by shifts, and offsets added to multiples of a power of two
pub(super) fn join_disjoint(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (left, right) = (pieces(terms, a), pieces(terms, b));
    if left.len() == 1 && right.len() == 1 {
        return None;
    }
    let (mut left, mut right) = (Cursor::new(&left), Cursor::new(&right));
    let mut chosen = Vec::new();
    while let (Some(x), Some(y)) = (left.here(terms), right.here(terms)) {
        let width = x.width.min(y.width);
        let piece = if left.is_zero(terms, width) {
            y
        } else if right.is_zero(terms, width) {
            x
        } else {
            return None;
        };
        chosen.push((piece.term, piece.low, width));
        left.skip(width, x.width);
        right.skip(width, y.width);
    }
    let mut result: Option<Term> = None;
    for (term, low, width) in chosen {
        let piece = terms.extract(term, low, width);
        result = Some(match result {
            None => piece,
            Some(lower) => terms.concat(piece, lower),
        });
    }
    result
}

/// What is concatenated to a term, lowest first.
fn pieces(terms: &mut Terms, term: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open = vec![term];
    while let Some(next) = open.pop() {
        match *terms.node(next) {
            Node::Concat(high, low) => open.extend([high, low]),
            Node::ZExt(inner) => {
                let zeros = terms.constant(terms.width(next) - terms.width(inner), 0);
                open.extend([zeros, inner]);
            }
            _ => found.push(next),
        }
    }
    found
}

/// A place between the bits of a list of pieces.
struct Cursor<'a> {
    pieces: &'a [Term],
    low: u16,
}

/// The rest of the piece after a cursor.
#[derive(Clone, Copy)]
struct Rest {
    term: Term,
    low: u16,
    width: u16,
}

impl<'a> Cursor<'a> {
    fn new(pieces: &'a [Term]) -> Self {
        Cursor { pieces, low: 0 }
    }

    fn here(&self, terms: &Terms) -> Option<Rest> {
        let term = *self.pieces.first()?;
        Some(Rest { term, low: self.low, width: terms.width(term) - self.low })
    }

    fn is_zero(&self, terms: &Terms, width: u16) -> bool {
        let value = self.pieces.first().and_then(|piece| terms.as_constant(*piece));
        value.is_some_and(|value| crate::semantics::extract(self.low, width, value) == 0)
    }

    fn skip(&mut self, width: u16, rest: u16) {
        if width == rest {
            self.pieces = &self.pieces[1..];
            self.low = 0;
        } else {
            self.low += width;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{is, same, sample, two, word};
    use crate::{BinaryOp::*, Terms};

    #[test]
    fn bytes_taken_apart_and_put_together_are_the_original() {
        let (mut t, x, y) = two(32);
        let product = t.binary(Mul, x, y);
        let mut whole = t.extract(product, 0, 8);
        for byte in 1..4 {
            let next = t.extract(product, 8 * byte, 8);
            whole = t.concat(next, whole);
        }
        same(&t, whole, product);
        let (high, low) = (t.extract(product, 16, 16), t.extract(product, 0, 16));
        let (low_high, low_low) = (t.extract(low, 8, 8), t.extract(low, 0, 8));
        let top = t.concat(high, low_high);
        let whole = t.concat(top, low_low);
        same(&t, whole, product);
    }

    #[test]
    fn slices_of_a_concatenation() {
        let mut t = Terms::new();
        let (a, b, c) = (t.input(0), t.input(1), t.input(2));
        let low = t.concat(b, a);
        let all = t.concat(c, low);
        let (first, last, middle) = (t.extract(all, 0, 8), t.extract(all, 16, 8), t.extract(all, 4, 8));
        same(&t, first, a);
        same(&t, last, c);
        let (high_nibble, low_nibble) = (t.extract(b, 0, 4), t.extract(a, 4, 4));
        let expected = t.concat(high_nibble, low_nibble);
        same(&t, middle, expected);
    }

    #[test]
    fn slices_of_extensions() {
        let (mut t, x, _) = two(8);
        let (zext, sext) = (t.zext(x, 32), t.sext(x, 32));
        let (zero, sign) = (t.extract(zext, 8, 8), t.extract(x, 7, 1));
        is(&t, zero, 0);
        let (part, nibble) = (t.extract(zext, 4, 8), t.extract(x, 4, 4));
        let expected = t.zext(nibble, 8);
        same(&t, part, expected);
        let (part, expected) = (t.extract(sext, 4, 8), t.sext(nibble, 8));
        same(&t, part, expected);
        let (copies, expected) = (t.extract(sext, 20, 4), t.sext(sign, 4));
        same(&t, copies, expected);
        let back = t.extract(sext, 0, 8);
        same(&t, back, x);
    }

    #[test]
    fn extensions_of_extensions() {
        let (mut t, x, _) = two(8);
        let (z16, z32, s16, s32) = (t.zext(x, 16), t.zext(x, 32), t.sext(x, 16), t.sext(x, 32));
        for (actual, expected) in [(t.zext(z16, 32), z32), (t.sext(s16, 32), s32), (t.sext(z16, 32), z32)] {
            same(&t, actual, expected);
        }
    }

    #[test]
    fn zeros_above_are_an_extension_and_constants_merge() {
        let (mut t, x, _) = two(8);
        let (zeros, z16) = (t.constant(8, 0), t.zext(x, 16));
        let above = t.concat(zeros, x);
        same(&t, above, z16);
        let (one, two, merged) = (t.constant(8, 1), t.constant(8, 2), t.constant(16, 0x0102));
        let chain = t.concat(two, x);
        let (chain, expected) = (t.concat(one, chain), t.concat(merged, x));
        same(&t, chain, expected);
        let (outer, joined) = (t.concat(z16, x), t.concat(x, x));
        let expected = t.zext(joined, 24);
        same(&t, outer, expected);
    }

    #[test]
    fn a_slice_of_constant_arms_has_constant_arms() {
        let (mut t, x, y) = two(16);
        let (less, five, seven) = (t.binary(Ult, x, y), t.constant(16, 0x0105), t.constant(16, 0x0207));
        let choice = t.ite(less, five, seven);
        let (low, five, seven) = (t.extract(choice, 0, 8), t.constant(8, 5), t.constant(8, 7));
        let expected = t.ite(less, five, seven);
        same(&t, low, expected);
    }

    #[test]
    fn bytes_joined_by_shifts_are_a_concatenation() {
        let mut t = Terms::new();
        let expected = word(&mut t, 0, 32);
        for op in [Or, Add, Xor] {
            let byte = t.input(0);
            let mut joined = t.zext(byte, 32);
            for number in 1..4 {
                let (byte, amount) = (t.input(number), t.constant(32, (8 * number).into()));
                let wide = t.zext(byte, 32);
                let moved = t.binary(Shl, wide, amount);
                joined = t.binary(op, joined, moved);
            }
            same(&t, joined, expected);
        }
    }

    #[test]
    fn an_offset_below_a_multiple_needs_no_carry() {
        let (mut t, x, y) = two(32);
        let product = t.binary(Mul, x, y);
        let (four, three, five) = (t.constant(32, 4), t.constant(32, 3), t.constant(32, 5));
        let scaled = t.binary(Mul, product, four);
        let with_offset = t.binary(Add, scaled, three);
        let (index, offset) = (t.extract(product, 0, 30), t.constant(2, 3));
        let expected = t.concat(index, offset);
        same(&t, with_offset, expected);
        let carrying = t.binary(Add, scaled, five);
        assert_eq!(sample(&t, carrying), (sample(&t, product) * 4 + 5) & 0xffff_ffff);
    }
}
