//! What happened, as plain data: the stream between the campaign and everything that listens to it.
//!
//! Takes nothing, gives the types, and the fold from events to a result. `campaign` produces them, `suite` corrects them by events
//! of its own, `report` and the terminal read them. All of it can be written down and read again.
//! Never: judging, formats, clocks.

mod address;
mod cause;
mod fault;
mod log;
mod result;
mod sketch;
mod written;

pub use address::*;
pub use cause::*;
pub use fault::*;
pub use log::*;
pub use result::*;
pub use sketch::*;
pub use tarka_trace::{FaultKind, FaultSet};
pub use written::*;
