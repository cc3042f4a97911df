//! Path filtering: which candidates can still lead to something open.
//!
//! A candidate is *must-relevant* if the branch it takes covers an open goal, *irrelevant* if it does not and no open goal
//! can be reached behind it, and *may-relevant* otherwise. Which goals lie behind a branch is read once from the
//! inter-procedural control-flow graph; covering a goal only counts down, so asking costs the same however many candidates
//! there are. What is irrelevant stays so, because goals are never opened again: an open goal may become one that is
//! wanted again, and either may be closed.

mod components;
mod counts;
mod endings;
mod failing;
mod graph;
mod passed;
mod ways;

use tarka_source::cfg::Icfg;
use tarka_source::{FunctionId, GoalKind, SiteId, SourceModel};

use crate::SiteTable;
use crate::goals::coverage::{Goals, Scope};
use counts::Counts;
use graph::Graph;

pub(crate) use failing::FailingSides;
pub(crate) use passed::Passed;
pub use ways::WaysLeft;
pub(crate) use ways::ways_left;

/// How a candidate relates to the open goals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Relevance {
    /// Nothing open can be reached this way.
    Irrelevant,
    /// Something open may be reached this way.
    May,
    /// The branch itself covers something open.
    Must,
}

/// What is wanted of a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Want {
    /// That a run covers it.
    Cover,
    /// That a run that ends well covers it.
    CoverAgain,
    Nothing,
}

/// Which goals lie behind each branch, and how many of them are open.
///
/// A goal lies at the spots of the graph where it is covered: an outcome at its branch, that an arm is not taken at the
/// branches of the others, a decision or one of its pairs at all of its conditions, a statement at the ways through it.
#[derive(Debug)]
pub struct Filter {
    /// The graph does not know the unit: everything stays relevant.
    is_blind: bool,
    /// The start of the unit can be reached from everywhere: it is called again, called back or jumped into.
    comes_again: bool,
    /// A function with goals may be called by itself, so that evaluations of its decisions nest.
    pub(crate) is_recursive: bool,
    several_calls: bool,
    /// The set of places behind each branch, by its index in the coverage map; `None` where the graph does not know it.
    behind: Vec<Option<u32>>,
    /// The set of places behind the start of the unit.
    behind_start: Option<u32>,
    /// The set of places behind each point and outcome; nothing for points where the unit never comes.
    behind_ways: Vec<Vec<u32>>,
    /// Different sets of places, one bit each.
    sets: Vec<Vec<u64>>,
    places_of_goal: Vec<Vec<u32>>,
    /// Goals that may lie anywhere: of statements where the graph knows no statement, and of functions that may run where the
    /// graph shows no call of them.
    is_unplaced: Vec<bool>,
    /// Where the open goals are, and those wanted again.
    open: Counts,
    again: Counts,
    /// What is wanted of each goal.
    wants: Vec<Want>,
    /// Goals that a run can cover and still end well.
    may_end_well: Vec<bool>,
    /// Goals of statements that a branch leads to directly, by branch.
    statements: Vec<Vec<u32>>,
}

impl Filter {
    /// Reads the graph for one unit, which is the first of the functions with goals, and for the goals of all of them.
    pub fn new(
        model: &SourceModel,
        icfg: &Icfg,
        functions: &[FunctionId],
        sites: &SiteTable,
        goals: &Goals,
    ) -> Filter {
        let unit = functions[0];
        let branches = sites.branch_count();
        let graph = Graph::new(model, icfg, functions, sites);
        let (places_of_goal, spots) = place_goals(model, icfg, &graph, goals);
        let reached = components::reached(&graph.successors, |node| {
            let spot = graph.spot_of(node)?;
            spots.binary_search(&spot).ok().map(|place| place as u32)
        });
        let statements_unknown = icfg.statements.iter().all(Vec::is_empty);
        let mut statements = vec![Vec::new(); if statements_unknown { 0 } else { branches }];
        for (goal, kind) in goals.goals().iter().enumerate() {
            let &GoalKind::Statement(number) = kind else { continue };
            for &(point, outcome) in icfg.statements.get(number as usize).into_iter().flatten() {
                let branch = graph.branch_at(icfg, point, outcome);
                let list = branch.and_then(|branch| statements.get_mut(branch as usize));
                list.into_iter().for_each(|list| list.push(goal as u32));
            }
        }
        let is_unplaced = |kind: &GoalKind| {
            let function = kind.function(model);
            let is_statement = matches!(kind, GoalKind::Statement(_));
            statements_unknown && is_statement || function != unit && graph.unseen[function.0 as usize]
        };
        let set_of = |node: Option<u32>| node.map(|node| reached.set_of_node[node as usize]);
        let mut filter = Filter {
            is_blind: graph.entry.is_none(),
            comes_again: graph.comes_again,
            is_recursive: graph.is_recursive,
            several_calls: false,
            behind: (0..branches as u32).map(|branch| set_of(graph.branch_node(branch))).collect(),
            behind_start: set_of(graph.entry),
            behind_ways: graph
                .nodes_of_ways(icfg, sites)
                .iter()
                .map(|nodes| nodes.iter().map(|&node| reached.set_of_node[node as usize]).collect())
                .collect(),
            open: Counts::new(spots.len(), reached.sets.len()),
            again: Counts::new(spots.len(), reached.sets.len()),
            wants: vec![Want::Nothing; goals.goals().len()],
            may_end_well: endings::may_end_well(model, icfg, unit, goals.goals()),
            sets: reached.sets,
            places_of_goal,
            is_unplaced: goals.goals().iter().map(is_unplaced).collect(),
            statements,
        };
        filter.update(goals, 0..goals.goals().len());
        filter
    }

