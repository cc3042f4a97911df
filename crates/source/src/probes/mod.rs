//! From the tree of a body to the text with probes in it.
//!
//! `walk` finds conditions, switches and statements by the rules of clang's coverage mapping, `fold` and `assertion` say which
//! conditions have no two sides or check nothing for callers, `statement_probe` says where a statement's probe goes, and
//! `rewrite` puts all probes in. Never: what probes do when they run.

pub(crate) mod assertion;
pub(crate) mod fold;
pub(crate) mod rewrite;
pub(crate) mod statement_probe;
pub(crate) mod walk;
