//! What happened, for machines and for people: `report.json` and `index.html`.
//!
//! Takes the results and suites of all units; gives the texts of both files. The page is made from the same data as
//! the JSON, so the two cannot disagree.
//! Never: search, solver, running anything, the clock.

mod build;
mod html;
mod json;

pub use build::{ReportedUnit, Run, build};
pub use html::page;
pub use json::*;
