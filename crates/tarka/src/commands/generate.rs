//! `tarka gen`: analyse, test, write, replay, report.
//!
//! One file that cannot be used does not keep the others from being tested.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use tarka_campaign::{Interrupt, Options};
use tarka_confine::Means;
use tarka_events::{FaultClass, Status, UnitLog};
use tarka_jobs::{FileJob, Outcome, Output, Place, TestedFile, Threads};
use tarka_project::SourceFile;
use tarka_report::{Baseline, Report, ReportedUnit, Run};
use tarka_settings::Silence;
use tarka_source::{Function, FunctionId, Program, SourceModel, SourceRequest, file_name};
use tarka_suite::{Cores, figures_together, paths};

use crate::aims::aim::AimRequest;
use crate::aims::aiming::{self, Aiming, FileUnits};
use crate::failure::{Failure, Finished, did_you_mean};
use crate::output::progress::Live;
use crate::output::solving;
use crate::output::summary::summary;
use crate::request::confine::notes;
use crate::request::plan::GenPlan;
use crate::request::preconditions;
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
    /// The file by itself, if the model is that of a program of several files.
    pub alone: Option<SourceModel>,
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
    let Analysed { files: sources, models, mut unusable } = analyse_files(&plan, &clang, &live)?;
    if models.is_empty() {
        live.clear();
        return Ok(Finished::Unusable);
    }
    preconditions::check_functions(&plan.options.settings, &models)?;
    let programs = as_programs(models, &live);
    let mut works = choose_functions(&plan, programs, &clang, &live)?;
    let output = Output::open(&plan.out, &sources, plan.dump_queries.is_some())?;
    if let Some(unchanged) = take_aim((&plan, &sources), &mut works, &live)? {
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
    let finished: Vec<(TestedFile, SourceModel)> = logs.into_iter().zip(models).collect();
    live.clear();
    let report = write_report((&plan, &output), &finished, &folder, baseline.as_ref(), &silences)?;
    let units: Vec<UnitLog> = finished.into_iter().flat_map(|(done, _)| done.logs).collect();
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

/// What was named, read.
pub struct Analysed {
    /// The C files, also those that cannot be used.
    pub files: Vec<PathBuf>,
    /// The models of those that can.
    pub models: Vec<SourceModel>,
    /// Something that was named cannot be used; that was said at once.
    pub unusable: bool,
}

/// Finds the files and reads them.
pub fn analyse_files(plan: &GenPlan, clang: &Path, live: &Live) -> Result<Analysed, Failure> {
    live.say("looking for C files".to_string());
    let project = tarka_project::find(&tarka_project::Request {
        named: &plan.named,
        excludes: &plan.excludes,
        build_dir: plan.build_dir.as_deref(),
        flags: &plan.flags,
        out: &plan.out,
        clang,
    })?;
    project.notes.iter().chain(&project.refused).for_each(|note| live.print(&format!("tarka: {note}")));
    let mut models = Vec::new();
    let mut unusable = !project.refused.is_empty();
    for SourceFile { path: file, flags } in &project.files {
        live.say(format!("reading {}", file.display()));
        let request = SourceRequest { file, flags, clang };
        // One of several files may hold nothing but tables.
        let analysed = match project.files.len() {
            1 => tarka_source::analyse(&request),
            _ => tarka_source::analyse_part(&request),
        };
        match analysed {
            Ok(model) => models.push(model),
            Err(error) => {
                unusable = true;
                live.print(&format!("tarka: {error}"));
            }
        }
    }
    if models.iter().all(|model| model.functions.is_empty()) && !models.is_empty() {
        live.print("tarka: none of the files defines a function\n  name the C files that do");
        (models, unusable) = (Vec::new(), true);
    }
    let files = project.files.into_iter().map(|file| file.path).collect();
    Ok(Analysed { files, models, unusable })
}

/// Each file with the program around it. What does not fit into one is said.
pub fn as_programs(models: Vec<SourceModel>, live: &Live) -> Vec<Program> {
    let programs = tarka_source::views(models);
    let mut said = BTreeSet::new();
    for left in programs.iter().flat_map(|program| &program.left_out) {
        let (first, second) = (left.by.display(), left.file.display());
        let text = format!(
            "tarka: {second} is not linked with {first}: both define `{}`; what {first} wants of it has a stub",
            left.name
        );
        if said.insert(text.clone()) {
            live.print(&text);
        }
    }
    programs
}

/// The functions asked for, or all that the files themselves define.
pub fn choose_functions(
    plan: &GenPlan,
    programs: Vec<Program>,
    clang: &Path,
    live: &Live,
) -> Result<Vec<Work>, Failure> {
    let models = || programs.iter().map(|program| &program.model);
    for name in &plan.functions {
        if !models().any(|model| model.own_functions().iter().any(|function| function.is_called(name))) {
            let functions = models().flat_map(SourceModel::own_functions);
            let known = functions.flat_map(|function| [function.name.as_str(), function.written.as_str()]);
            let files: Vec<String> = models().map(|model| model.file.display().to_string()).collect();
            return Err(Failure::NoSuchFunction {
                name: name.clone(),
                files: files.join(", "),
                hint: did_you_mean(name, known),
            });
        }
    }
    let only_headers = only_headers(models());
    let mut works = Vec::new();
    let mut dumped = BTreeSet::new();
    let files: BTreeSet<PathBuf> = models().map(|model| real(&model.file)).collect();
    for Program { model, alone, .. } in programs {
        say_replaced(&model, live);
        // A C file that this one includes has no other place where it is tested, unless it is among the files itself.
        let is_part = |function: &Function| {
            let file = Path::new(&function.place.file);
            file.extension().is_some_and(|end| end == "c") && !files.contains(&real(file))
        };
        let asked = |function: &Function| match plan.functions.is_empty() {
            _ if !function.is_named => false,
            true => function.in_main_file || is_part(function),
            false => plan.functions.iter().any(|name| function.is_called(name)),
        };
        let units = model.own_functions().iter().enumerate().filter(|(_, function)| asked(function));
        let units: Vec<FunctionId> = units.map(|(index, _)| FunctionId(index as u32)).collect();
        if units.is_empty() {
            continue;
        }
        let said = preconditions::settings_for(&model, &plan.options.settings, clang)?;
        said.remarks.iter().for_each(|remark| live.print(&format!("tarka: {remark}")));
        let dump_queries =
            plan.dump_queries.as_ref().map(|folder| folder.join(dump_name(&mut dumped, &model.file)));
        let options = Options { settings: said.settings, dump_queries, ..plan.options.clone() };
        works.push(Work { model, units, options, alone });
    }
    if works.is_empty() { Err(Failure::Usage(only_headers)) } else { Ok(works) }
}

/// What to say where no file defines a function itself.
fn only_headers<'m>(models: impl Iterator<Item = &'m SourceModel>) -> String {
    const MOST_NAMED: usize = 5;
    let functions: BTreeSet<&str> =
        models.flat_map(SourceModel::own_functions).map(|function| function.name.as_str()).collect();
    let mut names: Vec<&str> = functions.iter().copied().take(MOST_NAMED).collect();
    names.extend((functions.len() > MOST_NAMED).then_some("…"));
    let names = names.join(", ");
    format!("no file defines a function itself\n  headers define {names}: choose those to test with -f")
}

