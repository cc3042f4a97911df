//! The integration tests of this crate in one program, so that it is linked once.

mod made;
mod schema;

mod browser;
mod compare;
mod docs;
mod faults;
mod report;
mod sarif;
