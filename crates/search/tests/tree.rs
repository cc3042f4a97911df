//! The path tree on hand-made runs.

use crate::toy::{Recorder, conditions, model, switch};
use tarka_search::{CandidateId, CandidateState, PathTree, SiteTable, SketchedWay};
use tarka_terms::{Evaluator, Terms};
use tarka_trace::{EventKind, Node, Op, input_label, node_label};

#[test]
fn shared_prefixes_are_stored_once() {
    let model = conditions(3);
    let (mut terms, mut tree, sites) = (Terms::new(), PathTree::new(), SiteTable::new(&model));
    let mut absorb = |input: [u8; 2], number| {
        let mut run = Recorder::new(&input);
        run.less(0, 0, 10);
        run.less(1, 0, 5);
        run.less(2, 1, 7);
        tree.absorb(&mut terms, &sites, &run.trace(), number)
    };
    assert_eq!(absorb([0, 0], 1).new_nodes, 3);
    assert_eq!(absorb([0, 9], 2).new_nodes, 0, "only the last condition went another way: no new node");
    assert_eq!(absorb([7, 0], 3).new_nodes, 1);
    let again = absorb([8, 0], 4);
    assert_eq!((again.new_nodes, again.new_candidates.len(), again.depth), (0, 0, 3));
}

#[test]
fn a_condition_that_the_path_already_settles_makes_no_candidate() {
    let model = conditions(2);
    let (mut terms, mut tree, sites) = (Terms::new(), PathTree::new(), SiteTable::new(&model));
    let mut run = Recorder::new(&[0, 0]);
    for _ in 0..1000 {
        run.less(0, 0, 10);
        run.less(1, 0, 10);
    }
    let absorbed = tree.absorb(&mut terms, &sites, &run.trace(), 1);
    assert_eq!((absorbed.new_nodes, absorbed.new_candidates.len()), (1, 1));
}

#[test]
fn concrete_events_and_constant_terms_are_no_decisions() {
    let model = conditions(2);
    let (mut terms, mut tree, sites) = (Terms::new(), PathTree::new(), SiteTable::new(&model));
    let mut run = Recorder::new(&[0, 0]);
    run.condition(0, true, 0);
    let own = run.node(Op::Sub, 8, [input_label(0), input_label(0), 0]);
    let zero = run.constant(8, 0);
    let always = run.node(Op::Eq, 1, [own, zero, 0]);
    run.condition(1, true, always);
    assert_eq!(tree.absorb(&mut terms, &sites, &run.trace(), 1).new_nodes, 0);
    assert!(tree.is_empty());
}

#[test]
fn a_run_that_differs_after_the_same_decisions_is_noticed_and_kept() {
    let model = conditions(3);
    let (mut terms, mut tree, sites) = (Terms::new(), PathTree::new(), SiteTable::new(&model));
    let mut absorb = |hidden: bool, number| {
        let mut run = Recorder::new(&[0, 0]);
        run.less(0, 0, 10);
        // Something untracked decides here, and with it which condition comes next.
        if run.condition(1, hidden, 0) {
            run.less(2, 1, 5)
        } else {
            run.less(2, 1, 6)
        };
        tree.absorb(&mut terms, &sites, &run.trace(), number)
    };
    assert!(!absorb(false, 1).differs);
    let other = absorb(true, 2);
    assert!(other.differs);
    assert_eq!(other.new_nodes, 1);
    assert!(!absorb(true, 3).differs, "both continuations are known now");
}

#[test]
fn different_continuations_of_one_prefix_are_bounded() {
    let model = conditions(2);
    let (mut terms, mut tree, sites) = (Terms::new(), PathTree::new(), SiteTable::new(&model));
    for number in 0..100u8 {
        let mut run = Recorder::new(&[0, 0]);
        run.less(0, 0, 10);
        run.less(1, 1, number + 1);
        let absorbed = tree.absorb(&mut terms, &sites, &run.trace(), number as u64 + 1);
        assert_eq!(absorbed.cut, number >= 8);
    }
    assert_eq!(tree.len(), 9);
}

#[test]
fn each_arm_of_a_switch_is_a_way_to_go() {
    let model = model(vec![switch(&[(-3, -3), (1, 4)], true)]);
    let (mut terms, mut tree, sites) = (Terms::new(), PathTree::new(), SiteTable::new(&model));
    let mut run = Recorder::new(&[0, 0]);
    // (unsigned long long)(int)(signed char)input[0]
    let operand = run.node(Op::SExt, 64, [input_label(0), 0, 0]);
    run.event(EventKind::Switch, 0, 2, operand, 0);
    let absorbed = tree.absorb(&mut terms, &sites, &run.trace(), 1);
    assert_eq!(absorbed.new_candidates.len(), 2);
    let mut values_of = |candidate: u32| {
        let flipped = tree.flipped(&mut terms, &sites, tarka_search::CandidateId(candidate));
        let mut evaluator = Evaluator::new();
        let holds = |byte: &u8| evaluator.eval(&terms, flipped, &[*byte].as_slice()) == 1;
        (0..=255).filter(holds).map(|byte| byte as i8).collect::<Vec<_>>()
    };
    assert_eq!(values_of(0), [-3]);
    assert_eq!(values_of(1), [1, 2, 3, 4]);
}

