//! The pool of inputs: how they look now, what runs showed of that, and those that wait to be tried.
//!
//! Takes what runs did with their inputs and what the path tree says of pointers; gives the shape of inputs, and inputs that no
//! candidate asks for. Never: running anything, asking the solver, which bounds there are (see `epochs` of `inputs`).

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use tarka_inputs::{
    Aliases, Epochs, InputBytes, Needed, ObjectShape, Overruns, Placement, Ranges, Shape, SlotPath, Touches,
};
use tarka_runner::{End, Run};
use tarka_search::{NodeId, PathNode, PathTree};
use tarka_terms::Terms;
use tarka_trace::{EventKind, TraceEvent};

use super::dictionary::Dictionary;
use super::job::Job;
use super::longer_texts::LongerTexts;

/// Most pointers of unions, each at a place, that are tried as other members.
const MOST_OTHER_MEMBERS: usize = 64;

/// Most inputs that are tried because of what is shared in them.
const MOST_SHARED: usize = 16;

/// What inputs are made of, and those that wait.
pub(super) struct InputPool<'a> {
    pub epochs: Epochs,
    pub shape: Rc<Shape<'a>>,
    /// Pointers that the unit was seen to order.
    pub ranges: Ranges,
    /// Pointers to more than their length says, and what runs did to counted objects without.
    roomy: BTreeSet<SlotPath>,
    overruns: Overruns,
    /// Pointers that runs died of because they were null.
    pub needed: Needed,
    /// Inputs to run before any candidate.
    pub seeds: VecDeque<InputBytes>,
    /// What runs did with the objects behind pointers, and the aliases that were tried because of it.
    touches: Touches,
    pub shared: BTreeSet<(u32, u64)>,
    /// Pointers that were followed.
    pub followed: BTreeSet<u32>,
    /// Pointers of unions and the sites at which they were followed: other members were tried there.
    other_members: BTreeSet<(u32, u32)>,
    pub longer_texts: LongerTexts,
    pub dictionary: Dictionary,
}

/// What a run has added to the path tree.
pub(super) struct Added<'t> {
    pub aliases: &'t mut Aliases,
    pub terms: &'t Terms,
    pub tree: &'t PathTree,
    /// Nodes that were there before.
    pub known: usize,
}

impl<'t> Added<'t> {
    /// The new nodes, the last ones of the tree.
    fn nodes(&self) -> impl DoubleEndedIterator<Item = &'t PathNode> + use<'t> {
        let tree = self.tree;
        (self.known..tree.len()).map(move |node| tree.node(NodeId::new(node)))
    }
}

