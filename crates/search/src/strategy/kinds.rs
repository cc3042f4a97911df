//! A pool in which candidates that are alike share one place in the order.
//!
//! Candidates of the same branch, met at the same step of evaluating a decision, are worth the same for everyone who
//! judges by the text of the unit and by what is covered. They make one *kind*. Only kinds are ordered, so covering a goal
//! costs a look at the kinds near it however many candidates there are. A kind without value is worth nothing from then on
//! and its candidates are not kept, unless a decision is being evaluated: there it waits. Entries of the order that are out
//! of date are skipped as they come up.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use tarka_source::DecisionId;

use super::View;
use crate::goals::vector::Vector;
use crate::paths::candidate::CandidateId;
use crate::rng::Rng;

/// Which candidate of a kind goes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pick {
    /// The one with the fewest decisions before it, the oldest of those. Among kinds of equal value, too.
    Shortest,
    /// Any. Among kinds of equal value, the one that was asked least.
    Random,
}

/// What the value of a kind may depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct KindFacts {
    /// The branch that its candidates take, or the last branch before them if they take none of the source; `None` if
    /// there is none before them either.
    pub(super) branch: Option<u32>,
    /// One of its candidates: what the goals gain is the same for all.
    pub(super) sample: CandidateId,
    /// How many of its candidates were handed out.
    pub(super) handed_out: u32,
}

struct Kind<V> {
    facts: KindFacts,
    value: Option<V>,
    is_within_decision: bool,
    /// Number of the entry in the order that counts; the others are out of date.
    entry: u32,
    bag: Bag,
}

enum Bag {
    Shortest(BinaryHeap<Reverse<(u32, CandidateId)>>),
    Random(Vec<CandidateId>),
}

/// The smaller, the sooner among kinds of equal value: depth and age of the shortest candidate, or how often it was asked.
type Rank = (u32, u32);

/// Value and rank, then kind and number of the entry.
type Entry<V> = (V, Reverse<Rank>, Reverse<u32>, u32);

/// The pool.
pub(super) struct Kinds<V> {
    pick: Pick,
    /// Whether candidates behind different branches are told apart.
    by_context: bool,
    kinds: Vec<Kind<V>>,
    /// The kind of each branch, one for candidates that take it and one for those behind it, in each context.
    plain: FxHashMap<(u32, u32), u32>,
    within_decision: FxHashMap<(u32, u32, Vector), u32>,
    /// Kinds met while a decision was evaluated, with the number of its evaluations when they were last valued.
    of_decision: Vec<(DecisionId, usize, Vec<u32>)>,
    of_branch: Vec<Vec<u32>>,
    order: BinaryHeap<Entry<V>>,
}

impl<V: Ord + Copy> Kinds<V> {
    pub(super) fn new(pick: Pick) -> Kinds<V> {
        Kinds {
            pick,
            by_context: false,
            kinds: Vec::new(),
            plain: FxHashMap::default(),
            within_decision: FxHashMap::default(),
            of_decision: Vec::new(),
            of_branch: Vec::new(),
            order: BinaryHeap::new(),
        }
    }

    /// One in which candidates of a branch are alike only if the same branch of the source came before it.
    pub(super) fn by_context(pick: Pick) -> Kinds<V> {
        Kinds { by_context: true, ..Kinds::new(pick) }
    }

    pub(super) fn clear(&mut self) {
        *self = Kinds { by_context: self.by_context, ..Kinds::new(self.pick) };
    }

    /// Takes new candidates.
    pub(super) fn absorb(
        &mut self,
        view: View,
        new: impl IntoIterator<Item = CandidateId>,
        value: impl Fn(KindFacts) -> Option<V>,
    ) {
        for candidate in new {
            let kind = self.kind_of(view, candidate, &value);
            let known = &mut self.kinds[kind as usize];
            if known.value.is_none() && !known.is_within_decision {
                continue;
            }
            let better = match &mut known.bag {
                Bag::Shortest(heap) => {
                    let depth = view.tree.node_of(candidate).depth;
                    let better = heap.peek().is_none_or(|Reverse(best)| (depth, candidate) < *best);
                    heap.push(Reverse((depth, candidate)));
                    better
                }
                Bag::Random(bag) => {
                    bag.push(candidate);
                    bag.len() == 1
                }
            };
            if better {
                self.queue(kind);
            }
        }
    }

    /// Values the kinds at these branches anew.
    pub(super) fn revalue_branches(
        &mut self,
        branches: impl IntoIterator<Item = u32>,
        value: impl Fn(KindFacts) -> Option<V>,
    ) {
        for branch in branches {
            let kinds = self.of_branch.get(branch as usize).cloned().unwrap_or_default();
            kinds.into_iter().for_each(|kind| self.revalue(kind, &value));
        }
    }

    /// Values the kinds within decisions anew that were evaluated in new ways.
    pub(super) fn revalue_decisions(&mut self, view: View, value: impl Fn(KindFacts) -> Option<V>) {
        for index in 0..self.of_decision.len() {
            let (decision, known, _) = &mut self.of_decision[index];
            let now = view.goals.evaluations(*decision).len();
            if std::mem::replace(known, now) != now {
                let kinds = self.of_decision[index].2.clone();
                kinds.into_iter().for_each(|kind| self.revalue(kind, &value));
            }
        }
    }

