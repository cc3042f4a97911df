//! The builds of a C file's emitted programs: those that are wanted in the same way are built as one.
//!
//! Takes emitted files as they are wanted, from the threads of many units; gives a program for each, and the warnings of its
//! compiler. What is judged is the text of the files; only names that all of them have are told apart (`joined`). A file that stubs
//! something for the unit is built alone, as all are where the compiler refuses them together. `cores` says how many compilers and
//! programs are at work. Never: runs what it built.
//!
//! The first build of a kind begins at once, so that there is something to see; later ones wait for more and more files, but not when
//! every unit waits for something, and not for long beside what a build takes.

pub(crate) mod compiling;
mod cores;
mod joined;
pub(crate) mod linking;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tarka_source::{SourceModel, TOLERATED, warnings_stay_warnings};

use crate::SuiteError;
use crate::format::unit::UnitPart;
use crate::replay::builds::linking::Linking;
use crate::replay::compile::{Compilers, Warning};
use crate::replay::linked::Objects;
use crate::replay::probe::UninitialisedFill;

pub use cores::{Core, Cores};

/// Most files that are built as one: what clang needs grows with them.
const MOST_JOINED: usize = 128;

/// How many more files are worth the next build than were worth the last.
const GROWTH: usize = 16;

/// Preprocessed texts that are kept.
const MOST_PREPROCESSED: usize = 4;

/// How long a file waits for others at least, and how many times as long as the last such build took: each compiles the whole unit.
const PATIENCE: Duration = Duration::from_secs(1);
const PATIENT_BUILDS: u32 = 10;

/// How a program is built.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Way {
    /// By clang, with these flags.
    Clang(Vec<&'static str>),
    /// By the system's compiler.
    Cc,
    /// Read by the system's compiler for its warnings alone, with these flags.
    CcWarnings(Vec<&'static str>),
    /// Around the probed text, by clang.
    Probed(UninitialisedFill),
}

/// An emitted file that is to become a program.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// Its text, and where the unit stands in it.
    pub text: String,
    pub unit: UnitPart,
    /// Where it stands, and the further files of its program.
    pub path: PathBuf,
    pub more: Vec<PathBuf>,
    /// What follows the files on the command line.
    pub libraries: &'static [&'static str],
    /// Its `main` takes arguments.
    pub takes_arguments: bool,
    /// What it asks AddressSanitizer for that others do not.
    pub address_options: String,
    /// Others of the C file are wanted as well.
    pub has_company: bool,
}

impl Wanted {
    /// Whether it can be built with others, as far as that depends on it.
    fn joins(&self) -> bool {
        self.has_company && self.unit.stands_alone && self.more.is_empty()
    }
}

/// A file in a folder of its own, until it is dropped. Compilers write the names of files into what they make, so a file that has the
/// same content has the same name every time.
#[derive(Debug)]
struct ScratchFile {
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl ScratchFile {
    fn new(scratch: &Path, name: &str) -> io::Result<ScratchFile> {
        let folder = tempfile::tempdir_in(scratch)?;
        Ok(ScratchFile { path: folder.path().join(name), _folder: folder })
    }

    fn path(&self) -> &Path {
        &self.path
    }
}

/// A program, perhaps of several files.
#[derive(Clone, Debug)]
pub(crate) struct Executable {
    file: Arc<ScratchFile>,
    /// What it takes before its own arguments.
    first: Option<String>,
}

impl Executable {
    /// Where it stands.
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Arguments of the file's own, as the program takes them.
    pub(crate) fn arguments(&self, own: &[String]) -> Vec<String> {
        self.first.iter().chain(own).cloned().collect()
    }
}

/// What a build gave.
#[derive(Clone, Debug)]
pub(crate) struct Built {
    pub program: Executable,
    /// Warnings with an option name.
    pub warnings: BTreeSet<Warning>,
}

/// Where and with what the programs of one C file are built.
pub struct Builds<'a> {
    model: &'a SourceModel,
    compilers: &'a Compilers,
    /// The folder the user's flags are meant from.
    flags_folder: &'a Path,
    cores: &'a Cores,
    /// What the program's other files were compiled to.
    objects: &'a Objects,
    /// Other units of the file want programs as well.
    is_shared: bool,
    linking: Linking,
    /// The user's flags with no warning an error, and the same for clang, which says of more that it is one.
    flags: Vec<String>,
    clang_flags: Vec<String>,
    scratch: tempfile::TempDir,
    recorder: OnceLock<ScratchFile>,
    /// Texts that were preprocessed last, before and after: each is wanted with more than one filling.
    preprocessed: Mutex<VecDeque<(String, Arc<str>)>>,
    /// What the unit alone is warned of, by clang and by the system's compiler.
    unit_warnings: Mutex<BTreeMap<(bool, String), BTreeSet<Warning>>>,
    state: Mutex<State>,
    changed: Condvar,
}

