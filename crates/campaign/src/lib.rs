//! The loop: run a unit, see which way it went, choose another way, solve for an input, and again.
//!
//! Takes a source model and the functions to test; gives one result per function and a stream of events on the way.
//! Budgets, workers and the program under test as the loop meets it (`target`) live here; every other step is another crate's.
//!
//! Never: printing, output formats, search order, constraints.

mod aim;
mod budget;
mod clock;
mod dump;
mod evidence;
mod file;
mod kept_runs;
mod library_answers;
mod long_loops;
mod options;
mod plain_program;
mod self_check;
mod target;
mod unit;

pub use aim::Aim;
pub use file::{FileSearches, Trial, run_file, run_trials, untested, with_file};
pub use options::{CampaignError, Defects, Interrupt, Options};
pub use self_check::{Mismatch, SelfCheck, SelfCheckRequest, self_check};
/// The names of all strategies.
pub use tarka_search::strategy::AVAILABLE as STRATEGIES;
use tarka_search::strategy::{StrategyError, by_name};
/// Where a goal stands for a user.
pub use tarka_verdicts::goal_place;

/// The first part of a strategy's name that does not exist: names can be joined.
pub fn unknown_strategy(name: &str) -> Option<String> {
    by_name(name).err().map(|StrategyError::Unknown(part)| part)
}
