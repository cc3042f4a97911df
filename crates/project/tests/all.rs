//! The tests of this crate.

mod found;
