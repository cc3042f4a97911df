//! From labels to terms.
//!
//! Takes one run's label table, gives the term of any label, each node translated at most once and only when asked
//! for; what the run before has in common with it is not translated again (`shared.rs`). Chains may be millions of nodes long, so translation keeps its own stack. One file per family of operations.
//!
//! A node that makes no sense (a width that does not fit, an unknown operation) has no term: the caller treats its
//! value as concrete and says that something was lost.

mod floating;
mod integer;
mod memory;
mod shared;

pub use shared::Imports;

use tarka_terms::{Term, Terms};
use tarka_trace::{Label, Node, Op, input_offset, node_index};

use crate::RunTrace;

/// Translates the labels of one run.
pub struct Importer<'a> {
    trace: &'a RunTrace<'a>,
    imports: Imports,
    open: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
enum Slot {
    New,
    Ready(Term),
    Broken,
}

impl<'a> Importer<'a> {
    /// For one run alone.
    pub fn new(terms: &Terms, trace: &'a RunTrace<'a>) -> Importer<'a> {
        Importer::after(Imports::default(), terms, trace)
    }

    /// For one run, with what the run before left.
    pub fn after(mut before: Imports, terms: &Terms, trace: &'a RunTrace<'a>) -> Importer<'a> {
        before.continue_with(terms, trace);
        Importer { trace, imports: before, open: Vec::new() }
    }

    /// What is left for the next run.
    pub fn into_imports(self) -> Imports {
        self.imports
    }

    /// The term of a label; `None` for label 0 and for labels whose nodes make no sense.
    pub fn import(&mut self, terms: &mut Terms, label: Label) -> Option<Term> {
        let Some(index) = node_index(label) else { return self.known(terms, label) };
        self.open.push(index);
        while let Some(&next) = self.open.last() {
            let waiting = self.open.len();
            if matches!(self.imports.done.get(next as usize), Some(Slot::New)) {
                let node = self.trace.nodes[next as usize];
                self.queue_operands(next, &node);
                if self.open.len() > waiting {
                    continue;
                }
                self.imports.done[next as usize] = match self.translate(terms, &node) {
                    Some(term) => Slot::Ready(term),
                    None => Slot::Broken,
                };
            }
            self.open.pop();
        }
        self.known(terms, label)
    }

    /// The term of a label that needs no further translation.
    fn known(&self, terms: &mut Terms, label: Label) -> Option<Term> {
        if let Some(offset) = input_offset(label) {
            return Some(terms.input(offset));
        }
        match self.imports.done.get(node_index(label)? as usize) {
            Some(Slot::Ready(term)) => Some(*term),
            _ => None,
        }
    }

    fn queue_operands(&mut self, own: u32, node: &Node) {
        let Some(op) = Op::from_u8(node.op) else { return };
        for label in [node.a, node.b, node.c].into_iter().take(op.arity() as usize) {
            self.queue(own, label);
        }
        if op == Op::Read {
            self.queue_table(own, node.b);
        }
    }

    /// Operands are always older than the node; anything else is a broken record and stays untranslated.
    fn queue(&mut self, own: u32, label: Label) {
        if let Some(index) = node_index(label)
            && index < own
            && matches!(self.imports.done[index as usize], Slot::New)
        {
            self.open.push(index);
        }
    }

    fn translate(&mut self, terms: &mut Terms, node: &Node) -> Option<Term> {
        let op = Op::from_u8(node.op)?;
        if !(1..=tarka_terms::MAX_WIDTH).contains(&node.width) {
            return None;
        }
        let term = match op.arity() {
            0 => Some(memory::constant(terms, node)),
            1 if op == Op::Read => self.read(terms, node),
            _ => {
                let operand = |importer: &Self, terms: &mut Terms, label| importer.known(terms, label);
                let a = operand(self, terms, node.a)?;
                match op.arity() {
                    1 => integer::unary(terms, op, node, a).or_else(|| floating::unary(terms, op, node, a)),
                    2 => {
                        let b = operand(self, terms, node.b)?;
                        binary(terms, op, node, a, b)
                    }
                    _ => {
                        let (b, c) = (operand(self, terms, node.b)?, operand(self, terms, node.c)?);
                        ternary(terms, op, [a, b, c])
                    }
                }
            }
        }?;
        (terms.width(term) == node.width).then_some(term)
    }
}

fn binary(terms: &mut Terms, op: Op, node: &Node, a: Term, b: Term) -> Option<Term> {
    if op == Op::Concat {
        let fits = terms.width(a) + terms.width(b) == node.width;
        return fits.then(|| terms.concat(a, b));
    }
    if terms.width(a) != terms.width(b) {
        return None;
    }
    integer::binary(terms, op, a, b).or_else(|| floating::binary(terms, op, node, a, b))
}

fn ternary(terms: &mut Terms, op: Op, [a, b, c]: [Term; 3]) -> Option<Term> {
    match op {
        Op::Ite if terms.width(a) == 1 && terms.width(b) == terms.width(c) => Some(terms.ite(a, b, c)),
        Op::FFma => floating::fused(terms, [a, b, c]),
        _ => None,
    }
}
