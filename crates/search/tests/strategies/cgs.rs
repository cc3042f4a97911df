//! `cgs`: a branch is tried again only where it is met in a new context.

use std::collections::BTreeSet;

use tarka_search::strategy::{ContextGuided, RunSummary, Strategy, UnitFacts};
use tarka_search::{CandidateId, HowEnded, Rng, Search, SiteTable};
use tarka_source::cfg::{Icfg, PointId, PointKind};
use tarka_source::{FunctionId, SiteId, SourceModel};
use tarka_terms::Terms;

use crate::toy::{Drawing, Recorder, branch_search, conditions};

/// A tree of exactly these runs.
fn tree_of(model: &SourceModel, inputs: &[[u8; 2]], program: fn(&mut Recorder)) -> Search {
    let (mut search, mut terms) = (branch_search(model, "bfs", 1), Terms::new());
    for (index, input) in inputs.iter().enumerate() {
        let mut recorder = Recorder::new(input);
        program(&mut recorder);
        search.absorb(
            &mut terms,
            &recorder.trace(),
            &recorder.evidence(model),
            (index as u64 + 1, HowEnded::Well),
        );
    }
    search
}

/// What the first sweep with contexts of this length selects: site and run of the decision, sorted.
fn first_sweep(search: &Search, model: &SourceModel, icfg: &Icfg, level: u32, seed: u64) -> Vec<(u32, u64)> {
    let (sites, function, view) = (SiteTable::new(model), FunctionId(0), search.view());
    let mut cgs = ContextGuided::with_context(level);
    cgs.prepare(UnitFacts { model, icfg, function, functions: &[function], sites: &sites });
    let all: Vec<CandidateId> = (0..view.tree.candidate_count() as u32).map(CandidateId).collect();
    let (run, depth, last, terms) = (1, 0, None, &Terms::new());
    cgs.absorb(
        view,
        &all,
        RunSummary { run, new_goals: &[], covers: &[], depth, last, terms, input: &Vec::new() },
    );
    let mut rng = Rng::new(seed);
    let mut selected = Vec::new();
    while let Some(candidate) = cgs.choose(view, &mut rng).filter(|_| cgs.level() == level) {
        let node = view.tree.node_of(candidate);
        selected.push((node.site, node.run));
    }
    selected.sort_unstable();
    selected
}

/// Paper 3, figure 1: `total` is byte 0. Site 0 has the sides b1 and b2, site 1 b4 and b3, site 2 b6 and b5.
fn total(run: &mut Recorder) {
    run.less(0, 1, 100);
    run.less(1, 0, 100);
    run.less(2, 0, 200);
}

/// Its three paths: (b1, b4, b6), (b2, b4, b6) and (b2, b3, b6).
const PATHS: [[u8; 2]; 3] = [[0, 0], [0, 100], [100, 100]];

#[test]
fn of_the_three_paths_of_figure_1_the_two_with_one_context_count_once() {
    let model = conditions(3);
    let search = tree_of(&model, &PATHS, total);
    let mut of_the_first_two = BTreeSet::new();
    for seed in 0..16 {
        let selected = first_sweep(&search, &model, &Icfg::default(), 2, seed);
        let last: Vec<u64> = selected.iter().filter(|(site, _)| *site == 2).map(|&(_, run)| run).collect();
        assert!(last.len() == 2 && last[1] == 3, "b6 after b4 once, and b6 after b3: runs {last:?}");
        of_the_first_two.insert(last[0]);
    }
    assert_eq!(of_the_first_two.len(), 2, "the order within a depth is random");
}

#[test]
fn with_contexts_of_one_each_branch_is_selected_once() {
    let model = conditions(3);
    let search = tree_of(&model, &PATHS, total);
    let selected = first_sweep(&search, &model, &Icfg::default(), 1, 1);
    assert_eq!(selected.iter().filter(|(site, _)| *site == 2).count(), 1, "{selected:?}");
}

#[test]
fn however_often_a_loop_passes_a_branch_a_sweep_selects_it_once() {
    // More alike than one choice may skip by itself.
    let looping = |run: &mut Recorder| (0..50).for_each(|round| _ = run.less(0, 0, 200 - round));
    let model = conditions(1);
    let search = tree_of(&model, &[[0, 0]], looping);
    assert_eq!(first_sweep(&search, &model, &Icfg::default(), 1, 1), [(0, 1)]);
}

/// Paper 3, figure 5 in short: two sides that join, then five conditions nested in each other.
fn deeply_nested(run: &mut Recorder) {
    run.less(0, 1, 100);
    _ = (1..6).all(|site| run.less(site, 0, 250 - 10 * site as u8));
}

fn deeply_nested_graph(model: &SourceModel) -> Icfg {
    let mut drawing = Drawing::new(model);
    let entry = drawing.point(0, PointKind::Entry);
    let mut site = |number, dominator: PointId| {
        let point = drawing.point(0, PointKind::Site(SiteId(number)));
        drawing.icfg.points[point.0 as usize].dominator = Some(dominator);
        point
    };
    let mut sites = vec![site(0, entry)];
    for number in 1..6 {
        sites.push(site(number, sites[number as usize - 1]));
    }
    let exit = drawing.point(0, PointKind::Exit);
    drawing.icfg.points[exit.0 as usize].dominator = Some(sites[1]);
    drawing.edge(entry, 0, sites[0]);
    drawing.edge(sites[0], 0, sites[1]);
    for number in 0..6 {
        let next = sites.get(number + 1).copied().unwrap_or(exit);
        drawing.edge(sites[number], 1, next);
        if number > 0 {
            drawing.edge(sites[number], 0, exit);
        }
    }
    drawing.icfg
}

#[test]
fn branches_that_every_path_takes_are_no_context() {
    let model = conditions(6);
    let search = tree_of(&model, &[[0, 0], [0, 100]], deeply_nested);
    let innermost = |icfg: &Icfg| {
        let selected = first_sweep(&search, &model, icfg, 2, 1);
        selected.iter().filter(|(site, _)| *site == 5).count()
    };
    assert_eq!(
        innermost(&deeply_nested_graph(&model)),
        2,
        "the two sides that joined far above tell them apart"
    );
    assert_eq!(innermost(&Icfg::default()), 1, "without a graph the condition before is the context");
}

#[test]
fn skipped_branches_come_up_in_later_sweeps() {
    let story = crate::toy::explore_with(&conditions(6), "cgs", false, deeply_nested);
    assert_eq!(story.search.tree().open_candidates(), 0);
    assert_eq!(story.inputs.len(), 12, "two sides times six ends");
}
