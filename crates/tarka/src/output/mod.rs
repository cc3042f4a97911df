//! What a person reads on the terminal: the live line, and what came of it all.
//!
//! Takes reports and figures, gives text. Never: files, exit statuses.

pub mod fault_lines;
pub mod progress;
pub mod solving;
pub mod summary;
