//! Everything that keeps an exhausted path tree from being a proof.
//!
//! A goal is only called infeasible when nothing on this list happened. Each entry also is the reason given for a
//! goal that stays open, with what to change to get further.

use std::collections::BTreeMap;

use tarka_events::Cause;
use tarka_source::Place;

use crate::doubt::Doubt;
use crate::epochs::Met;
use crate::shape::{OnlyNull, ShapeLimits};

/// What was lost on the way. Begins anew with every epoch: larger inputs are explored from the start.
#[derive(Default)]
pub(crate) struct Losses {
    /// Solver questions without an answer, by reason, with the branches they were about.
    pub unknown: BTreeMap<(u32, u64), String>,
    /// Runs that did not take the branch they were made for.
    pub diverged: u64,
    /// Runs that differed after the same decisions.
    pub differing: u64,
    /// Runs that went elsewhere because pointers the path had followed were made to share an object.
    pub moved: u64,
    /// Runs whose path is only partly known.
    pub cut: u64,
    /// Runs that left an input object whose size is a guess.
    pub left_object: u64,
    /// Runs that read to the end of the longest string.
    pub left_string: u64,
    /// Runs that were stopped.
    pub stopped: u64,
    /// Runs that called a stub more often than it has values.
    pub stub_exhausted: u64,
    /// Branches refused only because an input object has a guessed size.
    pub guessed_size: u64,
    /// Branches refused only because a pointer is kept null.
    pub only_null: BTreeMap<OnlyNull, u64>,
}

/// What blocks a proof whatever the size of inputs.
#[derive(Default)]
pub(crate) struct Obstacles {
    /// Members of inputs that always are zero, in words.
    pub kept_zero: Vec<String>,
    /// Objects of which only a part is tried, in words.
    pub cut_short: Vec<String>,
    /// A condition that always went one way, decided by something that is not an input.
    pub environment: Option<String>,
    /// The unit keeps state that only further calls reach.
    pub state: bool,
    /// Places where a symbolic value became concrete.
    pub concretised: BTreeMap<(Place, String), u64>,
}

impl Losses {
    /// The limits of inputs that kept the search from something.
    pub(crate) fn met(&self) -> Met {
        Met {
            depth: self.only_null.keys().any(|why| matches!(why, OnlyNull::Depth(_))),
            elements: self.left_object + self.guessed_size > 0,
            strings: self.left_string + self.guessed_size > 0,
            calls: false,
        }
    }

    /// Why an open goal is not proved infeasible though nothing is left to try; `None` if it is.
    pub(crate) fn doubt(&self, obstacles: &Obstacles, limits: &ShapeLimits) -> Option<Doubt> {
        if let Some(((place, what), _)) = obstacles.concretised.iter().max_by_key(|&(_, count)| count) {
            let reason = format!("may be blocked by a concretisation at {place} ({what})");
            return Some(Doubt::new(Cause::Concretisation, reason).at(place));
        }
        if let Some(reason) = self.unknown.values().next() {
            let number = branches(self.unknown.len() as u64);
            return Some(Doubt::new(Cause::Solver, format!("the solver gave up on {number}: {reason}")));
        }
        if self.stopped > 0 {
            let text = "runs had to be stopped before their end; paths beyond are unknown";
            return Some(Doubt::new(Cause::Stopped, text));
        }
        if self.cut > 0 {
            return Some(Doubt::new(Cause::Stopped, "paths were too long to keep as a whole"));
        }
        if self.diverged + self.differing > 0 {
            let text = "runs did not repeat: something beside the inputs decides, too";
            return Some(Doubt::new(Cause::Environment, text));
        }
        if self.moved > 0 {
            let text = "input bound: pointers may share objects in more ways than were tried";
            return Some(Doubt::new(Cause::Sharing, text));
        }
        let bound = self.bound(obstacles, limits);
        bound.map(|bound| Doubt::new(Cause::Bound, format!("input bound: {bound}"))).or_else(|| {
            let condition = obstacles.environment.as_ref()?;
            let text = format!("{condition} was decided by something that is not an input");
            Some(Doubt::new(Cause::Environment, text))
        })
    }

    fn bound(&self, obstacles: &Obstacles, limits: &ShapeLimits) -> Option<String> {
        if let Some((why, _)) = self.only_null.iter().next() {
            return Some(match why {
                OnlyNull::Depth(_) => format!("{why}; raise `depth` in tarka.toml to go further"),
                other => other.to_string(),
            });
        }
        if let Some(member) = obstacles.kept_zero.first() {
            return Some(member.clone());
        }
        if self.stub_exhausted > 0 {
            let text = "a stub was called more often than it has values; raise `stub_calls` in tarka.toml";
            return Some(text.to_string());
        }
        let ShapeLimits { elements, string, calls, .. } = limits;
        if let Some(object) = obstacles.cut_short.first().filter(|_| self.left_object > 0) {
            return Some(object.clone());
        }
        if self.left_object > 0 {
            return Some(format!(
                "it may need objects of more than {elements} elements; raise `elements` in tarka.toml to go further"
            ));
        }
        if self.left_string > 0 {
            return Some(format!(
                "it may need strings of more than {string} bytes; raise `string` in tarka.toml to go further"
            ));
        }
        if self.guessed_size > 0 {
            return Some(format!(
                "it may need objects of more than {elements} elements or strings of more than {string} bytes; raise \
                 `elements` or `string` in tarka.toml to go further"
            ));
        }
        let (true, Some(condition)) = (obstacles.state, &obstacles.environment) else { return None };
        let called = crate::budget::count((*calls).into(), "call");
        Some(format!(
            "{condition} may depend on earlier calls, and {called} in a row {} tried; raise `calls` in tarka.toml to \
             go further",
            if *calls == 1 { "is" } else { "are" }
        ))
    }

    /// The bounds on inputs that mattered, in words.
    pub(crate) fn limits(&self, limits: &ShapeLimits) -> Vec<String> {
        // Pointers of an unsupported type are named one by one, each by its member.
        let met = self.only_null.keys().filter(|why| !matches!(why, OnlyNull::Unsupported(_)));
        let mut words: Vec<String> = met.map(ToString::to_string).collect();
        let runs = |number| crate::budget::count(number, "run");
        if self.left_object > 0 {
            words.push(format!(
                "{} reached the end of an input object whose size is a guess ({} elements at most)",
                runs(self.left_object),
                limits.elements
            ));
        }
        if self.left_string > 0 {
            words.push(format!(
                "{} read to the end of the longest string tried ({} bytes)",
                runs(self.left_string),
                limits.string
            ));
        }
        if self.guessed_size > 0 {
            words.push(
                "some indices were only tried within the guessed size of their input object".to_string(),
            );
        }
        if self.stub_exhausted > 0 {
            words.push(format!(
                "{} called a stub more often than it has values (`stub_calls` in tarka.toml)",
                runs(self.stub_exhausted)
            ));
        }
        words
    }
}

fn branches(number: u64) -> String {
    if number == 1 { "1 branch".to_string() } else { format!("{number} branches") }
}
