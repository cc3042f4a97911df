//! `cfg`, on the graph of paper 3's figure 5: five conditions nested in each other behind one that does not matter.

use tarka_search::Search;
use tarka_source::{Criterion, GoalKind, SiteId, SourceModel};

use super::graphs::{END, Played, unit};
use crate::toy::search_on;

/// b1 and b2 are the sides of c0, b3 and b4 those of c1 and so on; odd ones are true and lead further in.
const FIGURE_5: &[(usize, usize)] = &[(1, 1), (END, 2), (END, 3), (END, 4), (END, 5), (END, END)];

/// Asks for b11 alone.
fn only_b11(mut search: Search) -> Search {
    let b11 = GoalKind::Outcome { site: SiteId(5), outcome: 1, taken: true };
    search.aim(|_, goal| *goal == b11);
    search
}

fn played(strategy: &str) -> (Played, SourceModel) {
    let (model, icfg) = unit(FIGURE_5);
    (Played::new(only_b11(search_on(&model, &icfg, Criterion::Branch, strategy, 1)), &model), model)
}

#[test]
fn the_nearest_flip_comes_first() {
    let (mut played, _) = played("cfg");
    played.run(&[(0, true), (1, true), (2, true), (3, true), (4, false)]);
    // b9 is one branch away from b11, b2 five; from b4, b6 and b8 there is no way.
    assert_eq!(played.all_infeasible(), [(4, true, 4), (0, false, 0)]);
}

#[test]
fn a_run_that_gets_nearer_is_followed_down_and_left_again_when_that_fails() {
    let (mut played, _) = played("cfg");
    played.run(&[(0, true), (1, true), (2, false)]);
    assert_eq!(played.choose(), Some((2, true, 2)), "b5 is three branches away, b2 five");
    played.run(&[(0, true), (1, true), (2, true), (3, false)]);
    assert_eq!(played.choose(), Some((3, true, 3)), "b7 is two branches away");
    played.run(&[(0, true), (1, true), (2, true), (3, true), (4, false)]);
    assert_eq!(played.choose(), Some((4, true, 4)));
    played.infeasible();
    assert_eq!(played.choose(), Some((0, false, 0)), "back to the first run");
}

#[test]
fn a_run_that_covers_something_is_where_the_search_stands_from_then_on() {
    // `if (c0) c1; else c2;`
    let (model, icfg) = unit(&[(2, 1), (END, END), (END, END)]);
    let mut firsts = std::collections::BTreeSet::new();
    for seed in 0..16 {
        let mut played = Played::new(search_on(&model, &icfg, Criterion::Branch, "cfg", seed), &model);
        played.run(&[(0, true), (1, true)]);
        let first = played.choose();
        firsts.insert(first);
        if first == Some((0, false, 0)) {
            played.run(&[(0, false), (2, true)]);
            assert_eq!(played.choose(), Some((2, false, 1)), "c1 is as near, but not on this path");
        }
    }
    assert_eq!(firsts.len(), 2, "equally near flips come in random order: {firsts:?}");
}

#[test]
fn minimal_distance_agrees_with_the_figure_and_random_path_prefers_short_ones() {
    let first_two = |seed| {
        let (model, icfg) = unit(FIGURE_5);
        let search = only_b11(search_on(&model, &icfg, Criterion::Branch, "rp-md2u", seed));
        let mut played = Played::new(search.without_filter(), &model);
        played.run(&[(0, true), (1, true), (2, true), (3, true), (4, false)]);
        let by_path = played.choose().unwrap();
        played.infeasible();
        (by_path, played.choose().unwrap())
    };
    let mut by_depth = [0; 5];
    for seed in 0..310 {
        let ((_, _, depth), by_distance) = first_two(seed);
        by_depth[depth as usize] += 1;
        assert_eq!(by_distance, if depth == 4 { (0, false, 0) } else { (4, true, 4) }, "seed {seed}");
    }
    // Weights 1, 1/2, 1/4, 1/8, 1/16: expected are 160, 80, 40, 20 and 10.
    let expected = [160, 80, 40, 20, 10];
    let is_near = |(seen, expected): (&i32, i32)| (seen - expected).abs() <= expected / 2;
    assert!(by_depth.iter().zip(expected).all(is_near), "{by_depth:?}");
}