/// A unit that may want programs.
pub struct Running<'b> {
    state: &'b Mutex<State>,
    changed: &'b Condvar,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).running -= 1;
        self.changed.notify_all();
    }
}

/// Files that can be built as one: they are wanted in the same way, include the unit alike and ask the same of AddressSanitizer.
type Kind = (Way, String, String);

#[derive(Default)]
struct State {
    /// Units that may still want something.
    running: usize,
    /// Those that wait.
    waiting: usize,
    queues: BTreeMap<Kind, Queue>,
    /// Who waits for an answer has the number.
    next: usize,
    answers: BTreeMap<usize, Result<Built, SuiteError>>,
}

/// Files that wait to be built as one.
struct Queue {
    wanted: Vec<(usize, Wanted)>,
    since: Instant,
    /// As many as are worth a build.
    enough: usize,
    /// How long the last one took.
    last: Duration,
    /// Somebody is about to build them.
    is_claimed: bool,
}

impl<'a> Builds<'a> {
    /// For this many units of a file.
    pub fn new(
        model: &'a SourceModel,
        units: usize,
        (compilers, flags_folder): (&'a Compilers, &'a Path),
        (cores, objects): (&'a Cores, &'a Objects),
    ) -> io::Result<Builds<'a>> {
        let scratch = tempfile::tempdir()?;
        let flags = warnings_stay_warnings(&model.flags);
        let clang_flags = flags.iter().cloned().chain(TOLERATED.map(String::from)).collect();
        Ok(Builds {
            model,
            flags,
            clang_flags,
            compilers,
            flags_folder,
            cores,
            objects,
            is_shared: units > 1,
            linking: Linking::found(&compilers.clang, &model.link_flags()),
            scratch,
            recorder: OnceLock::new(),
            preprocessed: Mutex::default(),
            unit_warnings: Mutex::default(),
            state: Mutex::default(),
            changed: Condvar::new(),
        })
    }

    /// A unit begins to want programs, until what this gives is dropped.
    pub fn begin(&self) -> Running<'_> {
        self.state().running += 1;
        Running { state: &self.state, changed: &self.changed }
    }

    pub(crate) fn flags_folder(&self) -> &'a Path {
        self.flags_folder
    }

    /// Whether several units of the C file want programs.
    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared
    }

    pub(crate) fn cores(&self) -> &'a Cores {
        self.cores
    }

    pub(crate) fn compilers(&self) -> &'a Compilers {
        self.compilers
    }

    /// Builds a program.
    pub(crate) fn build(&self, way: Way, wanted: &Wanted) -> Result<Built, SuiteError> {
        let mut built = self.build_all(vec![(way, wanted.clone())]);
        built.pop().unwrap_or_else(|| unreachable!("one answer for each"))
    }

    /// Builds programs, whichever of them others want as well, with others.
    pub(crate) fn build_all(&self, wanted: Vec<(Way, Wanted)>) -> Vec<Result<Built, SuiteError>> {
        let numbers: Vec<usize> = {
            let mut state = self.state();
            wanted.into_iter().map(|(way, wanted)| state.enqueue(self.kind(way, &wanted), wanted)).collect()
        };
        self.changed.notify_all();
        let mut state = self.state();
        state.waiting += 1;
        while !numbers.iter().all(|number| state.answers.contains_key(number)) {
            let Some(kind) = state.claim() else {
                // Whoever is to lose patience wakes up for that.
                let waited = self.changed.wait_timeout(state, PATIENCE / 4);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            };
            drop(state);
            let answers = self.build_queue(&kind);
            state = self.state();
            state.answers.extend(answers);
            self.changed.notify_all();
        }
        state.waiting -= 1;
        numbers.iter().filter_map(|number| state.answers.remove(number)).collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What can be built as one has the same kind; a file that can only be built alone has its name there.
    fn kind(&self, way: Way, wanted: &Wanted) -> Kind {
        let begins = match wanted.joins() {
            true => wanted.text[wanted.unit.begin..wanted.unit.end].to_string(),
            false => wanted.path.display().to_string(),
        };
        (way, begins, wanted.address_options.clone())
    }

    /// Builds what waits in a queue. While it waits for a core, more may come.
    fn build_queue(&self, kind: &Kind) -> Vec<(usize, Result<Built, SuiteError>)> {
        let _core = self.cores.take();
        let (numbers, wanted): (Vec<usize>, Vec<Wanted>) = self.state().take(kind).into_iter().unzip();
        // Others wait for this, whatever happens here.
        let started = Instant::now();
        let built = catch_unwind(AssertUnwindSafe(|| self.build_joined(&kind.0, &wanted)));
        self.state().note(kind, started.elapsed());
        let built = built.unwrap_or_else(|_| wanted.iter().map(|_| Err(panicked())).collect());
        numbers.into_iter().zip(built).collect()
    }

    /// One build, or two of half as much if that fails.
    fn build_joined(&self, way: &Way, wanted: &[Wanted]) -> Vec<Result<Built, SuiteError>> {
        if let [alone] = wanted {
            return vec![self.compile_alone(way, alone)];
        }
        match self.compile_joined(way, wanted) {
            Ok(built) => built.into_iter().map(Ok).collect(),
            // What the unit needs is missing for all.
            Err(SuiteError::Compile { program, message, undefined }) if !undefined.is_empty() => {
                let error = |_| {
                    let (program, message) = (program.clone(), message.clone());
                    Err(SuiteError::Compile { program, message, undefined: undefined.clone() })
                };
                wanted.iter().map(error).collect()
            }
            Err(_) => {
                let (first, second) = wanted.split_at(wanted.len() / 2);
                let mut built = self.build_joined(way, first);
                built.extend(self.build_joined(way, second));
                built
            }
        }
    }
}

