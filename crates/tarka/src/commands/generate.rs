//! `tarka gen`: analyse, test, write, replay, report.
//!
//! One file that cannot be used does not keep the others from being tested.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use tarka_campaign::{Interrupt, Options};
use tarka_confine::Means;
use tarka_events::{FaultClass, Status, UnitLog};
use tarka_jobs::{FileJob, Outcome, Output, Place, Threads};
use tarka_report::{Baseline, Report, ReportedUnit, Run};
use tarka_settings::Silence;
use tarka_source::{FunctionId, SourceModel, SourceRequest};
use tarka_suite::{Cores, figures_together, paths};

use crate::aims::aim::AimRequest;
use crate::aims::aiming::{self, Aiming, FileUnits};
use crate::failure::{Failure, Finished, did_you_mean};
use crate::output::progress::Live;
use crate::output::solving;
use crate::output::summary::summary;
use crate::request::confine::notes;
use crate::request::plan::GenPlan;
use crate::request::{build_dir, preconditions};
use crate::signals::Signals;
use crate::toolchain;

/// A file with the functions to test in it.
pub struct Work {
    /// The file.
    pub model: SourceModel,
    /// The functions.
    pub units: Vec<FunctionId>,
    /// The plan's options with what is said about this file.
    pub options: Options,
}

/// Says how far the code under test is held, where that is less than it could be.
pub fn say_what_is_in_force(plan: &GenPlan) {
    for note in notes(&plan.options.allow, Means::found(), plan.verbose) {
        eprintln!("tarka: {note}");
    }
}

/// Runs the whole command.
pub fn generate(plan: GenPlan) -> Result<Finished, Failure> {
    // From the first: whatever is made on the way is cleared away at an early end.
    let interrupt = Interrupt::default();
    let signals = Signals::watch(&interrupt).map_err(Failure::Signals)?;
    let clang = tarka_source::find_clang()?;
    say_what_is_in_force(&plan);
    let folder = std::env::current_dir().map_err(Failure::Scratch)?;
    if plan.resume && !tarka_jobs::is_begun(&plan.out) {
        let out = plan.out.display();
        return Err(Failure::Usage(format!(
            "there is nothing to go on with in {out}\n  leave out --resume to begin, or name the folder of the interrupted run with --out DIR"
        )));
    }
    check_output(&plan.out)?;
    if let Some(dump) = &plan.dump_queries {
        check_folder(dump).map_err(|source| Failure::Dump { path: dump.clone(), source })?;
    }
    // Before anything is written: it may lie in the output folder.
    let baseline = plan.baseline.as_deref().map(read_baseline).transpose()?;
    let live = Live::new();
    let (models, mut unusable) = analyse_files(&plan, &clang, &live)?;
    if models.is_empty() {
        live.clear();
        return Ok(Finished::Unusable);
    }
    preconditions::check_functions(&plan.options.settings, &models)?;
    let mut works = choose_functions(&plan, models, &clang, &live)?;
    let output = Output::open(&plan.out, &plan.files, plan.dump_queries.is_some())?;
    if let Some(unchanged) = take_aim(&plan, &mut works, &live)? {
        live.clear();
        write_report((&plan, &output), &[], &folder, baseline.as_ref(), &[])?;
        eprintln!("tarka: {unchanged}");
        return Ok(if unusable { Finished::Unusable } else { Finished::Clean });
    }
    let silences = silences(&works);
    works.iter_mut().for_each(|work| work.options.interrupt = interrupt.clone());
    let place = Place {
        compilers: toolchain::compilers(&clang),
        clang,
        out: plan.out.clone(),
        flags_folder: folder.clone(),
        cores: Cores::new(plan.options.jobs),
        interrupt,
    };
    let files = file_jobs(works);
    let workers = Threads::new(plan.options.jobs)?;
    let outcome = tarka_jobs::run(&files, (&place, &output), &workers, &|notice| live.show(notice))?;
    let Outcome { files: logs, unfinished, reused, untouched } = outcome;
    let models = files.into_iter().map(|file| file.model);
    let finished: Vec<(Vec<UnitLog>, SourceModel)> = logs.into_iter().zip(models).collect();
    live.clear();
    let report = write_report((&plan, &output), &finished, &folder, baseline.as_ref(), &silences)?;
    let units: Vec<UnitLog> = finished.into_iter().flat_map(|(done, _)| done).collect();
    output.note().iter().for_each(|note| eprintln!("tarka: {note}"));
    eprint!("{}", taken_over((reused, untouched), units.len()));
    eprint!("{}", withdrawn(&units, &plan.out));
    eprint!("{}", output.shown(summary(&units, &report, &plan.out, plan.verbose)));
    if plan.verbose {
        eprint!("{}", solving::table(&units));
    }
    if place.interrupt.is_set() {
        let all = units.len() + unfinished;
        eprintln!(
            "tarka: interrupted: {} of {all} functions are finished; the same command goes on from there",
            units.len()
        );
        signals.end();
    }
    let tested = units.iter().any(|unit| matches!(unit.result().status, Status::Complete | Status::Budget));
    unusable |= units.iter().any(|unit| matches!(unit.result().status, Status::Error(_)));
    Ok(match () {
        _ if unusable || !tested => Finished::Unusable,
        _ if fails(&report, plan.fail_on) => Finished::Faults,
        _ => Finished::Clean,
    })
}

