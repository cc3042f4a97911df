//! The loop: run a unit, see which way it went, choose another way, solve for an input, and again.
//!
//! Takes a source model and the functions to test; gives one result per function and a stream of events on the way.
//! Budgets, workers, input shapes, faults and verdicts live here; every other step is another crate's.
//!
//! Never: printing, output formats, search order, constraints.

mod aim;
mod aliases;
mod attack;
mod budget;
mod causes;
mod classes;
mod contradiction;
mod doubt;
mod dump;
mod environment;
mod epochs;
mod evidence;
mod faults;
mod file;
mod goal;
mod history;
mod keep;
mod leaps;
mod loops;
mod losses;
mod options;
mod pairing;
mod preconditions;
mod refusal;
mod self_check;
mod shape;
mod simplify;
mod since;
mod target;
mod unasked;
mod unit;
mod verdict;

pub use aim::{Aim, goal_place};
pub use causes::settle;
pub use file::{FileSearches, Trial, run_file, run_trials, untested, with_file};
pub use options::{CampaignError, Defects, Interrupt, Options};
pub use self_check::{Mismatch, SelfCheck, SelfCheckRequest, self_check};
/// The names of all strategies.
pub use tarka_search::strategy::AVAILABLE as STRATEGIES;
use tarka_search::strategy::{StrategyError, by_name};

/// The first part of a strategy's name that does not exist: names can be joined.
pub fn unknown_strategy(name: &str) -> Option<String> {
    by_name(name).err().map(|StrategyError::Unknown(part)| part)
}
