//! How long a unit may go on: processor time, runs, memory, and patience with runs that hang.

use std::rc::Rc;
use std::time::Duration;

use tarka_verdicts::{UsedUp, count};

use crate::clock::{Clock, Until};
use crate::{Interrupt, Options};

/// How many times as much is advised of a budget that ran out.
const MORE: u64 = 4;

/// A hanging run leaves this part of its limit to the next ones, down to the smallest share.
const PART_AFTER_HANG: u32 = 4;
const SMALLEST_SHARE: u32 = 128;

/// One run takes no more than one part in so many of a unit's time, but so long it may always take.
const RUNS_AT_LEAST: u32 = 8;
const SHORTEST_LIMIT: Duration = Duration::from_millis(100);

/// How many times as long as the slowest run that ended by itself any run may take, within its limit.
const AS_THE_SLOWEST: u32 = 4;

/// How long a solver question may take at first, and when it is asked again because nothing else is left to ask: one part in so
/// many of a unit's time, and never longer than this. A few hard questions must not take the time of the many easy ones.
const QUESTION: (u32, Duration) = (60, Duration::from_millis(100));
const QUESTION_AGAIN: (u32, Duration) = (6, Duration::from_secs(2));

/// A question that has less is not worth asking.
const SHORTEST_QUESTION: Duration = Duration::from_millis(10);

/// One part in so many of a unit's time may go to simpler inputs once the search is over.
const SIMPLIFY_SHARE: u32 = 5;

/// The budget of one unit, counting from its making.
pub(crate) struct Budget {
    clock: Rc<Clock>,
    time: Option<Duration>,
    runs: Option<u64>,
    memory: u64,
    interrupt: Interrupt,
    run_time_limit: Duration,
    hangs: u32,
    /// What the slowest run used that ended by itself.
    slowest: Duration,
}

impl Budget {
    pub(crate) fn new(options: &Options) -> Budget {
        Budget {
            clock: Clock::start(),
            time: options.time,
            runs: options.runs,
            memory: options.search_memory,
            interrupt: options.interrupt.clone(),
            run_time_limit: options.time.map_or(options.run_time_limit, |time| {
                options.run_time_limit.min((time / RUNS_AT_LEAST).max(SHORTEST_LIMIT))
            }),
            hangs: 0,
            slowest: Duration::ZERO,
        }
    }

    /// By the wall clock, for the report.
    pub(crate) fn elapsed_ms(&self) -> u64 {
        self.clock.elapsed().as_millis() as u64
    }

    /// Which budget is used up after this many runs, in words.
    pub(crate) fn used_up(&self, runs: u64) -> Option<UsedUp> {
        if self.interrupt.is_set() {
            let advice = "go on with the same command".to_string();
            return Some(UsedUp { what: "the search was interrupted".to_string(), advice });
        }
        if let Some(most) = self.runs.filter(|&most| runs >= most) {
            let what = format!("the budget of {} ran out", count(most, "run"));
            let advice = format!("give it more runs: `-n {}`", most.saturating_mul(MORE).max(100));
            return Some(UsedUp { what, advice });
        }
        let time = self.time.filter(|&time| self.clock.left_of(time).is_zero())?;
        let what = format!("the time budget of {} s ran out", time.as_secs_f64());
        let more = (time.as_secs_f64() * MORE as f64).ceil().max(10.0);
        Some(UsedUp { what, advice: format!("give it more time: `-t {more}`") })
    }

    /// That the search keeps more than it may, in words.
    pub(crate) fn is_full(&self, bytes: usize) -> Option<UsedUp> {
        if bytes as u64 <= self.memory {
            return None;
        }
        let what = format!("the memory that a search may take, {}, ran out", size(self.memory));
        let advice = "make its runs shorter, which take less to keep: bound what its loops depend on with `--assume`, or \
                      set a smaller bound in tarka.toml";
        Some(UsedUp { what, advice: advice.to_string() })
    }

    /// When one part in so many of a unit's time is over, counting from now; `None` if time is no matter.
    pub(crate) fn part_from_now(&self, part: u32) -> Option<Until> {
        self.time.map(|time| self.clock.after(time / part))
    }

