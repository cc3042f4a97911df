//! What the emitted files show together on the plain program.
//!
//! Takes the evidence of tests and of fault files that show their fault; gives figures for every criterion, which speak of
//! the tests alone, and the two files that show a condition to decide on its own. Never: which criterion was asked for.

use std::collections::BTreeMap;
use std::ops::Range;

use tarka_events::{Figures, Share, UnitResult, WrittenFault, WrittenTest};
use tarka_source::{
    Criterion, DecisionId, EvaluationKey, Evidence, Function, FunctionId, GoalKind, Place, SiteKind,
    SourceModel, covered, goals_of, independence_pair,
};

/// One emitted program.
pub(crate) struct EmittedProgram<'a> {
    /// Name of the test or fault file.
    pub name: String,
    /// The run it was made from.
    pub run: u64,
    /// Goals (indices) it covers on its own.
    pub covers: &'a [u32],
    /// What it was seen to do.
    pub evidence: &'a Evidence,
    /// The number of its fault among those of the unit, for a fault file.
    pub fault: Option<usize>,
}

/// Every emitted program that was seen to do what it says.
pub(crate) struct EmittedPrograms<'a> {
    /// The tests, then the fault files that show their fault.
    all: Vec<EmittedProgram<'a>>,
    tests: usize,
}

impl<'a> EmittedPrograms<'a> {
    /// The passing tests: what they show is covered.
    pub(crate) fn tests(&self) -> &[EmittedProgram<'a>] {
        &self.all[..self.tests]
    }

    /// The tests and the fault files.
    pub(crate) fn all(&self) -> &[EmittedProgram<'a>] {
        &self.all
    }
}

/// Every test, and every fault file that shows its fault. `runs` are those of the faults.
pub(crate) fn emitted<'a>(
    tests: &'a [WrittenTest],
    faults: &'a [WrittenFault],
    runs: impl Iterator<Item = u64>,
) -> EmittedPrograms<'a> {
    let of_test = |test: &'a WrittenTest| EmittedProgram {
        name: test.name.clone(),
        run: test.run,
        covers: &test.covers,
        evidence: &test.evidence,
        fault: None,
    };
    let of_fault = |(number, (fault, run)): (usize, (&'a WrittenFault, u64))| EmittedProgram {
        name: fault.name(),
        run,
        covers: &fault.covers,
        evidence: &fault.evidence,
        fault: Some(number),
    };
    let confirmed = faults.iter().zip(runs).enumerate().filter(|(_, (fault, _))| fault.confirmed);
    EmittedPrograms {
        all: tests.iter().map(of_test).chain(confirmed.map(of_fault)).collect(),
        tests: tests.len(),
    }
}

/// The two programs that show a goal of independence, the one with result true first; they may be one and the same.
pub(crate) fn pair_of(goal: GoalKind, emitted: &[EmittedProgram]) -> Option<[usize; 2]> {
    let GoalKind::Independence { decision, position } = goal else { return None };
    let evaluations = emitted.iter().flat_map(|program| program.evidence.evaluations_of(decision));
    let (held, failed) = independence_pair(decision, position, evaluations)?;
    let program = |wanted: &EvaluationKey| {
        emitted.iter().position(|program| program.evidence.evaluations.contains(wanted))
    };
    Some([program(&held)?, program(&failed)?])
}

/// The figures of a unit's functions, of which the unit is the first, by its tests.
pub(crate) fn figures(model: &SourceModel, functions: &[FunctionId], tests: &[EmittedProgram]) -> Figures {
    let mut together = Evidence::default();
    tests.iter().for_each(|program| together.add(program.evidence));
    let of = |(position, &function)| {
        let called = (position == 0).then_some(!tests.is_empty());
        figures_of(model, function, (&together, called))
    };
    functions.iter().enumerate().map(of).fold(Figures::default(), Figures::with)
}

/// What the tests of all units show together: every function that has goals for some unit once, by the tests of the units whose
/// goals are its. A function of a header that several files include is the same in each of them.
pub fn figures_together<'a, T>(models: impl Iterator<Item = (&'a SourceModel, T)>) -> Figures
where
    T: Iterator<Item = (&'a UnitResult, &'a [WrittenTest])>,
{
    let mut shown: BTreeMap<(&Place, &str, [usize; 3]), Shown> = BTreeMap::new();
    for (model, units) in models {
        for (unit, tests) in units {
            let Some((id, _)) = model.function_named(&unit.function) else { continue };
            for function in model.goal_functions(id, unit.scope) {
                let numbers = Numbers::of(model, function);
                let Function { place, name, .. } = model.function(function);
                let first = Shown { model, function, together: Evidence::default(), called: None };
                let shown = shown.entry((place, name, numbers.counts())).or_insert(first);
                let there = Numbers::of(shown.model, shown.function);
                tests.iter().for_each(|test| shown.together.add(&numbers.moved(&test.evidence, &there)));
                if function == id {
                    *shown.called.get_or_insert(false) |= !tests.is_empty();
                }
            }
        }
    }
    let of = |shown: Shown| figures_of(shown.model, shown.function, (&shown.together, shown.called));
    shown.into_values().map(of).fold(Figures::default(), Figures::with)
}

