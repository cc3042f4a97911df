//! Files and folders: which are C, which a folder holds, and which a glob means.
//!
//! Takes paths; gives paths. Never: reads a source beyond its first lines.

mod language;
mod pattern;
mod walk;

pub use language::Language;
pub use pattern::{Exclude, Glob};
pub use walk::below;
