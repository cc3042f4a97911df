//! Pointers that the unit subtracts from each other or orders: C allows that only inside one object.
//!
//! Takes pairs of pointers, each named by the way to it from a root, which means the same in a shape of any size; gives for
//! a pointer the one whose object it shares, and the clause that ties their nulls. Never: which address in the object an input has (see `domain`).

use std::collections::BTreeMap;

use tarka_scenario::Role;
use tarka_terms::{BinaryOp, Term, Terms};

use super::domain::number;
use super::grow::Slot;
use super::object::ObjectShape;
use super::{InputBytes, Shape};

/// The way to a pointer: the arena offset of a root, then where each next pointer stands in the object of the one before.
pub type SlotPath = Vec<u32>;

/// Most pointers that are put into the object of another: each one found begins the search anew.
const MOST_FOLLOWERS: usize = 16;

/// Which pointers lead into one object.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    /// Each pointer that shares another's object, with the one that has it: the nearest to the roots.
    leaders: BTreeMap<SlotPath, SlotPath>,
    /// None ever does: a defect that tests put back.
    apart: bool,
}

impl Ranges {
    /// Nothing is known yet; `apart`: and never will be.
    pub fn new(apart: bool) -> Ranges {
        Ranges { leaders: BTreeMap::new(), apart }
    }

    /// True if pointers are never put together.
    pub fn are_apart(&self) -> bool {
        self.apart
    }

    /// Puts the objects of two pointers together; false if they are already, or if there are too many.
    pub fn join(&mut self, one: SlotPath, other: SlotPath) -> bool {
        let (one, other) = (self.leader_of(one), self.leader_of(other));
        if one == other || self.apart || self.leaders.len() >= MOST_FOLLOWERS {
            return false;
        }
        let by_distance = |path: &SlotPath| (path.len(), path.clone());
        let (leader, follower) =
            if by_distance(&one) < by_distance(&other) { (one, other) } else { (other, one) };
        for of in self.leaders.values_mut().filter(|of| **of == follower) {
            *of = leader.clone();
        }
        self.leaders.insert(follower, leader);
        true
    }

    fn leader_of(&self, path: SlotPath) -> SlotPath {
        self.leaders.get(&path).cloned().unwrap_or(path)
    }

    /// True if there are pointers that share an object.
    pub fn any(&self) -> bool {
        !self.leaders.is_empty()
    }
}

impl Shape<'_> {
    /// The way to the pointer that starts at an arena offset.
    pub fn path_of(&self, slot: u32) -> Option<SlotPath> {
        let object = self.grown.borrow().containing(slot)?;
        let Some(holder) = object.slot else { return Some(vec![slot]) };
        let mut path = self.path_of(holder)?;
        path.push(slot - object.offset);
        Some(path)
    }

    /// The pointer at the end of a way; its objects are reserved where they are not yet.
    fn slot_on(&self, path: &[u32]) -> Option<Slot> {
        let (&root, inner) = path.split_first()?;
        inner.iter().try_fold(self.slot_of(root)?, |slot, &at| {
            let object = self.own_object(&slot)?;
            self.slot_of(object.offset + at)
        })
    }

    /// The pointer at the end of a way, if every pointer on the way leads to its own object in this input.
    pub(super) fn slot_through(&self, path: &[u32], input: &InputBytes) -> Option<Slot> {
        let (&root, inner) = path.split_first()?;
        inner.iter().try_fold(self.slot_of(root)?, |slot, &at| {
            let address = input.word(slot.at);
            let object = self.own_object(&slot).filter(|object| object.entrance() == address)?;
            self.slot_of(object.offset + at)
        })
    }

    /// The pointer whose object a pointer shares; `None` for one with an object of its own.
    pub(super) fn leader(&self, slot: &Slot) -> Option<Slot> {
        if !self.ranges.any() {
            return None;
        }
        let leader = self.ranges.leaders.get(&self.path_of(slot.at)?)?;
        self.slot_on(leader)
    }

    /// True if a pointer leads into an object together with others.
    pub fn is_in_range(&self, slot: u32) -> bool {
        if !self.ranges.any() {
            return false;
        }
        let Some(path) = self.path_of(slot) else { return false };
        self.ranges.leaders.iter().any(|(follower, leader)| *follower == path || *leader == path)
    }

    /// The pointers that lead into an object together, of which one starts at this offset; it comes first.
    pub(super) fn companions(&self, slot: u32) -> Vec<u32> {
        let Some(path) = self.path_of(slot).filter(|_| self.ranges.any()) else { return vec![slot] };
        let leader = self.ranges.leader_of(path.clone());
        let followers = self.ranges.leaders.iter().filter(|(_, of)| **of == leader).map(|(path, _)| path);
        let others = followers.chain([&leader]).filter(|other| **other != path);
        let others = others.filter_map(|path| self.slot_on(path)).map(|slot| slot.at);
        std::iter::once(slot).chain(others).collect()
    }

    /// "Null together or not at all": what holds for a pointer and its companions once the unit has ordered them. `None` if
    /// the current input is not so.
    pub fn together(&self, terms: &mut Terms, slot: u32, current: &InputBytes) -> Option<Term> {
        let companions = self.companions(slot);
        if companions.iter().any(|&other| (current.word(other) == 0) != (current.word(slot) == 0)) {
            return None;
        }
        let zero = terms.constant(64, 0);
        let mut nulls = companions.into_iter().map(|slot| {
            let pointer = number(terms, slot, 8);
            terms.binary(BinaryOp::Eq, pointer, zero)
        });
        let own = nulls.next()?;
        let others: Vec<Term> = nulls.collect();
        Some(others.into_iter().fold(terms.constant(1, 1), |all, other| {
            let same = terms.binary(BinaryOp::Eq, own, other);
            terms.binary(BinaryOp::And, all, same)
        }))
    }

    /// The input in which every pointer that shares an object with a parameter leads to its start.
    pub(super) fn joined(&self, input: InputBytes) -> InputBytes {
        self.ranges.leaders.keys().filter_map(|path| self.slot_on(path)).fold(input, |input, slot| {
            let object = self.own_object(&slot);
            let is_made = |object: &ObjectShape| {
                let holder = object.slot.and_then(|slot| self.grown.borrow().containing(slot));
                holder.is_some_and(|holder| matches!(holder.root, Some(Role::Argument { .. })))
            };
            match object.filter(|object| is_made(object)) {
                Some(object) => input.with_word(slot.at, object.entrance()),
                None => input,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pointer_nearest_to_the_roots_leads_and_groups_merge() {
        let mut ranges = Ranges::default();
        assert!(ranges.join(vec![8, 0], vec![16]));
        assert!(!ranges.join(vec![16], vec![8, 0]), "known already");
        assert!(ranges.join(vec![8, 0], vec![4]), "both follow the nearest now");
        assert_eq!(ranges.leader_of(vec![8, 0]), vec![4]);
        assert_eq!(ranges.leader_of(vec![16]), vec![4]);
        assert_eq!(ranges.leader_of(vec![4]), vec![4]);
    }

    #[test]
    fn there_are_not_more_than_so_many() {
        let mut ranges = Ranges::default();
        let joined = (1..100).filter(|&offset| ranges.join(vec![0], vec![offset])).count();
        assert_eq!(joined, MOST_FOLLOWERS);
    }
}
