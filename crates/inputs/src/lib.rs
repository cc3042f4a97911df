//! The inputs of a unit: a scenario, the bytes of it in the arena, and what the solver may choose for each byte.
//!
//! Takes the unit's roots and types, and what runs did with the inputs so far; gives the bytes and objects of an input, the
//! domain of each byte as a term, larger and simpler inputs, inputs whose pointers share objects, and the record of a run
//! as a scenario. What no input can be is said with its reason, so that a bound hands over its doubt.
//!
//! `shape` says which bytes exist and what they mean, `epochs` how large inputs may get, `aliases` which pointers may share
//! an object, `depends` which clauses belong together, `simplify` which values may be simpler, `replay_input` what a run was
//! given; `handed` hands an input over to another program, and `subject` names what all of this is for.
//!
//! Never: running anything, asking the solver, what is covered or proved, the clock.

mod aliases;
mod depends;
mod epochs;
mod plain_input;
mod replay_input;
mod shape;
mod simplify;
mod subject;

pub use aliases::{Aliases, stays};
pub use depends::depends_on;
pub use epochs::{Epochs, Met, effort};
pub use plain_input::PlainInputs;
pub use replay_input::ReplayInput;
pub use shape::{
    ArenaAfter, DomainWidth, InputBytes, KeptZero, Leaf, LeafKind, Misled, Needed, ObjectShape, OnlyNull,
    Overruns, Placement, Ranges, Shape, ShapeLimits, ShapeRequest, SlotPath, Touches, why_not_testable,
};
pub use simplify::{Change, Path, simplify};
pub use subject::Subject;
