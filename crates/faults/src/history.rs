//! The way to a fault in words: the decisions of the source that a run took.
//!
//! Takes the events before the fault; gives one step for each decision, repeated ones together. A decision on concrete
//! values is logged only its first few times in a run, so a long loop shows its beginning.
//! Never: terms, solving.

use tarka_events::FaultStep;
use tarka_source::{SiteKind, SourceModel};
use tarka_trace::{EventKind, TraceEvent};

/// Most steps told; the first and the last ones of a longer way.
const MOST_STEPS: usize = 40;

/// The longest sequence of decisions that is recognised as a round of a loop.
const LONGEST_ROUND: usize = 8;

/// The decisions among some events, in order.
pub(crate) fn steps(model: &SourceModel, events: &[TraceEvent]) -> Vec<FaultStep> {
    let all: Vec<FaultStep> = events.iter().filter_map(|event| step(model, event)).collect();
    let mut steps = fold_rounds(all);
    if steps.len() > MOST_STEPS {
        let first = MOST_STEPS / 2;
        let last = steps.split_off(steps.len() - (MOST_STEPS - first));
        steps.truncate(first);
        steps.extend(last);
    }
    steps
}

fn step(model: &SourceModel, event: &TraceEvent) -> Option<FaultStep> {
    let is_source = [EventKind::Condition as u16, EventKind::Switch as u16].contains(&event.kind);
    let site = model.sites.get(event.site as usize).filter(|_| is_source)?;
    let outcome = match &site.kind {
        SiteKind::Condition { .. } => (if event.outcome == 0 { "false" } else { "true" }).to_string(),
        SiteKind::Switch { arms, .. } => arms.get(event.outcome as usize)?.text.clone(),
    };
    Some(FaultStep { place: site.place.clone(), text: site.text.clone(), outcome, times: 1 })
}

fn is_same(one: &FaultStep, other: &FaultStep) -> bool {
    (&one.place, &one.outcome) == (&other.place, &other.outcome)
}

/// Rounds of a loop that follow each other become one, whose steps say how often.
fn fold_rounds(all: Vec<FaultStep>) -> Vec<FaultStep> {
    let mut folded: Vec<FaultStep> = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let round = (1..=LONGEST_ROUND).find(|&length| {
            let (first, second) = (all.get(at..at + length), all.get(at + length..at + 2 * length));
            matches!((first, second), (Some(a), Some(b)) if a.iter().zip(b).all(|(a, b)| is_same(a, b)))
        });
        let Some(length) = round else {
            folded.push(all[at].clone());
            at += 1;
            continue;
        };
        let pattern = &all[at..at + length];
        let rounds = all[at..].chunks(length).take_while(|chunk| {
            chunk.len() == length && chunk.iter().zip(pattern).all(|(a, b)| is_same(a, b))
        });
        let times = rounds.count();
        folded.extend(pattern.iter().map(|step| FaultStep { times: times as u32, ..step.clone() }));
        at += length * times;
    }
    folded
}

#[cfg(test)]
mod tests {
    use tarka_source::Place;

    use super::*;

    fn step(line: u32, outcome: &str) -> FaultStep {
        let place = Place { file: "u.c".to_string(), line, column: 1 };
        FaultStep { place, text: format!("c{line}"), outcome: outcome.to_string(), times: 1 }
    }

    fn told(steps: &[FaultStep]) -> Vec<String> {
        steps.iter().map(|step| format!("{} {} x{}", step.place.line, step.outcome, step.times)).collect()
    }

    #[test]
    fn rounds_of_a_loop_are_told_once_with_their_number() {
        let mut all = vec![step(1, "true")];
        for _ in 0..5 {
            all.extend([step(2, "true"), step(3, "false")]);
        }
        all.push(step(2, "false"));
        assert_eq!(told(&fold_rounds(all)), ["1 true x1", "2 true x5", "3 false x5", "2 false x1"]);
    }

    #[test]
    fn what_differs_is_told_step_by_step() {
        let all = vec![step(2, "true"), step(2, "false"), step(2, "case 3")];
        assert_eq!(told(&fold_rounds(all)), ["2 true x1", "2 false x1", "2 case 3 x1"]);
    }
}
