//! Goals that only runs which ended badly have covered are wanted again; goals that a refused run passed are not lost.

use crate::toy::{Drawing, Recorder, conditions, conjunction, search_on};
use tarka_search::{CandidateState, Finished, HowEnded, Search};
use tarka_source::cfg::{Icfg, PointKind};
use tarka_source::{Criterion, DecisionId, EvaluationKey, Evidence, SiteId, SourceModel};
use tarka_terms::Terms;
use tarka_trace::{Op, input_label};

/// `c0; c1; … ; return`, each condition going on to the next either way.
fn sequence(count: u32) -> (SourceModel, Icfg) {
    let model = conditions(count as usize);
    let mut drawing = Drawing::new(&model);
    let mut last = drawing.point(0, PointKind::Entry);
    let mut outcomes = 1;
    for kind in (0..count).map(|site| PointKind::Site(SiteId(site))).chain([PointKind::Exit]) {
        let point = drawing.point(0, kind);
        (0..outcomes).for_each(|outcome| drawing.edge(last, outcome, point));
        (last, outcomes) = (point, 2);
    }
    (model, drawing.icfg)
}

/// `while (c0) …` with as many rounds as the run says.
fn a_loop() -> (SourceModel, Icfg) {
    let (model, mut icfg) = sequence(2);
    let point = icfg.site_points[1].unwrap();
    icfg.points[point.0 as usize].edges[1].to = point;
    (model, icfg)
}

struct Trial {
    model: SourceModel,
    search: Search,
    terms: Terms,
    runs: u64,
}

impl Trial {
    fn new((model, icfg): (SourceModel, Icfg), strategy: &str) -> Trial {
        let search = search_on(&model, &icfg, Criterion::Branch, strategy, 1);
        Trial { model, search, terms: Terms::new(), runs: 0 }
    }

    /// A run that takes these branches; every one depends on the input.
    fn run(&mut self, path: &[(u32, bool)], ended: HowEnded) {
        self.runs += 1;
        let mut recorder = Recorder::new(&[0]);
        for (index, &(site, holds)) in path.iter().enumerate() {
            let limit = recorder.constant(16, index as u64 + 1);
            let wide = recorder.node(Op::ZExt, 16, [input_label(0), 0, 0]);
            let label = recorder.node(Op::Ult, 1, [wide, limit, 0]);
            recorder.condition(site, holds, label);
        }
        let evidence = recorder.evidence(&self.model);
        self.search.absorb(&mut self.terms, &recorder.trace(), &evidence, (self.runs, ended));
    }

    /// The next candidate: site, outcome and depth.
    fn choose(&mut self, becomes: CandidateState) -> Result<(u32, u64, u32), Finished> {
        let chosen = self.search.choose()?;
        self.search.learn(chosen, becomes);
        let (node, candidate) = (self.search.tree().node_of(chosen), self.search.tree().candidate(chosen));
        Ok((node.site, candidate.outcome, node.depth))
    }

    fn again(&self) -> Vec<usize> {
        self.search.goals().wanted_again().collect()
    }
}

#[test]
fn a_goal_that_a_fault_covered_is_tried_again_until_a_run_ends_well() {
    for strategy in ["dfs", "bfs", "random-branch", "auto"] {
        let mut trial = Trial::new(sequence(2), strategy);
        trial.run(&[(0, false), (1, true)], HowEnded::Well);
        trial.run(&[(0, false), (1, false)], HowEnded::Well);
        trial.run(&[(0, true), (1, true)], HowEnded::Badly);
        let goals = trial.search.goals();
        assert_eq!((goals.open(), goals.covered(), goals.first_run(1)), (0, 4, Some(3)));
        assert_eq!(trial.again(), [1], "{strategy}: 1T was covered by a run that ended well");
        // Behind 0T only 1F is left. It leads to nothing new, but past 0T to another end.
        assert_eq!(trial.choose(CandidateState::Running), Ok((1, 0, 1)), "{strategy}");
        trial.run(&[(0, true), (1, false)], HowEnded::Well);
        assert_eq!((trial.again(), trial.search.goals().first_run(1)), (vec![], Some(3)));
        assert_eq!(trial.choose(CandidateState::Running), Err(Finished::AllCovered));
    }
}

#[test]
fn the_failing_side_of_an_assertion_is_closed_at_once() {
    let (model, mut icfg) = sequence(2);
    icfg.failing = vec![(icfg.site_points[1].unwrap(), 0)];
    let mut trial = Trial::new((model, icfg), "dfs");
    trial.run(&[(0, false), (1, false)], HowEnded::Badly);
    assert_eq!(trial.again(), [0], "0F can still return, 1F cannot");
    trial.run(&[(0, false), (1, true)], HowEnded::Well);
    trial.run(&[(0, true), (1, false)], HowEnded::Badly);
    trial.run(&[(0, true), (1, true)], HowEnded::Well);
    assert_eq!(trial.choose(CandidateState::Running), Err(Finished::AllCovered));
}

