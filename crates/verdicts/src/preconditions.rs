//! What the user requires of inputs: `--assume`, `tarka.toml`, `__builtin_assume`, and assertions at the unit's entry.
//!
//! Takes how each run ended; says whether a precondition ended it (such a run is neither a test nor a fault), which
//! branch it rules out, and, when no run at all met them, which preconditions contradict each other.
//!
//! Never: evaluating a precondition (the target does), solving.

use std::collections::{BTreeMap, BTreeSet};

use tarka_runner::End;
use tarka_settings::Assume;
use tarka_source::{EntryAssert, Place, SiteId};
use tarka_trace::{EventKind, TraceEvent};

/// The number with which the target names `__builtin_assume`.
const BUILTIN: u32 = u32::MAX;
/// The number with which the target says that a stub was to answer what its library function never does.
const LIBRARY: u32 = u32::MAX - 1;

/// The precondition that ended a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Refusal {
    /// By position in the settings.
    Assume(u32),
    /// An assertion at the unit's entry, by position.
    Assertion(usize),
    /// `__builtin_assume` somewhere in the code.
    Builtin,
    /// What the C library promises: nobody can drop it.
    Library,
    /// An expression of the settings could not even be evaluated (it follows a null pointer, say).
    Unevaluated,
}

/// The preconditions of a unit and what became of them.
pub struct Preconditions<'a> {
    unit: &'a str,
    assumes: &'a [Assume],
    assertions: &'a [EntryAssert],
    ended: BTreeSet<Refusal>,
    /// Runs that met all of them.
    counted: u64,
    /// Goals that runs reached which a precondition ended.
    reached: BTreeMap<u32, Refusal>,
}

