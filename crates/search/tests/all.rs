//! The integration tests of this crate in one program, so that it is linked once.

mod toy;

mod again;
mod construct;
mod coverage;
mod epochs;
mod filter_oracle;
mod import;
mod preconditions;
mod relevance;
mod strategies;
mod tree;
mod ways_left;
