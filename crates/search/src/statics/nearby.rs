//! How many open goals lie within a few branches of each branch.
//!
//! The neighbourhoods are read once; covering a goal counts down those that contain it.

use super::branches::BranchGraph;
use super::goals::GoalMap;

/// Open goals near each branch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nearby {
    open: Vec<u32>,
    /// The occurrences near which each goal lies.
    near: Vec<Vec<u32>>,
}

impl Nearby {
    /// Counts the goals at each branch and at most `levels` branches further down, each goal once.
    pub(crate) fn new(graph: &BranchGraph, goals: &GoalMap, levels: u32) -> Nearby {
        let mut nearby = Nearby { open: vec![0; graph.len()], near: vec![Vec::new(); goals.len()] };
        let mut seen = vec![u32::MAX; graph.len()];
        let mut found = vec![u32::MAX; goals.len()];
        for from in 0..graph.len() as u32 {
            let mut level = vec![from];
            seen[from as usize] = from;
            for depth in 0..=levels {
                for goal in level.iter().flat_map(|&occurrence| goals.open_goals(occurrence)) {
                    if std::mem::replace(&mut found[goal as usize], from) != from {
                        nearby.open[from as usize] += 1;
                        nearby.near[goal as usize].push(from);
                    }
                }
                if depth == levels {
                    break;
                }
                let next = level.iter().flat_map(|&occurrence| graph.successors(occurrence)).copied();
                let is_new = |&to: &u32| std::mem::replace(&mut seen[to as usize], from) != from;
                level = next.filter(is_new).collect();
            }
        }
        nearby
    }

    /// The most open goals near an occurrence of a branch.
    pub(crate) fn of_branch(&self, graph: &BranchGraph, branch: u32) -> u32 {
        let of_occurrence = |&occurrence: &u32| self.open[occurrence as usize];
        graph.occurrences(branch).iter().map(of_occurrence).max().unwrap_or(0)
    }

    /// These goals are not open any more; gives the branches near them.
    pub(crate) fn close(&mut self, graph: &BranchGraph, closed: &[u32]) -> Vec<u32> {
        let mut changed = Vec::new();
        for &goal in closed {
            for occurrence in std::mem::take(&mut self.near[goal as usize]) {
                self.open[occurrence as usize] -= 1;
                changed.push(graph.branch(occurrence));
            }
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}
