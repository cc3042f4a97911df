//! Candidates that make a check fail: each check site gets some attempts, the least tried site first.
//!
//! Takes candidates by site and what became of those that were tried; gives the next. A site that has failed, or on which
//! enough was spent, takes nothing more.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use crate::paths::candidate::{CandidateId, CandidateState};
use crate::paths::tree::PathTree;

/// What may be spent on a site. A check that cannot be made to fail on its first few paths rarely fails on later ones, and
/// a loop reaches it thousands of times.
const MOST_SPENT: u32 = 48;

/// What an attempt costs that took a run, or that nobody could answer.
const COST_OF_A_RUN: u32 = 8;

/// What an attempt costs that had no input: often the early rounds of a loop, in which nothing can go wrong yet.
const COST_OF_A_REFUSAL: u32 = 2;

/// Candidates of one site that wait at a time.
const MOST_WAITING: usize = 32;

/// A site with checks of one sort: a pointer that can be null there says nothing about where it leads otherwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct CheckPlace {
    pub site: u32,
    /// Whether they ask for null.
    pub of_null: bool,
}

/// Fault candidates by check site.
#[derive(Default)]
pub(crate) struct FaultQueue {
    waiting: HashMap<CheckPlace, VecDeque<CandidateId>>,
    spent: HashMap<CheckPlace, u32>,
    /// Sites with waiting candidates and something left to spend: (spent so far, site).
    ready: BTreeSet<(u32, CheckPlace)>,
    failed: HashSet<CheckPlace>,
}

impl FaultQueue {
    fn spent(&self, site: CheckPlace) -> u32 {
        self.spent.get(&site).copied().unwrap_or(0)
    }

    /// Whether another candidate of a site is of any use.
    pub(crate) fn wants(&self, site: CheckPlace) -> bool {
        let has_room = self.waiting.get(&site).is_none_or(|waiting| waiting.len() < MOST_WAITING);
        has_room && self.spent(site) < MOST_SPENT && !self.has_failed(site)
    }

    /// Whether a run has made the check of a site fail.
    pub(crate) fn has_failed(&self, site: CheckPlace) -> bool {
        self.failed.contains(&site)
    }

    pub(crate) fn push(&mut self, site: CheckPlace, candidate: CandidateId) {
        if self.wants(site) {
            self.waiting.entry(site).or_default().push_back(candidate);
            self.ready.insert((self.spent(site), site));
        }
    }

    /// A check that failed once has told what it can.
    pub(crate) fn site_failed(&mut self, site: CheckPlace) {
        self.failed.insert(site);
        self.ready.remove(&(self.spent(site), site));
        self.waiting.remove(&site);
    }

    /// Forgets candidates and what was spent. A site that has failed stays settled.
    pub(crate) fn restart(&mut self) {
        *self = FaultQueue { failed: std::mem::take(&mut self.failed), ..FaultQueue::default() };
    }

    /// The next candidate. What it costs is known when its fate is: until then it counts as a run.
    pub(crate) fn choose(&mut self, tree: &PathTree) -> Option<CandidateId> {
        let open = |&id: &CandidateId| tree.candidate(id).state == CandidateState::Open;
        while let Some((_, site)) = self.ready.pop_first() {
            let waiting = self.waiting.entry(site).or_default();
            if let Some(chosen) = std::iter::from_fn(|| waiting.pop_front()).find(open) {
                self.spend(site, |spent| spent + COST_OF_A_RUN);
                return Some(chosen);
            }
        }
        None
    }

    /// Sites that still have a turn.
    pub(crate) fn waiting(&self, tree: &PathTree) -> usize {
        let is_open = |&id: &CandidateId| tree.candidate(id).state == CandidateState::Open;
        let waits =
            |site: &CheckPlace| self.waiting.get(site).is_some_and(|waiting| waiting.iter().any(is_open));
        self.ready.iter().filter(|(_, site)| waits(site)).count()
    }

    /// A candidate of a site was chosen and there is no input for it.
    pub(crate) fn refused(&mut self, site: CheckPlace) {
        self.ready.remove(&(self.spent(site), site));
        self.spend(site, |spent| (spent + COST_OF_A_REFUSAL).saturating_sub(COST_OF_A_RUN));
    }

    fn spend(&mut self, site: CheckPlace, change: impl Fn(u32) -> u32) {
        let spent = change(self.spent(site));
        self.spent.insert(site, spent);
        if spent >= MOST_SPENT || self.has_failed(site) {
            // Unless the attempt under way turns out cheap, there will be no other.
            return;
        }
        if self.waiting.get(&site).is_some_and(|waiting| !waiting.is_empty()) {
            self.ready.insert((spent, site));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::tree::PathTree;
    use tarka_terms::Terms;

    fn at(site: u32) -> CheckPlace {
        CheckPlace { site, of_null: false }
    }

    /// A tree with candidates for checks of these sites, in this order.
    fn queue_of(sites: &[u32]) -> (FaultQueue, PathTree) {
        let (mut queue, mut tree, mut terms) = (FaultQueue::default(), PathTree::new(), Terms::new());
        for (number, &site) in sites.iter().enumerate() {
            let byte = terms.input(number as u32);
            let operand = terms.extract(byte, 0, 1);
            let candidate = tree.add_check(None, (site, operand), 1).expect("there is room");
            queue.push(at(site), candidate);
        }
        (queue, tree)
    }

    /// The sites of all candidates in the order they are chosen, each refused if `refuse` says so.
    fn chosen(queue: &mut FaultQueue, tree: &PathTree, refuse: impl Fn(u32) -> bool) -> Vec<u32> {
        std::iter::from_fn(|| {
            let site = tree.node_of(queue.choose(tree)?).site;
            if refuse(site) {
                queue.refused(at(site));
            }
            Some(site)
        })
        .collect()
    }

    #[test]
    fn the_site_on_which_least_was_spent_comes_first() {
        let (mut queue, tree) = queue_of(&[1, 1, 1, 2]);
        assert_eq!(chosen(&mut queue, &tree, |_| false), [1, 2, 1, 1]);
    }

    #[test]
    fn what_has_no_input_costs_less_than_what_took_a_run() {
        let (mut queue, tree) = queue_of(&[1; 40]);
        let runs = chosen(&mut queue, &tree, |_| false).len();
        let (mut queue, tree) = queue_of(&[1; 40]);
        let refusals = chosen(&mut queue, &tree, |_| true).len();
        assert_eq!((runs, refusals), (6, 24));
    }

    #[test]
    fn a_site_that_failed_is_settled_for_good() {
        let (mut queue, tree) = queue_of(&[1, 2, 1]);
        queue.site_failed(at(1));
        assert_eq!(chosen(&mut queue, &tree, |_| false), [2]);
        queue.restart();
        assert!(!queue.wants(at(1)) && queue.wants(at(2)));
    }

    #[test]
    fn a_pointer_that_was_null_once_may_still_lead_too_far() {
        let mut queue = FaultQueue::default();
        queue.site_failed(CheckPlace { site: 1, of_null: true });
        assert!(queue.wants(at(1)));
    }

    #[test]
    fn a_site_that_was_given_up_costs_nothing_until_inputs_grow() {
        let (mut queue, tree) = queue_of(&[3; 8]);
        chosen(&mut queue, &tree, |_| false);
        assert!(!queue.wants(at(3)));
        queue.restart();
        assert!(queue.wants(at(3)));
    }
}
