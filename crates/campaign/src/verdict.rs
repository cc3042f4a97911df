//! The verdict on each goal and on the unit.
//!
//! Takes the end of a search and what was lost on the way; gives goals with verdicts in words. "Infeasible" is a
//! proof within the stated input bounds; everything less is "unknown" with the reason.

use tarka_events::{Cause, Goal, Proof, Status, Verdict};
use tarka_search::Goals;
use tarka_source::cfg::Icfg;
use tarka_source::{FunctionId, GoalKind, SiteId, SourceModel};

use crate::doubt::Doubt;
use crate::goal::Descriptions;
use crate::losses::{Losses, Obstacles};
use crate::pairing;
use crate::preconditions::Preconditions;
use crate::shape::ShapeLimits;

/// How a unit's search ended.
pub(crate) enum Ending {
    /// Nothing was left to try.
    NothingLeft,
    /// A budget ran out: which, and how many ways were left to try.
    Budget { what: String, open: usize },
    /// The unit could not be run.
    Failed(String),
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

impl Grounds<'_> {
    /// Every goal with its verdict.
    pub(crate) fn goals(&self) -> Vec<Goal> {
        let mut described = Descriptions::new(self.model, self.function);
        let goals = self.goals.goals().iter().enumerate();
        goals.map(|(index, goal)| described.goal(*goal, self.verdict(index, *goal))).collect()
    }

    fn verdict(&self, index: usize, goal: GoalKind) -> Verdict {
        if let Some(run) = self.goals.first_run(index) {
            let pair = self.goals.pair(index).map(|((_, held), (_, failed))| [held, failed]);
            return Verdict::Covered { run, ms: self.covered_ms[index], pair };
        }
        if let Some(reason) = self.never(goal) {
            return Verdict::Infeasible { proof: Proof::Unreachable, reason, advice: None };
        }
        let ruled_out = self.preconditions.rules_out(index as u32);
        let excluded = |reason| Verdict::Infeasible { proof: Proof::Precondition, reason, advice: None };
        if let Some(reason) = ruled_out.clone().filter(|_| self.goals.is_excluded(index)) {
            return excluded(reason);
        }
        let Some(mut doubt) = self.doubt_of(goal) else {
            return match ruled_out {
                Some(reason) => excluded(reason),
                None => Verdict::Infeasible { proof: Proof::Exhausted, reason: self.proof(), advice: None },
            };
        };
        if let Some(lacks) = self.lacking(goal) {
            doubt.reason = format!("{lacks}: {}", doubt.reason);
        }
        doubt.verdict()
    }

    /// Why a goal that no run covered may still be possible; `None` if it is not.
    fn doubt_of(&self, goal: GoalKind) -> Option<Doubt> {
        if let Some(reason) = self.unanswered(goal) {
            return Some(Doubt::new(Cause::Solver, format!("the solver gave up: {reason}")));
        }
        self.doubt()
    }

    /// Why the text alone, whatever the inputs are, keeps a goal from being covered.
    fn never(&self, goal: GoalKind) -> Option<String> {
        let reachable = match goal {
            GoalKind::Outcome { site, taken: false, .. } if self.model.site(site).outcomes() == 1 => {
                return Some("the switch has no other way to go".to_string());
            }
            GoalKind::Outcome { site, .. } => self.is_reachable(site),
            GoalKind::Statement(statement) => self.is_executable(statement),
            GoalKind::Decision { decision, .. } | GoalKind::Independence { decision, .. } => {
                let conditions = &self.model.decision(decision).conditions;
                conditions.iter().any(|site| self.is_reachable(*site))
            }
        };
        (!reachable).then(|| "no way through the function leads there".to_string())
    }

    /// Why the solver gave up on a branch that the goal needs.
    fn unanswered(&self, goal: GoalKind) -> Option<&String> {
        match goal {
            GoalKind::Outcome { site, outcome, .. } => self.losses.unknown.get(&(site.0, outcome.into())),
            GoalKind::Statement(_) => None,
            GoalKind::Decision { decision, .. } | GoalKind::Independence { decision, .. } => {
                let conditions = self.model.decision(decision).conditions.iter();
                let mut sides = conditions.flat_map(|site| [(site.0, 0), (site.0, 1)]);
                sides.find_map(|side| self.losses.unknown.get(&side))
            }
        }
    }

    /// For a condition that is to decide alone: the evaluation that would complete a pair.
    fn lacking(&self, goal: GoalKind) -> Option<String> {
        let GoalKind::Independence { decision, position } = goal else { return None };
        let seen = self.goals.evaluations(decision).iter().map(|(evaluation, run)| (evaluation, *run));
        Some(pairing::lacking(self.model, decision, position, seen))
    }

    /// Why what no run did may still be possible; `None` if it is not.
    pub(crate) fn doubt(&self) -> Option<Doubt> {
        match self.ending {
            Ending::Budget { what, open } => {
                Some(Doubt::new(Cause::Budget, format!("{what} with {open} ways left to try")))
            }
            Ending::Failed(message) => {
                Some(Doubt::new(Cause::Error, format!("the unit could not be run: {message}")))
            }
            Ending::NothingLeft => self.losses.doubt(self.obstacles, self.limits),
        }
    }

    /// What an exhausted tree proves, with the bounds it was explored in.
    fn proof(&self) -> String {
        let mut explored = format!("every path was explored ({})", crate::budget::count(self.runs, "run"));
        if let Some(preconditions) = self.preconditions.that_mattered() {
            explored += &format!(" that the preconditions allow: {preconditions}");
        }
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
        let Some(seen) = self.reached_points() else { return true };
        let point = self.icfg.site_points.get(site.0 as usize).copied().flatten();
        point.is_some_and(|point| seen[point.0 as usize])
    }

    /// True if the control-flow graph has a way from the unit's entry on which the statement is executed.
    fn is_executable(&self, statement: u32) -> bool {
        let ways = self.icfg.statements.get(statement as usize);
        let (Some(seen), Some(ways)) = (self.reached_points(), ways) else { return true };
        ways.iter().any(|(point, _)| seen[point.0 as usize])
    }

    /// Which points can be reached from the unit's entry; `None` if the graph does not know the unit.
    fn reached_points(&self) -> Option<Vec<bool>> {
        let entry = self.icfg.entries.get(self.function.0 as usize).copied().flatten()?;
        let mut seen = vec![false; self.icfg.points.len()];
        let mut open = vec![entry];
        while let Some(point) = open.pop() {
            if std::mem::replace(&mut seen[point.0 as usize], true) {
                continue;
            }
            open.extend(self.icfg.points[point.0 as usize].edges.iter().map(|edge| edge.to));
        }
        Some(seen)
    }
}

/// The verdict on a unit with these goals.
pub(crate) fn status(goals: &[Goal]) -> Status {
    if goals.iter().any(|goal| matches!(goal.verdict, Verdict::Unknown { .. })) {
        Status::Budget
    } else {
        Status::Complete
    }
}
