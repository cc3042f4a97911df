//! The tests of this crate as one program: each is linked with it once.

mod confined;
