//! Runs that may become tests, with what is known of each.
//!
//! Plain data: filled in by `rounds`, read by `demote`. Never chooses (see `choose`).

use tarka_source::Evidence;

use crate::choose::select::TestCoverage;
use crate::render::tree::Test;
use crate::replay::sanitize::SanitizerReport;

/// A run that may become a test.
pub(crate) struct TestCandidate {
    pub test: Test,
    pub run: u64,
    /// What the instrumented program claims, and once probed what the plain one shows.
    pub shown: TestCoverage,
    /// What was recorded on the plain program.
    pub probed: Option<Evidence>,
    /// It ran under the sanitizers.
    pub sanitized: bool,
    /// Why it cannot be a test.
    pub excluded: Option<Exclusion>,
}

/// Why a run cannot be a test.
pub(crate) struct Exclusion {
    pub reason: String,
    /// What the sanitizers say of the unit.
    pub sanitizer_report: Option<SanitizerReport>,
}
