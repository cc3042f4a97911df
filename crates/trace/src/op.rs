//! The operations of the node table.
//!
//! One line per operation: name, C name, number of operand labels. Widths are in bits. Values are little-endian bit
//! vectors of 1 to 128 bits; a floating operation reads and gives the bit pattern: IEEE of 32 or 64 bits,
//! or the 80 bits of the x87 format.
//! Operands `a`, `b`, `c` of a node are labels unless stated otherwise; a concrete operand is a `Const` node.

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident = $c_name:literal / $arity:literal,)*) => {
        /// What a node computes from its operands.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[repr(u8)]
        pub enum Op { $($(#[$doc])* $name,)* }

        impl Op {
            /// Every operation, in numeric order.
            pub const ALL: &'static [Op] = &[$(Op::$name,)*];
            /// The name of the C constant, after its `TK_OP_` prefix.
            pub const fn c_name(self) -> &'static str { match self { $(Op::$name => $c_name,)* } }
            /// How many of `a`, `b`, `c` are labels.
            pub const fn arity(self) -> u8 { match self { $(Op::$name => $arity,)* } }
        }
    };
}

ops! {
    /// Constant of up to 64 bits: low half in `b`, high half in `c`. Wider constants are a `Concat` of two.
    Const = "CONST" / 0,
    /// Wrapping addition.
    Add = "ADD" / 2,
    /// Wrapping subtraction.
    Sub = "SUB" / 2,
    /// Wrapping multiplication.
    Mul = "MUL" / 2,
    /// Unsigned division; the divisor is not 0 in any run that made the node.
    UDiv = "UDIV" / 2,
    /// Signed division, truncating; the divisor is not 0.
    SDiv = "SDIV" / 2,
    /// Unsigned remainder.
    URem = "UREM" / 2,
    /// Signed remainder, sign of the dividend.
    SRem = "SREM" / 2,
    /// Bitwise and.
    And = "AND" / 2,
    /// Bitwise or.
    Or = "OR" / 2,
    /// Bitwise exclusive or.
    Xor = "XOR" / 2,
    /// Left shift; the amount counts modulo the width, as the hardware does for 32 and 64 bits.
    Shl = "SHL" / 2,
    /// Logical right shift, amount modulo the width.
    LShr = "LSHR" / 2,
    /// Arithmetic right shift, amount modulo the width.
    AShr = "ASHR" / 2,
    /// `a == b`, one bit.
    Eq = "EQ" / 2,
    /// `a != b`, one bit.
    Ne = "NE" / 2,
    /// `a < b` unsigned, one bit.
    Ult = "ULT" / 2,
    /// `a <= b` unsigned, one bit.
    Ule = "ULE" / 2,
    /// `a < b` signed, one bit.
    Slt = "SLT" / 2,
    /// `a <= b` signed, one bit.
    Sle = "SLE" / 2,
    /// `a` as the high part, `b` as the low part.
    Concat = "CONCAT" / 2,
    /// `width` bits of `a` from bit `b` (a number, not a label) upwards.
    Extract = "EXTRACT" / 1,
    /// Zero extension of `a` to `width`.
    ZExt = "ZEXT" / 1,
    /// Sign extension of `a` to `width`.
    SExt = "SEXT" / 1,
    /// `a ? b : c`, `a` one bit.
    Ite = "ITE" / 3,
    /// `width / 8` bytes, little endian, at address `a` (64 bits) of snapshot table `b` (a number).
    Read = "READ" / 1,
    /// Signed `a + b` overflows, one bit.
    SAddO = "SADDO" / 2,
    /// Unsigned `a + b` overflows, one bit.
    UAddO = "UADDO" / 2,
    /// Signed `a - b` overflows, one bit.
    SSubO = "SSUBO" / 2,
    /// Unsigned `a - b` overflows, one bit.
    USubO = "USUBO" / 2,
    /// Signed `a * b` overflows, one bit.
    SMulO = "SMULO" / 2,
    /// Unsigned `a * b` overflows, one bit.
    UMulO = "UMULO" / 2,
    /// Number of one bits, same width.
    CtPop = "CTPOP" / 1,
    /// Leading zeros, same width; the width itself for 0.
    Ctlz = "CTLZ" / 1,
    /// Trailing zeros, same width; the width itself for 0.
    Cttz = "CTTZ" / 1,
    /// Bytes reversed.
    BSwap = "BSWAP" / 1,
    /// Floating addition, round to nearest even (as all floating operations here).
    FAdd = "FADD" / 2,
    /// Floating subtraction.
    FSub = "FSUB" / 2,
    /// Floating multiplication.
    FMul = "FMUL" / 2,
    /// Floating division.
    FDiv = "FDIV" / 2,
    /// C's `fmod`.
    FRem = "FREM" / 2,
    /// Sign bit flipped.
    FNeg = "FNEG" / 1,
    /// LLVM's `fcmp` with predicate number `c` (see `FCMP_PREDICATES`), one bit.
    FCmp = "FCMP" / 2,
    /// Float to signed integer of `width` bits, truncating.
    FToSi = "FTOSI" / 1,
    /// Float to unsigned integer of `width` bits, truncating.
    FToUi = "FTOUI" / 1,
    /// Signed integer to float of `width` bits.
    SiToF = "SITOF" / 1,
    /// Unsigned integer to float of `width` bits.
    UiToF = "UITOF" / 1,
    /// Float to float of another width.
    FToF = "FTOF" / 1,
    /// Sign bit cleared.
    FAbs = "FABS" / 1,
    /// Square root.
    FSqrt = "FSQRT" / 1,
    /// Round towards minus infinity.
    FFloor = "FFLOOR" / 1,
    /// Round towards plus infinity.
    FCeil = "FCEIL" / 1,
    /// Round towards zero.
    FTrunc = "FTRUNC" / 1,
    /// Round to nearest, ties to even.
    FRint = "FRINT" / 1,
    /// Round to nearest, ties away from zero.
    FRound = "FROUND" / 1,
    /// Magnitude of `a`, sign of `b`.
    FCopySign = "FCOPYSIGN" / 2,
    /// C's `fmin`.
    FMin = "FMIN" / 2,
    /// C's `fmax`.
    FMax = "FMAX" / 2,
    /// `a * b + c` rounded once.
    FFma = "FFMA" / 3,
    /// C's `sin`, as the library computes it, of 32 or 64 bits (as all that follow).
    FSin = "FSIN" / 1,
    /// C's `cos`.
    FCos = "FCOS" / 1,
    /// C's `tan`.
    FTan = "FTAN" / 1,
    /// C's `asin`.
    FAsin = "FASIN" / 1,
    /// C's `acos`.
    FAcos = "FACOS" / 1,
    /// C's `atan`.
    FAtan = "FATAN" / 1,
    /// C's `sinh`.
    FSinh = "FSINH" / 1,
    /// C's `cosh`.
    FCosh = "FCOSH" / 1,
    /// C's `tanh`.
    FTanh = "FTANH" / 1,
    /// C's `asinh`.
    FAsinh = "FASINH" / 1,
    /// C's `acosh`.
    FAcosh = "FACOSH" / 1,
    /// C's `atanh`.
    FAtanh = "FATANH" / 1,
    /// C's `exp`.
    FExp = "FEXP" / 1,
    /// C's `exp2`.
    FExp2 = "FEXP2" / 1,
    /// C's `expm1`.
    FExpm1 = "FEXPM1" / 1,
    /// C's `log`.
    FLog = "FLOG" / 1,
    /// C's `log2`.
    FLog2 = "FLOG2" / 1,
    /// C's `log10`.
    FLog10 = "FLOG10" / 1,
    /// C's `log1p`.
    FLog1p = "FLOG1P" / 1,
    /// C's `cbrt`.
    FCbrt = "FCBRT" / 1,
    /// C's `pow`.
    FPow = "FPOW" / 2,
    /// C's `atan2`.
    FAtan2 = "FATAN2" / 2,
    /// C's `hypot`.
    FHypot = "FHYPOT" / 2,
    /// C's `remainder`.
    FRemainder = "FREMAINDER" / 2,
}

impl Op {
    /// The operation with this number.
    pub fn from_u8(number: u8) -> Option<Op> {
        Self::ALL.get(number as usize).copied()
    }
}

/// LLVM's floating predicates by their number in an `FCmp` node.
pub const FCMP_PREDICATES: [&str; 16] = [
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule",
    "une", "true",
];
