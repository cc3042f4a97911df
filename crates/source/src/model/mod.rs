//! The source model: plain data about one translation unit, and what can be asked of it without the source.
//!
//! Takes nothing but itself; gives functions, sites, types and their C text, the control-flow graph over sites, and the goals
//! of a criterion. Never: libclang, files.

pub mod cfg;
mod declare;
pub mod goals;
mod join;
pub mod place;
mod program;
mod scope;
mod source_model;
pub mod types;
mod unify;

pub use declare::{base_name, declare, declare_pointer, type_name};
pub use program::{FirstIds, LeftOut, OtherFile, Program, views};
pub use scope::GoalScope;
pub use source_model::*;
