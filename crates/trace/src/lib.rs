//! The contract between an instrumented target and the engine.
//!
//! Takes nothing, gives: addresses, label encoding, record layouts, the operation table, the hook table and a
//! version. Both sides are made from these definitions: the engine reads the shared memory through the structs below,
//! and the target's C header is written from the same tables by [`write_c_header`].
//!
//! Never: allocation, operating system, LLVM, policy.
#![no_std]

mod end;
mod fault;
mod header;
mod hooks;
mod label;
mod layout;
mod op;
mod record;

pub use end::EndKind;
pub use fault::{FaultKind, FaultSet};
pub use header::write_c_header;
pub use hooks::{HOOKS, Hook, HookType};
pub use label::{Label, ShadowEntry, input_label, input_offset, node_index, node_label};
pub use layout::*;
pub use op::{FCMP_PREDICATES, Op};
pub use record::{
    Attempt, CHECK_OF_GUESS, CHECK_OF_NULL, ComparedWord, Evaluation, EventKind, FaultRecord, Header,
    LongText, Node, Object, TableHeader, TraceEvent, flag,
};
