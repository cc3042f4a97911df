//! Long and large units: a hundred thousand branches a run, a scan of 64 KiB, a loop whose length is an input, and the memory
//! that a search may take.

use crate::c::{covered, open, test_with};
use tarka_campaign::Options;
use tarka_events::{Cause, UnitResult, Verdict};

const SCAN: &str = "
    int f(const unsigned char *buf) {
        unsigned sum = 0; int i, seen = 0;
        for (i = 0; i < 65536; i++) {
            if (buf[i] == 0x7e) seen++;
            sum = sum * 31 + buf[i];
        }
        if (seen > 60000) return -1;
        if (buf[65535] == 'Z' && sum != 0) return 7;
        return 0;
    }";

fn runs(most: u64) -> Options {
    Options { runs: Some(most), time: None, ..Options::default() }
}

/// Whether a side of the condition with this text is covered; if not, the cause and the reason.
fn side(result: &UnitResult, text: &str, outcome: u32) -> Result<(), (Cause, String)> {
    let suffix = format!(":{outcome}");
    let goal = result.goals.iter().find(|goal| goal.text == text && goal.id.ends_with(&suffix));
    match &goal.unwrap_or_else(|| panic!("{text} is no goal: {:#?}", result.goals)).verdict {
        Verdict::Covered { .. } => Ok(()),
        Verdict::Unknown { cause, reason, .. } => Err((*cause, reason.clone())),
        proof => panic!("{text} can be {outcome}: {proof:?}"),
    }
}

#[test]
fn what_follows_a_hundred_thousand_branches_is_covered() {
    let result = test_with(
        "int f(unsigned x, int k) {
            unsigned i, over = 0;
            for (i = 0; i < 100000; i++) if (x > i) over++;
            if (k == 99) return 2;
            return over > 3;
        }",
        &runs(20),
    );
    let (done, all) = covered(&result);
    assert_eq!(done, all, "{:#?}", open(&result));
}

#[test]
fn what_follows_a_scan_of_64_kib_is_covered_within_a_few_runs() {
    let result = test_with(SCAN, &runs(20));
    for (text, outcome) in [("buf[i] == 0x7e", 1), ("buf[65535] == 'Z'", 1), ("sum != 0", 1)] {
        assert_eq!(side(&result, text, outcome), Ok(()), "{:#?}", open(&result));
    }
    let (cause, reason) = side(&result, "seen > 60000", 1).unwrap_err();
    assert_eq!(cause, Cause::Budget, "{reason}");
    assert!(reason.starts_with("the budget of 20 runs ran out"), "{reason}");
}

#[test]
fn a_search_ends_when_its_memory_is_used_up_and_keeps_its_tests() {
    let options = Options { search_memory: 96 << 20, time: None, ..Options::default() };
    let result = test_with(SCAN, &options);
    assert_eq!(side(&result, "buf[i] == 0x7e", 1), Ok(()), "{:#?}", open(&result));
    assert!(!result.kept_runs.is_empty());
    let (cause, reason) = side(&result, "seen > 60000", 1).unwrap_err();
    assert_eq!(cause, Cause::Budget, "{reason}");
    assert!(reason.starts_with("the memory that a search may take, 96 MiB, ran out"), "{reason}");
    assert!(result.runs < 60, "{} runs of some 4 MB each", result.runs);
    let again = test_with(SCAN, &options);
    let told = |result: &UnitResult| (result.runs, side(result, "seen > 60000", 1));
    assert_eq!(told(&again), told(&result), "memory is counted, not measured");
}

#[test]
fn a_loop_whose_length_is_an_input_is_no_proof() {
    let result = test_with(
        "int f(int n) {
            int i, s = 0;
            for (i = 0; i < n; i++) s += i & 3;
            if (s == 99999) return 1;
            return 0;
        }",
        &runs(40),
    );
    let (cause, reason) = side(&result, "s == 99999", 1).unwrap_err();
    assert_eq!(cause, Cause::Budget, "{reason}");
}