    /// When to stop making inputs simpler, counting from now.
    pub(crate) fn simplify_until(&self) -> Option<Until> {
        self.part_from_now(SIMPLIFY_SHARE)
    }

    fn remaining(&self) -> Duration {
        self.time.map_or(Duration::MAX, |time| self.clock.left_of(time))
    }

    /// Time limit of the next solver question, asked for the first time or again.
    pub(crate) fn question_limit(&self, again: bool) -> Duration {
        let (part, longest) = if again { QUESTION_AGAIN } else { QUESTION };
        let longest = self.time.map_or(longest, |time| longest.min(time / part)).max(SHORTEST_QUESTION);
        self.remaining().clamp(SHORTEST_QUESTION, longest)
    }

    /// Time limit of the next run. A unit that hangs on many inputs must not spend its whole budget waiting, so the
    /// limit shrinks; where runs are merely slow, some have come to their end.
    pub(crate) fn run_limit(&self) -> Duration {
        let share = PART_AFTER_HANG.saturating_pow(self.hangs.min(16)).min(SMALLEST_SHARE);
        (self.run_time_limit / share).max(self.slowest * AS_THE_SLOWEST).min(self.run_time_limit)
    }

    /// Time limit of a run while none hangs.
    pub(crate) fn longest_run(&self) -> Duration {
        self.run_time_limit
    }

    /// Takes note of what a run used.
    pub(crate) fn count_run(&self, used: Duration) {
        self.clock.add(used);
    }

    /// Takes note of what a run used that ended by itself.
    pub(crate) fn ended_after(&mut self, time: Duration) {
        self.slowest = self.slowest.max(time);
    }

    pub(crate) fn count_hang(&mut self) {
        self.hangs += 1;
    }
}

/// `64 MiB`, `1 GiB`.
fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let fits = units.into_iter().find(|(shift, _)| bytes >> shift > 0 && bytes.is_multiple_of(1 << shift));
    fits.map_or_else(|| count(bytes, "byte"), |(shift, unit)| format!("{} {unit}", bytes >> shift))
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
    fn patience_shrinks_with_every_hang_but_not_below_what_slow_runs_take() {
        let mut budget = Budget::new(&Options { time: None, ..Options::default() });
        let limits: Vec<u128> = (0..5)
            .map(|_| {
                budget.count_hang();
                budget.run_limit().as_micros()
            })
            .collect();
        assert_eq!(limits, [250_000, 62_500, 15_625, 7_812, 7_812]);
        budget.ended_after(Duration::from_millis(20));
        assert_eq!(budget.run_limit().as_millis(), 80);
        budget.ended_after(Duration::from_millis(300));
        assert_eq!(budget.run_limit().as_millis(), 1000);
    }

    #[test]
    fn memory_is_a_budget_of_its_own() {
        let budget = Budget::new(&Options { search_memory: 3 << 20, ..Options::default() });
        assert_eq!(budget.is_full(3 << 20), None);
        let full = budget.is_full((3 << 20) + 1).unwrap();
        assert_eq!(full.what, "the memory that a search may take, 3 MiB, ran out");
        assert_eq!([1, 1025, 5 << 10, 1 << 30].map(size), ["1 byte", "1025 bytes", "5 KiB", "1 GiB"]);
    }

    #[test]
    fn one_question_does_not_take_most_of_a_short_time() {
        let limits = |seconds: Option<u64>| {
            let time = seconds.map(Duration::from_secs);
            let budget = Budget::new(&Options { time, ..Options::default() });
            [false, true].map(|again| budget.question_limit(again).as_millis())
        };
        assert_eq!(limits(Some(3)), [50, 500]);
        assert_eq!(limits(Some(60)), [100, 2000]);
        assert_eq!(limits(None), [100, 2000]);
    }

    #[test]
    fn one_run_does_not_take_most_of_a_short_time() {
        let limit = |seconds: f64| {
            let time = Some(Duration::from_secs_f64(seconds));
            Budget::new(&Options { time, ..Options::default() }).run_limit().as_millis()
        };
        assert_eq!([limit(0.0), limit(2.0), limit(8.0), limit(60.0)], [100, 250, 1000, 1000]);
    }
}
