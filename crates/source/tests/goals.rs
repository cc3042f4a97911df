//! Goals of every criterion and llvm's rule for pairs of evaluations, on hand-made decisions.

use std::collections::BTreeSet;
use std::path::PathBuf;

use tarka_source::{
    Arm, BoolShape, Context, Criterion, Decision, DecisionId, EvaluationKey, EvaluationStep, Evidence,
    Function, FunctionId, GoalKind, Place, Site, SiteId, SiteKind, SourceModel, Statement, TypeId, TypeTable,
    Uses, covered, goals_of, independence_pair,
};

fn place() -> Place {
    Place { file: "goals.c".to_string(), line: 1, column: 1 }
}

fn condition(position: u32) -> BoolShape {
    BoolShape::Condition(position)
}

fn and(left: BoolShape, right: BoolShape) -> BoolShape {
    BoolShape::And(Box::new(left), Box::new(right))
}

fn or(left: BoolShape, right: BoolShape) -> BoolShape {
    BoolShape::Or(Box::new(left), Box::new(right))
}

fn not(operand: BoolShape) -> BoolShape {
    BoolShape::Not(Box::new(operand))
}

const D: DecisionId = DecisionId(0);

/// Every evaluation that inputs `conditions` (one bit each) can give, evaluated from left to right.
fn evaluation(shape: &BoolShape, count: u32, conditions: u64) -> EvaluationKey {
    let mut values = vec![None; count as usize];
    loop {
        match shape.step(&|position| values[position as usize]) {
            EvaluationStep::Result(result) => return EvaluationKey::of_conditions(D, &values, result),
            EvaluationStep::Needs(position) => {
                values[position as usize] = Some(conditions >> position & 1 == 1)
            }
        }
    }
}

/// `TF-` reads: true, false, not evaluated.
fn vector(text: &str, result: bool) -> EvaluationKey {
    let value = |letter| match letter {
        'T' => Some(true),
        'F' => Some(false),
        _ => None,
    };
    EvaluationKey::of_conditions(D, &text.chars().map(value).collect::<Vec<_>>(), result)
}

fn shown(evaluations: &[EvaluationKey], count: u32) -> Vec<u32> {
    (0..count).filter(|&position| independence_pair(D, position, evaluations).is_some()).collect()
}

#[test]
fn evaluation_stops_where_c_stops() {
    let shape = or(and(condition(0), condition(1)), condition(2));
    let results: Vec<_> = (0..8).map(|bits| evaluation(&shape, 3, bits)).collect();
    let expected = [
        vector("F-F", false),
        vector("TFF", false),
        vector("F-F", false),
        vector("TT-", true),
        vector("F-T", true),
        vector("TFT", true),
        vector("F-T", true),
        vector("TT-", true),
    ];
    assert_eq!(results, expected);
    assert_eq!(not(condition(0)).step(&|_| Some(false)), EvaluationStep::Result(true));
    assert_eq!(and(condition(0), condition(1)).step(&|_| None), EvaluationStep::Needs(0));
    assert_eq!(
        and(condition(0), condition(1)).step(&|position| (position == 0).then_some(true)),
        EvaluationStep::Needs(1)
    );
}

#[test]
fn conjunction_needs_one_vector_more_than_conditions() {
    let all = [vector("TT", true), vector("F-", false), vector("TF", false)];
    assert_eq!(shown(&all, 2), [0, 1]);
    assert_eq!(shown(&all[..2], 2), [0]);
    assert_eq!(shown(&all[1..], 2), Vec::<u32>::new(), "the results do not differ");
    assert_eq!(independence_pair(D, 1, &all), Some((vector("TT", true), vector("TF", false))));
}

#[test]
fn conditions_that_one_side_skipped_do_not_count() {
    // (a && b) || c: a is shown by TT- against F-F: b and c were each evaluated by one of them only.
    let pair = [vector("TT-", true), vector("F-F", false)];
    assert_eq!(shown(&pair, 3), [0]);
    // c is shown on either side of the conjunction, but not across both.
    assert_eq!(shown(&[vector("TFT", true), vector("TFF", false)], 3), [2]);
    assert_eq!(shown(&[vector("F-T", true), vector("TFF", false)], 3), Vec::<u32>::new(), "a and c differ");
}

