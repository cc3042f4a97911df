//! The integration tests of this crate in one program, so that it is linked once.

#[path = "../../solver/tests/alone/mod.rs"]
mod alone;
mod common;

mod addresses;
mod edges;
mod ends;
mod kept;
mod labels;
mod lengths;
mod refused;
mod server;
