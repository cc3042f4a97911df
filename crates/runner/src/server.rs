//! A target and its fork server, restarted when it dies.
//!
//! Takes run requests; gives runs. Never: what a run means.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tarka_confine::Allow;
use tarka_trace as trace;

use crate::process::{Answer, Process};
use crate::run::{Killed, Run};
use crate::scratch::Scratch;
use crate::shared::Shared;
use crate::{RunRequest, RunnerError};

/// How much later than the target's own timer the engine steps in.
const GRACE: Duration = Duration::from_millis(250);
/// Bare forks asked for at once; all of their answers fit in a pipe.
const FORKS_AT_ONCE: u32 = 1024;
/// How long a batch of bare forks may take.
const FORKS_LIMIT: Duration = Duration::from_secs(60);

/// An instrumented executable, ready to run.
pub struct Server {
    exe: PathBuf,
    allow: Allow,
    scratch: Scratch,
    shared: Shared,
    /// `None` after it died; the next run starts another.
    process: Option<Process>,
}

impl Server {
    /// Starts the target in a fresh empty folder, confined but for what is allowed, and waits until its constructors are done.
    pub fn start(exe: &Path, allow: &Allow) -> Result<Server, RunnerError> {
        let exe = exe.canonicalize().map_err(|source| RunnerError::Start { exe: exe.to_owned(), source })?;
        let mut server = Server {
            exe,
            allow: allow.clone(),
            scratch: Scratch::create()?,
            shared: Shared::create()?,
            process: None,
        };
        server.process()?;
        Ok(server)
    }

    /// The folder the target runs in.
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Runs the unit once.
    pub fn run(&mut self, request: &RunRequest<'_>) -> Result<Run<'_>, RunnerError> {
        request.validate()?;
        self.process()?;
        self.shared.prepare(request);
        let killed = self.command_run(request.time_limit * trace::PATIENCE + GRACE);
        if killed == Killed::Server {
            self.process = None;
        }
        if killed != Killed::Nothing || self.shared.header().scratch_used != 0 {
            self.scratch.clean()?;
        }
        Ok(Run::new(&self.shared, killed, request.site_count, request.coverage_len))
    }

    /// How long `count` forks of the idle target take, each ending at once and waited for: what no run can beat.
    pub fn bare_forks(&mut self, count: u32) -> Result<Duration, RunnerError> {
        let process = self.process()?;
        let begin = Instant::now();
        let mut left = count;
        while left > 0 {
            let batch = left.min(FORKS_AT_ONCE);
            let mut going = process.send(&vec![b'b'; batch as usize]);
            for _ in 0..batch {
                going = going && process.answer(FORKS_LIMIT) == Answer::Byte(b'd');
            }
            if !going {
                self.process = None;
                let died = RunnerError::system("measure bare forks: the target's server died");
                return Err(died(io::Error::from(io::ErrorKind::BrokenPipe)));
            }
            left -= batch;
        }
        Ok(begin.elapsed())
    }

    /// The live server, started if need be.
    fn process(&mut self) -> Result<&mut Process, RunnerError> {
        let process = match self.process.take() {
            Some(process) => process,
            None => {
                self.scratch.clean()?;
                self.shared.forget_version();
                let process =
                    Process::start(&self.exe, self.scratch.path(), self.shared.descriptor(), &self.allow)?;
                let found = self.shared.header().version;
                if found != trace::VERSION {
                    return Err(RunnerError::WrongVersion { found, expected: trace::VERSION });
                }
                self.shared.set_watch(process.watch());
                process
            }
        };
        Ok(self.process.insert(process))
    }

    /// Lets the server run its child and says what had to be killed for it to end.
    fn command_run(&mut self, limit: Duration) -> Killed {
        let Some(process) = &mut self.process else { return Killed::Server };
        if !process.send(b"r") {
            return Killed::Server;
        }
        match process.answer(limit) {
            Answer::Byte(_) => Killed::Nothing,
            Answer::Gone => Killed::Server,
            Answer::Late => {
                // With the server all that runs below it ends, whatever it has made of itself.
                process.end();
                self.process = None;
                Killed::Child
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            process.send(b"q");
        }
    }
}
