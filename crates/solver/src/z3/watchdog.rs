//! The wall clock of a Z3 context: a thread that interrupts a check whose time is up.
//!
//! Takes a context and a deadline for the length of one check; says afterwards whether the check was interrupted. Z3 has a
//! `timeout` parameter of its own, but its timers are threads that libz3 ends before every `fork` of the process and waits
//! for while they are busy (4.8.12): a thread that forks and a thread that solves could then wait for ever.
//!
//! Never holds on to a context outside a check, and never interrupts after a check was disarmed.

use std::io;
use std::marker::PhantomData;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Instant;
use z3_sys::{Z3_context, Z3_interrupt};

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
        deadline: Instant,
    },
    Interrupted,
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
            if let Watched::Check { context, deadline } = &state.watched
                && *deadline <= now
            {
                // SAFETY: armed, so the context is alive; who wants to disarm waits for the lock held here.
                unsafe { Z3_interrupt(context.0) };
                state.watched = Watched::Interrupted;
            }
            state.wakes_at = match state.watched {
                Watched::Check { deadline, .. } => Some(deadline),
                Watched::Nothing | Watched::Interrupted => None,
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

impl Watchdog {
    /// Starts the thread.
    pub(super) fn start() -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let watching = Arc::clone(&shared);
        let thread = Builder::new().name("z3 watchdog".into()).spawn(move || watching.keep_watch())?;
        Ok(Watchdog { shared, thread: Some(thread) })
    }

    /// Interrupts what the context does at the deadline, unless it is disarmed before.
    ///
    /// # Safety
    /// The context outlives what is returned, which is not leaked.
    pub(super) unsafe fn arm(&self, context: Z3_context, deadline: Instant) -> Armed<'_> {
        let mut state = self.shared.lock();
        state.watched = Watched::Check { context: Watchable(context), deadline };
        if state.wakes_at.is_none_or(|at| deadline < at) {
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
    /// Ends the watch: no interrupt comes after this. Tells whether one came.
    pub(super) fn disarm(self) -> bool {
        let watched = std::mem::take(&mut self.shared.lock().watched);
        matches!(watched, Watched::Interrupted)
    }
}

impl Drop for Armed<'_> {
    fn drop(&mut self) {
        self.shared.lock().watched = Watched::Nothing;
    }
}
