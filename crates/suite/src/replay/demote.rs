//! Runs that the sanitizers stop: no tests, but faults where nothing else shows what they reach.
//!
//! Takes candidates with what the sanitizers objected to; adds faults to the unit's result and says whether other tests
//! must stand beside them. Never reports a run whose goals other tests cover: those tests are the better ones; nor a kind of
//! fault that is not looked for.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use tarka_events::{Correction, Fault, FaultClass, RunEnd, UnitLog, UnitResult};
use tarka_source::{Function, Param, Place};

use crate::choose::select::TestCoverage;
use crate::replay::context::ReplayContext;
use crate::replay::sanitize::SanitizerReport;
use crate::replay::test_candidate::TestCandidate;

/// Longest piece of source text quoted in a message.
const QUOTED: usize = 80;

/// A candidate that the sanitizers stop.
struct Stopped<'c> {
    candidate: &'c TestCandidate,
    sanitizer_report: &'c SanitizerReport,
    place: Place,
}

impl Stopped<'_> {
    fn is_same_fault(&self, other: &Stopped) -> bool {
        self.sanitizer_report.kind == other.sanitizer_report.kind
            && (&self.place.file, self.place.line) == (&other.place.file, other.place.line)
    }
}

/// Makes faults of stopped runs, as few as show everything that only they reach, some of it beside a test. True if the
/// tests must be chosen again, because another one is wanted beside these faults. Without `tests` there is none to stand
/// beside them.
pub(crate) fn demote(
    context: &mut ReplayContext,
    log: &mut UnitLog,
    candidates: &[TestCandidate],
    tests: bool,
) -> bool {
    let mut stopped: Vec<Stopped> = candidates
        .iter()
        .filter_map(|candidate| {
            let sanitizer_report = candidate.excluded.as_ref()?.sanitizer_report.as_ref()?;
            if !context.options.faults.has(sanitizer_report.kind) {
                return None;
            }
            Some(Stopped { candidate, sanitizer_report, place: context.shown_place(sanitizer_report) })
        })
        .collect();
    let live = candidates.iter().filter(|candidate| tests && candidate.excluded.is_none());
    let mut shown: Vec<TestCoverage> = live.map(|candidate| candidate.shown.clone()).collect();
    // A function without branches has nothing but its one call to show.
    let mut needs_one = log.result().goals.is_empty() && shown.is_empty();
    shown.extend(context.demoted.iter().cloned());
    let chosen = context.choose(log.result(), candidates).tests;
    loop {
        // There is one file for each fault, so a run that ends in a known one shows nothing more.
        let known: Vec<Stopped> =
            stopped.extract_if(.., |stopped| known_fault(log.result(), stopped).is_some()).collect();
        known.iter().for_each(|known| enter(context, log, known));
        let Some(wanted) = most_useful(context, &shown, &stopped).or_else(|| {
            let first = std::mem::take(&mut needs_one) && !stopped.is_empty();
            first.then(|| vec![0])
        }) else {
            return tests && context.choose(log.result(), candidates).tests != chosen;
        };
        // The later ones first, so that the others keep their numbers.
        let mut found: Vec<Stopped> = wanted.into_iter().rev().map(|index| stopped.remove(index)).collect();
        found.reverse();
        for found in found {
            shown.push(found.candidate.shown.clone());
            context.demoted.push(found.candidate.shown.clone());
            enter(context, log, &found);
        }
    }
}

/// The run that adds most to what is shown; if none adds anything alone, the two that add most together. Ascending.
fn most_useful(context: &ReplayContext, shown: &[TestCoverage], stopped: &[Stopped]) -> Option<Vec<usize>> {
    let covered = context.pairs.covered(shown).len();
    let gain = |added: &[usize]| {
        let more = added.iter().map(|index| &stopped[*index].candidate.shown);
        context.pairs.covered(shown.iter().chain(more)).len() - covered
    };
    let most = |ways: &mut dyn Iterator<Item = Vec<usize>>| {
        let useful = ways.map(|way| (gain(&way), way)).filter(|(gain, _)| *gain > 0);
        // Of equal ones the first.
        useful.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, way)| way)
    };
    most(&mut (0..stopped.len()).map(|index| vec![index])).or_else(|| {
        let twos = (0..stopped.len()).flat_map(|one| (one + 1..stopped.len()).map(move |other| [one, other]));
        let differ = |[one, other]: &[usize; 2]| !stopped[*one].is_same_fault(&stopped[*other]);
        most(&mut twos.filter(differ).map(|two| two.to_vec()))
    })
}

/// The fault of the unit that a stopped run ends in, by kind and place.
fn known_fault(unit: &UnitResult, found: &Stopped) -> Option<usize> {
    unit.faults.iter().position(|fault| {
        fault.kind == found.sanitizer_report.kind
            && (&fault.place.file, fault.place.line) == (&found.place.file, found.place.line)
    })
}

