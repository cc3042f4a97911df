//! Trees and texts of C, as everything else here reads them.
//!
//! `tree` is the body of one function in order, `body` answers what its nodes refer to, `bytes` and `text` read bytes and tokens, and `view` tells
//! places and texts as the user wrote them. Never: what a construct means for a test.

pub(crate) mod body;
pub(crate) mod bytes;
pub(crate) mod text;
pub(crate) mod tree;
pub(crate) mod view;
