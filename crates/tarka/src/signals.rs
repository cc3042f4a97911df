//! Ctrl-C and SIGTERM: the first asks for an early end, the second ends at once.
//!
//! Takes the flag that the work looks at; gives the signal that came, for whoever ends the process as it asks. Never: what is
//! left to do before the end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::low_level::emulate_default_handler;
use tarka_campaign::Interrupt;

/// The status of a process that is ended at once, as a shell tells it.
const AT_ONCE: i32 = 130;

/// Watches for signals from now on.
pub struct Signals {
    came: Arc<AtomicUsize>,
}

impl Signals {
    /// Sets the flag when a signal comes.
    pub fn watch(interrupt: &Interrupt) -> io::Result<Signals> {
        let came = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag unset.
            flag::register_conditional_shutdown(signal, AT_ONCE, Arc::clone(&interrupt.0))?;
            flag::register(signal, Arc::clone(&interrupt.0))?;
            flag::register_usize(signal, Arc::clone(&came), signal as usize)?;
        }
        Ok(Signals { came })
    }

    /// Ends the process as the signal that came asks, if one came.
    pub fn end(&self) {
        let signal = self.came.load(Ordering::Relaxed) as i32;
        if signal != 0 {
            let _ = emulate_default_handler(signal);
        }
    }
}
