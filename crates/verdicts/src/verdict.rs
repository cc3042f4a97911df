//! The verdict on each goal and on the unit.
//!
//! Takes the end of a search and what was lost on the way; gives goals with verdicts in words. "Infeasible" is a
//! proof within the stated input bounds; everything less is "unknown" with the cause. A goal is in doubt only for what
//! may lead to it: a budget that ran out elsewhere, or a value lost where the goal can no longer be reached, leaves its
//! proof untouched.

use tarka_events::{Cause, Goal, Proof, Status, Verdict};
use tarka_search::{FaultGoalsLeft, Search, WaysLeft};
use tarka_source::cfg::Icfg;
use tarka_source::{FunctionId, GoalKind, SiteId, SourceModel};

use crate::contradiction::{Contradictions, Derived, Flow};
use crate::doubt::{Doubt, Doubts, does_not_repeat, shared_otherwise};
use crate::goal::Descriptions;
use crate::pairing;
use crate::preconditions::Preconditions;
use crate::since::Since;
use crate::words::count;

/// How a unit's search ended.
pub enum Ending {
    /// Nothing was left to try.
    NothingLeft,
    /// A budget ran out.
    Budget(UsedUp),
    /// The unit could not be run.
    Failed(String),
}

/// A budget that ran out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedUp {
    /// Which.
    pub what: String,
    /// How to get more of it.
    pub advice: String,
}

/// What the verdicts are based on.
pub struct Grounds<'a> {
    /// The program.
    pub model: &'a SourceModel,
    /// The unit.
    pub function: FunctionId,
    /// The ways through it.
    pub icfg: &'a Icfg,
    /// What was searched.
    pub search: &'a Search,
    /// Milliseconds at which each goal was covered.
    pub covered_ms: &'a [u64],
    /// What may leave a doubt.
    pub doubts: Doubts<'a>,
    /// What the user rules out.
    pub preconditions: &'a Preconditions<'a>,
    /// Branches that contradict what holds on every way to them.
    pub contradictions: &'a Contradictions,
    /// What follows from infeasible branches.
    pub derived: Option<Derived<'a>>,
    /// How the search ended.
    pub ending: &'a Ending,
    /// Runs that were made.
    pub runs: u64,
    /// Some run was made with inputs of the last size.
    pub any_run: bool,
    /// Inputs have pointers.
    pub has_pointers: bool,
}

