//! `llvm.is.fpclass`, which `isnan`, `isfinite` and the like are made of.
//!
//! ```text
//! %r = call i1 @llvm.is.fpclass.f64(double %x, i32 3)
//! ```
//! becomes comparisons of the bit pattern, which need no model of their own:
//! ```text
//! %bits = bitcast double %x to i64
//! %size = and i64 %bits, 0x7fffffffffffffff
//! %r = icmp uge i64 %size, 0x7ff0000000000001
//! ```

use super::shape::{Scalar, scalar};
use super::{LLVMOpcode, Pass, Value};
use crate::ir::LLVMIntPredicate;

/// Two classes that one bit tells apart.
struct Pair<'a> {
    /// Numbers of the class with that bit and of the one without. LLVM's: 0 signalling NaN, 1 quiet NaN, 2 -inf,
    /// 3 -normal, 4 -subnormal, 5 -0, 6 +0, 7 +subnormal, 8 +normal, 9 +inf.
    classes: (u32, u32),
    /// The part of the pattern that has the bit, and the bit.
    flag: (Value, u64),
    /// What both have in common.
    common: &'a dyn Fn() -> Value,
}

impl Pass<'_> {
    /// Whether a value belongs to one of the classes of the mask.
    pub(super) fn float_class(&self, value: Value, mask: u64) -> Option<Value> {
        match scalar(value.ty()) {
            Scalar::Float(80) => Some(self.extended_class(value, mask)),
            Scalar::Float(width) => Some(self.ieee_class(value, width, mask)),
            _ => None,
        }
    }

    fn ieee_class(&self, value: Value, width: u32, mask: u64) -> Value {
        use LLVMIntPredicate::*;
        use LLVMOpcode::LLVMAnd;
        let (sign, infinity, quiet, least_normal) = match width {
            32 => (1_u64 << 31, 0x7f80_0000, 1_u64 << 22, 1_u64 << 23),
            _ => (1_u64 << 63, 0x7ff0_0000_0000_0000, 1_u64 << 51, 1_u64 << 52),
        };
        let bits = self.pattern(value);
        let number = |number: u64| bits.ty().constant(number);
        let size = self.op(LLVMAnd, bits, number(sign - 1));
        let at_least = |least: u64| self.compare(LLVMIntUGE, size, number(least));
        let at_most = |most: u64| self.compare(LLVMIntULE, size, number(most));
        let exactly = |pattern: u64| self.compare(LLVMIntEQ, size, number(pattern));
        let (sign, quiet) = ((bits, sign), (bits, quiet));
        self.any_class(
            mask,
            [
                Pair { classes: (1, 0), flag: quiet, common: &|| at_least(infinity + 1) },
                Pair { classes: (2, 9), flag: sign, common: &|| exactly(infinity) },
                Pair {
                    classes: (3, 8),
                    flag: sign,
                    common: &|| self.op(LLVMAnd, at_least(least_normal), at_most(infinity - 1)),
                },
                Pair {
                    classes: (4, 7),
                    flag: sign,
                    common: &|| self.op(LLVMAnd, at_least(1), at_most(least_normal - 1)),
                },
                Pair { classes: (5, 6), flag: sign, common: &|| exactly(0) },
            ],
        )
    }

    /// `long double`: sign and 15 bits of exponent, then a mantissa of 64 bits whose first is written out. It is set in
    /// every normal number; where it does not fit the exponent, the pattern is no number and counts as NaN.
    fn extended_class(&self, value: Value, mask: u64) -> Value {
        use LLVMIntPredicate::*;
        use LLVMOpcode::{LLVMAnd, LLVMLShr, LLVMOr, LLVMXor};
        const FIRST: u64 = 1 << 63;
        const QUIET: u64 = 1 << 62;
        const MOST: u64 = 0x7fff;
        let bits = self.pattern(value);
        let mantissa = self.resize(bits, self.types.i64);
        let head = self.resize(self.op(LLVMLShr, bits, bits.ty().constant(64)), self.types.i64);
        let exponent = self.op(LLVMAnd, head, self.u64(MOST));
        let is = |value: Value, number: u64| self.compare(LLVMIntEQ, value, self.u64(number));
        let is_not = |value: Value, number: u64| self.compare(LLVMIntNE, value, self.u64(number));
        let both = |a: Value, b: Value| self.op(LLVMAnd, a, b);
        let first_set = is_not(self.op(LLVMAnd, mantissa, self.u64(FIRST)), 0);
        let tiny = is(exponent, 0);
        let fits = self.op(LLVMXor, tiny, first_set);
        let nan = || {
            let misfit = self.op(LLVMXor, fits, self.types.i1.constant(1));
            let marked = both(is(exponent, MOST), is_not(mantissa, FIRST));
            self.op(LLVMOr, misfit, marked)
        };
        let normal = || both(both(is_not(exponent, 0), is_not(exponent, MOST)), fits);
        let (sign, quiet) = ((head, MOST + 1), (mantissa, QUIET));
        self.any_class(
            mask,
            [
                Pair { classes: (1, 0), flag: quiet, common: &nan },
                Pair {
                    classes: (2, 9),
                    flag: sign,
                    common: &|| both(is(exponent, MOST), is(mantissa, FIRST)),
                },
                Pair { classes: (3, 8), flag: sign, common: &normal },
                Pair { classes: (4, 7), flag: sign, common: &|| both(both(tiny, fits), is_not(mantissa, 0)) },
                Pair { classes: (5, 6), flag: sign, common: &|| both(tiny, is(mantissa, 0)) },
            ],
        )
    }

    fn any_class(&self, mask: u64, pairs: [Pair<'_>; 5]) -> Value {
        use LLVMIntPredicate::{LLVMIntEQ, LLVMIntNE};
        use LLVMOpcode::{LLVMAnd, LLVMOr};
        let flagged = |(part, flag): (Value, u64), predicate| {
            let bit = self.op(LLVMAnd, part, part.ty().constant(flag));
            self.compare(predicate, bit, part.ty().null())
        };
        pairs
            .into_iter()
            .filter_map(|Pair { classes: (with, without), flag, common }| {
                Some(match (mask >> with & 1, mask >> without & 1) {
                    (0, 0) => return None,
                    (1, 1) => common(),
                    (1, _) => self.op(LLVMAnd, common(), flagged(flag, LLVMIntNE)),
                    _ => self.op(LLVMAnd, common(), flagged(flag, LLVMIntEQ)),
                })
            })
            .reduce(|result, member| self.op(LLVMOr, result, member))
            .unwrap_or_else(|| self.types.i1.constant(0))
    }
}