    /// The unit is called so many times in one run: behind each call but the last there is another.
    pub(crate) fn set_calls(&mut self, calls: u32) {
        self.several_calls = calls > 1;
    }

    /// Takes what is wanted of these goals from now on.
    pub(crate) fn update(&mut self, goals: &Goals, changed: impl IntoIterator<Item = usize>) {
        for goal in changed {
            let now = match () {
                () if goals.is_open(goal) => Want::Cover,
                () if goals.is_wanted(goal, Scope::Wanted) => Want::CoverAgain,
                () => Want::Nothing,
            };
            let before = std::mem::replace(&mut self.wants[goal], now);
            if before == now {
                continue;
            }
            let where_it_is = (self.places_of_goal[goal].as_slice(), self.is_unplaced[goal]);
            match before {
                Want::Cover => self.open.remove(where_it_is, &self.sets),
                Want::CoverAgain => self.again.remove(where_it_is, &self.sets),
                Want::Nothing => {}
            }
            match now {
                Want::Cover => self.open.add(where_it_is, &self.sets),
                Want::CoverAgain => self.again.add(where_it_is, &self.sets),
                Want::Nothing => {}
            }
        }
    }

    /// False if every way on from where a goal is covered ends in a call that fails.
    pub(crate) fn may_end_well(&self, goal: usize) -> bool {
        self.may_end_well[goal]
    }

    /// True if something open may lie behind a branch, given by its index in the coverage map.
    pub fn reaches_open(&self, branch: u32) -> bool {
        self.reaches(branch, Scope::Open)
    }

    /// True if something open may lie behind the start of the unit.
    pub fn start_reaches_open(&self) -> bool {
        self.start_reaches(Scope::Open)
    }

    /// Number of places with something open at a branch, given by its index in the coverage map, and behind it; 0 where
    /// the graph is silent.
    pub(crate) fn open_behind(&self, branch: u32) -> u32 {
        let set = self.behind.get(branch as usize).copied().flatten();
        set.map_or(0, |set| self.open.count_in(set))
    }

    pub(crate) fn reaches(&self, branch: u32, scope: Scope) -> bool {
        match self.behind.get(branch as usize).copied().flatten() {
            _ if self.is_blind => true,
            Some(set) if self.any_in(set, scope) => true,
            Some(_) => (self.comes_again || self.several_calls) && self.start_reaches(scope),
            None => true,
        }
    }

    pub(crate) fn start_reaches(&self, scope: Scope) -> bool {
        self.is_blind || self.behind_start.is_none_or(|set| self.any_in(set, scope))
    }

    fn any_in(&self, set: u32, scope: Scope) -> bool {
        self.open.any_in(set) || scope == Scope::Wanted && self.again.any_in(set)
    }

    /// True if a branch leads directly to a statement that is a wanted goal.
    pub(crate) fn leads_to_wanted_statement(&self, branch: u32, scope: Scope) -> bool {
        let statements = self.statements.get(branch as usize).into_iter().flatten();
        statements.into_iter().any(|&goal| match self.wants[goal as usize] {
            Want::Cover => true,
            Want::CoverAgain => scope == Scope::Wanted,
            Want::Nothing => false,
        })
    }
}

fn has(set: &[u64], place: usize) -> bool {
    set[place / 64] >> (place % 64) & 1 == 1
}

/// The places of each goal, and the spot that each place stands for, ascending.
fn place_goals(model: &SourceModel, icfg: &Icfg, graph: &Graph, goals: &Goals) -> (Vec<Vec<u32>>, Vec<u32>) {
    let site_point = |site: &SiteId| icfg.site_points.get(site.0 as usize).copied().flatten();
    let spots_of = |goal: &GoalKind| -> Vec<u32> {
        match goal {
            GoalKind::Outcome { site, outcome, taken } => {
                let outcomes = (0..model.site(*site).outcomes()).filter(|at| (at == outcome) == *taken);
                let ways = site_point(site)
                    .into_iter()
                    .flat_map(|point| outcomes.clone().map(move |at| (point, at)));
                ways.filter_map(|way| graph.way_spot(icfg, way)).collect()
            }
            GoalKind::Decision { decision, .. } | GoalKind::Independence { decision, .. } => {
                let conditions = model.decision(*decision).conditions.iter();
                conditions.filter_map(site_point).map(|point| point.0).collect()
            }
            GoalKind::Statement(number) => {
                let ways = icfg.statements.get(*number as usize).into_iter().flatten();
                ways.filter_map(|&way| graph.way_spot(icfg, way)).collect()
            }
        }
    };
    let by_goal: Vec<Vec<u32>> = goals.goals().iter().map(spots_of).collect();
    let mut spots: Vec<u32> = by_goal.iter().flatten().copied().collect();
    spots.sort_unstable();
    spots.dedup();
    let place_of = |spot: &u32| spots.binary_search(spot).expect("every spot of a goal is listed") as u32;
    let places = by_goal
        .iter()
        .map(|of_goal| {
            let mut places: Vec<u32> = of_goal.iter().map(place_of).collect();
            places.sort_unstable();
            places.dedup();
            places
        })
        .collect();
    (places, spots)
}
