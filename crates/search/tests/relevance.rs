//! Path filtering: what is must-, may- and irrelevant, and that nothing useful is ever dropped.

use crate::toy::{Drawing, Recorder, conditions, search_on};
use tarka_search::{CandidateId, CandidateState, Filter, Goals, HowEnded, Relevance, Rng, Search, SiteTable};
use tarka_source::cfg::{Icfg, PointKind};
use tarka_source::{Criterion, FunctionId, SiteId, SourceModel, Statement};
use tarka_terms::Terms;
use tarka_trace::{EventKind, Node, Op, input_label, node_label};

const LINE_5: u32 = 0;
const LINE_7: u32 = 1;
const LINE_8: u32 = 2;
const LINE_10: u32 = 3;

/// `bubble`: line 5 leaves at once; line 7 is the outer loop, line 8 the inner one, line 10 compares.
fn bubble() -> (SourceModel, Icfg) {
    let model = conditions(4);
    let mut drawing = Drawing::new(&model);
    let entry = drawing.point(0, PointKind::Entry);
    let [n, outer, inner, compare] = [0, 1, 2, 3].map(|site| drawing.point(0, PointKind::Site(SiteId(site))));
    let exit = drawing.point(0, PointKind::Exit);
    drawing.edge(entry, 0, n);
    for (from, when_false, when_true) in
        [(n, outer, exit), (outer, exit, inner), (inner, outer, compare), (compare, inner, inner)]
    {
        drawing.edge(from, 0, when_false);
        drawing.edge(from, 1, when_true);
    }
    (model, drawing.icfg)
}

/// A run that takes these branches; every decision depends on the input.
fn replay(search: &mut Search, terms: &mut Terms, model: &SourceModel, path: &[(u32, bool)], run: u64) {
    let mut recorder = Recorder::new(&[0]);
    for (index, &(site, holds)) in path.iter().enumerate() {
        let limit = recorder.constant(8, index as u64 + 1);
        let label = recorder.node(Op::Ult, 1, [input_label(0), limit, 0]);
        recorder.condition(site, holds, label);
    }
    search.absorb(terms, &recorder.trace(), &recorder.evidence(model), (run, HowEnded::Well));
}

/// The open candidates that are as relevant as this: site, outcome and depth.
fn relevant(search: &Search, relevance: Relevance) -> Vec<(u32, u64, u32)> {
    let (tree, view) = (search.tree(), search.view());
    (0..tree.candidate_count() as u32)
        .map(CandidateId)
        .filter(|&id| tree.candidate(id).state == CandidateState::Open && view.relevance(id) == relevance)
        .map(|id| (tree.node_of(id).site, tree.candidate(id).outcome, tree.node_of(id).depth))
        .collect()
}

#[test]
fn bubble_is_filtered_as_in_the_paper() {
    let (model, icfg) = bubble();
    let mut search = search_on(&model, &icfg, Criterion::Branch, "dfs", 1);
    let mut terms = Terms::new();
    replay(&mut search, &mut terms, &model, &[(LINE_5, false), (LINE_7, false)], 1);
    assert_eq!(relevant(&search, Relevance::Must), [(LINE_5, 1, 0), (LINE_7, 1, 1)]);

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
    replay(&mut search, &mut terms, &model, &rounds(false), 2);
    // Ten new candidates; nine of them may still reach line 10's other side, the one that ends with 7F may not.
    let must = [(LINE_5, 1, 0), (LINE_10, 1, 3), (LINE_10, 1, 5), (LINE_10, 1, 9)];
    assert_eq!(relevant(&search, Relevance::Must), must);
    assert_eq!(relevant(&search, Relevance::May).len(), 6);
    assert!(relevant(&search, Relevance::May).contains(&(LINE_8, 0, 2)));
    assert_eq!(relevant(&search, Relevance::Irrelevant), [(LINE_7, 0, 7)]);

    replay(&mut search, &mut terms, &model, &rounds(true), 3);
    assert_eq!(relevant(&search, Relevance::Must), [(LINE_5, 1, 0)]);
    assert_eq!(relevant(&search, Relevance::May), []);
    // The only candidate handed out is (5T), though depth-first search prefers all the others.
    let chosen = search.choose().unwrap();
    assert_eq!((search.tree().node_of(chosen).site, search.filter_figures().dropped), (LINE_5, 17));
    replay(&mut search, &mut terms, &model, &[(LINE_5, true)], 4);
    assert_eq!((search.goals().covered(), search.goals().open()), (8, 0));
}

