//! From where on something that happened in a run matters: only goals that can be covered after it are in doubt.
//!
//! Takes places of instructions and branches; gives ways of the control-flow graph, or "from the start" where that is not
//! certain. Never: what it was that happened.

use tarka_search::{CandidateId, PathTree, Search};
use tarka_source::cfg::{Icfg, PointId};
use tarka_source::{GoalKind, Place, SiteId, SourceModel};
use tarka_trace::{EventKind, TraceEvent};

/// From where on something matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Since {
    /// From the start, or nobody knows from where.
    Start,
    /// Once this branch is taken.
    Branch(SiteId, u32),
    /// Once the graph is left this way.
    Way(PointId, u32),
}

impl Since {
    /// The last branch of the source among a run's events: what comes after them comes behind it.
    pub(crate) fn last_of(model: &SourceModel, events: &[TraceEvent]) -> Since {
        let is_source = |event: &&TraceEvent| {
            event.kind == EventKind::Condition as u16 || event.kind == EventKind::Switch as u16
        };
        match events.iter().rfind(is_source) {
            Some(event) if (event.site as usize) < model.sites.len() => {
                Since::Branch(SiteId(event.site), event.outcome.into())
            }
            _ => Since::Start,
        }
    }

    /// The branch that a candidate is, or the last one of the source before it: what lies behind the candidate lies behind
    /// that.
    pub fn of_candidate(model: &SourceModel, tree: &PathTree, candidate: CandidateId) -> Since {
        let node = tree.node_of(candidate);
        let outcome = u32::try_from(tree.candidate(candidate).outcome);
        if let (EventKind::Condition | EventKind::Switch, Ok(outcome)) = (node.kind, outcome) {
            return Since::Branch(SiteId(node.site), outcome);
        }
        let Some(mut index) = node.branch_before() else { return Since::Start };
        for site in &model.sites {
            if index < site.outcomes() {
                return Since::Branch(site.id, index);
            }
            index -= site.outcomes();
        }
        Since::Start
    }

    /// Everything that an instruction on a line of a function may come before. The statements and conditions on that
    /// line begin before anything in them is executed, and what follows the instruction follows their beginning too.
    pub fn at(model: &SourceModel, icfg: &Icfg, function: &str, place: Option<&Place>) -> Vec<Since> {
        let start = vec![Since::Start];
        let (Some(place), Some((_, function))) = (place, model.function_named(function)) else {
            return start;
        };
        let is_there =
            |file: &str, first: u32, last: u32| file == place.file && (first..=last).contains(&place.line);
        let statements = (function.first_statement..).zip(&function.statements);
        let statements: Vec<u32> = statements
            .filter(|(_, statement)| {
                is_there(&statement.place.file, statement.place.line, statement.end_line)
            })
            .map(|(number, _)| number)
            .collect();
        let ways = |number: &u32| icfg.statements.get(*number as usize).filter(|ways| !ways.is_empty());
        if statements.is_empty() || statements.iter().any(|number| ways(number).is_none()) {
            return start;
        }
        let mut found: Vec<Since> = statements
            .iter()
            .filter_map(ways)
            .flatten()
            .map(|&(point, outcome)| Since::Way(point, outcome))
            .collect();
        for &site in &function.sites {
            let site = model.site(site);
            if is_there(&site.place.file, *site.lines.start(), *site.lines.end()) {
                found.extend((0..site.outcomes()).map(|outcome| Since::Branch(site.id, outcome)));
            }
        }
        found
    }

    /// True if a goal may be covered after this, or by it.
    pub fn matters(
        self,
        model: &SourceModel,
        icfg: &Icfg,
        search: &Search,
        (index, goal): (usize, GoalKind),
    ) -> bool {
        match self {
            Since::Start => true,
            Since::Way(point, outcome) => search.may_follow((point, outcome), index),
            Since::Branch(site, outcome) => {
                let covers = match goal {
                    GoalKind::Outcome { site: own, outcome: side, taken } => {
                        own == site && (side == outcome) == taken
                    }
                    GoalKind::Statement(_) => false,
                    GoalKind::Decision { decision, .. } | GoalKind::Independence { decision, .. } => {
                        model.decision(decision).conditions.contains(&site)
                    }
                };
                let point = icfg.site_points.get(site.0 as usize).copied().flatten();
                covers || point.is_none_or(|point| search.may_follow((point, outcome), index))
            }
        }
    }
}
