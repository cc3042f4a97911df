//! Places that belong to a memory fault: where the object was allocated and where it was freed.
//!
//! Takes a run that ended with a fault; gives words and places for [`tarka_events::Fault::related`].

use tarka_instrument::Symboliser;
use tarka_runner::Run;
use tarka_source::Place;

/// Where the object was allocated and freed that the end of a run is about, as far as that is known.
pub(crate) fn related(symboliser: &Symboliser, run: &Run) -> Vec<(String, Place)> {
    let places = [("allocated here", run.allocated_at()), ("freed here", run.freed_at())];
    let found = places
        .into_iter()
        .filter_map(|(words, addresses)| Some((words.to_string(), innermost(symboliser, addresses)?)));
    found.collect()
}

/// The innermost place in the user's code.
fn innermost(symboliser: &Symboliser, addresses: &[u64]) -> Option<Place> {
    let addresses = addresses.iter().enumerate();
    // All but the first are return addresses: one less lies inside the call.
    let mut frames =
        addresses.flat_map(|(index, &address)| symboliser.frames(address.saturating_sub((index > 0).into())));
    frames.find_map(|frame| frame.place)
}
