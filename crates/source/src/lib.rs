//! What the C source says: functions, types with their layout, decisions, conditions, switches and statements.
//!
//! Takes a C file and its compiler flags; gives a [`SourceModel`]: everything the user wrote, with places in the
//! user's own terms, and one preprocessed text in which every atomic condition and every switch is wrapped in a probe.
//!
//! Never: LLVM, running the user's code, search.

mod analyse;
mod clang;
mod compiler;
mod error;
mod expression;
mod facts;
mod layout;
pub mod model;
mod probes;
pub mod stub;
mod syntax;

pub use analyse::{SourceRequest, analyse, analyse_part};
pub use compiler::{TOLERATED, find_clang, warnings_stay_warnings};
pub use error::SourceError;
pub use expression::{ExpressionError, assume_parameters, check_expression, expand_expression};
pub use facts::names::is_count_name;
pub use goals::{
    Criterion, EvaluationKey, EvaluationStep, Evidence, GoalKind, covered, goals_of, independence_pair,
    outcome_count,
};
pub use model::*;
pub use place::Place;
pub use stub::*;
pub use syntax::bytes::{literals_escaped, readable};
pub use tarka_library::LibraryInput;
pub use tarka_scenario::StubPart;
pub use types::*;