#[test]
fn a_switch_without_a_source_switch_asks_for_any_other_value() {
    let model = conditions(1);
    let (mut terms, mut tree, sites) = (Terms::new(), PathTree::new(), SiteTable::new(&model));
    for (number, value) in [(1u64, 5u8), (2, 9)] {
        let mut run = Recorder::new(&[value, 0]);
        run.event(EventKind::InternalSwitch, 7, 0, input_label(0), value as u32);
        let absorbed = tree.absorb(&mut terms, &sites, &run.trace(), number);
        assert_eq!(absorbed.new_candidates.len(), 1);
    }
    let flipped = tree.flipped(&mut terms, &sites, tarka_search::CandidateId(1));
    let mut evaluator = Evaluator::new();
    let mut holds = |byte: u8| evaluator.eval(&terms, flipped, &[byte].as_slice()) == 1;
    assert!(!holds(5) && !holds(9) && holds(0) && holds(255));
    assert_eq!(tree.open_candidates(), 1, "the candidate of the first run is done");
}

#[test]
fn a_path_of_more_than_a_hundred_thousand_decisions_is_cut_at_the_limit() {
    let model = conditions(1);
    let (mut terms, mut tree, sites) = (Terms::new(), PathTree::new(), SiteTable::new(&model));
    let mut run = Recorder::new(&[0, 0]);
    let wide = run.node(Op::Concat, 16, [input_label(1), input_label(0), 0]);
    let wide = run.node(Op::Concat, 24, [input_label(2), wide, 0]);
    let wide = run.node(Op::ZExt, 32, [wide, 0, 0]);
    for limit in 1..=150_000u32 {
        // Written directly: looking for an equal node, as the helper does, would be quadratic.
        let constant = run.nodes.len() as u32;
        run.nodes.push(Node { op: Op::Const as u8, pad: 0, width: 32, a: 0, b: limit, c: 0 });
        run.nodes.push(Node { op: Op::Ult as u8, pad: 0, width: 1, a: wide, b: node_label(constant), c: 0 });
        run.event(EventKind::Condition, 0, 1, node_label(constant + 1), 0);
    }
    let absorbed = tree.absorb(&mut terms, &sites, &run.trace(), 1);
    assert!(absorbed.cut);
    assert_eq!(absorbed.depth, tarka_search::MAX_DEPTH);
    // A long run is mostly nodes: what one of them takes decides how many runs a search can keep.
    assert!(size_of::<tarka_search::PathNode>() <= 96);
    let known = tree.bytes();
    assert!(known > tree.len() * size_of::<tarka_search::PathNode>(), "{known} bytes");
    tree.absorb(&mut terms, &sites, &run.trace(), 2);
    assert_eq!(tree.bytes(), known, "the same path again takes nothing");
}

#[test]
fn a_sketch_has_the_first_decisions_and_says_what_it_leaves_out() {
    let model = conditions(3);
    let (mut terms, mut tree, sites) = (Terms::new(), PathTree::new(), SiteTable::new(&model));
    let mut absorb = |input: [u8; 2], number| {
        let mut run = Recorder::new(&input);
        run.less(0, 0, 10);
        run.less(1, 0, 5);
        run.less(2, 1, 7);
        tree.absorb(&mut terms, &sites, &run.trace(), number);
    };
    absorb([0, 0], 1);
    absorb([7, 0], 2);
    tree.set_state(CandidateId(0), CandidateState::Infeasible);
    let untried = SketchedWay::NotTaken(CandidateState::Open);
    let whole = tree.sketch(100);
    assert_eq!((whole.roots.as_slice(), whole.left_out), (&[0][..], 0));
    let ways: Vec<_> = whole.nodes.iter().map(|node| (node.site, node.ways.as_slice())).collect();
    let refuted = SketchedWay::NotTaken(CandidateState::Infeasible);
    assert_eq!(
        ways,
        [
            (0, &[(1, SketchedWay::Node(1)), (0, refuted)][..]),
            (1, &[(1, SketchedWay::Node(2)), (0, SketchedWay::Node(3))]),
            (2, &[(1, SketchedWay::End), (0, untried)]),
            (2, &[(1, SketchedWay::End), (0, untried)]),
        ]
    );
    let cut = tree.sketch(2);
    assert_eq!((cut.nodes.len(), cut.left_out), (2, 2));
    assert_eq!(cut.nodes[1].ways, [(1, SketchedWay::LeftOut), (0, SketchedWay::LeftOut)]);
    assert!(PathTree::new().sketch(5).nodes.is_empty());
}
