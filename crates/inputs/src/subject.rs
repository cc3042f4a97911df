//! The function under test, with the program it stands in and the executable that was made of it.
//!
//! Plain references, for whoever judges its runs. Never: how it is searched.

use tarka_instrument::Build;
use tarka_source::{FunctionId, SourceModel};

/// The function under test.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The program.
    pub model: &'a SourceModel,
    /// The executable it was made into.
    pub build: &'a Build,
    /// The function.
    pub function: FunctionId,
}