/// A line about what an earlier call had done: so many functions tested, and nothing left to do for so many of them.
fn taken_over((reused, untouched): (usize, usize), all: usize) -> String {
    match reused {
        0 => String::new(),
        _ if untouched == all => {
            "tarka: nothing has changed: all functions were finished by an earlier call\n".to_string()
        }
        _ => format!("tarka: {reused} of {all} functions were tested by an earlier call\n"),
    }
}

/// Whether the run is to fail on some fault.
fn fails(report: &Report, class: Option<FaultClass>) -> bool {
    let Some(class) = class else { return false };
    let mut faults = report.units.iter().flat_map(|unit| &unit.faults);
    faults.any(|fault| fault.fails(class, report.baseline.as_ref()))
}

/// A line for each proof that an input refuted: a mistake of ours, which must not go unseen.
fn withdrawn(units: &[UnitLog], out: &Path) -> String {
    let mut lines = String::new();
    for unit in units {
        let (result, suite) = (unit.result(), unit.suite());
        for (index, refuted) in result.refuted.iter().enumerate() {
            let goal = result.goals.iter().find(|goal| goal.id == refuted.goal);
            let what = goal.map_or_else(|| refuted.goal.clone(), tarka_suite::goal_sentence);
            let file = suite.refuted.get(index).and_then(|written| written.path.as_ref());
            let see = file.map(|file| format!("; see {}", out.join(file).display())).unwrap_or_default();
            let _ = writeln!(
                lines,
                "tarka: proof withdrawn: {what} was called infeasible, and an input takes it{see}"
            );
        }
    }
    lines
}

/// Before any work: can the results be written?
pub fn check_output(out: &Path) -> Result<(), Failure> {
    check_folder(out).map_err(|source| Failure::Output { path: out.to_path_buf(), source })
}

/// Makes a folder if there is none, and a file in it without a name.
fn check_folder(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    tempfile::tempfile_in(folder)?;
    Ok(())
}

/// The models of all files that can be used, and whether some cannot, which is said at once.
pub fn analyse_files(plan: &GenPlan, clang: &Path, live: &Live) -> Result<(Vec<SourceModel>, bool), Failure> {
    let build_dir = plan.build_dir.as_deref().map(build_dir::checked).transpose()?;
    let mut models = Vec::new();
    let mut unusable = false;
    for file in &plan.files {
        live.say(format!("reading {}", file.display()));
        let mut flags = match &build_dir {
            Some(folder) if file.exists() => build_dir::flags_of(folder, file)?,
            _ => Vec::new(),
        };
        flags.extend(build_dir::without_outputs(&plan.flags));
        match tarka_source::analyse(&SourceRequest { file, flags: &flags, clang }) {
            Ok(model) => models.push(model),
            Err(error) => {
                unusable = true;
                live.print(&format!("tarka: {error}"));
            }
        }
    }
    Ok((models, unusable))
}

