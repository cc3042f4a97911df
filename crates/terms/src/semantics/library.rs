//! The functions that only the C library knows: `sin`, `exp`, `pow` and so on.
//!
//! Takes bit patterns of 32 or 64 bits; gives what this machine's C library gives, which is the one the target calls
//! too: a value computed otherwise might differ in its last bit. There is none of these for 80 bits.

use crate::op::{BinaryOp, UnaryOp};

#[link(name = "m")]
unsafe extern "C" {
    safe fn sin(x: f64) -> f64;
    safe fn sinf(x: f32) -> f32;
    safe fn cos(x: f64) -> f64;
    safe fn cosf(x: f32) -> f32;
    safe fn tan(x: f64) -> f64;
    safe fn tanf(x: f32) -> f32;
    safe fn asin(x: f64) -> f64;
    safe fn asinf(x: f32) -> f32;
    safe fn acos(x: f64) -> f64;
    safe fn acosf(x: f32) -> f32;
    safe fn atan(x: f64) -> f64;
    safe fn atanf(x: f32) -> f32;
    safe fn sinh(x: f64) -> f64;
    safe fn sinhf(x: f32) -> f32;
    safe fn cosh(x: f64) -> f64;
    safe fn coshf(x: f32) -> f32;
    safe fn tanh(x: f64) -> f64;
    safe fn tanhf(x: f32) -> f32;
    safe fn asinh(x: f64) -> f64;
    safe fn asinhf(x: f32) -> f32;
    safe fn acosh(x: f64) -> f64;
    safe fn acoshf(x: f32) -> f32;
    safe fn atanh(x: f64) -> f64;
    safe fn atanhf(x: f32) -> f32;
    safe fn exp(x: f64) -> f64;
    safe fn expf(x: f32) -> f32;
    safe fn exp2(x: f64) -> f64;
    safe fn exp2f(x: f32) -> f32;
    safe fn expm1(x: f64) -> f64;
    safe fn expm1f(x: f32) -> f32;
    safe fn log(x: f64) -> f64;
    safe fn logf(x: f32) -> f32;
    safe fn log2(x: f64) -> f64;
    safe fn log2f(x: f32) -> f32;
    safe fn log10(x: f64) -> f64;
    safe fn log10f(x: f32) -> f32;
    safe fn log1p(x: f64) -> f64;
    safe fn log1pf(x: f32) -> f32;
    safe fn cbrt(x: f64) -> f64;
    safe fn cbrtf(x: f32) -> f32;
    safe fn pow(x: f64, y: f64) -> f64;
    safe fn powf(x: f32, y: f32) -> f32;
    safe fn atan2(x: f64, y: f64) -> f64;
    safe fn atan2f(x: f32, y: f32) -> f32;
    safe fn hypot(x: f64, y: f64) -> f64;
    safe fn hypotf(x: f32, y: f32) -> f32;
    safe fn remainder(x: f64, y: f64) -> f64;
    safe fn remainderf(x: f32, y: f32) -> f32;
}

pub(super) fn unary(op: UnaryOp, width: u16, a: u128) -> u128 {
    let functions: (extern "C" fn(f32) -> f32, extern "C" fn(f64) -> f64) = match op {
        UnaryOp::FSin => (sinf, sin),
        UnaryOp::FCos => (cosf, cos),
        UnaryOp::FTan => (tanf, tan),
        UnaryOp::FAsin => (asinf, asin),
        UnaryOp::FAcos => (acosf, acos),
        UnaryOp::FAtan => (atanf, atan),
        UnaryOp::FSinh => (sinhf, sinh),
        UnaryOp::FCosh => (coshf, cosh),
        UnaryOp::FTanh => (tanhf, tanh),
        UnaryOp::FAsinh => (asinhf, asinh),
        UnaryOp::FAcosh => (acoshf, acosh),
        UnaryOp::FAtanh => (atanhf, atanh),
        UnaryOp::FExp => (expf, exp),
        UnaryOp::FExp2 => (exp2f, exp2),
        UnaryOp::FExpm1 => (expm1f, expm1),
        UnaryOp::FLog => (logf, log),
        UnaryOp::FLog2 => (log2f, log2),
        UnaryOp::FLog10 => (log10f, log10),
        UnaryOp::FLog1p => (log1pf, log1p),
        UnaryOp::FCbrt => (cbrtf, cbrt),
        _ => unreachable!("{op:?} is none of the library's functions"),
    };
    match width {
        32 => functions.0(f32::from_bits(a as u32)).to_bits().into(),
        64 => functions.1(f64::from_bits(a as u64)).to_bits().into(),
        _ => panic!("{op:?} of {width} bits"),
    }
}

pub(super) fn binary(op: BinaryOp, width: u16, a: u128, b: u128) -> u128 {
    let functions: (extern "C" fn(f32, f32) -> f32, extern "C" fn(f64, f64) -> f64) = match op {
        BinaryOp::FPow => (powf, pow),
        BinaryOp::FAtan2 => (atan2f, atan2),
        BinaryOp::FHypot => (hypotf, hypot),
        BinaryOp::FRemainder => (remainderf, remainder),
        _ => unreachable!("{op:?} is none of the library's functions"),
    };
    match width {
        32 => functions.0(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits().into(),
        64 => functions.1(f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits().into(),
        _ => panic!("{op:?} of {width} bits"),
    }
}
