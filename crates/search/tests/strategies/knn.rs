//! `knn`: candidates that look like feasible ones go first.

use tarka_search::strategy::by_name;
use tarka_search::{CandidateState, HowEnded, Search};
use tarka_source::cfg::Icfg;
use tarka_source::{Criterion, FunctionId};
use tarka_terms::Terms;
use tarka_trace::{Op, input_label};

use crate::toy::{Recorder, brute_force, conditions};

/// Paper 4's array class. Bit i of byte 0 says whether `a[i] > i * 1000`; the least of `b` is byte 1, which the constructor
/// keeps below 100, so that neither `a.length <= i` nor `b[j] < -a[i]` is feasible.
fn array_class(run: &mut Recorder) {
    let [constructor, in_length, above, below] = [0, 1, 2, 3];
    if !run.less(constructor, 1, 100) {
        return;
    }
    for i in 0..5 {
        run.less(in_length, 1, 250 + i);
        let (mask, zero) = (run.constant(8, 1 << i), run.constant(8, 0));
        let masked = run.node(Op::And, 8, [input_label(0), mask, 0]);
        let label = run.node(Op::Ne, 1, [masked, zero, 0]);
        if run.condition(above, run.input[0] >> i & 1 == 1, label) {
            (0..10).for_each(|j| _ = run.less(below, 1, 101 + 3 * (10 * i + j)));
        }
    }
    run.less(in_length, 1, 255);
}

/// After each of so many attempts, how many had a feasible candidate so far.
fn feasible(strategy: &str, seed: u64, attempts: usize) -> Vec<usize> {
    let (model, mut terms) = (conditions(4), Terms::new());
    let (unit, strategy) =
        ((&[FunctionId(0)][..], Criterion::Branch), by_name(strategy).expect("registered"));
    let mut search = Search::new(&model, &Icfg::default(), unit, strategy, seed).without_filter();
    let take = |search: &mut Search, terms: &mut Terms, input: &[u8], run| {
        let mut recorder = Recorder::new(input);
        array_class(&mut recorder);
        search.absorb(terms, &recorder.trace(), &recorder.evidence(&model), (run, HowEnded::Well));
    };
    take(&mut search, &mut terms, &[0, 0], 1);
    let mut feasible = 0;
    let attempt = |_| {
        let candidate = search.choose().ok()?;
        let state = match brute_force(&search, &mut terms, candidate) {
            Some(input) => {
                feasible += 1;
                take(&mut search, &mut terms, &input, feasible as u64 + 1);
                CandidateState::Done
            }
            None => CandidateState::Infeasible,
        };
        search.learn(candidate, state);
        Some(feasible)
    };
    (0..attempts).map_while(attempt).collect()
}

/// From 75 attempts on `knn` has all 32 feasible candidates there are, so it cannot stay ahead by that much for ever.
#[test]
fn of_the_array_class_twice_as_many_feasible_candidates_are_selected_as_first_in_first_out() {
    let in_order = feasible("fifo", 1, 90);
    for seed in 1..=10 {
        let learned = feasible("knn", seed, 90);
        for attempts in [45, 60, 75, 90] {
            let (learned, in_order) = (learned[attempts - 1], in_order[attempts - 1]);
            assert!(
                learned >= 2 * in_order,
                "seed {seed}, {attempts} attempts: {learned} against {in_order}"
            );
        }
    }
}
