//! The filter against a naive search: on random programs with calls and loops, what it says of every branch under every
//! set of covered goals is what walking the program step by step finds. Where a program has dead code or a function that
//! never returns, the filter may say "may" where walking finds nothing, and never the other way round.

use std::collections::BTreeSet;

use crate::toy::{Drawing, Recorder, conditions, search_on};
use tarka_search::{Filter, Goals, HowEnded, Relevance, Rng, Search, SiteTable};
use tarka_source::cfg::{Icfg, PointId, PointKind};
use tarka_source::{Criterion, Evidence, FunctionId, GoalKind, SiteId, SourceModel};
use tarka_terms::Terms;

/// Functions that jump around in themselves and call later ones; every call stack is short, so all can be walked.
fn random_program(rng: &mut Rng) -> (SourceModel, Icfg) {
    let counts: Vec<usize> = (0..1 + rng.below(4)).map(|_| 1 + rng.below(4)).collect();
    let mut model = conditions(counts.iter().sum());
    let pattern = model.functions[0].clone();
    model.functions.clear();
    let mut next = 0;
    for (index, &count) in counts.iter().enumerate() {
        let sites: Vec<SiteId> = (next..next + count as u32).map(SiteId).collect();
        sites.iter().for_each(|site| model.sites[site.0 as usize].function = FunctionId(index as u32));
        model.functions.push(tarka_source::Function { sites, ..pattern.clone() });
        next += count as u32;
    }
    let mut drawing = Drawing::new(&model);
    for (function, of_function) in model.functions.iter().enumerate() {
        let entry = drawing.point(function as u32, PointKind::Entry);
        let sites = of_function.sites.iter().map(|&site| (PointKind::Site(site), 2));
        let later = counts.len() - function - 1;
        let calls = if later > 0 { rng.below(3) } else { 0 };
        let callee = |rng: &mut Rng| FunctionId((function + 1 + rng.below(later)) as u32);
        let calls: Vec<_> = (0..calls)
            .map(|_| (PointKind::Call((0..1 + rng.below(2)).map(|_| callee(rng)).collect()), 1))
            .collect();
        let points: Vec<(PointId, u32)> = sites
            .chain(calls)
            .map(|(kind, outcomes)| (drawing.point(function as u32, kind), outcomes))
            .collect();
        let exit = drawing.point(function as u32, PointKind::Exit);
        drawing.edge(entry, 0, points[rng.below(points.len())].0);
        for &(point, outcomes) in &points {
            for outcome in 0..outcomes {
                let target = rng.below(points.len() + 1);
                drawing.edge(point, outcome, points.get(target).map_or(exit, |target| target.0));
            }
        }
    }
    (model, drawing.icfg)
}

type Branch = (SiteId, u32);

/// Where a run is: its point, and the calls it will return to.
type Place = (PointId, Vec<PointId>);

/// Every step that a run can make from a place: the branch it takes, if it takes one, and where it is then.
fn steps(icfg: &Icfg, (at, stack): &Place) -> Vec<(Option<Branch>, Place)> {
    let point = &icfg.points[at.0 as usize];
    match &point.kind {
        PointKind::Entry => vec![(None, (point.edges[0].to, stack.clone()))],
        PointKind::Site(site) => {
            point.edges.iter().map(|edge| (Some((*site, edge.outcome)), (edge.to, stack.clone()))).collect()
        }
        PointKind::Call(callees) => {
            let mut inside = stack.clone();
            inside.push(point.edges[0].to);
            let entry = |callee: &FunctionId| icfg.entries[callee.0 as usize].unwrap();
            callees.iter().map(|callee| (None, (entry(callee), inside.clone()))).collect()
        }
        PointKind::Exit => {
            let mut outside = stack.clone();
            outside.pop().map(|back| (None, (back, outside))).into_iter().collect()
        }
    }
}

/// Every place that a run can come to from these.
fn walk(icfg: &Icfg, from: Vec<Place>) -> BTreeSet<Place> {
    let mut seen = BTreeSet::new();
    let mut open = from;
    while let Some(place) = open.pop() {
        if seen.insert(place.clone()) {
            open.extend(steps(icfg, &place).into_iter().map(|(_, next)| next));
        }
    }
    seen
}

/// For every branch that a run can take, the branches that can be taken after it, whoever the callers are.
fn taken_after(icfg: &Icfg) -> Vec<(Branch, BTreeSet<Branch>)> {
    let start = (icfg.entries[0].unwrap(), Vec::new());
    let mut found: Vec<(Branch, Vec<Place>)> = Vec::new();
    for place in walk(icfg, vec![start]) {
        for (branch, next) in steps(icfg, &place) {
            let Some(branch) = branch else { continue };
            match found.iter_mut().find(|(known, _)| *known == branch) {
                Some((_, places)) => places.push(next),
                None => found.push((branch, vec![next])),
            }
        }
    }
    let behind = |places: Vec<Place>| {
        let all = walk(icfg, places);
        all.iter().flat_map(|place| steps(icfg, place)).filter_map(|(branch, _)| branch).collect()
    };
    found.into_iter().map(|(branch, places)| (branch, behind(places))).collect()
}

/// The unit and all that it may call, directly or not.
fn called(icfg: &Icfg) -> Vec<FunctionId> {
    let mut found = vec![FunctionId(0)];
    let mut next = 0;
    while let Some(function) = found.get(next) {
        let callees: Vec<FunctionId> = icfg.calls[function.0 as usize].clone();
        callees.into_iter().for_each(|callee| {
            if !found.contains(&callee) {
                found.push(callee);
            }
        });
        next += 1;
    }
    found
}

