//! `tarka compare`: strategies side by side, for machines and for people.
//!
//! Takes the results of every strategy and seed on the same units; gives `compare.json` and `compare.html`, both from the
//! same data. `figures` works out what is compared, `mann_whitney` whether a difference may be chance, `table` puts it into
//! words and `curves` draws it.
//! Never: running anything, choosing what is compared.

mod curves;
mod figures;
mod json;
mod mann_whitney;
mod page;
mod table;

pub use figures::{CompareRun, compare};
pub use json::*;
pub use mann_whitney::{MannWhitney, mann_whitney};
pub use page::compare_page;
pub use table::{Table, difference_words, headline, total_table, unit_table};
