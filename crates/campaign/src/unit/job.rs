//! What a unit's loop works on, and what it begins with: a shape of inputs, a search, a solver.
//!
//! Takes the file's build and the user's options; gives them for one unit. Never: running anything.

use std::collections::BTreeSet;

use tarka_inputs::{Epochs, Ranges, Shape, ShapeLimits, ShapeRequest, SlotPath, Subject};
use tarka_instrument::{Build, UnitLayout};
use tarka_search::Search;
use tarka_search::strategy::{self, StrategyError};
use tarka_settings::Bounds;
use tarka_solver::{Optimistic, Solver};
use tarka_source::{FunctionId, SourceModel};
use tarka_trace::FaultSet;
use tarka_verdicts::allocations;

use crate::Options;
use crate::dump::Dump;
use crate::plain_program::PlainProgram;

/// What a unit's loop works on.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub model: &'a SourceModel,
    pub build: &'a Build,
    /// The same program without instrumentation, to hold proofs to.
    pub plain_program: Option<&'a PlainProgram<'a>>,
    pub options: &'a Options,
    /// Position in [`Build::units`].
    pub unit: usize,
}

impl<'a> Job<'a> {
    pub(crate) fn function(&self) -> FunctionId {
        self.layout().function
    }

    pub(super) fn layout(&self) -> &'a UnitLayout {
        &self.build.units[self.unit]
    }

    /// What is tested, for whoever judges its runs.
    pub(super) fn subject(&self) -> Subject<'a> {
        Subject { model: self.model, build: self.build, function: self.function() }
    }

    pub(super) fn name(&self) -> &'a str {
        &self.model.function(self.function()).name
    }

    /// How far the unit's inputs may grow; only a unit with state is called more than once.
    pub(super) fn bounds(&self) -> Bounds {
        let bounds = self.options.settings.bounds_of(self.name());
        let calls = crate::file::most_calls(self.model, self.function(), &bounds);
        Bounds { calls, ..bounds }
    }

    pub(crate) fn shape(
        &self,
        limits: &ShapeLimits,
        ranges: &Ranges,
        roomy: &BTreeSet<SlotPath>,
    ) -> Shape<'a> {
        let layout = self.layout();
        Shape::new(&ShapeRequest {
            model: self.model,
            function: layout.function,
            roots: &layout.roots,
            stubs: &self.build.stubs,
            addresses: &self.build.addresses,
            first_free: layout.pointees_start,
            limits: limits.clone(),
            ranges: ranges.clone(),
            roomy: roomy.clone(),
        })
    }

    /// A search that knows nothing yet.
    pub(crate) fn search(&self) -> Result<Search, StrategyError> {
        let (model, function, options) = (self.model, self.function(), self.options);
        let strategy = strategy::by_name(&options.strategy)?;
        let functions = model.goal_functions(function, options.scope);
        let asked = (functions.as_slice(), options.criterion);
        let search = Search::new(model, &self.build.icfg, asked, strategy, options.seed);
        let mut search = if options.filter { search } else { search.without_filter() };
        if options.faults != FaultSet::NONE && !options.goals_only {
            search = search.beyond_goals(allocations(self.build));
        }
        if let Some(aim) = &options.aim {
            search.aim(|_, goal| aim.asks(model, *goal));
        }
        Ok(search)
    }

    pub(super) fn solver(&self, dump: Option<&Dump>) -> Box<dyn Solver + Send> {
        let solver = dump.map_or_else(self.options.solver, |dump| dump.solver(self.name()));
        if self.options.optimistic { Box::new(Optimistic::new(solver)) } else { solver }
    }

    /// The limits of the unit's first epoch.
    pub(crate) fn first_epoch(&self) -> Epochs {
        let settings = self.options.settings.functions.get(self.name());
        let sizes = settings.map(|settings| settings.sizes.clone()).unwrap_or_default();
        Epochs::new(self.bounds(), sizes)
    }
}
