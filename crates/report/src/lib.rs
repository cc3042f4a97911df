//! What happened, for machines and for people: `report.json`, `faults.sarif` and `index.html`, and [`compare`] for
//! strategies side by side.
//!
//! Takes the results and suites of all units; gives the texts of the files. A page is made from the same data as
//! its JSON, so the two cannot disagree.
//! Never: search, solver, running anything, the clock.

mod baseline;
mod build;
mod build_faults;
pub mod compare;
mod fault;
mod fingerprint;
mod html;
mod json;
mod sarif;
mod silence;
mod sources;
mod tarka_toml;
mod totals;

pub use baseline::{Baseline, ClassChange, Compared, EarlierFault};
pub use build::{ReportedUnit, Run, build};
pub use fault::*;
pub use html::page;
pub use json::*;
pub use sarif::sarif;
pub use totals::{Totals, totals};
