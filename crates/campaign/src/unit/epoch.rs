//! Beginning anew with other inputs: larger ones, or ones in which pointers that the unit orders lead into one object.
//!
//! Takes what the runs so far have met; gives a new shape of inputs and an empty path tree. Never: which bounds there are
//! (see `epochs`).

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use tarka_search::{NodeId, PathTree};
use tarka_terms::Terms;
use tarka_trace::{Event, EventKind};

use super::UnitLoop;
use super::words::Words;
use crate::aliases::Aliases;
use crate::environment::Environment;
use crate::epochs::Met;
use crate::faults::FaultBook;
use crate::keep::Keeper;
use crate::losses::Losses;
use crate::refusal::Refusals;
use crate::shape::{InputBytes, Needed, Overruns, Placement, Ranges, Shape, SlotPath, Touches};

/// Runs up to which everything is begun anew when pointers turn out to belong together. Later only the paths are: what was
/// covered would take too long to cover again.
const EARLY: u64 = 200;

/// The part of a unit's time in which is found out what larger inputs would be for.
const SETTLE_WHILE_SEARCHING: u32 = 20;

/// Most pointers of unions, each at a place, that are tried as other members.
const MOST_OTHER_MEMBERS: usize = 64;

/// Most inputs that are tried because of what is shared in them.
const MOST_SHARED: usize = 16;

impl UnitLoop<'_> {
    /// Allows larger inputs, or, when none may be larger, tries some in which pointers are equal. False if there is
    /// nothing to try.
    pub(super) fn widen(&mut self) -> bool {
        self.settle_refused(SETTLE_WHILE_SEARCHING);
        let met = Met { calls: self.environment.outside().state, ..self.losses.met() };
        if self.epochs.grow(met, self.effort()) {
            self.begin();
            return true;
        }
        if self.give_room(false) {
            return true;
        }
        let untried = self.unshared();
        for placement in untried.into_iter().take(MOST_SHARED.saturating_sub(self.shared.len())) {
            if let Some(input) = placement.input {
                self.shared.insert((placement.slot, placement.address));
                self.seeds.push_back(input);
            }
        }
        !self.seeds.is_empty()
    }

    /// Begins anew with room behind counted objects that the unit leaves, all of them or only those that no run has used and
    /// ended well, while goals have no test. False if there are none.
    pub(super) fn give_room(&mut self, only_hopeless: bool) -> bool {
        let left = self.overruns.left(only_hopeless);
        if left.is_empty() || !self.search.goals().lack_a_test() {
            return false;
        }
        let known = self.roomy.len();
        self.roomy.extend(left.into_iter().filter_map(|slot| self.shape.path_of(slot)));
        if self.roomy.len() == known {
            return false;
        }
        self.begin();
        self.search.take_up();
        true
    }

    /// Sharing that may matter and that no run had.
    pub(super) fn unshared(&self) -> Vec<Placement> {
        let (model, facts) = (self.job.model, &self.job.build.outside);
        let may_be_known = |name: &str| {
            let global = model.globals.iter().find(|global| global.name == name);
            global.is_some_and(|global| !global.is_static || facts.address_taken.contains(name))
        };
        let mut all = self.shape.placements(&self.touches, &may_be_known);
        all.extend(self.shape.moved_from_initial(&self.followed));
        all.retain(|placement| !self.shared.contains(&(placement.slot, placement.address)));
        all
    }

    /// Begins anew with inputs as they are to be now.
    fn begin(&mut self) {
        self.shape = Rc::new(self.job.shape(self.epochs.limits(), &self.ranges, &self.roomy));
        self.search.restart();
        self.search.set_calls(self.epochs.limits().calls);
        self.losses = Losses::default();
        self.unsettled.clear();
        self.postponed.clear();
        self.mend = None;
        self.stretches.restart();
        self.words = Words::default();
        self.runs_of_epoch = 0;
        self.refusals = Refusals::default();
        self.aliases = Aliases::default();
        self.touches = Touches::default();
        self.overruns = Overruns::default();
        self.shared.clear();
        self.followed.clear();
        self.other_members.clear();
        self.inputs.iter_mut().for_each(|input| *input = None);
        self.input_bytes = 0;
        let first = self.shape.with_needed(&self.needed, self.shape.first_input(), |_| true);
        self.seeds = VecDeque::from([first]);
    }

    /// Begins anew with pointers that belong together in one object.
    pub(super) fn begin_joined(&mut self) {
        if self.runs <= EARLY
            && let Ok(search) = self.job.search()
        {
            self.search = search;
            self.faults = FaultBook::new(self.job.options.faults);
            // Their faults are to be seen again.
            self.needed = Needed::default();
            let goals = self.search.goals();
            self.keeper = Keeper::new(goals.goals(), |goal| goals.is_asked(goal));
            self.given_kept.clear();
            self.given_faults.clear();
            self.covered_ms.iter_mut().for_each(|ms| *ms = 0);
            self.queries_before_runs.clear();
            self.concretised.iter_mut().for_each(|count| *count = 0);
            self.environment = Environment::new(self.job.model, self.job.build, self.job.layout());
        }
        self.begin();
    }
}

