//! Files of refuted proofs: one small program for each input that takes what was called infeasible.
//!
//! Takes what the attack on proofs found; gives a file each, and whether the plain program takes it when built from there.
//! Never drops one: what has no text in C says so.

use std::path::PathBuf;
use std::time::Duration;

use tarka_events::{Goal, Refuted, UnitResult, WrittenRefuted};

use crate::SuiteError;
use crate::candidate::shown_by;
use crate::emit::{Lines, TestCase, UnitPart, build_command, comment, goal_sentence, include_unit, wrapped};
use crate::library;
use crate::probe::Unwritten;
use crate::scene::Scene;
use crate::stubs::Sheet;
use crate::suite::Workshop;

/// How long such a program may take.
const RUN_LIMIT: Duration = Duration::from_secs(15);

/// What the file says before it was tried.
const UNTRIED: &str = "Nobody has seen this program take it yet.";

/// Writes and runs a file for each refuted proof.
pub(crate) fn write_refuted(
    shop: &mut Workshop,
    unit: &UnitResult,
) -> Result<Vec<WrittenRefuted>, SuiteError> {
    let mut written = Vec::new();
    for refuted in &unit.refuted {
        let case = Scene::of_unit(shop.model, shop.function, unit, &refuted.run.executed)
            .and_then(|mut scene| TestCase::new(shop.model, &mut scene, None, None));
        let goal = (0..).zip(&unit.goals).find(|(_, goal)| goal.id == refuted.goal);
        written.push(match (case, goal) {
            (Ok(case), Some((index, goal))) if !shop.options.is_interrupted() => {
                let path = shop.folder.join(&refuted.file);
                RefutedFile { refuted, goal, index, case: &case, path }.make(shop)?
            }
            _ => WrittenRefuted::default(),
        });
    }
    Ok(written)
}

/// Such a file while it is being made.
struct RefutedFile<'f> {
    refuted: &'f Refuted,
    goal: &'f Goal,
    /// Number of the goal.
    index: u32,
    case: &'f TestCase,
    path: PathBuf,
}

impl RefutedFile<'_> {
    fn make(&self, shop: &mut Workshop) -> Result<WrittenRefuted, SuiteError> {
        let mut text = self.write(shop, UNTRIED)?;
        let program = shop.scratch.join("refuted");
        let clang = shop.options.compilers.clang.clone();
        while let Err(error) = shop.compiler(&clang).build(&self.path, &["-g"], &program) {
            if !shop.can_mend(&error) {
                break;
            }
            text = self.write(shop, UNTRIED)?;
        }
        let folder = shop.fresh_folder()?;
        let probed = shop
            .probed(&text.0, &text.1, Unwritten::Anything)
            .and_then(|probed| probed.run(&[], folder.path(), RUN_LIMIT));
        let covers = |evidence| shown_by(shop.model, &shop.goals, &shop.pairs, &evidence).alone;
        let confirmed = probed.is_ok_and(|evidence| covers(evidence).contains(&self.index));
        if confirmed {
            self.write(shop, "Tarka saw this program take it.")?;
        }
        let path = Some(format!("{}/{}", shop.options.folder, self.refuted.file));
        Ok(WrittenRefuted { path, confirmed, inputs: self.case.inputs.clone() })
    }

    fn write(&self, shop: &Workshop, seen: &str) -> Result<(String, UnitPart), SuiteError> {
        let sheet = Sheet::new(shop.model, &shop.stubs, &shop.missing, self.case.scripts.iter());
        let made = self.text(shop, &sheet, seen);
        std::fs::write(&self.path, &made.0)
            .map_err(|source| SuiteError::Write { path: self.path.clone(), source })?;
        Ok(made)
    }

    fn text(&self, shop: &Workshop, sheet: &Sheet, seen: &str) -> (String, UnitPart) {
        let unit = &shop.unit_text;
        let name = self.refuted.file.trim_end_matches(".c");
        let mut body = Lines::default();
        self.case.plain_body(sheet, &mut body);
        let mut out = Lines::default();
        out.line("/* A proof of Tarka that is none; please report it with this file and the source.");
        let goal = goal_sentence(self.goal);
        let said = format!("Called infeasible: {goal} ({}).", self.refuted.claim);
        for line in wrapped(&comment(&said), "   ") {
            out.line(&line);
        }
        out.line(&format!("\n   Run it:  {}", comment(&build_command(unit, name, " -g"))));
        out.line(&format!("   {seen} */\n"));
        include_unit(&mut out, unit, &shop.ignored, sheet);
        let part = UnitPart { end: out.text.len(), redirections: sheet.redirections() };
        let stubs = sheet.definitions(&body.text);
        let declared = library::declarations(&[stubs.as_str(), body.text.as_str()].concat(), &unit.library);
        if !declared.is_empty() {
            out.line(&declared);
        }
        if !stubs.is_empty() {
            out.line(&stubs);
        }
        out.line("int main(void)\n{");
        out.line(body.text.trim_end());
        out.line("    return 0;\n}");
        (out.text, part)
    }
}