#[test]
fn without_the_filter_irrelevant_candidates_are_handed_out() {
    let (model, icfg) = bubble();
    let mut search = search_on(&model, &icfg, Criterion::Branch, "dfs", 1).without_filter();
    let mut terms = Terms::new();
    let path = [(LINE_5, false), (LINE_7, true), (LINE_8, false), (LINE_7, true), (LINE_8, true)];
    replay(&mut search, &mut terms, &model, &path, 1);
    while search.choose().is_ok() {}
    assert_eq!(search.filter_figures().dropped, 0);
    assert_eq!(search.tree().open_candidates(), 0);
}

#[test]
fn aiming_at_one_goal_makes_the_rest_irrelevant() {
    let (model, icfg) = bubble();
    let mut search = search_on(&model, &icfg, Criterion::Branch, "bfs", 1);
    // Only 5T is asked for.
    search.aim(|goal, _| goal == 1);
    let mut terms = Terms::new();
    replay(&mut search, &mut terms, &model, &[(LINE_5, false), (LINE_7, true), (LINE_8, false)], 1);
    assert_eq!(relevant(&search, Relevance::Must), [(LINE_5, 1, 0)]);
    assert_eq!(relevant(&search, Relevance::Irrelevant).len(), 2);
}

#[test]
fn a_second_call_of_the_unit_makes_everything_reachable_again() {
    let (model, icfg) = bubble();
    let mut search = search_on(&model, &icfg, Criterion::Branch, "bfs", 1);
    search.aim(|goal, _| goal == 1);
    let mut terms = Terms::new();
    replay(&mut search, &mut terms, &model, &[(LINE_5, false), (LINE_7, true)], 1);
    assert_eq!(relevant(&search, Relevance::Irrelevant), [(LINE_7, 0, 1)]);
    search.set_calls(2);
    assert_eq!(relevant(&search, Relevance::Irrelevant), []);
}

#[test]
fn a_branch_of_a_library_model_is_as_relevant_as_the_branch_before_it() {
    let (model, icfg) = bubble();
    let mut search = search_on(&model, &icfg, Criterion::Branch, "bfs", 1);
    search.aim(|goal, _| goal == 1);
    let mut recorder = Recorder::new(&[0]);
    let internal = |recorder: &mut Recorder, limit| {
        let limit = recorder.constant(8, limit);
        let label = recorder.node(Op::Ult, 1, [input_label(0), limit, 0]);
        recorder.event(EventKind::Internal, 90, 1, label, 0);
    };
    internal(&mut recorder, 100);
    recorder.condition(LINE_5, false, 0);
    internal(&mut recorder, 101);
    search.absorb(&mut Terms::new(), &recorder.trace(), &recorder.evidence(&model), (1, HowEnded::Well));
    assert_eq!(relevant(&search, Relevance::May), [(90, 0, 0)], "before line 5");
    assert_eq!(relevant(&search, Relevance::Irrelevant), [(90, 0, 1)], "behind line 5");
}

#[test]
fn a_branch_that_leads_to_an_open_statement_is_must_relevant() {
    let (mut model, mut icfg) = bubble();
    let place = model.functions[0].place.clone();
    model.functions[0].statements = vec![Statement { place, end_line: 1 }; 2];
    // `return` behind 5T, the exchange behind 10T.
    let point = |site: u32| icfg.site_points[site as usize].unwrap();
    icfg.statements = vec![vec![(point(LINE_5), 1)], vec![(point(LINE_10), 1)]];
    let mut search = search_on(&model, &icfg, Criterion::Statement, "bfs", 1);
    let path = [(LINE_5, false), (LINE_7, true), (LINE_8, true), (LINE_10, false), (LINE_8, false)];
    replay(&mut search, &mut Terms::new(), &model, &path, 1);
    assert_eq!(relevant(&search, Relevance::Must), [(LINE_5, 1, 0), (LINE_10, 1, 3)]);
    assert_eq!(relevant(&search, Relevance::Irrelevant), [(LINE_7, 0, 1)]);
}

