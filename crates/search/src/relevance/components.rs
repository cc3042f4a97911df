//! What can be reached from each node of a directed graph, as sets of places.
//!
//! Nodes that reach each other share their set, and equal sets are kept once: a unit of hundreds of branches has few
//! different ones.

use std::collections::{HashMap, HashSet};

/// The set of places reached from each node.
pub(super) struct Reached {
    /// Index into `sets`, by node.
    pub(super) set_of_node: Vec<u32>,
    /// Different sets, a bit for each place.
    pub(super) sets: Vec<Vec<u64>>,
}

const UNSEEN: u32 = u32::MAX;

/// Computes the places reached from every node, those at the node itself included. `place_at` gives the place at a node.
pub(super) fn reached(successors: &[Vec<u32>], place_at: impl Fn(u32) -> Option<u32>) -> Reached {
    let places = (0..successors.len() as u32).filter_map(&place_at).max().map_or(0, |last| last as usize + 1);
    let mut walk = Walk {
        successors,
        number: vec![UNSEEN; successors.len()],
        low: vec![0; successors.len()],
        stack: Vec::new(),
        on_stack: vec![false; successors.len()],
        next: 0,
        words: places.div_ceil(64),
        reached: Reached { set_of_node: vec![0; successors.len()], sets: Vec::new() },
        known: HashMap::new(),
    };
    for root in 0..successors.len() as u32 {
        if walk.number[root as usize] == UNSEEN {
            walk.from(root, &place_at);
        }
    }
    walk.reached
}

/// Tarjan's walk, which closes a component only after everything it leads to.
struct Walk<'a> {
    successors: &'a [Vec<u32>],
    number: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<u32>,
    on_stack: Vec<bool>,
    next: u32,
    words: usize,
    reached: Reached,
    known: HashMap<Vec<u64>, u32>,
}

impl Walk<'_> {
    fn from(&mut self, root: u32, place_at: &impl Fn(u32) -> Option<u32>) {
        // A node, and which of its successors comes next.
        let mut path: Vec<(u32, usize)> = vec![(root, 0)];
        self.enter(root);
        while let Some((node, child)) = path.last_mut() {
            let (node, index) = (*node, *child);
            *child += 1;
            if let Some(&next) = self.successors[node as usize].get(index) {
                if self.number[next as usize] == UNSEEN {
                    self.enter(next);
                    path.push((next, 0));
                } else if self.on_stack[next as usize] {
                    self.low[node as usize] = self.low[node as usize].min(self.number[next as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                self.low[parent as usize] = self.low[parent as usize].min(self.low[node as usize]);
            }
            if self.low[node as usize] == self.number[node as usize] {
                self.close(node, place_at);
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.number[node as usize] = self.next;
        self.low[node as usize] = self.next;
        self.next += 1;
        self.stack.push(node);
        self.on_stack[node as usize] = true;
    }

    /// Everything on the stack from `first` on reaches each other, and nothing else unfinished.
    fn close(&mut self, first: u32, place_at: &impl Fn(u32) -> Option<u32>) {
        let start = self.stack.iter().rposition(|&node| node == first).unwrap_or(0);
        let members = self.stack.split_off(start);
        let mut set = vec![0; self.words];
        members.iter().for_each(|&node| self.on_stack[node as usize] = false);
        for &node in &members {
            if let Some(place) = place_at(node) {
                set[place as usize / 64] |= 1 << (place % 64);
            }
        }
        self.add_successors(&members, &mut set);
        let sets = &mut self.reached.sets;
        let index = *self.known.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            sets.len() as u32 - 1
        });
        members.iter().for_each(|&node| self.reached.set_of_node[node as usize] = index);
    }

    fn add_successors(&self, members: &[u32], set: &mut [u64]) {
        let inside: HashSet<u32> =
            if members.len() > 1 { members.iter().copied().collect() } else { HashSet::new() };
        for &node in members {
            for &next in &self.successors[node as usize] {
                if next == node || inside.contains(&next) {
                    continue;
                }
                let known = &self.reached.sets[self.reached.set_of_node[next as usize] as usize];
                set.iter_mut().zip(known).for_each(|(word, known)| *word |= known);
            }
        }
    }
}
