//! What attacking proofs costs: its share of the whole time on real code, the build of the plain program included.

use std::time::{Duration, Instant};

use tarka_campaign::Options;
use tarka_events::Verdict;

use super::subjects::real_code;
use super::{Outcome, Place};

/// Time of a unit.
const TIME: Duration = Duration::from_secs(3);
/// The most that attacks may take, in percent.
const ASKED: f64 = 5.0;

/// Prints the table and the share of all files together; an error if attacks take more than they may.
pub(super) fn print(place: &Place) -> Outcome<()> {
    println!("attacks on proofs: their part of the time (auto, branch, seed 1, {TIME:?} of each unit)");
    println!(
        "  {:<20} {:>7} {:>8} {:>8} {:>10} {:>10} {:>8}",
        "file", "proofs", "refuted", "runs", "attack ms", "all ms", "share"
    );
    let options = Options { time: Some(TIME), ..Options::default() };
    let (mut attack, mut all) = (0, 0);
    for subject in real_code(&place.root, |_| true)? {
        let began = Instant::now();
        let results = subject.run(place, &options, "attacked")?;
        let whole = began.elapsed().as_millis() as u64;
        let goals = results.iter().flat_map(|result| &result.goals);
        let proofs = goals.filter(|goal| matches!(goal.verdict, Verdict::Infeasible { .. })).count();
        let refuted: usize = results.iter().map(|result| result.refuted.len()).sum();
        let runs: u64 = results.iter().map(|result| result.attack.runs).sum();
        let ms: u64 = results.iter().map(|result| result.attack.ms).sum();
        let share = percent(ms, whole);
        println!(
            "  {:<20} {proofs:>7} {refuted:>8} {runs:>8} {ms:>10} {whole:>10} {share:>6.1} %",
            subject.stem()
        );
        (attack, all) = (attack + ms, all + whole);
    }
    let share = percent(attack, all);
    println!("  all: {attack} of {all} ms, {share:.1} % (asked: at most {ASKED} %)\n");
    if share > ASKED {
        Err(format!("attacks on proofs take {share:.1} % of the time").into())
    } else {
        Ok(())
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
