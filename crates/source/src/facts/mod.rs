//! What the bodies of functions say about their data, beyond what their types say.
//!
//! Takes bodies and declarations; gives facts: what counts what, how far pointers reach, what a tag selects, what conditions
//! ask, what is mentioned. `flow` is what most of them look at, and `collector` fills it; each of the others is one fact.
//! Never: values, and what a fact is used for.

pub(crate) mod asked;
pub(crate) mod attributes;
pub(crate) mod called;
pub(crate) mod casts;
pub(crate) mod collector;
pub(crate) mod containers;
pub(crate) mod fixed;
pub(crate) mod flow;
pub(crate) mod handed;
pub(crate) mod inlines;
pub(crate) mod macros;
pub(crate) mod names;
pub(crate) mod pairs;
pub(crate) mod reaches;
pub(crate) mod stable;
pub(crate) mod tags;
pub(crate) mod uses;
pub(crate) mod within;
