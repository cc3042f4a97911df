//! Where in the branch graph the goals of a unit lie, its own and those of functions that it reaches, and which are still open.
//!
//! An outcome lies at its branch, a statement at the branch it follows, a decision and its pairs at all branches of its
//! conditions. "This arm is not taken" lies nowhere: as long as it is open, so are the other arms.

use std::collections::HashMap;

use tarka_source::{DecisionId, GoalKind, SiteId};

use super::branches::BranchGraph;
use crate::SiteTable;
use crate::goals::coverage::Goals;
use crate::strategy::UnitFacts;

/// What is open, and where.
#[derive(Clone, Debug, Default)]
pub(crate) struct GoalMap {
    /// The occurrences that each statement of these functions follows.
    statements: HashMap<u32, Vec<u32>>,
    /// The branches of each decision's conditions.
    decisions: HashMap<DecisionId, Vec<u32>>,
    /// The first run was taken.
    is_begun: bool,
    /// The occurrences at which each goal lies; empty before the first run.
    places: Vec<Vec<u32>>,
    goals_at: Vec<Vec<u32>>,
    is_open: Vec<bool>,
    open: usize,
    open_at: Vec<u32>,
}

/// What a run changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It was the first: everything is to be worked out.
    Everything,
    /// These goals are not open any more, and nothing is at these occurrences.
    Closed {
        /// The goals.
        goals: Vec<u32>,
        /// Occurrences at which something was open.
        occurrences: Vec<u32>,
    },
}

impl GoalMap {
    pub(crate) fn new(unit: UnitFacts, graph: &BranchGraph) -> GoalMap {
        let branches_of = |site: &SiteId| {
            let site = site.0;
            (0..unit.sites.outcomes(site)).filter_map(move |at| unit.sites.coverage_index(site, at))
        };
        let decisions = unit.functions.iter().flat_map(|&function| unit.model.decisions_of(function));
        GoalMap {
            statements: statements(unit, graph),
            decisions: decisions
                .map(|decision| (decision.id, decision.conditions.iter().flat_map(branches_of).collect()))
                .collect(),
            ..GoalMap::default()
        }
    }

    /// One goal at each of these occurrences, numbered like them; the others have none that is open.
    #[cfg(test)]
    pub(crate) fn drawn(occurrences: u32, is_open: impl Fn(u32) -> bool) -> GoalMap {
        GoalMap {
            places: (0..occurrences).map(|place| vec![place]).collect(),
            goals_at: (0..occurrences).map(|goal| vec![goal]).collect(),
            is_open: (0..occurrences).map(&is_open).collect(),
            open: (0..occurrences).filter(|&goal| is_open(goal)).count(),
            open_at: (0..occurrences).map(|place| u32::from(is_open(place))).collect(),
            ..GoalMap::default()
        }
    }

    /// Takes the state of the goals after a run that covered some of them first.
    pub(crate) fn update(
        &mut self,
        graph: &BranchGraph,
        sites: &SiteTable,
        goals: &Goals,
        new: &[u32],
    ) -> Change {
        if !std::mem::replace(&mut self.is_begun, true) {
            self.begin(graph, sites, goals);
            return Change::Everything;
        }
        let (mut closed, mut occurrences) = (Vec::new(), Vec::new());
        new.iter().for_each(|&goal| self.close(goal, &mut closed, &mut occurrences));
        if self.open != goals.open() {
            // A goal was given up between two runs.
            let gone = (0..self.is_open.len()).filter(|&goal| !goals.is_open(goal)).map(|goal| goal as u32);
            gone.for_each(|goal| self.close(goal, &mut closed, &mut occurrences));
        }
        Change::Closed { goals: closed, occurrences }
    }

    fn begin(&mut self, graph: &BranchGraph, sites: &SiteTable, goals: &Goals) {
        self.places = goals.goals().iter().map(|goal| self.places_of(graph, sites, goal)).collect();
        self.is_open = (0..goals.goals().len()).map(|goal| goals.is_open(goal)).collect();
        self.open = goals.open();
        self.open_at = vec![0; graph.len()];
        self.goals_at = vec![Vec::new(); graph.len()];
        for (goal, places) in self.places.iter().enumerate() {
            for &place in places {
                self.goals_at[place as usize].push(goal as u32);
                self.open_at[place as usize] += u32::from(self.is_open[goal]);
            }
        }
    }

    fn places_of(&self, graph: &BranchGraph, sites: &SiteTable, goal: &GoalKind) -> Vec<u32> {
        match goal {
            GoalKind::Outcome { site, outcome, taken: true } => {
                let branch = sites.coverage_index(site.0, *outcome);
                branch.map_or(Vec::new(), |branch| graph.occurrences(branch).to_vec())
            }
            GoalKind::Outcome { taken: false, .. } => Vec::new(),
            GoalKind::Decision { decision, .. } | GoalKind::Independence { decision, .. } => {
                let branches = self.decisions.get(decision).into_iter().flatten();
                branches.flat_map(|&branch| graph.occurrences(branch)).copied().collect()
            }
            GoalKind::Statement(number) => self.statements.get(number).cloned().unwrap_or_default(),
        }
    }

    fn close(&mut self, goal: u32, closed: &mut Vec<u32>, occurrences: &mut Vec<u32>) {
        if !std::mem::replace(&mut self.is_open[goal as usize], false) {
            return;
        }
        self.open -= 1;
        closed.push(goal);
        for &place in &self.places[goal as usize] {
            let open = &mut self.open_at[place as usize];
            *open -= 1;
            if *open == 0 {
                occurrences.push(place);
            }
        }
    }

    /// The open goals at an occurrence.
    pub(crate) fn open_goals(&self, occurrence: u32) -> impl Iterator<Item = u32> {
        let here = self.goals_at[occurrence as usize].iter().copied();
        here.filter(|&goal| self.is_open[goal as usize])
    }

    /// True if anything is open at an occurrence.
    pub(crate) fn is_open_at(&self, occurrence: u32) -> bool {
        self.open_at[occurrence as usize] > 0
    }

    /// Number of goals, whatever became of them.
    pub(crate) fn len(&self) -> usize {
        self.is_open.len()
    }
}

/// The occurrences that each statement follows without a branch between.
fn statements(unit: UnitFacts, graph: &BranchGraph) -> HashMap<u32, Vec<u32>> {
    let mut after_point: HashMap<u32, Vec<u32>> = HashMap::new();
    for occurrence in 0..graph.len() as u32 {
        for point in graph.passed(occurrence) {
            after_point.entry(point.0).or_default().push(occurrence);
        }
    }
    let of_statement = |number: u32| {
        let mut found = Vec::new();
        let ways = unit.icfg.statements.get(number as usize).into_iter().flatten();
        for &(point, outcome) in ways {
            let branch = match unit.icfg.points[point.0 as usize].kind {
                tarka_source::cfg::PointKind::Site(site) => unit.sites.coverage_index(site.0, outcome),
                _ => None,
            };
            found.extend(branch.map_or(&[][..], |branch| graph.occurrences(branch)));
            found.extend(after_point.get(&point.0).into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    };
    let numbers = unit.functions.iter().map(|&function| unit.model.function(function)).flat_map(|function| {
        function.first_statement..function.first_statement + function.statements.len() as u32
    });
    numbers.map(|number| (number, of_statement(number))).collect()
}
