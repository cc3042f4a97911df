//! How long a unit may go on: time, runs, and patience with runs that hang.

use std::time::{Duration, Instant};

use crate::Options;
use crate::verdict::UsedUp;

/// How many times as much is advised of a budget that ran out.
const MORE: u64 = 4;

/// Hanging runs after which the limit of a run is halved.
const HANGS_PER_STEP: u32 = 3;

/// Smallest share of the run limit that is left after many hangs.
const SMALLEST_SHARE: u32 = 8;

/// How long a solver question may take at first, and when it is asked again because nothing else is left to ask: a few hard
/// questions must not take the time of the many easy ones.
const QUESTION: Duration = Duration::from_millis(300);
const LONGEST_QUESTION: Duration = Duration::from_secs(2);

/// One part in so many of a unit's time may go to simpler inputs once the search is over.
const SIMPLIFY_SHARE: u32 = 5;

/// The budget of one unit, counting from its making.
pub(crate) struct Budget {
    start: Instant,
    time: Option<Duration>,
    runs: Option<u64>,
    run_time_limit: Duration,
    hangs: u32,
}

impl Budget {
    pub(crate) fn new(options: &Options) -> Budget {
        Budget {
            start: Instant::now(),
            time: options.time,
            runs: options.runs,
            run_time_limit: options.run_time_limit,
            hangs: 0,
        }
    }

    pub(crate) fn elapsed_ms(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    /// Which budget is used up after this many runs, in words.
    pub(crate) fn used_up(&self, runs: u64) -> Option<UsedUp> {
        if let Some(most) = self.runs.filter(|&most| runs >= most) {
            let what = format!("the budget of {} ran out", count(most, "run"));
            let advice = format!("give it more runs: `-n {}`", most.saturating_mul(MORE).max(100));
            return Some(UsedUp { what, advice });
        }
        let time = self.time.filter(|&time| self.start.elapsed() >= time)?;
        let what = format!("the time budget of {} s ran out", time.as_secs_f64());
        let more = (time.as_secs_f64() * MORE as f64).ceil().max(10.0);
        Some(UsedUp { what, advice: format!("give it more time: `-t {more}`") })
    }

    /// When to stop making inputs simpler, counting from now.
    pub(crate) fn simplify_until(&self) -> Option<Instant> {
        self.time.map(|time| Instant::now() + time / SIMPLIFY_SHARE)
    }

    fn remaining(&self) -> Duration {
        self.time.map_or(Duration::MAX, |time| time.saturating_sub(self.start.elapsed()))
    }

    /// Time limit of the next solver question, asked for the first time or again.
    pub(crate) fn question_limit(&self, again: bool) -> Duration {
        let longest = if again { LONGEST_QUESTION } else { QUESTION };
        self.remaining().clamp(Duration::from_millis(10), longest)
    }

    /// Time limit of the next run. A unit that hangs on many inputs must not spend its whole budget waiting, so the
    /// limit shrinks; a run that is merely slow has been seen to be slow by then.
    pub(crate) fn run_limit(&self) -> Duration {
        let share = (1 << (self.hangs / HANGS_PER_STEP).min(16)).min(SMALLEST_SHARE);
        self.run_time_limit / share
    }

    pub(crate) fn count_hang(&mut self) {
        self.hangs += 1;
    }
}

/// `1 run`, `2 runs`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_names_what_ran_out() {
        let options = Options { runs: Some(3), time: None, ..Options::default() };
        let budget = Budget::new(&options);
        assert_eq!(budget.used_up(2), None);
        let used_up = budget.used_up(3).unwrap();
        assert_eq!(used_up.what, "the budget of 3 runs ran out");
        assert_eq!(used_up.advice, "give it more runs: `-n 100`");
        let options = Options { time: Some(Duration::ZERO), ..Options::default() };
        let used_up = Budget::new(&options).used_up(0).unwrap();
        assert_eq!(used_up.what, "the time budget of 0 s ran out");
        assert_eq!(used_up.advice, "give it more time: `-t 10`");
    }

    #[test]
    fn patience_shrinks_with_every_third_hang_down_to_an_eighth() {
        let mut budget = Budget::new(&Options::default());
        let limits: Vec<u128> = (0..15)
            .map(|_| {
                budget.count_hang();
                budget.run_limit().as_millis()
            })
            .collect();
        assert_eq!(limits, [1000, 1000, 500, 500, 500, 250, 250, 250, 125, 125, 125, 125, 125, 125, 125]);
    }
}
