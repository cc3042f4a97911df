//! Clauses as a program, for whoever only wants to know which inputs satisfy them.
//!
//! Takes clauses once and inputs as often as wanted; gives whether all clauses hold. Knows no search.

use super::codes::Codes;
use super::compile::Compiler;
use super::program::{Code, Data};
use super::state::State;
use std::sync::Arc;
use tarka_terms::{Assignment, Term, Terms};

/// Compiles clauses, and keeps what was found out about those of the same shape.
#[derive(Debug, Default)]
pub struct Programs {
    compiler: Compiler,
    codes: Codes,
}

impl Programs {
    /// The program of these clauses; nothing if it has more than so many instructions.
    pub fn compile(
        &mut self,
        terms: &Terms,
        clauses: impl Iterator<Item = Term>,
        most: usize,
    ) -> Option<Compiled> {
        let (shape, data) = self.compiler.compile(terms, clauses, most)?;
        Some(Compiled { code: self.codes.of(shape), data })
    }
}

/// Clauses as a program.
#[derive(Debug)]
pub struct Compiled {
    pub(super) code: Arc<Code>,
    pub(super) data: Data,
}

impl Compiled {
    /// How many instructions there are.
    pub fn instructions(&self) -> usize {
        self.code.shape.code.len()
    }

    /// The input bytes that are read, sorted.
    pub fn inputs(&self) -> &[u32] {
        &self.data.inputs
    }

    /// The program with the values of an input.
    pub fn start<'c>(&'c self, input: &dyn Assignment) -> Running<'c> {
        Running { state: State::new(&self.code, &self.data, input) }
    }
}

/// A program that runs on one input after the other.
pub struct Running<'c> {
    pub(super) state: State<'c>,
}

impl Running<'_> {
    /// Gives input bytes, by their position in [`Compiled::inputs`], these values.
    pub fn change(&mut self, changes: &[(usize, u8)]) {
        for (position, value) in changes {
            self.state.write_byte(*position, *value);
        }
    }

    /// Whether these clauses hold, by their position among all.
    pub(crate) fn hold(&mut self, clauses: &[usize]) -> bool {
        self.state.update(u32::MAX);
        clauses.iter().all(|clause| self.state.holds(*clause))
    }

    /// The values of the input bytes, in the order of [`Compiled::inputs`].
    pub(crate) fn bytes(&self) -> &[u8] {
        self.state.bytes()
    }

    /// Instructions run so far.
    pub(crate) fn work(&self) -> u64 {
        self.state.work
    }

    /// Whether all clauses hold.
    pub fn holds(&mut self) -> bool {
        self.state.update(0) && self.state.failing() == 0
    }

    /// Computes everything anew, whatever changed, and says whether all clauses hold.
    pub fn holds_from_scratch(&mut self) -> bool {
        self.state.run_whole();
        self.state.failing() == 0
    }
}
