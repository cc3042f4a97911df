//! `uniform-random`: a coin at every decision of the last path.

use std::collections::BTreeMap;

use super::toy::{Recorder, conditions, explore};

/// Eight conditions one after the other on two bytes.
fn in_a_row(run: &mut Recorder) {
    for site in 0..8 {
        run.less(site, site % 2, 10 * (site as u8 + 1));
    }
}

#[test]
fn each_decision_is_flipped_half_as_often_as_the_one_before() {
    let mut first_flips: BTreeMap<u32, u32> = BTreeMap::new();
    for seed in 0..200 {
        let story = explore(&conditions(8), "uniform-random", seed, 2, in_a_row);
        *first_flips.entry(story.search.tree().node_of(story.tried[0]).site).or_default() += 1;
    }
    let at = |site| first_flips.get(&site).copied().unwrap_or(0);
    assert!((75..125).contains(&at(0)), "{first_flips:?}");
    assert!((30..70).contains(&at(1)), "{first_flips:?}");
}

#[test]
fn after_a_flip_the_walk_goes_on_below_it() {
    for seed in 0..20 {
        let story = explore(&conditions(8), "uniform-random", seed, 3, in_a_row);
        let depth = |index: usize| story.search.tree().node_of(story.tried[index]).depth;
        let is_new_walk = depth(1) <= depth(0);
        // A new walk starts only when the coin let the rest of the path go by.
        assert!(!is_new_walk || depth(0) >= 1, "seed {seed}: {} then {}", depth(0), depth(1));
    }
}

#[test]
fn the_seed_alone_decides() {
    let inputs = |seed| explore(&conditions(8), "uniform-random", seed, 12, in_a_row).inputs;
    assert_eq!(inputs(5), inputs(5));
    assert!((0..8).any(|seed| inputs(seed) != inputs(5)));
}
