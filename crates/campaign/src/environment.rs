//! Conditions that something else than the inputs may decide: library functions, variables that are no inputs (too large
//! to be one, or static in a function) and what other files define.
//!
//! Takes every run's events and coverage; gives a condition that was reached, always went one way, and never depended
//! on an input. While there is one in a unit that uses such variables or calls, an exhausted path tree proves nothing.

use std::collections::BTreeSet;

use tarka_instrument::{Build, RootRole, SiteInfo, SiteInfoKind, UnitLayout};
use tarka_source::{FunctionId, SourceModel, Stub, TypeKind};
use tarka_trace::Event;

/// What is known about the sites of all functions, over all runs.
pub(crate) struct Environment {
    /// By site: some decision there depended on an input.
    symbolic: Vec<bool>,
    /// By coverage index: seen.
    seen: Vec<bool>,
    /// What the unit uses that is no input.
    outside: Outside,
}

/// What a unit and its callees use that no input decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outside {
    /// Variables that keep their initial value because they are too large for an input.
    pub variables: Vec<String>,
    /// Some function keeps state in static variables of its own.
    pub state: bool,
    /// The library, or assembly, may decide.
    pub calls: bool,
    /// A stub is given memory that it does not fill, because nothing says how much there is.
    pub unfilled: bool,
}

impl Outside {
    fn new(model: &SourceModel, build: &Build, unit: &UnitLayout) -> Outside {
        let is_root = |name: &str| {
            unit.roots.iter().any(|root| matches!(&root.role, RootRole::Global(global) if global == name))
        };
        let reachable = model.reachable_functions(unit.function);
        // Functions behind pointers may be reached, too, and so may all code that is not the file's own.
        let is_unreached = |name: &str| {
            let known = model.function_named(name);
            known.is_some_and(|(id, function)| !function.address_taken && !reachable.contains(&id))
        };
        let is_call = |site: &SiteInfo| {
            let outside = site.what.starts_with("call to ") || site.what == "inline assembly";
            site.kind == SiteInfoKind::Concretising && outside && !is_unreached(&site.function)
        };
        let mut variables = BTreeSet::new();
        let mut state = false;
        for &function in &reachable {
            let uses = &model.function(function).uses;
            state |= !uses.static_locals.is_empty();
            let own = uses.globals.iter().map(|&index| &model.globals[index as usize]);
            let declared =
                uses.declared_variables.iter().map(|&index| &model.declared_variables[index as usize]);
            let decided = own.filter(|global| !global.is_const).chain(declared);
            variables.extend(decided.map(|global| &global.name).filter(|name| !is_root(name)).cloned());
        }
        Outside {
            variables: variables.into_iter().collect(),
            state,
            calls: build.sites.iter().any(is_call),
            unfilled: build.stubs.iter().any(|stub| leaves_memory(model, stub)),
        }
    }
}

/// True if a stub gets a pointer to memory that it could write and does not.
fn leaves_memory(model: &SourceModel, stub: &Stub) -> bool {
    let types = &model.types;
    stub.params.iter().enumerate().any(|(position, param)| match types.get(param.ty).kind {
        TypeKind::Pointer { to, to_const: false } => {
            let is_memory = !matches!(types.get(to).kind, TypeKind::Function { .. } | TypeKind::Incomplete);
            is_memory && !stub.outs.iter().any(|out| out.position as usize == position)
        }
        _ => false,
    })
}

impl Environment {
    pub(crate) fn new(model: &SourceModel, build: &Build, unit: &UnitLayout) -> Environment {
        Environment {
            symbolic: vec![false; model.sites.len()],
            seen: vec![false; build.coverage_len as usize],
            outside: Outside::new(model, build, unit),
        }
    }

    /// What the unit uses that is no input.
    pub(crate) fn outside(&self) -> &Outside {
        &self.outside
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
    pub(crate) fn decided(&self, model: &SourceModel, unit: FunctionId) -> Option<String> {
        if self.outside == Outside::default() {
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
