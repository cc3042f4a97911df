//! Verdicts: what is proved of a goal, by what, and what leaves a doubt.
//!
//! Takes the end of a search and what was lost on the way; gives every goal its verdict in words. A goal is called infeasible
//! only where nothing that may lead to it is in doubt, and every proof is attacked before it is told.
//!
//! `verdict` judges, `goal` and `pairing` describe, `contradiction` proves branches impossible, `preconditions` says what the
//! user rules out; `lost`, `losses`, `refusal`, `environment` and `obstacles` say what was missed, `since` from where on that
//! matters, `doubt` what a goal makes of it; `attack` has what holds proofs to the plain program.
//!
//! Never: running anything, choosing inputs of the search, the clock.

mod attack;
mod contradiction;
mod doubt;
mod environment;
mod goal;
mod losses;
mod lost;
mod obstacles;
mod pairing;
mod preconditions;
mod refusal;
mod since;
mod verdict;
mod words;

pub use attack::{Attacked, AttackedGoal, Hit, Tried, Vary, stopped};
pub use contradiction::{Contradictions, Derived, Means, Stable};
pub use doubt::{Doubt, Doubts};
pub use environment::{Environment, Outside, allocations};
pub use goal::goal_place;
pub use losses::{Counts, Losses};
pub use lost::{looked_at, note_losses};
pub use obstacles::{Obstacles, Seen};
pub use preconditions::{Preconditions, Refusal};
pub use refusal::{Refusals, Refused};
pub use since::Since;
pub use verdict::{Ending, Grounds, UsedUp, status};
pub use words::count;
