//! `knn`: candidates that look like feasible ones go first.

use std::collections::VecDeque;

use tarka_search::strategy::{RunSummary, Strategy, View, by_name};
use tarka_search::{CandidateId, CandidateState, HowEnded, Rng, Search};
use tarka_source::cfg::Icfg;
use tarka_source::{Criterion, FunctionId};
use tarka_terms::Terms;
use tarka_trace::{Op, input_label};

use super::toy::{Recorder, brute_force, conditions};

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

/// First in, first out.
#[derive(Default)]
struct Queue(VecDeque<CandidateId>);

impl Strategy for Queue {
    fn name(&self) -> &'static str {
        "fifo"
    }
    fn absorb(&mut self, _view: View, new: &[CandidateId], _run: RunSummary) {
        self.0.extend(new);
    }
    fn choose(&mut self, view: View, _rng: &mut Rng) -> Option<CandidateId> {
        std::iter::from_fn(|| self.0.pop_front()).find(|&candidate| view.is_open(candidate))
    }
    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}
    fn restart(&mut self) {
        *self = Queue::default();
    }
}

/// Of so many attempts, those with a feasible candidate.
fn feasible(strategy: Box<dyn Strategy>, seed: u64, attempts: usize) -> usize {
    let (model, mut terms) = (conditions(4), Terms::new());
    let unit = (FunctionId(0), Criterion::Branch);
    let mut search = Search::new(&model, &Icfg::default(), unit, strategy, seed).without_filter();
    let take = |search: &mut Search, terms: &mut Terms, input: &[u8], run| {
        let mut recorder = Recorder::new(input);
        array_class(&mut recorder);
        search.absorb(terms, &recorder.trace(), &recorder.evidence(&model), (run, HowEnded::Well));
    };
    take(&mut search, &mut terms, &[0, 0], 1);
    let mut feasible = 0;
    for _ in 0..attempts {
        let Ok(candidate) = search.choose() else { break };
        let state = match brute_force(&search, &mut terms, candidate) {
            Some(input) => {
                feasible += 1;
                take(&mut search, &mut terms, &input, feasible as u64 + 1);
                CandidateState::Done
            }
            None => CandidateState::Infeasible,
        };
        search.learn(candidate, state);
    }
    feasible
}

#[test]
fn of_the_array_class_twice_as_many_feasible_candidates_are_selected_as_first_in_first_out() {
    const ATTEMPTS: usize = 45;
    let seeds = 1..=4;
    let first_in_first_out = feasible(Box::new(Queue::default()), 1, ATTEMPTS);
    let learned: Vec<usize> = seeds.map(|seed| feasible(by_name("knn").unwrap(), seed, ATTEMPTS)).collect();
    let enough = learned.iter().filter(|&&count| count >= 2 * first_in_first_out).count();
    assert!(enough >= 3, "{learned:?} against {first_in_first_out}");
}
