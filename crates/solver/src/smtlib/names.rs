//! What the operations are called in SMT-LIB text: one table for who writes and who reads.
//!
//! Takes an operation or a name; gives the other. Operations that never become nodes have no name.

use tarka_terms::{BinaryOp, UnaryOp};

/// Operations on truth values.
const TRUTHS: [(&str, BinaryOp); 4] =
    [("and", BinaryOp::And), ("or", BinaryOp::Or), ("xor", BinaryOp::Xor), ("=", BinaryOp::Eq)];

/// Operations on bit vectors.
const VECTORS: [(&str, BinaryOp); 18] = [
    ("bvadd", BinaryOp::Add),
    ("bvsub", BinaryOp::Sub),
    ("bvmul", BinaryOp::Mul),
    ("bvudiv", BinaryOp::UDiv),
    ("bvsdiv", BinaryOp::SDiv),
    ("bvurem", BinaryOp::URem),
    ("bvsrem", BinaryOp::SRem),
    ("bvand", BinaryOp::And),
    ("bvor", BinaryOp::Or),
    ("bvxor", BinaryOp::Xor),
    ("bvshl", BinaryOp::Shl),
    ("bvlshr", BinaryOp::LShr),
    ("bvashr", BinaryOp::AShr),
    ("=", BinaryOp::Eq),
    ("bvult", BinaryOp::Ult),
    ("bvule", BinaryOp::Ule),
    ("bvslt", BinaryOp::Slt),
    ("bvsle", BinaryOp::Sle),
];

/// Operations on two floats, which the theory knows; they round to nearest.
const FLOATS: [(&str, BinaryOp); 4] = [
    ("fp.add RNE", BinaryOp::FAdd),
    ("fp.sub RNE", BinaryOp::FSub),
    ("fp.mul RNE", BinaryOp::FMul),
    ("fp.div RNE", BinaryOp::FDiv),
];

/// Operations on one float, which the theory knows, with how they round.
const ROUNDED: [(&str, UnaryOp); 6] = [
    ("fp.sqrt RNE", UnaryOp::FSqrt),
    ("fp.roundToIntegral RTN", UnaryOp::FFloor),
    ("fp.roundToIntegral RTP", UnaryOp::FCeil),
    ("fp.roundToIntegral RTZ", UnaryOp::FTrunc),
    ("fp.roundToIntegral RNE", UnaryOp::FRint),
    ("fp.roundToIntegral RNA", UnaryOp::FRound),
];

/// Operations on one float of which the text says nothing but the name, to which a width is added: `fsin_64`.
const UNKNOWN_OF_ONE: [(&str, UnaryOp); 20] = [
    ("fsin", UnaryOp::FSin),
    ("fcos", UnaryOp::FCos),
    ("ftan", UnaryOp::FTan),
    ("fasin", UnaryOp::FAsin),
    ("facos", UnaryOp::FAcos),
    ("fatan", UnaryOp::FAtan),
    ("fsinh", UnaryOp::FSinh),
    ("fcosh", UnaryOp::FCosh),
    ("ftanh", UnaryOp::FTanh),
    ("fasinh", UnaryOp::FAsinh),
    ("facosh", UnaryOp::FAcosh),
    ("fatanh", UnaryOp::FAtanh),
    ("fexp", UnaryOp::FExp),
    ("fexp2", UnaryOp::FExp2),
    ("fexpm1", UnaryOp::FExpm1),
    ("flog", UnaryOp::FLog),
    ("flog2", UnaryOp::FLog2),
    ("flog10", UnaryOp::FLog10),
    ("flog1p", UnaryOp::FLog1p),
    ("fcbrt", UnaryOp::FCbrt),
];

/// Operations on two floats of which the text says nothing but the name, to which a width is added: `frem_64`.
const UNKNOWN_OF_TWO: [(&str, BinaryOp); 5] = [
    ("frem", BinaryOp::FRem),
    ("fpow", BinaryOp::FPow),
    ("fatan2", BinaryOp::FAtan2),
    ("fhypot", BinaryOp::FHypot),
    ("fremainder", BinaryOp::FRemainder),
];

/// What an operation on floats is called.
pub(super) enum Float {
    /// Its name with its rounding mode, in the theory.
    Known(&'static str),
    /// The beginning of the name of a function of which nothing is known.
    Unknown(&'static str),
}

/// The name of an operation on two truth values, if they have it.
pub(super) fn of_truths(op: BinaryOp) -> Option<&'static str> {
    name_of(&TRUTHS, op)
}

/// The name of an operation on two bit vectors.
pub(super) fn of_vectors(op: BinaryOp) -> Option<&'static str> {
    name_of(&VECTORS, op)
}

/// The name of an operation on one float.
pub(super) fn of_float(op: UnaryOp) -> Option<Float> {
    name_of(&ROUNDED, op).map(Float::Known).or_else(|| name_of(&UNKNOWN_OF_ONE, op).map(Float::Unknown))
}

/// The name of an operation on two floats.
pub(super) fn of_floats(op: BinaryOp) -> Option<Float> {
    name_of(&FLOATS, op).map(Float::Known).or_else(|| name_of(&UNKNOWN_OF_TWO, op).map(Float::Unknown))
}

/// The operation on bits of this name.
pub(super) fn on_bits(name: &str) -> Option<BinaryOp> {
    named(&VECTORS, name).or_else(|| named(&TRUTHS, name))
}

/// The operation on one float with this name and rounding mode.
pub(super) fn rounded(name: &str, mode: &str) -> Option<UnaryOp> {
    named(&ROUNDED, &format!("{name} {mode}"))
}

/// The operation on two floats with this name and rounding mode.
pub(super) fn rounded_of_two(name: &str, mode: &str) -> Option<BinaryOp> {
    named(&FLOATS, &format!("{name} {mode}"))
}

/// The operation on one float of which the text says nothing but this name.
pub(super) fn unknown_of_one(name: &str) -> Option<UnaryOp> {
    named(&UNKNOWN_OF_ONE, name)
}

/// The operation on two floats of which the text says nothing but this name.
pub(super) fn unknown_of_two(name: &str) -> Option<BinaryOp> {
    named(&UNKNOWN_OF_TWO, name)
}

fn name_of<Op: PartialEq>(table: &[(&'static str, Op)], op: Op) -> Option<&'static str> {
    table.iter().find(|(_, known)| *known == op).map(|(name, _)| *name)
}

fn named<Op: Copy>(table: &[(&str, Op)], name: &str) -> Option<Op> {
    table.iter().find(|(known, _)| *known == name).map(|(_, op)| *op)
}
