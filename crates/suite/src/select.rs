//! The smallest suite we can find: few runs that together cover what all runs cover, none without a goal of its own.
//!
//! Takes what each run covers, gives the chosen runs. Deterministic: ties go to the earlier run. Never looks at bytes.

use std::collections::BTreeSet;

/// Chooses from `covers` (the goals of each candidate, candidates in order of their run). Gives indices, ascending.
///
/// A candidate that covers nothing is chosen only if nothing can be covered at all and `keep_one` asks for it.
pub fn select(covers: &[BTreeSet<u32>], keep_one: bool) -> Vec<usize> {
    let mut open: BTreeSet<u32> = covers.iter().flatten().copied().collect();
    if open.is_empty() {
        return if keep_one && !covers.is_empty() { vec![0] } else { Vec::new() };
    }
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let gain = |index: &usize| covers[*index].intersection(&open).count();
        let Some(best) = (0..covers.len()).max_by_key(|index| (gain(index), usize::MAX - index)) else {
            break;
        };
        open.retain(|goal| !covers[best].contains(goal));
        chosen.push(best);
    }
    drop_redundant(covers, &mut chosen);
    chosen.sort_unstable();
    chosen
}

/// Removes those whose goals the others cover too, the least useful (chosen last) first.
fn drop_redundant(covers: &[BTreeSet<u32>], chosen: &mut Vec<usize>) {
    for position in (0..chosen.len()).rev() {
        let others: BTreeSet<u32> = chosen
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != position)
            .flat_map(|(_, index)| covers[*index].iter().copied())
            .collect();
        if covers[chosen[position]].is_subset(&others) {
            chosen.remove(position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sets(goals: &[&[u32]]) -> Vec<BTreeSet<u32>> {
        goals.iter().map(|goals| goals.iter().copied().collect()).collect()
    }

    #[test]
    fn a_run_covered_by_later_choices_is_dropped() {
        // Greedy takes the middle run first; the outer two then make it useless.
        assert_eq!(select(&sets(&[&[1, 2, 5], &[2, 3, 4, 5], &[3, 4, 6]]), false), vec![0, 2]);
    }

    #[test]
    fn a_function_without_goals_keeps_one_test() {
        assert_eq!(select(&sets(&[&[], &[]]), true), vec![0]);
        assert_eq!(select(&sets(&[&[], &[]]), false), Vec::<usize>::new());
        assert_eq!(select(&[], true), Vec::<usize>::new());
    }

    #[test]
    fn ties_go_to_the_earlier_run() {
        assert_eq!(select(&sets(&[&[1], &[1, 2], &[2, 1]]), false), vec![1]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_is_idle(covers in prop::collection::vec(prop::collection::btree_set(0u32..12, 0..6), 0..12)) {
            let chosen = select(&covers, false);
            let all: BTreeSet<u32> = covers.iter().flatten().copied().collect();
            let kept: BTreeSet<u32> = chosen.iter().flat_map(|index| covers[*index].iter().copied()).collect();
            prop_assert_eq!(kept, all);
            for index in &chosen {
                let others: BTreeSet<u32> =
                    chosen.iter().filter(|other| *other != index).flat_map(|other| covers[*other].iter().copied()).collect();
                prop_assert!(!covers[*index].is_subset(&others));
            }
        }
    }
}
