//! Candidates that nobody has judged.
//!
//! Takes the candidates of each run with their formulas, and hands them out at random, each run with the same
//! probability. There may be 100,000 of them, and writing to fresh memory is what costs: so a formula is kept without the
//! empty rows of its fingerprint.

use super::classifier::Formula;
use super::fingerprint::Fingerprint;
use crate::paths::candidate::CandidateId;
use crate::rng::Rng;

/// All of them.
#[derive(Default)]
pub(super) struct Waiting {
    runs: Vec<OfRun>,
    /// The run that is being taken in.
    next: OfRun,
}

/// The candidates of one run.
#[derive(Default)]
struct OfRun {
    /// Each candidate, and where it starts in `words`: the flipped clause, the packed fingerprint.
    candidates: Vec<(CandidateId, u32)>,
    words: Vec<u64>,
}

impl Waiting {
    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Takes a candidate of the present run.
    pub(super) fn push(&mut self, candidate: CandidateId, formula: &Formula) {
        self.next.candidates.push((candidate, self.next.words.len() as u32));
        self.next.words.push(formula.flipped);
        formula.print.pack(&mut self.next.words);
    }

    /// The present run has no more candidates.
    pub(super) fn end_run(&mut self) {
        if !self.next.candidates.is_empty() {
            // Copies, which are no larger than what they hold.
            self.runs
                .push(OfRun { candidates: self.next.candidates.clone(), words: self.next.words.clone() });
            self.next.candidates.clear();
            self.next.words.clear();
        }
    }

    /// One at random; there must be one.
    pub(super) fn draw(&mut self, rng: &mut Rng) -> (CandidateId, Formula) {
        let index = rng.below(self.runs.len());
        let run = &mut self.runs[index];
        let (candidate, start) = run.candidates.swap_remove(rng.below(run.candidates.len()));
        let words = &run.words[start as usize..];
        let formula = Formula { flipped: words[0], print: Fingerprint::unpack(&words[1..]) };
        if run.candidates.is_empty() {
            self.runs.swap_remove(index);
        }
        (candidate, formula)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fingerprint::Clause;
    use super::*;

    #[test]
    fn every_candidate_comes_back_once_with_its_formula() {
        let formula = |number: u32| {
            let mut print = Fingerprint::default();
            (0..number as u64).for_each(|clause| {
                let whole = (clause + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                print.add(Clause { shape: whole.rotate_left(9), whole }.bits());
            });
            Formula { flipped: number as u64, print }
        };
        let mut waiting = Waiting::default();
        for run in [0..3, 3..3, 3..20, 20..90] {
            run.for_each(|number| waiting.push(CandidateId(number), &formula(number)));
            waiting.end_run();
        }
        let mut rng = Rng::new(1);
        let mut drawn = Vec::new();
        while !waiting.is_empty() {
            let (candidate, drawn_formula) = waiting.draw(&mut rng);
            assert_eq!(drawn_formula, formula(candidate.0));
            drawn.push(candidate.0);
        }
        drawn.sort_unstable();
        assert_eq!(drawn, (0..90).collect::<Vec<u32>>());
    }
}