/// Says which functions of a file the program does not use, because another file has a stronger definition.
fn say_replaced(model: &SourceModel, live: &Live) {
    let own = model.own_functions().iter();
    for function in own.filter(|function| !function.is_named && function.in_main_file) {
        let (place, name) = (&function.place, function.name.rsplit(':').next().unwrap_or_default());
        let by = model.function_named(name).map(|(_, by)| format!(" of {}", by.place.file));
        let by = by.unwrap_or_default();
        live.print(&format!(
            "tarka: {place}: `{name}` is left out: the program has the stronger definition{by}"
        ));
    }
}

fn real(file: &Path) -> PathBuf {
    file.canonicalize().unwrap_or_else(|_| file.to_path_buf())
}

/// Leaves out the functions of which no goal is asked for. Gives the message to end with where that is because nothing
/// has changed.
fn take_aim(
    (plan, files): (&GenPlan, &[PathBuf]),
    works: &mut Vec<Work>,
    live: &Live,
) -> Result<Option<String>, Failure> {
    let Some(request) = &plan.aim else { return Ok(None) };
    let (criterion, scope) = (plan.options.criterion, plan.options.scope);
    let files_units = works.iter().map(|work| FileUnits { model: &work.model, units: &work.units });
    let files_units: Vec<FileUnits> = files_units.collect();
    let aimed = Aiming { request, criterion, scope, files, files_units: &files_units }.aims()?;
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
    let job = |Work { model, units, options, alone }: Work| {
        let name = |unit: &FunctionId| unit_folder(&mut taken, &model.function(*unit).name, &model.file);
        let folders = units.iter().map(name).collect();
        FileJob { model, units, options, folders, alone }
    };
    works.into_iter().map(job).collect()
}

/// The function's name, or with its file's name where two files define the same one.
fn unit_folder(taken: &mut BTreeSet<String>, function: &str, file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let function = &file_name(function);
    let stem = file_name(&stem);
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
    finished: &[(TestedFile, SourceModel)],
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
            done.logs.iter().map(|unit| {
                let (result, suite, linked) = (unit.result(), unit.suite(), done.linked.as_slice());
                ReportedUnit { result, suite, flags, linked }
            })
        })
        .collect();
    let shown = finished.iter().map(|(done, model)| {
        (model, done.logs.iter().map(|unit| (unit.result(), unit.suite().tests.as_slice())))
    });
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
        Some((file.clone(), tarka_source::readable(&bytes)))
    };
    files.into_iter().filter_map(text).collect()
}