#[test]
fn a_candidate_in_a_callee_reaches_what_its_callers_do_next() {
    // unit: call helper; c0; return. helper: c1; return. Another caller of helper never runs.
    let (model, icfg) = {
        let mut model = conditions(3);
        split(&mut model, &[1, 1, 1]);
        let mut drawing = Drawing::new(&model);
        for (function, callee) in [(0, Some(1)), (1, None), (2, Some(1))] {
            let mut last = drawing.point(function, PointKind::Entry);
            let call = callee.map(|callee| PointKind::Call(vec![FunctionId(callee)]));
            for kind in call.into_iter().chain([PointKind::Site(SiteId(function))]) {
                let point = drawing.point(function, kind);
                drawing.edge(last, 0, point);
                last = point;
            }
            let exit = drawing.point(function, PointKind::Exit);
            (0..2).for_each(|outcome| drawing.edge(last, outcome, exit));
        }
        (model, drawing.icfg)
    };
    let mut search = search_on(&model, &icfg, Criterion::Branch, "bfs", 1);
    let mut terms = Terms::new();
    replay(&mut search, &mut terms, &model, &[(1, true), (0, true)], 1);
    assert_eq!(relevant(&search, Relevance::May), [(1, 0, 0)]);
    assert_eq!(relevant(&search, Relevance::Must), [(0, 0, 1)]);
    replay(&mut search, &mut terms, &model, &[(1, true), (0, false)], 2);
    assert_eq!(relevant(&search, Relevance::Irrelevant), [(1, 0, 0)]);
}

/// Gives the sites of a model to several functions, so many each.
fn split(model: &mut SourceModel, counts: &[usize]) {
    let pattern = model.functions[0].clone();
    model.functions.clear();
    let mut next = 0;
    for (index, &count) in counts.iter().enumerate() {
        let sites: Vec<SiteId> = (next..next + count).map(|site| SiteId(site as u32)).collect();
        sites.iter().for_each(|site| model.sites[site.0 as usize].function = FunctionId(index as u32));
        model.functions.push(tarka_source::Function { sites, ..pattern.clone() });
        next += count;
    }
}

/// Functions that jump around in themselves and call each other.
fn random_program(rng: &mut Rng) -> (SourceModel, Icfg) {
    let counts: Vec<usize> = (0..1 + rng.below(4)).map(|_| 1 + rng.below(5)).collect();
    let mut model = conditions(counts.iter().sum());
    split(&mut model, &counts);
    let mut drawing = Drawing::new(&model);
    for (function, of_function) in model.functions.iter().enumerate() {
        let entry = drawing.point(function as u32, PointKind::Entry);
        let mut points = Vec::new();
        for &site in &of_function.sites {
            points.push((drawing.point(function as u32, PointKind::Site(site)), 2));
        }
        for _ in 0..rng.below(3) {
            let callees = (0..1 + rng.below(2)).map(|_| FunctionId(rng.below(counts.len()) as u32)).collect();
            points.push((drawing.point(function as u32, PointKind::Call(callees)), 1));
        }
        let exit = drawing.point(function as u32, PointKind::Exit);
        let first = points[rng.below(points.len())].0;
        drawing.edge(entry, 0, first);
        for &(point, outcomes) in &points {
            for outcome in 0..outcomes {
                let target = rng.below(points.len() + 1);
                drawing.edge(point, outcome, points.get(target).map_or(exit, |target| target.0));
            }
        }
    }
    (model, drawing.icfg)
}

/// The branches that a random run of function 0 takes.
fn random_run(icfg: &Icfg, rng: &mut Rng) -> Vec<(SiteId, u32)> {
    let mut taken = Vec::new();
    let mut stack = Vec::new();
    let mut at = icfg.entries[0].unwrap();
    for _ in 0..60 {
        let point = &icfg.points[at.0 as usize];
        let next = |outcome: u32| {
            let mut edges = point.edges.iter();
            edges.find(|edge| edge.outcome == outcome).map(|edge| edge.to)
        };
        let mut outcome = 0;
        match &point.kind {
            PointKind::Exit => match stack.pop() {
                Some(back) => at = back,
                None => break,
            },
            PointKind::Call(callees) => {
                stack.push(next(0).unwrap());
                at = icfg.entries[callees[rng.below(callees.len())].0 as usize].unwrap();
            }
            PointKind::Site(site) => {
                outcome = rng.below(2) as u32;
                taken.push((*site, outcome));
                at = next(outcome).unwrap();
            }
            PointKind::Entry => at = next(outcome).unwrap(),
        }
    }
    taken
}

