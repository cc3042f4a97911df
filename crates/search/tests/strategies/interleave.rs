//! Two strategies in turn.

use tarka_search::Search;
use tarka_search::strategy::{Interleave, by_name};
use tarka_source::{Criterion, FunctionId};

use crate::graphs::{END, Played, unit};

fn in_turn(first: &str, second: &str) -> Played {
    let (model, icfg) = unit(&[(1, 1), (2, 2), (3, 3), (4, 4), (END, END)]);
    let [first, second] = [first, second].map(|name| by_name(name).unwrap());
    let strategy = Box::new(Interleave::new(first, second));
    let search = Search::new(&model, &icfg, (FunctionId(0), Criterion::Branch), strategy, 1);
    let mut played = Played::new(search.without_filter(), &model);
    played.run(&[0, 1, 2, 3, 4].map(|site| (site, false)));
    played
}

#[test]
fn they_take_turns_and_neither_asks_for_what_the_other_settled() {
    let mut played = in_turn("dfs", "bfs");
    let depths: Vec<u32> = played.all_infeasible().iter().map(|choice| choice.2).collect();
    assert_eq!(depths, [4, 0, 3, 1, 2]);
    assert_eq!(played.search.strategy_name(), "dfs+bfs");
}

#[test]
fn a_restart_forgets_the_runs_of_both() {
    let mut played = in_turn("bfs", "pps");
    played.choose();
    played.infeasible();
    played.search.restart();
    assert_eq!(played.choose(), None);
    played.run(&[(0, true)]);
    assert_eq!(played.all_infeasible(), [(0, false, 0)]);
}
