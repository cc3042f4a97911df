//! Requests for a part of the goals: `--lines`, `--goal` and `--since`.
//!
//! `aim` checks the words, `git` knows which lines changed, and `aiming` gives the goals of each file that are meant. Never: runs
//! anything but git.

pub mod aim;
pub mod aiming;
pub mod git;
