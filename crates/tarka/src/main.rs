//! The command line: reads what was typed, calls the crates that do the work, prints, and ends the process.
//!
//! Takes arguments, gives files, messages and an exit status. Never: logic of its own.

mod aims;
mod commands;
mod failure;
mod output;
mod request;
mod signals;
mod toolchain;

use std::panic;
use std::process::ExitCode;

use clap::Parser;

use crate::commands::{compare, doctor, generate, replay};
use crate::failure::{Failure, Finished};
use crate::request::args::{Command, LowArgs};
use crate::request::compare_plan::ComparePlan;
use crate::request::plan::GenPlan;

fn main() -> ExitCode {
    let args = LowArgs::parse();
    let outcome = panic::catch_unwind(|| run(args));
    match outcome {
        Ok(Ok(finished)) => finished.into(),
        Ok(Err(failure)) => {
            eprintln!("tarka: {failure}");
            Finished::Unusable.into()
        }
        Err(_) => {
            // The panic's own message was printed when it happened.
            eprintln!(
                "tarka: this is a bug in Tarka, not in your code. Please report the lines above with the command."
            );
            Finished::Bug.into()
        }
    }
}

fn run(args: LowArgs) -> Result<Finished, Failure> {
    match args.command {
        Command::Gen(gen_args) => generate::generate(GenPlan::new(*gen_args)?),
        Command::Replay(replay_args) => replay::replay(&replay_args),
        Command::Doctor => Ok(doctor::doctor()),
        Command::Compare(compare_args) => compare::compare(ComparePlan::new(*compare_args)?),
    }
}