impl<'a> Preconditions<'a> {
    /// Before any run.
    pub fn new(unit: &'a str, assumes: &'a [Assume], assertions: &'a [EntryAssert]) -> Preconditions<'a> {
        let (ended, reached) = (BTreeSet::new(), BTreeMap::new());
        Preconditions { unit, assumes, assertions, ended, counted: 0, reached }
    }

    /// The precondition that ended a run, if one did. `stack` are the frames of the user's code, innermost first.
    pub fn refusal(&self, end: End, stack: &[(String, Place)], events: &[TraceEvent]) -> Option<Refusal> {
        match end {
            End::Assumption(BUILTIN) => Some(Refusal::Builtin),
            End::Assumption(LIBRARY) => Some(Refusal::Library),
            End::Assumption(number) => Some(Refusal::Assume(number)),
            End::Fault(tarka_trace::FaultKind::Assertion) => {
                // In a recursive call the unit itself is to blame: only its outermost frame may stand there.
                let [(function, place)] = stack else { return None };
                let last = events.iter().rfind(|event| event.kind == EventKind::Condition as u16);
                let is_last = |assertion: &EntryAssert| {
                    last.is_some_and(|event| assertion.sites.contains(&SiteId(event.site)))
                };
                // Several may share a line, and one may have no condition at all.
                let found = self.assertions.iter().position(is_last);
                let on_line = |assertion: &EntryAssert| assertion.place.line == place.line;
                let found = found.or_else(|| self.assertions.iter().position(on_line));
                let found = found.filter(|_| function == self.unit);
                found.map(Refusal::Assertion)
            }
            // The driver has no frames: a fault without any happened in a precondition.
            End::Signal { .. } | End::Fault(_) if stack.is_empty() && !self.assumes.is_empty() => {
                Some(Refusal::Unevaluated)
            }
            _ => None,
        }
    }

    /// Takes a run that met every precondition.
    pub fn met(&mut self) {
        self.counted += 1;
    }

    /// True if some run met every precondition.
    pub fn any_met(&self) -> bool {
        self.counted > 0
    }

    /// Takes a run that a precondition ended, with the goals it reached. Gives the branch that can never be part of a
    /// run that counts, where that is certain.
    pub fn refused(
        &mut self,
        refusal: Refusal,
        goals: &[u32],
        events: &[TraceEvent],
    ) -> Option<(SiteId, u32)> {
        if refusal == Refusal::Library {
            return None;
        }
        self.ended.insert(refusal);
        for &goal in goals {
            self.reached.entry(goal).or_insert(refusal);
        }
        let Refusal::Assertion(index) = refusal else { return None };
        let assertion = &self.assertions[index];
        let last = events.iter().rfind(|event| event.kind == EventKind::Condition as u16)?;
        let site = SiteId(last.site);
        let certain = assertion.sites.contains(&site) && is_conjunction(assertion);
        certain.then_some((site, last.outcome.into()))
    }

    /// Why a goal that nobody covered is ruled out: runs reached it, but a precondition ended all of them. Also says
    /// what to change.
    pub(crate) fn rules_out(&self, goal: u32) -> Option<(String, String)> {
        let refusal = self.describe(*self.reached.get(&goal)?);
        let advice = format!("drop the precondition {refusal}, if such inputs are to be tested");
        Some((format!("excluded by the precondition {refusal}"), advice))
    }

    /// The preconditions that ended runs, for a proof that only holds within them.
    pub(crate) fn that_mattered(&self) -> Option<String> {
        let named: Vec<String> = self.ended.iter().map(|&refusal| self.describe(refusal)).collect();
        (!named.is_empty()).then(|| named.join(", "))
    }

    fn describe(&self, refusal: Refusal) -> String {
        match refusal {
            Refusal::Assume(number) => match self.assumes.get(number as usize) {
                Some(assume) => format!("`{}` ({})", assume.expression, assume.origin),
                None => format!("number {number}"),
            },
            Refusal::Assertion(index) => {
                let assertion = &self.assertions[index];
                format!("`assert({})` ({})", assertion.text, assertion.place)
            }
            Refusal::Library => "what the C library promises".to_string(),
            Refusal::Builtin => "`__builtin_assume` in the code".to_string(),
            Refusal::Unevaluated => {
                let first = self.assumes.first().map(|assume| assume.expression.as_str()).unwrap_or_default();
                format!(
                    "`{first}`, which cannot be evaluated on some inputs (does it follow a null pointer?)"
                )
            }
        }
    }

    /// Why no run of the unit counts; `None` if one does. `open` says why that is not certain to stay so.
    pub fn contradiction(&self, open: Option<&str>) -> Option<String> {
        if self.any_met() || self.ended.is_empty() {
            return None;
        }
        let named: Vec<String> = self.ended.iter().map(|&refusal| self.describe(refusal)).collect();
        let (unit, list) = (self.unit, named.join(", "));
        let plural = if named.len() == 1 { "" } else { "s" };
        Some(match (open, named.len()) {
            (Some(reason), _) => format!(
                "no input was found that meets the precondition{plural} of `{unit}`: {list}; {reason}"
            ),
            (None, 1) => {
                format!("the precondition of `{unit}` can never hold: {list}; change or drop it")
            }
            (None, _) => format!(
                "the preconditions of `{unit}` contradict each other: {list}; change or drop one of them"
            ),
        })
    }
}

/// True if the assertion fails as soon as one of its conditions goes the way it went when it failed. A cautious look at
/// the text: an alternative or a negated group could save it.
fn is_conjunction(assertion: &EntryAssert) -> bool {
    let text: String = assertion.text.split_whitespace().collect();
    assertion.sites.len() == 1 || !["||", "?", "!("].iter().any(|other| text.contains(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarka_settings::Origin;
    use tarka_trace::FaultKind;

    fn assume(expression: &str) -> Assume {
        Assume { expression: expression.to_string(), origin: Origin::CommandLine }
    }

    fn place(line: u32) -> Place {
        Place { file: "unit.c".to_string(), line, column: 5 }
    }

    fn condition(site: u32, outcome: u16) -> TraceEvent {
        TraceEvent { site, kind: EventKind::Condition as u16, outcome, label: 0, aux: 0 }
    }

    #[test]
    fn contradictory_preconditions_are_named_and_one_run_that_meets_them_clears_them() {
        let assumes = [assume("n > 5"), assume("m"), assume("n < 3")];
        let mut known = Preconditions::new("f", &assumes, &[]);
        assert_eq!(known.contradiction(None), None);
        known.refused(Refusal::Assume(2), &[], &[]);
        assert_eq!(
            known.contradiction(None).unwrap(),
            "the precondition of `f` can never hold: `n < 3` (--assume); change or drop it"
        );
        known.refused(Refusal::Assume(0), &[], &[]);
        assert_eq!(
            known.contradiction(None).unwrap(),
            "the preconditions of `f` contradict each other: `n > 5` (--assume), `n < 3` (--assume); change or drop \
             one of them"
        );
        assert_eq!(
            known.contradiction(Some("the solver gave up")).unwrap(),
            "no input was found that meets the preconditions of `f`: `n > 5` (--assume), `n < 3` (--assume); the \
             solver gave up"
        );
        known.met();
        assert_eq!(known.contradiction(None), None);
    }

    #[test]
    fn an_assertion_at_the_entry_is_a_precondition_of_the_outermost_call_only() {
        let sites = vec![SiteId(3)];
        let assertions = [EntryAssert { place: place(7), text: "n > 0".to_string(), sites }];
        let mut known = Preconditions::new("f", &[], &assertions);
        let failed = End::Fault(FaultKind::Assertion);
        let frame = |line| ("f".to_string(), place(line));
        assert_eq!(known.refusal(failed, &[frame(7)], &[]), Some(Refusal::Assertion(0)));
        assert_eq!(known.refusal(failed, &[frame(8)], &[condition(3, 0)]), Some(Refusal::Assertion(0)));
        assert_eq!(known.refusal(failed, &[frame(9)], &[condition(4, 0)]), None);
        assert_eq!(known.refusal(failed, &[frame(7), frame(12)], &[]), None);
        assert_eq!(known.refused(Refusal::Assertion(0), &[6], &[condition(3, 0)]), Some((SiteId(3), 0)));
        let (reason, advice) = known.rules_out(6).unwrap();
        assert_eq!(reason, "excluded by the precondition `assert(n > 0)` (unit.c:7:5)");
        assert!(advice.starts_with("drop the precondition `assert(n > 0)`"), "{advice}");
        assert_eq!(known.rules_out(7), None);
        assert_eq!(known.that_mattered().unwrap(), "`assert(n > 0)` (unit.c:7:5)");
    }

    #[test]
    fn what_the_library_never_answers_is_no_precondition_of_the_user() {
        let mut known = Preconditions::new("f", &[], &[]);
        assert_eq!(known.refusal(End::Assumption(LIBRARY), &[], &[]), Some(Refusal::Library));
        assert_eq!(known.refused(Refusal::Library, &[6], &[]), None);
        assert_eq!(
            (known.that_mattered(), known.rules_out(6), known.contradiction(None)),
            (None, None, None)
        );
    }

    #[test]
    fn an_alternative_rules_nothing_out_for_certain() {
        let sites = vec![SiteId(3), SiteId(4)];
        let assertions = [EntryAssert { place: place(7), text: "a || b".to_string(), sites }];
        let mut known = Preconditions::new("f", &[], &assertions);
        assert_eq!(known.refused(Refusal::Assertion(0), &[], &[condition(4, 0)]), None);
    }
}
