//! See the crate table in ARCHITECTURE.md.
