//! Work side by side, results in order.
//!
//! Takes a number of threads and work by number; gives the results in the order of the numbers. Whoever waits for work that
//! it handed out takes up other work meanwhile, so waiting costs no thread. Never: what the work is.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// Bytes of a thread's stack: a thread that waits takes up work of other files on top of its own.
const STACK: usize = 256 << 20;

/// Runs something in a pool of so many threads.
pub(crate) fn with<T: Send>(
    threads: usize,
    work: impl FnOnce() -> T + Send,
) -> Result<T, rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).stack_size(STACK).build()?;
    Ok(pool.install(work))
}

/// Does the work of all numbers, those that come first begun first.
pub(crate) fn in_order<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let slots: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    rayon::scope_fifo(|scope| {
        for (number, slot) in slots.iter().enumerate() {
            let work = &work;
            scope.spawn_fifo(move |_| {
                let result = work(number);
                *slot.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(result);
            });
        }
    });
    let results =
        slots.into_iter().map(|slot| slot.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()));
    results.flatten().collect()
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

    #[test]
    fn results_come_in_order_whatever_is_done_first() {
        let work = |number: usize| {
            let inner = in_order(3, |part| number * 10 + part);
            std::thread::sleep(std::time::Duration::from_millis(5 * (4 - number as u64)));
            inner
        };
        for threads in [1, 4] {
            let results = with(threads, || in_order(4, work)).unwrap();
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
