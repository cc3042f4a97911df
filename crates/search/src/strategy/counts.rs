//! Dataflow help for `auto`: goals behind a counter or a flag that earlier branches set.
//!
//! Such a goal has no candidate of its own that is feasible: its condition is concrete in every run, or pinned by the
//! branches before it. What can change it is how often the branches before it go each way. So for each *target*, a site
//! that runs come by and of which an outcome is open, and for each branch that candidates of those runs could take, the
//! runs that take the branch most often, or could, are kept, and one more decision of the best is flipped to that branch:
//! first where most of the run lies behind it. A run that comes by the target with one more is the one to go on from. A
//! loop that counts, or that sets a flag unless every element passes, is climbed in as many runs as it has rounds.
//!
//! Only a few targets are followed at a time, in the order in which runs came by. The climb that was asked least goes on;
//! one that came further is asked more often, for a while at once. A target that has had its share makes room for the next.
//! Not a complete strategy: it hands out nothing when no climb is left.

use std::collections::{BTreeSet, VecDeque};

use tarka_source::GoalKind;

use super::{RunSummary, Strategy, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// What a choice costs a climb, and what it gets back when a run came further.
const COST: u32 = 4;
const REFUND: u32 = 3;

/// Runs that a climb can go on from, at most.
const MOST_RUNS: usize = 8;

/// Runs of others that are looked at when a target is new, and how many are passed over for each one later.
const FIRST_RUNS: u32 = 16;
const PASSED_OVER: u32 = 7;

/// Targets followed at a time, and choices for each before others have their turn.
const FOLLOWED: usize = 8;
const SHARE: u32 = 64;

/// Choices for one target with which a climb goes on at once, because the last choice brought it further: few at first, and
/// many for one that is insisted on. Not without end: a loop may be climbed for ever.
const IMPETUS: u32 = 4;
const INSISTENCE: u32 = 32;

/// No climb.
const NONE: u32 = u32::MAX;

/// Climbs towards goals behind counters and flags.
#[derive(Default)]
pub struct Counts {
    /// For each goal of an outcome, the goals of its site: first and last plus one. A target is known by its first goal.
    siblings: Vec<(u32, u32)>,
    /// Targets that a run has come by.
    is_known: Vec<bool>,
    followed: VecDeque<OpenSite>,
    waiting: VecDeque<u32>,
    /// How often a branch was taken on the path at hand, by its index in the coverage map.
    taken: Vec<u32>,
    /// The candidate that was chosen and is not answered: its run is looked at.
    asked: Option<CandidateId>,
    /// Runs of others since one of them was looked at.
    passed_over: u32,
}

/// A site with an open outcome, and the ways to it.
struct OpenSite {
    goal: u32,
    climbs: Vec<Climb>,
    /// The climb of each branch, by its index in the coverage map.
    climb_of: Vec<u32>,
    /// Climbs by what they have cost; the cheapest goes on. Those without a run are missing.
    by_cost: BTreeSet<(u32, u32)>,
    choices: u32,
    /// Runs that were looked at.
    seen: u32,
    /// Choices left to go on with a climb at once.
    impetus: u32,
    /// The climb that was asked last, and whether a run came further since.
    latest: u32,
    goes_on: bool,
}

/// How far a run is: how often it would take the branch if all its flips succeeded, and how often it does. A run that
/// left out a round for which it has no flip of its own will never make up for it.
type Height = (u32, u32);

/// A run to go on from, with its candidates from first to last.
type Run = (Height, CandidateId, CandidateId);

/// Taking one branch more often.
struct Climb {
    branch: u32,
    /// The best run so far.
    best: Height,
    /// The best last.
    runs: Vec<Run>,
    cost: u32,
}

impl Climb {
    /// True if a run is good enough to be kept.
    fn wants(&self, run: Run) -> bool {
        self.runs.len() < MOST_RUNS || self.runs[0].0 < run.0
    }

    /// Takes a run; true if it came further than all before.
    fn take(&mut self, run: Run) -> bool {
        if self.runs.len() == MOST_RUNS {
            self.runs.remove(0);
        }
        let at = self.runs.partition_point(|known| known.0 <= run.0);
        self.runs.insert(at, run);
        let is_further = run.0 > self.best;
        self.best = self.best.max(run.0);
        is_further
    }

    /// The first flip of the best run; runs without one are given up.
    fn candidate(&mut self, view: View) -> Option<CandidateId> {
        while let Some(&(_, first, last)) = self.runs.last() {
            let candidates = (first.0..=last.0).map(CandidateId);
            let is_open = |&id: &CandidateId| view.is_open(id) && !view.tree.candidate(id).is_fault;
            let found = candidates.filter(is_open).find(|&id| view.source_branch(id) == Some(self.branch));
            if found.is_some() {
                return found;
            }
            self.runs.pop();
        }
        None
    }
}

impl OpenSite {
    fn new(goal: u32, branches: usize) -> OpenSite {
        let climb_of = vec![NONE; branches];
        OpenSite {
            goal,
            climbs: Vec::new(),
            climb_of,
            by_cost: BTreeSet::new(),
            choices: 0,
            seen: 0,
            impetus: IMPETUS,
            latest: NONE,
            goes_on: false,
        }
    }

    /// A run came by that could have taken a branch.
    fn take(&mut self, branch: u32, run: Run) {
        let fresh = self.climbs.len() as u32;
        let slot = &mut self.climb_of[branch as usize];
        if *slot == NONE {
            *slot = fresh;
            self.climbs.push(Climb { branch, best: run.0, runs: Vec::new(), cost: 0 });
        }
        let index = *slot;
        let climb = &mut self.climbs[index as usize];
        if !climb.wants(run) {
            return;
        }
        let before = climb.cost;
        if climb.take(run) {
            climb.cost = climb.cost.saturating_sub(REFUND);
            self.goes_on |= index == self.latest;
            self.by_cost.remove(&(before, index));
        }
        self.by_cost.insert((climb.cost, index));
    }

    /// True if the climb that was asked last should be asked again.
    fn goes_on(&self) -> bool {
        self.goes_on && self.impetus > 0
    }

    /// The next climb to ask.
    fn next(&mut self) -> Option<u32> {
        if self.goes_on() {
            self.impetus -= 1;
            let climb = self.latest;
            self.by_cost.remove(&(self.climbs[climb as usize].cost, climb));
            return Some(climb);
        }
        self.by_cost.pop_first().map(|(_, climb)| climb)
    }

    fn choose(&mut self, view: View) -> Option<CandidateId> {
        while let Some(index) = self.next() {
            (self.latest, self.goes_on) = (index, false);
            let climb = &mut self.climbs[index as usize];
            // A climb without a run waits for the next one.
            let Some(candidate) = climb.candidate(view) else { continue };
            climb.cost += COST;
            self.by_cost.insert((climb.cost, index));
            self.choices += 1;
            return Some(candidate);
        }
        None
    }
}

impl Counts {
    /// True if the latest run came further on a climb, which should go on at once.
    pub(super) fn goes_on(&self) -> bool {
        self.followed.back().is_some_and(OpenSite::goes_on)
    }

    /// The next target should be climbed to for a while: nothing else leads to it.
    pub(super) fn insist(&mut self) {
        if let Some(next) = self.followed.front_mut() {
            next.impetus = next.impetus.max(INSISTENCE);
        }
    }

    fn find_siblings(&mut self, view: View) {
        let goals = view.goals.goals();
        let site = |goal: &GoalKind| match goal {
            GoalKind::Outcome { site, .. } => Some(*site),
            _ => None,
        };
        let mut first = 0;
        for chunk in goals.chunk_by(|a, b| site(a).is_some() && site(a) == site(b)) {
            let range = (first, first + chunk.len() as u32);
            self.siblings.extend(chunk.iter().map(|goal| site(goal).map_or((0, 0), |_| range)));
            first = range.1;
        }
        self.is_known = vec![false; goals.len()];
    }

    /// Notes the targets that a run came by; gives them ordered.
    fn meet(&mut self, view: View, run: RunSummary) -> Vec<u32> {
        let mut targets: Vec<u32> = Vec::new();
        for &goal in run.covers {
            let (first, end) = self.siblings[goal as usize];
            if targets.last() == Some(&first) || !is_target(view, (first, end)) {
                continue;
            }
            targets.push(first);
            if !std::mem::replace(&mut self.is_known[first as usize], true) {
                self.waiting.push_back(first);
            }
        }
        targets
    }

    /// Counts the branches of the path that ends here.
    fn count_path(&mut self, view: View, run: RunSummary) {
        self.taken.clear();
        self.taken.resize(view.sites.branch_count(), 0);
        let mut at = run.last.map(|last| (last, 0));
        while let Some((id, edge)) = at {
            let node = view.tree.node(id);
            if let Some(edge) = node.edges.iter().nth(edge as usize)
                && let Ok(outcome) = u32::try_from(edge.outcome)
                && let Some(branch) = view.sites.coverage_index(node.site, outcome)
            {
                self.taken[branch as usize] += 1;
            }
            at = node.parent;
        }
    }

    /// Follows waiting targets while there is room.
    fn follow(&mut self, view: View) {
        while self.followed.len() < FOLLOWED
            && let Some(goal) = self.waiting.pop_front()
        {
            if is_target(view, self.siblings[goal as usize]) {
                self.followed.push_back(OpenSite::new(goal, view.sites.branch_count()));
            }
        }
    }
}

/// True if one of these goals is open.
fn is_target(view: View, (first, end): (u32, u32)) -> bool {
    (first..end).any(|goal| view.goals.is_open(goal as usize))
}

impl Strategy for Counts {
    fn name(&self) -> &'static str {
        "counts"
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        if self.siblings.is_empty() {
            self.find_siblings(view);
        }
        let targets = self.meet(view, run);
        self.follow(view);
        let is_met = |target: &OpenSite| targets.binary_search(&target.goal).is_ok();
        let (Some(&first), Some(&last)) = (new.first(), new.last()) else { return };
        let mut met = self.followed.iter().filter(|target| is_met(target)).peekable();
        if met.peek().is_none() {
            return;
        }
        // Once there are runs to go on from, those that others ask for seldom bring anything.
        if self.asked.is_none()
            && self.passed_over < PASSED_OVER
            && met.all(|target| target.seen >= FIRST_RUNS)
        {
            self.passed_over += 1;
            return;
        }
        self.passed_over = 0;
        self.count_path(view, run);
        let mut branches: Vec<u32> = new.iter().filter_map(|&id| view.source_branch(id)).collect();
        branches.sort_unstable();
        for target in self.followed.iter_mut().filter(|target| is_met(target)) {
            target.seen += 1;
            for flips in branches.chunk_by(|a, b| a == b) {
                let count = self.taken[flips[0] as usize];
                target.take(flips[0], ((count + flips.len() as u32, count), first, last));
            }
        }
    }

    fn choose(&mut self, view: View, _rng: &mut Rng) -> Option<CandidateId> {
        // The target asked last is the last.
        if self.goes_on() {
            self.followed.rotate_right(1);
        }
        for _ in 0..self.followed.len() {
            let mut target = self.followed.pop_front()?;
            if !is_target(view, self.siblings[target.goal as usize]) {
                continue;
            }
            let chosen = if target.choices < SHARE { target.choose(view) } else { None };
            // One that has had its share, or has no climb left, makes room if another waits.
            if chosen.is_some() || self.waiting.is_empty() {
                target.choices %= SHARE;
                self.followed.push_back(target);
            } else {
                self.waiting.push_back(target.goal);
            }
            if chosen.is_some() {
                self.asked = chosen;
                return chosen;
            }
        }
        None
    }

    fn learn(&mut self, _view: View, candidate: CandidateId, _state: CandidateState) {
        self.asked.take_if(|asked| *asked == candidate);
    }

    fn restart(&mut self) {
        *self = Counts::default();
    }
}
