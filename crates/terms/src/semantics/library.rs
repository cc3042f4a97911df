//! The functions that only the C library knows: `sin`, `exp`, `pow` and so on.
//!
//! Takes bit patterns of 32 or 64 bits; gives what this machine's C library gives, which is the one the target calls
//! too: a value computed otherwise might differ in its last bit. There is none of these for 80 bits.
//!
//! The functions are looked up in the library when they are first needed. Linking to them by name would not do: Rust
//! brings functions of its own for some of the names, and they round differently.

use crate::op::{BinaryOp, UnaryOp};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::LazyLock;

unsafe extern "C" {
    fn dlopen(file: *const c_char, mode: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// `RTLD_NOW`: what the library needs is bound when it is opened.
const BIND_NOW: c_int = 2;

/// Each operation with the names of its functions on singles and doubles, in the order of their numbers.
const UNARY: [(UnaryOp, &CStr, &CStr); 20] = [
    (UnaryOp::FSin, c"sinf", c"sin"),
    (UnaryOp::FCos, c"cosf", c"cos"),
    (UnaryOp::FTan, c"tanf", c"tan"),
    (UnaryOp::FAsin, c"asinf", c"asin"),
    (UnaryOp::FAcos, c"acosf", c"acos"),
    (UnaryOp::FAtan, c"atanf", c"atan"),
    (UnaryOp::FSinh, c"sinhf", c"sinh"),
    (UnaryOp::FCosh, c"coshf", c"cosh"),
    (UnaryOp::FTanh, c"tanhf", c"tanh"),
    (UnaryOp::FAsinh, c"asinhf", c"asinh"),
    (UnaryOp::FAcosh, c"acoshf", c"acosh"),
    (UnaryOp::FAtanh, c"atanhf", c"atanh"),
    (UnaryOp::FExp, c"expf", c"exp"),
    (UnaryOp::FExp2, c"exp2f", c"exp2"),
    (UnaryOp::FExpm1, c"expm1f", c"expm1"),
    (UnaryOp::FLog, c"logf", c"log"),
    (UnaryOp::FLog2, c"log2f", c"log2"),
    (UnaryOp::FLog10, c"log10f", c"log10"),
    (UnaryOp::FLog1p, c"log1pf", c"log1p"),
    (UnaryOp::FCbrt, c"cbrtf", c"cbrt"),
];
const BINARY: [(BinaryOp, &CStr, &CStr); 4] = [
    (BinaryOp::FPow, c"powf", c"pow"),
    (BinaryOp::FAtan2, c"atan2f", c"atan2"),
    (BinaryOp::FHypot, c"hypotf", c"hypot"),
    (BinaryOp::FRemainder, c"remainderf", c"remainder"),
];

/// A function on singles and the same one on doubles.
type Unary = (extern "C" fn(f32) -> f32, extern "C" fn(f64) -> f64);
type Binary = (extern "C" fn(f32, f32) -> f32, extern "C" fn(f64, f64) -> f64);

static FUNCTIONS: LazyLock<([Unary; 20], [Binary; 4])> = LazyLock::new(|| {
    // SAFETY: the name is a C string, and opening the mathematical library runs nothing that needs care.
    let library = unsafe { dlopen(c"libm.so.6".as_ptr(), BIND_NOW) };
    assert!(!library.is_null(), "libm.so.6 cannot be opened");
    let find = |name: &CStr| {
        // SAFETY: the library is open and stays open; the name is a C string.
        let function = unsafe { dlsym(library, name.as_ptr()) };
        assert!(!function.is_null(), "libm.so.6 has no {name:?}");
        function
    };
    // SAFETY: C says what the functions with these names take and give: one float each, and its kind.
    let unary = UNARY.map(|(_, single, double)| unsafe {
        (
            std::mem::transmute::<*mut c_void, extern "C" fn(f32) -> f32>(find(single)),
            std::mem::transmute::<*mut c_void, extern "C" fn(f64) -> f64>(find(double)),
        )
    });
    // SAFETY: the same, of two floats.
    let binary = BINARY.map(|(_, single, double)| unsafe {
        (
            std::mem::transmute::<*mut c_void, extern "C" fn(f32, f32) -> f32>(find(single)),
            std::mem::transmute::<*mut c_void, extern "C" fn(f64, f64) -> f64>(find(double)),
        )
    });
    (unary, binary)
});

pub(super) fn unary(op: UnaryOp, width: u16, a: u128) -> u128 {
    let (single, double) = FUNCTIONS.0[op as usize - UNARY[0].0 as usize];
    match width {
        32 => single(f32::from_bits(a as u32)).to_bits().into(),
        64 => double(f64::from_bits(a as u64)).to_bits().into(),
        _ => panic!("{op:?} of {width} bits"),
    }
}

pub(super) fn binary(op: BinaryOp, width: u16, a: u128, b: u128) -> u128 {
    let (single, double) = FUNCTIONS.1[op as usize - BINARY[0].0 as usize];
    match width {
        32 => single(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits().into(),
        64 => double(f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits().into(),
        _ => panic!("{op:?} of {width} bits"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_in_the_order_of_the_operations_numbers() {
        for (position, (op, ..)) in UNARY.iter().enumerate() {
            assert!(op.is_library() && *op as usize == UNARY[0].0 as usize + position, "{op:?}");
        }
        for (position, (op, ..)) in BINARY.iter().enumerate() {
            assert!(op.is_library() && *op as usize == BINARY[0].0 as usize + position, "{op:?}");
        }
    }

    #[test]
    fn each_operation_is_the_function_of_its_name() {
        let one = |op, x: f64| f64::from_bits(unary(op, 64, x.to_bits().into()) as u64);
        let single = |op, x: f32| f32::from_bits(unary(op, 32, x.to_bits().into()) as u32);
        let two = |op, x: f64, y: f64| {
            f64::from_bits(binary(op, 64, x.to_bits().into(), y.to_bits().into()) as u64)
        };
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-6, "{value} {expected}");
        let expected: [fn(f64) -> f64; UNARY.len()] = [
            f64::sin,
            f64::cos,
            f64::tan,
            f64::asin,
            f64::acos,
            f64::atan,
            f64::sinh,
            f64::cosh,
            f64::tanh,
            f64::asinh,
            f64::acosh,
            f64::atanh,
            f64::exp,
            f64::exp2,
            f64::exp_m1,
            f64::ln,
            f64::log2,
            f64::log10,
            f64::ln_1p,
            f64::cbrt,
        ];
        for ((op, ..), expected) in UNARY.into_iter().zip(expected) {
            let x = if op == UnaryOp::FAcosh { 1.75 } else { 0.75 };
            near(one(op, x), expected(x));
            near(single(op, x as f32).into(), expected(x));
        }
        near(two(BinaryOp::FPow, 2.0, 0.5), std::f64::consts::SQRT_2);
        near(two(BinaryOp::FAtan2, 1.0, -2.0), 1f64.atan2(-2.0));
        near(two(BinaryOp::FHypot, 3.0, 4.0), 5.0);
        near(two(BinaryOp::FRemainder, 5.0, 3.0), -1.0);
    }
}
