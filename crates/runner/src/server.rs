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
use crate::sameness::Record;
use crate::scratch::Scratch;
use crate::shared::Shared;
use crate::{RunRequest, RunnerError};

/// How much later than the target's own timer the engine steps in.
const GRACE: Duration = Duration::from_millis(250);
/// Bare forks asked for at once; all of their answers fit in a pipe.
const FORKS_AT_ONCE: u32 = 1024;
/// How long a batch of bare forks may take.
const FORKS_LIMIT: Duration = Duration::from_secs(60);

/// Forces how runs are made, so that tests see each: `forked` or `both`.
const FORCED: &str = "TARKA_RUNS_AS";

/// Which processes make the runs of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Processes {
    /// One process makes one run after another, where that changes no run; all others are forked.
    Kept,
    /// Each run has a process of its own.
    Forked,
    /// Each run is made both ways, and an error if they differ.
    Both,
}

impl Processes {
    fn forced() -> Processes {
        match std::env::var(FORCED).as_deref() {
            Ok("forked") => Processes::Forked,
            Ok("both") => Processes::Both,
            _ => Processes::Kept,
        }
    }
}

/// An instrumented executable, ready to run.
pub struct Server {
    exe: PathBuf,
    allow: Allow,
    scratch: Scratch,
    shared: Shared,
    processes: Processes,
    /// The one that forks, where each run is made both ways.
    other: Option<Box<Server>>,
    /// `None` after it died; the next run starts another.
    process: Option<Process>,
}

impl Server {
    /// Starts the target in a fresh empty folder, confined but for what is allowed, and waits until its constructors are done.
    pub fn start(exe: &Path, allow: &Allow) -> Result<Server, RunnerError> {
        let exe = exe.canonicalize().map_err(|source| RunnerError::Start { exe: exe.to_owned(), source })?;
        let mut server = Server::idle(exe, allow.clone(), Processes::forced())?;
        server.process()?;
        if server.processes == Processes::Both {
            server.other = Some(Box::new(server.another()?));
        }
        Ok(server)
    }

    fn idle(exe: PathBuf, allow: Allow, processes: Processes) -> Result<Server, RunnerError> {
        let (scratch, shared) = (Scratch::create()?, Shared::create()?);
        Ok(Server { exe, allow, scratch, shared, processes, other: None, process: None })
    }

    /// A second server of the same target, which forks.
    fn another(&self) -> Result<Server, RunnerError> {
        let mut other = Server::idle(self.exe.clone(), self.allow.clone(), Processes::Forked)?;
        other.process()?;
        Ok(other)
    }

    /// The folder the target runs in.
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Whether processes are kept from now on.
    pub fn set_processes(&mut self, processes: Processes) {
        self.processes = processes;
    }

    /// Runs the unit once.
    pub fn run(&mut self, request: &RunRequest<'_>) -> Result<Run<'_>, RunnerError> {
        request.validate()?;
        let killed = match self.processes {
            Processes::Both => self.run_both(request)?,
            processes => self.run_once(request, processes == Processes::Kept)?,
        };
        Ok(Run::new(&self.shared, killed, request.site_count, request.coverage_len))
    }

    fn run_once(&mut self, request: &RunRequest<'_>, keeps: bool) -> Result<Killed, RunnerError> {
        self.process()?;
        self.shared.prepare(request, keeps);
        let killed = self.command_run(request.time_limit * trace::PATIENCE + GRACE);
        let is_gone = killed == Killed::Server;
        let killed = if self.was_killed_for_memory(killed) { Killed::ForMemory } else { killed };
        if is_gone {
            self.process = None;
        }
        if killed != Killed::Nothing || self.shared.header().scratch_used != 0 {
            self.scratch.clean()?;
        }
        Ok(killed)
    }

    fn record(&mut self, request: &RunRequest<'_>, keeps: bool) -> Result<(Record, Killed), RunnerError> {
        let killed = self.run_once(request, keeps)?;
        let run = Run::new(&self.shared, killed, request.site_count, request.coverage_len);
        Ok((Record::of(&run, request), killed))
    }

    /// Two servers differ in what the system gives each at random. What even two processes of one server do not do alike (they
    /// ask for the time, say) is no difference either.
    fn run_both(&mut self, request: &RunRequest<'_>) -> Result<Killed, RunnerError> {
        let mut other = match self.other.take() {
            Some(other) => other,
            None => Box::new(self.another()?),
        };
        let (kept, killed) = self.record(request, true)?;
        let (forked, _) = other.record(request, false)?;
        self.other = Some(other);
        if kept.difference(&forked).is_none() {
            return Ok(killed);
        }
        let (forked, killed) = self.record(request, false)?;
        let Some(difference) = kept.difference(&forked) else { return Ok(killed) };
        let (again, killed) = self.record(request, false)?;
        match again.difference(&forked) {
            None => Err(RunnerError::Different(difference)),
            Some(_) => Ok(killed),
        }
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

    /// Whether a run that was killed, alone or with its server, had taken too much memory. Only such a run is asked about.
    fn was_killed_for_memory(&mut self, killed: Killed) -> bool {
        let status = self.shared.header().wait_status;
        let is_killed = libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGKILL;
        let may_be = killed == Killed::Server || killed == Killed::Nothing && is_killed;
        may_be && self.process.as_mut().is_some_and(Process::ran_out_of_memory)
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