/// The functions asked for, or all that the files themselves define.
pub fn choose_functions(
    plan: &GenPlan,
    models: Vec<SourceModel>,
    clang: &Path,
    live: &Live,
) -> Result<Vec<Work>, Failure> {
    for name in &plan.functions {
        if !models.iter().any(|model| model.function_named(name).is_some()) {
            let known =
                models.iter().flat_map(|model| &model.functions).map(|function| function.name.as_str());
            let files: Vec<String> = models.iter().map(|model| model.file.display().to_string()).collect();
            return Err(Failure::NoSuchFunction {
                name: name.clone(),
                files: files.join(", "),
                hint: did_you_mean(name, known),
            });
        }
    }
    let mut works = Vec::new();
    let mut dumped = BTreeSet::new();
    for model in models {
        let asked = |function: &tarka_source::Function| match plan.functions.is_empty() {
            true => function.in_main_file,
            false => plan.functions.contains(&function.name),
        };
        let units = model.functions.iter().enumerate().filter(|(_, function)| asked(function));
        let units: Vec<FunctionId> = units.map(|(index, _)| FunctionId(index as u32)).collect();
        if units.is_empty() {
            continue;
        }
        let said = preconditions::settings_for(&model, &plan.options.settings, clang)?;
        said.remarks.iter().for_each(|remark| live.print(&format!("tarka: {remark}")));
        let dump_queries =
            plan.dump_queries.as_ref().map(|folder| folder.join(dump_name(&mut dumped, &model.file)));
        let options = Options { settings: said.settings, dump_queries, ..plan.options.clone() };
        works.push(Work { model, units, options });
    }
    Ok(works)
}

/// Leaves out the functions of which no goal is asked for. Gives the message to end with where that is because nothing
/// has changed.
fn take_aim(plan: &GenPlan, works: &mut Vec<Work>, live: &Live) -> Result<Option<String>, Failure> {
    let Some(request) = &plan.aim else { return Ok(None) };
    let (criterion, scope) = (plan.options.criterion, plan.options.scope);
    let files_units = works.iter().map(|work| FileUnits { model: &work.model, units: &work.units });
    let files_units: Vec<FileUnits> = files_units.collect();
    let aimed = Aiming { request, criterion, scope, files: &plan.files, files_units: &files_units }.aims()?;
    if aimed.unchanged.is_some() {
        return Ok(aimed.unchanged);
    }
    aimed.remarks.iter().for_each(|remark| live.print(&format!("tarka: {remark}")));
    let count = |works: &[Work]| works.iter().map(|work| work.units.len()).sum::<usize>();
    let all = count(works);
    for (work, aim) in works.iter_mut().zip(aimed.aims) {
        let model = &work.model;
        work.units.retain(|unit| aiming::asked_of_unit(model, *unit, (criterion, scope), &aim));
        work.options.aim = Some(aim);
    }
    works.retain(|work| !work.units.is_empty());
    let left_out = all - count(works);
    if left_out > 0 {
        live.print(&format!("tarka: {left_out} of {all} functions have nothing in the aim and are left out"));
    }
    Ok(None)
}

/// The jobs of all files, each function with a folder of its own.
fn file_jobs(works: Vec<Work>) -> Vec<FileJob> {
    let mut taken = BTreeSet::new();
    let job = |Work { model, units, options }: Work| {
        let name = |unit: &FunctionId| unit_folder(&mut taken, &model.function(*unit).name, &model.file);
        let folders = units.iter().map(name).collect();
        FileJob { model, units, options, folders }
    };
    works.into_iter().map(job).collect()
}

/// The function's name, or with its file's name where two files define the same one.
fn unit_folder(taken: &mut BTreeSet<String>, function: &str, file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let numbered = (2..).map(|number| format!("{function}.{stem}.{number}"));
    let names = [function.to_string(), format!("{function}.{stem}")].into_iter().chain(numbered);
    names.into_iter().find(|name| taken.insert(name.clone())).unwrap_or_default()
}

