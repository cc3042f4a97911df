//! What was typed, word for word.
//!
//! Takes the words of the command line; gives them by option, and as words again for reports. Never: what they mean, which is in
//! `plan` and `compare_plan`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use tarka_source::GoalScope;

/// Generates unit tests for C: runs each function, asks at every branch "what if it had gone the other way?", and
/// solves for an input that goes there.
#[derive(Parser, Debug)]
#[command(name = "tarka", version, about, max_term_width = 100)]
pub struct LowArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Generate tests for the functions of C files
    #[command(after_help = EXIT_STATUS)]
    Gen(Box<GenArgs>),
    /// Run emitted tests again on the plain program
    Replay(ReplayArgs),
    /// Say what is installed, what is missing and how to get it
    Doctor,
    /// What compilers built is kept for later calls: remove it
    Cache(CacheArgs),
    /// Compare search strategies on the same functions: table, JSON and coverage curves
    #[command(after_help = COMPARE_STATUS)]
    Compare(Box<CompareArgs>),
}

const EXIT_STATUS: &str = "\
Exit status: 0 finished, no fault of the class of --fail-on or a more serious one; 1 finished, such faults found; 2 wrong \
use or unusable input; 70 a bug in Tarka. With --baseline only faults count that are new or more serious than then.";

const COMPARE_STATUS: &str = "\
Writes compare.json and compare.html to the output folder. Exit status: 0 finished; 2 wrong use or unusable input; 70 a \
bug in Tarka. Faults are not looked for.";

/// What every command that searches is asked about: functions of C files, and what to cover there.
#[derive(Args, Debug)]
pub struct SubjectArgs {
    /// C files to test, folders with all C files below them that their build compiles, and globs ('src/**/x_*.c'); without any,
    /// every C file of the compile_commands.json of this folder
    #[arg(value_name = "FILE.c | FOLDER | GLOB")]
    pub files: Vec<PathBuf>,
    /// Leave out files and folders with this name, or with this path if it has a / (repeatable): third_party, '*_test.c',
    /// src/old
    #[arg(long = "exclude", value_name = "GLOB")]
    pub excludes: Vec<String>,
    /// Test this function only (repeatable); default: every function defined in the files
    #[arg(short, long = "function", value_name = "NAME")]
    pub functions: Vec<String>,
    /// What to cover: statement, branch (sides of conditions and switch cases), condition (sides of conditions),
    /// decision (condition/decision: branch, and both results of every && and ||) or mcdc (modified condition/decision:
    /// also, every condition of a decision shown to decide it alone)
    #[arg(short, long, value_name = "NAME", default_value = "branch")]
    pub criterion: String,
    /// Whose goals count: unit (the function's own; one without branches has those of its callees), file (of every function of
    /// the file that it reaches as well) or program (also of other files and headers)
    #[arg(long = "goals", value_name = "SCOPE", default_value = "unit")]
    pub scope: String,
    /// Compiler flags of the files, such as -I and -D
    #[arg(last = true, value_name = "CFLAGS")]
    pub flags: Vec<String>,
}

/// What holds for every command that searches: where results go, and what is given about the functions.
#[derive(Args, Debug)]
pub struct GroundArgs {
    /// Output folder
    #[arg(short, long, value_name = "DIR", default_value = "tarka-out")]
    pub out: PathBuf,
    /// Folder with compile_commands.json, for the flags of each file [default: found beside the files, in usual build
    /// folders there, and above]
    #[arg(short = 'p', long, value_name = "DIR")]
    pub build_dir: Option<PathBuf>,
    /// Precondition of a function, a C expression over its parameters and globals (repeatable), e.g.
    /// 'parse: n >= 0 && n <= 16'; more of them, and bounds of inputs, stand in a tarka.toml beside the sources
    #[arg(long = "assume", value_name = "FUNCTION: EXPRESSION")]
    pub assumes: Vec<String>,
    /// Answers of the library that are inputs (comma-separated or repeated): time, rand, getenv, alloc (allocation may
    /// fail), read (short reads and their data), all
    #[arg(long = "env", value_name = "NAMES", value_delimiter = ',')]
    pub env: Vec<String>,
    /// Switch path filtering off: go on along every path, also where no goal is left to cover
    #[arg(long)]
    pub no_filter: bool,
    /// Build everything anew, and keep nothing of it for later calls
    #[arg(long)]
    pub no_cache: bool,
    /// What the code under test may do on this machine.
    #[command(flatten)]
    pub confine: ConfineArgs,
}

