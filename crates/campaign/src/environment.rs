//! Conditions that something else than the inputs may decide: file-scope variables, which keep their initial values, and
//! library functions.
//!
//! Takes every run's events and coverage; gives a condition that was reached, always went one way, and never depended
//! on an input. While there is one in a program with such variables or calls, an exhausted path tree proves nothing.

use tarka_instrument::{Build, SiteInfo, SiteInfoKind};
use tarka_source::{FunctionId, SourceModel};
use tarka_trace::Event;

/// What is known about the sites of all functions, over all runs.
pub(crate) struct Environment {
    /// By site: some decision there depended on an input.
    symbolic: Vec<bool>,
    /// By coverage index: seen.
    seen: Vec<bool>,
}

impl Environment {
    pub(crate) fn new(model: &SourceModel, build: &Build) -> Environment {
        Environment {
            symbolic: vec![false; model.sites.len()],
            seen: vec![false; build.coverage_len as usize],
        }
    }

    pub(crate) fn absorb(&mut self, events: &[Event], coverage: &[u8]) {
        for event in events.iter().filter(|event| event.label != 0) {
            if let Some(symbolic) = self.symbolic.get_mut(event.site as usize) {
                *symbolic = true;
            }
        }
        for (seen, &byte) in self.seen.iter_mut().zip(coverage) {
            *seen |= byte != 0;
        }
    }

    /// A condition that the environment may have decided, in words; those of the unit itself first.
    pub(crate) fn decided(&self, model: &SourceModel, build: &Build, unit: FunctionId) -> Option<String> {
        let has_variables = model.globals.iter().any(|global| !global.is_const);
        let is_call = |site: &SiteInfo| {
            let outside = site.what.starts_with("call to ") || site.what == "inline assembly";
            site.kind == SiteInfoKind::Concretising && outside
        };
        if !has_variables && !build.sites.iter().any(is_call) {
            return None;
        }
        let mut first = 0;
        let mut decided: Option<(bool, String)> = None;
        for site in &model.sites {
            let outcomes = &self.seen[first..first + site.outcomes() as usize];
            first += site.outcomes() as usize;
            let one_sided = outcomes.len() > 1 && outcomes.iter().filter(|&&seen| seen).count() == 1;
            if !one_sided || self.symbolic[site.id.0 as usize] {
                continue;
            }
            let own = site.function == unit;
            if decided.as_ref().is_none_or(|(known_own, _)| own && !known_own) {
                decided = Some((own, format!("`{}` at {}", site.text, site.place)));
            }
        }
        decided.map(|(_, text)| text)
    }
}
