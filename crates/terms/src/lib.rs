//! The constraint language: hash-consed terms over input bytes, rewritten as they are built, and their evaluation.
//!
//! Takes operations on bit vectors of 1 to 128 bits (a truth value is one bit; floating operations read and give IEEE
//! bit patterns of 32 or 64 bits, or the 80 of x87); gives [`Term`]s of a [`Terms`] store, in which equal terms are the same number, and
//! the value of a term under an [`Assignment`] of the input bytes. Every algorithm here is a loop over an explicit
//! stack, because a run may build a term a million operations deep.
//!
//! Never knows a solver, a trace or a file.
//!
//! ```
//! use tarka_terms::{BinaryOp, Evaluator, Terms};
//!
//! let mut terms = Terms::new();
//! let (low, high) = (terms.input(0), terms.input(1));
//! let word = terms.concat(high, low);
//! let limit = terms.constant(16, 1000);
//! let above = terms.binary(BinaryOp::Ult, limit, word);
//! assert_eq!(terms.inputs(above), [0, 1]);
//! assert_eq!(Evaluator::new().eval(&terms, above, &[0xe9, 0x03].as_slice()), 1); // 1001 > 1000
//! ```

mod build;
mod display;
mod eval;
mod lower;
mod node;
mod op;
mod rewrite;
pub mod semantics;
mod store;
mod substitute;
mod support;

pub use display::Display;
pub use eval::{Assignment, Evaluator};
pub use node::{Node, TableId, Term};
pub use op::{BinaryOp, ConvertOp, UnaryOp, predicate};
pub use rewrite::{RuleName, rule_names};
pub use store::Terms;
pub use substitute::Substitution;
pub use support::{Parts, Support};

/// The widest bit vector, in bits.
pub const MAX_WIDTH: u16 = 128;
