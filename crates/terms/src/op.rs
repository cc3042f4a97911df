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
    /// The sine: C's `sin`. Computed by the C library.
    FSin,
    /// The cosine: C's `cos`. Computed by the C library.
    FCos,
    /// The tangent: C's `tan`. Computed by the C library.
    FTan,
    /// The arc sine: C's `asin`. Computed by the C library.
    FAsin,
    /// The arc cosine: C's `acos`. Computed by the C library.
    FAcos,
    /// The arc tangent: C's `atan`. Computed by the C library.
    FAtan,
    /// The hyperbolic sine: C's `sinh`. Computed by the C library.
    FSinh,
    /// The hyperbolic cosine: C's `cosh`. Computed by the C library.
    FCosh,
    /// The hyperbolic tangent: C's `tanh`. Computed by the C library.
    FTanh,
    /// The inverse hyperbolic sine: C's `asinh`. Computed by the C library.
    FAsinh,
    /// The inverse hyperbolic cosine: C's `acosh`. Computed by the C library.
    FAcosh,
    /// The inverse hyperbolic tangent: C's `atanh`. Computed by the C library.
    FAtanh,
    /// e to a power: C's `exp`. Computed by the C library.
    FExp,
    /// 2 to a power: C's `exp2`. Computed by the C library.
    FExp2,
    /// e to a power, less 1: C's `expm1`. Computed by the C library.
    FExpm1,
    /// The natural logarithm: C's `log`. Computed by the C library.
    FLog,
    /// The logarithm to base 2: C's `log2`. Computed by the C library.
    FLog2,
    /// The logarithm to base 10: C's `log10`. Computed by the C library.
    FLog10,
    /// The natural logarithm of 1 more: C's `log1p`. Computed by the C library.
    FLog1p,
    /// The cube root: C's `cbrt`. Computed by the C library.
    FCbrt,
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
    /// A power: C's `pow`. Computed by the C library.
    FPow,
    /// The angle of the point with this height and this width: C's `atan2`. Computed by the C library.
    FAtan2,
    /// The length of a right triangle's long side: C's `hypot`. Computed by the C library.
    FHypot,
    /// The remainder after the nearest quotient, as IEEE has it: C's `remainder`. Computed by the C library.
    FRemainder,
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
        matches!(self, FAdd | FSub | FMul | FDiv | FRem | FCopySign | FMin | FMax) || self.is_library()
    }

    /// Whether only the C library knows the result: no law and no solver does.
    pub const fn is_library(self) -> bool {
        use BinaryOp::*;
        matches!(self, FPow | FAtan2 | FHypot | FRemainder)
    }
}

impl UnaryOp {
    /// Whether the operand is an IEEE bit pattern.
    pub const fn is_float(self) -> bool {
        use UnaryOp::*;
        matches!(self, FNeg | FAbs | FSqrt | FFloor | FCeil | FTrunc | FRint | FRound) || self.is_library()
    }

    /// Whether only the C library knows the result: no law and no solver does.
    pub const fn is_library(self) -> bool {
        use UnaryOp::*;
        matches!(
            self,
            FSin | FCos
                | FTan
                | FAsin
                | FAcos
                | FAtan
                | FSinh
                | FCosh
                | FTanh
                | FAsinh
                | FAcosh
                | FAtanh
                | FExp
                | FExp2
                | FExpm1
                | FLog
                | FLog2
                | FLog10
                | FLog1p
                | FCbrt
        )
    }

    /// The library's function that undoes this one, on one branch and up to rounding.
    pub const fn inverse(self) -> Option<UnaryOp> {
        use UnaryOp::*;
        Some(match self {
            FSin => FAsin,
            FAsin => FSin,
            FCos => FAcos,
            FAcos => FCos,
            FTan => FAtan,
            FAtan => FTan,
            FSinh => FAsinh,
            FAsinh => FSinh,
            FCosh => FAcosh,
            FAcosh => FCosh,
            FTanh => FAtanh,
            FAtanh => FTanh,
            FExp => FLog,
            FLog => FExp,
            FExp2 => FLog2,
            FLog2 => FExp2,
            FExpm1 => FLog1p,
            FLog1p => FExpm1,
            _ => return None,
        })
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
