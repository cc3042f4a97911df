//! What a unit's search has used up: processor time of the thread that searches and of the runs it asked for.
//!
//! Takes what runs used; gives how much is used up in all. A busy machine uses nothing up, so it changes no result; only who
//! waits for very long is stopped by the wall clock. Never: what the time is for.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// How many times as long as its processor time something may take by the wall clock.
const PATIENCE: u32 = 4;

/// The clock of one unit. It belongs to the thread that made it.
pub(crate) struct Clock {
    began: Instant,
    thread_began: Duration,
    runs: Cell<Duration>,
}

/// A moment of a unit's clock.
pub(crate) struct Until {
    clock: Rc<Clock>,
    processor: Duration,
    wall: Duration,
}

impl Clock {
    pub(crate) fn start() -> Rc<Clock> {
        Rc::new(Clock { began: Instant::now(), thread_began: thread_time(), runs: Cell::default() })
    }

    /// Takes note of what a run used.
    pub(crate) fn add(&self, run: Duration) {
        self.runs.set(self.runs.get() + run);
    }

    /// Processor time since the start.
    pub(crate) fn used(&self) -> Duration {
        thread_time().saturating_sub(self.thread_began) + self.runs.get()
    }

    /// By the wall clock.
    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// What is left of so much time since the start.
    pub(crate) fn left_of(&self, time: Duration) -> Duration {
        let is_late = self.elapsed() >= time * PATIENCE;
        if is_late { Duration::ZERO } else { time.saturating_sub(self.used()) }
    }

    /// When so much time from now will be used up.
    pub(crate) fn after(self: &Rc<Clock>, time: Duration) -> Until {
        let wall = self.elapsed() + time * PATIENCE;
        Until { clock: Rc::clone(self), processor: self.used() + time, wall }
    }
}

impl Until {
    pub(crate) fn is_over(&self) -> bool {
        self.clock.used() >= self.processor || self.clock.elapsed() >= self.wall
    }
}

/// What the calling thread has used so far.
fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_uses_nothing_up_until_patience_ends() {
        let (clock, time) = (Clock::start(), Duration::from_millis(50));
        let until = clock.after(time);
        std::thread::sleep(time + Duration::from_millis(10));
        assert!(clock.elapsed() >= time && clock.used() < time, "{:?}", clock.used());
        assert!(!clock.left_of(time).is_zero() && !until.is_over());
        std::thread::sleep(time * (PATIENCE - 1));
        assert!(clock.left_of(time).is_zero() && until.is_over());
    }

    #[test]
    fn runs_count_beside_the_thread() {
        let clock = Clock::start();
        let until = clock.after(Duration::from_secs(100));
        clock.add(Duration::from_secs(60));
        assert!(!until.is_over());
        let left = clock.left_of(Duration::from_secs(100));
        assert!(left <= Duration::from_secs(40) && left > Duration::from_secs(30), "{left:?}");
        clock.add(Duration::from_secs(40));
        assert!(until.is_over() && clock.left_of(Duration::from_secs(100)).is_zero());
    }
}
