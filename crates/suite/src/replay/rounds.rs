//! The rounds of replay: write the tests, run them on the plain program, take back what did not hold, and write again.
//!
//! Takes candidates; gives the tests that passed with everything they promise, and leaves in each candidate what was seen of
//! it. Never believes the instrumented program: what counts is what the plain one did.

use std::time::Duration;

use tarka_events::{FaultKind, UnitResult, WrittenTest};

use crate::SuiteError;
use crate::choose::choice::{choose, new_goals, shown_by};
use crate::choose::select::TestCoverage;
use crate::choose::smallest::Smallest;
use crate::format::layout::condition;
use crate::format::{NewTest, Reading, TestFiles};
use crate::replay::builds::{Executable, Way};
use crate::replay::context::{ReplayContext, Surroundings};
use crate::replay::probe::UninitialisedFill;
use crate::replay::process::Outcome;
use crate::replay::sanitize::{BUT_FOR_HARMLESS, NO_RECOVERY, SANITIZERS, SanitizerReport};
use crate::replay::test_candidate::{Exclusion, TestCandidate};

/// How long one replayed test may take. The emitted file ends a test after ten seconds by itself.
pub(crate) const TEST_LIMIT: Duration = Duration::from_secs(15);
/// Most rounds of replay; each one removes at least one untrue promise.
const MOST_ROUNDS: usize = 40;

