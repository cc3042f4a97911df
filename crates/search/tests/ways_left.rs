//! Which goals the ways not taken could still lead to.

use crate::toy::{Drawing, Recorder, conditions, conjunction, search_on};
use tarka_search::{CandidateState, HowEnded, Search, WaysLeft};
use tarka_source::cfg::{Icfg, PointId, PointKind};
use tarka_source::{Criterion, FunctionId, SiteId, SourceModel, Statement};
use tarka_terms::Terms;

/// `if (c0) c1; else c2; c3` : goals 2n and 2n + 1 are the sides of condition n.
fn diamond() -> (SourceModel, Icfg) {
    let model = conditions(4);
    let mut drawing = Drawing::new(&model);
    let entry = drawing.point(0, PointKind::Entry);
    let [first, left, right, last] = [0, 1, 2, 3].map(|site| drawing.point(0, PointKind::Site(SiteId(site))));
    let exit = drawing.point(0, PointKind::Exit);
    drawing.edge(entry, 0, first);
    for (from, when_false, when_true) in
        [(first, right, left), (left, last, last), (right, last, last), (last, exit, exit)]
    {
        drawing.edge(from, 0, when_false);
        drawing.edge(from, 1, when_true);
    }
    (model, drawing.icfg)
}

/// A run through these conditions, each `input[0] < n` with another n.
fn run(search: &mut Search, terms: &mut Terms, model: &SourceModel, path: &[(u32, bool)], number: u64) {
    let mut recorder = Recorder::new(&[0]);
    for (index, &(site, holds)) in path.iter().enumerate() {
        recorder.less(site, 0, index as u8 + 1);
        recorder.events.last_mut().unwrap().outcome = holds.into();
        recorder.coverage[site as usize * 2 + usize::from(!holds)] = 0;
        recorder.coverage[site as usize * 2 + usize::from(holds)] = 1;
    }
    search.absorb(terms, &recorder.trace(), &recorder.evidence(model), (number, HowEnded::Well));
}

fn ways(open: u64, unknown: u64, diverged: u64) -> WaysLeft {
    WaysLeft { open, unknown, diverged }
}

#[test]
fn a_goal_counts_the_ways_that_could_lead_to_it_by_what_became_of_them() {
    let (model, icfg) = diamond();
    let mut search = search_on(&model, &icfg, Criterion::Branch, "dfs", 1);
    run(&mut search, &mut Terms::new(), &model, &[(0, true), (1, true), (3, true)], 1);
    // Candidates: 0F, 1F and 3F. The right side is only reached through 0F, the end from everywhere.
    let left = search.ways_left();
    assert_eq!([left[0], left[1]], [ways(1, 0, 0), ways(0, 0, 0)], "0F, 0T");
    assert_eq!([left[2], left[3]], [ways(1, 0, 0), ways(0, 0, 0)], "1F, 1T");
    assert_eq!([left[4], left[5]], [ways(1, 0, 0); 2], "2F, 2T");
    assert_eq!([left[6], left[7]], [ways(3, 0, 0), ways(2, 0, 0)], "3F, 3T");

    let states = [CandidateState::Infeasible, CandidateState::Unknown, CandidateState::Diverged];
    for state in states {
        let chosen = search.choose().unwrap();
        search.learn(chosen, state);
    }
    // Depth first: 3F is infeasible, 1F unknown, 0F diverged.
    let left = search.ways_left();
    assert_eq!(
        [left[0], left[2], left[4], left[6]],
        [ways(0, 0, 1), ways(0, 1, 0), ways(0, 0, 1), ways(0, 1, 1)]
    );
}

#[test]
fn a_goal_that_every_way_is_settled_for_has_none_left() {
    let (model, icfg) = diamond();
    let mut search = search_on(&model, &icfg, Criterion::Branch, "dfs", 1);
    let mut terms = Terms::new();
    run(&mut search, &mut terms, &model, &[(0, true), (1, true), (3, true)], 1);
    for _ in 0..3 {
        let chosen = search.choose().unwrap();
        let site = search.tree().node_of(chosen).site;
        search.learn(chosen, if site == 0 { CandidateState::Infeasible } else { CandidateState::Unknown });
    }
    let left = search.ways_left();
    assert_eq!([left[0], left[4], left[5]], [ways(0, 0, 0); 3], "nothing leads to the right side any more");
    assert_eq!(left[2], ways(0, 1, 0));
}

#[test]
fn with_a_second_call_everything_leads_to_what_lies_behind_the_start() {
    let (model, icfg) = diamond();
    let mut search = search_on(&model, &icfg, Criterion::Branch, "dfs", 1);
    search.set_calls(2);
    run(&mut search, &mut Terms::new(), &model, &[(0, true), (1, true)], 1);
    assert!(search.ways_left().iter().all(|&left| left == ways(2, 0, 0)));
}

#[test]
fn without_a_graph_everything_leads_everywhere() {
    let (model, _) = diamond();
    let mut search = search_on(&model, &Icfg::default(), Criterion::Branch, "dfs", 1);
    run(&mut search, &mut Terms::new(), &model, &[(0, true), (1, true)], 1);
    assert!(search.ways_left().iter().all(|&left| left == ways(2, 0, 0)));
    assert!(search.may_follow((PointId(0), 0), 3));
}