/// True if a run can come to every point of every function that the unit calls, the exits among them.
fn is_all_alive(model: &SourceModel, icfg: &Icfg) -> bool {
    let start = (icfg.entries[0].unwrap(), Vec::new());
    let reached: BTreeSet<PointId> = walk(icfg, vec![start]).into_iter().map(|(point, _)| point).collect();
    let mut called = vec![false; model.functions.len()];
    called[0] = true;
    for function in 0..called.len() {
        if called[function] {
            icfg.calls[function].iter().for_each(|callee| called[callee.0 as usize] = true);
        }
    }
    let points = (0..).map(PointId).zip(&icfg.points);
    let mut of_called = points.filter(|(_, point)| called[point.function.0 as usize]);
    of_called.all(|(id, _)| reached.contains(&id))
}

#[test]
fn the_filter_finds_exactly_what_walking_the_program_finds() {
    let mut rng = Rng::new(11);
    let (mut seen, mut with_calls) = ([0; 3], 0);
    for _ in 0..1500 {
        let (model, icfg) = random_program(&mut rng);
        let sites = SiteTable::new(&model);
        let after = taken_after(&icfg);
        let is_exact = is_all_alive(&model, &icfg);
        with_calls += usize::from(is_exact && !icfg.calls[0].is_empty());
        let all = called(&icfg);
        for round in 0..8 {
            // Goals of the unit alone, then of its callees as well.
            let functions = if round < 4 { &all[..1] } else { &all };
            let is_open: Vec<bool> = (0..2 * model.sites.len()).map(|_| rng.below(3) == 0).collect();
            let open = |&(site, outcome): &Branch| {
                functions.contains(&model.site(site).function) && is_open[(2 * site.0 + outcome) as usize]
            };
            let mut goals = Goals::new(&model, &sites, functions, Criterion::Branch);
            goals.aim(|_, goal| {
                let GoalKind::Outcome { site, outcome, .. } = *goal else { panic!("{goal:?} is no branch") };
                open(&(site, outcome))
            });
            let filter = Filter::new(&model, &icfg, functions, &sites, &goals);
            for ((site, outcome), behind) in &after {
                let branch = sites.coverage_index(site.0, *outcome).unwrap();
                let must = goals.is_open_outcome(site.0, *outcome);
                assert_eq!(must, open(&(*site, *outcome)));
                // The filter counts the branch itself as behind it: it is must-relevant then.
                let may = behind.iter().any(open);
                let found = filter.reaches_open(branch);
                assert!(found || !must && !may, "{site:?} {outcome} in {icfg:?}");
                if is_exact {
                    assert_eq!(found, must || may, "{site:?} {outcome} in {icfg:?}");
                    seen[if must { 2 } else { usize::from(may) }] += 1;
                }
            }
        }
    }
    assert!(seen.iter().all(|&times| times > 500), "irrelevant, may, must: {seen:?}");
    assert!(with_calls > 20, "{with_calls} programs with calls");
}

/// How relevant a search finds each branch.
fn relevances(search: &Search, recorder: &Recorder) -> Vec<(Branch, Relevance)> {
    let tree = search.tree();
    let candidates = (0..tree.candidate_count() as u32).map(tarka_search::CandidateId);
    assert!(tree.candidate_count() <= recorder.events.len());
    candidates
        .map(|id| {
            let branch = (SiteId(tree.node_of(id).site), tree.candidate(id).outcome as u32);
            (branch, search.view().relevance(id))
        })
        .collect()
}

#[test]
fn relevance_is_right_after_every_run_that_covers_something() {
    let mut rng = Rng::new(5);
    let mut seen = [0; 3];
    for _ in 0..2000 {
        let (model, icfg) = random_program(&mut rng);
        if !is_all_alive(&model, &icfg) {
            continue;
        }
        let after = taken_after(&icfg);
        let mut search = search_on(&model, &icfg, Criterion::Branch, "bfs", 1);
        let mut terms = Terms::new();
        // A run past every branch there is, refused: it makes candidates and covers nothing.
        let mut recorder = Recorder::new(&[0]);
        for (index, &((site, outcome), _)) in after.iter().enumerate() {
            recorder.less(site.0, 0, index as u8 + 1);
            recorder.events.last_mut().unwrap().outcome = 1 - outcome as u16;
        }
        let nothing = Evidence::default();
        search.absorb(&mut terms, &recorder.trace(), &nothing, (1, HowEnded::Refused));
        let mut covered = BTreeSet::new();
        for run in 2..8 {
            // A run that takes one branch and leaves no candidates.
            let (branch, _) = after[rng.below(after.len())];
            covered.insert(branch);
            let mut one = Recorder::new(&[0]);
            one.condition(branch.0.0, branch.1 == 1, 0);
            search.absorb(&mut terms, &one.trace(), &one.evidence(&model), (run, HowEnded::Well));
            let open = |branch: &Branch| {
                model.sites[branch.0.0 as usize].function == FunctionId(0) && !covered.contains(branch)
            };
            for (branch, relevance) in relevances(&search, &recorder) {
                let (_, behind) = after.iter().find(|(known, _)| *known == branch).unwrap();
                let expected = match () {
                    () if open(&branch) => Relevance::Must,
                    () if behind.iter().any(open) => Relevance::May,
                    () => Relevance::Irrelevant,
                };
                assert_eq!(relevance, expected, "{branch:?} with {covered:?} covered");
                seen[expected as usize] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&times| times > 300), "irrelevant, may, must: {seen:?}");
}
