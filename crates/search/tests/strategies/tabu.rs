//! `tabu`: the heaviest flip first, near the last path, without going round in circles.

use tarka_search::{CandidateId, Search};
use tarka_source::cfg::{PointId, PointKind, Usage};
use tarka_source::{Criterion, SiteId, SourceModel};
use tarka_trace::{Op, input_label};

use crate::toy::{Drawing, Recorder, conditions, drive, search_on};

fn edge(drawing: &mut Drawing, from: PointId, outcome: u32, to: PointId, usage: Usage) {
    drawing.edge(from, outcome, to);
    drawing.icfg.points[from.0 as usize].edges.last_mut().unwrap().usage = usage;
}

fn site(drawing: &mut Drawing, number: u32, dominator: PointId) -> PointId {
    let point = drawing.point(0, PointKind::Site(SiteId(number)));
    drawing.icfg.points[point.0 as usize].dominator = Some(dominator);
    point
}

/// Sites of paper 1's `delete_from_table`: the table's list is empty; `i < cnt`; `i < 1000`.
const IS_EMPTY: u32 = 0;
const BELOW_COUNT: u32 = 1;
const BELOW_SIZE: u32 = 2;

/// Paper 1, §2: byte 0 says whether the list is empty, byte 1 is the count.
fn delete_from_table(run: &mut Recorder) {
    if run.less(IS_EMPTY, 0, 1) {
        let mut i = 1;
        loop {
            let i_label = run.constant(8, i as u64);
            let label = run.node(Op::Ult, 1, [i_label, input_label(1), 0]);
            if !run.condition(BELOW_COUNT, i < run.input[1], label) || !run.condition(BELOW_SIZE, true, 0) {
                break;
            }
            i += 1;
        }
    }
}

/// Its control flow with what is executed on the ways.
fn delete_from_table_graph(model: &SourceModel) -> Drawing {
    let mut drawing = Drawing::new(model);
    let entry = drawing.point(0, PointKind::Entry);
    let is_empty = site(&mut drawing, IS_EMPTY, entry);
    let below_count = site(&mut drawing, BELOW_COUNT, is_empty);
    let below_size = site(&mut drawing, BELOW_SIZE, below_count);
    let exit = drawing.point(0, PointKind::Exit);
    drawing.icfg.points[exit.0 as usize].dominator = Some(is_empty);
    let decrement = Usage { pointer: 1, arithmetic: 1, assignment: 1, ..Usage::default() };
    // The paper's eight pointers and three assignments, and the decrement behind them.
    let unlink = Usage { pointer: 9, arithmetic: 1, assignment: 4, ..Usage::default() };
    let compare = Usage { pointer: 1, predicate: 1, ..Usage::default() };
    // `a[i - 1] = a[i]; i++`, and the comparison with the count.
    let shift = Usage { pointer: 3, predicate: 1, arithmetic: 2, assignment: 2, ..Usage::default() };
    edge(&mut drawing, entry, 0, is_empty, compare);
    edge(&mut drawing, is_empty, 1, below_count, Usage { loops: 1, assignment: 1, ..compare });
    edge(&mut drawing, is_empty, 0, exit, unlink);
    edge(&mut drawing, below_count, 1, below_size, Usage { predicate: 1, ..Usage::default() });
    edge(&mut drawing, below_count, 0, exit, decrement);
    edge(&mut drawing, below_size, 1, below_count, shift);
    edge(&mut drawing, below_size, 0, exit, decrement);
    drawing
}

fn branch(search: &Search, candidate: CandidateId) -> (u32, u64) {
    search.view().branch(candidate)
}

#[test]
fn delete_from_table_unlinks_from_a_list_of_one_on_the_second_run() {
    let model = conditions(3);
    let graph = delete_from_table_graph(&model).icfg;
    let first_flip = |strategy| {
        let search = search_on(&model, &graph, Criterion::Branch, strategy, 1);
        let story = drive(&model, search, 2, delete_from_table);
        branch(&story.search, story.tried[0])
    };
    assert_eq!(first_flip("tabu"), (IS_EMPTY, 0), "the side on which the missing neighbour is dereferenced");
    assert_eq!(first_flip("dfs"), (BELOW_COUNT, 1), "depth-first search stays in the loop");
}

