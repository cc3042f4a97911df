//! How many statements depend on each branch of the functions with goals: what is executed only because that branch was taken, and what
//! depends on branches below it (transitive control dependence, calls included).
//!
//! Takes these functions' parts of the control-flow graph. Every way out of a site is a node of its own, so that the end of a
//! loop, which is passed whatever happens inside, depends on nothing. Where the program's statements are not marked, stores
//! and conditions are counted in their place. A function that is called counts with all of its statements, once.

use std::collections::BTreeSet;

use tarka_source::FunctionId;
use tarka_source::cfg::{PointId, PointKind};

use crate::strategy::UnitFacts;

/// Statements that depend on each branch, by its index in the coverage map; 0 for branches of functions without goals.
pub(crate) fn dependent_statements(unit: UnitFacts) -> Vec<u32> {
    let mut counts = vec![0; unit.sites.branch_count()];
    unit.functions.iter().for_each(|&function| count_within(unit, function, &mut counts));
    counts
}

fn count_within(unit: UnitFacts, function: FunctionId, counts: &mut [u32]) {
    let graph = Graph::new(unit, function);
    let dominators = graph.post_dominators();
    let dependents = graph.dependents(&dominators);
    let mut seen = vec![u32::MAX; graph.nodes.len()];
    for (index, node) in graph.nodes.iter().enumerate() {
        if let Node::Way { branch, .. } = *node {
            counts[branch as usize] = graph.count(unit, &dependents, index as u32, &mut seen);
        }
    }
}

#[derive(Clone, Copy)]
enum Node {
    /// A point of the function.
    Point(PointId),
    /// The way out of a site under one outcome.
    Way { branch: u32, site: u32 },
}

#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    successors: Vec<Vec<u32>>,
    /// Statements at each node, calls left out.
    sizes: Vec<u32>,
}

impl Graph {
    fn new(unit: UnitFacts, function: FunctionId) -> Graph {
        let mut graph = Graph::default();
        let is_within = |point: &tarka_source::cfg::Point| point.function == function;
        let mut node_of = vec![u32::MAX; unit.icfg.points.len()];
        for (index, _) in unit.icfg.points.iter().enumerate().filter(|(_, point)| is_within(point)) {
            node_of[index] = graph.nodes.len() as u32;
            graph.add(Node::Point(PointId(index as u32)), 0);
        }
        for from in 0..graph.nodes.len() {
            let Node::Point(id) = graph.nodes[from] else { continue };
            let point = &unit.icfg.points[id.0 as usize];
            let to = |outcome: Option<u32>| -> Vec<u32> {
                let edges = point.edges.iter().filter(|edge| outcome.is_none_or(|at| edge.outcome == at));
                edges.map(|edge| node_of[edge.to.0 as usize]).filter(|&node| node != u32::MAX).collect()
            };
            let first_branch = match point.kind {
                PointKind::Site(site) => unit.sites.coverage_index(site.0, 0).map(|first| (first, site)),
                _ => None,
            };
            let Some((first, site)) = first_branch else {
                graph.successors[from] = to(None);
                continue;
            };
            for outcome in 0..unit.sites.outcomes(site.0) {
                let way = graph.nodes.len() as u32;
                graph.add(Node::Way { branch: first + outcome, site: from as u32 }, 0);
                graph.successors[way as usize] = to(Some(outcome));
                graph.successors[from].push(way);
            }
        }
        graph.measure(unit, &node_of);
        graph
    }

    fn add(&mut self, node: Node, size: u32) {
        self.nodes.push(node);
        self.successors.push(Vec::new());
        self.sizes.push(size);
    }

    fn measure(&mut self, unit: UnitFacts, node_of: &[u32]) {
        if unit.icfg.statements.iter().all(Vec::is_empty) {
            self.measure_unmarked(unit, node_of);
            return;
        }
        for ways in &unit.icfg.statements {
            for &(point, outcome) in ways {
                let node = node_of[point.0 as usize];
                if node == u32::MAX {
                    continue;
                }
                let outcomes = &self.successors[node as usize];
                let is_site = matches!(unit.icfg.points[point.0 as usize].kind, PointKind::Site(_));
                let same_point = ways.iter().filter(|(other, _)| *other == point).count();
                if !is_site || same_point >= outcomes.len() {
                    // Executed whichever way the site goes: count it with the site, and only once.
                    self.sizes[node as usize] += u32::from(!is_site || outcome == 0);
                } else if let Some(&way) = outcomes.get(outcome as usize) {
                    self.sizes[way as usize] += 1;
                }
            }
        }
    }

    fn measure_unmarked(&mut self, unit: UnitFacts, node_of: &[u32]) {
        for (index, point) in unit.icfg.points.iter().enumerate() {
            let node = node_of[index];
            if node == u32::MAX {
                continue;
            }
            let is_site = matches!(point.kind, PointKind::Site(_));
            self.sizes[node as usize] += u32::from(is_site || matches!(point.kind, PointKind::Call(_)));
            for edge in &point.edges {
                let way = self.successors[node as usize].get(edge.outcome as usize);
                let at = if is_site { way.copied().unwrap_or(node) } else { node };
                self.sizes[at as usize] += edge.usage.assignment;
            }
        }
    }