    /// Values every kind anew.
    pub(super) fn revalue_all(&mut self, value: impl Fn(KindFacts) -> Option<V>) {
        (0..self.kinds.len() as u32).for_each(|kind| self.revalue(kind, &value));
    }

    fn revalue(&mut self, kind: u32, value: &impl Fn(KindFacts) -> Option<V>) {
        let known = &mut self.kinds[kind as usize];
        let now = value(known.facts);
        if std::mem::replace(&mut known.value, now) != now {
            self.queue(kind);
        }
    }

    /// Takes out the best candidate that is open.
    pub(super) fn choose(
        &mut self,
        view: View,
        rng: &mut Rng,
        value: impl Fn(KindFacts) -> Option<V>,
    ) -> Option<CandidateId> {
        self.best(view, rng, &value)?;
        let (_, _, Reverse(kind), _) = self.order.pop()?;
        let known = &mut self.kinds[kind as usize];
        let candidate = known.bag.take()?;
        known.facts.handed_out += 1;
        known.value = value(known.facts);
        self.queue(kind);
        Some(candidate)
    }

    /// The value of the best candidate that is open, and brings it to the top.
    pub(super) fn best(
        &mut self,
        view: View,
        rng: &mut Rng,
        value: impl Fn(KindFacts) -> Option<V>,
    ) -> Option<V> {
        while let Some(&(known_value, Reverse(rank), Reverse(kind), entry)) = self.order.peek() {
            let known = &mut self.kinds[kind as usize];
            if known.entry != entry {
                self.order.pop();
                continue;
            }
            known.value = value(known.facts);
            known.bag.drop_settled(view, rng);
            if known.value == Some(known_value) && known.rank() == Some(rank) {
                return Some(known_value);
            }
            self.order.pop();
            self.queue(kind);
        }
        None
    }

    /// Puts a kind where it belongs in the order; earlier entries of it do not count any more.
    fn queue(&mut self, kind: u32) {
        let known = &mut self.kinds[kind as usize];
        known.entry += 1;
        if let (Some(value), Some(rank)) = (known.value, known.rank()) {
            self.order.push((value, Reverse(rank), Reverse(kind), known.entry));
        }
    }

    /// The kind of a candidate, made and valued if it is the first of it.
    fn kind_of(
        &mut self,
        view: View,
        candidate: CandidateId,
        value: &impl Fn(KindFacts) -> Option<V>,
    ) -> u32 {
        let node = view.tree.node_of(candidate);
        let own = view.source_branch(candidate);
        let branch = own.or(node.branch_before());
        let made = self.kinds.len() as u32;
        let context = if self.by_context { node.branch_before().map_or(0, |before| before + 1) } else { 0 };
        let known = match (&node.evaluating, own) {
            (Some(evaluating), Some(branch)) => {
                *self.within_decision.entry((branch, context, evaluating.before.clone())).or_insert(made)
            }
            _ => {
                // Candidates that take no branch of the source have places of their own, those before any branch first.
                let slot = match (own, node.branch_before()) {
                    (Some(branch), _) => 2 * branch + 2,
                    (None, Some(branch)) => 2 * branch + 1,
                    (None, None) => 0,
                };
                *self.plain.entry((slot, context)).or_insert(made)
            }
        };
        if known != made {
            return known;
        }
        let bag = match self.pick {
            Pick::Shortest => Bag::Shortest(BinaryHeap::new()),
            Pick::Random => Bag::Random(Vec::new()),
        };
        let facts = KindFacts { branch, sample: candidate, handed_out: 0 };
        let is_within_decision = node.evaluating.is_some();
        self.kinds.push(Kind { facts, value: value(facts), is_within_decision, entry: 0, bag });
        if let Some(branch) = branch {
            if branch as usize >= self.of_branch.len() {
                self.of_branch.resize(branch as usize + 1, Vec::new());
            }
            self.of_branch[branch as usize].push(made);
        }
        if let Some(evaluating) = &node.evaluating {
            let id = evaluating.decision;
            match self.of_decision.iter_mut().find(|(known, _, _)| *known == id) {
                Some((_, _, kinds)) => kinds.push(made),
                None => self.of_decision.push((id, view.goals.evaluations(id).len(), vec![made])),
            }
        }
        made
    }
}

impl<V> Kind<V> {
    /// Its place among kinds of equal value; `None` if it has no candidates.
    fn rank(&self) -> Option<Rank> {
        match &self.bag {
            Bag::Shortest(heap) => heap.peek().map(|Reverse((depth, candidate))| (*depth, candidate.0)),
            Bag::Random(bag) => (!bag.is_empty()).then_some((self.facts.handed_out, 0)),
        }
    }
}

impl Bag {
    /// Drops candidates until the one to take is open.
    fn drop_settled(&mut self, view: View, rng: &mut Rng) {
        match self {
            Bag::Shortest(heap) => {
                while heap.peek().is_some_and(|Reverse((_, candidate))| !view.is_open(*candidate)) {
                    heap.pop();
                }
            }
            Bag::Random(bag) => {
                while !bag.is_empty() {
                    let last = bag.len() - 1;
                    bag.swap(rng.below(last + 1), last);
                    if view.is_open(bag[last]) {
                        return;
                    }
                    bag.pop();
                }
            }
        }
    }

    fn take(&mut self) -> Option<CandidateId> {
        match self {
            Bag::Shortest(heap) => heap.pop().map(|Reverse((_, candidate))| candidate),
            Bag::Random(bag) => bag.pop(),
        }
    }
}
