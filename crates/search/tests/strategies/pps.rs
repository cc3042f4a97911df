//! `pps`.

use tarka_search::{CandidateId, Finished, Relevance};
use tarka_source::cfg::PointKind;
use tarka_source::{Criterion, FunctionId, SiteId};

use super::graphs::{END, Played, unit};
use crate::toy::{Drawing, conditions, search_on};

const LINE_5: u32 = 0;
const LINE_7: u32 = 1;
const LINE_8: u32 = 2;
const LINE_10: u32 = 3;

#[test]
fn bubble_takes_the_four_tests_of_the_paper() {
    let (model, icfg) = unit(&[(1, END), (END, 2), (1, 3), (2, 2)]);
    let mut played = Played::new(search_on(&model, &icfg, Criterion::Branch, "pps", 1), &model);
    played.run(&[(LINE_5, false), (LINE_7, false)]);
    // (5F, 7T) promises more than (5T), though it is longer.
    assert_eq!(played.choose(), Some((LINE_7, true, 1)));

    let rounds = |first_compare| {
        let inner = |swap| [(LINE_8, true), (LINE_10, swap)];
        let mut path = vec![(LINE_5, false), (LINE_7, true)];
        path.extend(inner(first_compare));
        path.extend(inner(false));
        path.extend([(LINE_8, false), (LINE_7, true)]);
        path.extend(inner(false));
        path.extend([(LINE_8, false), (LINE_7, false)]);
        path
    };
    played.run(&rounds(false));
    // The pool after path 2: three that take 10T for sure, six from which it may follow, and the way out of the loop, with
    // nothing behind it.
    let view = played.search.view();
    let of_path_2 =
        (0..view.tree.candidate_count() as u32).map(CandidateId).filter(|&id| view.tree.node_of(id).run == 2);
    let pool: Vec<(u32, Relevance)> = of_path_2.map(|id| (view.branch(id).0, view.relevance(id))).collect();
    let (must, may, no) = (Relevance::Must, Relevance::May, Relevance::Irrelevant);
    assert_eq!(
        pool,
        [
            (LINE_8, may),
            (LINE_10, must),
            (LINE_8, may),
            (LINE_10, must),
            (LINE_8, may),
            (LINE_7, no),
            (LINE_8, may),
            (LINE_10, must),
            (LINE_8, may),
            (LINE_7, may),
        ]
    );
    // (5T) and the three that end with 10T promise one goal each, and all are sure of it: the shorter goes first. (The paper
    // tells it with 10T before 5T; by its own rule it is the other way round, with as many tests.)
    assert_eq!(played.choose(), Some((LINE_5, true, 0)));
    played.run(&[(LINE_5, true)]);
    assert_eq!(played.choose(), Some((LINE_10, true, 3)));
    played.run(&rounds(true));
    assert_eq!(played.search.choose().err(), Some(Finished::AllCovered));
}

#[test]
fn what_covers_something_for_sure_goes_before_what_promises_more() {
    // `while (!c0) if (c1) return; if (c2) { c3; c4; }`
    let (model, icfg) = unit(&[(1, 2), (0, END), (END, 3), (4, 4), (END, END)]);
    let mut played = Played::new(search_on(&model, &icfg, Criterion::Branch, "pps", 1), &model);
    played.run(&[(0, true), (2, false)]);
    // 2T, 3F, 3T, 4F and 4T against 0F, 1F, 1T and 2T.
    assert_eq!(played.choose(), Some((2, true, 1)));
    played.run(&[(0, true), (2, true), (3, false), (4, false)]);
    // 0F, 1F and 1T against 3T and 4T.
    assert_eq!(played.choose(), Some((0, false, 0)));
    played.run(&[(0, false), (1, false), (0, false), (1, true)]);
    // 3T leads to two open goals, as does 0T, which is shorter; but 0T covers neither itself.
    assert_eq!(played.choose(), Some((3, true, 2)));
    played.infeasible();
    assert_eq!(played.choose(), Some((4, true, 3)), "one goal for sure");
    played.infeasible();
    assert_eq!(played.choose(), Some((0, true, 2)), "two goals, perhaps");
}

#[test]
fn a_function_called_in_two_places_is_left_where_it_was_entered() {
    // `if (c0) { helper(); c2; } else if (c1) { helper(); c3; c4; }`, and c5 in the helper.
    let mut model = conditions(6);
    let helper = model.functions[0].clone();
    model.functions[0].sites.truncate(5);
    model.functions.push(helper);
    model.functions[1].sites = vec![SiteId(5)];
    model.sites[5].function = FunctionId(1);
    let mut drawing = Drawing::new(&model);
    let entry = drawing.point(0, PointKind::Entry);
    let points = [0, 1, 2, 3, 4].map(|site| drawing.point(0, PointKind::Site(SiteId(site))));
    let [first_call, second_call] = [(); 2].map(|()| drawing.point(0, PointKind::Call(vec![FunctionId(1)])));
    let exit = drawing.point(0, PointKind::Exit);
    let [helper_entry, condition, helper_exit] =
        [PointKind::Entry, PointKind::Site(SiteId(5)), PointKind::Exit].map(|kind| drawing.point(1, kind));
    drawing.edge(entry, 0, points[0]);
    drawing.edge(helper_entry, 0, condition);
    drawing.edge(first_call, 0, points[2]);
    drawing.edge(second_call, 0, points[3]);
    for (from, when_false, when_true) in [
        (points[0], points[1], first_call),
        (points[1], exit, second_call),
        (points[2], exit, exit),
        (points[3], points[4], points[4]),
        (points[4], exit, exit),
        (condition, helper_exit, helper_exit),
    ] {
        drawing.edge(from, 0, when_false);
        drawing.edge(from, 1, when_true);
    }
    let mut played = Played::new(search_on(&model, &drawing.icfg, Criterion::Branch, "pps", 1), &model);
    played.run(&[(0, false), (1, false)]);
    // Three levels below 0T: the helper and c2, three goals. Below 1T: the helper, c3 and c4, five. Whoever lets the first
    // call return to the second finds as many below 0T, which is shorter.
    assert_eq!(played.choose(), Some((1, true, 1)));
}
