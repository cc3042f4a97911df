//! The integration tests of this crate in one program, so that it is linked once.

mod random;

mod differential;
mod extended;
