//! A safe, thin layer over Z3's C interface: one context, formulas of one query, one solver for each query.
//!
//! Takes formulas built through [`Formulas`]; gives a [`Verdict`]. An [`Ast`] is a plain pointer that its [`Formulas`]
//! keeps alive; it is private to this module's folder and never outlives the query it was built for.

use super::watchdog::Watchdog;
use std::cell::{Cell, OnceCell};
use std::ffi::{CStr, CString, c_int};
use std::io;
use std::sync::Once;
use std::time::{Duration, Instant};
use z3_sys::*;

/// Operations from formulas to a formula, by their number of operands; none where Z3 refuses.
pub(super) type Op0 = unsafe extern "C" fn(Z3_context) -> Option<Z3_ast>;
pub(super) type Op1 = unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>;
pub(super) type Op2 = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>;
pub(super) type Op3 = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;
pub(super) type Op4 = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;

/// Which of Z3's solvers decides.
///
/// Mean processor time of a query, from `cargo run --release -p tarka-solver --example query_speed` (Z3 4.8.12):
///
/// | query | smt | equations, then smt | sat | bit vectors |
/// |---|---|---|---|---|
/// | one byte | 0.8 ms | 0.8 ms | 2.4 ms | 0.9 ms |
/// | six ordered words | 2.5 ms | 1.5 ms | 4.5 ms | 6.7 ms |
/// | 32-bit product | 14 ms | 5 ms | 49 ms | 28 ms |
/// | 256-entry table, twice | 9 ms | 10 ms | 5 ms | 7 ms |
/// | CRC-16 of four bytes | 7 ms | 8 ms | 7 ms | 9 ms |
/// | path of 100 clauses | 8 ms | 5 ms | 9 ms | 18 ms |
/// | path of 1000 clauses | 107 ms | 60 ms | 89 ms | 222 ms |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// The general SMT core as it is.
    Smt,
    /// Simplify, solve equations for variables, then the SMT core: best on small queries.
    EquationsThenSmt,
    /// Turn floats into bit vectors, solve equations, then a SAT solver on the bits: best on hard arithmetic.
    Sat,
    /// Z3's own choice for quantifier-free bit vectors.
    BitVectors,
}

impl Engine {
    /// The steps of an engine that is a chain of tactics.
    fn steps(self) -> &'static [&'static CStr] {
        match self {
            Engine::Smt | Engine::BitVectors => &[],
            Engine::EquationsThenSmt => &[c"simplify", c"solve-eqs", c"smt"],
            Engine::Sat => &[
                c"simplify",
                c"propagate-values",
                c"fpa2bv",
                c"simplify",
                c"solve-eqs",
                c"bit-blast",
                c"sat",
            ],
        }
    }
}

/// One Z3 context. Lives until a decision in it is interrupted, else as long as the solver.
pub(super) struct Context {
    raw: Z3_context,
    /// Made for the first decision.
    watchdog: OnceCell<Watchdog>,
    interrupted: Cell<bool>,
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
            Context { raw, watchdog: OnceCell::new(), interrupted: Cell::new(false) }
        }
    }

    /// Whether a decision was interrupted: Z3 (4.8.12) then never decides anything in this context again.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted.get()
    }

    fn watchdog(&self) -> io::Result<&Watchdog> {
        if let Some(watchdog) = self.watchdog.get() {
            return Ok(watchdog);
        }
        let started = Watchdog::start()?;
        Ok(self.watchdog.get_or_init(|| started))
    }

    fn error(&self) -> Option<String> {
        // SAFETY: the message belongs to the context and is copied at once.
        unsafe {
            let code = Z3_get_error_code(self.raw);
            (code != ErrorCode::Ok)
                .then(|| CStr::from_ptr(Z3_get_error_msg(self.raw, code)).to_string_lossy().into_owned())
        }
    }

    fn symbol(&self, name: &str) -> Option<Z3_symbol> {
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
pub(super) struct Ast(Z3_ast);

/// The formulas of one query: everything built is kept until the query is done.
pub(super) struct Formulas<'c> {
    context: &'c Context,
    kept: Vec<Z3_ast>,
    named: c_int,
    /// The first mistake Z3 found in a formula.
    error: Option<String>,
}

