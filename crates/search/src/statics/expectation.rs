//! How many open branches a run is expected to come by after each branch (paper 5, §II and III).
//!
//! A branch weighs 1 if something open is at it, plus the mean weight of its immediate successors. When nothing is open at
//! it and all of its successors weigh the same, that mean counts [`DAMPING`] of itself, so that of two branches with the
//! same prospects the nearer one weighs more. Cycles are cut where a depth-first walk from the start of the unit comes back
//! to a branch that it is still below: such a successor weighs 0 or 1 by itself.
//!
//! When nothing is open at a branch any more, the change goes up to those before it, as far as it makes a difference.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::branches::BranchGraph;
use super::goals::GoalMap;

/// What counts of the mean when all successors weigh the same: α of the paper.
const DAMPING: f64 = 0.75;

/// Weights of branches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    weight: Vec<f64>,
    /// When the walk left each occurrence: successors that count left before.
    left: Vec<u32>,
}

impl Weights {
    pub(crate) fn new(graph: &BranchGraph, goals: &GoalMap) -> Weights {
        let order = order_of_leaving(graph);
        let mut left = vec![0; graph.len()];
        order.iter().enumerate().for_each(|(time, &occurrence)| left[occurrence as usize] = time as u32);
        let mut weights = Weights { weight: vec![0.0; graph.len()], left };
        for &occurrence in &order {
            weights.weight[occurrence as usize] = weights.weigh(graph, goals, occurrence);
        }
        weights
    }

    /// The weight of a branch where it weighs most.
    pub(crate) fn of_branch(&self, graph: &BranchGraph, branch: u32) -> f64 {
        let of_occurrence = |&occurrence: &u32| self.weight[occurrence as usize];
        graph.occurrences(branch).iter().map(of_occurrence).fold(0.0, f64::max)
    }

    fn weigh(&self, graph: &BranchGraph, goals: &GoalMap, occurrence: u32) -> f64 {
        let is_open = goals.is_open_at(occurrence);
        let own = f64::from(u8::from(is_open));
        let successors = graph.successors(occurrence);
        let weight_of = |&next: &u32| {
            let is_above = self.left[next as usize] >= self.left[occurrence as usize];
            if is_above { f64::from(u8::from(goals.is_open_at(next))) } else { self.weight[next as usize] }
        };
        let Some(first) = successors.first().map(weight_of) else { return own };
        let mean = successors.iter().map(weight_of).sum::<f64>() / successors.len() as f64;
        let all_same = successors.iter().all(|next| weight_of(next) == first);
        if all_same && !is_open { DAMPING * mean } else { own + mean }
    }

    /// Nothing is open at these occurrences any more; gives the branches whose weight changed.
    pub(crate) fn close(&mut self, graph: &BranchGraph, goals: &GoalMap, closed: &[u32]) -> Vec<u32> {
        let mut changed = Vec::new();
        let at = |left: &[u32], occurrence: u32| Reverse((left[occurrence as usize], occurrence));
        let mut open = BinaryHeap::new();
        for &occurrence in closed {
            open.push(at(&self.left, occurrence));
            open.extend(graph.predecessors(occurrence).iter().map(|&before| at(&self.left, before)));
        }
        let mut last = None;
        while let Some(Reverse((time, occurrence))) = open.pop() {
            if last.replace(time) == Some(time) {
                continue;
            }
            let weight = self.weigh(graph, goals, occurrence);
            if std::mem::replace(&mut self.weight[occurrence as usize], weight) != weight {
                changed.push(graph.branch(occurrence));
                let below = graph.predecessors(occurrence).iter();
                open.extend(
                    below
                        .filter(|&&before| self.left[before as usize] > time)
                        .map(|&before| at(&self.left, before)),
                );
            }
        }
        changed
    }
}

/// Every occurrence in the order in which a depth-first walk leaves them.
fn order_of_leaving(graph: &BranchGraph) -> Vec<u32> {
    let mut order = Vec::with_capacity(graph.len());
    let mut is_entered = vec![false; graph.len()];
    for root in 0..graph.len() as u32 {
        if std::mem::replace(&mut is_entered[root as usize], true) {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((occurrence, next)) = path.last_mut() {
            let Some(&to) = graph.successors(*occurrence).get(*next) else {
                order.push(*occurrence);
                path.pop();
                continue;
            };
            *next += 1;
            if !std::mem::replace(&mut is_entered[to as usize], true) {
                path.push((to, 0));
            }
        }
    }
    order
}
