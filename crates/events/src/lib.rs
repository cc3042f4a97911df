//! What happened, as plain data: the stream between the campaign and everything that listens to it.
//!
//! Takes nothing, gives the types. `campaign` produces them; `suite`, `report` and the terminal read them.
//! Never: logic, formats, clocks.

mod address;
mod cause;
mod fault;
mod result;

pub use address::*;
pub use cause::*;
pub use fault::*;
pub use result::*;
pub use tarka_trace::{FaultKind, FaultSet};
