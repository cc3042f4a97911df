//! The command line: reads what was typed, calls the crates that do the work, prints, and ends the process.
//!
//! Takes arguments, gives files, messages and an exit status. Never: logic of its own.

mod aims;
mod commands;
mod failure;
mod output;
mod request;
mod room;
mod signals;
mod toolchain;

use std::process::ExitCode;
use std::thread;

use clap::Parser;
use rustix::process::{Resource, getrlimit, setrlimit};
use tarka_cache::Choice;
use tarka_confine::{Ended, Keeping, Split};

use crate::commands::{cache, compare, doctor, generate, replay};
use crate::failure::{Failure, Finished};
use crate::request::args::{Command, LowArgs};
use crate::request::compare_plan::ComparePlan;
use crate::request::plan::GenPlan;
use crate::room::Room;

/// Bytes of stack for the work, and for the compilers it calls: an expression of a hundred thousand terms is as deep. Only what is
/// used of it takes memory.
const STACK: usize = 4 << 30;

/// The status of a shell for a command that a signal ended.
const BY_SIGNAL: u8 = 128;

fn main() -> ExitCode {
    let args = LowArgs::parse();
    // SAFETY: nothing was done so far but reading the arguments.
    let (keeping, room) = match unsafe { begin(&args) } {
        Ok(Begun::Work(keeping, room)) => (keeping, room),
        Ok(Begun::Over(Ended::Exited(status))) => return ExitCode::from(status),
        Ok(Begun::Over(Ended::Signalled(signal))) => {
            tarka_confine::end_by(signal);
            return ExitCode::from(BY_SIGNAL | signal as u8);
        }
        Err(failure) => {
            eprintln!("tarka: {failure}");
            return Finished::Unusable.into();
        }
    };
    room.leave();
    let work = thread::Builder::new().stack_size(STACK).spawn(move || run(args, keeping));
    let outcome = match work {
        Ok(work) => work.join(),
        Err(source) => Ok(Err(Failure::Thread(source))),
    };
    // Those that are kept end with this process anyway; whoever asks for the time it took shall hear of theirs, too.
    tarka_compilers::end_all();
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

/// Lets compilers, and libclang in this process, use as much stack as the work does; without success where that is forbidden.
fn deepen() {
    let mut limit = getrlimit(Resource::Stack);
    let most = limit.maximum.unwrap_or(u64::MAX).min(STACK as u64);
    limit.current = limit.current.map(|current| current.max(most));
    let _ = setrlimit(Resource::Stack, limit);
    // SAFETY: this process has no other thread yet. libclang would parse on a small stack of its own.
    unsafe { std::env::set_var("LIBCLANG_NOTHREADS", "1") };
}

/// Which process this is.
enum Begun {
    /// The one that works.
    Work(Keeping, Room),
    /// The one that watched, and it ended like this.
    Over(Ended),
}

/// Makes the temporary folder and splits the process: the one that watches removes the folder when nothing is left that writes to it.
///
/// # Safety
/// This process has no thread but this one.
unsafe fn begin(args: &LowArgs) -> Result<Begun, Failure> {
    // SAFETY: as the caller promises.
    let room = unsafe { Room::open() }.map_err(Failure::Scratch)?;
    deepen();
    let needs_terminal = matches!(&args.command, Command::Replay(replay) if replay.gdb);
    // SAFETY: as the caller promises.
    Ok(match unsafe { tarka_confine::split(needs_terminal) }.map_err(Failure::Split)? {
        Split::Work(keeping) => Begun::Work(keeping, room),
        Split::Watched(ended) => Begun::Over(ended),
    })
}

fn run(args: LowArgs, keeping: Keeping) -> Result<Finished, Failure> {
    tarka_cache::choose(cache_of(&args.command));
    match args.command {
        Command::Gen(gen_args) => generate::generate(GenPlan::new(*gen_args)?),
        Command::Replay(replay_args) => replay::replay(&replay_args),
        Command::Cache(cache_args) => cache::cache(&cache_args),
        Command::Doctor => Ok(doctor::doctor(keeping)),
        Command::Compare(compare_args) => compare::compare(ComparePlan::new(*compare_args)?),
    }
}

/// From where a command takes what compilers built for earlier calls, and keeps it for later ones.
fn cache_of(command: &Command) -> Choice {
    let no_cache = match command {
        Command::Gen(gen_args) => gen_args.ground.no_cache,
        Command::Compare(compare_args) => compare_args.ground.no_cache,
        Command::Replay(_) | Command::Cache(_) | Command::Doctor => true,
    };
    if no_cache { Choice::None } else { Choice::Users }
}
