//! Who runs inputs: the target, the frames of its code, and the pool of inputs.
//!
//! Takes inputs, gives runs. Never: what a run means.

use tarka_faults::Stacks;
use tarka_instrument::Frame;

use super::input_pool::InputPool;
use super::job::Job;
use crate::target::Target;

/// The target with what it is given.
pub(super) struct Executor<'a> {
    pub target: Box<dyn Target + 'a>,
    pub stacks: Stacks<'a>,
    pub input_pool: InputPool<'a>,
}

impl<'a> Executor<'a> {
    /// Before the first run.
    pub(super) fn new(
        job: &Job<'a>,
        target: Box<dyn Target + 'a>,
        symbols: &'a dyn Fn(u64) -> Vec<Frame>,
    ) -> Executor<'a> {
        Executor { target, stacks: Stacks::new(symbols), input_pool: InputPool::new(job) }
    }
}