#[test]
fn coupled_conditions_cannot_be_shown() {
    // (a && b) || (!a && c), both a from the same value: a's two places always change together.
    let shape = or(and(condition(0), condition(1)), and(not(condition(2)), condition(3)));
    let coupled = |bits: u64| bits & 0b1010 | (bits & 1) | (bits & 1) << 2;
    let all: Vec<_> = (0..16).map(|bits| evaluation(&shape, 4, coupled(bits))).collect();
    assert_eq!(shown(&all, 4), [0, 1, 3]);
    let free: Vec<_> = (0..16).map(|bits| evaluation(&shape, 4, bits)).collect();
    assert_eq!(shown(&free, 4), [0, 1, 2, 3]);
}

#[test]
fn a_constant_operand_leaves_its_neighbours_as_they_are() {
    let with_true = and(BoolShape::Constant(true), condition(0));
    assert_eq!(with_true.step(&|_| None), EvaluationStep::Needs(0));
    // `0 && a` never evaluates a: nothing can be shown.
    let with_false = or(and(BoolShape::Constant(false), condition(0)), condition(1));
    let all: Vec<_> = (0..4).map(|bits| evaluation(&with_false, 2, bits)).collect();
    assert_eq!(shown(&all, 2), [1]);
}

#[test]
fn twelve_conditions_are_shown_by_thirteen_vectors_and_not_by_twelve() {
    let shape = (1..12).fold(condition(0), |shape, position| and(shape, condition(position)));
    let one_false = (0..12).map(|position| 0xfff & !(1 << position));
    let all: Vec<_> = [0xfff].into_iter().chain(one_false).map(|bits| evaluation(&shape, 12, bits)).collect();
    assert_eq!(shown(&all, 12), (0..12).collect::<Vec<_>>());
    assert_eq!(shown(&all[..12], 12), (0..11).collect::<Vec<_>>());
}

/// Alternating `&&` and `||` over `count` conditions.
fn alternating(count: u32) -> BoolShape {
    (1..count).fold(condition(0), |shape, position| {
        if position % 2 == 0 { or(shape, condition(position)) } else { and(shape, condition(position)) }
    })
}

#[test]
fn forty_conditions_and_hundreds_of_vectors_are_compared_at_once() {
    let shape = alternating(40);
    // Pseudo-random, but always the same.
    let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        bits >> 20
    };
    // Some vectors, and each with one bit changed.
    let vectors = (0..20).map(|_| next()).flat_map(|bits| (0..40).map(move |flip| bits ^ 1 << flip));
    let evidence = Evidence {
        evaluations: vectors.map(|bits| evaluation(&shape, 40, bits)).collect(),
        ..Evidence::default()
    };
    let goals: Vec<_> = (0..40).map(|position| GoalKind::Independence { decision: D, position }).collect();
    let by_goal = covered(&model(), &goals, &evidence);
    let by_pair: Vec<_> = (0..40)
        .map(|position| independence_pair(D, position, evidence.evaluations_of(D)).is_some())
        .collect();
    assert_eq!(by_goal, by_pair);
    assert!(by_goal.iter().any(|&shown| shown) && evidence.evaluations.len() > 100);
    for (position, pair) in
        (0..40).map(|position| (position, independence_pair(D, position, &evidence.evaluations)))
    {
        let Some((one, other)) = pair else { continue };
        let differing = (0..40).filter(|&other_position| {
            let both = one.value(other_position).zip(other.value(other_position));
            both.is_some_and(|(a, b)| a != b)
        });
        assert_eq!(differing.collect::<Vec<_>>(), [position]);
        assert!(one.result && !other.result);
    }
}

