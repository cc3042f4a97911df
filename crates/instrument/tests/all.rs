//! The integration tests of this crate in one program, so that it is linked once.

mod support;

mod calls_and_assumptions;
mod csmith;
mod end_to_end;
mod evaluations;
mod golden;
mod graph;
mod inputs;
mod lengths;
mod long_double;
mod lost;
mod math;
mod plain;
mod stand_ins;
mod types;
mod uninitialised;
