//! Numbers in sentences.
//!
//! Takes a number and a noun, gives both. Never: what is counted.

/// `1 run`, `2 runs`.
pub fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