#[test]
fn nothing_open_is_ever_reached_behind_an_irrelevant_branch() {
    let mut rng = Rng::new(7);
    let (mut irrelevant, mut reached) = (0, 0);
    for _ in 0..300 {
        let (model, icfg) = random_program(&mut rng);
        let sites = SiteTable::new(&model);
        for goal in 0..model.functions[0].sites.len() * 2 {
            let mut goals = Goals::new(&model, &sites, &[FunctionId(0)], Criterion::Branch);
            goals.aim(|index, _| index == goal);
            let filter = Filter::new(&model, &icfg, &[FunctionId(0)], &sites, &goals);
            let open = (SiteId(goal as u32 / 2), goal as u32 % 2);
            let branch = |site: SiteId, outcome| sites.coverage_index(site.0, outcome).unwrap();
            for _ in 0..20 {
                let run = random_run(&icfg, &mut rng);
                let Some(last) = run.iter().rposition(|&taken| taken == open) else { continue };
                for &(site, outcome) in &run[..last] {
                    reached += 1;
                    assert!(filter.reaches_open(branch(site, outcome)), "{site:?} {outcome} before {open:?}");
                }
                assert!(filter.start_reaches_open());
            }
            let branches = (0..model.sites.len() as u32 * 2).filter(|&branch| !filter.reaches_open(branch));
            irrelevant += branches.count();
        }
    }
    assert!(irrelevant > 1000 && reached > 10_000, "{irrelevant} irrelevant, {reached} checked");
}

/// One path of `count` decisions at line 8, different from other paths from decision `fork` on.
fn long_run(fork: usize, count: usize) -> Recorder {
    let mut recorder = Recorder::new(&[0]);
    recorder.condition(LINE_5, false, 0);
    recorder.condition(LINE_7, true, 0);
    let half = |recorder: &mut Recorder, byte| {
        recorder.node(Op::Concat, 16, [input_label(byte + 1), input_label(byte), 0])
    };
    let (high, low) = (half(&mut recorder, 2), half(&mut recorder, 0));
    let wide = recorder.node(Op::Concat, 32, [high, low, 0]);
    for index in 0..count {
        // Every node is new: looking for an equal one, as the recorder does, would take too long.
        let limit = push(&mut recorder, Op::Const, 32, [0, index as u32 + 1, 0]);
        let label = push(&mut recorder, Op::Ult, 1, [wide, limit, 0]);
        recorder.condition(LINE_8, index != fork, label);
    }
    recorder
}

fn push(recorder: &mut Recorder, op: Op, width: u16, [a, b, c]: [u32; 3]) -> u32 {
    recorder.nodes.push(Node { op: op as u8, pad: 0, width, a, b, c });
    node_label(recorder.nodes.len() as u32 - 1)
}

/// Candidates looked at for one more run with a pool of so many.
fn looks_for_one_more_run(pool: usize) -> (usize, u64) {
    const LENGTH: usize = 50_000;
    let (model, icfg) = bubble();
    let mut search = search_on(&model, &icfg, Criterion::Branch, "dfs", 1);
    let mut terms = Terms::new();
    let mut run = 0;
    let mut absorb = |search: &mut Search, fork: usize, length: usize| {
        run += 1;
        let recorder = long_run(fork, length);
        search.absorb(&mut terms, &recorder.trace(), &recorder.evidence(&model), (run, HowEnded::Well));
    };
    for fork in 0..pool.div_ceil(LENGTH) {
        absorb(&mut search, fork, pool.min(LENGTH));
    }
    let before = search.filter_figures().looked_at;
    absorb(&mut search, 40, 50);
    search.choose().unwrap();
    (search.tree().open_candidates(), search.filter_figures().looked_at - before)
}

#[test]
fn one_more_run_costs_the_same_with_a_thousand_candidates_as_with_many() {
    let (small, looks) = looks_for_one_more_run(1_000);
    let (large, looks_of_large) = looks_for_one_more_run(300_000);
    assert!(small < 1_100 && large > 290_000, "{small}, {large}");
    assert_eq!((looks, looks_of_large), (1, 1));
}