/// The file's name without its ending, or with a number where two files have the same one: what the names of its files
/// of questions begin with.
fn dump_name(taken: &mut BTreeSet<String>, file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let numbered = (2..).map(|number| format!("{stem}.{number}"));
    let mut names = [stem.clone()].into_iter().chain(numbered);
    names.find(|name| taken.insert(name.clone())).unwrap_or_default()
}

/// What the settings of all files silence, each once.
fn silences(works: &[Work]) -> Vec<Silence> {
    let mut silences: Vec<Silence> = Vec::new();
    for silence in works.iter().flat_map(|work| &work.options.settings.silences) {
        if !silences.contains(silence) {
            silences.push(silence.clone());
        }
    }
    silences
}

fn read_baseline(file: &Path) -> Result<Baseline, Failure> {
    let failed = |reason: String| Failure::Baseline { file: file.to_path_buf(), reason };
    let text = std::fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
    Baseline::parse(&text).map_err(failed)
}

fn write_report(
    (plan, output): (&GenPlan, &Output),
    finished: &[(Vec<UnitLog>, SourceModel)],
    folder: &Path,
    baseline: Option<&Baseline>,
    silences: &[Silence],
) -> Result<Report, Failure> {
    let failed = |source| Failure::Output { path: plan.out.clone(), source };
    let out = plan.out.canonicalize().map_err(failed)?;
    let folder = folder.canonicalize().map_err(failed)?;
    let directory = paths::relative(&out, &folder).unwrap_or_else(|| folder.clone());
    let units: Vec<ReportedUnit> = finished
        .iter()
        .flat_map(|(done, SourceModel { flags, .. })| {
            done.iter().map(|unit| ReportedUnit { result: unit.result(), suite: unit.suite(), flags })
        })
        .collect();
    let shown = finished
        .iter()
        .map(|(done, model)| (model, done.iter().map(|unit| (unit.result(), unit.suite().tests.as_slice()))));
    let aim = plan.aim.as_ref().map(AimRequest::words);
    let tool = concat!("tarka ", env!("CARGO_PKG_VERSION"));
    let baseline_file = plan.baseline.as_ref().map(|file| file.display().to_string());
    let run = Run {
        tool,
        command: &plan.command,
        seed: plan.options.seed,
        directory: &directory.display().to_string(),
        aim: aim.as_deref(),
        coverage: figures_together(shown),
        looked_for: plan.options.faults,
        baseline: baseline_file.as_deref().zip(baseline),
        silences,
        without_times: plan.without_times,
    };
    let sources = sources(&units);
    let report = tarka_report::build(&run, &units, &sources);
    let json = |text: serde_json::Result<String>| {
        text.map(|text| output.shown(text + "\n")).map_err(|error| failed(error.into()))
    };
    let reports = [
        ("report.json", json(serde_json::to_string_pretty(&report))?),
        ("faults.sarif", json(serde_json::to_string_pretty(&tarka_report::sarif(&report, &folder)))?),
        ("index.html", output.shown(tarka_report::page(&report, &sources))),
    ];
    output.publish(&reports).map_err(failed)?;
    Ok(report)
}

/// The texts of all files the report speaks of, as far as they can be read.
fn sources(units: &[ReportedUnit]) -> BTreeMap<String, String> {
    let goals = units.iter().flat_map(|unit| unit.result.goals.iter().map(|goal| &goal.place.file));
    let faults = units.iter().flat_map(|unit| unit.result.faults.iter().map(|fault| &fault.place.file));
    let files: BTreeSet<&String> = goals.chain(faults).collect();
    let text = |file: &String| {
        let bytes = std::fs::read(PathBuf::from(file)).ok()?;
        Some((file.clone(), String::from_utf8_lossy(&bytes).into_owned()))
    };
    files.into_iter().filter_map(text).collect()
}
