//! The integration tests of this crate in one program, so that it is linked once.

mod judges;
#[path = "../../report/tests/schema/mod.rs"]
mod schema;

mod aim;
mod bad_input;
mod bubble;
mod by_tests;
mod cache;
mod commands;
mod compare;
mod confined;
mod copies;
mod criteria;
mod examples;
mod faults;
mod hostile;
mod house;
mod inputs;
mod kept;
mod library;
mod mcdc;
mod odd;
mod papers;
mod program;
mod project;
mod resume;
mod scopes;
mod shapes;
mod subjects;
mod trust;
mod trust_faults;
mod verdicts;
