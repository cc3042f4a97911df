//! Branch goals of one unit and which of them were seen.
//!
//! Takes the source model and the coverage maps of runs, gives what is covered. The goals are those of `llvm-cov`'s
//! branch regions: each condition true and false; each switch arm taken and not taken, where an arm's "not taken" is
//! seen as soon as any other arm of that switch was.
//!
//! Never: how a run came to be.

use tarka_source::{FunctionId, SiteId, SiteKind, SourceModel};

use crate::SiteTable;

/// One goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BranchGoal {
    /// The site.
    pub site: SiteId,
    /// Condition: 0 or 1; switch: the arm.
    pub outcome: u32,
    /// False for "the switch went elsewhere than to this arm".
    pub taken: bool,
}

/// The branch goals of one function.
#[derive(Clone, Debug)]
pub struct BranchGoals {
    goals: Vec<BranchGoal>,
    /// Run that covered each goal first, counted from 1.
    first_run: Vec<Option<u64>>,
    /// Goals that a precondition rules out and no run has covered.
    excluded: Vec<bool>,
    open: usize,
    sites: Vec<GoalSite>,
    /// Outcomes seen in any run, by coverage index minus `first_index`.
    seen: Vec<bool>,
    first_index: u32,
}

/// A site of the unit, with its place in the coverage map and in the goal list.
#[derive(Clone, Debug)]
struct GoalSite {
    coverage_base: u32,
    outcomes: u32,
    is_switch: bool,
    first_goal: usize,
}

impl BranchGoals {
    /// The goals of a function, in the order of its sites.
    pub fn new(model: &SourceModel, sites: &SiteTable, function: FunctionId) -> BranchGoals {
        let mut goals = Vec::new();
        let mut goal_sites = Vec::new();
        for &id in &model.function(function).sites {
            let site = model.site(id);
            let is_switch = matches!(site.kind, SiteKind::Switch { .. });
            goal_sites.push(GoalSite {
                coverage_base: sites.coverage_index(id.0, 0).unwrap_or(0),
                outcomes: site.outcomes(),
                is_switch,
                first_goal: goals.len(),
            });
            for outcome in 0..site.outcomes() {
                goals.push(BranchGoal { site: id, outcome, taken: true });
                if is_switch {
                    goals.push(BranchGoal { site: id, outcome, taken: false });
                }
            }
        }
        let first_index = goal_sites.iter().map(|site| site.coverage_base).min().unwrap_or(0);
        let end = goal_sites.iter().map(|site| site.coverage_base + site.outcomes).max().unwrap_or(0);
        BranchGoals {
            first_run: vec![None; goals.len()],
            excluded: vec![false; goals.len()],
            open: goals.len(),
            goals,
            sites: goal_sites,
            seen: vec![false; (end - first_index) as usize],
            first_index,
        }
    }

    /// All goals.
    pub fn goals(&self) -> &[BranchGoal] {
        &self.goals
    }

    /// Number of goals nobody has covered yet, those left out that a precondition rules out.
    pub fn open(&self) -> usize {
        self.open
    }

    /// Number of goals covered.
    pub fn covered(&self) -> usize {
        self.first_run.iter().filter(|first| first.is_some()).count()
    }

    /// True if a precondition rules a goal out.
    pub fn is_excluded(&self, goal: usize) -> bool {
        self.excluded[goal]
    }

    /// Gives up the goal of taking this outcome, unless a run has taken it.
    pub(crate) fn exclude(&mut self, sites: &SiteTable, site: SiteId, outcome: u32) {
        let is_it = |goal: &BranchGoal| goal.site == site && goal.outcome == outcome && goal.taken;
        let Some(goal) = self.goals.iter().position(is_it) else { return };
        if self.first_run[goal].is_some() || self.excluded[goal] {
            return;
        }
        self.excluded[goal] = true;
        self.open -= 1;
        if let Some(index) = sites.coverage_index(site.0, outcome) {
            // Nobody looks for it any more.
            self.seen[(index - self.first_index) as usize] = true;
        }
    }

    /// The run that covered a goal first.
    pub fn first_run(&self, goal: usize) -> Option<u64> {
        self.first_run[goal]
    }

    /// Every goal that one coverage map covers, in order.
    pub fn covers(&self, map: &[u8]) -> Vec<u32> {
        let mut covered = Vec::new();
        for site in &self.sites {
            let base = site.coverage_base as usize;
            let Some(outcomes) = map.get(base..base + site.outcomes as usize) else { continue };
            let taken = outcomes.iter().filter(|&&seen| seen != 0).count();
            if taken == 0 {
                continue;
            }
            for (outcome, &seen) in outcomes.iter().enumerate() {
                if !site.is_switch {
                    covered.extend((seen != 0).then_some((site.first_goal + outcome) as u32));
                    continue;
                }
                let goal = (site.first_goal + 2 * outcome) as u32;
                covered.extend((seen != 0).then_some(goal));
                covered.extend((taken > usize::from(seen != 0)).then_some(goal + 1));
            }
        }
        covered
    }

    /// Takes the coverage map of run number `run`; gives every goal it covers, the new ones counted.
    pub fn absorb(&mut self, map: &[u8], run: u64) -> Coverage {
        for (offset, seen) in self.seen.iter_mut().enumerate() {
            *seen |= map.get(self.first_index as usize + offset).is_some_and(|&byte| byte != 0);
        }
        let covers = self.covers(map);
        let mut new = Vec::new();
        for &goal in &covers {
            let first = &mut self.first_run[goal as usize];
            if first.is_none() {
                *first = Some(run);
                self.open -= usize::from(!std::mem::take(&mut self.excluded[goal as usize]));
                new.push(goal);
            }
        }
        Coverage { covers, new }
    }

    /// True if this outcome belongs to the unit and no run has taken it yet.
    pub fn is_open_outcome(&self, sites: &SiteTable, site: u32, outcome: u32) -> bool {
        let Some(index) = sites.coverage_index(site, outcome) else { return false };
        let Some(offset) = index.checked_sub(self.first_index) else { return false };
        self.seen.get(offset as usize).is_some_and(|&seen| !seen)
    }
}

/// What one run covers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// All its goals.
    pub covers: Vec<u32>,
    /// Those no earlier run had covered.
    pub new: Vec<u32>,
}