impl ReplayContext<'_> {
    pub(crate) fn choose(&self, unit: &UnitResult, candidates: &[TestCandidate]) -> Smallest {
        let live: Vec<(usize, &TestCoverage)> = (candidates.iter().enumerate())
            .filter(|(_, candidate)| candidate.excluded.is_none())
            .map(|(index, candidate)| (index, &candidate.shown))
            .collect();
        choose(&live, &self.demoted, &self.pairs, unit.goals.is_empty())
    }

    /// The tests, and whether no smaller choice shows as much.
    pub(crate) fn settle(
        &mut self,
        unit: &UnitResult,
        candidates: &mut [TestCandidate],
    ) -> Result<(Vec<WrittenTest>, bool), SuiteError> {
        for _ in 0..MOST_ROUNDS {
            if self.options.is_interrupted() {
                return Err(SuiteError::Interrupted);
            }
            let Smallest { tests: chosen, proved } = self.choose(unit, candidates);
            if chosen.is_empty() {
                self.remove_tests();
                return Ok((Vec::new(), proved));
            }
            let shown: Vec<&TestCoverage> = chosen.iter().map(|index| &candidates[*index].shown).collect();
            let new_goals = new_goals(&shown, &self.demoted, &self.pairs);
            let tests: Vec<NewTest> = (chosen.iter().zip(&new_goals))
                .map(|(index, goals)| NewTest {
                    test: &candidates[*index].test,
                    goals: goals.iter().map(|goal| &unit.goals[*goal as usize]).collect(),
                })
                .collect();
            let file_stubs = self.file_stubs(tests.iter().flat_map(|new| &new.test.scripts));
            let files = self.format.write(&unit.function, &self.preamble(&file_stubs), &tests);
            self.write_tests(&files)?;
            if !self.round(unit, candidates, &chosen, &files)? {
                return Ok((self.written(candidates, &chosen, &new_goals, &files), proved));
            }
        }
        Err(SuiteError::Unsettled { function: unit.function.clone() })
    }

    /// One replay of everything; true if something had to change.
    fn round(
        &mut self,
        unit: &UnitResult,
        candidates: &mut [TestCandidate],
        chosen: &[usize],
        files: &TestFiles,
    ) -> Result<bool, SuiteError> {
        let wanted = self.wanted_tests(files);
        let is_new = chosen.iter().any(|index| candidates[*index].probed.is_none());
        let cc = self.cc_works.then_some(Way::Cc);
        let fills = [UninitialisedFill::Zeros, UninitialisedFill::Pattern].into_iter().filter(|_| is_new);
        let ways = std::iter::once(Way::Clang(Vec::new())).chain(cc).chain(fills.map(Way::Probed));
        let mut built = self.builds.build_all(ways.map(|way| (way, wanted.clone())).collect()).into_iter();
        let mut next = || built.next().unwrap_or_else(|| unreachable!("one answer for each"));
        let clang = match next() {
            Err(error) if self.can_retry(&error) => return Ok(true),
            compiled => compiled?,
        };
        let cc = self.cc_works.then(&mut next);
        let probed = is_new.then(|| [next(), next()]);
        let mut changed = self.ignore(&clang.warnings, true);
        // Twice, the second time on another machine: what differs between two runs of the same program is not worth asserting.
        for surroundings in [Surroundings::Here, Surroundings::Elsewhere] {
            changed |= self.replay(&clang.program, surroundings, candidates, chosen, files)?;
        }
        match cc {
            Some(Ok(cc)) => {
                changed |= self.ignore(&cc.warnings, false);
                changed |= self.replay(&cc.program, Surroundings::Here, candidates, chosen, files)?;
            }
            Some(Err(error)) => {
                self.cc_works = false;
                self.notes.push(format!("replayed with clang only: {error}"));
            }
            None => {}
        }
        if let Some([zeros, pattern]) = probed {
            changed |= self.probe(unit, candidates, chosen, (files, zeros?.program, pattern?.program))?;
        }
        // Last, so that there is one such build for files that need no change.
        if !changed {
            changed = self.sanitize(candidates, chosen, files)?;
        }
        Ok(changed)
    }

    /// Runs the tests and takes back what did not hold.
    fn replay(
        &mut self,
        program: &Executable,
        surroundings: Surroundings,
        candidates: &mut [TestCandidate],
        chosen: &[usize],
        files: &TestFiles,
    ) -> Result<bool, SuiteError> {
        let mut changed = false;
        let outcomes = self.run_tests(program, surroundings, files)?;
        for ((position, index), outcome) in chosen.iter().enumerate().zip(outcomes) {
            if outcome.success() {
                continue;
            }
            changed |= self.take_back(&mut candidates[*index], &outcome, files, position);
        }
        Ok(changed)
    }

    /// Takes back the checks that failed, or else the whole test; true if there was something to take back.
    fn take_back(
        &mut self,
        candidate: &mut TestCandidate,
        outcome: &Outcome,
        files: &TestFiles,
        position: usize,
    ) -> bool {
        let name = &files.tests[position].name;
        let reading = self.format.read(files, position, &outcome.output);
        let mut removed = false;
        for check in &reading.failed {
            let check = &mut candidate.test.checks[*check];
            removed |= check.holds;
            if std::mem::replace(&mut check.holds, false) {
                self.notes.push(format!("{name}: `{}` did not hold on every replay", condition(check)));
            }
        }
        if removed || candidate.excluded.is_some() || already_changed(candidate, files, position) {
            return removed;
        }
        if let Some(sanitizer_report) = self.stopping(&outcome.output) {
            self.exclude_stopped(candidate, sanitizer_report);
        } else {
            let reason = end_in_words(outcome, &reading);
            self.notes.push(format!("run {} gives no test: its replay {reason}", candidate.run));
            let reason = format!("its replay on the plain program {reason}");
            candidate.excluded = Some(Exclusion { reason, sanitizer_report: None });
        }
        true
    }

    /// A test that the sanitizers stop is no test.
    fn exclude_stopped(&mut self, candidate: &mut TestCandidate, sanitizer_report: SanitizerReport) {
        let message = &sanitizer_report.message;
        self.notes.push(format!("run {} gives no test: the sanitizers stop it: {message}", candidate.run));
        let reason = format!("the sanitizers stop every test that was tried: {message}");
        // What the test itself does wrong is no fault of the unit.
        let sanitizer_report =
            Some(sanitizer_report).filter(|sanitizer_report| !self.is_ours(sanitizer_report));
        candidate.excluded = Some(Exclusion { reason, sanitizer_report });
    }

    /// Runs each new test under the sanitizers.
    fn sanitize(
        &mut self,
        candidates: &mut [TestCandidate],
        chosen: &[usize],
        files: &TestFiles,
    ) -> Result<bool, SuiteError> {
        if !self.sanitizers_work || chosen.iter().all(|index| candidates[*index].sanitized) {
            return Ok(false);
        }
        let wanted = self.wanted_tests(files);
        let flags = vec!["-g", SANITIZERS, NO_RECOVERY, BUT_FOR_HARMLESS];
        let program = match self.builds.build(Way::Clang(flags), &wanted) {
            Ok(built) => built.program,
            Err(error) => {
                self.sanitizers_work = false;
                self.notes.push(format!("not replayed with {SANITIZERS}: {error}"));
                return Ok(false);
            }
        };
        let mut changed = false;
        let outcomes = self.run_tests(&program, Surroundings::Sanitized, files)?;
        for ((position, index), outcome) in chosen.iter().enumerate().zip(outcomes) {
            let candidate = &mut candidates[*index];
            if std::mem::replace(&mut candidate.sanitized, true) {
                continue;
            }
            // A test that expects an exit status may get it from a sanitizer, so success says nothing.
            if let Some(sanitizer_report) = self.stopping(&outcome.output) {
                self.exclude_stopped(candidate, sanitizer_report);
                changed = true;
            } else if !outcome.success() {
                changed |= self.take_back(candidate, &outcome, files, position);
            }
        }
        Ok(changed)
    }

    /// Records which way each new test goes on the plain program, and takes that for the truth. A test that goes another way
    /// when uninitialised memory holds something else is no test: nobody can tell what it will cover.
    fn probe(
        &mut self,
        unit: &UnitResult,
        candidates: &mut [TestCandidate],
        chosen: &[usize],
        (files, zeros, pattern): (&TestFiles, Executable, Executable),
    ) -> Result<bool, SuiteError> {
        let tests = self.probed(zeros, UninitialisedFill::Zeros);
        let others = self.probed(pattern, UninitialisedFill::Pattern);
        let mut changed = false;
        let evidence = self.evidence_of_tests(&tests, files)?.into_iter();
        let evidence = evidence.zip(self.evidence_of_tests(&others, files)?);
        for (index, (evidence, other)) in chosen.iter().zip(evidence) {
            if candidates[*index].probed.is_some() {
                continue;
            }
            let shown = shown_by(self.model, &self.goals, &self.pairs, &evidence);
            let is_same = other == evidence;
            let candidate = &mut candidates[*index];
            candidate.probed = Some(evidence);
            if !is_same {
                let reason = "its way depends on uninitialised memory, or changes from run to run";
                self.notes.push(format!("run {} gives no test: {reason}", candidate.run));
                let reason = format!("of the test that was tried, {reason}");
                candidate.excluded = Some(Exclusion { reason, sanitizer_report: None });
                changed = true;
                continue;
            }
            let lost = candidate.shown.alone.difference(&shown.alone);
            let lost: Vec<&str> = lost.map(|goal| unit.goals[*goal as usize].id.as_str()).collect();
            if !lost.is_empty() {
                self.notes.push(format!(
                    "run {} does not take {} on the plain program",
                    candidate.run,
                    lost.join(", ")
                ));
            }
            if candidate.shown != shown {
                candidate.shown = shown;
                changed = true;
            }
        }
        Ok(changed)
    }

    fn written(
        &self,
        candidates: &[TestCandidate],
        chosen: &[usize],
        new_goals: &[Vec<u32>],
        files: &TestFiles,
    ) -> Vec<WrittenTest> {
        let names = self.format.files(&self.function.name);
        let path = format!("{}/{}", self.options.folder, names[0]);
        let tests = chosen.iter().zip(new_goals).zip(&files.tests);
        tests
            .map(|((index, new_goals), emitted)| WrittenTest {
                name: emitted.name.clone(),
                path: path.clone(),
                inputs: candidates[*index].test.inputs.clone(),
                setup: emitted.setup.clone(),
                run: candidates[*index].run,
                covers: candidates[*index].shown.alone.iter().copied().collect(),
                new_goals: new_goals.clone(),
                evidence: candidates[*index].probed.clone().unwrap_or_default(),
            })
            .collect()
    }

    /// What the sanitizers stop a test for: a test ends with whatever the unit keeps, so a leak is no reason, nor is what
    /// does no harm, and an assertion ends it without them.
    fn stopping(&self, output: &str) -> Option<SanitizerReport> {
        let is_reason = |sanitizer_report: &SanitizerReport| {
            !sanitizer_report.kind.leaves_a_test() && sanitizer_report.kind != FaultKind::Assertion
        };
        self.sanitizer_reports(output).into_iter().find(is_reason)
    }
}

/// Whether a check of this test was taken back earlier in the same round: the file on disk still has it.
fn already_changed(candidate: &TestCandidate, files: &TestFiles, position: usize) -> bool {
    let written = files.checks.values().filter(|(test, _)| *test == position).count();
    candidate.test.checks.iter().filter(|check| check.holds).count() < written
}

fn end_in_words(outcome: &Outcome, reading: &Reading) -> String {
    if let Some(limit) = outcome.ended_by_limit() {
        return limit.to_string();
    }
    match &reading.end {
        _ if outcome.status.is_none() => format!("did not end within {} s", TEST_LIMIT.as_secs()),
        Some(end) => format!("ended differently {end}"),
        None => "did not pass".to_string(),
    }
}
