//! The integration tests of this crate in one program, so that it is linked once.

mod unit;

mod confirm;
mod demoted;
mod globals;
mod pointers;
mod refuted;
mod replay;
mod shapes;
mod shown;
mod stubs;
mod values;
