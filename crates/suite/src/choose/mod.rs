//! Which runs become tests: the fewest that together show what all of them show.
//!
//! Takes what each run shows, gives the chosen ones. `choice` asks, `select` finds a small suite, `covering` is the problem
//! of the smallest one and `smallest` solves it. Never: C text, files, processes.

pub(crate) mod bits;
pub(crate) mod choice;
pub(crate) mod covering;
pub(crate) mod select;
pub(crate) mod smallest;
