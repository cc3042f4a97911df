//! How the emitted files evaluate each decision whose conditions are to decide alone, as a truth table.
//!
//! Takes what tests and fault files have shown on the plain program; gives a row for each way in which they evaluate a
//! decision, and for each condition the two tests that show it. Never: which criterion was asked for.

use std::collections::BTreeMap;

use tarka_events::{TruthCondition, TruthRow, TruthTable};
use tarka_source::{Decision, EvaluationKey, FunctionId, GoalKind, SourceModel};

use crate::replay::emitted::{EmittedPrograms, pair_of};

/// The tables of a unit's functions, in their order and that of the source.
pub(crate) fn truth_tables(
    model: &SourceModel,
    functions: &[FunctionId],
    emitted: &EmittedPrograms,
) -> Vec<TruthTable> {
    let asked = |decision: &&Decision| decision.is_compound() && !decision.conditions.is_empty();
    let decisions = functions.iter().flat_map(|&function| model.decisions_of(function)).filter(asked);
    decisions.map(|decision| truth_table(model, decision, emitted)).collect()
}

fn truth_table(model: &SourceModel, decision: &Decision, emitted: &EmittedPrograms) -> TruthTable {
    let mut rows: BTreeMap<&EvaluationKey, Vec<String>> = BTreeMap::new();
    for program in emitted.all() {
        for evaluation in program.evidence.evaluations_of(decision.id) {
            rows.entry(evaluation).or_default().push(program.name.clone());
        }
    }
    let positions = 0..decision.conditions.len() as u32;
    let condition = |position: u32| {
        let goal = GoalKind::Independence { decision: decision.id, position };
        TruthCondition {
            text: model.site(decision.conditions[position as usize]).text.clone(),
            pair: pair_of(goal, emitted.tests()).map(|pair| pair.map(|at| emitted.tests()[at].name.clone())),
        }
    };
    let row = |(evaluation, tests): (&EvaluationKey, Vec<String>)| TruthRow {
        values: positions.clone().map(|position| evaluation.value(position)).collect(),
        result: evaluation.result,
        tests,
    };
    let mut rows: Vec<TruthRow> = rows.into_iter().map(row).collect();
    rows.sort_by_key(|row| !row.result);
    TruthTable {
        place: decision.place.clone(),
        text: decision.text.clone(),
        counted: decision.mcdc,
        conditions: positions.clone().map(condition).collect(),
        rows,
    }
}
