//! The last layer: Z3 decides.
//!
//! Takes a sliced and simplified query; gives Z3's answer, with a model of the input bytes whose value matters. One
//! context is kept until the wall clock ends a query in it; each query has a solver of its own, because queries share little and a fresh solver makes answers
//! independent of what was asked before. Limits are deterministic first (Z3's resource counter), wall-clock second.
//!
//! Which of Z3's solvers is used was measured: see [`Engine`] and `examples/query_speed.rs`.

mod context;
mod float;
#[cfg(test)]
mod tests;
mod translate;
mod watchdog;

pub use context::Engine;

use crate::chain::Chain;
use crate::layer::{Layer, Question};
use crate::{Answer, Model, Reason, Solver};
use context::{Context, Formulas, Limits, Verdict, decide};
use tarka_terms::{Evaluator, Terms};
use translate::Translation;

/// Z3's resource units a millisecond of the time limit is worth. On a machine with a core to spare Z3 spends three to five
/// times as many in a millisecond, so the deterministic limit is the one that ends a query, also under load.
const RESOURCES_PER_MILLISECOND: u64 = 1_000;

/// The deciding layer.
pub(crate) struct Z3 {
    /// Made when it is needed.
    context: Option<Context>,
    /// Engines that are asked one after the other, each with its share of the limits in percent.
    engines: Vec<(Engine, u32)>,
    resources_per_millisecond: u64,
    evaluator: Evaluator,
}

impl Z3 {
    /// The engine that is best on small queries first, and with what is left of the limits the one that is best on hard
    /// ones.
    pub(crate) fn new() -> Self {
        Z3::with_engines(vec![(Engine::EquationsThenSmt, 30), (Engine::Sat, 70)])
    }

    /// With these engines, each with its share of the limits in percent.
    fn with_engines(engines: Vec<(Engine, u32)>) -> Self {
        let resources_per_millisecond = RESOURCES_PER_MILLISECOND;
        Z3 { context: None, engines, resources_per_millisecond, evaluator: Evaluator::new() }
    }
}

impl Z3 {
    /// Asks the engines that are left, until one knows or the context is interrupted.
    fn solve_in(
        &mut self,
        context: &Context,
        terms: &Terms,
        question: &Question,
        engines: &mut impl Iterator<Item = (Engine, u32)>,
    ) -> Answer {
        let mut translation = Translation::new(terms, Formulas::new(context));
        let clauses = question.clauses();
        for clause in clauses.clone() {
            if let Err(size) = translation.add_clause(clause) {
                return Answer::Unknown(Reason::TooLarge(size));
            }
        }
        let (inputs, variables): (Vec<u32>, Vec<_>) = translation.inputs.iter().copied().unzip();
        let mut verdict = Verdict::Unknown("no engine".into());
        for (engine, percent) in engines {
            // Floats mean hard arithmetic: there is no use in a first try.
            if translation.has_floats && engine == Engine::EquationsThenSmt {
                continue;
            }
            let limits = self.limits(question, percent);
            verdict = decide(&translation.formulas, engine, &translation.clauses, &variables, limits);
            if !matches!(verdict, Verdict::Unknown(_)) {
                break;
            }
        }
        match verdict {
            Verdict::Unsat => Answer::Unsat,
            Verdict::Interrupted => Answer::Unknown(Reason::TimeLimit),
            Verdict::Unknown(reason) => Answer::Unknown(reason_of(reason)),
            Verdict::Sat(values) => {
                let known = inputs.into_iter().zip(values);
                let mut bytes: Vec<(u32, u8)> =
                    known.filter_map(|(input, value)| Some((input, value? as u8))).collect();
                bytes.sort_unstable();
                let model = Model { bytes };
                match translation.approximated {
                    Some(what)
                        if self
                            .evaluator
                            .first_false(terms, clauses, &model.over(question.current))
                            .is_some() =>
                    {
                        Answer::Unknown(Reason::Incomplete(format!("{what} has no exact translation")))
                    }
                    _ => Answer::Sat(model),
                }
            }
        }
    }

    /// A share of a query's limits.
    fn limits(&self, question: &Question, percent: u32) -> Limits {
        let time = question.time_limit * percent / 100;
        let resources = (time.as_micros() as u64).saturating_mul(self.resources_per_millisecond) / 1_000;
        Limits { time, resources: resources.clamp(1, u32::MAX.into()) as u32 }
    }
}

impl Layer for Z3 {
    fn name(&self) -> &'static str {
        crate::SMT
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        let mut engines = self.engines.clone().into_iter();
        loop {
            let context = self.context.take().unwrap_or_else(Context::new);
            let answer = self.solve_in(&context, terms, question, &mut engines);
            if !context.is_interrupted() {
                self.context = Some(context);
                return Some(answer);
            }
            // The engines that are left get their share of the limits in a new context.
            if engines.len() == 0 {
                return Some(answer);
            }
        }
    }
}

/// Nothing but Z3 as the chain asks it.
pub fn standard() -> impl Solver + Send {
    Chain::new(vec![Box::new(Z3::new())])
}

/// Nothing but Z3 with these engines, each with its share of the limits in percent.
pub fn only(engines: Vec<(Engine, u32)>) -> impl Solver + Send {
    Chain::new(vec![Box::new(Z3::with_engines(engines))])
}

/// Z3 says in words why it gave up.
fn reason_of(text: String) -> Reason {
    let limits =
        ["timeout", "canceled", "max. resource limit exceeded", "resource limits reached", "interrupted"];
    if limits.iter().any(|limit| text.contains(limit)) { Reason::TimeLimit } else { Reason::Incomplete(text) }
}