/// What the code under test may do on this machine: unless something is opened here, it writes nothing outside a folder of its
/// own, reads the system's libraries, and reaches neither the network nor other programs and processes.
#[derive(Args, Debug)]
pub struct ConfineArgs {
    /// Let the code under test do more (comma-separated or repeated): write=DIR (read and write there), net, exec (start
    /// programs), env=NAME (see this variable)
    #[arg(long = "allow", value_name = "WHAT", value_delimiter = ',')]
    pub allow: Vec<String>,
    /// Let the code under test do whatever you may do on this machine
    #[arg(long)]
    pub unconfined: bool,
}

/// `tarka gen`.
#[derive(Args, Debug)]
pub struct GenArgs {
    /// What is tested.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// Ask only for goals on these lines (repeatable): 120-180 or 120; with several files src/parser.c:120-180
    #[arg(long, value_name = "[FILE:]LINES")]
    pub lines: Vec<String>,
    /// Ask only for goals at this place, as the report names it (repeatable)
    #[arg(long = "goal", value_name = "[FILE:]LINE[:COLUMN]")]
    pub goals: Vec<String>,
    /// Ask only for goals on lines that changed since this git revision, committed or not; with --lines and --goal, for
    /// all of them
    #[arg(long, value_name = "GIT_REV")]
    pub since: Option<String>,
    /// Search strategy: auto, tabu, pps, cgs, knn, expectation, fitness, dfs, bfs, uniform-random, random-branch, cfg,
    /// rp-md2u, generational, carfast, residual or fifo; docs/strategies.md says what each is good for
    #[arg(short, long, value_name = "NAME", default_value = "auto")]
    pub strategy: String,
    /// Time for each function; 0 = until done
    #[arg(short, long, value_name = "SECONDS", default_value_t = 10.0)]
    pub time: f64,
    /// At most N runs for each function
    #[arg(short = 'n', long, value_name = "N")]
    pub runs: Option<u64>,
    /// Seed of every choice [default: 1]. Given explicitly, times in the report are written as 0, so that the same
    /// seed gives the same bytes
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Functions tested at the same time [default: number of cores]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,
    /// What is given about the functions, and where the results go.
    #[command(flatten)]
    pub ground: GroundArgs,
    /// Format of the tests (repeatable): c, cmocka, unity, gtest or testcomp (available: c)
    #[arg(long = "format", value_name = "NAME", default_value = "c")]
    pub formats: Vec<String>,
    /// Kinds of fault to look for (comma-separated or repeated): a list of kinds, or -KIND and +KIND to take some from the
    /// usual ones and add some; default, all or none. docs/faults.md names the kinds
    #[arg(long = "faults", value_name = "KINDS", value_delimiter = ',', allow_hyphen_values = true)]
    pub faults: Vec<String>,
    /// Compare the faults with those of an earlier run, a report.json or faults.sarif: say which are new, which are known
    /// and which are gone
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Exit with status 1 on faults of this class or a more serious one: bug, unchecked, contract, never
    #[arg(long, value_name = "CLASS", default_value = "bug")]
    pub fail_on: String,
    /// Go on with an interrupted run; refused if there is none. A plain second call reuses what is finished as well
    #[arg(long)]
    pub resume: bool,
    /// Optimistic solving: where the solver does not know an input that keeps the path to a branch, run one that is made
    /// for the branch alone, and see where it goes. The report counts these inputs and how many went where they should
    #[arg(long)]
    pub optimistic: bool,
    /// After the table, say what each layer of the solver did, and with each fault the decisions that lead there
    #[arg(short, long)]
    pub verbose: bool,
    /// Write every question to the solver to DIR/FILE.FUNCTION.smt2, as SMT-LIB 2 that other solvers read, with the
    /// answer; of several files with one name the second is FILE.2, and so on
    #[arg(long, value_name = "DIR")]
    pub dump_queries: Option<PathBuf>,
}

