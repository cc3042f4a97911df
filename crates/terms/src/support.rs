//! Which input bytes a term depends on, as sets that share their parts.
//!
//! Takes unions of earlier sets; gives a number for each set and its members on demand. A running sum over ten thousand
//! inputs has ten thousand different sets: small ones are kept as sorted lists, each once, and a large one is only the
//! pair of sets it was made from, so that building them stays linear. [`Parts`] lets a caller walk that shared
//! structure (the solver's slice does) instead of listing every set in full.

use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A set of input bytes. Different numbers may hold the same members when the set is large.
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
    /// The union of two earlier sets.
    Union(Support, Support),
}

/// Up to this size a set is a list, and equal sets are the same number.
const LISTED: usize = 32;

#[derive(Debug)]
enum Set {
    Listed(Box<[u32]>),
    Union { left: Support, right: Support, members: OnceLock<Box<[u32]>> },
}

/// Every set of a store.
#[derive(Debug)]
pub(crate) struct Supports {
    sets: Vec<Set>,
    listed: FxHashMap<Box<[u32]>, Support>,
    unions: FxHashMap<(Support, Support), Support>,
}

impl Supports {
    pub(crate) fn new() -> Self {
        let mut supports =
            Supports { sets: Vec::new(), listed: FxHashMap::default(), unions: FxHashMap::default() };
        supports.list(Box::from([]));
        supports
    }

    pub(crate) fn single(&mut self, input: u32) -> Support {
        self.list(Box::from([input]))
    }

    pub(crate) fn union(&mut self, a: Support, b: Support) -> Support {
        let (a, b) = (a.min(b), a.max(b));
        if a == b || a == Support::EMPTY {
            return b;
        }
        if let Some(known) = self.unions.get(&(a, b)) {
            return *known;
        }
        let set = match (&self.sets[a.index()], &self.sets[b.index()]) {
            (Set::Listed(x), Set::Listed(y)) => {
                let merged = merge(x, y);
                if merged.len() <= LISTED { self.list(merged.into_boxed_slice()) } else { self.pair(a, b) }
            }
            _ => self.pair(a, b),
        };
        self.unions.insert((a, b), set);
        set
    }

    pub(crate) fn parts(&self, set: Support) -> Parts<'_> {
        match &self.sets[set.index()] {
            Set::Listed(members) => Parts::Inputs(members),
            Set::Union { left, right, .. } => Parts::Union(*left, *right),
        }
    }

    pub(crate) fn members(&self, set: Support) -> &[u32] {
        match &self.sets[set.index()] {
            Set::Listed(members) => members,
            Set::Union { members, .. } => members.get_or_init(|| self.flatten(set)),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    fn list(&mut self, members: Box<[u32]>) -> Support {
        if let Some(known) = self.listed.get(&members) {
            return *known;
        }
        let set = self.push(Set::Listed(members.clone()));
        self.listed.insert(members, set);
        set
    }

    fn pair(&mut self, left: Support, right: Support) -> Support {
        self.push(Set::Union { left, right, members: OnceLock::new() })
    }

    fn push(&mut self, set: Set) -> Support {
        let number = Support(self.sets.len() as u32);
        self.sets.push(set);
        number
    }

    fn flatten(&self, set: Support) -> Box<[u32]> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut members = Vec::new();
        let mut open = vec![set];
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            match &self.sets[next.index()] {
                Set::Listed(list) => members.extend_from_slice(list),
                Set::Union { left, right, members: known } => match known.get() {
                    Some(list) => members.extend_from_slice(list),
                    None => open.extend([*left, *right]),
                },
            }
        }
        members.sort_unstable();
        members.dedup();
        members.into_boxed_slice()
    }
}

fn merge(x: &[u32], y: &[u32]) -> Vec<u32> {
    let mut merged = Vec::with_capacity(x.len() + y.len());
    let (mut i, mut j) = (0, 0);
    while i < x.len() && j < y.len() {
        let next = x[i].min(y[j]);
        i += usize::from(x[i] == next);
        j += usize::from(y[j] == next);
        merged.push(next);
    }
    merged.extend_from_slice(&x[i..]);
    merged.extend_from_slice(&y[j..]);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_small_sets_are_one_number_however_they_were_made() {
        let mut sets = Supports::new();
        let (one, two, three) = (sets.single(1), sets.single(2), sets.single(3));
        let left = sets.union(one, two);
        let left = sets.union(left, three);
        let right = sets.union(three, two);
        let right = sets.union(right, one);
        assert_eq!(left, right);
        assert_eq!(sets.members(left), [1, 2, 3]);
    }

    #[test]
    fn a_growing_set_costs_one_entry_a_step() {
        let mut sets = Supports::new();
        let mut all = Support::EMPTY;
        for input in 0..10_000 {
            let single = sets.single(input);
            all = sets.union(all, single);
        }
        assert!(sets.len() < 20_100);
        assert!(sets.members(all).iter().copied().eq(0..10_000));
    }
}
