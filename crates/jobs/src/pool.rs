//! Work side by side, results in order.
//!
//! Takes work by number; a pool does all of it, here on the threads of this machine. Gives the results in the order of the
//! numbers. Work that mostly waits for others, as replays do, has threads beside the pool. Whoever waits for work that it handed out takes up other work meanwhile, so waiting costs no thread.
//! Never: what the work is.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};

use crate::JobError;

/// Bytes of a thread's stack: a thread that waits takes up work of other files on top of its own.
const STACK: usize = 256 << 20;

/// Whoever can do work.
pub trait Pool: Sync {
    /// Does the work of every number below `count`, in any order, and comes back when all of it is done. Work may hand out more
    /// work to the same pool.
    fn all(&self, count: usize, work: &(dyn Fn(usize) + Sync));
}

/// Threads of this process.
pub struct Threads(rayon::ThreadPool);

impl Threads {
    /// So many of them, at least one.
    pub fn new(threads: usize) -> Result<Threads, JobError> {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).stack_size(STACK);
        Ok(Threads(builder.build()?))
    }
}

impl Pool for Threads {
    fn all(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        // First come, first served: results are shown as they come, and the first files are those the user named first.
        self.0.in_place_scope_fifo(|scope| {
            for number in 0..count {
                scope.spawn_fifo(move |_| work(number));
            }
        });
    }
}

/// Does the work of all numbers; the results come in their order.
pub(crate) fn in_order<T: Send>(pool: &dyn Pool, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let slots: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    pool.all(count, &|number| {
        let result = work(number);
        *slots[number].lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(result);
    });
    let results =
        slots.into_iter().map(|slot| slot.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()));
    results.flatten().collect()
}

/// Bytes of the stack of a thread that writes tests.
const WRITER_STACK: usize = 64 << 20;

/// Begins work that mostly waits for others, on a thread of its own; where there is none to be had, does it at once.
pub(crate) fn beside<'scope, 'env, I: Send + 'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    input: I,
    work: impl FnOnce(I) -> T + Send + Clone + 'scope,
) -> Beside<'scope, T> {
    let input = Arc::new(Mutex::new(Some(input)));
    let take = |input: &Mutex<Option<I>>| input.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (theirs, do_it) = (input.clone(), work.clone());
    let thread = std::thread::Builder::new().stack_size(WRITER_STACK);
    match thread.spawn_scoped(scope, move || take(&theirs).map(do_it)) {
        Ok(thread) => Beside::Begun(thread),
        Err(_) => Beside::Done(take(&input).map(work)),
    }
}

/// Work that was begun.
pub(crate) enum Beside<'scope, T> {
    Begun(ScopedJoinHandle<'scope, Option<T>>),
    Done(Option<T>),
}

impl<T> Beside<'_, T> {
    /// What it gives; nothing if it panicked.
    pub(crate) fn result(self) -> Option<T> {
        match self {
            Beside::Begun(thread) => thread.join().ok().flatten(),
            Beside::Done(result) => result,
        }
    }
}

/// What the work gives, or what a panic in it says.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pool that begins with the last.
    struct Backwards;

    impl Pool for Backwards {
        fn all(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
            (0..count).rev().for_each(work);
        }
    }

    #[test]
    fn results_come_in_order_whatever_is_done_first() {
        let pools: [&dyn Pool; 3] = [&Threads::new(1).unwrap(), &Threads::new(4).unwrap(), &Backwards];
        for pool in pools {
            let work = |number: usize| {
                let inner = in_order(pool, 3, |part| number * 10 + part);
                std::thread::sleep(std::time::Duration::from_millis(5 * (4 - number as u64)));
                inner
            };
            let results = in_order(pool, 4, work);
            assert_eq!(results.concat(), [0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32]);
        }
    }

    #[test]
    fn a_panic_is_told_in_its_own_words() {
        assert_eq!(guarded(|| 7), Ok(7));
        assert_eq!(guarded(|| panic!("broken {}", 1)), Err::<(), _>("broken 1".to_string()));
        assert_eq!(guarded(|| panic!("broken")), Err::<(), _>("broken".to_string()));
    }
}
