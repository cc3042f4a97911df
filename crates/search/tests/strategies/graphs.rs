//! Graphs and runs for tests that look at single choices: no program is executed, a run is the branches it takes.

use tarka_search::{CandidateId, CandidateState, HowEnded, Search};
use tarka_source::cfg::{Icfg, PointKind};
use tarka_source::{SiteId, SourceModel};
use tarka_terms::Terms;
use tarka_trace::{Op, input_label};

use crate::toy::{Drawing, Recorder, conditions};

/// The end of the unit.
pub const END: usize = usize::MAX;

/// A unit of conditions: where each leads when it is false and when it is true. The first one comes first.
pub fn unit(ways: &[(usize, usize)]) -> (SourceModel, Icfg) {
    let model = conditions(ways.len());
    let mut drawing = Drawing::new(&model);
    let entry = drawing.point(0, PointKind::Entry);
    let points: Vec<_> =
        (0..ways.len()).map(|site| drawing.point(0, PointKind::Site(SiteId(site as u32)))).collect();
    let exit = drawing.point(0, PointKind::Exit);
    drawing.edge(entry, 0, points[0]);
    for (site, &(when_false, when_true)) in ways.iter().enumerate() {
        for (outcome, to) in [(0, when_false), (1, when_true)] {
            drawing.edge(points[site], outcome, points.get(to).copied().unwrap_or(exit));
        }
    }
    (model, drawing.icfg)
}

/// A search with its runs.
pub struct Played {
    pub search: Search,
    model: SourceModel,
    terms: Terms,
    runs: u64,
    chosen: Option<CandidateId>,
}

impl Played {
    pub fn new(search: Search, model: &SourceModel) -> Played {
        Played { search, model: model.clone(), terms: Terms::new(), runs: 0, chosen: None }
    }

    /// A run that takes these branches; every decision depends on the input. It answers the latest choice.
    pub fn run(&mut self, path: &[(u32, bool)]) {
        let mut recorder = Recorder::new(&[0]);
        for (index, &(site, holds)) in path.iter().enumerate() {
            let limit = recorder.constant(8, index as u64 + 1);
            let label = recorder.node(Op::Ult, 1, [input_label(0), limit, 0]);
            recorder.condition(site, holds, label);
        }
        self.runs += 1;
        let evidence = recorder.evidence(&self.model);
        self.search.absorb(&mut self.terms, &recorder.trace(), &evidence, (self.runs, HowEnded::Well));
        if let Some(chosen) = self.chosen.take() {
            let state = self.search.learn(chosen, CandidateState::Done);
            assert_eq!(state, CandidateState::Done, "the run goes the way that was chosen");
        }
    }

    /// The next choice: site, outcome and the number of decisions before it.
    pub fn choose(&mut self) -> Option<(u32, bool, u32)> {
        let chosen = self.search.choose().ok()?;
        self.chosen = Some(chosen);
        let tree = self.search.tree();
        Some((tree.node_of(chosen).site, tree.candidate(chosen).outcome == 1, tree.node_of(chosen).depth))
    }

    /// No input goes the way that was chosen.
    pub fn infeasible(&mut self) {
        let chosen = self.chosen.take().expect("something was chosen");
        self.search.learn(chosen, CandidateState::Infeasible);
    }

    /// All choices to come if every one of them is infeasible.
    pub fn all_infeasible(&mut self) -> Vec<(u32, bool, u32)> {
        let mut choices = Vec::new();
        while let Some(choice) = self.choose() {
            choices.push(choice);
            self.infeasible();
        }
        choices
    }
}
