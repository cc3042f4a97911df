//! Code addresses to frames of the user's code.
//!
//! Takes the addresses that a run has left; gives functions and places, innermost first. Never: what happened there.

use std::cell::RefCell;
use std::collections::HashMap;

use tarka_instrument::Frame;
use tarka_runner::{End, Run};

use crate::fault_list::Stack;

/// Most call stacks whose frames are remembered.
const MOST_STACKS: usize = 4096;

/// Code addresses to frames. A look into the debug information costs more than a run, and runs of a unit fail in the same
/// places.
pub struct Stacks<'a> {
    symbols: &'a dyn Fn(u64) -> Vec<Frame>,
    known: RefCell<HashMap<Vec<u64>, Stack>>,
}

impl<'a> Stacks<'a> {
    /// Frames of one executable; `symbols` gives those at a code address.
    pub fn new(symbols: &'a dyn Fn(u64) -> Vec<Frame>) -> Stacks<'a> {
        Stacks { symbols, known: RefCell::default() }
    }

    /// The frames of a run's end. None for a run that ended by itself.
    pub fn of_end(&self, run: &Run) -> Stack {
        match run.end() {
            End::Returned | End::Exited(_) | End::InputBound | End::Assumption(_) => Vec::new(),
            _ => self.of(run.backtrace()),
        }
    }

    /// Where the object was allocated and freed that the end of a run is about, as far as that is known.
    pub(crate) fn related(&self, run: &Run) -> Stack {
        let known = [("allocated here", run.allocated_at()), ("freed here", run.freed_at())];
        let place = |addresses| self.of(addresses).into_iter().next().map(|(_, place)| place);
        known.into_iter().filter_map(|(words, at)| Some((words.to_string(), place(at)?))).collect()
    }

    /// The frames that have a place, innermost first, so a crash in a library function is placed where it was called.
    pub fn of(&self, addresses: &[u64]) -> Stack {
        let mut known = self.known.borrow_mut();
        if let Some(frames) = known.get(addresses) {
            return frames.clone();
        }
        // All but the first are return addresses: one less lies inside the call.
        let places = addresses.iter().enumerate();
        let frames =
            places.flat_map(|(index, &address)| (self.symbols)(address.saturating_sub((index > 0).into())));
        let frames: Stack = frames.filter_map(|frame| Some((frame.function, frame.place?))).collect();
        if known.len() >= MOST_STACKS {
            known.clear();
        }
        known.insert(addresses.to_vec(), frames.clone());
        frames
    }
}