fn panicked() -> SuiteError {
    let message = "a bug in Tarka ended the build of its tests, please report it".to_string();
    SuiteError::Panicked { message }
}

impl Queue {
    /// How long a file waits here for others at most.
    fn patience(&self) -> Duration {
        PATIENCE + PATIENT_BUILDS * self.last
    }
}

impl State {
    fn enqueue(&mut self, kind: Kind, wanted: Wanted) -> usize {
        let number = self.next;
        self.next += 1;
        let now = Instant::now();
        let new =
            || Queue { wanted: Vec::new(), since: now, enough: 1, last: Duration::ZERO, is_claimed: false };
        let queue = self.queues.entry(kind).or_insert_with(new);
        if queue.wanted.is_empty() {
            queue.since = now;
        }
        queue.wanted.push((number, wanted));
        number
    }

    /// A queue that is to be built now, for the one who asks.
    fn claim(&mut self) -> Option<Kind> {
        let all_wait = self.waiting >= self.running;
        let is_due = |queue: &Queue| {
            let waiting = queue.wanted.len();
            waiting > 0 && (all_wait || waiting >= queue.enough || queue.since.elapsed() >= queue.patience())
        };
        let (kind, queue) = self.queues.iter_mut().find(|(_, queue)| !queue.is_claimed && is_due(queue))?;
        queue.is_claimed = true;
        Some(kind.clone())
    }

    /// How long a build took.
    fn note(&mut self, kind: &Kind, took: Duration) {
        if let Some(queue) = self.queues.get_mut(kind) {
            queue.last = took;
        }
    }

    /// What waits in a queue that was claimed, as much as is built at once.
    fn take(&mut self, kind: &Kind) -> Vec<(usize, Wanted)> {
        let Some(queue) = self.queues.get_mut(kind) else { return Vec::new() };
        queue.is_claimed = false;
        queue.enough = (GROWTH * queue.enough).min(MOST_JOINED);
        queue.wanted.drain(..queue.wanted.len().min(MOST_JOINED)).collect()
    }
}
