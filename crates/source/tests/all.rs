//! The integration tests of this crate in one program, so that it is linked once.

mod common;

mod errors;
mod expressions;
mod facts;
mod goals;
mod golden;
mod llvm_cov;
mod loops;
mod probes;
mod program;
mod scopes;
mod stable;
