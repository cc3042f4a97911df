//! Seeing which way everything went when a test runs on the plain program.
//!
//! Takes a program that was built around the unit's text with probes and a small recorder; gives what each test has shown: outcomes
//! taken, statements executed, ways decisions were evaluated. The unit is compiled by the plain compiler: nothing else is added to
//! it. Never decides what that means for the suite.

use std::os::fd::{AsFd, RawFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tarka_confine::Allow;
use tarka_source::{Evidence, SourceModel};

use crate::SuiteError;
use crate::replay::builds::{Cores, Executable};
use crate::replay::process::{Outcome, TargetRun};
use crate::replay::recorder;
use crate::replay::sanitize::asks_for_sanitizers;

/// The descriptor on which a recording program finds its map.
const OUTCOMES: RawFd = 250;

/// What variables and fresh memory hold while uninitialised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UninitialisedFill {
    /// Whatever was there.
    Anything,
    /// Zeros.
    Zeros,
    /// A pattern that is no small number and no address.
    Pattern,
}

impl UninitialisedFill {
    /// The option of the compiler.
    pub(crate) fn option(self) -> Option<&'static str> {
        self.filling().map(|(option, _)| option)
    }

    /// The option of the compiler, and the complement of the byte that glibc fills fresh memory with.
    fn filling(self) -> Option<(&'static str, &'static str)> {
        match self {
            UninitialisedFill::Anything => None,
            UninitialisedFill::Zeros => Some(("-ftrivial-auto-var-init=zero", "255")),
            UninitialisedFill::Pattern => Some(("-ftrivial-auto-var-init=pattern", "85")),
        }
    }
}

/// What a recording program has shown.
pub struct Recorded {
    /// The program itself.
    pub of_program: Evidence,
    /// Each process that it started, with what the program had shown by itself; `None` for one that it did not start.
    pub of_processes: Vec<Option<Evidence>>,
    /// How it ended.
    pub outcome: Outcome,
}

/// An emitted program that records what its tests show.
pub struct Probed<'a> {
    pub(crate) model: &'a SourceModel,
    pub(crate) program: Executable,
    /// Where it leaves what they show.
    pub(crate) map: PathBuf,
    pub(crate) fill: UninitialisedFill,
    pub(crate) allow: &'a Allow,
    pub(crate) cores: &'a Cores,
}

impl Probed<'_> {
    /// Runs it and gives what it has shown.
    pub fn run(&self, args: &[String], folder: &Path, limit: Duration) -> Result<Evidence, SuiteError> {
        Ok(self.run_forking(0, args, folder, limit)?.of_program)
    }

    /// Runs it and gives what it has shown, and what each of the processes has that it starts one after the other.
    pub fn run_forking(
        &self,
        processes: usize,
        args: &[String],
        folder: &Path,
        limit: Duration,
    ) -> Result<Recorded, SuiteError> {
        let io = |source| SuiteError::Write { path: self.map.clone(), source };
        std::fs::write(&self.map, []).map_err(io)?;
        let map = std::fs::OpenOptions::new().read(true).write(true).open(&self.map).map_err(io)?;
        let part = recorder::part_size(self.model);
        map.set_len(((processes + 1) * part) as u64).map_err(io)?;
        let bounded = !asks_for_sanitizers(&self.model.flags);
        let place = format!("{OUTCOMES},{processes}");
        let mut variables = vec![("TARKA_OUTCOMES", Path::new(&place))];
        variables.extend(self.fill.filling().map(|(_, byte)| ("MALLOC_PERTURB_", Path::new(byte))));
        // Its way shall depend on the machine as little as on what memory happens to hold.
        let is_elsewhere = bounded && self.fill == UninitialisedFill::Pattern;
        let args = &self.program.arguments(args);
        let (program, descriptors, allow) = (self.program.path(), &[(map.as_fd(), OUTCOMES)], self.allow);
        let _core = self.cores.take();
        let outcome = TargetRun {
            program,
            args,
            variables: &variables,
            descriptors,
            folder,
            limit,
            bounded,
            is_elsewhere,
            allow,
        }
        .run()
        .map_err(|source| SuiteError::CannotRun { program: program.to_path_buf(), source })?;
        let mut bytes = vec![0; part];
        let mut read = |number: usize| {
            map.read_exact_at(&mut bytes, (number * part) as u64).map_err(io)?;
            let is_begun = recorder::is_begun(self.model, &bytes);
            Ok((recorder::evidence(self.model, &bytes), is_begun))
        };
        let (of_program, _) = read(0)?;
        let mut of_processes = Vec::with_capacity(processes);
        for number in 1..=processes {
            let (mut evidence, is_begun) = read(number)?;
            evidence.add(&of_program);
            of_processes.push(is_begun.then_some(evidence));
        }
        Ok(Recorded { of_program, of_processes, outcome })
    }
}