/// One function: `if (a && b) s1; switch (x) { case 1: s2; default: s3; } if (c) s4;` after a function with one
/// condition and two statements.
fn model() -> SourceModel {
    let site = |id, function, kind| Site {
        id: SiteId(id),
        function: FunctionId(function),
        place: place(),
        lines: 1..=1,
        text: String::new(),
        decision: 0,
        position: 0,
        is_assertion: false,
        is_relative: false,
        refuses: false,
        adjusts: false,
        governs: 1..=1,
        kind,
    };
    let is_if = || SiteKind::Condition { context: Context::If, always: None };
    let arm = |values| Arm { place: place(), text: String::new(), values };
    let arms = vec![arm(Some((1, 1))), arm(None)];
    let sites = vec![
        site(0, 0, is_if()),
        site(1, 1, is_if()),
        site(2, 1, is_if()),
        site(3, 1, SiteKind::Switch { arms, bits: 32, signed: true }),
        site(4, 1, is_if()),
    ];
    let function = |id: u32, first_statement, statements| Function {
        name: format!("f{id}"),
        written: format!("f{id}"),
        place: place(),
        end_line: 1,
        is_static: false,
        is_inline: false,
        is_weak: false,
        is_named: true,
        is_variadic: false,
        in_main_file: true,
        params: Vec::new(),
        result: TypeId(0),
        sites: sites.iter().filter(|site| site.function.0 == id).map(|site| site.id).collect(),
        loops: Vec::new(),
        statements: vec![Statement { place: place(), end_line: 1 }; statements],
        first_statement,
        ty: TypeId(0),
        address_taken: false,
        may_fall_off: false,
        uses: Uses::default(),
    };
    let decision = |id, function, conditions: &[u32], shape| Decision {
        id: DecisionId(id),
        function: FunctionId(function),
        place: place(),
        end_line: 1,
        text: String::new(),
        conditions: conditions.iter().copied().map(SiteId).collect(),
        shape,
        mcdc: conditions.len() > 1,
    };
    SourceModel {
        file: PathBuf::from("goals.c"),
        flags: Vec::new(),
        types: TypeTable::default(),
        functions: vec![function(0, 0, 2), function(1, 2, 4)],
        globals: Vec::new(),
        declared_functions: Vec::new(),
        macros: Default::default(),
        inline_definitions: Default::default(),
        declared_variables: Vec::new(),
        mentions_errno: false,
        handed_fresh: Vec::new(),
        led_into: Vec::new(),
        decisions: vec![
            decision(0, 0, &[0], condition(0)),
            decision(1, 1, &[1, 2], and(condition(0), condition(1))),
            decision(2, 1, &[4], condition(0)),
        ],
        sites,
        probed_text: String::new(),
        others: Vec::new(),
    }
}

const UNIT: FunctionId = FunctionId(1);

#[test]
fn each_criterion_asks_for_what_its_name_says() {
    let model = model();
    let count = |criterion| goals_of(&model, UNIT, criterion).len();
    assert_eq!(Criterion::ALL.map(count), [4, 6 + 4, 6, 6 + 4 + 2, 6 + 4 + 2 + 2]);
    assert_eq!(
        goals_of(&model, UNIT, Criterion::Statement),
        [2, 3, 4, 5].map(GoalKind::Statement),
        "statements are numbered through all functions"
    );
    let switch: Vec<_> = goals_of(&model, UNIT, Criterion::Branch)
        .into_iter()
        .filter_map(|goal| match goal {
            GoalKind::Outcome { site: SiteId(3), outcome, taken } => Some((outcome, taken)),
            _ => None,
        })
        .collect();
    assert_eq!(switch, [(0, true), (0, false), (1, true), (1, false)]);
    assert_eq!(
        goals_of(&model, UNIT, Criterion::Mcdc)[10..],
        [
            GoalKind::Decision { decision: DecisionId(1), outcome: false },
            GoalKind::Decision { decision: DecisionId(1), outcome: true },
            GoalKind::Independence { decision: DecisionId(1), position: 0 },
            GoalKind::Independence { decision: DecisionId(1), position: 1 },
        ]
    );
    for criterion in Criterion::ALL {
        assert_eq!(Criterion::by_name(criterion.name()), Some(criterion));
    }
    assert_eq!(Criterion::by_name("path"), None);
}

#[test]
fn mcdc_asks_for_split_decisions_and_for_the_condition_beside_a_constant() {
    let independence = |model: &SourceModel| {
        let goals = goals_of(model, UNIT, Criterion::Mcdc);
        let position = |goal| match goal {
            GoalKind::Independence { decision, position } => Some((decision.0, position)),
            _ => None,
        };
        goals.into_iter().filter_map(position).collect::<Vec<_>>()
    };
    let mut model = model();
    model.decisions[1].mcdc = false;
    assert_eq!(independence(&model), [(1, 0), (1, 1)], "clang does not measure it, we do");
    model.decisions[2].shape = and(condition(0), BoolShape::Constant(true));
    assert_eq!(independence(&model), [(1, 0), (1, 1), (2, 0)]);
    let results = goals_of(&model, UNIT, Criterion::Decision)
        .into_iter()
        .filter(|goal| matches!(goal, GoalKind::Decision { decision: DecisionId(2), .. }));
    assert_eq!(results.count(), 0, "its result is its only condition");
}