    /// The immediate post-dominator of every node; the number of nodes stands for the end of the unit.
    fn post_dominators(&self) -> Vec<u32> {
        let end = self.nodes.len() as u32;
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len() + 1];
        for (from, successors) in self.successors.iter().enumerate() {
            successors.iter().for_each(|&to| before[to as usize].push(from as u32));
            if successors.is_empty() {
                before[end as usize].push(from as u32);
            }
        }
        let mut order = Vec::new();
        let mut number = vec![u32::MAX; self.nodes.len() + 1];
        leave_order(&before, end, &mut number, &mut order);
        // What never gets to the end, an endless loop, is taken to end anywhere.
        for node in 0..end {
            if number[node as usize] == u32::MAX {
                before[end as usize].push(node);
            }
        }
        number.fill(u32::MAX);
        order.clear();
        leave_order(&before, end, &mut number, &mut order);
        let mut dominator = vec![u32::MAX; self.nodes.len() + 1];
        dominator[end as usize] = end;
        let is_direct: BTreeSet<u32> = before[end as usize].iter().copied().collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &node in order.iter().rev().filter(|&&node| node != end) {
                let after = self.successors[node as usize].iter().copied();
                let after = after.chain(is_direct.contains(&node).then_some(end));
                let known = after.filter(|&next| dominator[next as usize] != u32::MAX);
                let meet = known.reduce(|left, right| common(&dominator, &number, left, right));
                let meet = meet.unwrap_or(end);
                changed |= std::mem::replace(&mut dominator[node as usize], meet) != meet;
            }
        }
        dominator
    }

    /// The nodes that depend directly on each way.
    fn dependents(&self, dominators: &[u32]) -> Vec<Vec<u32>> {
        let mut dependents = vec![Vec::new(); self.nodes.len()];
        for (way, node) in self.nodes.iter().enumerate() {
            let Node::Way { site, .. } = *node else { continue };
            let stop = dominators[site as usize];
            let mut at = way as u32;
            while at != stop && (at as usize) < self.nodes.len() {
                dependents[way].push(at);
                at = dominators[at as usize];
            }
        }
        dependents
    }

    /// The statements that depend on a way, directly or through others.
    fn count(&self, unit: UnitFacts, dependents: &[Vec<u32>], way: u32, seen: &mut [u32]) -> u32 {
        let mut total = 0;
        let mut called = BTreeSet::new();
        let mut open = dependents[way as usize].clone();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node as usize], way) == way {
                continue;
            }
            total += self.sizes[node as usize];
            match self.nodes[node as usize] {
                Node::Way { .. } => open.extend(&dependents[node as usize]),
                Node::Point(point) => {
                    let ways = &self.successors[node as usize];
                    let is_way = |&&next: &&u32| matches!(self.nodes[next as usize], Node::Way { .. });
                    open.extend(ways.iter().filter(is_way).flat_map(|&next| &dependents[next as usize]));
                    if let PointKind::Call(callees) = &unit.icfg.points[point.0 as usize].kind {
                        callees.iter().for_each(|&callee| collect_called(unit, callee, &mut called));
                    }
                }
            }
        }
        let of_function = |function: &FunctionId| unit.model.function(*function).statements.len() as u32;
        total + called.iter().map(of_function).sum::<u32>()
    }
}

fn collect_called(unit: UnitFacts, function: FunctionId, called: &mut BTreeSet<FunctionId>) {
    let mut open = vec![function];
    while let Some(function) = open.pop() {
        if called.insert(function) {
            open.extend(unit.icfg.calls.get(function.0 as usize).into_iter().flatten());
        }
    }
}

/// Nodes in the order in which a depth-first walk against the edges leaves them, and each node's number in it.
fn leave_order(before: &[Vec<u32>], root: u32, number: &mut [u32], order: &mut Vec<u32>) {
    let mut is_entered = vec![false; before.len()];
    is_entered[root as usize] = true;
    let mut path = vec![(root, 0)];
    while let Some((node, next)) = path.last_mut() {
        let Some(&to) = before[*node as usize].get(*next) else {
            number[*node as usize] = order.len() as u32;
            order.push(*node);
            path.pop();
            continue;
        };
        *next += 1;
        if !std::mem::replace(&mut is_entered[to as usize], true) {
            path.push((to, 0));
        }
    }
}

/// The nearest node that both are dominated by.
fn common(dominator: &[u32], number: &[u32], mut left: u32, mut right: u32) -> u32 {
    while left != right {
        if number[left as usize] < number[right as usize] {
            left = dominator[left as usize];
        } else {
            right = dominator[right as usize];
        }
    }
    left
}
