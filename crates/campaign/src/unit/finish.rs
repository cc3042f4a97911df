//! The result of a unit: verdicts, status, figures and limits, from what the loop found out.

use tarka_events::{
    Concretisation, Goal, Named, NamedAddress, SolverFigures, SolverLayer, Status, UnitResult,
};
use tarka_inputs::KeptZero;
use tarka_instrument::AddressOf;
use tarka_search::FaultGoalsLeft;
use tarka_solver::LayerFigures;
use tarka_source::Place;
use tarka_verdicts::{Derived, Doubts, Ending, Grounds, Obstacles, Seen, count, status};

use super::sketch::sketch;
use super::{Failure, UnitLoop};

/// What the search alone says about a unit.
pub(super) struct Judged {
    pub goals: Vec<Goal>,
    /// Why what no run did may still be possible.
    doubt: Option<String>,
    kept_zero: KeptZero,
}

impl UnitLoop<'_> {
    pub(super) fn finish(mut self, ending: Result<Ending, Failure>) -> UnitResult {
        self.explorer.give_up_postponed(&mut self.records.losses);
        self.findings.rank();
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
        let refuted = self.records.attacked.refuted(&goals, &unit.name);
        self.records.attacked.withdraw(&mut goals, &refuted);
        let error = failure.or_else(|| self.records.preconditions.contradiction(doubt.as_deref()));
        let mut limits = kept_zero.null;
        limits.extend(kept_zero.zero);
        limits.extend(kept_zero.bounds);
        limits.extend(self.records.losses.limits(self.executor.input_pool.epochs.limits()));
        let too_large = self.records.environment.outside().variables.iter();
        limits.extend(too_large.map(|name| format!("the variable `{name}` is no input: it keeps its value")));
        let left = self.explorer.search.fault_goals_left();
        limits.extend(untried_faults(left));
        let why_not = self.records.attacked.why_not.take();
        limits.extend(why_not.map(|why| format!("proofs were not attacked: {why}")));
        let figures = self.explorer.solver.figures();
        UnitResult {
            file: self.job.model.file.display().to_string(),
            function: unit.name.clone(),
            criterion: self.job.options.criterion.name().to_string(),
            scope: self.job.options.scope,
            strategy: self.explorer.search.strategy_name().to_string(),
            seed: self.job.options.seed,
            has_drawn: self.explorer.search.has_drawn() || self.records.attacked.figures.runs > 0,
            status: error.map_or_else(|| status(&goals, left), Status::Error),
            runs: self.records.runs,
            divergences: self.records.divergences,
            solver: SolverFigures {
                queries: figures.queries,
                sat: figures.sat,
                unsat: figures.unsat,
                unknown: figures.unknown,
                cached: figures.without_smt(),
                optimistic: figures.optimistic,
                optimistic_hits: self.records.optimistic_hits,
                wrong_models: figures.wrong_models,
                layers: figures.layers.iter().map(layer).collect(),
                before_runs: self.records.queries_before_runs.clone(),
                ms: figures.time.as_millis() as u64,
            },
            execute_ms: self.executor.target.executing().as_millis() as u64,
            total_ms: self.budget.elapsed_ms(),
            goals,
            named_addresses: self.named_addresses(),
            calls: self.calls(),
            paths: sketch(self.job, &self.explorer.search),
            kept_runs: self.findings.kept_runs.kept,
            faults: self.findings.faults.faults,
            concretisations,
            limits,
            attack: self.records.attacked.figures,
            refuted,
            stubs: self.job.build.stubs.clone(),
        }
    }

    /// The verdicts as the search leaves them.
    pub(super) fn judged(&self, ending: &Ending) -> Judged {
        let (function, input_pool) = (self.job.function(), &self.executor.input_pool);
        let kept_zero = input_pool.shape.kept_zero(function);
        let sharing_untried = self.is_unfinished()
            && !input_pool.ranges.are_apart()
            && (!input_pool.seeds.is_empty() && !input_pool.shared.is_empty()
                || !input_pool.unshared(&self.job).is_empty());
        let seen = Seen {
            concretised: &self.records.concretised,
            kept_zero: &kept_zero,
            environment: &self.records.environment,
            faults: &self.findings.faults.faults,
            opaque: input_pool.shape.opaque(&input_pool.followed),
            sharing_untried,
        };
        let obstacles = Obstacles::new(self.job.subject(), seen);
        let icfg = &self.job.build.icfg;
        let proved = self.records.contradictions.proved();
        let grounds = Grounds {
            model: self.job.model,
            function,
            icfg,
            search: &self.explorer.search,
            covered_ms: &self.records.covered_ms,
            doubts: Doubts {
                losses: &self.records.losses,
                obstacles: &obstacles,
                limits: input_pool.epochs.limits(),
                stub_calls: self.job.bounds().stub_calls,
                stubs: &self.job.build.stubs,
            },
            preconditions: &self.records.preconditions,
            contradictions: &self.records.contradictions,
            derived: Derived::new(self.job.model, icfg, function, proved),
            ending,
            runs: self.records.runs,
            any_run: self.records.runs_of_epoch > 0,
            has_pointers: kept_zero.has_pointers,
        };
        let (goals, doubt) = (grounds.goals(), grounds.doubt().map(|doubt| doubt.reason));
        Judged { goals, doubt, kept_zero }
    }

    /// The places where values became concrete, each place and reason once, in order of their sites.
    fn concretisations(&self, unit: &Place) -> Vec<Concretisation> {
        let mut found: Vec<Concretisation> = Vec::new();
        let sites =
            self.job.build.sites.iter().zip(&self.records.concretised).filter(|&(_, &count)| count > 0);
        for (site, &count) in sites {
            let place = site.place.clone().unwrap_or_else(|| unit.clone());
            match found.iter_mut().find(|known| known.place == place && known.what == site.what) {
                Some(known) => known.count += count,
                None => found.push(Concretisation { place, what: site.what.clone(), count }),
            }
        }
        found
    }

    /// The functions with a body here that the unit may call, by name; itself where it calls itself.
    fn calls(&self) -> Vec<String> {
        let called = self.job.build.icfg.calls.get(self.job.function().0 as usize);
        called.into_iter().flatten().map(|&id| self.job.model.function(id).name.clone()).collect()
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
