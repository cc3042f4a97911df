//! Calls of compilers, without their start where it can be saved.
//!
//! Takes a program, its arguments, a folder, an input and a time limit; gives how it ended and what it printed. A compiler that was
//! called once is kept at its beginning ([`kept`]), so that the next call begins with its work; one that cannot be kept is started
//! each time ([`start`]), which gives the same. Never: knows what the arguments mean, or runs what compilers built.

mod kept;
mod start;

pub use kept::end_all;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use rustix::fs::{MemfdFlags, memfd_create};

/// A call of a compiler.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    program: &'a Path,
    arguments: Vec<OsString>,
    folder: Option<PathBuf>,
    input: &'a [u8],
    limit: Option<Duration>,
}

/// What a call gave.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Exit status or signal; `None` if it was stopped at the time limit.
    pub status: Option<ExitStatus>,
    /// What it printed.
    pub output: Vec<u8>,
    /// What it complained of.
    pub errors: Vec<u8>,
}

impl Answer {
    /// It ended by itself with status 0.
    pub fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// What it complained of, as text.
    pub fn message(&self) -> String {
        String::from_utf8_lossy(&self.errors).into_owned()
    }

    /// All that it printed, as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&[self.output.as_slice(), &self.errors].concat()).into_owned()
    }
}

impl<'a> Call<'a> {
    /// Of this program, without arguments, here, with no input, for as long as it takes.
    pub fn new(program: &'a Path) -> Call<'a> {
        Call { program, arguments: Vec::new(), folder: None, input: &[], limit: None }
    }

    /// With one more argument.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Call<'a> {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// With more arguments.
    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Call<'a> {
        self.arguments.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
        self
    }

    /// In this folder.
    pub fn folder(mut self, folder: &Path) -> Call<'a> {
        self.folder = Some(folder.to_path_buf());
        self
    }

    /// With this on its standard input.
    pub fn input(mut self, input: &'a [u8]) -> Call<'a> {
        self.input = input;
        self
    }

    /// Stopped after this time, with everything it started.
    pub fn limit(mut self, limit: Duration) -> Call<'a> {
        self.limit = Some(limit);
        self
    }

    /// Calls it.
    pub fn run(self) -> io::Result<Answer> {
        let mut streams = Streams::new(self.input)?;
        let status = match kept::run(&self, &streams) {
            Some(status) => status,
            None => {
                // What an attempt may have printed is no part of the answer.
                streams = Streams::new(self.input)?;
                start::run(&self, &streams)?
            }
        };
        streams.answer(status)
    }
}

/// Standard input, output and error of a call, in memory.
struct Streams {
    input: File,
    output: File,
    errors: File,
}

impl Streams {
    fn new(input: &[u8]) -> io::Result<Streams> {
        let file = || Ok::<File, io::Error>(memfd_create("tarka", MemfdFlags::CLOEXEC)?.into());
        let mut streams = Streams { input: file()?, output: file()?, errors: file()? };
        streams.input.write_all(input)?;
        streams.input.rewind()?;
        Ok(streams)
    }

    fn answer(self, status: Option<ExitStatus>) -> io::Result<Answer> {
        let read = |mut file: File| {
            let mut bytes = Vec::new();
            file.rewind()?;
            file.read_to_end(&mut bytes)?;
            Ok::<Vec<u8>, io::Error>(bytes)
        };
        Ok(Answer { status, output: read(self.output)?, errors: read(self.errors)? })
    }
}
