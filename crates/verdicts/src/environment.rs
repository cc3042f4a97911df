//! Conditions that something else than the inputs may decide: library functions, variables that are no inputs (too large
//! to be one, or static in a function) and what other files define.
//!
//! Takes every run's events and coverage; gives a condition that was reached, always went one way, and never depended
//! on an input. While there is one in a unit that uses such variables or calls, an exhausted path tree proves nothing.

use std::collections::BTreeSet;

use tarka_instrument::{Build, SiteInfo, SiteInfoKind, UnitLayout, symbol_of_stub};
use tarka_library::Results;
use tarka_scenario::Role;
use tarka_source::{FunctionId, Place, SiteId, SourceModel, Stub, TypeId, TypeKind};
use tarka_trace::TraceEvent;

use crate::since::Since;

/// What is known about the sites of all functions, over all runs.
pub struct Environment {
    /// By site: some decision there depended on an input.
    symbolic: Vec<bool>,
    /// By coverage index: seen.
    seen: Vec<bool>,
    /// What the unit uses that is no input.
    outside: Outside,
}

/// What a unit and its callees use that no input decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// Variables that keep their initial value because they are too large for an input.
    pub variables: Vec<String>,
    /// Variables of other files that keep their initial value because the unit's file cannot name them.
    pub hidden: Vec<String>,
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
            unit.roots.iter().any(|root| matches!(&root.role, Role::Global(global) if global == name))
        };
        let reachable = model.reachable_functions(unit.function);
        let hidden = model.hidden_variables(unit.function).into_iter();
        let hidden = hidden.map(|global| format!("`{}` of {}", global.name, global.place.file));
        let mut variables = BTreeSet::new();
        let mut state = false;
        for &function in &reachable {
            let uses = &model.function(function).uses;
            state |= !uses.static_locals.is_empty();
            let own = uses.globals.iter().map(|&index| &model.globals[index as usize]);
            let declared =
                uses.declared_variables.iter().map(|&index| &model.declared_variables[index as usize]);
            let decided = own.filter(|global| !global.is_fixed && global.is_named).chain(declared);
            variables.extend(decided.map(|global| &global.name).filter(|name| !is_root(name)).cloned());
        }
        let reachable = may_run(model, build, unit.function);
        Outside {
            variables: variables.into_iter().collect(),
            hidden: hidden.collect(),
            state,
            calls: build.sites.iter().any(|site| is_call(model, build, &reachable, site)),
            unfilled: build.stubs.iter().any(|stub| leaves_memory(model, stub)),
        }
    }
}

/// The functions that may run while a unit does: what it mentions, what it may call through pointers by their type, and
/// everything with an address where something outside the program is given pointers to functions.
pub fn may_run(model: &SourceModel, build: &Build, unit: FunctionId) -> Vec<FunctionId> {
    let mut found = model.reachable_functions(unit);
    let mut next = 0;
    while let Some(&function) = found.get(next) {
        next += 1;
        let called = build.icfg.calls.get(function.0 as usize).into_iter().flatten();
        let given = model.function(function).uses.declared_functions.iter();
        let calls_back = given.clone().any(|&index| {
            let params = &model.declared_functions[index as usize].params;
            params.iter().any(|param| is_function_pointer(model, param.ty))
        });
        let ids = (0..model.functions.len() as u32).map(FunctionId);
        let with_address = ids.filter(|id| calls_back && model.function(*id).address_taken);
        for more in called.copied().chain(with_address).flat_map(|id| model.reachable_functions(id)) {
            if !found.contains(&more) {
                found.push(more);
            }
        }
    }
    found
}

fn is_function_pointer(model: &SourceModel, ty: TypeId) -> bool {
    let pointee = model.types.pointee(ty);
    pointee.is_some_and(|to| matches!(model.types.get(to).kind, TypeKind::Function { .. }))
}