#[test]
fn the_last_condition_of_a_decision_leads_to_the_goals_of_the_decision() {
    let model = conjunction(2);
    let mut drawing = Drawing::new(&model);
    let entry = drawing.point(0, PointKind::Entry);
    let [first, second] = [0, 1].map(|site| drawing.point(0, PointKind::Site(SiteId(site))));
    let exit = drawing.point(0, PointKind::Exit);
    drawing.edge(entry, 0, first);
    for (from, outcome, to) in [(first, 0, exit), (first, 1, second), (second, 0, exit), (second, 1, exit)] {
        drawing.edge(from, outcome, to);
    }
    let mut search = search_on(&model, &drawing.icfg, Criterion::Mcdc, "dfs", 1);
    let mut recorder = Recorder::new(&[0, 0]);
    recorder.less(0, 0, 5);
    recorder.less(1, 1, 5);
    search.absorb(&mut Terms::new(), &recorder.trace(), &recorder.evidence(&model), (1, HowEnded::Well));
    // Two results and two conditions to be shown, behind the four outcomes.
    assert_eq!(search.ways_left()[4..], [ways(2, 0, 0); 4]);
}

#[test]
fn a_statement_behind_a_call_is_reached_from_inside_the_call() {
    // unit: helper(); statement. helper: c0.
    let mut model = conditions(1);
    let place = model.functions[0].place.clone();
    let helper = model.functions[0].clone();
    model.functions[0].sites.clear();
    model.functions[0].statements = vec![Statement { place, end_line: 1 }];
    model.functions.push(helper);
    model.sites[0].function = FunctionId(1);
    let mut drawing = Drawing::new(&model);
    let entry = drawing.point(0, PointKind::Entry);
    let call = drawing.point(0, PointKind::Call(vec![FunctionId(1)]));
    let exit = drawing.point(0, PointKind::Exit);
    let [helper_entry, condition, helper_exit] =
        [PointKind::Entry, PointKind::Site(SiteId(0)), PointKind::Exit].map(|kind| drawing.point(1, kind));
    for (from, outcome, to) in [
        (entry, 0, call),
        (call, 0, exit),
        (helper_entry, 0, condition),
        (condition, 0, helper_exit),
        (condition, 1, helper_exit),
    ] {
        drawing.edge(from, outcome, to);
    }
    drawing.icfg.statements = vec![vec![(call, 0)]];
    let mut search = search_on(&model, &drawing.icfg, Criterion::Statement, "dfs", 1);
    // A run that ends inside the call.
    let mut recorder = Recorder::new(&[0]);
    recorder.less(0, 0, 5);
    search.absorb(&mut Terms::new(), &recorder.trace(), &recorder.evidence(&model), (1, HowEnded::Well));
    assert_eq!(search.ways_left(), [ways(1, 0, 0)]);
    assert!(search.choose().is_ok(), "the way is not dropped either");
    assert!(search.may_follow((condition, 1), 0) && search.may_follow((call, 0), 0));
    assert!(!search.may_follow((exit, 0), 0));
}

/// A unit with one condition, and another function with one of its own, which the unit calls where its condition holds (if `called`).
fn caller(called: bool) -> (SourceModel, Icfg) {
    let mut model = conditions(2);
    let mut callee = model.functions[0].clone();
    callee.name = "callee".into();
    callee.sites = vec![SiteId(1)];
    model.functions[0].sites.truncate(1);
    model.functions.push(callee);
    model.sites[1].function = FunctionId(1);
    let mut drawing = Drawing::new(&model);
    let entry = drawing.point(0, PointKind::Entry);
    let own = drawing.point(0, PointKind::Site(SiteId(0)));
    let callees = if called { vec![FunctionId(1)] } else { Vec::new() };
    let call = drawing.point(0, PointKind::Call(callees));
    let exit = drawing.point(0, PointKind::Exit);
    let (inside, site, end) = (
        drawing.point(1, PointKind::Entry),
        drawing.point(1, PointKind::Site(SiteId(1))),
        drawing.point(1, PointKind::Exit),
    );
    for (from, outcome, to) in [
        (entry, 0, own),
        (own, 0, exit),
        (own, 1, call),
        (call, 0, exit),
        (inside, 0, site),
        (site, 0, end),
        (site, 1, end),
    ] {
        drawing.edge(from, outcome, to);
    }
    (model, drawing.icfg)
}

#[test]
fn goals_of_a_callee_lie_behind_the_call_and_anywhere_where_no_call_is_known() {
    for called in [true, false] {
        let (model, icfg) = caller(called);
        let strategy = tarka_search::strategy::by_name("dfs").unwrap();
        let functions = [FunctionId(0), FunctionId(1)];
        let mut search = Search::new(&model, &icfg, (&functions, Criterion::Branch), strategy, 1);
        assert_eq!(search.goals().open(), 4);
        run(&mut search, &mut Terms::new(), &model, &[(0, true), (1, true)], 1);
        // Ways not taken: the unit's condition false, behind which there is no call, and the callee's false. From a function
        // that nobody calls everything may follow.
        let left = search.ways_left();
        let expected = if called { [ways(1, 0, 0), ways(0, 0, 0)] } else { [ways(2, 0, 0), ways(1, 0, 0)] };
        assert_eq!([left[0], left[1]], expected, "called: {called}");
        assert_eq!(left[2], if called { ways(1, 0, 0) } else { ways(2, 0, 0) }, "called: {called}");
    }
}
