//! What earlier questions and runs have shown, asked before anything is searched: one layer a file.
//!
//! Takes questions as `simplify` leaves them and hears their answers; gives answers that follow from those. All layers
//! are bounded in memory and in work counted by terms, and none depends on the order of a hash table.

mod cores;
mod exact;
mod models;
mod runs;
mod trial;

pub(crate) use cores::Cores;
pub(crate) use exact::Exact;
pub(crate) use models::Models;
pub(crate) use runs::Runs;
