//! Files of refuted proofs: one small program for each input that takes what was called infeasible.
//!
//! Takes what the attack on proofs found; gives a file each, and whether the plain program takes it when built from there.
//! Never drops one: what has no text in C says so.

use std::path::PathBuf;
use std::time::Duration;

use tarka_events::{Goal, Refuted, UnitResult, WrittenRefuted};

use crate::SuiteError;
use crate::choose::choice::shown_by;
use crate::format::Sources;
use crate::format::program::{Program, RefutedProof, refuted_program};
use crate::render::goal_words::goal_sentence;
use crate::render::test::{Ended, test};
use crate::render::tree::Test;
use crate::replay::probe::Unwritten;
use crate::replay::workshop::Workshop;

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
        let test = test(shop.model, shop.function, unit, &refuted.run.executed, Ended::Somehow);
        let goal = (0..).zip(&unit.goals).find(|(_, goal)| goal.id == refuted.goal);
        written.push(match (test, goal) {
            (Ok(test), Some((index, goal))) if !shop.options.is_interrupted() => {
                let path = shop.folder.join(&refuted.file);
                RefutedFile { refuted, goal, index, test: &test, path }.make(shop)?
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
    test: &'f Test,
    path: PathBuf,
}

impl RefutedFile<'_> {
    fn make(&self, shop: &mut Workshop) -> Result<WrittenRefuted, SuiteError> {
        let sources = Sources::of_program(&self.path);
        let mut text = self.write(shop, UNTRIED)?;
        let program = shop.scratch.join("refuted");
        let clang = shop.options.compilers.clang.clone();
        while let Err(error) = shop.compiler(&clang).build(&sources, &["-g"], &program) {
            if !shop.can_mend(&error) {
                break;
            }
            text = self.write(shop, UNTRIED)?;
        }
        let folder = shop.fresh_folder()?;
        let probed = shop
            .probed(&text.text, &text.unit, &sources, Unwritten::Anything)
            .and_then(|probed| probed.run(&[], folder.path(), RUN_LIMIT));
        let covers = |evidence| shown_by(shop.model, &shop.goals, &shop.pairs, &evidence).alone;
        let confirmed = probed.is_ok_and(|evidence| covers(evidence).contains(&self.index));
        if confirmed {
            self.write(shop, "Tarka saw this program take it.")?;
        }
        let path = Some(format!("{}/{}", shop.options.folder, self.refuted.file));
        Ok(WrittenRefuted { path, confirmed, inputs: self.test.inputs.clone() })
    }

    fn write(&self, shop: &Workshop, seen: &str) -> Result<Program, SuiteError> {
        let sheet = shop.sheet(self.test.scripts.iter());
        let claim = format!("Called infeasible: {} ({}).", goal_sentence(self.goal), self.refuted.claim);
        let name = self.refuted.file.trim_end_matches(".c");
        let proof = RefutedProof { name, claim: &claim, seen };
        let program = refuted_program(&proof, &shop.page(&sheet), self.test);
        shop.write_program(&self.path, &program)?;
        Ok(program)
    }
}
