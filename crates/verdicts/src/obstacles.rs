//! What blocks a proof whatever the size of inputs, each with from where on it matters.
//!
//! Takes what runs showed over all sizes of inputs; gives it as far as it stands in the way of proofs. Never: what a goal makes of
//! it (see `doubt`).

use std::collections::BTreeSet;

use tarka_events::{Fault, FaultKind};
use tarka_inputs::{KeptZero, Subject};
use tarka_instrument::Unowned;
use tarka_source::Place;

use crate::environment::{Environment, calls_of_model, is_call, may_run};
use crate::since::Since;

/// What blocks a proof whatever the size of inputs.
#[derive(Default)]
pub struct Obstacles {
    /// Members of inputs that always are zero, in words.
    pub(crate) kept_zero: Vec<String>,
    /// Objects of which only a part is tried, in words.
    pub(crate) cut_short: Vec<String>,
    /// Variables that are no inputs: too large for one, or constants that another file defines.
    pub(crate) fixed: Vec<String>,
    /// Variables of other files that no test of this one can set, in words.
    pub(crate) hidden: Vec<String>,
    /// Types that are only declared, and that the unit looks into all the same.
    pub(crate) opaque: BTreeSet<String>,
    /// Conditions that always went one way, decided by something that is not an input: in words, with their place and
    /// the branches nobody took.
    pub(crate) environment: Vec<(String, Place, Vec<Since>)>,
    /// Reads of what no input decides, with from where on each matters.
    pub(crate) unowned: Vec<(Unowned, Vec<Since>)>,
    /// The faults, with their place and from where on each matters.
    pub(crate) faults: Vec<(FaultKind, Place, Vec<Since>)>,
    /// The unit keeps state that only further calls reach.
    pub(crate) state: bool,
    /// Places where a symbolic value became concrete, or something outside the program answered.
    pub(crate) concretised: Vec<Concretised>,
    /// Inputs whose pointers share objects were not all tried.
    pub(crate) sharing_untried: bool,
}

/// A place where what is known of a value ends.
pub(crate) struct Concretised {
    pub place: Place,
    pub what: String,
    pub count: u64,
    pub since: Vec<Since>,
}

/// What the search of a unit has seen of such things.
pub struct Seen<'a> {
    /// How often a value became concrete, by site.
    pub concretised: &'a [u64],
    /// What stays zero in every input.
    pub kept_zero: &'a KeptZero,
    /// What something else than the inputs may have decided.
    pub environment: &'a Environment,
    /// The faults so far.
    pub faults: &'a [Fault],
    /// Types that are only declared, and that the unit looks into all the same.
    pub opaque: BTreeSet<String>,
    /// Inputs whose pointers share objects were not all tried.
    pub sharing_untried: bool,
}

impl Obstacles {
    /// What stands in the way of proofs about a unit.
    pub fn new(subject: Subject, seen: Seen) -> Obstacles {
        let Seen { concretised, kept_zero, environment, faults, opaque, sharing_untried } = seen;
        Obstacles {
            concretised: concretised_since(subject, concretised),
            kept_zero: kept_zero.zero.clone(),
            cut_short: kept_zero.bounds.clone(),
            fixed: environment.outside().variables.clone(),
            hidden: environment.outside().hidden.clone(),
            opaque,
            environment: environment.decided(subject.model, subject.function),
            state: environment.outside().state,
            unowned: unowned_since(subject),
            faults: faults_since(subject, faults),
            sharing_untried,
        }
    }
}

/// The places where values became concrete. Calls that give something that is not an input are there even if nothing symbolic
/// reached them.
fn concretised_since(subject: Subject, counts: &[u64]) -> Vec<Concretised> {
    let Subject { model, build, function } = subject;
    let reachable = may_run(model, build, function);
    let mut found: Vec<Concretised> = Vec::new();
    for (site, &count) in build.sites.iter().zip(counts) {
        let callee = site.what.strip_prefix("call to ");
        let answers =
            is_call(model, build, &reachable, site) && !callee.is_some_and(tarka_library::gives_nothing);
        if count == 0 && !answers {
            continue;
        }
        let since = match calls_of_model(build, site) {
            None => Since::at(model, &build.icfg, &site.function, site.place.as_ref()),
            Some(calls) => calls
                .iter()
                .flat_map(|(function, place)| Since::at(model, &build.icfg, function, place.as_ref()))
                .collect(),
        };
        let place = site.place.clone().unwrap_or_else(|| model.function(function).place.clone());
        // What a model calls is our affair: the program calls the function that it stands for.
        let stands_for = tarka_library::TABLE.iter().find(|entry| entry.instead == Some(&site.function));
        let what = stands_for.map(|entry| format!("call to {}", entry.name));
        let what = what.unwrap_or_else(|| site.what.clone());
        found.push(Concretised { place, what, count, since });
    }
    found
}

/// The reads of what no input decides that the unit may make.
fn unowned_since(subject: Subject) -> Vec<(Unowned, Vec<Since>)> {
    let Subject { model, build, function } = subject;
    let reachable = may_run(model, build, function);
    let may_be_made = |read: &&Unowned| {
        let known = model.function_named(&read.function);
        known.is_none_or(|(id, _)| reachable.contains(&id))
    };
    let reads = build.outside.unowned.iter().filter(may_be_made);
    let since = |read: &Unowned| Since::at(model, &build.icfg, &read.function, read.place.as_ref());
    reads.map(|read| (read.clone(), since(read))).collect()
}

fn faults_since(subject: Subject, faults: &[Fault]) -> Vec<(FaultKind, Place, Vec<Since>)> {
    let Subject { model, build, .. } = subject;
    let since = |fault: &Fault| Since::at(model, &build.icfg, &fault.function, Some(&fault.place));
    faults.iter().map(|fault| (fault.kind, fault.place.clone(), since(fault))).collect()
}