/// True if a site is a call of something outside the program that one of these functions may make. All code that is
/// neither the file's own nor a library model may be reached.
pub fn is_call(model: &SourceModel, build: &Build, reachable: &[FunctionId], site: &SiteInfo) -> bool {
    let is_outside = site.what.starts_with("call to ") || site.what == "inline assembly";
    let is_reached = |name: &str| {
        let known = model.function_named(name);
        known.is_none_or(|(id, _)| reachable.contains(&id))
    };
    let may_be_made = match calls_of_model(build, site) {
        // Models only ever set `errno`.
        Some(_) if site.what == ERRNO => false,
        Some(calls) => calls.iter().any(|(function, _)| is_reached(function)),
        None => is_reached(&site.function),
    };
    site.kind == SiteInfoKind::Concretising && is_outside && may_be_made
}

/// The sites at which a stub decides whether an allocation fails.
pub fn allocations(build: &Build) -> impl Iterator<Item = u32> + '_ {
    let gives_memory = |stub: &Stub| {
        stub.may_fail_to_allocate()
            || stub.answers().is_some_and(|answers| answers.result.get() == Results::Memory)
    };
    let stubs = build.stubs.iter().enumerate().filter(|(_, stub)| gives_memory(stub));
    let names: BTreeSet<String> = stubs.map(|(number, stub)| symbol_of_stub(number, stub)).collect();
    let is_one = move |site: &SiteInfo| site.kind == SiteInfoKind::Internal && names.contains(&site.function);
    (0..).zip(&build.sites).filter(move |(_, site)| is_one(site)).map(|(number, _)| number)
}

/// What a use of `errno` is called.
const ERRNO: &str = "call to __errno_location";

/// From where in the sources the library model is called that a site belongs to; `None` if it belongs to none.
pub fn calls_of_model<'a>(build: &'a Build, site: &SiteInfo) -> Option<&'a [(String, Option<Place>)]> {
    build.outside.model_calls.get(&site.function).map(Vec::as_slice)
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
    /// Before any run.
    pub fn new(model: &SourceModel, build: &Build, unit: &UnitLayout) -> Environment {
        Environment {
            symbolic: vec![false; model.sites.len()],
            seen: vec![false; build.coverage_len as usize],
            outside: Outside::new(model, build, unit),
        }
    }

    /// What the unit uses that is no input.
    pub fn outside(&self) -> &Outside {
        &self.outside
    }

    /// Takes a run: its path, and what it covered if it counts.
    pub fn absorb(&mut self, events: &[TraceEvent], coverage: &[u8]) {
        for event in events.iter().filter(|event| event.label != 0) {
            if let Some(symbolic) = self.symbolic.get_mut(event.site as usize) {
                *symbolic = true;
            }
        }
        for (seen, &byte) in self.seen.iter_mut().zip(coverage) {
            *seen |= byte != 0;
        }
    }

    /// True if a run that counts has taken this branch.
    pub fn is_taken(&self, model: &SourceModel, (site, outcome): (SiteId, u32)) -> bool {
        let before = model.sites[..site.0 as usize].iter().map(|site| site.outcomes());
        let index = before.sum::<u32>() + outcome;
        self.seen.get(index as usize).copied().unwrap_or(false)
    }

    /// Conditions that the environment may have decided: in words, with their place and the branches nobody took. Those
    /// of the unit itself come first.
    pub fn decided(&self, model: &SourceModel, unit: FunctionId) -> Vec<(String, Place, Vec<Since>)> {
        if self.outside == Outside::default() {
            return Vec::new();
        }
        let mut first = 0;
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for site in &model.sites {
            let outcomes = &self.seen[first..first + site.outcomes() as usize];
            first += site.outcomes() as usize;
            let one_sided = outcomes.len() > 1 && outcomes.iter().filter(|&&seen| seen).count() == 1;
            let is_free = site.allows(0) && site.allows(1);
            if !one_sided || !is_free || self.symbolic[site.id.0 as usize] {
                continue;
            }
            let untaken = (0..).zip(outcomes).filter(|(_, seen)| !**seen);
            let since = untaken.map(|(outcome, _)| Since::Branch(site.id, outcome)).collect();
            let list = if site.function == unit { &mut own } else { &mut others };
            list.push((format!("`{}` at {}", site.text, site.place), site.place.clone(), since));
        }
        own.append(&mut others);
        own
    }
}
