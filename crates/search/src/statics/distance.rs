//! How many branches lie between each branch and the nearest open goal.
//!
//! A branch that covers something open is at distance 0. Each occurrence remembers which open place it is nearest to; when
//! nothing is open there any more, only those that were nearest to it are worked out again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::branches::BranchGraph;
use super::goals::GoalMap;

/// Nothing open can be reached.
pub(crate) const FAR: u32 = u32::MAX;

/// Distances to what is open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Distances {
    distance: Vec<u32>,
    nearest: Vec<u32>,
}

impl Distances {
    pub(crate) fn new(graph: &BranchGraph, goals: &GoalMap) -> Distances {
        let mut distances = Distances { distance: vec![FAR; graph.len()], nearest: vec![FAR; graph.len()] };
        let mut heap = BinaryHeap::new();
        for occurrence in (0..graph.len() as u32).filter(|&occurrence| goals.is_open_at(occurrence)) {
            distances.set(occurrence, 0, occurrence);
            heap.push(Reverse((0, occurrence)));
        }
        distances.spread(graph, heap);
        distances
    }

    /// The fewest branches from an occurrence of a branch to something open.
    pub(crate) fn of_branch(&self, graph: &BranchGraph, branch: u32) -> u32 {
        let of_occurrence = |&occurrence: &u32| self.distance[occurrence as usize];
        graph.occurrences(branch).iter().map(of_occurrence).min().unwrap_or(FAR)
    }

    fn set(&mut self, occurrence: u32, distance: u32, nearest: u32) {
        self.distance[occurrence as usize] = distance;
        self.nearest[occurrence as usize] = nearest;
    }

    /// Improves everything that leads to what is in the heap.
    fn spread(&mut self, graph: &BranchGraph, mut heap: BinaryHeap<Reverse<(u32, u32)>>) {
        while let Some(Reverse((distance, occurrence))) = heap.pop() {
            if distance > self.distance[occurrence as usize] {
                continue;
            }
            for &before in graph.predecessors(occurrence) {
                if distance + 1 < self.distance[before as usize] {
                    self.set(before, distance + 1, self.nearest[occurrence as usize]);
                    heap.push(Reverse((distance + 1, before)));
                }
            }
        }
    }

    /// Nothing is open at these occurrences any more; gives the branches that may have got farther away.
    pub(crate) fn close(&mut self, graph: &BranchGraph, closed: &[u32]) -> Vec<u32> {
        let mut lost: Vec<u32> = Vec::new();
        for &source in closed {
            if self.nearest[source as usize] != source {
                continue;
            }
            self.set(source, FAR, FAR);
            let mut at = lost.len();
            lost.push(source);
            // Whoever is nearest to the source gets there through others that are.
            while let Some(&occurrence) = lost.get(at) {
                at += 1;
                for &before in graph.predecessors(occurrence) {
                    if self.nearest[before as usize] == source {
                        self.set(before, FAR, FAR);
                        lost.push(before);
                    }
                }
            }
        }
        let mut heap = BinaryHeap::new();
        for &occurrence in &lost {
            let reachable = graph.successors(occurrence).iter();
            let best = reachable.map(|&next| (self.distance[next as usize], next)).min();
            if let Some((distance, next)) = best.filter(|&(distance, _)| distance != FAR) {
                self.set(occurrence, distance + 1, self.nearest[next as usize]);
                heap.push(Reverse((distance + 1, occurrence)));
            }
        }
        self.spread(graph, heap);
        lost.iter().map(|&occurrence| graph.branch(occurrence)).collect()
    }
}
