//! What a test does, and what was seen when it was done: plain data that means the same in another process.
//!
//! Takes nothing, gives the types: a [`Scenario`] is given to the program, an [`Observation`] is what it left, and the two
//! together are an [`Executed`] scenario. Types of objects are named by a [`TypeKey`], functions by their name.
//! Pointers inside objects hold addresses: of the scenario's own objects, or of functions and variables that the unit's result
//! names. Never: logic about C, any other crate of ours.

mod object;
mod observation;
mod scenario;

pub use object::{Object, Role, StubPart, TypeKey};
pub use observation::{Executed, Left, Observation};
pub use scenario::{Scenario, Step, Value};
