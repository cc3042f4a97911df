//! The wrapper `restart`: moving on after choices in vain.

use tarka_search::Search;
use tarka_search::strategy::{Generational, Interleave, Restart, Strategy, by_name};
use tarka_source::cfg::Icfg;
use tarka_source::{Criterion, FunctionId};

use super::nested;
use crate::toy::{Recorder, conditions, drive};

/// The first run has a generation of seven ways, of which only the first two cover anything.
fn crowded(run: &mut Recorder) {
    if run.less(0, 0, 1) {
        (0..6).for_each(|step| _ = run.less(1, 1, 230 - 5 * step));
    } else {
        run.less(2, 1, 50);
    }
}

fn tried_with(strategy: Box<dyn Strategy>, runs: usize) -> Vec<(u32, u64)> {
    let model = conditions(3);
    let search = Search::new(&model, &Icfg::default(), (&[FunctionId(0)], Criterion::Branch), strategy, 1)
        .without_filter();
    let story = drive(&model, search, runs, crowded);
    let tree = story.search.tree();
    story.tried.iter().map(|&id| (tree.node_of(id).site, tree.node_of(id).run)).collect()
}

#[test]
fn a_strategy_that_covers_nothing_leaves_its_position() {
    let alone = tried_with(Box::new(Generational::default()), 5);
    let wrapped = tried_with(Box::new(Restart::with_patience(Box::new(Generational::default()), 1)), 5);
    assert_eq!(alone, [(0, 1), (1, 1), (1, 1), (1, 1)]);
    assert_eq!(wrapped, [(0, 1), (1, 1), (1, 1), (2, 2)]);
}

#[test]
fn two_strategies_in_turn_both_leave_their_positions() {
    let generational = || -> Box<dyn Strategy> { Box::new(Generational::default()) };
    let in_turn = || Box::new(Interleave::new(vec![generational(), generational()]));
    let alone = tried_with(in_turn(), 6);
    let wrapped = tried_with(Box::new(Restart::with_patience(in_turn(), 1)), 6);
    assert!(!alone.contains(&(2, 2)), "{alone:?}");
    assert!(wrapped.contains(&(2, 2)), "{wrapped:?}");
}

#[test]
fn nothing_is_lost_by_moving_on() {
    let model = conditions(3);
    let strategy: Box<dyn Strategy> = Box::new(Restart::with_patience(by_name("uniform-random").unwrap(), 1));
    let search = Search::new(&model, &Icfg::default(), (&[FunctionId(0)], Criterion::Branch), strategy, 1)
        .without_filter();
    let story = drive(&model, search, usize::MAX, nested);
    assert_eq!(story.search.tree().open_candidates(), 0);
    assert_eq!(story.inputs.len(), 6);
}

#[test]
fn it_is_asked_for_by_a_word_before_the_name() {
    for name in ["restart:generational", "pps+restart:uniform-random"] {
        assert_eq!(by_name(name).unwrap().name(), name);
    }
    for name in ["restart", "restart:", "restart:best", "restart:restart:dfs"] {
        assert!(by_name(name).is_err(), "{name}");
    }
}
