//! The inter-procedural control-flow graph of small functions, written out as text.

use std::fmt::Write;

use crate::support::{Options, program};
use tarka_source::SourceModel;
use tarka_source::cfg::{Icfg, PointId, PointKind};

fn point_name(model: &SourceModel, graph: &Icfg, id: PointId) -> String {
    match &graph.points[id.0 as usize].kind {
        PointKind::Entry => "entry".to_owned(),
        PointKind::Exit => "exit".to_owned(),
        PointKind::Site(site) => format!("[{}]", model.site(*site).text),
        PointKind::Call(targets) => {
            let names: Vec<_> = targets.iter().map(|id| model.function(*id).name.as_str()).collect();
            format!("call {}", names.join("|"))
        }
    }
}

/// The points of one function with their edges and dominators.
fn drawn(text: &str, function: &str) -> String {
    let program = program(text, function, Options::default());
    let (model, graph) = (&program.model, &program.build.icfg);
    let (id, _) = model.function_named(function).expect("the function exists");
    let mut out = String::new();
    for (index, point) in graph.points.iter().enumerate().filter(|(_, point)| point.function == id) {
        let edges: Vec<String> = point
            .edges
            .iter()
            .map(|edge| format!("{}:{}", edge.outcome, point_name(model, graph, edge.to)))
            .collect();
        let above =
            point.dominator.map(|id| format!(" <{}>", point_name(model, graph, id))).unwrap_or_default();
        let name = point_name(model, graph, PointId(index as u32));
        let _ = writeln!(out, "{name}{above} -> {}", edges.join(", "));
    }
    out
}

#[test]
fn short_circuits_lead_where_c_leads_them() {
    let text = "int f(int a, int b, int c) { if ((a || b) && !c) return 1; return 0; }";
    assert_eq!(
        drawn(text, "f"),
        "entry -> 0:[a]\n\
         [a] <entry> -> 0:[b], 1:[!c]\n\
         [b] <[a]> -> 0:exit, 1:[!c]\n\
         [!c] <[a]> -> 0:exit, 1:exit\n\
         exit <[a]> -> \n"
    );
}

#[test]
fn conditions_used_as_values_go_on_with_both_outcomes() {
    let text = "int f(int a, int b) { int x = a && b; if (x) return 1; return 0; }";
    assert_eq!(
        drawn(text, "f"),
        "entry -> 0:[a]\n\
         [a] <entry> -> 0:[x], 1:[b]\n\
         [b] <[a]> -> 0:[x], 1:[x]\n\
         [x] <[a]> -> 0:exit, 1:exit\n\
         exit <[x]> -> \n"
    );
}

#[test]
fn switches_have_an_edge_for_each_arm() {
    let text = "
        static void one(void) {}
        static void many(void) {}
        void f(int x) { switch (x) { case 1: one(); break; case 5 ... 2000: many(); case 7000: one(); } }";
    assert_eq!(
        drawn(text, "f"),
        "entry -> 0:[x]\n\
         [x] <entry> -> 0:call one, 1:call many, 2:call one, 3:exit\n\
         call one <[x]> -> 0:exit\n\
         call many <[x]> -> 0:call one\n\
         call one <[x]> -> 0:exit\n\
         exit <[x]> -> \n"
    );
}

#[test]
fn loops_go_round_and_indirect_calls_reach_functions_of_their_type() {
    let text = "
        #include <stdlib.h>
        static int twice(int x) { return 2 * x; }
        static int half(int x) { return x / 2; }
        static long other(long x) { return x; }
        static long (*keep)(long) = other;
        static int (*const table[])(int) = { twice, half };
        int f(int n) {
          for (int i = 0; i < n; i++) n = table[i & 1](n);
          if (n > 100) abort();
          return (int)keep(n);
        }";
    assert_eq!(
        drawn(text, "f"),
        "entry -> 0:[i < n]\n\
         [i < n] <entry> -> 0:[n > 100], 1:call twice|half\n\
         [n > 100] <[i < n]> -> 0:call other, 1:exit\n\
         call other <[n > 100]> -> 0:exit\n\
         call twice|half <[i < n]> -> 0:[i < n]\n\
         exit <[n > 100]> -> \n"
    );
}

#[test]
fn edges_count_what_is_executed_on_them() {
    let text = "int f(int *p, int n) { if (n > 0) { *p = n + 1; n = *p & 3; } return n; }";
    let program = program(text, "f", Options::default());
    let graph = &program.build.icfg;
    let point = graph.site_points[0].expect("the site is in the graph");
    let taken =
        graph.points[point.0 as usize].edges.iter().find(|edge| edge.outcome == 1).expect("a true edge");
    assert_eq!((taken.usage.assignment, taken.usage.pointer), (2, 2), "{:?}", taken.usage);
    assert_eq!((taken.usage.arithmetic, taken.usage.boolean), (1, 1), "{:?}", taken.usage);
}

/// The ways of a function that only lead into a call that fails, as `point:outcome`.
fn failing(text: &str, function: &str) -> Vec<String> {
    let program = program(text, function, Options::default());
    let (model, graph) = (&program.model, &program.build.icfg);
    let (id, _) = model.function_named(function).expect("the function exists");
    let within = graph.failing.iter().filter(|(point, _)| graph.points[point.0 as usize].function == id);
    within.map(|&(point, outcome)| format!("{}:{outcome}", point_name(model, graph, point))).collect()
}

#[test]
fn a_way_into_a_failing_call_is_told_from_one_that_ends_the_process() {
    let text = "#include <assert.h>\n#include <stdlib.h>\n\
                int f(int a) { assert(a > 1); if (a > 2) abort(); if (a < 0) exit(1); return a; }";
    assert_eq!(failing(text, "f"), ["[a > 1]:0", "[a > 2]:1"]);
    let text = "#include <stdlib.h>\nint f(int a, int b) { if (a) b = 3; if (b) return 1; abort(); }";
    assert_eq!(failing(text, "f"), ["[b]:0"]);
}
