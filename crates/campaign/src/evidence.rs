//! What a run has shown: its coverage map and its records of evaluations as evidence.
//!
//! Takes a run and the model, gives evidence. Never: what that covers.

use tarka_runner::Run;
use tarka_source::{DecisionId, EvaluationKey, Evidence, SourceModel};
use tarka_trace::Evaluation;

/// The evidence of a run.
pub(crate) fn of_run(model: &SourceModel, run: &Run) -> Evidence {
    let mut evidence = Evidence::of_map(model, run.coverage());
    evidence.evaluations.extend(keys(run.evaluations()));
    evidence
}

/// One key for each evaluation; the records of a decision with many conditions stand in a row, from chunk 0 on.
fn keys(records: &[Evaluation]) -> impl Iterator<Item = EvaluationKey> {
    records.chunk_by(|_, next| next.chunk != 0).map(|chunks| {
        let words = |word: fn(&Evaluation) -> u32| chunks.iter().map(word).collect::<Vec<u32>>();
        let (values, evaluated) = (words(|record| record.values), words(|record| record.evaluated));
        EvaluationKey::new(DecisionId(chunks[0].decision), &values, &evaluated, chunks[0].result != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_in_a_row_are_one_evaluation() {
        let record =
            |decision, chunk, values| Evaluation { decision, chunk, result: 1, values, evaluated: 7 };
        let records = [record(3, 0, 1), record(4, 0, 5), record(4, 1, 6), record(3, 0, 2)];
        let found: Vec<_> = keys(&records).map(|key| (key.decision.0, key.values)).collect();
        assert_eq!(found, [(3, vec![1]), (4, vec![5, 6]), (3, vec![2])]);
    }
}