/// All that tests have shown of a function, in the numbers of one model that has it.
struct Shown<'a> {
    model: &'a SourceModel,
    function: FunctionId,
    together: Evidence,
    called: Option<bool>,
}

/// Where a function's outcomes, statements and decisions stand among those of its model.
struct Numbers {
    outcomes: Vec<usize>,
    statements: Range<usize>,
    decisions: Vec<DecisionId>,
}

impl Numbers {
    fn of(model: &SourceModel, id: FunctionId) -> Numbers {
        let function = model.function(id);
        let mut next = 0;
        let mut outcomes = Vec::new();
        for site in &model.sites {
            let own = next..next + site.outcomes() as usize;
            next = own.end;
            outcomes.extend(own.filter(|_| site.function == id));
        }
        let first = function.first_statement as usize;
        Numbers {
            outcomes,
            statements: first..first + function.statements.len(),
            decisions: model.decisions_of(id).map(|decision| decision.id).collect(),
        }
    }

    fn counts(&self) -> [usize; 3] {
        [self.outcomes.len(), self.statements.len(), self.decisions.len()]
    }

    /// What evidence in these numbers says of the function, in its other numbers.
    fn moved(&self, evidence: &Evidence, to: &Numbers) -> Evidence {
        let moved =
            |bytes: &[u8], from: &mut dyn Iterator<Item = usize>, to: &mut dyn Iterator<Item = usize>| {
                let mut moved = Vec::new();
                for (from, to) in from.zip(to) {
                    let seen = bytes.get(from).copied().unwrap_or(0);
                    moved.resize(moved.len().max(to + 1), 0);
                    moved[to] = seen;
                }
                moved
            };
        let of_decision = |(from, to): (&DecisionId, &DecisionId)| {
            let decision = *to;
            let all = evidence.evaluations_of(*from).cloned();
            all.map(|key| EvaluationKey { decision, ..key }).collect::<Vec<_>>()
        };
        Evidence {
            outcomes: moved(
                &evidence.outcomes,
                &mut self.outcomes.iter().copied(),
                &mut to.outcomes.iter().copied(),
            ),
            statements: moved(&evidence.statements, &mut self.statements.clone(), &mut to.statements.clone()),
            evaluations: self.decisions.iter().zip(&to.decisions).flat_map(of_decision).collect(),
        }
    }
}

/// The figures of one function, by all that was shown of it; where it is a unit, also whether any test calls it.
fn figures_of(
    model: &SourceModel,
    function: FunctionId,
    (together, called): (&Evidence, Option<bool>),
) -> Figures {
    let share = |goals: Vec<GoalKind>| {
        let covered = covered(model, &goals, together).into_iter().filter(|covered| *covered).count();
        Share { covered: covered as u64, total: goals.len() as u64 }
    };
    let of = |criterion| share(goals_of(model, function, criterion));
    let counted = model.decisions_of(function).filter(|decision| decision.mcdc);
    let conditions = counted.flat_map(|decision| {
        let positions = 0..decision.conditions.len() as u32;
        positions.map(|position| GoalKind::Independence { decision: decision.id, position })
    });
    let arms = goals_of(model, function, Criterion::Branch).into_iter().filter(|goal| match goal {
        GoalKind::Outcome { site, taken, .. } => {
            *taken && matches!(model.site(*site).kind, SiteKind::Switch { .. })
        }
        _ => false,
    });
    let statement = of(Criterion::Statement);
    // Every test calls its unit; only an empty function leaves nothing to see it by.
    let entered = if statement.total == 0 { called } else { Some(statement.covered > 0) };
    Figures {
        statement,
        branch: of(Criterion::Branch),
        condition: of(Criterion::Condition),
        decision: of(Criterion::Decision),
        mcdc: share(conditions.collect()),
        function: Share { covered: entered.unwrap_or_default().into(), total: entered.is_some().into() },
        switch: share(arms.collect()),
    }
}