impl<'a> InputPool<'a> {
    /// The inputs of the first epoch.
    pub(super) fn new(job: &Job<'a>) -> InputPool<'a> {
        let epochs = job.first_epoch();
        let ranges = Ranges::new(job.options.defects.ranges_apart);
        let roomy = BTreeSet::new();
        let shape = Rc::new(job.shape(epochs.limits(), &ranges, &roomy));
        InputPool {
            seeds: VecDeque::from([shape.first_input()]),
            shape,
            ranges,
            roomy,
            overruns: Overruns::default(),
            needed: Needed::default(),
            epochs,
            touches: Touches::default(),
            shared: BTreeSet::new(),
            followed: BTreeSet::new(),
            other_members: BTreeSet::new(),
            longer_texts: LongerTexts::default(),
            dictionary: Dictionary::default(),
        }
    }

    /// Begins anew with inputs as they are to be now.
    pub(super) fn begin(&mut self, job: &Job<'a>) {
        self.shape = Rc::new(job.shape(self.epochs.limits(), &self.ranges, &self.roomy));
        self.longer_texts.restart();
        self.dictionary = Dictionary::default();
        self.touches = Touches::default();
        self.overruns = Overruns::default();
        self.shared.clear();
        self.followed.clear();
        self.other_members.clear();
        let first = self.shape.with_needed(&self.needed, self.shape.first_input(), |_| true);
        self.seeds = VecDeque::from([first]);
    }

    /// Counted objects that the unit leaves, all of them or only those that no run has used and ended well.
    pub(super) fn left(&self, only_hopeless: bool) -> Vec<u32> {
        self.overruns.left(only_hopeless)
    }

    /// Gives objects behind these pointers room; false if they have it already.
    pub(super) fn give_room(&mut self, left: Vec<u32>) -> bool {
        let known = self.roomy.len();
        self.roomy.extend(left.into_iter().filter_map(|slot| self.shape.path_of(slot)));
        self.roomy.len() != known
    }

    /// Aliases that may matter and that no run had.
    pub(super) fn unshared(&self, job: &Job) -> Vec<Placement> {
        let (model, facts) = (job.model, &job.build.outside);
        let may_be_known = |name: &str| {
            let global = model.globals.iter().find(|global| global.name == name);
            global.is_some_and(|global| !global.is_static || facts.address_taken.contains(name))
        };
        let mut all = self.shape.placements(&self.touches, &may_be_known);
        all.extend(self.shape.moved_from_initial(&self.followed));
        all.retain(|placement| !self.shared.contains(&(placement.slot, placement.address)));
        all
    }

    /// Puts inputs first in which pointers share what they did not share before; false if none wait.
    pub(super) fn share(&mut self, job: &Job) -> bool {
        let untried = self.unshared(job);
        for placement in untried.into_iter().take(MOST_SHARED.saturating_sub(self.shared.len())) {
            if let Some(input) = placement.input {
                self.shared.insert((placement.slot, placement.address));
                self.seeds.push_back(input);
            }
        }
        !self.seeds.is_empty()
    }

    /// Takes what a run did with the objects of its input; what it did behind pointers only if that is new.
    pub(super) fn absorb(
        &mut self,
        (objects, input): (&[Rc<ObjectShape>], &InputBytes),
        (run, end, ended_well): (&Run, End, bool),
        has_news: bool,
    ) {
        self.overruns.absorb(objects, run, end, ended_well);
        if has_news {
            self.touches.absorb(objects, input, run);
        }
    }

    /// Puts pointers together that new nodes order or subtract; true if any were apart.
    pub(super) fn join(&mut self, added: &mut Added) -> bool {
        let mut found = false;
        for node in added.nodes() {
            for &(one, other) in added.aliases.ordered(added.terms, &self.shape, node.operand) {
                if let Some((one, other)) = self.shape.path_of(one).zip(self.shape.path_of(other)) {
                    found |= self.ranges.join(one, other);
                }
            }
        }
        found
    }

    /// Adds the pointers that checks among new nodes speak of: they were followed.
    pub(super) fn follow(&mut self, added: &mut Added) {
        for node in added.nodes().filter(|node| node.kind == EventKind::Check) {
            self.followed.extend(added.aliases.pointers(added.terms, &self.shape, node.operand));
        }
    }

    /// Adds inputs with what other members point to, for the pointers of a union that new nodes follow for the first time at a
    /// place: which member the code means there depends on what it has decided before.
    pub(super) fn try_other_members(&mut self, added: &mut Added, input: &InputBytes) {
        for node in added.nodes() {
            if !matches!(node.kind, EventKind::Check | EventKind::InternalSwitch) {
                continue;
            }
            for &slot in added.aliases.pointers(added.terms, &self.shape, node.operand) {
                let tried = &mut self.other_members;
                if tried.len() == MOST_OTHER_MEMBERS || tried.contains(&(slot, node.site)) {
                    continue;
                }
                let is_call = node.kind == EventKind::InternalSwitch;
                let others = self.shape.as_other_members(input, slot, is_call);
                if !others.is_empty() {
                    tried.insert((slot, node.site));
                    self.seeds.extend(others);
                }
            }
        }
    }

    /// Notes the pointer that a run died of because it was null: what its last event asked, a check or where a call leads, is
    /// about that pointer alone. Only new nodes are looked at: others have told it before.
    pub(super) fn note_needed(&mut self, added: &mut Added, events: &[TraceEvent], input: &InputBytes) {
        let found = self.died_of(added, events, input);
        found.into_iter().for_each(|path| self.needed.note(path));
    }

    fn died_of(&self, added: &mut Added, events: &[TraceEvent], input: &InputBytes) -> Option<SlotPath> {
        let died = events.last().filter(|event| event.outcome == 0 && event.label != 0)?;
        let is_pointer = |kind: EventKind| matches!(kind, EventKind::Check | EventKind::InternalSwitch);
        let last = added.nodes().rev().find(|node| node.kind != EventKind::Undefined)?;
        if !is_pointer(last.kind) || (last.site, last.kind as u16) != (died.site, died.kind) {
            return None;
        }
        let &[slot] = added.aliases.pointers(added.terms, &self.shape, last.operand) else { return None };
        self.shape.path_of(slot).filter(|_| input.word(slot) == 0)
    }
}
