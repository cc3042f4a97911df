//! Which input bytes a term depends on, as sets that share their parts.
//!
//! Takes unions of earlier sets; gives a number for each set and its members on demand. A set is a tree over blocks of
//! neighbouring bytes (a Patricia tree), and equal trees are one number: a loop whose every round depends on the same
//! thousand bytes makes one set, and a running sum over ten thousand bytes a few new nodes a round. [`Parts`] lets a
//! caller walk that shared structure (the solver's slice does) instead of listing every set in full.

use rustc_hash::FxHashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A set of input bytes. The same members are the same number.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Support(u32);

impl Support {
    /// The set of a term without inputs.
    pub const EMPTY: Support = Support(0);

    /// Position of the set in its store, from 0: for tables indexed by set.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a set is kept.
#[derive(Clone, Copy, Debug)]
pub enum Parts<'a> {
    /// The members themselves, sorted.
    Inputs(&'a [u32]),
    /// The union of two sets that share nothing.
    Union(Support, Support),
}

/// Bytes in a block.
const BLOCK: u32 = 64;

#[derive(Debug)]
enum Set {
    /// Bytes of one block.
    Leaf { place: Place, mask: u64, members: Box<[u32]> },
    /// Bytes of several blocks: those whose number has a 0 at the bit where they part, and those with a 1.
    Branch { place: Place, zero: Support, one: Support, members: OnceLock<Box<[u32]>> },
}

/// What the numbers of a set's blocks have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    /// The bits above the one where they part; the others are 0.
    prefix: u32,
    /// That bit, alone; 0 for a single block.
    bit: u32,
}

impl Place {
    /// The place of what has two places that do not lie in each other.
    fn around(a: Place, b: Place) -> Place {
        let bit = 1 << (u32::BITS - 1 - (a.prefix ^ b.prefix).leading_zeros());
        Place { prefix: a.prefix & !(bit | (bit - 1)), bit }
    }

    /// Whether another place lies on one side of this one.
    fn holds(self, other: Place) -> bool {
        self.bit > other.bit && other.prefix & !(self.bit | (self.bit - 1)) == self.prefix
    }
}

/// Every set of a store.
#[derive(Debug)]
pub(crate) struct Supports {
    sets: Vec<Set>,
    leaves: FxHashMap<(u32, u64), Support>,
    branches: FxHashMap<(Support, Support), Support>,
    unions: FxHashMap<(Support, Support), Support>,
    /// Members that are listed, those of leaves and those that somebody asked for.
    listed: AtomicUsize,
}

impl Supports {
    pub(crate) fn new() -> Self {
        let mut supports = Supports {
            sets: Vec::new(),
            leaves: FxHashMap::default(),
            branches: FxHashMap::default(),
            unions: FxHashMap::default(),
            listed: AtomicUsize::new(0),
        };
        supports.leaf(0, 0);
        supports
    }

    pub(crate) fn single(&mut self, input: u32) -> Support {
        self.leaf(input / BLOCK, 1 << (input % BLOCK))
    }

    pub(crate) fn union(&mut self, a: Support, b: Support) -> Support {
        let (a, b) = (a.min(b), a.max(b));
        if a == b || a == Support::EMPTY {
            return b;
        }
        if let Some(known) = self.unions.get(&(a, b)) {
            return *known;
        }
        let set = self.merged(a, b);
        self.unions.insert((a, b), set);
        set
    }

    /// The union of two different sets, neither of them empty.
    fn merged(&mut self, a: Support, b: Support) -> Support {
        let (at, bt) = (self.place(a), self.place(b));
        if at == bt {
            return match (&self.sets[a.index()], &self.sets[b.index()]) {
                (Set::Leaf { mask: x, .. }, Set::Leaf { mask: y, .. }) => self.leaf(at.prefix, x | y),
                (&Set::Branch { zero: x, one: u, .. }, &Set::Branch { zero: y, one: v, .. }) => {
                    let (zero, one) = (self.union(x, y), self.union(u, v));
                    self.branch(at, zero, one)
                }
                _ => unreachable!("a place with a bit is a branch's, one without is a leaf's"),
            };
        }
        let (outer, inner, place) = match () {
            _ if at.holds(bt) => (a, b, at),
            _ if bt.holds(at) => (b, a, bt),
            _ => {
                let place = Place::around(at, bt);
                let (zero, one) = if at.prefix & place.bit == 0 { (a, b) } else { (b, a) };
                return self.branch(place, zero, one);
            }
        };
        let Set::Branch { zero, one, .. } = self.sets[outer.index()] else {
            unreachable!("a leaf holds no other place")
        };
        if self.place(inner).prefix & place.bit == 0 {
            let zero = self.union(zero, inner);
            self.branch(place, zero, one)
        } else {
            let one = self.union(one, inner);
            self.branch(place, zero, one)
        }
    }

