//! `carfast`.

use tarka_source::cfg::PointId;
use tarka_source::{Criterion, Statement};

use super::graphs::{END, Played, unit};
use crate::toy::search_on;

#[test]
fn the_uncovered_branch_with_more_below_it_goes_first() {
    // `if (c0) c2; if (c1) if (c3) c4;`
    let (model, icfg) = unit(&[(1, 2), (END, 3), (1, 1), (END, 4), (END, END)]);
    let mut played = Played::new(search_on(&model, &icfg, Criterion::Branch, "carfast", 1), &model);
    played.run(&[(0, false), (1, false)]);
    // Two conditions depend on 1T, one through the other; one depends on 0T, and c1 does not, though it comes behind it.
    assert_eq!(played.all_infeasible(), [(1, true, 1), (0, true, 0)]);
}

#[test]
fn statements_that_are_executed_either_way_depend_on_nothing() {
    // c0 has five statements behind it on both sides, c1 three on its true side alone.
    let (mut model, mut icfg) = unit(&[(1, 1), (END, END)]);
    let statement = Statement { place: model.functions[0].place.clone(), end_line: 1 };
    model.functions[0].statements = vec![statement; 8];
    let [c0, c1] = [PointId(1), PointId(2)];
    icfg.statements = vec![vec![(c0, 0), (c0, 1)]; 5];
    icfg.statements.extend(vec![vec![(c1, 1)]; 3]);
    let mut played = Played::new(search_on(&model, &icfg, Criterion::Branch, "carfast", 1), &model);
    played.run(&[(0, false), (1, false)]);
    assert_eq!(played.all_infeasible(), [(1, true, 1), (0, true, 0)]);
}

#[test]
fn what_comes_after_a_loop_does_not_depend_on_leaving_it() {
    // `while (c0) if (c1) {}; …five statements…; c2`, and the run is still in its first round.
    let (mut model, mut icfg) = unit(&[(2, 1), (0, 0), (END, END)]);
    let statement = Statement { place: model.functions[0].place.clone(), end_line: 1 };
    model.functions[0].statements = vec![statement; 6];
    let [c0, c1] = [PointId(1), PointId(2)];
    icfg.statements = vec![vec![(c0, 0)]; 5];
    icfg.statements.push(vec![(c1, 1)]);
    let mut played = Played::new(search_on(&model, &icfg, Criterion::Branch, "carfast", 1), &model);
    // A run that was ended from outside within the loop.
    played.run(&[(0, true), (1, false)]);
    assert_eq!(played.choose(), Some((1, true, 1)), "one statement depends on 1T, none on 0F");
}