impl Grounds<'_> {
    /// Every goal with its verdict. What is infeasible of another function's goals is so from the unit: another caller may
    /// come there.
    pub fn goals(&self) -> Vec<Goal> {
        let mut described = Descriptions::new(self.model, self.function);
        let ways_left = self.search.ways_left();
        let goals = self.search.goals().goals().iter().enumerate();
        let verdict = |(index, goal): (usize, &GoalKind)| match self.verdict((index, *goal), ways_left[index])
        {
            Verdict::Infeasible { proof, reason, advice } if goal.function(self.model) != self.function => {
                let reason =
                    format!("infeasible from {}(): {reason}", self.model.function(self.function).name);
                Verdict::Infeasible { proof, reason, advice }
            }
            verdict => verdict,
        };
        goals.map(|(index, goal)| described.goal(*goal, verdict((index, goal)))).collect()
    }

    fn verdict(&self, (index, goal): (usize, GoalKind), left: WaysLeft) -> Verdict {
        let goals = self.search.goals();
        if let Some(run) = goals.first_run(index) {
            let pair = goals.pair(index).map(|((_, held), (_, failed))| [held, failed]);
            return Verdict::Covered { run, ms: self.covered_ms[index], pair };
        }
        let infeasible = |proof, reason| Verdict::Infeasible { proof, reason, advice: None };
        if let Some(reason) = self.never(goal) {
            return infeasible(Proof::Unreachable, reason);
        }
        // What contradicts what the unit's own conditions have said says nothing about other functions.
        let derived = self.derived.as_ref().filter(|_| goal.function(self.model) == self.function);
        if let Some(reason) = derived.and_then(|derived| derived.refutes(goal)) {
            return infeasible(Proof::Contradiction, reason);
        }
        let ruled_out = self.preconditions.rules_out(index as u32);
        let excluded = |(reason, advice)| {
            let advice = Some(advice);
            Verdict::Infeasible { proof: Proof::Precondition, reason, advice }
        };
        if let Some(ruled_out) = ruled_out.clone().filter(|_| goals.is_excluded(index)) {
            return excluded(ruled_out);
        }
        let Some(mut doubt) = self.doubt_of((index, goal), left) else {
            if let Some(ruled_out) = ruled_out {
                return excluded(ruled_out);
            }
            let reason = self.proof();
            let mattered = self.preconditions.that_mattered();
            let advice =
                mattered.map(|all| format!("drop a precondition, if such inputs are to be tested: {all}"));
            // What is possible by itself, only the preconditions can have ruled out.
            let proof = match goal {
                GoalKind::Outcome { site, outcome, taken: true }
                    if advice.is_some() && self.contradictions.is_consistent(site, outcome) =>
                {
                    Proof::Precondition
                }
                _ => Proof::Exhausted,
            };
            return Verdict::Infeasible { proof, reason, advice };
        };
        if let Some(lacks) = self.lacking(goal) {
            doubt.reason = format!("{lacks}: {}", doubt.reason);
        }
        doubt.verdict()
    }

    /// Why a goal that no run covered may still be possible; `None` if it is not.
    fn doubt_of(&self, goal: (usize, GoalKind), left: WaysLeft) -> Option<Doubt> {
        let matters = |since: Since| since.matters(self.model, self.icfg, self.search, goal);
        self.failure()
            .or_else(|| self.unanswered(&matters, left))
            .or_else(|| self.untried(left))
            .or_else(|| self.doubts.first(&matters))
            .or_else(|| (left.diverged > 0).then(|| self.diverged()))
            .or_else(|| self.unrecorded(goal.1))
    }

    /// Why what no run did may still be possible; `None` if it is not.
    pub fn doubt(&self) -> Option<Doubt> {
        let all = self.search.tree().open_candidates() as u64;
        let open = if matches!(self.ending, Ending::Budget(_)) { all.max(1) } else { 0 };
        let left = WaysLeft { open, ..WaysLeft::default() };
        let solver = self.unanswered(&|_| true, WaysLeft { unknown: 1, ..left });
        self.failure().or(solver).or_else(|| self.untried(left)).or_else(|| self.doubts.first(&|_| true))
    }

    fn failure(&self) -> Option<Doubt> {
        let Ending::Failed(message) = self.ending else { return None };
        Some(Doubt::new(Cause::Error, format!("the unit could not be run: {message}")))
    }

    /// Ways to the goal that the solver gave up on.
    fn unanswered(&self, matters: &dyn Fn(Since) -> bool, left: WaysLeft) -> Option<Doubt> {
        if left.unknown == 0 {
            return None;
        }
        let losses = self.doubts.losses;
        let is_on_the_way = |(site, outcome): (u32, u64)| match u32::try_from(outcome) {
            Ok(outcome) if (site as usize) < self.model.sites.len() => {
                matters(Since::Branch(SiteId(site), outcome))
            }
            _ => true,
        };
        let (&(site, _), why) = losses.unknown.iter().find(|(branch, _)| is_on_the_way(**branch))?;
        let place = self.model.sites.get(site as usize).map(|site| site.place.clone());
        let asked = count(left.unknown, "way");
        let at = place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
        let reason = format!("the solver gave up on {asked} that may lead there{at}: {why}");
        let advice = "fix a part of the inputs with `--assume`, which makes the question smaller";
        Some(Doubt { place, ..Doubt::new(Cause::Solver, reason).advising(advice) })
    }

    /// Ways to the goal that nobody has tried.
    fn untried(&self, left: WaysLeft) -> Option<Doubt> {
        let Ending::Budget(UsedUp { what, advice }) = self.ending else {
            let text = || format!("{} may lead there", count(left.open, "untried way"));
            return (left.open > 0).then(|| Doubt::new(Cause::Budget, text()));
        };
        if left.open == 0 && self.any_run {
            return None;
        }
        let ways = count(left.open, "way");
        let reason = format!("{what} with {ways} left to try that may lead there");
        Some(Doubt::new(Cause::Budget, reason).advising(advice))
    }

    /// Runs for ways to the goal that went elsewhere.
    fn diverged(&self) -> Doubt {
        if self.doubts.losses.moved == 0 {
            return does_not_repeat();
        }
        shared_otherwise()
    }

    /// Evaluations that were not recorded or not kept may have shown the goal.
    fn unrecorded(&self, goal: GoalKind) -> Option<Doubt> {
        let forgot = match goal {
            GoalKind::Independence { decision, .. } => self.search.goals().forgot_evaluations(decision),
            GoalKind::Decision { .. } => false,
            GoalKind::Outcome { .. } | GoalKind::Statement(_) => return None,
        };
        let text = "the decision was evaluated in more ways than are kept";
        let advice = "split the decision into smaller ones";
        let dropped = forgot || self.doubts.losses.evaluations_dropped > 0;
        dropped.then(|| Doubt::new(Cause::Stopped, text).advising(advice))
    }

    /// Why the text alone, whatever the inputs are, keeps a goal from being covered.
    fn never(&self, goal: GoalKind) -> Option<String> {
        let function = goal.function(self.model);
        let reachable = match goal {
            GoalKind::Outcome { site, taken: false, .. } if self.model.site(site).outcomes() == 1 => {
                return Some("the switch has no other way to go".to_string());
            }
            GoalKind::Outcome { site, outcome, taken: true } if !self.model.site(site).allows(outcome) => {
                return Some("a string literal is never null".to_string());
            }
            GoalKind::Outcome { site, .. } => self.is_reachable(function, site),
            GoalKind::Statement(statement) => self.is_executable(function, statement),
            GoalKind::Decision { decision, .. } | GoalKind::Independence { decision, .. } => {
                let conditions = &self.model.decision(decision).conditions;
                conditions.iter().any(|site| self.is_reachable(function, *site))
            }
        };
        (!reachable).then(|| "no way through the function leads there".to_string())
    }

    /// For a condition that is to decide alone: the evaluation that would complete a pair.
    fn lacking(&self, goal: GoalKind) -> Option<String> {
        let GoalKind::Independence { decision, position } = goal else { return None };
        let seen = self.search.goals().evaluations(decision).iter();
        let seen = seen.map(|(evaluation, run)| (evaluation, *run));
        Some(pairing::lacking(self.model, decision, position, seen))
    }

    /// What an exhausted tree proves, with the bounds it was explored in.
    fn proof(&self) -> String {
        let runs = count(self.runs, "run");
        let mut explored = match self.ending {
            Ending::NothingLeft => format!("every path was explored ({runs})"),
            _ => format!("every way that may lead there was tried ({runs})"),
        };
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

    /// True if the control-flow graph has a way from the entry of its function to the site.
    fn is_reachable(&self, function: FunctionId, site: SiteId) -> bool {
        let Some(flow) = Flow::new(self.icfg, function) else { return true };
        flow.point(site).is_some_and(|point| {
            flow.reached(self.model, |site, outcome| self.allows(site, outcome)).point(point)
        })
    }

    /// False for a side that a string literal never takes.
    fn allows(&self, site: SiteId, outcome: u32) -> bool {
        self.model.site(site).allows(outcome)
    }

    /// True if the control-flow graph has a way from the entry of its function on which the statement is executed.
    fn is_executable(&self, function: FunctionId, statement: u32) -> bool {
        let Some(flow) = Flow::new(self.icfg, function) else { return true };
        if statement as usize >= self.icfg.statements.len() {
            return true;
        }
        let reached = flow.reached(self.model, |site, outcome| self.allows(site, outcome));
        flow.ways(statement).any(|(point, site, outcome)| {
            reached.point(point) && site.is_none_or(|site| self.allows(site, outcome))
        })
    }
}

/// The verdict on a unit with these goals. Faults that are looked for are goals as well: what was not tried for them may
/// be there.
pub fn status(goals: &[Goal], left: FaultGoalsLeft) -> Status {
    let is_settled = left == FaultGoalsLeft::default();
    if !is_settled || goals.iter().any(|goal| matches!(goal.verdict, Verdict::Unknown { .. })) {
        Status::Budget
    } else {
        Status::Complete
    }
}
