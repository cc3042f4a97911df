//! What a term is made of.

use crate::op::{BinaryOp, ConvertOp, UnaryOp};

/// A term of one [`crate::Terms`] store; equal terms of a store are equal numbers, later terms are greater ones.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Term(pub(crate) u32);

impl Term {
    /// Position of the term in its store, from 0: for tables indexed by term.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A table of byte terms that [`Node::Read`] looks up.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct TableId(pub(crate) u32);

impl TableId {
    /// Position of the table in its store, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The outermost operation of a term. Its width is kept beside it: [`crate::Terms::width`].
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Node {
    /// A number; bits above the width are 0.
    Const(u128),
    /// An input byte by its number; 8 bits.
    Input(u32),
    /// An operation on one value (none of the lowered ones).
    Unary(UnaryOp, Term),
    /// An operation on two values (none of the lowered ones).
    Binary(BinaryOp, Term, Term),
    /// The first as the high part, the second as the low part.
    Concat(Term, Term),
    /// Bits from this one upwards; how many is the term's width.
    Extract(Term, u16),
    /// Extension by zeros.
    ZExt(Term),
    /// Extension by the sign bit.
    SExt(Term),
    /// The second where the first (one bit) is 1, otherwise the third.
    Ite(Term, Term, Term),
    /// The byte at an index, an unsigned offset from the table's start; 0 beyond its end.
    Read(TableId, Term),
    /// A conversion between numbers and floats.
    Convert(ConvertOp, Term),
    /// LLVM's floating comparison with a predicate; one bit.
    FCmp(u8, Term, Term),
    /// First times second plus third, rounded once.
    Fma(Term, Term, Term),
}

impl Node {
    /// Calls `visit` on each operand, leaving out the entries of a table that is read.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Term)) {
        match *self {
            Node::Const(_) | Node::Input(_) => {}
            Node::Unary(_, a)
            | Node::Extract(a, _)
            | Node::ZExt(a)
            | Node::SExt(a)
            | Node::Convert(_, a)
            | Node::Read(_, a) => visit(a),
            Node::Binary(_, a, b) | Node::Concat(a, b) | Node::FCmp(_, a, b) => {
                visit(a);
                visit(b);
            }
            Node::Ite(a, b, c) | Node::Fma(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
        }
    }
}
