//! Time as the solver counts it: processor time of the thread that asks.
//!
//! Takes a span of time; gives the moment when this thread has used it up, and tells any thread how much is left of it. A
//! busy machine makes nothing late by this clock, so it changes no answer. Never looks at the wall clock.

use std::time::Duration;

/// A moment of one thread's processor time. Any thread may ask about it while that one lives.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    /// The clock of the thread that made it.
    clock: libc::clockid_t,
    /// What that clock then shows.
    at: Duration,
}

impl Deadline {
    /// When the calling thread has used up so much processor time, counting from now.
    pub fn after(time: Duration) -> Deadline {
        let clock = own_clock();
        Deadline { clock, at: shown(clock).saturating_add(time) }
    }

    /// How much processor time its thread has left.
    pub fn left(self) -> Duration {
        self.at.saturating_sub(shown(self.clock))
    }

    /// Whether its thread has used up its time.
    pub fn is_over(self) -> bool {
        self.left().is_zero()
    }

    /// A part of what is left, and no more than this, counting from now.
    pub(crate) fn part(self, percent: u32, most: Duration) -> Deadline {
        let now = shown(self.clock);
        Deadline { at: now + self.at.saturating_sub(now).min(most) / 100 * percent, ..self }
    }
}

/// The calling thread's clock, by a name that other threads understand, too.
fn own_clock() -> libc::clockid_t {
    let mut clock = libc::CLOCK_THREAD_CPUTIME_ID;
    // SAFETY: names the clock of a living thread, this one, in the variable it is given. It cannot fail for this one.
    unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
    clock
}

/// What a clock shows. Nothing if it is gone: its thread has ended, and nobody waits for it any more.
fn shown(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes the structure it is given.
    unsafe { libc::clock_gettime(clock, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn a_thread_that_waits_uses_nothing_up() {
        let deadline = Deadline::after(Duration::from_millis(20));
        std::thread::sleep(Duration::from_millis(60));
        assert!(!deadline.is_over(), "{:?} left", deadline.left());
    }

    #[test]
    fn another_thread_sees_the_work_of_this_one() {
        let deadline = Deadline::after(Duration::from_millis(20));
        let watcher = std::thread::spawn(move || {
            while !deadline.is_over() {
                std::thread::yield_now();
            }
        });
        let mut rounds = 0u64;
        while !watcher.is_finished() {
            rounds = black_box(rounds + 1);
        }
        assert!(deadline.is_over() && deadline.left().is_zero());
    }

    #[test]
    fn a_part_ends_before_the_whole_and_takes_no_more_than_it_may() {
        let whole = Deadline::after(Duration::from_secs(100));
        let half = whole.part(50, Duration::MAX).left();
        assert!(half > Duration::from_secs(40) && half <= Duration::from_secs(50), "{half:?}");
        let part = whole.part(50, Duration::from_secs(4)).left();
        assert!(part > Duration::from_secs(1) && part <= Duration::from_secs(2), "{part:?}");
    }
}
