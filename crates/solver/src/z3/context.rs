//! A safe, thin layer over Z3's C interface: one context and the formulas made in it.
//!
//! Takes operations; gives [`Ast`]s, plain pointers that their [`Formulas`] keep alive until they are let go of. They are
//! private to this module's folder.

use super::watchdog::{Cause, Watchdog};
use crate::Deadline;
use std::cell::{Cell, OnceCell};
use std::ffi::{CStr, CString, c_int};
use std::io;
use std::sync::Once;
use z3_sys::*;

/// Operations from formulas to a formula, by their number of operands; none where Z3 refuses.
pub(super) type Op0 = unsafe extern "C" fn(Z3_context) -> Option<Z3_ast>;
pub(super) type Op1 = unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>;
pub(super) type Op2 = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>;
pub(super) type Op3 = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;
pub(super) type Op4 = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;

/// One Z3 context. Lives until a decision in it is interrupted, else as long as the solver.
pub(super) struct Context {
    pub(super) raw: Z3_context,
    /// Made for the first decision.
    watchdog: OnceCell<Watchdog>,
    interrupted: Cell<Option<Cause>>,
}

// SAFETY: a Z3 context has no ties to the thread it was made on; it must only not be used by two threads at once, and
// `Context` is neither `Sync` nor cloneable.
unsafe impl Send for Context {}

impl Context {
    pub(super) fn new() -> Self {
        static SETTINGS: Once = Once::new();
        // SAFETY: plain creation; the configuration is not needed once the context exists. The default error handler
        // would end the process, so it is taken away and errors are asked for instead.
        unsafe {
            // Where Z3 leaves a floating result open it would bring in a function that the SAT engine does not take. The
            // translation leaves nothing open, so any choice will do.
            SETTINGS.call_once(|| {
                Z3_global_param_set(c"rewriter.hi_fp_unspecified".as_ptr(), c"true".as_ptr());
            });
            let config = Z3_mk_config().expect("Z3 makes a configuration");
            let raw = Z3_mk_context_rc(config).expect("Z3 makes a context");
            Z3_del_config(config);
            Z3_set_error_handler(raw, None);
            Context { raw, watchdog: OnceCell::new(), interrupted: Cell::new(None) }
        }
    }

    /// Why a decision was interrupted, if one was: Z3 (4.8.12) then never decides anything in this context again.
    pub(super) fn interrupted(&self) -> Option<Cause> {
        self.interrupted.get()
    }

    /// Does something that is interrupted at the deadline, or when Z3 has allocated more than this many bytes.
    pub(super) fn watched<R>(
        &self,
        deadline: Deadline,
        memory: u64,
        what: impl FnOnce() -> R,
    ) -> io::Result<R> {
        let watchdog = self.watchdog()?;
        // SAFETY: the context is alive, and the watch ends in this function.
        let armed = unsafe { watchdog.arm(self.raw, deadline, memory) };
        let result = what();
        if let Some(cause) = armed.disarm() {
            self.interrupted.set(Some(cause));
        }
        Ok(result)
    }

    fn watchdog(&self) -> io::Result<&Watchdog> {
        if let Some(watchdog) = self.watchdog.get() {
            return Ok(watchdog);
        }
        let started = Watchdog::start()?;
        Ok(self.watchdog.get_or_init(|| started))
    }

    pub(super) fn error(&self) -> Option<String> {
        // SAFETY: the message belongs to the context and is copied at once.
        unsafe {
            let code = Z3_get_error_code(self.raw);
            (code != ErrorCode::Ok)
                .then(|| CStr::from_ptr(Z3_get_error_msg(self.raw, code)).to_string_lossy().into_owned())
        }
    }

    pub(super) fn symbol(&self, name: &str) -> Option<Z3_symbol> {
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: the context copies the name.
        unsafe { Z3_mk_string_symbol(self.raw, name.as_ptr()) }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: nothing made from the context is left: formulas, solvers and armed watchdogs borrow it.
        unsafe { Z3_del_context(self.raw) }
    }
}

