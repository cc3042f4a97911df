//! The last resort of a Z3 context: a thread that interrupts a check whose time is up or whose memory is used up.
//!
//! Takes a context, a deadline of the solving thread's processor time and a memory limit for the length of one check; says
//! afterwards whether the check was interrupted and why. Z3 (4.8.12) has parameters of its own for both. Its timers are threads that libz3 ends before
//! every `fork` of the process and waits for while they are busy: a thread that forks and a thread that solves could then
//! wait for ever. Its memory limit is one for the process and stays reached: the next context then crashes or knows
//! nothing any more.
//!
//! Never holds on to a context outside a check, and never interrupts after a check was disarmed.

use crate::Deadline;
use std::io;
use std::marker::PhantomData;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use z3_sys::{Z3_context, Z3_get_estimated_alloc_size, Z3_interrupt};

/// How often Z3's memory is looked at.
const MEMORY_INTERVAL: Duration = Duration::from_millis(10);

/// A check that gets no processor for a while has next to nothing left all that time.
const SHORTEST_SLEEP: Duration = Duration::from_micros(100);

/// What is left of a limit for what Z3 allocates until it heeds an interrupt, which on a busy machine comes late; at most
/// half of the limit.
const MARGIN: u64 = 128 << 20;

/// Why a check was interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    Clock,
    Memory,
}

/// The thread, and what it shares with the one that solves. Dropping it ends the thread.
pub(super) struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// The thread has something to look at before it would wake by itself.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    watched: Watched,
    /// When the thread wakes by itself. It is left asleep when a check ends, so that most checks wake nobody.
    wakes_at: Option<Instant>,
    ended: bool,
}

#[derive(Default)]
enum Watched {
    #[default]
    Nothing,
    Check {
        context: Watchable,
        deadline: Deadline,
        memory: u64,
    },
    Interrupted(Cause),
}

/// A context as the thread sees it: something to interrupt.
struct Watchable(Z3_context);

// SAFETY: all the thread does with it is `Z3_interrupt`, which may be called while another thread uses the context.
unsafe impl Send for Watchable {}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the thread does.
    fn keep_watch(&self) {
        let mut state = self.lock();
        while !state.ended {
            let now = Instant::now();
            if let Watched::Check { context, deadline, memory } = &state.watched
                && let Some(cause) = cause(*deadline, *memory)
            {
                // SAFETY: armed, so the context is alive; who wants to disarm waits for the lock held here.
                unsafe { Z3_interrupt(context.0) };
                state.watched = Watched::Interrupted(cause);
            }
            state.wakes_at = match state.watched {
                // What is left of processor time lasts at least as long by the wall clock.
                Watched::Check { deadline, .. } => {
                    Some(now + deadline.left().clamp(SHORTEST_SLEEP, MEMORY_INTERVAL))
                }
                Watched::Nothing | Watched::Interrupted(_) => None,
            };
            state = match state.wakes_at {
                Some(at) => {
                    let woken = self.changed.wait_timeout(state, at.saturating_duration_since(now));
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

/// How much Z3 may count before a check must end: the process grows by 2.0 to 2.4 times that.
fn most_counted(memory: u64) -> u64 {
    (memory - MARGIN.min(memory / 2)) / 12 * 5
}

/// Why a check must end now, if it must.
fn cause(deadline: Deadline, memory: u64) -> Option<Cause> {
    if deadline.is_over() {
        return Some(Cause::Clock);
    }
    // SAFETY: reads a counter of the library, under a lock of its own.
    let counted = unsafe { Z3_get_estimated_alloc_size() };
    (counted > most_counted(memory)).then_some(Cause::Memory)
}

impl Watchdog {
    /// Starts the thread.
    pub(super) fn start() -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let watching = Arc::clone(&shared);
        let thread = Builder::new().name("z3 watchdog".into()).spawn(move || watching.keep_watch())?;
        Ok(Watchdog { shared, thread: Some(thread) })
    }

    /// Interrupts what the context does at the deadline, or when Z3 has allocated more than this many bytes, unless it
    /// is disarmed before.
    ///
    /// # Safety
    /// The context outlives what is returned, which is not leaked.
    pub(super) unsafe fn arm(&self, context: Z3_context, deadline: Deadline, memory: u64) -> Armed<'_> {
        let mut state = self.shared.lock();
        state.watched = Watched::Check { context: Watchable(context), deadline, memory };
        if state.wakes_at.is_none_or(|at| Instant::now() + deadline.left() < at) {
            self.shared.changed.notify_one();
        }
        Armed { shared: &self.shared, one_thread: PhantomData }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.lock().ended = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // The thread cannot panic, and there is nobody to tell while things are dropped.
            let _ = thread.join();
        }
    }
}

/// A check is being watched, until this is dropped.
pub(super) struct Armed<'w> {
    shared: &'w Shared,
    /// Stays on the thread that does the check.
    one_thread: PhantomData<*const ()>,
}

impl Armed<'_> {
    /// Ends the watch: no interrupt comes after this. Tells why one came, if one did.
    pub(super) fn disarm(self) -> Option<Cause> {
        match std::mem::take(&mut self.shared.lock().watched) {
            Watched::Interrupted(cause) => Some(cause),
            Watched::Nothing | Watched::Check { .. } => None,
        }
    }
}

impl Drop for Armed<'_> {
    fn drop(&mut self) {
        self.shared.lock().watched = Watched::Nothing;
    }
}
