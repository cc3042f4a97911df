//! What the C source says: functions, types with their layout, decisions, conditions, switches and statements.
//!
//! Takes a C file and its compiler flags; gives a [`SourceModel`]: everything the user wrote, with places in the
//! user's own terms, and one preprocessed text in which every atomic condition and every switch is wrapped in a probe.
//!
//! Never: LLVM, running the user's code, search.

mod analyse;
mod asked;
mod assertion;
mod attributes;
mod body;
mod casts;
pub mod cfg;
mod clang;
mod collector;
mod compiler;
mod containers;
mod declare;
mod error;
mod expression;
mod fixed;
mod flow;
mod fold;
pub mod goals;
mod handed;
mod layout;
mod library;
pub mod model;
mod names;
mod pairs;
pub mod place;
mod reaches;
mod rewrite;
mod stable;
mod statement_probe;
pub mod stub;
mod tags;
mod text;
mod tree;
pub mod types;
mod uses;
mod view;
mod walk;
mod within;

pub use analyse::{SourceRequest, analyse};
pub use compiler::find_clang;
pub use declare::{base_name, declare, declare_pointer, type_name};
pub use error::SourceError;
pub use expression::{ExpressionError, assume_parameters, check_expression, expand_expression};
pub use goals::{
    Criterion, EvaluationKey, Evidence, GoalKind, Step, covered, goals_of, independence_pair, outcome_count,
};
pub use model::*;
pub use names::is_count_name;
pub use place::Place;
pub use stub::*;
pub use tarka_library::LibraryInput;
pub use tarka_scenario::StubPart;
pub use types::*;
