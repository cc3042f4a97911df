//! A scenario and what was seen of it, as a tree of C.
//!
//! `test` puts a tree of declarations, statements and checks together, the types of which are in `tree`: `scene` names and
//! declares the objects, `scripts` says what stubs do, `observe` what to check, `scalar`, `literal` and `errno` spell values.
//! `goal_words` and `way` speak of goals and of the way to a fault. Never: layout, files, processes.

pub(crate) mod errno;
pub(crate) mod goal_words;
pub(crate) mod literal;
pub(crate) mod observe;
pub(crate) mod scalar;
pub(crate) mod scene;
pub(crate) mod scripts;
pub(crate) mod test;
pub(crate) mod tree;
pub(crate) mod way;
