//! What a coverage criterion asks for, and what runs have shown of it.
//!
//! Takes a source model and a criterion, gives goals; takes the evidence of runs or tests, gives which goals they cover
//! and which two evaluations show that a condition matters. The counting is llvm-cov's.
//!
//! Pure logic on the model, shared by everyone who speaks of coverage. Never: how evidence is gathered, which runs to
//! make next.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;

use crate::{BoolShape, DecisionId, FunctionId, SiteId, SiteKind, SourceModel};

/// A coverage criterion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Criterion {
    /// Every statement.
    Statement,
    /// Every outcome of every condition; every switch arm taken and not taken.
    Branch,
    /// Every outcome of every condition.
    Condition,
    /// Condition/decision: every outcome of every condition and of every decision, and the switch arms.
    Decision,
    /// Modified condition/decision: also, every condition of a decision with `&&` or `||` shown to decide it on its own,
    /// whether llvm-cov measures that decision or not.
    Mcdc,
}

impl Criterion {
    /// Every criterion, the weakest first.
    pub const ALL: [Criterion; 5] =
        [Criterion::Statement, Criterion::Branch, Criterion::Condition, Criterion::Decision, Criterion::Mcdc];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Criterion::Statement => "statement",
            Criterion::Branch => "branch",
            Criterion::Condition => "condition",
            Criterion::Decision => "decision",
            Criterion::Mcdc => "mcdc",
        }
    }

    /// The criterion with this name.
    pub fn by_name(name: &str) -> Option<Criterion> {
        Criterion::ALL.into_iter().find(|criterion| criterion.name() == name)
    }

    /// True if its goals are covered by evaluations of whole decisions as well as by outcomes.
    pub fn needs_evaluations(self) -> bool {
        matches!(self, Criterion::Decision | Criterion::Mcdc)
    }
}

/// One thing that a criterion asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum GoalKind {
    /// A statement is executed, by its number in the model.
    Statement(u32),
    /// A site goes one way.
    Outcome {
        /// The condition or switch.
        site: SiteId,
        /// Condition: 0 or 1; switch: the arm.
        outcome: u32,
        /// False for "the switch went elsewhere than to this arm".
        taken: bool,
    },
    /// A decision has this result.
    Decision {
        /// The decision.
        decision: DecisionId,
        /// Its result.
        outcome: bool,
    },
    /// A condition decides its decision on its own: two evaluations differ in it and in the result, and in nothing else
    /// that both evaluated.
    Independence {
        /// The decision.
        decision: DecisionId,
        /// The condition's position in it.
        position: u32,
    },
}

impl GoalKind {
    /// The function that has it.
    pub fn function(self, model: &SourceModel) -> FunctionId {
        match self {
            GoalKind::Statement(number) => {
                let after = model.functions.partition_point(|function| function.first_statement <= number);
                FunctionId(after.saturating_sub(1) as u32)
            }
            GoalKind::Outcome { site, .. } => model.site(site).function,
            GoalKind::Decision { decision, .. } | GoalKind::Independence { decision, .. } => {
                model.decision(decision).function
            }
        }
    }
}

/// One way in which a decision was evaluated. Two evaluations are equal if every condition was evaluated alike.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EvaluationKey {
    /// The decision.
    pub decision: DecisionId,
    /// Values of the conditions, 32 to a word, lowest bit first; 0 for those that were not evaluated.
    pub values: Vec<u32>,
    /// Which conditions were evaluated, as many words.
    pub evaluated: Vec<u32>,
    /// Result of the decision.
    pub result: bool,
}

impl EvaluationKey {
    /// An evaluation from the words of the trace.
    pub fn new(decision: DecisionId, values: &[u32], evaluated: &[u32], result: bool) -> EvaluationKey {
        let values = values.iter().zip(evaluated).map(|(values, evaluated)| values & evaluated).collect();
        EvaluationKey { decision, values, evaluated: evaluated.to_vec(), result }
    }

    /// An evaluation from one entry per condition; `None` for those that were not evaluated.
    pub fn of_conditions(decision: DecisionId, conditions: &[Option<bool>], result: bool) -> EvaluationKey {
        let words = |is_set: fn(&Option<bool>) -> bool| {
            let word = |chunk: &[Option<bool>]| {
                chunk.iter().enumerate().fold(0, |word, (bit, value)| word | u32::from(is_set(value)) << bit)
            };
            conditions.chunks(32).map(word).collect()
        };
        EvaluationKey {
            decision,
            values: words(|value| *value == Some(true)),
            evaluated: words(Option::is_some),
            result,
        }
    }

    /// Value of a condition; `None` if it was not evaluated.
    pub fn value(&self, position: u32) -> Option<bool> {
        let (word, bit) = (position as usize / 32, position % 32);
        let is_set = |words: &[u32]| words.get(word).is_some_and(|word| word >> bit & 1 == 1);
        is_set(&self.evaluated).then(|| is_set(&self.values))
    }

