//! The result of a unit: verdicts, status, figures and limits, from what the loop found out.

use tarka_events::{Concretisation, Named, NamedAddress, SolverFigures, Status, UnitResult};
use tarka_instrument::AddressOf;
use tarka_source::Place;

use super::{Failure, UnitLoop};
use crate::losses::Obstacles;
use crate::verdict::{Ending, Grounds, status};

impl UnitLoop<'_> {
    pub(super) fn finish(self, ending: Result<Ending, Failure>) -> UnitResult {
        let function = self.job.function();
        let unit = self.job.model.function(function);
        let concretisations = self.concretisations(&unit.place);
        let places = concretisations.iter();
        let kept_zero = self.shape.kept_zero(function);
        let obstacles = Obstacles {
            concretised: places
                .map(|found| ((found.place.clone(), found.what.clone()), found.count))
                .collect(),
            kept_zero: kept_zero.zero.clone(),
            cut_short: kept_zero.bounds.clone(),
            environment: self.environment.decided(self.job.model, function),
            state: self.environment.outside().state,
        };
        let (ending, failure) = match ending {
            Ok(ending) => (ending, None),
            Err(failure) => {
                let message = words(failure, &unit.name);
                (Ending::Failed(message.clone()), Some(message))
            }
        };
        let grounds = Grounds {
            model: self.job.model,
            function,
            icfg: &self.job.build.icfg,
            goals: self.search.goals(),
            covered_ms: &self.covered_ms,
            losses: &self.losses,
            obstacles: &obstacles,
            preconditions: &self.preconditions,
            limits: self.epochs.limits(),
            ending: &ending,
            runs: self.runs,
            has_pointers: kept_zero.has_pointers,
        };
        let goals = grounds.goals();
        let error = failure.or_else(|| {
            self.preconditions.contradiction(grounds.doubt().map(|doubt| doubt.reason).as_deref())
        });
        let mut limits = kept_zero.null;
        limits.extend(kept_zero.zero);
        limits.extend(kept_zero.bounds);
        limits.extend(self.losses.limits(self.epochs.limits()));
        let too_large = self.environment.outside().variables.iter();
        limits.extend(too_large.map(|name| format!("the variable `{name}` is no input: it keeps its value")));
        let figures = self.solver.figures();
        UnitResult {
            file: self.job.model.file.display().to_string(),
            function: unit.name.clone(),
            criterion: self.job.options.criterion.name().to_string(),
            strategy: self.search.strategy_name().to_string(),
            seed: self.job.options.seed,
            status: error.map_or_else(|| status(&goals), Status::Error),
            runs: self.runs,
            divergences: self.divergences,
            solver: SolverFigures {
                queries: figures.queries,
                sat: figures.sat,
                unsat: figures.unsat,
                unknown: figures.unknown,
                cached: figures.cached + figures.direct,
                before_last_goal: self.queries_before_last_goal,
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
            stubs: self.job.build.stubs.clone(),
        }
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

fn words(failure: Failure, unit: &str) -> String {
    match failure {
        Failure::Runner(error) => error.to_string(),
        Failure::BeforeUnit => format!("the program ended before `{unit}` could be called"),
    }
}
