//! Z3 in process, the back end Tarka uses.
//!
//! Takes clauses; gives Z3's verdict, with values of the input bytes that matter. One context is kept until the clock or
//! the memory limit ends a question in it; each question has formulas and a solver of its own, so that its answer does not
//! depend on what was asked before. Limits are deterministic first (size, Z3's resource counter), processor time and memory second.
//!
//! Which of Z3's solvers is used was measured: see [`Engine`] and `docs/design/009-solver.md`.

mod context;
mod decide;
mod float;
#[cfg(test)]
mod tests;
mod translate;
mod watchdog;

pub use decide::Engine;

use crate::smt::{self, Backend, Limits, Verdict, Work};
use crate::{Deadline, Reason, Solver};
use context::{Ast, Formulas};
use decide::{Decision, Share, decide};
use std::time::Duration;
use tarka_terms::{Term, Terms};
use translate::Translation;
use watchdog::Cause;

/// Z3's resource units a millisecond of the time limit is worth. On a machine with a core to spare Z3 spends three to five
/// times as many in a millisecond, so the deterministic limit is the one that ends a query, also under load.
const RESOURCES_PER_MILLISECOND: u64 = 1_000;

/// Products of bit widths that the SMT core may be given for each millisecond of the time limit: it takes 50 of them in a
/// millisecond and looks at no limit meanwhile. See [`Work`].
const SQUARES_PER_MILLISECOND: u64 = 10;

/// The same for any engine: with more than this the time would not be enough for the gates alone, and while Z3 makes those
/// it heeds an interrupt late.
const MOST_SQUARES_PER_MILLISECOND: u64 = 1_000;

/// Z3 heeds an interrupt some time after it comes, and what was built takes time to be let go of; so both translation and
/// decision end when so many percent of what is left of the time are over.
const INTERRUPTED_AFTER: u32 = 50;

/// The back end.
pub struct Z3 {
    /// Made when it is needed.
    formulas: Option<Formulas>,
    /// Engines that are asked one after the other, each with its share of the limits in percent.
    engines: Vec<(Engine, u32)>,
    resources_per_millisecond: u64,
}

impl Default for Z3 {
    fn default() -> Self {
        Z3::new()
    }
}

impl Z3 {
    /// The engine that is best on small queries first, and with what is left of the limits the one that is best on hard
    /// ones.
    pub fn new() -> Self {
        Z3::with_engines(vec![(Engine::EquationsThenSmt, 30), (Engine::Sat, 70)])
    }

    /// With these engines, each with its share of the limits in percent.
    pub fn with_engines(engines: Vec<(Engine, u32)>) -> Self {
        Z3 { formulas: None, engines, resources_per_millisecond: RESOURCES_PER_MILLISECOND }
    }

    /// Asks the engines that are left, until one knows or the context is interrupted.
    fn decide_in(
        &self,
        formulas: &mut Formulas,
        asked: (&Terms, &[Term]),
        limits: &Limits,
        engines: &mut impl Iterator<Item = (Engine, u32)>,
    ) -> Verdict {
        let (terms, clauses) = asked;
        let mut translation = Translation::new(terms, formulas, early(limits.deadline, Duration::MAX));
        let too_much = clauses.iter().find_map(|clause| translation.add_clause(*clause).err());
        let verdict = match too_much {
            Some(reason) => Verdict::Unknown(reason),
            None => self.ask_engines(&translation, clauses, limits, engines),
        };
        formulas.clear();
        verdict
    }