/// Adds the pointers that checks among the nodes of the tree from this one on speak of: they were followed.
pub(super) fn find_followed(
    (followed, aliases): (&mut BTreeSet<u32>, &mut Aliases),
    (terms, shape): (&Terms, &Shape),
    tree: &PathTree,
    known_nodes: usize,
) {
    for node in (known_nodes..tree.len()).map(|node| tree.node(NodeId::new(node))) {
        if node.kind == EventKind::Check {
            followed.extend(aliases.pointers(terms, shape, node.operand));
        }
    }
}

/// Inputs with what other members point to, for the pointers of a union that nodes of the tree from one on follow for the
/// first time at a place: which member the code means there depends on what it has decided before.
pub(super) fn as_other_members(
    (tried, aliases): (&mut BTreeSet<(u32, u32)>, &mut Aliases),
    (terms, shape): (&Terms, &Shape),
    (tree, known_nodes): (&PathTree, usize),
    input: &InputBytes,
) -> Vec<InputBytes> {
    let mut found = Vec::new();
    for node in (known_nodes..tree.len()).map(|node| tree.node(NodeId::new(node))) {
        if !matches!(node.kind, EventKind::Check | EventKind::InternalSwitch) {
            continue;
        }
        for &slot in aliases.pointers(terms, shape, node.operand) {
            if tried.len() == MOST_OTHER_MEMBERS || tried.contains(&(slot, node.site)) {
                continue;
            }
            let is_call = node.kind == EventKind::InternalSwitch;
            let others = shape.as_other_members(input, slot, is_call);
            if !others.is_empty() {
                tried.insert((slot, node.site));
                found.extend(others);
            }
        }
    }
    found
}

/// The pointer that a run died of because it was null: what its last event asked, a check or where a call leads, is about
/// that pointer alone. Only nodes of the tree from one on are looked at: others have told it before.
pub(super) fn find_needed(
    aliases: &mut Aliases,
    (terms, shape): (&Terms, &Shape),
    (tree, known_nodes): (&PathTree, usize),
    (events, input): (&[Event], &InputBytes),
) -> Option<SlotPath> {
    let died = events.last().filter(|event| event.outcome == 0 && event.label != 0)?;
    let is_pointer = |kind: EventKind| matches!(kind, EventKind::Check | EventKind::InternalSwitch);
    let mut new = (known_nodes..tree.len()).rev().map(|node| tree.node(NodeId::new(node)));
    let last = new.find(|node| node.kind != EventKind::Undefined)?;
    if !is_pointer(last.kind) || (last.site, last.kind as u16) != (died.site, died.kind) {
        return None;
    }
    let &[slot] = aliases.pointers(terms, shape, last.operand) else { return None };
    shape.path_of(slot).filter(|_| input.word(slot) == 0)
}

/// Puts pointers together that nodes of the tree from this one on order or subtract; true if any were apart.
pub(super) fn find_ranges(
    (ranges, aliases): (&mut Ranges, &mut Aliases),
    (terms, shape): (&Terms, &Shape),
    tree: &PathTree,
    known_nodes: usize,
) -> bool {
    let mut found = false;
    for node in known_nodes..tree.len() {
        let operand = tree.node(NodeId::new(node)).operand;
        for &(one, other) in aliases.ordered(terms, shape, operand) {
            if let Some((one, other)) = shape.path_of(one).zip(shape.path_of(other)) {
                found |= ranges.join(one, other);
            }
        }
    }
    found
}
