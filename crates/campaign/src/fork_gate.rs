//! Keeps the solver and the starting of servers apart.
//!
//! libz3 ends its timer threads before every `fork` of the process and waits for those that are busy; two threads that
//! fork at the same time then wait for each other for ever (seen with 4.8.12). So a server is only started while no
//! question is being solved and no other server is being started. Runs themselves are not concerned: their forks
//! happen in the server.

use std::sync::{PoisonError, RwLock};

static GATE: RwLock<()> = RwLock::new(());

/// Does something that may call the SMT solver.
pub(crate) fn while_solving<T>(work: impl FnOnce() -> T) -> T {
    let _open = GATE.read().unwrap_or_else(PoisonError::into_inner);
    work()
}

/// Does something that may fork this process.
pub(crate) fn while_forking<T>(work: impl FnOnce() -> T) -> T {
    let _closed = GATE.write().unwrap_or_else(PoisonError::into_inner);
    work()
}
