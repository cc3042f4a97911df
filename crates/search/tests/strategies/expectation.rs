//! `expectation` and `residual`, the two of paper 5.

use tarka_source::Criterion;

use super::graphs::{END, Played, unit};
use crate::toy::search_on;

/// `if (c0) { if (!c2) c3; } else c1;`
const TWO_SIDES: &[(usize, usize)] = &[(1, 2), (END, END), (3, END), (END, END)];

#[test]
fn the_branch_with_the_most_to_be_expected_goes_first() {
    let (model, icfg) = unit(TWO_SIDES);
    let mut played = Played::new(search_on(&model, &icfg, Criterion::Branch, "expectation", 1), &model);
    played.run(&[(0, false), (1, false)]);
    // 1T weighs 1. 3F and 3T weigh 1, so 2F weighs 2; with 2T, 1, the mean is 1.5, and 0T weighs 2.5.
    assert_eq!(played.choose(), Some((0, true, 0)));
    played.run(&[(0, true), (2, true)]);
    assert_eq!(played.choose(), Some((2, false, 1)), "2F still weighs 2");
    played.run(&[(0, true), (2, false), (3, false)]);
    let mut rest = played.all_infeasible();
    rest.sort();
    assert_eq!(rest, [(1, true, 1), (3, true, 2)]);
}

#[test]
fn a_branch_that_comes_again_is_divided_by_how_often_it_came() {
    // `while (c0) if (c2) return; c1;`, three rounds.
    let (model, icfg) = unit(&[(1, 2), (END, END), (0, END)]);
    let mut played = Played::new(search_on(&model, &icfg, Criterion::Branch, "expectation", 1), &model);
    let round = [(0, true), (2, false)];
    played.run(&[&round[..], &round, &round, &[(0, false), (1, false)]].concat());
    // 2T and 1T weigh 1 and 0F, before 1T and 1F, a half. 2F leads back to 0F and, cut off, to 0T: a quarter. So 0T, before
    // 2T and 2F, weighs 5/8. 2T has three candidates, 1, 1/2 and 1/3; 0F has three, 1/2, 1/4 and 1/6.
    let choices = played.all_infeasible();
    let branches: Vec<_> = choices.iter().map(|&(site, outcome, _)| (site, outcome)).collect();
    let [again, behind, stay, leave] = [(2, true), (1, true), (0, true), (0, false)];
    assert_eq!(branches, [again, behind, stay, again, leave, again, leave, leave]);
}

#[test]
fn residual_goes_down_from_the_start_where_most_is_left() {
    let (model, icfg) = unit(TWO_SIDES);
    let mut played = Played::new(search_on(&model, &icfg, Criterion::Branch, "residual", 1), &model);
    played.run(&[(0, false), (1, false)]);
    assert_eq!(played.choose(), Some((0, true, 0)), "five are left behind 0T, one behind 0F");
    played.run(&[(0, true), (2, true)]);
    assert_eq!(played.choose(), Some((2, false, 1)), "three behind 2F, none behind 2T");
    played.run(&[(0, true), (2, false), (3, false)]);
    assert_eq!(played.choose(), Some((3, true, 2)));
    played.run(&[(0, true), (2, false), (3, true)]);
    assert_eq!(played.choose(), Some((1, true, 1)), "from the start again, the only one left");
}

#[test]
fn residual_looks_at_the_same_decision_again_when_the_best_way_is_infeasible() {
    let (model, icfg) = unit(TWO_SIDES);
    let mut played = Played::new(search_on(&model, &icfg, Criterion::Branch, "residual", 1), &model);
    played.run(&[(0, false), (1, false)]);
    assert_eq!(played.all_infeasible(), [(0, true, 0), (1, true, 1)]);
}
