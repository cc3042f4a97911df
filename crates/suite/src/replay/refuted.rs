//! Files of refuted proofs: one small program for each input that takes what was called infeasible.
//!
//! Takes what the attack on proofs found; gives a file each, and whether the plain program takes it when built from there.
//! Never drops one: what has no text in C says so.

use std::path::PathBuf;
use std::time::Duration;

use tarka_events::{Goal, Refuted, UnitResult, WrittenRefuted};

use crate::SuiteError;
use crate::choose::choice::shown_by;
use crate::format::program::{RefutedProof, refuted_program};
use crate::render::goal_words::goal_sentence;
use crate::render::test::{Ended, test};
use crate::render::tree::Test;
use crate::replay::builds::{Wanted, Way};
use crate::replay::context::ReplayContext;
use crate::replay::probe::UninitialisedFill;

/// How long such a program may take.
const RUN_LIMIT: Duration = Duration::from_secs(15);

/// What the file says before it was tried.
const UNTRIED: &str = "Nobody has seen this program take it yet.";

/// Writes and runs a file for each refuted proof.
pub(crate) fn write_refuted(
    context: &mut ReplayContext,
    unit: &UnitResult,
) -> Result<Vec<WrittenRefuted>, SuiteError> {
    let mut written = Vec::new();
    for refuted in &unit.refuted {
        let test = test(context.model, context.function, unit, &refuted.run.executed, Ended::Somehow);
        let goal = (0..).zip(&unit.goals).find(|(_, goal)| goal.id == refuted.goal);
        written.push(match (test, goal) {
            (Ok(test), Some((index, goal))) if !context.options.is_interrupted() => {
                let path = context.folder.join(&refuted.file);
                RefutedFile { refuted, goal, index, test: &test, path }.make(context)?
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
    fn make(&self, context: &mut ReplayContext) -> Result<WrittenRefuted, SuiteError> {
        let mut wanted = self.write(context, UNTRIED)?;
        while let Err(error) = context.builds.build(Way::Clang(vec!["-g"]), &wanted) {
            if !context.can_retry(&error) {
                break;
            }
            wanted = self.write(context, UNTRIED)?;
        }
        let folder = context.fresh_folder()?;
        let fill = UninitialisedFill::Anything;
        let built = context.builds.build(Way::Probed(fill), &wanted);
        let probed =
            built.and_then(|built| context.probed(built.program, fill).run(&[], folder.path(), RUN_LIMIT));
        let covers = |evidence| shown_by(context.model, &context.goals, &context.pairs, &evidence).alone;
        let confirmed = probed.is_ok_and(|evidence| covers(evidence).contains(&self.index));
        if confirmed {
            self.write(context, "Tarka saw this program take it.")?;
        }
        let path = Some(format!("{}/{}", context.options.folder, self.refuted.file));
        Ok(WrittenRefuted { path, confirmed, inputs: self.test.inputs.clone() })
    }

    fn write(&self, context: &ReplayContext, seen: &str) -> Result<Wanted, SuiteError> {
        let file_stubs = context.file_stubs(self.test.scripts.iter());
        let claim = format!("Called infeasible: {} ({}).", goal_sentence(self.goal), self.refuted.claim);
        let name = self.refuted.file.trim_end_matches(".c");
        let proof = RefutedProof { name, claim: &claim, seen };
        let program = refuted_program(&proof, &context.preamble(&file_stubs), self.test);
        context.write_program(&self.path, program, false)
    }
}
