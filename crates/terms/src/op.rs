//! The operations a caller may ask for, by shape. Widths and meaning are those of the target's trace.
//!
//! Some never become nodes: they are rewritten to others when a term is built (see `lower.rs`), so a solver has fewer
//! operations to translate. Each variant says so.

/// Operations on one value, result of the same width.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum UnaryOp {
    /// Every bit flipped; the negation of a truth value.
    Not,
    /// Two's complement negation.
    Neg,
    /// Number of one bits. Lowered.
    CtPop,
    /// Leading zeros; the width itself for 0. Lowered.
    Ctlz,
    /// Trailing zeros; the width itself for 0. Lowered.
    Cttz,
    /// Bytes reversed (width a multiple of 8). Lowered.
    BSwap,
    /// Sign bit flipped. Lowered.
    FNeg,
    /// Sign bit cleared. Lowered.
    FAbs,
    /// Square root.
    FSqrt,
    /// Rounded towards minus infinity.
    FFloor,
    /// Rounded towards plus infinity.
    FCeil,
    /// Rounded towards zero.
    FTrunc,
    /// Rounded to nearest, ties to even.
    FRint,
    /// Rounded to nearest, ties away from zero.
    FRound,
}

/// Operations on two values of one width.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum BinaryOp {
    /// Wrapping addition.
    Add,
    /// Wrapping subtraction.
    Sub,
    /// Wrapping multiplication.
    Mul,
    /// Unsigned division; all ones when dividing by 0.
    UDiv,
    /// Signed division, truncating; by 0: 1 for a negative dividend, otherwise -1.
    SDiv,
    /// Unsigned remainder; the dividend when dividing by 0.
    URem,
    /// Signed remainder, sign of the dividend; the dividend when dividing by 0.
    SRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Left shift, amount modulo the width.
    Shl,
    /// Logical right shift, amount modulo the width.
    LShr,
    /// Arithmetic right shift, amount modulo the width.
    AShr,
    /// Equal; one bit.
    Eq,
    /// Different; one bit. Lowered to the negation of `Eq`.
    Ne,
    /// Less, unsigned; one bit.
    Ult,
    /// Less or equal, unsigned; one bit.
    Ule,
    /// Less, signed; one bit.
    Slt,
    /// Less or equal, signed; one bit.
    Sle,
    /// Signed addition overflows; one bit. Lowered.
    SAddO,
    /// Unsigned addition overflows; one bit. Lowered.
    UAddO,
    /// Signed subtraction overflows; one bit. Lowered.
    SSubO,
    /// Unsigned subtraction overflows; one bit. Lowered.
    USubO,
    /// Signed multiplication overflows; one bit. Lowered.
    SMulO,
    /// Unsigned multiplication overflows; one bit. Lowered.
    UMulO,
    /// Floating addition, to nearest even as all floating operations here.
    FAdd,
    /// Floating subtraction.
    FSub,
    /// Floating multiplication.
    FMul,
    /// Floating division.
    FDiv,
    /// C's `fmod`.
    FRem,
    /// Magnitude of the first, sign of the second. Lowered.
    FCopySign,
    /// C's `fmin`; of two zeros the second. Lowered.
    FMin,
    /// C's `fmax`; of two zeros the second. Lowered.
    FMax,
}

/// Conversions between numbers and floats, result of a given width.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ConvertOp {
    /// Float to signed integer, truncating; out of range as x86-64 code does it (smallest number of 32 or 64 bits).
    FToSi,
    /// Float to unsigned integer, truncating; out of range as x86-64 code does it. Lowered up to 64 bits.
    FToUi,
    /// Signed integer to float.
    SiToF,
    /// Unsigned integer to float.
    UiToF,
    /// Float to float of another width.
    FToF,
}

impl BinaryOp {
    /// Whether the result is one truth bit whatever the operands' width.
    pub const fn is_predicate(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Ult | Ule | Slt | Sle | SAddO | UAddO | SSubO | USubO | SMulO | UMulO)
    }

    /// Whether the operands may be swapped without changing a single bit of the result.
    pub const fn is_commutative(self) -> bool {
        use BinaryOp::*;
        matches!(self, Add | Mul | And | Or | Xor | Eq)
    }

    /// Whether the operands are IEEE bit patterns.
    pub const fn is_float(self) -> bool {
        use BinaryOp::*;
        matches!(self, FAdd | FSub | FMul | FDiv | FRem | FCopySign | FMin | FMax)
    }
}

impl UnaryOp {
    /// Whether the operand is an IEEE bit pattern.
    pub const fn is_float(self) -> bool {
        use UnaryOp::*;
        matches!(self, FNeg | FAbs | FSqrt | FFloor | FCeil | FTrunc | FRint | FRound)
    }
}

/// LLVM's numbers of floating predicates: one bit for each relation that makes the predicate true.
pub mod predicate {
    /// The operands are equal.
    pub const EQUAL: u8 = 1;
    /// The first is greater.
    pub const GREATER: u8 = 2;
    /// The first is less.
    pub const LESS: u8 = 4;
    /// One of them is not a number.
    pub const UNORDERED: u8 = 8;
    /// True whatever the operands.
    pub const ALWAYS: u8 = 15;

    /// The predicate with its operands exchanged.
    pub const fn swapped(predicate: u8) -> u8 {
        predicate & (EQUAL | UNORDERED) | (predicate & GREATER) << 1 | (predicate & LESS) >> 1
    }

    /// LLVM's name of a predicate.
    pub const fn name(predicate: u8) -> &'static str {
        const NAMES: [&str; 16] = [
            "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult",
            "ule", "une", "true",
        ];
        NAMES[(predicate & ALWAYS) as usize]
    }
}
