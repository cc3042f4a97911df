//! Goals on the way of runs that did not settle them.
//!
//! What a run passes before a candidate it covers, so a candidate is judged by what lies behind it. That is not so for a
//! run that a precondition ended, and for one that ended badly: whoever leaves it further down passes the same goals, and
//! may settle them.

use std::collections::HashMap;

use tarka_source::{Evidence, GoalKind, SourceModel};
use tarka_trace::TraceEvent;

use crate::SiteTable;
use crate::goals::coverage::{Goals, Scope};
use crate::paths::absorb::branch_of;
use crate::paths::tree::PathNode;

/// The goals that each such run passed, with the event from which on they were passed.
#[derive(Default)]
pub(crate) struct Passed {
    by_run: HashMap<u64, Vec<(u32, usize)>>,
    /// Outcomes by which each goal is passed at the latest, by index in the coverage map; none: not known.
    branches: Vec<Vec<u32>>,
}

impl Passed {
    pub(crate) fn new(model: &SourceModel, sites: &SiteTable, goals: &Goals) -> Passed {
        let all = |site: tarka_source::SiteId| 0..model.site(site).outcomes();
        let index = |site: tarka_source::SiteId, outcome| sites.coverage_index(site.0, outcome);
        let branches = goals.goals().iter().map(|goal| match goal {
            GoalKind::Outcome { site, outcome, taken } => {
                all(*site).filter(|at| (at == outcome) == *taken).filter_map(|at| index(*site, at)).collect()
            }
            GoalKind::Decision { decision, .. } | GoalKind::Independence { decision, .. } => {
                let conditions = &model.decision(*decision).conditions;
                conditions.iter().flat_map(|&site| all(site).filter_map(move |at| index(site, at))).collect()
            }
            GoalKind::Statement(_) => Vec::new(),
        });
        Passed { by_run: HashMap::new(), branches: branches.collect() }
    }

    /// Takes a run that did not end well: the wanted goals that it passed.
    pub(crate) fn absorb(
        &mut self,
        (goals, sites): (&Goals, &SiteTable),
        events: &[TraceEvent],
        evidence: &Evidence,
        run: u64,
    ) {
        let mut wanted: Vec<usize> = goals.covers(evidence).into_iter().map(|goal| goal as usize).collect();
        wanted.extend(goals.goals_of_evaluated(evidence));
        wanted.retain(|&goal| goals.is_wanted(goal, Scope::Wanted));
        wanted.sort_unstable();
        wanted.dedup();
        if wanted.is_empty() {
            return;
        }
        let first = first_events(sites, events);
        let passed = wanted.into_iter().map(|goal| {
            let events = self.branches[goal].iter().map(|&branch| first[branch as usize]);
            // Not every outcome is logged: one that is not was passed at an unknown time.
            let event = events.min().filter(|&event| event != NEVER).unwrap_or(0);
            (event, goal)
        });
        self.by_run.insert(run, passed.collect());
    }

    /// Forgets all runs.
    pub(crate) fn restart(&mut self) {
        self.by_run.clear();
    }

    /// The goals that the run which found a node had passed there without settling them then.
    pub(crate) fn before(&self, node: &PathNode) -> impl Iterator<Item = usize> {
        let passed = self.by_run.get(&node.run).into_iter().flatten();
        let event = node.place.event;
        passed.filter(move |&&(from, _)| from == 0 || from < event).map(|&(_, goal)| goal)
    }
}

const NEVER: u32 = u32::MAX;

/// The first event of each outcome of a source site, by index in the coverage map.
fn first_events(sites: &SiteTable, events: &[TraceEvent]) -> Vec<u32> {
    let mut first = vec![NEVER; sites.branch_count()];
    for (index, event) in events.iter().enumerate() {
        if let Some(branch) = branch_of(sites, event) {
            first[branch as usize] = first[branch as usize].min(index as u32);
        }
    }
    first
}
