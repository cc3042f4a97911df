//! Why something that no run did may still be possible.

use tarka_events::{Cause, Verdict};
use tarka_source::Place;

/// What keeps a goal from being proved infeasible, and what to change to get further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doubt {
    pub cause: Cause,
    pub place: Option<Place>,
    pub reason: String,
    pub advice: Option<String>,
}

impl Doubt {
    pub(crate) fn new(cause: Cause, reason: impl Into<String>) -> Doubt {
        Doubt { cause, place: None, reason: reason.into(), advice: None }
    }

    /// With the place of what stands in the way.
    pub(crate) fn at(self, place: &Place) -> Doubt {
        Doubt { place: Some(place.clone()), ..self }
    }

    /// As the verdict on a goal.
    pub(crate) fn verdict(self) -> Verdict {
        let Doubt { cause, place, reason, advice } = self;
        Verdict::Unknown { cause, place, reason, advice }
    }
}
