//! Don't-cares: which values of an input may be simpler though the run goes the same way.
//!
//! Takes an input and the clauses of its path; gives changes, value by value, under which every clause still holds: back
//! to the default where it does not matter, else an enumerator, a small number, a printable character. A tag stays with what
//! its union holds. Whether the run really stays the same is for the caller to see: what was concretised is in no clause.
//!
//! Never: running anything, chance.

mod values;

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use tarka_terms::{Assignment, Evaluator, Term, Terms};

use crate::shape::{DomainWidth, InputBytes, LeafKind, LeafValue, Shape};

/// Values tried for one input.
const MOST_TRIED: usize = 2000;

/// Evaluations of single clauses for one input.
const MOST_EVALUATED: usize = 100_000;

/// Bytes that all clauses of a path together may mention; beyond this a path is left as it is.
const MOST_MENTIONED: usize = 1 << 20;

/// One value of an input and its new bytes.
pub type Change = Vec<(u32, u8)>;

/// A path and the input that took it.
pub struct Path<'a> {
    /// What inputs look like.
    pub shape: &'a Shape<'a>,
    /// The input.
    pub input: &'a InputBytes,
    /// What the path says about it.
    pub clauses: &'a [Term],
    /// Pointers that something was added to.
    pub moved: &'a BTreeSet<u32>,
}

/// The changes that keep every clause of the path, in the order of the values. `in_time` ends the work early.
pub fn simplify(
    terms: &mut Terms,
    evaluator: &mut Evaluator,
    path: &Path,
    in_time: impl Fn() -> bool,
) -> Vec<Change> {
    let Some(mentioned) = clauses_by_byte(terms, path.clauses) else { return Vec::new() };
    let (mut tried, mut evaluated) = (0, 0);
    let mut current = path.input.clone();
    let mut changes = Vec::new();
    let mut open: VecDeque<_> = path.shape.leaves(&path.shape.objects(path.input), path.input).into();
    let mut put_off = HashSet::new();
    while let Some(leaf) = open.pop_front() {
        // Null would be simpler, and what is added to it undefined.
        let is_moved = path.moved.contains(&leaf.offset) || path.shape.is_moved(leaf.offset);
        if leaf.kind == LeafKind::Pointer && is_moved {
            continue;
        }
        let old = current.within(leaf.offset, leaf.size);
        let clauses = clauses_of(terms, path.shape, &mentioned, &leaf, &current);
        for new in values::simpler(&leaf.kind, &old, &leaf.default) {
            if tried >= MOST_TRIED || evaluated >= MOST_EVALUATED || !in_time() {
                return changes;
            }
            tried += 1;
            evaluated += clauses.len();
            let assignment = |byte: u32| match byte.checked_sub(leaf.offset) {
                Some(position) if position < leaf.size => new[position as usize],
                _ => current.byte(byte),
            };
            if evaluator.first_false(terms, clauses.iter().copied(), &assignment).is_some() {
                continue;
            }
            let change: Change = (leaf.offset..).zip(new).collect();
            let next = current.with(&change);
            if belies(path.shape, leaf.offset, &current, &next) {
                // What is in the union may not matter either.
                if put_off.insert(leaf.offset) {
                    open.push_back(leaf);
                    break;
                }
                continue;
            }
            current = next;
            changes.push(change);
            break;
        }
    }
    changes
}

/// Whether a change makes a tag say something else than its union holds.
fn belies(shape: &Shape, byte: u32, before: &InputBytes, after: &InputBytes) -> bool {
    shape.misled_around(byte, after).len() > shape.misled_around(byte, before).len()
}

/// The clauses that mention each byte; `None` if that is too much to look at.
fn clauses_by_byte(terms: &Terms, clauses: &[Term]) -> Option<HashMap<u32, Vec<Term>>> {
    let mut mentioned: HashMap<u32, Vec<Term>> = HashMap::new();
    let mut count = 0;
    for &clause in clauses {
        let inputs = terms.inputs(clause);
        count += inputs.len();
        if count > MOST_MENTIONED {
            return None;
        }
        for &byte in inputs {
            mentioned.entry(byte).or_default().push(clause);
        }
    }
    Some(mentioned)
}

/// Every clause that a change of the leaf may make false, its domain included, each once.
fn clauses_of(
    terms: &mut Terms,
    shape: &Shape,
    mentioned: &HashMap<u32, Vec<Term>>,
    leaf: &LeafValue,
    current: &InputBytes,
) -> Vec<Term> {
    let bytes = leaf.offset..leaf.offset + leaf.size;
    let domains: Vec<Term> =
        bytes.clone().filter_map(|byte| shape.domain(terms, byte, current, DomainWidth::Wide)).collect();
    // A beginning without an end is simpler, and nobody's.
    let is_in_range = shape.is_in_range(leaf.offset);
    let together = if is_in_range { shape.together(terms, leaf.offset, current) } else { None };
    let on_path = bytes.filter_map(|byte| mentioned.get(&byte)).flatten().copied();
    let mut all: Vec<Term> = domains.into_iter().chain(together).chain(on_path).collect();
    all.sort_unstable();
    all.dedup();
    all
}