    /// The condition that these two evaluations of one decision show to decide it on its own: their results differ, and
    /// of the conditions both evaluated exactly this one has different values.
    pub fn shows(&self, other: &EvaluationKey) -> Option<u32> {
        if self.result == other.result || self.decision != other.decision {
            return None;
        }
        let mut found = None;
        for (word, ((a, b), both)) in
            self.values.iter().zip(&other.values).zip(self.evaluated.iter().zip(&other.evaluated)).enumerate()
        {
            let differing = (a ^ b) & both.0 & both.1;
            match differing.count_ones() {
                0 => {}
                1 if found.is_none() => found = Some(word as u32 * 32 + differing.trailing_zeros()),
                _ => return None,
            }
        }
        found
    }
}

/// Bytes that are nearly all 0, written down as their number and those that are not.
mod sparse {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let set = (0u32..).zip(bytes).filter(|(_, byte)| **byte != 0);
        let set: Vec<(u32, u8)> = set.map(|(index, byte)| (index, *byte)).collect();
        (bytes.len() as u32, set).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let (len, set) = <(u32, Vec<(u32, u8)>)>::deserialize(deserializer)?;
        let mut bytes = vec![0; len as usize];
        for (index, byte) in set {
            let place = bytes.get_mut(index as usize);
            *place.ok_or_else(|| serde::de::Error::custom("evidence beyond its end"))? = byte;
        }
        Ok(bytes)
    }
}

/// What one run or test, or several together, have shown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// One byte for every outcome of every site of the model; not 0 if it was taken.
    #[serde(with = "sparse")]
    pub outcomes: Vec<u8>,
    /// One byte for every statement of the model; not 0 if it was executed.
    #[serde(with = "sparse")]
    pub statements: Vec<u8>,
    /// How decisions with `&&` or `||` were evaluated.
    pub evaluations: BTreeSet<EvaluationKey>,
}

impl Evidence {
    /// The evidence in the coverage map of a run: a byte per outcome of every site, then one per statement. What a
    /// shorter map lacks was not seen.
    pub fn of_map(model: &SourceModel, map: &[u8]) -> Evidence {
        let part = |range: Range<usize>| {
            let known = map.get(range.start.min(map.len())..range.end.min(map.len())).unwrap_or_default();
            let mut bytes = known.to_vec();
            bytes.resize(range.len(), 0);
            bytes
        };
        let outcomes = outcome_count(model);
        Evidence {
            outcomes: part(0..outcomes),
            statements: part(outcomes..outcomes + model.statement_count() as usize),
            evaluations: BTreeSet::new(),
        }
    }

    /// Adds what another run or test has shown.
    pub fn add(&mut self, other: &Evidence) {
        let add_bytes = |bytes: &mut Vec<u8>, more: &[u8]| {
            bytes.resize(bytes.len().max(more.len()), 0);
            bytes.iter_mut().zip(more).for_each(|(byte, more)| *byte |= more);
        };
        add_bytes(&mut self.outcomes, &other.outcomes);
        add_bytes(&mut self.statements, &other.statements);
        self.evaluations.extend(other.evaluations.iter().cloned());
    }

    /// The evaluations of one decision.
    pub fn evaluations_of(&self, decision: DecisionId) -> impl Iterator<Item = &EvaluationKey> + Clone {
        let first = EvaluationKey { decision, values: Vec::new(), evaluated: Vec::new(), result: false };
        self.evaluations.range(first..).take_while(move |evaluation| evaluation.decision == decision)
    }
}

/// Number of outcomes of all sites of a model: where statements begin in the coverage map.
pub fn outcome_count(model: &SourceModel) -> usize {
    model.sites.iter().map(|site| site.outcomes() as usize).sum()
}

/// The goals of a function under a criterion: those of its sites in source order, then those of its decisions.
pub fn goals_of(model: &SourceModel, function: FunctionId, criterion: Criterion) -> Vec<GoalKind> {
    let of_function = model.function(function);
    if criterion == Criterion::Statement {
        let first = of_function.first_statement;
        let end = first + of_function.statements.len() as u32;
        return (first..end).map(GoalKind::Statement).collect();
    }
    let mut goals = Vec::new();
    for &site in &of_function.sites {
        let is_switch = matches!(model.site(site).kind, SiteKind::Switch { .. });
        if is_switch && criterion == Criterion::Condition {
            continue;
        }
        for outcome in 0..model.site(site).outcomes() {
            goals.push(GoalKind::Outcome { site, outcome, taken: true });
            if is_switch {
                goals.push(GoalKind::Outcome { site, outcome, taken: false });
            }
        }
    }
    if criterion.needs_evaluations() {
        for decision in model.decisions_of(function).filter(|decision| decision.is_compound()) {
            let id = decision.id;
            // The result of `a && 1` is its only condition.
            if decision.conditions.len() >= 2 {
                goals.extend([false, true].map(|outcome| GoalKind::Decision { decision: id, outcome }));
            }
            if criterion == Criterion::Mcdc {
                let positions = 0..decision.conditions.len() as u32;
                goals.extend(positions.map(|position| GoalKind::Independence { decision: id, position }));
            }
        }
    }
    goals
}