impl<'c> Formulas<'c> {
    pub(super) fn new(context: &'c Context) -> Self {
        Formulas { context, kept: Vec::new(), named: 0, error: None }
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

impl Drop for Formulas<'_> {
    fn drop(&mut self) {
        for raw in &self.kept {
            // SAFETY: kept since it was made.
            unsafe { Z3_dec_ref(self.context.raw, *raw) };
        }
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

/// What Z3 says of a set of formulas.
pub(super) enum Verdict {
    /// Values of the variables asked for; `None` where any value will do.
    Sat(Vec<Option<u64>>),
    Unsat,
    /// The wall clock ended it, and the context with it.
    Interrupted,
    /// With Z3's reason.
    Unknown(String),
}

/// Limits of one decision. The resource limit is the same on every machine; the time limit is the last resort.
pub(super) struct Limits {
    pub(super) time: Duration,
    pub(super) resources: u32,
}

/// Asks whether all these formulas can be true, and for the values of these variables.
pub(super) fn decide(
    formulas: &Formulas,
    engine: Engine,
    clauses: &[Ast],
    variables: &[Ast],
    limits: Limits,
) -> Verdict {
    let context = formulas.context;
    if let Some(error) = &formulas.error {
        return Verdict::Unknown(error.clone());
    }
    let Some(solver) = OneSolver::new(context, engine, &limits) else {
        return Verdict::Unknown(context.error().unwrap_or_else(|| "Z3 makes no solver".into()));
    };
    let c = context.raw;
    for clause in clauses {
        // SAFETY: solver and clause are alive.
        unsafe { Z3_solver_assert(c, solver.raw, clause.0) };
        if let Some(error) = context.error() {
            return Verdict::Unknown(error);
        }
    }
    let found = match solver.check_within(limits.time) {
        Ok(found) => found,
        Err(error) => return Verdict::Unknown(format!("no thread to watch the clock: {error}")),
    };
    match found {
        _ if context.is_interrupted() => Verdict::Interrupted,
        Z3_L_TRUE => solver.model(variables),
        Z3_L_FALSE => Verdict::Unsat,
        _ => {
            // SAFETY: the solver is alive; the reason is copied at once.
            let reason = unsafe { CStr::from_ptr(Z3_solver_get_reason_unknown(c, solver.raw)) };
            Verdict::Unknown(reason.to_string_lossy().into_owned())
        }
    }
}

/// A solver for one decision.
struct OneSolver<'c> {
    context: &'c Context,
    raw: Z3_solver,
}

impl<'c> OneSolver<'c> {
    fn new(context: &'c Context, engine: Engine, limits: &Limits) -> Option<Self> {
        let c = context.raw;
        // SAFETY: plain creation in a live context; released in `drop`.
        let raw = unsafe {
            let raw = match engine {
                Engine::Smt => Z3_mk_simple_solver(c),
                Engine::BitVectors => Z3_mk_solver_for_logic(c, context.symbol("QF_BV")?),
                Engine::EquationsThenSmt | Engine::Sat => from_tactics(c, engine.steps()),
            }?;
            Z3_solver_inc_ref(c, raw);
            raw
        };
        let solver = OneSolver { context, raw };
        solver.limit(limits)?;
        Some(solver)
    }

    fn limit(&self, limits: &Limits) -> Option<()> {
        let c = self.context.raw;
        // Not "timeout": see `watchdog.rs`.
        let values = [("rlimit", limits.resources), ("random_seed", 1)];
        // SAFETY: parameters are set and released while the solver is alive.
        unsafe {
            let params = Z3_mk_params(c)?;
            Z3_params_inc_ref(c, params);
            for (name, value) in values {
                if let Some(name) = self.context.symbol(name) {
                    Z3_params_set_uint(c, params, name, value);
                }
            }
            Z3_solver_set_params(c, self.raw, params);
            Z3_params_dec_ref(c, params);
        }
        Some(())
    }

    /// Z3's decision, which does not count if the context is interrupted afterwards.
    fn check_within(&self, time: Duration) -> io::Result<Z3_lbool> {
        let (context, c) = (self.context, self.context.raw);
        let watchdog = context.watchdog()?;
        // A deadline that the clock cannot tell never comes.
        let deadline = Instant::now().checked_add(time);
        // SAFETY: context and solver are alive; the watch ends in this function.
        unsafe {
            let armed = deadline.map(|deadline| watchdog.arm(c, deadline));
            let found = Z3_solver_check(c, self.raw);
            if armed.is_some_and(|armed| armed.disarm()) {
                context.interrupted.set(true);
            }
            Ok(found)
        }
    }

    fn model(&self, variables: &[Ast]) -> Verdict {
        let c = self.context.raw;
        // SAFETY: the solver has just found a model; it is kept while values are read from it.
        unsafe {
            let Some(model) = Z3_solver_get_model(c, self.raw) else {
                return Verdict::Unknown(self.context.error().unwrap_or_else(|| "no model".into()));
            };
            Z3_model_inc_ref(c, model);
            let values = variables.iter().map(|variable| value_in(c, model, *variable)).collect();
            Z3_model_dec_ref(c, model);
            Verdict::Sat(values)
        }
    }
}

impl Drop for OneSolver<'_> {
    fn drop(&mut self) {
        // SAFETY: counted up in `new`.
        unsafe { Z3_solver_dec_ref(self.context.raw, self.raw) }
    }
}

/// The value of a variable in a model, if the model gives it one.
///
/// # Safety
/// Model and variable are alive in this context.
unsafe fn value_in(c: Z3_context, model: Z3_model, variable: Ast) -> Option<u64> {
    // Z3 writes a pointer or null here, which is what an optional handle is.
    let mut value: Option<Z3_ast> = None;
    let mut number = 0;
    // SAFETY: see above; the value is counted while it is read.
    unsafe {
        if !Z3_model_eval(c, model, variable.0, false, (&raw mut value).cast()) {
            return None;
        }
        let value = value?;
        Z3_inc_ref(c, value);
        let known = Z3_is_numeral_ast(c, value) && Z3_get_numeral_uint64(c, value, &mut number);
        Z3_dec_ref(c, value);
        known.then_some(number)
    }
}

/// A solver that takes these steps, at least one, one after the other.
///
/// # Safety
/// The context is alive.
unsafe fn from_tactics(c: Z3_context, steps: &[&CStr]) -> Option<Z3_solver> {
    // SAFETY: every tactic is counted while it is combined.
    unsafe {
        let counted = |tactic: Option<Z3_tactic>| tactic.inspect(|tactic| Z3_tactic_inc_ref(c, *tactic));
        let mut chain = counted(Z3_mk_tactic(c, steps[0].as_ptr()))?;
        for step in &steps[1..] {
            let next = counted(Z3_mk_tactic(c, step.as_ptr()))?;
            let longer = counted(Z3_tactic_and_then(c, chain, next))?;
            Z3_tactic_dec_ref(c, next);
            Z3_tactic_dec_ref(c, chain);
            chain = longer;
        }
        let solver = Z3_mk_solver_from_tactic(c, chain);
        Z3_tactic_dec_ref(c, chain);
        solver
    }
}
