//! What a person reads on the terminal: the live line, and what came of it all.
//!
//! Takes reports and figures, gives text. Never: files, exit statuses.

use std::io::Write;

/// A line on standard output. Who reads it may have seen enough and gone away, which is no error of ours.
macro_rules! say {
    ($($words:tt)*) => { $crate::output::say_line(format_args!($($words)*)) };
}
pub(crate) use say;

/// See [`say!`].
pub fn say_line(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

pub mod fault_lines;
pub mod progress;
pub mod solving;
pub mod summary;
