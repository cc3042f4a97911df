//! Faults that somebody has judged and does not want to hear of again, each with a reason.
//!
//! Takes the faults of a report, the sources and what `tarka.toml` says; marks the faults that are meant. A comment on the
//! line of the fault, or alone on the line before it, means the fault of that kind there:
//!
//! ```c
//! /* tarka: silence out-of-bounds: the table has a guard element */
//! ```
//!
//! Without a reason it silences nothing. Never: dropping a fault; silenced ones are counted and listed.

use tarka_settings::Silence;

use crate::fault::{Fault, Silenced};
use crate::json::Unit;
use crate::sources::Sources;

/// What a comment begins with.
const MARK: &str = "tarka: silence ";

/// Marks the faults that are meant.
pub(crate) fn silence(units: &mut [Unit], sources: &Sources, silences: &[Silence]) {
    for fault in units.iter_mut().flat_map(|unit| &mut unit.faults) {
        fault.silenced = by_comment(fault, sources).or_else(|| by_file(fault, silences));
    }
}

fn by_comment(fault: &Fault, sources: &Sources) -> Option<Silenced> {
    let at = |line: u32| {
        let text = sources.line(&fault.file, line)?;
        let reason = reason(text, &fault.kind)?;
        // On a line of its own it is about the next one, behind code about that code.
        let is_alone = text.trim_start().starts_with(['/', '*']);
        (line == fault.line || is_alone).then(|| Silenced {
            reason,
            at: format!("{}:{line}", fault.file),
            in_source: true,
        })
    };
    at(fault.line).or_else(|| at(fault.line.checked_sub(1)?))
}

/// The reason of a comment about this kind.
fn reason(line: &str, kind: &str) -> Option<String> {
    let (before, after) = line.split_once(MARK)?;
    let is_comment = before.contains("//") || before.contains("/*") || before.trim_start().starts_with('*');
    let reason = after.strip_prefix(kind)?.trim_start().strip_prefix(':')?;
    let reason = reason.split("*/").next().unwrap_or_default().trim();
    (is_comment && !reason.is_empty()).then(|| reason.to_string())
}

fn by_file(fault: &Fault, silences: &[Silence]) -> Option<Silenced> {
    let meant = silences.iter().find(|silence| {
        silence.kind == fault.kind
            && silence.function.as_ref().is_none_or(|function| *function == fault.function)
            && silence.line.as_ref().is_none_or(|text| is_line(fault, text))
    })?;
    Some(Silenced { reason: meant.reason.clone(), at: meant.origin.to_string(), in_source: false })
}

/// Whether a fault is on a line that holds this text.
fn is_line(fault: &Fault, text: &str) -> bool {
    fault.line_text().is_some_and(|line| line.contains(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_says_which_kind_and_why() {
        let found = |line: &str| reason(line, "leak");
        assert_eq!(found("p = q; // tarka: silence leak: freed at exit").as_deref(), Some("freed at exit"));
        assert_eq!(found("/* tarka: silence leak: freed at exit */").as_deref(), Some("freed at exit"));
        assert_eq!(found("/* tarka: silence leak */"), None, "no reason");
        assert_eq!(found("/* tarka: silence leak: */"), None, "an empty one");
        assert_eq!(found("/* tarka: silence shift: x */"), None, "another kind");
        assert_eq!(found("puts(\"tarka: silence leak: x\");"), None, "no comment");
    }
}
