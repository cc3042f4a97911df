//! What is known of the C library, in one table: what its functions may answer, what they write, what becomes of `errno`,
//! and what Tarka calls instead of them.
//!
//! Takes the name of a function; gives its entry. What C, POSIX and Linux promise is a [`Fact`]: a proof may rest on it.
//! What Tarka leaves untried is a [`Bound`]: where a run meets one, it forbids the proof and is named.
//!
//! Never: C text, types of a program, values of a run.

mod entry;
mod input;
mod table;

pub use entry::{Answers, Bound, Entry, Errno, Fact, Fills, Results};
pub use input::LibraryInput;
pub use table::TABLE;

/// What is known of a function.
pub fn find(name: &str) -> Option<&'static Entry> {
    TABLE.binary_search_by(|entry| entry.name.cmp(name)).ok().map(|index| &TABLE[index])
}

/// What a function may answer, if that can be an input.
pub fn answers(name: &str) -> Option<&'static Answers> {
    find(name).and_then(|entry| entry.answers.as_ref())
}

/// The name to call instead of a library function, if it has a model or a wrapper. A function that the unit defines
/// itself must keep its own name: ask only about declarations.
pub fn replacement(name: &str) -> Option<&'static str> {
    find(name).and_then(|entry| entry.instead)
}

/// True for functions that give nothing the program could depend on: they print, release or end. An allocation is none
/// of them, but what it can do, fail, shows as a condition that always goes one way.
/// The name may be that of our wrapper, without `tkw_`.
pub fn gives_nothing(name: &str) -> bool {
    let is_wrapper = |entry: &Entry| entry.instead.and_then(|ours| ours.strip_prefix("tkw_")) == Some(name);
    let wrapped = || TABLE.iter().find(|entry| is_wrapper(entry));
    find(name).or_else(wrapped).is_some_and(|entry| entry.gives_nothing)
}
