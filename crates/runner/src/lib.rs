//! Runs an instrumented target: executable and input in, trace and exit reason out.
//!
//! Takes an executable linked with the runtime and, per run, the bytes of an input; gives a [`Run`], whose slices are
//! the target's own shared memory, read in place. A crash, hang or runaway allocation of the target is a result; if
//! its fork server dies too, it is started again. `scripted` gives runs without a process, for tests of what reads runs.
//!
//! Never: constraints, coverage goals, the source.

mod attempt;
mod error;
mod process;
mod request;
mod run;
mod sameness;
mod scratch;
mod scripted;
mod server;
mod shared;

pub use attempt::Attempt;
pub use error::RunnerError;
pub use request::{LengthOf, ObjectImage, RunRequest};
pub use run::{End, Run};
pub use scripted::{Script, Scripted};
pub use server::{Processes, Server};
pub use tarka_confine::Allow;
