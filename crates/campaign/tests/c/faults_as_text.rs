//! The faults of a unit in words: where they are, and what they are.

use tarka_events::{Fault, UnitResult};

use super::test;

/// Line and class of each fault, in the order in which they are told; of a contract, what it needs.
pub fn classes(result: &UnitResult) -> Vec<(u32, String)> {
    let class = |fault: &Fault| match &fault.need {
        None => fault.class.name().to_string(),
        Some(need) if need.expression.is_some() => need.words.clone(),
        Some(need) => format!("({})", need.words),
    };
    result.faults.iter().map(|fault| (fault.place.line, class(fault))).collect()
}

pub fn classified(text: &str) -> Vec<(u32, String)> {
    classes(&test(text))
}

pub fn one(line: u32, words: &str) -> Vec<(u32, String)> {
    vec![(line, words.to_string())]
}

/// As [`classified`], without what is about null pointers.
pub fn nulls_apart(text: &str) -> Vec<(u32, String)> {
    let mut classified = classified(text);
    classified.retain(|(_, class)| !class.ends_with("!= NULL") && !class.ends_with("!= 0"));
    classified
}
