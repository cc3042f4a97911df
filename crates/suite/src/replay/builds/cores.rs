//! How much of the machine is in use: a permit for each piece of work that keeps a core busy.
//!
//! Takes how many cores there are to use; gives a permit when one is free. Whoever waits for another's work holds none.

use std::sync::{Condvar, Mutex, PoisonError};

/// The cores that may be used.
pub struct Cores {
    free: Mutex<usize>,
    changed: Condvar,
}

/// The use of one core, until it is dropped.
pub struct Core<'c>(&'c Cores);

impl Cores {
    /// So many, at least one.
    pub fn new(count: usize) -> Cores {
        Cores { free: Mutex::new(count.max(1)), changed: Condvar::new() }
    }

    /// Waits until one is free.
    pub fn take(&self) -> Core<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free =
            self.changed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Core(self)
    }
}

impl Drop for Core<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn never_more_at_work_than_there_are() {
        let (cores, now, most) = (Cores::new(2), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _core = cores.take();
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(std::time::Duration::from_millis(5));
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(most.into_inner(), 2);
    }
}