#[test]
fn behind_a_call_that_never_ends_well_nothing_is_tried_again() {
    // unit: if (c0) fail(); return. fail: abort().
    let mut model = conditions(1);
    model.functions.push(tarka_source::Function { sites: Vec::new(), ..model.functions[0].clone() });
    let mut drawing = Drawing::new(&model);
    let entry = drawing.point(0, PointKind::Entry);
    let condition = drawing.point(0, PointKind::Site(SiteId(0)));
    let call = drawing.point(0, PointKind::Call(vec![tarka_source::FunctionId(1)]));
    let exit = drawing.point(0, PointKind::Exit);
    let [fail, never] = [PointKind::Entry, PointKind::Exit].map(|kind| drawing.point(1, kind));
    let edges = [(entry, 0, condition), (condition, 0, exit), (condition, 1, call), (call, 0, exit)];
    edges.into_iter().chain([(fail, 0, never)]).for_each(|(from, at, to)| drawing.edge(from, at, to));
    let mut wanted_again = |failing| {
        drawing.icfg.failing = failing;
        let mut trial = Trial::new((model.clone(), drawing.icfg.clone()), "dfs");
        trial.run(&[(0, true)], HowEnded::Badly);
        trial.again()
    };
    assert_eq!(wanted_again(vec![(fail, 0)]), [0; 0]);
    // If any way of `fail` returns, so may the unit.
    assert_eq!(wanted_again(vec![(call, 0)]), [0; 0]);
    assert_eq!(wanted_again(vec![]), [1]);
}

#[test]
fn a_goal_that_only_faults_reach_costs_a_few_choices_and_no_more() {
    for strategy in ["dfs", "bfs", "random-branch", "auto"] {
        let mut trial = Trial::new(a_loop(), strategy);
        trial.run(&[(0, false), (1, false)], HowEnded::Well);
        let mut path = vec![(0, true)];
        path.extend([(1, true); 200]);
        path.push((1, false));
        trial.run(&path, HowEnded::Badly);
        assert_eq!((trial.again(), trial.search.goals().open()), (vec![1, 3], 0));
        let mut choices = 0;
        while trial.choose(CandidateState::Infeasible).is_ok() {
            choices += 1;
        }
        assert_eq!((choices, trial.again()), (64, vec![]), "{strategy}");
    }
}

#[test]
fn what_an_open_goal_needs_is_no_second_try() {
    let mut trial = Trial::new(a_loop(), "dfs");
    let mut path = vec![(0, true)];
    path.extend([(1, true); 200]);
    trial.run(&path, HowEnded::Badly);
    // 1F is open behind every round: all 200 ways there are tried, and 0F.
    let mut choices = 0;
    while trial.choose(CandidateState::Infeasible).is_ok() {
        choices += 1;
    }
    assert_eq!((choices, trial.again()), (201, vec![1, 3]));
}

#[test]
fn a_pair_needs_two_runs_that_end_well() {
    let model = conjunction(2);
    let mut search = search_on(&model, &Icfg::default(), Criterion::Mcdc, "dfs", 1);
    let mut run = 0;
    let mut evaluated = |search: &mut Search, values: &[Option<bool>], ended| {
        run += 1;
        let result = values.iter().all(|value| *value == Some(true));
        let evaluations = [EvaluationKey::of_conditions(DecisionId(0), values, result)].into();
        let evidence = Evidence { evaluations, ..Evidence::default() };
        search.absorb(&mut Terms::new(), &Recorder::new(&[0]).trace(), &evidence, (run, ended));
        search.goals().wanted_again().collect::<Vec<_>>()
    };
    // Goals: four outcomes, result false, result true, then the two conditions.
    let (both, first_fails) = ([Some(true), Some(true)], [Some(false), None]);
    assert_eq!(evaluated(&mut search, &both, HowEnded::Badly), [5]);
    assert_eq!(evaluated(&mut search, &first_fails, HowEnded::Well), [5, 6], "shown, with a run that failed");
    assert_eq!(search.goals().first_run(6), Some(2));
    assert_eq!(evaluated(&mut search, &both, HowEnded::Well), [0; 0]);
}

#[test]
fn goals_that_a_refused_run_has_passed_are_not_lost() {
    // assert(c0 || c1); assert(c2): the first run ends well.
    let mut trial = Trial::new(sequence(3), "dfs");
    trial.run(&[(0, true), (1, true), (2, true)], HowEnded::Well);
    trial.run(&[(0, true), (1, true), (2, false)], HowEnded::Well);
    trial.run(&[(0, false), (1, false), (2, false)], HowEnded::Refused);
    // 2T leads to nothing open, but past 0F and 1F.
    let left = trial.search.ways_left();
    assert_eq!(
        [left[0].open, left[2].open],
        [2, 2],
        "0F: by 1T and 2T of the refused run; 1F: by its 2T and by 1F"
    );
    assert_eq!(trial.choose(CandidateState::Running), Ok((2, 1, 2)));
    trial.run(&[(0, false), (1, false), (2, true)], HowEnded::Well);
    assert_eq!(trial.search.goals().open(), 0);
}
