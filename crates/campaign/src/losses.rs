//! Everything that keeps an exhausted path tree from being a proof.
//!
//! A goal is only called infeasible when nothing on this list happened. Each entry also is the reason given for a
//! goal that stays open.

use std::collections::BTreeMap;

use tarka_source::Place;

use crate::shape::OnlyNull;

/// What was lost on the way.
#[derive(Default)]
pub(crate) struct Losses {
    /// Solver questions without an answer, by reason, with the branches they were about.
    pub unknown: BTreeMap<(u32, u64), String>,
    /// Runs that did not take the branch they were made for.
    pub diverged: u64,
    /// Runs that differed after the same decisions.
    pub differing: u64,
    /// Runs whose path is only partly known.
    pub cut: u64,
    /// Runs that left an input object, or read to the end of the longest string.
    pub input_bound: u64,
    /// Runs that were stopped.
    pub stopped: u64,
    /// Branches refused only because an input object has a guessed size.
    pub guessed_size: u64,
    /// Members of inputs that always are zero, in words.
    pub kept_zero: Vec<String>,
    /// A condition that always went one way, decided by something that is not an input.
    pub environment: Option<String>,
    /// Branches refused only because a pointer is kept null.
    pub only_null: BTreeMap<OnlyNull, u64>,
    /// Places where a symbolic value became concrete.
    pub concretised: BTreeMap<(Place, String), u64>,
}

impl Losses {
    /// The reason why an open goal is not proved infeasible though nothing is left to try; `None` if it is.
    pub(crate) fn reason(&self) -> Option<String> {
        if let Some(((place, what), _)) = self.concretised.iter().max_by_key(|&(_, count)| count) {
            return Some(format!("may be blocked by a concretisation at {place} ({what})"));
        }
        if let Some(reason) = self.unknown.values().next() {
            return Some(format!("the solver gave up on {}: {reason}", branches(self.unknown.len() as u64)));
        }
        if self.stopped > 0 {
            return Some("runs had to be stopped before their end; paths beyond are unknown".to_string());
        }
        if self.cut > 0 {
            return Some("paths were too long to keep as a whole".to_string());
        }
        if self.diverged + self.differing > 0 {
            return Some("runs did not repeat: something beside the inputs decides, too".to_string());
        }
        if let Some((why, _)) = self.only_null.iter().next() {
            return Some(format!("input bound: {why}"));
        }
        if let Some(member) = self.kept_zero.first() {
            return Some(format!("input bound: {member}"));
        }
        if self.input_bound + self.guessed_size > 0 {
            return Some(
                "input bound: it may need larger objects or longer strings than are tried".to_string(),
            );
        }
        if let Some(condition) = &self.environment {
            return Some(format!("{condition} was decided by something that is not an input"));
        }
        None
    }
}

fn branches(number: u64) -> String {
    if number == 1 { "1 branch".to_string() } else { format!("{number} branches") }
}
