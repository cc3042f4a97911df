//! What a pair of evaluations lacks, in words.
//!
//! Takes the evaluations of a decision that were seen; says which further one would show that a condition decides the
//! decision on its own. Never: whether there is an input for it.

use tarka_source::goals::EvaluationStep;
use tarka_source::{Decision, DecisionId, EvaluationKey, SourceModel};

/// Most conditions that are spelled out.
const SPELLED: usize = 8;

/// The evaluation that would complete a pair for the condition at `position`, beside those seen, each with its run.
pub(crate) fn lacking<'a>(
    model: &SourceModel,
    decision: DecisionId,
    position: u32,
    seen: impl Iterator<Item = (&'a EvaluationKey, u64)>,
) -> String {
    let decision = model.decision(decision);
    let mut evaluated = false;
    for (evaluation, run) in seen {
        let Some(value) = evaluation.value(position) else { continue };
        evaluated = true;
        let wanted = |at: u32| if at == position { Some(!value) } else { evaluation.value(at) };
        let taken = values(decision, &wanted);
        // A condition that was not evaluated may have any value: what the other way needs of it is open.
        let settled = match decision.shape.step(&wanted) {
            EvaluationStep::Result(result) => result != evaluation.result,
            EvaluationStep::Needs(_) => true,
        };
        if settled {
            let words = words(model, decision, &taken);
            return format!("beside run {run}, an evaluation with {words} is lacking");
        }
    }
    let text = &model.site(decision.conditions[position as usize]).text;
    if evaluated {
        format!("where `{text}` was evaluated, its value did not decide")
    } else {
        format!("`{text}` was never evaluated")
    }
}

/// The conditions that are evaluated on the way, with their values, as far as they are known.
fn values(decision: &Decision, value: &impl Fn(u32) -> Option<bool>) -> Vec<(u32, bool)> {
    let mut known: Vec<(u32, bool)> = Vec::new();
    loop {
        let found = |at: u32| known.iter().find(|(known, _)| *known == at).map(|(_, value)| *value);
        let EvaluationStep::Needs(at) = decision.shape.step(&found) else { return known };
        let Some(value) = value(at) else { return known };
        known.push((at, value));
    }
}

fn words(model: &SourceModel, decision: &Decision, values: &[(u32, bool)]) -> String {
    let word = |(at, value): &(u32, bool)| {
        format!("`{}` {value}", model.site(decision.conditions[*at as usize]).text)
    };
    let mut words: Vec<String> = values.iter().take(SPELLED).map(word).collect();
    if values.len() > SPELLED {
        words.push("…".to_string());
    }
    words.join(", ")
}
