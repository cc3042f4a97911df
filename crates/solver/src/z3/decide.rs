//! One decision: a solver of one of Z3's kinds, asked once, within limits.
//!
//! Takes formulas and limits; gives a [`Decision`]. Each decision has a solver of its own: see
//! `docs/design/009-solver.md` for what keeping one would bring.

use super::context::{Ast, Context, Formulas};
use super::watchdog::Cause;
use crate::Deadline;
use std::ffi::CStr;
use z3_sys::*;

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
    /// Whether it looks at its limits while it turns arithmetic into gates.
    pub(super) fn heeds_limits(self) -> bool {
        matches!(self, Engine::Sat)
    }

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

/// What Z3 says of a set of formulas.
pub(super) enum Decision {
    /// Values of the variables asked for; `None` where any value will do.
    Sat(Vec<Option<u64>>),
    Unsat,
    /// The clock or the memory limit ended it, and the context with it.
    Interrupted(Cause),
    /// With Z3's reason.
    Unknown(String),
}

/// Limits of one decision. The resource limit is the same on every machine; the others are the last resort.
pub(super) struct Share {
    pub(super) deadline: Deadline,
    pub(super) memory: u64,
    pub(super) resources: u32,
}

/// Asks whether all these formulas can be true, and for the values of these variables.
pub(super) fn decide(
    formulas: &Formulas,
    engine: Engine,
    clauses: &[Ast],
    variables: &[Ast],
    limits: Share,
) -> Decision {
    let context = formulas.context();
    if let Some(error) = &formulas.error {
        return Decision::Unknown(error.clone());
    }
    let Some(solver) = OneSolver::new(context, engine, &limits) else {
        return Decision::Unknown(context.error().unwrap_or_else(|| "Z3 makes no solver".into()));
    };
    let c = context.raw;
    for clause in clauses {
        // SAFETY: solver and clause are alive.
        unsafe { Z3_solver_assert(c, solver.raw, clause.0) };
        if let Some(error) = context.error() {
            return Decision::Unknown(error);
        }
    }
    let decision = context.watched(limits.deadline, limits.memory, || solver.check(variables));
    match (context.interrupted(), decision) {
        (_, Err(error)) => Decision::Unknown(format!("no thread to watch the clock: {error}")),
        (Some(cause), _) => Decision::Interrupted(cause),
        (None, Ok(decision)) => decision,
    }
}

/// A solver for one decision.
struct OneSolver<'c> {
    context: &'c Context,
    raw: Z3_solver,
}

impl<'c> OneSolver<'c> {
    fn new(context: &'c Context, engine: Engine, limits: &Share) -> Option<Self> {
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

    fn limit(&self, limits: &Share) -> Option<()> {
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

    /// Z3's decision with the values of these variables.
    fn check(&self, variables: &[Ast]) -> Decision {
        let c = self.context.raw;
        // SAFETY: context and solver are alive; the reason is copied at once.
        match unsafe { Z3_solver_check(c, self.raw) } {
            Z3_L_TRUE => self.model(variables),
            Z3_L_FALSE => Decision::Unsat,
            _ => unsafe {
                let reason = CStr::from_ptr(Z3_solver_get_reason_unknown(c, self.raw));
                Decision::Unknown(reason.to_string_lossy().into_owned())
            },
        }
    }

    fn model(&self, variables: &[Ast]) -> Decision {
        let c = self.context.raw;
        // SAFETY: the solver has just found a model; it is kept while values are read from it.
        unsafe {
            let Some(model) = Z3_solver_get_model(c, self.raw) else {
                return Decision::Unknown(self.context.error().unwrap_or_else(|| "no model".into()));
            };
            Z3_model_inc_ref(c, model);
            let values = variables.iter().map(|variable| value_in(c, model, *variable)).collect();
            Z3_model_dec_ref(c, model);
            Decision::Sat(values)
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
