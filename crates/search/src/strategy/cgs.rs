//! `cgs`: context-guided search (Seo, Kim 2014: paper 3, algorithm 2).
//!
//! Goes through the tree in sweeps, breadth first, in random order within a depth. A branch is selected only if its
//! context is new: itself and the k - 1 branches before it on the path, not counting branches that every path to it takes
//! anyway. What is skipped is looked at again in the next sweep, with k one greater.
//!
//! Not in the paper: over the whole search, a choice looks at no more than [`LOOKS`] candidates on average, and takes the
//! next one as it is when these are used up, so that choosing stays cheap when long loops put thousands of candidates into
//! one context; and a candidate whose whole
//! path is shorter than k is always selected, so that every candidate comes up.

use rustc_hash::FxHashSet;
use tarka_trace::EventKind;

use super::{RunSummary, Strategy, UnitFacts, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::paths::tree::NodeId;
use crate::rng::Rng;
use crate::statics::dominators::BranchDominators;

/// Candidates that a choice may look at and skip; what it leaves, later ones may use.
const LOOKS: u64 = 32;

/// Context-guided search.
pub struct ContextGuided {
    first_level: u32,
    /// The k of this sweep.
    level: u32,
    /// The depth the sweep has come to.
    depth: usize,
    /// What this sweep has still to look at, by depth.
    ahead: Vec<Vec<Entry>>,
    /// What it skipped.
    skipped: Vec<Vec<Entry>>,
    /// Candidates that may still be skipped.
    looks: u64,
    /// Contexts under which a branch was selected, with their lengths.
    known: FxHashSet<(u64, u32)>,
    dominators: BranchDominators,
}

/// A candidate with as much of its context as was asked for.
struct Entry {
    candidate: CandidateId,
    context: u64,
    /// Branches in it.
    length: u32,
    /// The branch before them.
    before: Option<(NodeId, u32)>,
}

impl ContextGuided {
    /// Starting with contexts of this many branches.
    pub fn with_context(level: u32) -> ContextGuided {
        ContextGuided {
            first_level: level,
            level,
            depth: 0,
            looks: 0,
            ahead: Vec::new(),
            skipped: Vec::new(),
            known: FxHashSet::default(),
            dominators: BranchDominators::default(),
        }
    }

    /// The k of the present sweep.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// The next candidate of the sweep, at random within its depth.
    fn next(&mut self, rng: &mut Rng) -> Option<Entry> {
        loop {
            match self.ahead.get_mut(self.depth) {
                Some(entries) if !entries.is_empty() => {
                    return Some(entries.swap_remove(rng.below(entries.len())));
                }
                Some(_) => self.depth += 1,
                None if self.skipped.is_empty() => return None,
                None => {
                    std::mem::swap(&mut self.ahead, &mut self.skipped);
                    self.skipped.clear();
                    self.level += 1;
                    self.depth = 0;
                }
            }
        }
    }

    /// Follows the path upwards until the context is as long as this sweep wants it.
    fn extend(&self, view: View, entry: &mut Entry) {
        let own = view.tree.node_of(entry.candidate);
        let own_site = is_source(own.kind).then_some(own.site);
        while entry.length < self.level
            && let Some((id, edge)) = entry.before
        {
            let node = view.tree.node(id);
            entry.before = node.parent;
            let outcome = node.edges.iter().nth(edge as usize).map_or(0, |edge| edge.outcome);
            let branch =
                view.sites.coverage_index(node.site, outcome as u32).filter(|_| is_source(node.kind));
            let is_inevitable =
                branch.zip(own_site).is_some_and(|(branch, site)| self.dominators.dominates(branch, site));
            // A check that passes is no branch of the program.
            if node.kind != EventKind::Check && !is_inevitable {
                entry.context = mix(entry.context, node.kind, node.site, outcome);
                entry.length += 1;
            }
        }
    }
}

fn put(by_depth: &mut Vec<Vec<Entry>>, depth: usize, entry: Entry) {
    if by_depth.len() <= depth {
        by_depth.resize_with(depth + 1, Vec::new);
    }
    by_depth[depth].push(entry);
}

fn is_source(kind: EventKind) -> bool {
    matches!(kind, EventKind::Condition | EventKind::Switch)
}

fn mix(hash: u64, kind: EventKind, site: u32, outcome: u64) -> u64 {
    let branch = ((kind as u64) << 32 | site as u64) ^ outcome.rotate_left(40);
    (hash.rotate_left(23) ^ branch).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Default for ContextGuided {
    fn default() -> ContextGuided {
        ContextGuided::with_context(1)
    }
}

impl Strategy for ContextGuided {
    fn name(&self) -> &'static str {
        "cgs"
    }

    fn prepare(&mut self, unit: UnitFacts) {
        self.dominators = BranchDominators::new(unit);
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], _run: RunSummary) {
        for &candidate in new {
            let node = view.tree.node_of(candidate);
            let context = mix(1, node.kind, node.site, view.tree.candidate(candidate).outcome);
            let entry = Entry { candidate, context, length: 1, before: node.parent };
            // What lies above the sweep waits for the next one.
            let depth = node.depth as usize;
            put(if depth < self.depth { &mut self.skipped } else { &mut self.ahead }, depth, entry);
        }
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        self.looks += LOOKS;
        while let Some(mut entry) = self.next(rng) {
            if !view.is_open(entry.candidate) {
                continue;
            }
            self.extend(view, &mut entry);
            let is_new = !self.known.contains(&(entry.context, entry.length));
            if is_new || self.level as usize > self.depth + 1 || self.looks == 0 {
                self.known.insert((entry.context, entry.length));
                return Some(entry.candidate);
            }
            self.looks -= 1;
            put(&mut self.skipped, self.depth, entry);
        }
        None
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn restart(&mut self) {
        let dominators = std::mem::take(&mut self.dominators);
        *self = ContextGuided { dominators, ..ContextGuided::with_context(self.first_level) };
    }
}