    fn ask_engines(
        &self,
        translation: &Translation,
        clauses: &[Term],
        limits: &Limits,
        engines: &mut impl Iterator<Item = (Engine, u32)>,
    ) -> Verdict {
        let milliseconds = limits.time.as_millis() as u64;
        let most = milliseconds.saturating_mul(MOST_SQUARES_PER_MILLISECOND);
        let squares = Work::of(translation.terms, clauses, most).squares;
        // What took half of its time to be translated is too large to be decided in the other half.
        let is_late = limits.deadline.left() < limits.time / 2;
        if squares > most || is_late {
            return Verdict::Unknown(Reason::TimeLimit);
        }
        let is_small = squares <= milliseconds.saturating_mul(SQUARES_PER_MILLISECOND);
        let inputs = translation.inputs(clauses);
        let (inputs, variables): (Vec<u32>, Vec<Ast>) = inputs.into_iter().unzip();
        let mut decision = Decision::Unknown("more arithmetic than the engine is given".into());
        let mut left_over = 0;
        for (engine, percent) in engines {
            // Floats mean hard arithmetic: there is no use in a first try.
            if !is_small && !engine.heeds_limits()
                || translation.has_floats && engine == Engine::EquationsThenSmt
            {
                left_over += percent;
                continue;
            }
            let share = self.share(limits, percent + std::mem::take(&mut left_over));
            decision = decide(translation.formulas, engine, &translation.clauses, &variables, share);
            if !matches!(decision, Decision::Unknown(_)) {
                break;
            }
        }
        match decision {
            Decision::Unsat => Verdict::Unsat,
            Decision::Interrupted(Cause::Clock) => Verdict::Unknown(Reason::TimeLimit),
            Decision::Interrupted(Cause::Memory) => Verdict::Unknown(Reason::MemoryLimit),
            Decision::Unknown(reason) => Verdict::Unknown(reason_of(reason)),
            Decision::Sat(values) => {
                let known = inputs.into_iter().zip(values);
                let bytes = known.filter_map(|(input, value)| Some((input, value? as u8))).collect();
                Verdict::Sat { bytes, approximated: translation.approximated.map(str::to_string) }
            }
        }
    }

    /// A share of a question's limits.
    fn share(&self, limits: &Limits, percent: u32) -> Share {
        let time = limits.time * percent / 100;
        let resources = (time.as_micros() as u64).saturating_mul(self.resources_per_millisecond) / 1_000;
        let deadline = early(limits.deadline, time);
        Share { deadline, memory: limits.memory, resources: resources.clamp(1, u32::MAX.into()) as u32 }
    }
}

/// When to interrupt what may take this long, and no longer than to the deadline.
fn early(deadline: Deadline, time: Duration) -> Deadline {
    deadline.part(INTERRUPTED_AFTER, time)
}

impl Backend for Z3 {
    fn name(&self) -> &str {
        "z3"
    }

    fn decide(&mut self, terms: &Terms, clauses: &[Term], limits: &Limits) -> Verdict {
        let mut engines = self.engines.clone().into_iter();
        loop {
            let mut formulas = self.formulas.take().unwrap_or_else(Formulas::new);
            let verdict = self.decide_in(&mut formulas, (terms, clauses), limits, &mut engines);
            if formulas.context().interrupted().is_none() {
                self.formulas = Some(formulas);
                return verdict;
            }
            // A context that was interrupted decides nothing any more. The engines that are left get their share of the
            // limits in a new one, unless there is nothing left to get.
            if engines.len() == 0 || limits.deadline.is_over() {
                return verdict;
            }
        }
    }
}

/// Nothing but Z3 as the chain asks it.
pub fn standard() -> impl Solver + Send {
    smt::only(Z3::new())
}

/// Nothing but Z3 with these engines, each with its share of the limits in percent.
pub fn only(engines: Vec<(Engine, u32)>) -> impl Solver + Send {
    smt::only(Z3::with_engines(engines))
}

/// Z3 says in words why it gave up.
fn reason_of(text: String) -> Reason {
    let limits =
        ["timeout", "canceled", "max. resource limit exceeded", "resource limits reached", "interrupted"];
    if limits.iter().any(|limit| text.contains(limit)) { Reason::TimeLimit } else { Reason::Incomplete(text) }
}
