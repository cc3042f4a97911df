//! What a run was given, so that it can be repeated.
//!
//! Plain data: an input with the shape that says what its bytes mean. Never: what the run did.

use std::rc::Rc;

use crate::shape::{InputBytes, Shape};

/// What a run was given.
#[derive(Clone)]
pub struct ReplayInput<'a> {
    /// What the bytes mean: shapes grow, and a later one would read them otherwise.
    pub shape: Rc<Shape<'a>>,
    /// The bytes.
    pub input: InputBytes,
    /// How often in a row the unit was called.
    pub calls: u32,
    /// It took all the time or memory that a run may have.
    pub is_slow: bool,
}