/// Which goals the evidence covers.
pub fn covered(model: &SourceModel, goals: &[GoalKind], evidence: &Evidence) -> Vec<bool> {
    let mut first_outcome = Vec::with_capacity(model.sites.len());
    let mut next = 0;
    for site in &model.sites {
        first_outcome.push(next);
        next += site.outcomes() as usize;
    }
    let mut shown = ShownConditions::default();
    let mut is_covered = |goal: &GoalKind| match *goal {
        GoalKind::Statement(statement) => is_set(&evidence.statements, statement as usize),
        GoalKind::Outcome { site, outcome, taken } => {
            let first = first_outcome[site.0 as usize];
            let seen = |outcome: u32| is_set(&evidence.outcomes, first + outcome as usize);
            if taken {
                seen(outcome)
            } else {
                (0..model.site(site).outcomes()).any(|other| other != outcome && seen(other))
            }
        }
        GoalKind::Decision { decision, outcome } => {
            evidence.evaluations_of(decision).any(|evaluation| evaluation.result == outcome)
        }
        GoalKind::Independence { decision, position } => shown.of(decision, evidence).contains(&position),
    };
    goals.iter().map(&mut is_covered).collect()
}

fn is_set(bytes: &[u8], index: usize) -> bool {
    bytes.get(index).is_some_and(|&byte| byte != 0)
}

/// The conditions shown of the decision asked for last: one pass over the pairs answers for all of its conditions.
#[derive(Default)]
struct ShownConditions {
    decision: Option<DecisionId>,
    positions: BTreeSet<u32>,
}

impl ShownConditions {
    fn of(&mut self, decision: DecisionId, evidence: &Evidence) -> &BTreeSet<u32> {
        if self.decision != Some(decision) {
            let pairs = pairs(evidence.evaluations_of(decision));
            *self = ShownConditions {
                decision: Some(decision),
                positions: pairs.map(|(position, _, _)| position).collect(),
            };
        }
        &self.positions
    }
}

/// Every pair of evaluations of one decision that shows something, with the condition it shows. Results differ, so the
/// evaluations are split by result and only the two halves are compared.
fn pairs<'a>(
    evaluations: impl Iterator<Item = &'a EvaluationKey>,
) -> impl Iterator<Item = (u32, &'a EvaluationKey, &'a EvaluationKey)> {
    let (held, failed): (Vec<_>, Vec<_>) = evaluations.partition(|evaluation| evaluation.result);
    held.into_iter().flat_map(move |one| {
        let showing = |other: &&'a EvaluationKey| Some((one.shows(other)?, one, *other));
        failed.iter().filter_map(showing).collect::<Vec<_>>()
    })
}

/// Two of these evaluations that show a condition to decide its decision on its own, by llvm-cov's rule: the results
/// differ, and among the conditions that both evaluated this one alone has different values. The first has result true.
pub fn independence_pair<'a>(
    decision: DecisionId,
    position: u32,
    evaluations: impl IntoIterator<Item = &'a EvaluationKey>,
) -> Option<(EvaluationKey, EvaluationKey)> {
    let of_decision = evaluations
        .into_iter()
        .filter(|evaluation| evaluation.decision == decision && evaluation.value(position).is_some());
    let mut pairs = pairs(of_decision);
    pairs.find(|(shown, _, _)| *shown == position).map(|(_, one, other)| (one.clone(), other.clone()))
}

/// What evaluating a decision from left to right comes to, as far as its conditions are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluationStep {
    /// The result is settled; no further condition is evaluated.
    Result(bool),
    /// This condition is evaluated next.
    Needs(u32),
}

impl BoolShape {
    /// Evaluates from left to right as C does, with the values known so far.
    pub fn step(&self, value: &impl Fn(u32) -> Option<bool>) -> EvaluationStep {
        match self {
            BoolShape::Condition(position) => {
                value(*position).map_or(EvaluationStep::Needs(*position), EvaluationStep::Result)
            }
            BoolShape::Constant(constant) => EvaluationStep::Result(*constant),
            BoolShape::Not(operand) => match operand.step(value) {
                EvaluationStep::Result(result) => EvaluationStep::Result(!result),
                needs => needs,
            },
            BoolShape::And(left, right) => match left.step(value) {
                EvaluationStep::Result(true) => right.step(value),
                settled => settled,
            },
            BoolShape::Or(left, right) => match left.step(value) {
                EvaluationStep::Result(false) => right.step(value),
                settled => settled,
            },
        }
    }
}