/// Adds the fault, unless it is known by kind and place.
fn enter(context: &ReplayContext, log: &mut UnitLog, found: &Stopped) {
    let unit = log.result();
    let Some(kept) = unit.kept_runs.iter().find(|kept| kept.run == found.candidate.run) else { return };
    let run = kept.run;
    if let Some(index) = known_fault(unit, found) {
        log.record(Correction::RunEnded { run, end: RunEnd::Fault(index as u32) });
        return;
    }
    let end = RunEnd::Fault(unit.faults.len() as u32);
    let function =
        context.function_at(&found.place).map_or(&unit.function, |function| &function.name).clone();
    let line = context.source_line(&found.place).map(|line| format!(": `{line}`")).unwrap_or_default();
    // What decides over it is not known: where there is nothing but numbers of any caller, nobody else's data can.
    let (class, why) = match takes_numbers_only(context) {
        true => (FaultClass::Bug, "only the sanitizers see it; the unit takes nothing but numbers"),
        false => (FaultClass::Contract, "only the sanitizers see it, and what decides over it is not known"),
    };
    let fault = Fault {
        message: format!("{}{line}", found.sanitizer_report.message),
        run,
        stack: vec![(function.clone(), found.place.clone())],
        class,
        why: why.to_string(),
        ..Fault::new(found.sanitizer_report.kind, function, found.place.clone(), kept.executed.clone())
    };
    log.record(Correction::FaultFound(Box::new(fault)));
    log.record(Correction::RunEnded { run, end });
}

/// Whether a unit that anybody may call is given no pointers and uses no variables of the file.
fn takes_numbers_only(context: &ReplayContext) -> bool {
    let is_pointer = |param: &Param| context.model.types.pointee(param.ty).is_some();
    let uses = &context.function.uses;
    !context.function.is_static
        && uses.globals.is_empty()
        && uses.declared_variables.is_empty()
        && !context.function.params.iter().any(is_pointer)
}

impl ReplayContext<'_> {
    /// Whether the sanitizers object to the emitted file itself.
    pub(crate) fn is_ours(&self, sanitizer_report: &SanitizerReport) -> bool {
        self.is_emitted(&sanitizer_report.file)
    }

    fn is_emitted(&self, file: &str) -> bool {
        real(Path::new(file)).is_some_and(|file| file.starts_with(&self.folder))
    }

    /// File and line of a sanitizer report: what a stub does for the unit, such as to ask for memory, is placed where the unit
    /// calls it.
    pub(crate) fn place_in_unit<'o>(&self, sanitizer_report: &'o SanitizerReport) -> (&'o str, u32) {
        let mut places = sanitizer_report.stack.iter().map(|(_, place)| (place.file.as_str(), place.line));
        let called = places.find(|(file, _)| !self.is_emitted(file));
        called.unwrap_or((&sanitizer_report.file, sanitizer_report.line))
    }

    /// A sanitizer report's place as the user names files; the function itself where none is known.
    fn shown_place(&self, sanitizer_report: &SanitizerReport) -> Place {
        let Some(file) = real(Path::new(&sanitizer_report.file)) else { return self.function.place.clone() };
        let known = self.model.functions.iter().map(|function| function.place.file.as_str());
        let main = self.model.file.display().to_string();
        let named = std::iter::once(main.as_str()).chain(known);
        let mut same = named.filter(|name| self.real_source(name).as_ref() == Some(&file));
        let shown = same.next().map_or_else(|| file.display().to_string(), str::to_string);
        Place { file: shown, line: sanitizer_report.line, column: sanitizer_report.column }
    }

    fn real_source(&self, name: &str) -> Option<PathBuf> {
        real(&self.builds.flags_folder().join(name))
    }

    fn function_at(&self, place: &Place) -> Option<&Function> {
        let file = self.real_source(&place.file);
        self.model.functions.iter().find(|function| {
            (function.place.line..=function.end_line).contains(&place.line)
                && self.real_source(&function.place.file) == file
        })
    }

    /// The lines of the statement at a place, of its head if it holds others.
    pub(crate) fn statement_lines(&self, place: &Place) -> RangeInclusive<u32> {
        let statements = self.function_at(place).map_or(&[][..], |function| &function.statements);
        let lines = statements.iter().map(|statement| statement.place.line..=statement.end_line);
        lines.filter(|lines| lines.contains(&place.line)).fold(place.line..=place.line, |all, lines| {
            *all.start().min(lines.start())..=*all.end().max(lines.end())
        })
    }

    /// The user's line at a place, shortened.
    fn source_line(&self, place: &Place) -> Option<String> {
        let text = tarka_source::readable(&std::fs::read(self.real_source(&place.file)?).ok()?);
        let line = text.lines().nth(place.line.checked_sub(1)? as usize)?.trim();
        let short: String = line.chars().take(QUOTED).collect();
        let more = if short.len() < line.len() { "…" } else { "" };
        (!short.is_empty()).then(|| format!("{short}{more}"))
    }
}

fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}