/// A formula of a query in progress.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Ast(pub(super) Z3_ast);

/// A context with the formulas made in it: everything built is kept until it is let go of.
pub(super) struct Formulas {
    context: Context,
    kept: Vec<Z3_ast>,
    named: c_int,
    /// The first mistake Z3 found in a formula.
    pub(super) error: Option<String>,
}

// SAFETY: formulas are pointers into the context, which goes with them.
unsafe impl Send for Formulas {}

impl Formulas {
    pub(super) fn new() -> Self {
        Formulas { context: Context::new(), kept: Vec::new(), named: 0, error: None }
    }

    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    /// How many formulas are kept.
    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// Lets go of all formulas, and forgets a mistake: the context is as new.
    pub(super) fn clear(&mut self) {
        for raw in self.kept.drain(..) {
            // SAFETY: kept since it was made.
            unsafe { Z3_dec_ref(self.context.raw, raw) };
        }
        self.error = None;
        self.named = 0;
    }

    /// Keeps a formula. In place of one that Z3 refused stands "true", and `decide` reports the mistake.
    fn keep(&mut self, made: Option<Z3_ast>) -> Ast {
        let raw = made.unwrap_or_else(|| {
            let error = self.context.error();
            self.error.get_or_insert(error.unwrap_or_else(|| "a formula that Z3 does not accept".into()));
            // SAFETY: a constant of the context, which every context has.
            unsafe { Z3_mk_true(self.context.raw) }.expect("Z3 has the constant true")
        });
        // SAFETY: a formula just made in this context; released in `drop`.
        unsafe { Z3_inc_ref(self.context.raw, raw) };
        self.kept.push(raw);
        Ast(raw)
    }

    /// An operation on one formula, of a sort it takes.
    pub(super) fn one(&mut self, f: Op1, a: Ast) -> Ast {
        // SAFETY: the operand is a live formula of this context; Z3 checks sorts. So below.
        self.make(|c| unsafe { f(c, a.0) })
    }

    pub(super) fn two(&mut self, f: Op2, a: Ast, b: Ast) -> Ast {
        // SAFETY: see `one`.
        self.make(|c| unsafe { f(c, a.0, b.0) })
    }

    pub(super) fn three(&mut self, f: Op3, first: Ast, a: Ast, b: Ast) -> Ast {
        // SAFETY: see `one`.
        self.make(|c| unsafe { f(c, first.0, a.0, b.0) })
    }

    pub(super) fn four(&mut self, f: Op4, first: Ast, [a, b, d]: [Ast; 3]) -> Ast {
        // SAFETY: see `one`.
        self.make(|c| unsafe { f(c, first.0, a.0, b.0, d.0) })
    }

    /// A formula that needs more than formulas to be made.
    ///
    /// `make` gets the context and must return a formula of it.
    fn make(&mut self, make: impl FnOnce(Z3_context) -> Option<Z3_ast>) -> Ast {
        let raw = make(self.context.raw);
        self.keep(raw)
    }

    /// A new variable of so many bits.
    pub(super) fn variable(&mut self, width: u16) -> Ast {
        let number = self.named;
        self.named += 1;
        // SAFETY: symbol and sort belong to the context.
        self.make(|c| unsafe {
            Z3_mk_const(c, Z3_mk_int_symbol(c, number)?, Z3_mk_bv_sort(c, width.into())?)
        })
    }

    /// A bit vector constant.
    pub(super) fn number(&mut self, width: u16, value: u128) -> Ast {
        if width > 64 {
            let (high, low) =
                (self.number(width - 64, value >> 64), self.number(64, value & u128::from(u64::MAX)));
            return self.two(Z3_mk_concat, high, low);
        }
        // SAFETY: the sort belongs to the context.
        self.make(|c| unsafe { Z3_mk_unsigned_int64(c, value as u64, Z3_mk_bv_sort(c, width.into())?) })
    }

