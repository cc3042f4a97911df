//! What the words of `tarka gen` mean: checked options, ready to use.
//!
//! Takes the words, gives the plan or what is wrong with them, with the next step. Never: files, runs.

use std::path::PathBuf;
use std::time::Duration;

use tarka_campaign::{Options, STRATEGIES, unknown_strategy};
use tarka_events::FaultClass;
use tarka_settings::{Settings, nearest};
use tarka_source::{Criterion, GoalScope, LibraryInput};

use crate::aims::aim::AimRequest;
use crate::failure::{Failure, did_you_mean};
use crate::request::args::GenArgs;
use crate::request::confine::allowed;
use crate::request::fault_kinds::fault_set;

/// Formats the interface promises, and those that exist.
const FORMATS_LATER: &[&str] = &["cmocka", "unity", "gtest", "testcomp"];

/// A checked request to generate tests.
#[derive(Debug)]
pub struct GenPlan {
    /// Files, folders and globs.
    pub named: Vec<PathBuf>,
    /// Globs of what is left out.
    pub excludes: Vec<String>,
    /// Functions asked for; empty: all.
    pub functions: Vec<String>,
    /// The part of the goals asked for; `None`: all.
    pub aim: Option<AimRequest>,
    /// What the campaign needs.
    pub options: Options,
    /// Output folder.
    pub out: PathBuf,
    /// Folder with `compile_commands.json`.
    pub build_dir: Option<PathBuf>,
    /// The user's flags.
    pub flags: Vec<String>,
    /// The user named a seed, so the output must not depend on the clock.
    pub without_times: bool,
    /// Folder for the questions to the solver.
    pub dump_queries: Option<PathBuf>,
    /// Report or SARIF of an earlier run to compare with.
    pub baseline: Option<PathBuf>,
    /// The least serious class of fault on which the run fails; `None`: it never does.
    pub fail_on: Option<FaultClass>,
    /// There must be something to go on with.
    pub resume: bool,
    /// Say what each layer of the solver did, and how faults are reached.
    pub verbose: bool,
    /// The command for the report: everything that decides the result.
    pub command: String,
}

/// A time of so many seconds or more, thirty years, is no limit.
const LONGEST: f64 = 1e9;

impl GenPlan {
    /// Checks what was typed.
    pub fn new(args: GenArgs) -> Result<GenPlan, Failure> {
        let criterion = Criterion::by_name(&args.subject.criterion).ok_or_else(|| {
            let names = Criterion::ALL.map(Criterion::name).join(", ");
            Failure::Usage(format!("there is no criterion `{}`; available: {names}", args.subject.criterion))
        })?;
        let scope = GoalScope::by_name(&args.subject.scope).ok_or_else(|| {
            let names = GoalScope::ALL.map(GoalScope::name);
            let hint = did_you_mean(&args.subject.scope, names);
            Failure::Usage(format!(
                "--goals knows no scope `{}`{hint}; available: {}\n  to ask for the goals at one place, write --goal [FILE:]LINE[:COLUMN]",
                args.subject.scope,
                names.join(", ")
            ))
        })?;
        check_strategy(&args.strategy)?;
        for format in &args.formats {
            match format.as_str() {
                "c" => {}
                later if FORMATS_LATER.contains(&later) => {
                    return Err(Failure::Later(format!("the format `{later}`")));
                }
                other => {
                    return Err(Failure::Usage(format!("there is no format `{other}`; available: c")));
                }
            }
        }
        if !args.time.is_finite() || args.time < 0.0 {
            return Err(Failure::Usage("--time takes a number of seconds, 0 for no limit".to_string()));
        }
        if args.jobs == Some(0) {
            return Err(Failure::Usage("--jobs takes at least 1".to_string()));
        }
        let aim = AimRequest::new(&args.lines, &args.goals, args.since.as_deref())?;
        let library_inputs = library_inputs(&args.ground.env)?;
        let allow = allowed(&args.ground.confine)?;
        let faults = fault_set(&args.faults)?;
        let mut said = Settings::default();
        for assume in &args.ground.assumes {
            said.add_flag(assume)?;
        }
        let command = command(&args);
        let fail_on = fail_on(&args.fail_on)?;
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let defaults = Options::default();
        let options = Options {
            criterion,
            scope,
            strategy: args.strategy,
            time: (args.time > 0.0 && args.time < LONGEST).then(|| Duration::from_secs_f64(args.time)),
            runs: args.runs,
            seed: args.seed.unwrap_or(defaults.seed),
            jobs: args.jobs.unwrap_or(cores),
            filter: !args.ground.no_filter,
            optimistic: args.optimistic,
            faults,
            settings: said,
            library_inputs,
            allow,
            ..defaults
        };
        Ok(GenPlan {
            named: args.subject.files,
            excludes: args.subject.excludes,
            functions: args.subject.functions,
            aim,
            options,
            out: args.ground.out,
            build_dir: args.ground.build_dir,
            flags: args.subject.flags,
            without_times: args.seed.is_some(),
            dump_queries: args.dump_queries,
            baseline: args.baseline,
            fail_on,
            resume: args.resume,
            verbose: args.verbose,
            command,
        })
    }
}

