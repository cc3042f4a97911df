//! Checks that decide nothing: taken out of the path, and made candidates for their failing.
//!
//! Takes the events of a run; gives those of its path, and for each check that somebody wants to see fail a candidate behind
//! the last decision before it. Labels are turned into terms only for those. Never: which of them to try.

use std::borrow::Cow;
use std::collections::HashSet;

use tarka_terms::{Term, Terms};
use tarka_trace::{EventKind, TraceEvent};

use crate::RunTrace;
use crate::import::Importer;
use crate::paths::candidate::CandidateId;
use crate::paths::tree::{Absorbed, NodeId, PathTree};

/// Checks of one run that become candidates: a loop is told of in growing steps, but there may be many sites.
const MOST_OF_A_RUN: usize = 256;

/// A check of a run and the number of path events before it.
#[derive(Clone, Copy)]
pub(crate) struct Passed {
    before: u32,
    event: TraceEvent,
}

/// The events of a path and the checks beside it.
pub(crate) fn split(events: &[TraceEvent]) -> (Cow<'_, [TraceEvent]>, Vec<Passed>) {
    let is_check = |event: &TraceEvent| event.kind == EventKind::Undefined as u16;
    let Some(first) = events.iter().position(is_check) else { return (Cow::Borrowed(events), Vec::new()) };
    let mut path = events[..first].to_vec();
    let mut checks = Vec::new();
    for &event in &events[first..] {
        if is_check(&event) {
            checks.push(Passed { before: path.len() as u32, event });
        } else {
            path.push(event);
        }
    }
    (Cow::Owned(path), checks)
}

/// Sites of checks that failed.
pub(crate) fn failed(checks: &[Passed]) -> impl Iterator<Item = u32> {
    checks.iter().filter(|check| check.event.outcome == 0).map(|check| check.event.site)
}

/// The edge a run stood at, and the condition: the same pair is the same question.
pub(crate) type Known = HashSet<(Option<(NodeId, u32)>, Term)>;

/// Makes candidates of the checks that passed on the new part of a path, for the sites that want any.
pub(crate) fn add_candidates(
    (tree, terms): (&mut PathTree, &mut Terms),
    trace: &RunTrace,
    (run, absorbed): (u64, &Absorbed),
    (checks, known): (&[Passed], &mut Known),
    wants: impl Fn(u32) -> bool,
) -> Vec<CandidateId> {
    let new = |check: &&Passed| check.before >= absorbed.known_events && check.event.outcome != 0;
    let wanted: Vec<&Passed> =
        checks.iter().filter(new).filter(|check| wants(check.event.site)).take(MOST_OF_A_RUN).collect();
    // A check on a part of the path that is missing hangs on nothing.
    if wanted.is_empty() || absorbed.cut {
        return Vec::new();
    }
    let mut importer = Importer::after(std::mem::take(&mut tree.imports), terms, trace);
    let mut candidates = Vec::new();
    // From the end of the path upwards, so that every edge is looked at once.
    let mut behind = absorbed.end;
    for check in wanted.into_iter().rev() {
        while let Some((node, _)) = behind
            && tree.node(node).place.event >= check.before
        {
            behind = tree.node(node).parent;
        }
        let Some(operand) = importer.import(terms, check.event.label) else { continue };
        if terms.width(operand) == 1
            && terms.as_constant(operand).is_none()
            && known.insert((behind, operand))
        {
            candidates.extend(tree.add_check(behind, (check.event.site, operand), run));
        }
    }
    tree.imports = importer.into_imports();
    candidates.reverse();
    candidates
}
