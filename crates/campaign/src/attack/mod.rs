//! The attack on proofs: what is called infeasible is tried on the plain twin of the program before it is told.
//!
//! `twin` builds the twin of a file when the first proof asks for it and hands inputs over; `tried` keeps what runs were
//! given; `vary` makes new inputs of that; `withdraw` takes back what an input has refuted. The unit's loop runs all of it
//! (`unit/attack.rs`). Why: docs/design/011-attacked-proofs.md.
//!
//! Never: the clock. So many inputs and no more, so that the same seed gives the same answer.

mod tried;
mod twin;
mod vary;
mod withdraw;

pub(crate) use tried::Tried;
pub(crate) use twin::{HandedOver, Twin};
pub(crate) use vary::Vary;
pub(crate) use withdraw::{Attacked, AttackedGoal, Hit};
