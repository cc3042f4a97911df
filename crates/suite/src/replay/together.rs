//! Running the tests of a program: all of them by one call where that shows the same, else each by a call of its own.
//!
//! Takes a program and its tests; gives how each ended, or what each has shown. A test file runs every test in a process of its
//! own, so one call of it is enough, unless its output does not say how each test ended (a test ended the whole program, or
//! prints what it should not) or a test left files that the next one may have found. Never judges what it sees (see `rounds`).

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

use tarka_source::Evidence;

use crate::SuiteError;
use crate::format::TestFiles;
use crate::replay::builds::Executable;
use crate::replay::context::{ReplayContext, Surroundings};
use crate::replay::probe::Probed;
use crate::replay::process::Outcome;
use crate::replay::rounds::TEST_LIMIT;

impl ReplayContext<'_> {
    /// How each test ended, in order. One that fails among the others fails for whoever runs them all.
    pub(crate) fn run_tests(
        &self,
        program: &Executable,
        surroundings: Surroundings,
        files: &TestFiles,
    ) -> Result<Vec<Outcome>, SuiteError> {
        let folder = self.fresh_folder()?;
        let together = self.run_target((program, &[]), surroundings, folder.path())?;
        let together = self.outcomes(files, &together);
        if let Some(outcomes) = &together
            && (files.tests.len() < 2 || is_empty(folder.path()))
        {
            return Ok(outcomes.clone());
        }
        let mut outcomes = Vec::with_capacity(files.tests.len());
        for (position, test) in files.tests.iter().enumerate() {
            let failed =
                together.as_ref().map(|outcomes| &outcomes[position]).filter(|outcome| !outcome.success());
            outcomes.push(match failed {
                Some(outcome) => outcome.clone(),
                None => {
                    let folder = self.fresh_folder()?;
                    self.run_target((program, &test.arguments), surroundings, folder.path())?
                }
            });
        }
        Ok(outcomes)
    }

    /// What each test has shown, in order.
    pub(crate) fn evidence_of_tests(
        &self,
        program: &Probed,
        files: &TestFiles,
    ) -> Result<Vec<Evidence>, SuiteError> {
        let folder = self.fresh_folder()?;
        let count = files.tests.len();
        let together = program.run_forking(count, &[], folder.path(), TEST_LIMIT)?;
        let all: Option<Vec<Evidence>> = together.of_processes.into_iter().collect();
        let is_clear =
            self.outcomes(files, &together.outcome).is_some() && (count < 2 || is_empty(folder.path()));
        if let Some(all) = all.filter(|_| is_clear) {
            return Ok(all);
        }
        let alone = |arguments: &[String]| {
            let folder = self.fresh_folder()?;
            let mut recorded = program.run_forking(1, arguments, folder.path(), TEST_LIMIT)?;
            Ok(recorded.of_processes.pop().flatten().unwrap_or(recorded.of_program))
        };
        files.tests.iter().map(|test| alone(&test.arguments)).collect()
    }

    /// How each test ended, if the output of the program says it.
    fn outcomes(&self, files: &TestFiles, together: &Outcome) -> Option<Vec<Outcome>> {
        together.status?;
        if together.out_of_memory {
            // Nobody can tell which of them took it, and the others may have failed for that.
            return None;
        }
        let ended = self.format.each(files, &together.output)?;
        let outcome = |passed: bool, output: &str| Outcome {
            status: Some(ExitStatus::from_raw(if passed { 0 } else { 1 << 8 })),
            output: output.to_string(),
            out_of_memory: false,
        };
        Some(ended.into_iter().map(|test| outcome(test.passed, test.output)).collect())
    }
}

fn is_empty(folder: &Path) -> bool {
    folder.read_dir().is_ok_and(|mut entries| entries.next().is_none())
}
