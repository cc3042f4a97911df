//! What the stable conditions of a unit say about its parameters, as runs showed it.
//!
//! Takes the path of every run; gives, for each stable condition that some run evaluated, what each of its outcomes
//! requires of the inputs. That is the same on every path, so once is enough; where it is not the same, something was
//! lost on the way and the condition counts no longer. Never: the solver.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use tarka_instrument::{Build, SiteInfoKind};
use tarka_runner::Run;
use tarka_search::{RunTrace, SiteTable, outcome_clauses};
use tarka_source::{FunctionId, SiteId, SourceModel};
use tarka_terms::{Term, Terms};

/// The stable conditions of a unit.
pub struct Stable {
    sites: BTreeSet<SiteId>,
    /// By outcome: what it requires.
    clauses: BTreeMap<SiteId, Vec<Term>>,
    /// Conditions that did not depend on the inputs, and which way they went.
    constant: BTreeMap<SiteId, u32>,
    /// Sites of instructions of the unit that lose what is known about a number.
    losing: Vec<usize>,
}

impl Stable {
    /// Before any run.
    pub fn new(model: &SourceModel, build: &Build, unit: FunctionId) -> Stable {
        let function = model.function(unit);
        // In a unit that may call itself, two evaluations may belong to two calls.
        let calls_unit = |id: &FunctionId| model.function(*id).uses.functions.contains(&unit);
        let may_recur = function.address_taken || model.reachable_functions(unit).iter().any(calls_unit);
        let sites = function.uses.stable_sites.iter().copied().filter(|_| !may_recur).collect();
        // A call or an access to memory has no part in a stable condition.
        let is_losing = |what: &str| !what.starts_with("call to ") && what != "memory access";
        let losing = build.sites.iter().enumerate().filter(|(_, site)| {
            site.kind == SiteInfoKind::Concretising && site.function == function.name && is_losing(&site.what)
        });
        Stable {
            sites,
            clauses: BTreeMap::new(),
            constant: BTreeMap::new(),
            losing: losing.map(|(index, _)| index).collect(),
        }
    }

    /// Takes a run in which the unit was called once.
    pub fn absorb(&mut self, terms: &mut Terms, sites: &SiteTable, trace: &RunTrace, run: &Run) {
        let lost = |&site: &usize| run.concretised().get(site).is_some_and(|&count| count > 0);
        if self.sites.is_empty() || run.truncated() || self.losing.iter().any(lost) {
            return;
        }
        for event in trace.events {
            let site = SiteId(event.site);
            if !self.sites.contains(&site) {
                continue;
            }
            let is_same = match (event.label, self.constant.get(&site)) {
                (0, Some(&outcome)) => outcome == event.outcome.into(),
                (0, None) => !self.clauses.contains_key(&site),
                (_, Some(_)) => false,
                (_, None) => true,
            };
            if !is_same {
                self.forget(site);
            } else if event.label == 0 {
                self.constant.entry(site).or_insert(event.outcome.into());
            } else if let Entry::Vacant(unknown) = self.clauses.entry(site) {
                match outcome_clauses(terms, sites, trace, event) {
                    Some(clauses) => drop(unknown.insert(clauses)),
                    None => self.forget(site),
                }
            }
        }
    }

    fn forget(&mut self, site: SiteId) {
        self.sites.remove(&site);
        self.clauses.remove(&site);
        self.constant.remove(&site);
    }

    /// The conditions that were evaluated.
    pub fn known(&self) -> Vec<SiteId> {
        self.clauses.keys().chain(self.constant.keys()).copied().collect()
    }

    /// True if a condition went one way without any input having a part in it.
    pub(crate) fn is_constant(&self, site: SiteId) -> bool {
        self.constant.contains_key(&site)
    }

    /// "The condition has one of these outcomes", for one that is known.
    pub(crate) fn one_of(&self, terms: &mut Terms, site: SiteId, outcomes: &[u32]) -> Option<Term> {
        if let Some(constant) = self.constant.get(&site) {
            return Some(terms.constant(1, outcomes.contains(constant).into()));
        }
        let clauses = self.clauses.get(&site)?;
        let mut any = terms.constant(1, 0);
        for &outcome in outcomes {
            any = terms.binary(tarka_terms::BinaryOp::Or, any, *clauses.get(outcome as usize)?);
        }
        Some(any)
    }
}