/// Refuses a strategy that does not exist, with the nearest names.
pub fn check_strategy(name: &str) -> Result<(), Failure> {
    let Some(part) = unknown_strategy(name) else { return Ok(()) };
    let hint = did_you_mean(&part, STRATEGIES.iter().copied());
    let names = STRATEGIES.join(", ");
    Err(Failure::Usage(format!("there is no strategy `{part}`{hint}; available: {names}")))
}

/// The class that `--fail-on` names.
fn fail_on(name: &str) -> Result<Option<FaultClass>, Failure> {
    const NEVER: &str = "never";
    let classes = [FaultClass::Bug, FaultClass::Unchecked, FaultClass::Contract];
    match classes.into_iter().find(|class| class.name() == name) {
        Some(class) => Ok(Some(class)),
        None if name == NEVER => Ok(None),
        None => {
            let names = classes.map(FaultClass::name).into_iter().chain([NEVER]);
            let hint = did_you_mean(name, names.clone());
            let names: Vec<&str> = names.collect();
            Err(Failure::Usage(format!("--fail-on knows no `{name}`{hint}; it takes {}", names.join(", "))))
        }
    }
}

/// The answers of the library that `--env` names.
fn library_inputs(names: &[String]) -> Result<Vec<LibraryInput>, Failure> {
    let mut inputs = Vec::new();
    for name in names.iter().map(|name| name.trim()) {
        match LibraryInput::by_name(name) {
            Some(input) => inputs.push(input),
            None if name == "all" => inputs.extend(LibraryInput::ALL),
            None => {
                let known: Vec<&str> = LibraryInput::ALL.iter().map(|input| input.name()).collect();
                let hint = match nearest(name, known.iter().copied()).first() {
                    Some(best) => format!("did you mean {best}?"),
                    None => format!("known are {}, all", known.join(", ")),
                };
                return Err(Failure::Usage(format!("--env knows no `{name}`; {hint}")));
            }
        }
    }
    inputs.sort_unstable();
    inputs.dedup();
    Ok(inputs)
}

/// The command without the output folder and the number of workers, which do not change the result.
fn command(args: &GenArgs) -> String {
    let mut words = vec!["tarka".to_string(), "gen".to_string()];
    words.extend(args.subject.function_words());
    for lines in &args.lines {
        words.extend(["--lines".to_string(), lines.clone()]);
    }
    for goal in &args.goals {
        words.extend(["--goal".to_string(), goal.clone()]);
    }
    if !args.faults.is_empty() {
        words.push(format!("--faults={}", args.faults.join(",")));
    }
    if let Some(baseline) = &args.baseline {
        words.extend(["--baseline".to_string(), baseline.display().to_string()]);
    }
    if let Some(revision) = &args.since {
        words.extend(["--since".to_string(), revision.clone()]);
    }
    words.extend(["-c".to_string(), args.subject.criterion.clone(), "-s".to_string(), args.strategy.clone()]);
    words.extend(args.subject.scope_words());
    words.extend(["-t".to_string(), args.time.to_string()]);
    if let Some(runs) = args.runs {
        words.extend(["-n".to_string(), runs.to_string()]);
    }
    words.extend(["--seed".to_string(), args.seed.unwrap_or(1).to_string()]);
    words.extend(args.ground.words());
    words.extend(args.optimistic.then(|| "--optimistic".to_string()));
    words.extend(args.subject.file_words());
    words.extend(args.subject.flag_words());
    words.join(" ")
}
