//! The verdict on each goal and on the unit.
//!
//! Takes the end of a search and what was lost on the way; gives goals with verdicts in words. "Infeasible" is a
//! proof within the stated input bounds; everything less is "unknown" with the reason.

use tarka_events::{Goal, Status, Verdict};
use tarka_search::Goals;
use tarka_source::cfg::Icfg;
use tarka_source::{FunctionId, GoalKind, SiteId, SiteKind, SourceModel};

use crate::losses::{Losses, Obstacles};
use crate::preconditions::Preconditions;
use crate::shape::ShapeLimits;

/// How a unit's search ended.
pub(crate) enum Ending {
    /// Nothing was left to try.
    NothingLeft,
    /// A budget ran out: which, and how many ways were left to try.
    Budget { what: String, open: usize },
}

/// What the verdicts are based on.
pub(crate) struct Grounds<'a> {
    pub model: &'a SourceModel,
    pub function: FunctionId,
    pub icfg: &'a Icfg,
    pub goals: &'a Goals,
    /// Milliseconds at which each goal was covered.
    pub covered_ms: &'a [u64],
    pub losses: &'a Losses,
    pub obstacles: &'a Obstacles,
    pub preconditions: &'a Preconditions<'a>,
    /// The limits of the last epoch.
    pub limits: &'a ShapeLimits,
    pub ending: &'a Ending,
    pub runs: u64,
    /// Inputs have pointers.
    pub has_pointers: bool,
}

/// A goal of a site.
struct Outcome {
    site: SiteId,
    outcome: u32,
    taken: bool,
}

impl Grounds<'_> {
    /// Every goal with its verdict.
    pub(crate) fn goals(&self) -> Vec<Goal> {
        let goals = self.goals.goals().iter().enumerate();
        let outcomes = goals.filter_map(|(index, goal)| match *goal {
            GoalKind::Outcome { site, outcome, taken } => Some((index, Outcome { site, outcome, taken })),
            _ => None,
        });
        outcomes.map(|(index, goal)| self.describe(&goal, self.verdict(index, &goal))).collect()
    }

    fn describe(&self, goal: &Outcome, verdict: Verdict) -> Goal {
        let site = self.model.site(goal.site);
        let function = self.model.function(self.function);
        let ordinal = function.sites.iter().position(|&id| id == goal.site).unwrap_or(0);
        let (kind, place, text, side) = match &site.kind {
            SiteKind::Condition { .. } => ("condition", &site.place, site.text.clone(), ""),
            SiteKind::Switch { arms, .. } => {
                let arm = &arms[goal.outcome as usize];
                let text = format!("switch ({}) {}", site.text, arm.text);
                ("switch-case", &arm.place, text, if goal.taken { "" } else { ":not" })
            }
        };
        Goal {
            id: format!("{}:{ordinal}:{}{side}", function.name, goal.outcome),
            site: goal.site,
            outcome: goal.outcome,
            taken: goal.taken,
            place: place.clone(),
            kind,
            text,
            verdict,
        }
    }

    fn verdict(&self, index: usize, goal: &Outcome) -> Verdict {
        if let Some(run) = self.goals.first_run(index) {
            return Verdict::Covered { run, ms: self.covered_ms[index] };
        }
        let outcomes = self.model.site(goal.site).outcomes();
        if !goal.taken && outcomes == 1 {
            return Verdict::Infeasible("the switch has no other way to go".to_string());
        }
        if !self.is_reachable(goal.site) {
            return Verdict::Infeasible("no way through the function leads there".to_string());
        }
        let ruled_out = self.preconditions.rules_out(index as u32);
        if let Some(reason) = ruled_out.clone().filter(|_| self.goals.is_excluded(index)) {
            return Verdict::Infeasible(reason);
        }
        if let Some(reason) = self.losses.unknown.get(&(goal.site.0, goal.outcome as u64)) {
            return Verdict::Unknown(format!("the solver gave up: {reason}"));
        }
        match self.ending {
            Ending::Budget { what, open } => Verdict::Unknown(format!("{what} with {open} ways left to try")),
            Ending::NothingLeft => match self.losses.reason(self.obstacles, self.limits) {
                Some(reason) => Verdict::Unknown(reason),
                None => Verdict::Infeasible(ruled_out.unwrap_or_else(|| self.proof())),
            },
        }
    }

    /// Why what no run did may still be possible; `None` if it is not.
    pub(crate) fn doubt(&self) -> Option<String> {
        match self.ending {
            Ending::Budget { what, .. } => Some(what.clone()),
            Ending::NothingLeft => self.losses.reason(self.obstacles, self.limits),
        }
    }

    /// What an exhausted tree proves, with the bounds it was explored in.
    fn proof(&self) -> String {
        let explored = format!("every path was explored ({})", crate::budget::count(self.runs, "run"));
        if !self.has_pointers {
            return explored;
        }
        // No pointer was cut off, or this would be no proof.
        format!(
            "{explored}, with pointers null, to objects of their own, or shared where the unit compares them"
        )
    }

    /// True if the control-flow graph has a way from the unit's entry to the site.
    fn is_reachable(&self, site: SiteId) -> bool {
        let Some(entry) = self.icfg.entries.get(self.function.0 as usize).copied().flatten() else {
            return true;
        };
        let Some(Some(goal)) = self.icfg.site_points.get(site.0 as usize) else { return false };
        let mut seen = vec![false; self.icfg.points.len()];
        let mut open = vec![entry];
        while let Some(point) = open.pop() {
            if std::mem::replace(&mut seen[point.0 as usize], true) {
                continue;
            }
            open.extend(self.icfg.points[point.0 as usize].edges.iter().map(|edge| edge.to));
        }
        seen[goal.0 as usize]
    }
}

/// The verdict on a unit with these goals.
pub(crate) fn status(goals: &[Goal]) -> Status {
    if goals.iter().any(|goal| matches!(goal.verdict, Verdict::Unknown(_))) {
        Status::Budget
    } else {
        Status::Complete
    }
}