/// `tarka cache`.
#[derive(Args, Debug)]
pub struct CacheArgs {
    /// What to do.
    #[command(subcommand)]
    pub what: CacheCommand,
}

/// What can be done with the cache.
#[derive(Subcommand, Debug)]
pub enum CacheCommand {
    /// Remove everything in it
    Clean,
}

/// `tarka replay`.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// Output folder of `tarka gen`
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// One test or fault by name; default: all
    #[arg(value_name = "TEST")]
    pub test: Option<String>,
    /// Replay a folder that was made elsewhere, or changed since: compile with the flags that its report names, which may run
    /// programs
    #[arg(long)]
    pub trust: bool,
    /// Open it in gdb, stopped where the fault happens (a test: where the function begins). Without a terminal, print the
    /// place and the calls that lead there
    #[arg(long)]
    pub gdb: bool,
    /// What the code under test may do on this machine.
    #[command(flatten)]
    pub confine: ConfineArgs,
}

/// `tarka compare`.
#[derive(Args, Debug)]
pub struct CompareArgs {
    /// What is compared on.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// Strategies to compare (comma-separated or repeated) [default: all]; `tarka gen --help` lists them
    #[arg(long, value_name = "A,B,C", value_delimiter = ',')]
    pub strategies: Vec<String>,
    /// Trials of each strategy, each with a seed of its own
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub repeat: usize,
    /// At most N runs for each trial
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1000)]
    pub runs: u64,
    /// Time for each trial; 0 = until done
    #[arg(short, long, value_name = "SECONDS", default_value_t = 10.0)]
    pub time: f64,
    /// Seed of the first trial of each strategy; the others count up [default: 1]. Given explicitly, times are left out,
    /// so that the same seed gives the same bytes
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Trials made at the same time [default: number of cores]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,
    /// What is given about the functions, and where the results go.
    #[command(flatten)]
    pub ground: GroundArgs,
}

impl SubjectArgs {
    /// What the files are, as it was typed.
    pub fn file_words(&self) -> impl Iterator<Item = String> {
        let excludes =
            self.excludes.iter().flat_map(|exclude| ["--exclude".to_string(), format!("'{exclude}'")]);
        excludes.chain(self.files.iter().map(|file| file.display().to_string()))
    }

    /// The functions, as they were typed.
    pub fn function_words(&self) -> impl Iterator<Item = String> {
        self.functions.iter().flat_map(|function| ["-f".to_string(), function.clone()])
    }

    /// Whose goals count, if not the function's own.
    pub fn scope_words(&self) -> impl Iterator<Item = String> {
        let is_usual = GoalScope::by_name(&self.scope) == Some(GoalScope::default());
        let words = (!is_usual).then(|| ["--goals".to_string(), self.scope.clone()]);
        words.into_iter().flatten()
    }

    /// The compiler's flags, as they were typed: the end of a command.
    pub fn flag_words(&self) -> impl Iterator<Item = String> {
        let dashes = (!self.flags.is_empty()).then(|| "--".to_string());
        dashes.into_iter().chain(self.flags.iter().cloned())
    }
}

impl GroundArgs {
    /// What was typed, without the output folder, which does not change the result.
    pub fn words(&self) -> Vec<String> {
        let assumes = self.assumes.iter().flat_map(|assume| ["--assume".to_string(), format!("'{assume}'")]);
        let mut words: Vec<String> = assumes.collect();
        if !self.env.is_empty() {
            words.extend(["--env".to_string(), self.env.join(",")]);
        }
        if let Some(folder) = &self.build_dir {
            words.extend(["-p".to_string(), folder.display().to_string()]);
        }
        words.extend(self.no_filter.then(|| "--no-filter".to_string()));
        words.extend(crate::request::confine::words(&self.confine));
        words
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn what_commands_share_leaves_their_own_words_alone() {
        let command = LowArgs::command();
        let about = |name| command.find_subcommand(name)?.get_about().map(ToString::to_string);
        assert_eq!(about("gen").as_deref(), Some("Generate tests for the functions of C files"));
        assert!(about("compare").is_some_and(|about| about.starts_with("Compare search strategies")));
    }
}