/// Four conditions in a row; the third and the fourth have heavy sides.
fn row_graph(model: &SourceModel, pointers: [u32; 4]) -> Drawing {
    let mut drawing = Drawing::new(model);
    let entry = drawing.point(0, PointKind::Entry);
    let mut above = entry;
    let mut sites = Vec::new();
    for number in 0..4 {
        above = site(&mut drawing, number, above);
        sites.push(above);
    }
    let exit = drawing.point(0, PointKind::Exit);
    drawing.edge(entry, 0, sites[0]);
    for (number, pointer) in pointers.into_iter().enumerate() {
        let next = sites.get(number + 1).copied().unwrap_or(exit);
        let heavy = Usage { pointer, assignment: 1, ..Usage::default() };
        edge(&mut drawing, sites[number], 0, exit, heavy);
        edge(&mut drawing, sites[number], 1, next, Usage { assignment: 1, ..Usage::default() });
    }
    drawing
}

fn row(run: &mut Recorder) {
    let limits = [200, 150, 100, 50];
    _ = (0..4).all(|number| run.less(number, number % 2, limits[number as usize]));
}

#[test]
fn flips_are_taken_by_weight_and_equals_from_the_top() {
    let model = conditions(4);
    let order = |pointers| {
        let search = search_on(&model, &row_graph(&model, pointers).icfg, Criterion::Branch, "tabu", 1);
        let story = drive(&model, search, 5, row);
        story.tried.iter().map(|&id| branch(&story.search, id).0).collect::<Vec<_>>()
    };
    assert_eq!(order([3, 3, 3, 3])[0], 0);
    assert_eq!(order([3, 3, 9, 3])[0], 2);
    let mut all = order([3, 3, 9, 3]);
    all.sort_unstable();
    assert_eq!(all, [0, 1, 2, 3], "what is exhausted or forbidden nearby is left for the rest of the tree");
}

/// Sites: a light side before a loop that is passed three times and has a heavy side.
const LIGHT: u32 = 0;
const PASSES: u32 = 1;
const HEAVY: u32 = 2;

fn heavy_loop(run: &mut Recorder) {
    if !run.less(LIGHT, 1, 100) {
        return;
    }
    for limit in [100, 150, 200] {
        run.condition(PASSES, true, 0);
        run.less(HEAVY, 0, limit);
    }
    run.condition(PASSES, false, 0);
}

fn heavy_loop_graph(model: &SourceModel) -> Drawing {
    let mut drawing = Drawing::new(model);
    let entry = drawing.point(0, PointKind::Entry);
    let light = site(&mut drawing, LIGHT, entry);
    let passes = site(&mut drawing, PASSES, light);
    let heavy = site(&mut drawing, HEAVY, passes);
    let exit = drawing.point(0, PointKind::Exit);
    drawing.icfg.points[exit.0 as usize].dominator = Some(light);
    let assign = Usage { assignment: 1, ..Usage::default() };
    edge(&mut drawing, entry, 0, light, assign);
    edge(&mut drawing, light, 1, passes, assign);
    edge(&mut drawing, light, 0, exit, assign);
    edge(&mut drawing, passes, 1, heavy, assign);
    edge(&mut drawing, passes, 0, exit, assign);
    edge(&mut drawing, heavy, 0, passes, Usage { pointer: 9, ..Usage::default() });
    edge(&mut drawing, heavy, 1, passes, assign);
    drawing
}

#[test]
fn what_a_run_has_been_through_weighs_nothing_any_more() {
    let model = conditions(3);
    let graph = heavy_loop_graph(&model).icfg;
    let search = search_on(&model, &graph, Criterion::Branch, "tabu", 1);
    let story = drive(&model, search.without_filter(), usize::MAX, heavy_loop);
    let tried: Vec<_> = story.tried.iter().map(|&candidate| branch(&story.search, candidate)).collect();
    assert_eq!(tried[0], (HEAVY, 0), "the pointers first");
    assert_eq!(tried[1], (LIGHT, 0), "then what is unexplored, not the same pointers in the next pass");
    assert_eq!(story.inputs.len(), 5, "the other passes come last: there are four ways through the loop");
}

#[test]
fn without_a_graph_every_way_is_still_tried() {
    let model = conditions(4);
    let story = crate::toy::explore_with(&model, "tabu", false, row);
    assert_eq!(story.search.tree().open_candidates(), 0);
    assert_eq!(story.inputs.len(), 5);
}