    /// True or false.
    pub(super) fn truth(&mut self, value: bool) -> Ast {
        // SAFETY: constants of the context.
        self.make(|c| unsafe { if value { Z3_mk_true(c) } else { Z3_mk_false(c) } })
    }

    pub(super) fn and(&mut self, a: Ast, b: Ast) -> Ast {
        let both = [a.0, b.0];
        // SAFETY: two live formulas of this context.
        self.make(|c| unsafe { Z3_mk_and(c, 2, both.as_ptr()) })
    }

    pub(super) fn or(&mut self, parts: &[Ast]) -> Ast {
        let raw: Vec<Z3_ast> = parts.iter().map(|part| part.0).collect();
        // SAFETY: live formulas of this context.
        self.make(|c| unsafe { Z3_mk_or(c, raw.len() as u32, raw.as_ptr()) })
    }

    pub(super) fn extract(&mut self, a: Ast, low: u16, width: u16) -> Ast {
        // SAFETY: a live formula; Z3 checks the bounds.
        self.make(|c| unsafe { Z3_mk_extract(c, (low + width - 1).into(), low.into(), a.0) })
    }

    pub(super) fn extend(&mut self, a: Ast, more: u16, signed: bool) -> Ast {
        let f = if signed { Z3_mk_sign_ext } else { Z3_mk_zero_ext };
        // SAFETY: a live formula.
        self.make(|c| unsafe { f(c, more.into(), a.0) })
    }

    /// A floating value from its bits. Of 80 bits one follows from the others, and Z3's format leaves it out.
    pub(super) fn float_from_bits(&mut self, bits: Ast, width: u16) -> Ast {
        let bits = if width == 80 {
            let (high, low) = (self.extract(bits, 64, 16), self.extract(bits, 0, 63));
            self.two(Z3_mk_concat, high, low)
        } else {
            bits
        };
        // SAFETY: a live formula and a sort of the context.
        self.make(|c| unsafe { Z3_mk_fpa_to_fp_bv(c, bits.0, float_sort(c, width)?) })
    }

    /// A floating value rounded to nearest from another one.
    pub(super) fn float_from_float(&mut self, a: Ast, width: u16) -> Ast {
        let nearest = self.rounding(Z3_mk_fpa_rne);
        // SAFETY: live formulas and a sort of the context.
        self.make(|c| unsafe { Z3_mk_fpa_to_fp_float(c, nearest.0, a.0, float_sort(c, width)?) })
    }

    /// A floating value rounded to nearest from an integer.
    pub(super) fn float_from_integer(&mut self, a: Ast, width: u16, signed: bool) -> Ast {
        let f = if signed { Z3_mk_fpa_to_fp_signed } else { Z3_mk_fpa_to_fp_unsigned };
        let nearest = self.rounding(Z3_mk_fpa_rne);
        // SAFETY: live formulas and a sort of the context.
        self.make(|c| unsafe { f(c, nearest.0, a.0, float_sort(c, width)?) })
    }

    /// A signed integer truncated from a floating value in which it fits.
    pub(super) fn integer_from_float(&mut self, a: Ast, width: u16) -> Ast {
        let towards_zero = self.rounding(Z3_mk_fpa_rtz);
        // SAFETY: live formulas.
        self.make(|c| unsafe { Z3_mk_fpa_to_sbv(c, towards_zero.0, a.0, width.into()) })
    }

    /// A rounding mode.
    pub(super) fn rounding(&mut self, mode: Op0) -> Ast {
        // SAFETY: a constant of the context.
        self.make(|c| unsafe { mode(c) })
    }
}

impl Drop for Formulas {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The sort of floats of 32, 64 or 80 bits.
///
/// # Safety
/// The context is alive.
unsafe fn float_sort(c: Z3_context, width: u16) -> Option<Z3_sort> {
    // Z3 counts the integer bit among those of the significand, though no pattern of its floats has it.
    let (exponent, significand) = match width {
        32 => (8, 24),
        64 => (11, 53),
        _ => (15, 64),
    };
    // SAFETY: see above.
    unsafe { Z3_mk_fpa_sort(c, exponent, significand) }
}
