//! Everything that keeps an exhausted path tree from being a proof.
//!
//! A goal is only called infeasible when nothing on this list happened on a way that may lead to it. Each entry also is
//! the reason given for a goal that stays open.

use std::collections::BTreeMap;

use tarka_inputs::{Met, OnlyNull, ShapeLimits};

use crate::since::Since;
use crate::words::count;

/// How often something happened, by where it began to matter.
pub type Counts = BTreeMap<Since, u64>;

/// What was lost on the way. Begins anew with every epoch: larger inputs are explored from the start.
#[derive(Default)]
pub struct Losses {
    /// Solver questions without an answer, by reason, with the branches they were about.
    pub unknown: BTreeMap<(u32, u64), String>,
    /// Runs that differed after the same decisions.
    pub differing: u64,
    /// Runs that went elsewhere because pointers the path had followed were made to share an object.
    pub moved: u64,
    /// Runs whose path is only partly known.
    pub cut: u64,
    /// Runs that left an input object whose size is a guess.
    pub left_object: Counts,
    /// Runs that read to the end of the longest string.
    pub left_string: Counts,
    /// Runs that were stopped.
    pub stopped: Counts,
    /// Runs that called a stub more often than it has values, by stub.
    pub stub_exhausted: BTreeMap<u32, u64>,
    /// Runs in which a stub had more to write than it has values, by stub.
    pub stub_cut: BTreeMap<u32, Counts>,
    /// Branches refused only because an input object has a guessed size.
    pub guessed_size: Counts,
    /// Branches refused only because a pointer is kept null.
    pub only_null: BTreeMap<OnlyNull, Counts>,
    /// Branches refused only because pointers share objects in no other ways than we make them.
    pub unshared: Counts,
    /// Branches refused only because a pointer has no other values than null and addresses of objects.
    pub addresses: Counts,
    /// Branches that have no input because whoever goes there has ended in a fault before, or may have.
    pub faulted: Counts,
    /// Runs that evaluated decisions in more ways than are recorded.
    pub evaluations_dropped: u64,
}

impl Losses {
    /// The limits of inputs that kept the search from something.
    pub fn met(&self) -> Met {
        let guessed = !self.guessed_size.is_empty();
        Met {
            depth: self.only_null.keys().any(|why| matches!(why, OnlyNull::Depth(_))),
            elements: !self.left_object.is_empty() || guessed,
            strings: !self.left_string.is_empty() || guessed,
            calls: false,
        }
    }

    /// The bounds on inputs that mattered, in words.
    pub fn limits(&self, limits: &ShapeLimits) -> Vec<String> {
        // Pointers of an unsupported type are named one by one, each by its member.
        let met = self.only_null.keys().filter(|why| !matches!(why, OnlyNull::Unsupported(_)));
        let mut words: Vec<String> = met.map(ToString::to_string).collect();
        let runs = |number| count(number, "run");
        let all = |counts: &Counts| counts.values().sum::<u64>();
        if !self.left_object.is_empty() {
            words.push(format!(
                "{} reached the end of an input object whose size is a guess ({} elements at most)",
                runs(all(&self.left_object)),
                limits.elements
            ));
        }
        if !self.left_string.is_empty() {
            words.push(format!(
                "{} read to the end of the longest string tried ({} bytes)",
                runs(all(&self.left_string)),
                limits.string
            ));
        }
        if !self.guessed_size.is_empty() {
            words.push(
                "some indices were only tried within the guessed size of their input object".to_string(),
            );
        }
        let cut: u64 = self.stub_cut.values().map(all).sum();
        if cut > 0 {
            words.push(format!("in {} a stub delivered more than is input; the rest was zero", runs(cut)));
        }
        let exhausted: u64 = self.stub_exhausted.values().sum();
        if exhausted > 0 {
            words.push(format!(
                "{} called a stub more often than it has values (`stub_calls` in tarka.toml)",
                runs(exhausted)
            ));
        }
        words
    }
}
