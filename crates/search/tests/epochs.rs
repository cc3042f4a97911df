//! A search that begins again because inputs may now be larger.

use crate::toy::{Recorder, branch_search, conditions, drive, explore};
use tarka_search::strategy::AVAILABLE;
use tarka_search::{CandidateState, Finished, HowEnded};

/// `c1` needs a second byte, which is only there in the second epoch.
fn unit(two_bytes: bool) -> impl Fn(&mut Recorder) {
    move |run: &mut Recorder| {
        run.less(0, 0, 10);
        if two_bytes {
            run.less(1, 1, 10);
        } else {
            run.condition(1, true, 0);
        }
        run.check_not(20, 0, 200, false);
    }
}

#[test]
fn what_is_covered_stays_covered_and_the_rest_is_found_with_larger_inputs() {
    for name in AVAILABLE {
        let small = explore(&conditions(2), name, 1, 100, unit(false));
        assert_eq!(small.finished, Some(Finished::Exhausted), "{name}");
        let mut search = small.search;
        let first: Vec<_> = (0..4).map(|goal| search.goals().first_run(goal)).collect();
        search.restart();
        assert!(search.tree().is_empty() && search.tree().candidate_count() == 0);
        let large = drive(&conditions(2), search, 100, unit(true));
        assert_eq!(large.finished, Some(Finished::AllCovered), "{name}");
        for (goal, run) in first.into_iter().enumerate().filter(|(_, run)| run.is_some()) {
            assert_eq!(large.search.goals().first_run(goal), run, "{name}: goal {goal}");
        }
        let failing = |inputs: &[Vec<u8>]| inputs.iter().filter(|input| input[0] == 200).count();
        assert_eq!((failing(&small.inputs), failing(&large.inputs)), (1, 0), "{name}: a fault is found once");
    }
}

#[test]
fn a_restarted_search_offers_nothing_before_a_run() {
    for name in AVAILABLE {
        let mut search = explore(&conditions(2), name, 1, 1, unit(true)).search;
        assert!(search.tree().open_candidates() > 0);
        search.restart();
        assert_eq!(search.choose(), Err(Finished::Exhausted), "{name}");
    }
}

#[test]
fn an_epoch_does_not_repeat_the_random_choices_of_the_one_before() {
    let deep = |run: &mut Recorder| (0..40).for_each(|limit| _ = run.less(0, 0, 200 - limit));
    let model = conditions(1);
    let mut search = branch_search(&model, "random-branch", 1).without_filter();
    let mut chosen = Vec::new();
    for _ in 0..2 {
        let mut terms = tarka_terms::Terms::new();
        let mut recorder = Recorder::new(&[0, 0]);
        deep(&mut recorder);
        search.absorb(&mut terms, &recorder.trace(), &recorder.evidence(&model), (1, HowEnded::Well));
        let tried: Vec<_> = (0..5).map(|_| search.choose().unwrap()).collect();
        tried.iter().for_each(|&candidate| _ = search.learn(candidate, CandidateState::Infeasible));
        chosen.push(tried);
        search.restart();
    }
    assert_ne!(chosen[0], chosen[1]);
}
