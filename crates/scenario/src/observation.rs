//! What was seen when a scenario was executed.

use serde::{Deserialize, Serialize};

use crate::Scenario;

/// A scenario and what was seen when it was executed.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Executed {
    /// What was given.
    pub scenario: Scenario,
    /// What was seen.
    pub observation: Observation,
}

/// What an execution left behind.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Observation {
    /// Bytes of the last step's result (empty for `void` or when it did not return).
    pub result: Vec<u8>,
    /// What became of each of the scenario's objects, in their order.
    pub objects: Vec<Left>,
    /// A stub was called more often than it has values in the scenario, and went on by itself.
    pub stubs_go_on: bool,
}

/// What became of an object.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Left {
    /// Its bytes afterwards.
    pub bytes: Vec<u8>,
    /// How many leading bytes were touched, at most (reads and writes).
    pub touched: u64,
    /// It was freed, so a test must allocate it.
    pub freed: bool,
}