    pub(crate) fn parts(&self, set: Support) -> Parts<'_> {
        match &self.sets[set.index()] {
            Set::Leaf { members, .. } => Parts::Inputs(members),
            Set::Branch { zero, one, .. } => Parts::Union(*zero, *one),
        }
    }

    pub(crate) fn members(&self, set: Support) -> &[u32] {
        match &self.sets[set.index()] {
            Set::Leaf { members, .. } => members,
            Set::Branch { members, .. } => members.get_or_init(|| self.list(set)),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// Bytes of memory that the sets take.
    pub(crate) fn bytes(&self) -> usize {
        let found_by = size_of::<((u32, u64), Support)>() + 1;
        let pair = size_of::<((Support, Support), Support)>() + 1;
        self.sets.len() * size_of::<Set>()
            + self.leaves.len() * found_by
            + (self.branches.len() + self.unions.len()) * pair
            + self.listed.load(Ordering::Relaxed) * size_of::<u32>()
    }

    fn place(&self, set: Support) -> Place {
        match self.sets[set.index()] {
            Set::Leaf { place, .. } | Set::Branch { place, .. } => place,
        }
    }

    fn leaf(&mut self, block: u32, mask: u64) -> Support {
        if let Some(known) = self.leaves.get(&(block, mask)) {
            return *known;
        }
        let bits = (0..BLOCK).filter(|bit| mask >> bit & 1 != 0);
        let members: Box<[u32]> = bits.map(|bit| block * BLOCK + bit).collect();
        *self.listed.get_mut() += members.len();
        let place = Place { prefix: block, bit: 0 };
        let set = self.push(Set::Leaf { place, mask, members });
        self.leaves.insert((block, mask), set);
        set
    }

    fn branch(&mut self, place: Place, zero: Support, one: Support) -> Support {
        if let Some(known) = self.branches.get(&(zero, one)) {
            return *known;
        }
        let set = self.push(Set::Branch { place, zero, one, members: OnceLock::new() });
        self.branches.insert((zero, one), set);
        set
    }

    fn push(&mut self, set: Set) -> Support {
        let number = Support(self.sets.len() as u32);
        self.sets.push(set);
        number
    }

    /// The members in order: blocks with a 0 come before those with a 1.
    fn list(&self, set: Support) -> Box<[u32]> {
        let mut members = Vec::new();
        let mut open = vec![set];
        while let Some(next) = open.pop() {
            match &self.sets[next.index()] {
                Set::Leaf { members: list, .. } => members.extend_from_slice(list),
                Set::Branch { zero, one, members: known, .. } => match known.get() {
                    Some(list) => members.extend_from_slice(list),
                    None => open.extend([*one, *zero]),
                },
            }
        }
        self.listed.fetch_add(members.len(), Ordering::Relaxed);
        members.into_boxed_slice()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn equal_sets_are_one_number_however_they_were_made() {
        let mut sets = Supports::new();
        let far = [1, 2, 3, 70, 5_000, 900_000].map(|input| sets.single(input));
        let forwards = far.iter().fold(Support::EMPTY, |all, single| sets.union(all, *single));
        let backwards = far.iter().rev().fold(Support::EMPTY, |all, single| sets.union(*single, all));
        assert_eq!(forwards, backwards);
        assert_eq!(sets.members(forwards), [1, 2, 3, 70, 5_000, 900_000]);
        assert_eq!(sets.union(forwards, far[3]), forwards, "what is in it already makes no new set");
    }

    #[test]
    fn a_growing_set_costs_a_few_entries_a_step() {
        let mut sets = Supports::new();
        let mut all = Support::EMPTY;
        for input in 0..10_000 {
            let single = sets.single(input);
            all = sets.union(all, single);
        }
        assert!(sets.len() < 100_000, "{} sets", sets.len());
        assert!(sets.members(all).iter().copied().eq(0..10_000));
    }

    #[test]
    fn rounds_that_add_nothing_make_no_sets() {
        let mut sets = Supports::new();
        let all = (0..1_000).fold(Support::EMPTY, |all, input| {
            let single = sets.single(7 * input);
            sets.union(all, single)
        });
        let count = sets.len();
        for round in 0..10_000 {
            let single = sets.single(7 * (round % 1_000));
            assert_eq!(sets.union(all, single), all);
        }
        assert_eq!(sets.len(), count);
    }

    proptest! {
        #[test]
        fn a_union_has_the_members_of_both(
            a in prop::collection::btree_set(prop_oneof![0_u32..300, u32::MAX - 99..=u32::MAX, any::<u32>()], 0..40),
            b in prop::collection::btree_set(prop_oneof![0_u32..300, u32::MAX - 99..=u32::MAX, any::<u32>()], 0..40),
        ) {
            let mut sets = Supports::new();
            let mut of = |inputs: &BTreeSet<u32>| inputs.iter().fold(Support::EMPTY, |all, input| {
                let single = sets.single(*input);
                sets.union(all, single)
            });
            let (x, y, wanted) = (of(&a), of(&b), of(&(&a | &b)));
            let both = sets.union(x, y);
            prop_assert_eq!(both, wanted);
            prop_assert!(sets.members(both).iter().eq((&a | &b).iter()));
        }
    }
}
