//! The commands: each takes a checked request, has the work done by the crates below, and gives how it ended.
//!
//! One file a command; `gdb` is a part of `replay`. Never: what a search, a suite or a report does.

pub mod cache;
pub mod compare;
pub mod doctor;
pub mod gdb;
pub mod generate;
pub mod replay;