/// Sites in the map: c0 at 0, a at 2, b at 4, the switch at 6, c at 8; statements from 10.
fn evidence(outcomes: &[usize], statements: &[usize], vectors: &[(&str, bool)]) -> Evidence {
    let mut map = [0; 16];
    outcomes.iter().for_each(|&outcome| map[outcome] = 1);
    statements.iter().for_each(|&statement| map[10 + statement] = 3);
    let mut evidence = Evidence::of_map(&model(), &map);
    let on_second =
        |&(text, result): &(&str, bool)| EvaluationKey { decision: DecisionId(1), ..vector(text, result) };
    evidence.evaluations = vectors.iter().map(on_second).collect();
    evidence
}

fn covered_goals(criterion: Criterion, evidence: &Evidence) -> Vec<usize> {
    let model = model();
    let covered = covered(&model, &goals_of(&model, UNIT, criterion), evidence);
    (0..covered.len()).filter(|&goal| covered[goal]).collect()
}

#[test]
fn evidence_covers_goals_of_each_criterion() {
    // a true, b false, second arm, c true.
    let one = evidence(&[3, 4, 7, 9], &[2, 4], &[("TF", false)]);
    assert_eq!(covered_goals(Criterion::Statement, &one), [0, 2]);
    assert_eq!(covered_goals(Criterion::Branch, &one), [1, 2, 5, 6, 9]);
    assert_eq!(covered_goals(Criterion::Condition, &one), [1, 2, 5]);
    assert_eq!(covered_goals(Criterion::Decision, &one), [1, 2, 5, 6, 9, 10]);
    assert_eq!(covered_goals(Criterion::Mcdc, &one), [1, 2, 5, 6, 9, 10]);
}

#[test]
fn a_pair_may_come_from_two_tests() {
    let mut all = evidence(&[3, 4, 7, 9], &[2], &[("TF", false)]);
    let two = evidence(&[3, 5, 7, 9], &[3], &[("TT", true)]);
    assert!(!covered_goals(Criterion::Mcdc, &two).contains(&13));
    all.add(&two);
    assert_eq!(covered_goals(Criterion::Mcdc, &all), [1, 2, 3, 5, 6, 9, 10, 11, 13]);
    assert_eq!(covered_goals(Criterion::Statement, &all), [0, 1]);
    let before = all.clone();
    all.add(&two);
    assert_eq!(all, before, "what is known already adds nothing");
}

#[test]
fn evidence_of_a_short_or_empty_map_covers_nothing_more() {
    let evidence = Evidence::of_map(&model(), &[1, 1, 1]);
    assert_eq!((evidence.outcomes.len(), evidence.statements.len()), (10, 6));
    assert_eq!(covered_goals(Criterion::Branch, &evidence), [0]);
    let mut empty = Evidence::default();
    assert!(covered_goals(Criterion::Mcdc, &empty).is_empty());
    empty.add(&evidence);
    assert_eq!(covered_goals(Criterion::Branch, &empty), [0]);
}

#[test]
fn words_of_the_trace_and_conditions_one_by_one_are_the_same_key() {
    let mut conditions = vec![None; 40];
    (conditions[0], conditions[33], conditions[34]) = (Some(true), Some(true), Some(false));
    let one_by_one = EvaluationKey::of_conditions(D, &conditions, true);
    // A bit of a condition that was not evaluated means nothing.
    let words = EvaluationKey::new(D, &[0b11, 0b10], &[0b01, 0b110], true);
    assert_eq!(one_by_one, words);
    assert_eq!(
        [0, 1, 33, 34].map(|position| words.value(position)),
        [Some(true), None, Some(true), Some(false)]
    );
    assert_eq!(BTreeSet::from([one_by_one, words]).len(), 1);
}
