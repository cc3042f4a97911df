//! The attack on proofs: what is called infeasible is tried on the plain program of the program before it is told.
//!
//! `tried` keeps what runs were given; `vary` makes new inputs of that; `stopped` says why the target did not follow the plain program;
//! `withdraw` takes back what an input has refuted. The loop of `campaign` runs all of it. Why:
//! docs/design/011-attacked-proofs.md.
//!
//! Never: the clock. So many inputs and no more, so that the same seed gives the same answer.

mod stopped;
mod tried;
mod vary;
mod withdraw;

pub use stopped::stopped;
pub use tried::Tried;
pub use vary::Vary;
pub use withdraw::{Attacked, AttackedGoal, Hit};
