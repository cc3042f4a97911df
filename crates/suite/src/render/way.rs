//! The way to a fault in words: the decisions that lead there, and the places that belong to it.
//!
//! Takes a fault, gives lines of text. `report` words its steps the same way.

use tarka_events::Fault;

/// Steps told in a fault file; of longer ways the last ones, which are nearest to the fault.
const STEPS_TOLD: usize = 12;

/// One decision: "`a > 5` is true", with how often in a row.
pub fn step_sentence(text: &str, outcome: &str, times: u32) -> String {
    let often = if times > 1 { format!(", {times} times in a row") } else { String::new() };
    format!("`{text}` is {outcome}{often}")
}

/// The way to a fault and the places that belong to it, one line each; empty if nothing is known of them.
pub(crate) fn way_lines(fault: &Fault) -> Vec<String> {
    let mut lines = Vec::new();
    for (what, place) in &fault.related {
        lines.push(format!("{what} at {}:{}", place.file, place.line));
    }
    if !fault.history.is_empty() {
        lines.push("The way there:".to_string());
    }
    let left_out = fault.history.len().saturating_sub(STEPS_TOLD);
    if left_out > 0 {
        lines.push(format!("  ({left_out} earlier decisions are in report.json)"));
    }
    for step in fault.history.iter().skip(left_out) {
        let sentence = step_sentence(&step.text, &step.outcome, step.times);
        lines.push(format!("  {}:{}: {sentence}", step.place.file, step.place.line));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarka_events::{FaultKind, FaultStep};
    use tarka_scenario::Executed;
    use tarka_source::Place;

    fn place(line: u32) -> Place {
        Place { file: "u.c".into(), line, column: 1 }
    }

    fn fault(steps: u32) -> Fault {
        let step = |line| FaultStep {
            place: place(line),
            text: format!("a > {line}"),
            outcome: "true".into(),
            times: if line == 1 { 3 } else { 1 },
        };
        Fault {
            related: vec![("freed".into(), place(5))],
            history: (1..=steps).map(step).collect(),
            ..Fault::new(FaultKind::UseAfterFree, "f".into(), place(9), Executed::default())
        }
    }

    #[test]
    fn the_way_and_what_belongs_to_it() {
        let told = [
            "freed at u.c:5",
            "The way there:",
            "  u.c:1: `a > 1` is true, 3 times in a row",
            "  u.c:2: `a > 2` is true",
        ];
        assert_eq!(way_lines(&fault(2)), told);
        assert_eq!(way_lines(&fault(0)), ["freed at u.c:5"]);
    }

    #[test]
    fn of_a_long_way_the_end_is_told() {
        let lines = way_lines(&fault(100));
        assert_eq!(lines.len(), 3 + STEPS_TOLD);
        assert_eq!(lines[2], "  (88 earlier decisions are in report.json)");
        assert_eq!(lines.last().map(String::as_str), Some("  u.c:100: `a > 100` is true"));
    }
}
