//! Runs that the sanitizers stop: no tests, but faults where nothing else shows what they reach.
//!
//! Takes candidates with what the sanitizers objected to, and the tests that were written; adds faults to the unit's
//! result. Never reports a run whose goals other tests cover: those tests are the better ones.

use std::path::{Path, PathBuf};

use tarka_events::{Fault, RunEnd, UnitResult};
use tarka_source::{Function, Place};

use crate::candidate::Candidate;
use crate::sanitize::Objection;
use crate::select::Shown;
use crate::suite::Workshop;
use crate::written::WrittenTest;

/// Longest piece of source text quoted in a message.
const QUOTED: usize = 80;

/// A candidate that the sanitizers stop.
struct Stopped<'c> {
    candidate: &'c Candidate,
    objection: &'c Objection,
    place: Place,
}

/// Makes faults of stopped runs, as few as show everything that only they reach.
pub(crate) fn demote(
    shop: &Workshop,
    unit: &mut UnitResult,
    candidates: &[Candidate],
    tests: &[WrittenTest],
) {
    let mut stopped: Vec<Stopped> = candidates
        .iter()
        .filter_map(|candidate| {
            let objection = candidate.excluded.as_ref()?.objection.as_ref()?;
            Some(Stopped { candidate, objection, place: shop.shown_place(objection) })
        })
        .collect();
    let of_test = |test: &WrittenTest| Shown {
        alone: test.covers.iter().copied().collect(),
        evaluations: shop.pairs.relevant(&test.evidence.evaluations),
    };
    let mut shown: Vec<Shown> = tests.iter().map(of_test).collect();
    // A function without branches has nothing but its one call to show.
    let mut needs_one = unit.goals.is_empty() && tests.is_empty();
    loop {
        let covered = shop.pairs.covered(&shown).len();
        let gain = |stopped: &Stopped| {
            let more = shown.iter().chain([&stopped.candidate.shown]);
            shop.pairs.covered(more).len() - covered
        };
        let Some(best) = (0..stopped.len()).max_by_key(|index| (gain(&stopped[*index]), usize::MAX - index))
        else {
            return;
        };
        let found = stopped.remove(best);
        if gain(&found) == 0 && !std::mem::take(&mut needs_one) {
            return;
        }
        shown.push(found.candidate.shown.clone());
        enter(shop, unit, &found);
    }
}

/// Adds the fault, unless it is known by kind and place.
fn enter(shop: &Workshop, unit: &mut UnitResult, found: &Stopped) {
    let Some(kept) = unit.kept_runs.iter_mut().find(|kept| kept.run == found.candidate.run) else { return };
    let is_known = |fault: &Fault| {
        fault.kind == found.objection.kind
            && (&fault.place.file, fault.place.line) == (&found.place.file, found.place.line)
    };
    if let Some(index) = unit.faults.iter().position(is_known) {
        kept.end = RunEnd::Fault(index as u32);
        return;
    }
    kept.end = RunEnd::Fault(unit.faults.len() as u32);
    let function = shop.function_at(&found.place).map_or(&unit.function, |function| &function.name).clone();
    let line = shop.source_line(&found.place).map(|line| format!(": `{line}`")).unwrap_or_default();
    unit.faults.push(Fault {
        kind: found.objection.kind.to_string(),
        message: format!("{}{line}", found.objection.message),
        run: kept.run,
        stack: vec![(function.clone(), found.place.clone())],
        function,
        place: found.place.clone(),
        input: kept.input.clone(),
    });
}

impl Workshop<'_> {
    /// Whether the sanitizers object to the emitted file itself.
    pub(crate) fn is_ours(&self, objection: &Objection) -> bool {
        real(Path::new(&objection.file)).is_some_and(|file| file.starts_with(&self.folder))
    }

    /// An objection's place as the user names files; the function itself where none is known.
    fn shown_place(&self, objection: &Objection) -> Place {
        let Some(file) = real(Path::new(&objection.file)) else { return self.function.place.clone() };
        let known = self.model.functions.iter().map(|function| function.place.file.as_str());
        let main = self.model.file.display().to_string();
        let named = std::iter::once(main.as_str()).chain(known);
        let mut same = named.filter(|name| self.real_source(name).as_ref() == Some(&file));
        let shown = same.next().map_or_else(|| file.display().to_string(), str::to_string);
        Place { file: shown, line: objection.line, column: objection.column }
    }

    fn real_source(&self, name: &str) -> Option<PathBuf> {
        real(&self.options.flags_folder.join(name))
    }

    fn function_at(&self, place: &Place) -> Option<&Function> {
        let file = self.real_source(&place.file);
        self.model.functions.iter().find(|function| {
            (function.place.line..=function.end_line).contains(&place.line)
                && self.real_source(&function.place.file) == file
        })
    }

    /// The user's line at a place, shortened.
    fn source_line(&self, place: &Place) -> Option<String> {
        let text = std::fs::read_to_string(self.real_source(&place.file)?).ok()?;
        let line = text.lines().nth(place.line.checked_sub(1)? as usize)?.trim();
        let short: String = line.chars().take(QUOTED).collect();
        let more = if short.len() < line.len() { "…" } else { "" };
        (!short.is_empty()).then(|| format!("{short}{more}"))
    }
}

fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}
