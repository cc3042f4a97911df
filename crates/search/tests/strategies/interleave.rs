//! Strategies in turn.

use tarka_search::strategy::by_name;
use tarka_source::Criterion;

use super::graphs::{END, Played, unit};
use crate::toy::search_on;

fn in_turn(name: &str) -> Played {
    let (model, icfg) = unit(&[(1, 1), (2, 2), (3, 3), (4, 4), (END, END)]);
    let search = search_on(&model, &icfg, Criterion::Branch, name, 1);
    let mut played = Played::new(search.without_filter(), &model);
    played.run(&[0, 1, 2, 3, 4].map(|site| (site, false)));
    played
}

#[test]
fn they_take_turns_and_neither_asks_for_what_the_other_settled() {
    let mut played = in_turn("dfs+bfs");
    let depths: Vec<u32> = played.all_infeasible().iter().map(|choice| choice.2).collect();
    assert_eq!(depths, [4, 0, 3, 1, 2]);
    assert_eq!(played.search.strategy_name(), "dfs+bfs");
}

#[test]
fn a_restart_forgets_the_runs_of_both() {
    let mut played = in_turn("bfs+pps");
    played.choose();
    played.infeasible();
    played.search.restart();
    assert_eq!(played.choose(), None);
    played.run(&[(0, true)]);
    assert_eq!(played.all_infeasible(), [(0, false, 0)]);
}

#[test]
fn there_may_be_more_than_two() {
    let mut played = in_turn("dfs+bfs+dfs");
    let depths: Vec<u32> = played.all_infeasible().iter().map(|choice| choice.2).collect();
    assert_eq!(depths, [4, 0, 3, 2, 1]);
}

#[test]
fn each_name_must_be_that_of_a_strategy() {
    for (name, unknown) in [("pps+best", "best"), ("+pps", ""), ("pps+", ""), ("interleave", "interleave")] {
        let message = by_name(name).err().expect(name).to_string();
        assert!(message.starts_with(&format!("there is no strategy `{unknown}`; available: ")), "{message}");
    }
}
