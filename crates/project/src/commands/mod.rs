//! Compilation databases: where one is, what it says, and what a command of it means.
//!
//! Takes folders and `compile_commands.json`; gives entries and the words of their commands. Never: what a flag means.

mod database;
mod search;
mod words;

pub use database::{Database, Entry, FILE};
pub use search::database_for;
pub use words::Command;
