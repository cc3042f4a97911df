//! What happened, for machines and for people: `report.json` and `index.html`, and [`compare`] for strategies side by
//! side.
//!
//! Takes the results and suites of all units; gives the texts of the files. A page is made from the same data as
//! its JSON, so the two cannot disagree.
//! Never: search, solver, running anything, the clock.

mod build;
pub mod compare;
mod html;
mod json;

pub use build::{ReportedUnit, Run, build};
pub use html::page;
pub use json::*;
