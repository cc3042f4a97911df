//! `uniform-random`: a coin at every decision of the last path.

use std::collections::BTreeMap;

use tarka_trace::{Op, input_label};

use crate::toy::{Recorder, conditions, explore};

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

/// Eight conditions that have nothing to do with each other: the bits of byte 0.
fn bits(run: &mut Recorder) {
    for site in 0..8 {
        let (mask, zero) = (run.constant(8, 1 << site), run.constant(8, 0));
        let masked = run.node(Op::And, 8, [input_label(0), mask, 0]);
        let label = run.node(Op::Ne, 1, [masked, zero, 0]);
        run.condition(site, run.input[0] >> site & 1 == 1, label);
    }
}

#[test]
fn after_a_flip_the_walk_goes_on_below_it() {
    let (mut flips_at, mut deeper, mut next) = ([0; 3], [0; 3], [0; 3]);
    for seed in 0..300 {
        let story = explore(&conditions(8), "uniform-random", seed, 3, bits);
        let depth = |index: usize| story.search.tree().node_of(story.tried[index]).depth as usize;
        if depth(0) < 3 {
            flips_at[depth(0)] += 1;
            deeper[depth(0)] += u32::from(depth(1) > depth(0));
            next[depth(0)] += u32::from(depth(1) == depth(0) + 1);
        }
    }
    for depth in 0..3 {
        let (flips, deeper, next) = (flips_at[depth], deeper[depth], next[depth]);
        assert!(flips >= 20, "depth {depth}: {flips_at:?}");
        // At least five coins are left below, so hardly a walk ends there; every second one flips at once.
        assert!(10 * deeper >= 9 * flips, "depth {depth}: {deeper} of {flips} went on below");
        assert!(
            (flips / 4..=3 * flips / 4).contains(&next),
            "depth {depth}: {next} of {flips} flipped at once"
        );
    }
}

#[test]
fn the_seed_alone_decides() {
    let inputs = |seed| explore(&conditions(8), "uniform-random", seed, 12, in_a_row).inputs;
    assert_eq!(inputs(5), inputs(5));
    assert!((0..8).any(|seed| inputs(seed) != inputs(5)));
}
