//! The result of a unit: verdicts, status, figures and limits, from what the loop found out.

use tarka_events::{
    Concretisation, Fault, FaultKind, Goal, Named, NamedAddress, SolverFigures, SolverLayer, Status,
    UnitResult,
};
use tarka_instrument::{AddressOf, Unowned};
use tarka_search::FaultGoalsLeft;
use tarka_solver::LayerFigures;
use tarka_source::Place;

use super::{Failure, UnitLoop};
use crate::budget::count;
use crate::contradiction::Derived;
use crate::doubt::Doubts;
use crate::environment::{calls_of_model, is_call, may_run};
use crate::losses::{Concretised, Obstacles};
use crate::shape::support::KeptZero;
use crate::since::Since;
use crate::verdict::{Ending, Grounds, status};

/// What the search alone says about a unit.
pub(super) struct Judged {
    pub goals: Vec<Goal>,
    /// Why what no run did may still be possible.
    doubt: Option<String>,
    kept_zero: KeptZero,
}

impl UnitLoop<'_> {
    pub(super) fn finish(mut self, ending: Result<Ending, Failure>) -> UnitResult {
        self.give_up_postponed();
        self.rank_faults();
        let unit = self.job.model.function(self.job.function());
        let concretisations = self.concretisations(&unit.place);
        let (ending, failure) = match ending {
            Ok(ending) => (ending, None),
            Err(failure) => {
                let message = words(failure, &unit.name);
                (Ending::Failed(message.clone()), Some(message))
            }
        };
        let Judged { mut goals, doubt, kept_zero } = self.judged(&ending);
        let refuted = self.attacked.refuted(&goals, &unit.name);
        self.attacked.withdraw(&mut goals, &refuted);
        let error = failure.or_else(|| self.preconditions.contradiction(doubt.as_deref()));
        let mut limits = kept_zero.null;
        limits.extend(kept_zero.zero);
        limits.extend(kept_zero.bounds);
        limits.extend(self.losses.limits(self.epochs.limits()));
        let too_large = self.environment.outside().variables.iter();
        limits.extend(too_large.map(|name| format!("the variable `{name}` is no input: it keeps its value")));
        let left = self.search.fault_goals_left();
        limits.extend(untried_faults(left));
        let why_not = self.attacked.why_not.take();
        limits.extend(why_not.map(|why| format!("proofs were not attacked: {why}")));
        let figures = self.solver.figures();
        UnitResult {
            file: self.job.model.file.display().to_string(),
            function: unit.name.clone(),
            criterion: self.job.options.criterion.name().to_string(),
            strategy: self.search.strategy_name().to_string(),
            seed: self.job.options.seed,
            has_drawn: self.search.has_drawn() || self.attacked.figures.runs > 0,
            status: error.map_or_else(|| status(&goals, left), Status::Error),
            runs: self.runs,
            divergences: self.divergences,
            solver: SolverFigures {
                queries: figures.queries,
                sat: figures.sat,
                unsat: figures.unsat,
                unknown: figures.unknown,
                cached: figures.without_smt(),
                hopeful: figures.hopeful,
                hopes_come_true: self.hopes_come_true,
                wrong_models: figures.wrong_models,
                layers: figures.layers.iter().map(layer).collect(),
                before_runs: self.queries_before_runs.clone(),
                ms: figures.time.as_millis() as u64,
            },
            execute_ms: self.target.executing.as_millis() as u64,
            total_ms: self.budget.elapsed_ms(),
            goals,
            named_addresses: self.named_addresses(),
            kept_runs: self.keeper.kept,
            faults: self.faults.faults,
            concretisations,
            limits,
            attack: self.attacked.figures,
            refuted,
            stubs: self.job.build.stubs.clone(),
        }
    }

    /// The verdicts as the search leaves them.
    pub(super) fn judged(&self, ending: &Ending) -> Judged {
        let function = self.job.function();
        let kept_zero = self.shape.kept_zero(function);
        let obstacles = Obstacles {
            concretised: self.concretised_since(&self.job.model.function(function).place),
            kept_zero: kept_zero.zero.clone(),
            cut_short: kept_zero.bounds.clone(),
            fixed: self.environment.outside().variables.clone(),
            opaque: self.shape.opaque(&self.followed),
            environment: self.environment.decided(self.job.model, function),
            state: self.environment.outside().state,
            unowned: self.unowned_since(),
            faults: self.faults_since(),
            sharing_untried: self.is_unfinished()
                && !self.ranges.are_apart()
                && (!self.seeds.is_empty() && !self.shared.is_empty() || !self.unshared().is_empty()),
        };
        let icfg = &self.job.build.icfg;
        let proved = self.contradictions.proved();
        let grounds = Grounds {
            model: self.job.model,
            function,
            icfg,
            search: &self.search,
            covered_ms: &self.covered_ms,
            doubts: Doubts {
                losses: &self.losses,
                obstacles: &obstacles,
                limits: self.epochs.limits(),
                stub_calls: self.job.bounds().stub_calls,
                stubs: &self.job.build.stubs,
            },
            preconditions: &self.preconditions,
            contradictions: &self.contradictions,
            derived: Derived::new(self.job.model, icfg, function, proved),
            ending,
            runs: self.runs,
            any_run: self.runs_of_epoch > 0,
            has_pointers: kept_zero.has_pointers,
        };
        let (goals, doubt) = (grounds.goals(), grounds.doubt().map(|doubt| doubt.reason));
        Judged { goals, doubt, kept_zero }
    }

    /// The places where values became concrete, each place and reason once, in order of their sites.
    fn concretisations(&self, unit: &Place) -> Vec<Concretisation> {
        let mut found: Vec<Concretisation> = Vec::new();
        let sites = self.job.build.sites.iter().zip(&self.concretised).filter(|&(_, &count)| count > 0);
        for (site, &count) in sites {
            let place = site.place.clone().unwrap_or_else(|| unit.clone());
            match found.iter_mut().find(|known| known.place == place && known.what == site.what) {
                Some(known) => known.count += count,
                None => found.push(Concretisation { place, what: site.what.clone(), count }),
            }
        }
        found
    }

    /// The same for proofs, with from where on each matters. Calls that give something that is not an input are there even
    /// if nothing symbolic reached them.
    fn concretised_since(&self, unit: &Place) -> Vec<Concretised> {
        let (model, build) = (self.job.model, self.job.build);
        let reachable = may_run(model, build, self.job.function());
        let mut found: Vec<Concretised> = Vec::new();
        for (site, &count) in build.sites.iter().zip(&self.concretised) {
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
            let place = site.place.clone().unwrap_or_else(|| unit.clone());
            // What a model calls is our affair: the program calls the function that it stands for.
            let stands_for = tarka_library::TABLE.iter().find(|entry| entry.instead == Some(&site.function));
            let what = stands_for.map(|entry| format!("call to {}", entry.name));
            let what = what.unwrap_or_else(|| site.what.clone());
            found.push(Concretised { place, what, count, since });
        }
        found
    }

    /// The reads of what no input decides that the unit may make, with from where on each matters.
    fn unowned_since(&self) -> Vec<(Unowned, Vec<Since>)> {
        let (model, build) = (self.job.model, self.job.build);
        let reachable = may_run(model, build, self.job.function());
        let may_be_made = |read: &&Unowned| {
            let known = model.function_named(&read.function);
            known.is_none_or(|(id, _)| reachable.contains(&id))
        };
        let reads = build.outside.unowned.iter().filter(may_be_made);
        let since = |read: &Unowned| Since::at(model, &build.icfg, &read.function, read.place.as_ref());
        reads.map(|read| (read.clone(), since(read))).collect()
    }

    /// The faults, with from where on each matters.
    fn faults_since(&self) -> Vec<(FaultKind, Place, Vec<Since>)> {
        let since = |fault: &Fault| {
            Since::at(self.job.model, &self.job.build.icfg, &fault.function, Some(&fault.place))
        };
        let faults = self.faults.faults.iter();
        faults.map(|fault| (fault.kind, fault.place.clone(), since(fault))).collect()
    }

    /// What pointers of inputs may point to, by name.
    fn named_addresses(&self) -> Vec<NamedAddress> {
        let model = self.job.model;
        let addresses = self.job.build.addresses.iter().filter_map(|known| {
            let what = match &known.what {
                AddressOf::Function(id) => Named::Function(model.functions.get(id.0 as usize)?.name.clone()),
                AddressOf::Stub(index) => Named::Stub(*index),
                AddressOf::Global(index) => Named::Global(model.globals.get(*index as usize)?.name.clone()),
            };
            Some(NamedAddress { address: known.address, size: known.size, what })
        });
        addresses.collect()
    }
}

/// What was not tried for faults, in words.
fn untried_faults(left: FaultGoalsLeft) -> Option<String> {
    let checks = (left.checks > 0).then(|| format!("{} that may fail", count(left.checks as u64, "check")));
    let ways = (left.ways > 0)
        .then(|| format!("{} to where a called function fails", count(left.ways as u64, "way")));
    let all: Vec<String> = checks.into_iter().chain(ways).collect();
    (!all.is_empty()).then(|| format!("not tried for faults: {}", all.join(", ")))
}

fn layer(figures: &LayerFigures) -> SolverLayer {
    let LayerFigures { name, asked, answered, time } = *figures;
    SolverLayer { name: name.to_string(), asked, answered, us: time.as_micros() as u64 }
}

fn words(failure: Failure, unit: &str) -> String {
    match failure {
        Failure::Runner(error) => error.to_string(),
        Failure::BeforeUnit => format!("the program ended before `{unit}` could be called"),
        Failure::Dump(message) => message,
    }
}
