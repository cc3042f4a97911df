//! From the clauses of a question to a program.
//!
//! Takes terms; gives a [`Shape`] and the [`Data`] to run it on. Each term is computed once, in the first clause that needs
//! it; a word of adjacent input bytes is one load; a table of constants is a direct lookup. Keeps its tables from one
//! question to the next.

use super::program::{Data, Inst, Op, Shape};
use crate::slots::bytes_of_word;
use tarka_terms::{Node, TableId, Term, Terms};

/// Widest value of the narrow lane.
const NARROW: u16 = 64;

/// The compiler.
#[derive(Debug, Default)]
pub(crate) struct Compiler {
    /// For each term the question it was met in and its register.
    known: Vec<(u32, u32)>,
    question: u32,
    open: Vec<Term>,
}

impl Compiler {
    /// The program of these clauses; nothing if it has more instructions than that.
    pub(crate) fn compile(
        &mut self,
        terms: &Terms,
        clauses: impl Iterator<Item = Term>,
        most: usize,
    ) -> Option<(Shape, Data)> {
        self.known.resize(self.known.len().max(terms.len()), (0, 0));
        self.question = self.question.wrapping_add(1);
        if self.question == 0 {
            self.known.fill((0, 0));
            self.question = 1;
        }
        let mut emission =
            Emission { terms, shape: Shape::default(), data: Data::default(), tables: Vec::new() };
        for clause in clauses {
            self.open.push(clause);
            while let Some(term) = self.open.last().copied() {
                if self.register(term).is_some() {
                    self.open.pop();
                    continue;
                }
                if let Some(register) = emission.emit(self, term) {
                    self.known[term.index()] = (self.question, register);
                    self.open.pop();
                }
                if emission.shape.code.len() > most {
                    self.open.clear();
                    return None;
                }
            }
            let register = self.register(clause)?;
            emission.shape.clauses.push((register, emission.shape.code.len() as u32));
        }
        Some(emission.finish())
    }

    fn register(&self, term: Term) -> Option<u32> {
        let (question, register) = self.known[term.index()];
        (question == self.question).then_some(register)
    }

    /// The registers of these operands; if one has none yet those are queued.
    fn need<const N: usize>(&mut self, operands: [Term; N]) -> Option<[u32; N]> {
        let mut registers = [0; N];
        let mut complete = true;
        for (register, operand) in registers.iter_mut().zip(operands) {
            match self.register(operand) {
                Some(known) => *register = known,
                None => {
                    complete = false;
                    self.open.push(operand);
                }
            }
        }
        complete.then_some(registers)
    }
}

/// A program being written.
struct Emission<'t> {
    terms: &'t Terms,
    shape: Shape,
    data: Data,
    /// Tables of constants that have a number.
    tables: Vec<TableId>,
}

impl Emission<'_> {
    /// Writes a term's instruction and gives its register; nothing if operands must be written first.
    fn emit(&mut self, compiler: &mut Compiler, term: Term) -> Option<u32> {
        let terms = self.terms;
        let width = terms.width(term);
        Some(match *terms.node(term) {
            Node::Const(value) => {
                self.data.constants.push(value);
                self.push(Op::Const, width, width, 0, [self.data.constants.len() as u32 - 1, 0, 0])
            }
            Node::Input(byte) => self.load(&[byte]),
            Node::Unary(op, a) => {
                let [a] = compiler.need([a])?;
                self.push(Op::Unary(op), width, width, 0, [a, 0, 0])
            }
            Node::Binary(op, a, b) => {
                let from = terms.width(a);
                let [a, b] = compiler.need([a, b])?;
                self.push(Op::Binary(op), width, from, 0, [a, b, 0])
            }
            Node::Concat(high, low) => {
                if let Some(bytes) = adjacent_bytes(terms, term) {
                    return Some(self.load(&bytes));
                }
                let [a, b] = compiler.need([high, low])?;
                self.push(Op::Concat, width, terms.width(high), terms.width(low) as u8, [a, b, 0])
            }
            Node::Extract(a, low) => {
                let from = terms.width(a);
                let [a] = compiler.need([a])?;
                self.push(Op::Extract, width, from, low as u8, [a, 0, 0])
            }
            Node::ZExt(a) => {
                let from = terms.width(a);
                let [a] = compiler.need([a])?;
                // The value is the same; only another lane makes it another register.
                if from > NARROW || width <= NARROW {
                    return Some(a);
                }
                self.push(Op::ZExt, width, from, 0, [a, 0, 0])
            }
            Node::SExt(a) => {
                let from = terms.width(a);
                let [a] = compiler.need([a])?;
                self.push(Op::SExt, width, from, 0, [a, 0, 0])
            }
            Node::Ite(condition, yes, no) => {
                let operands = compiler.need([condition, yes, no])?;
                self.push(Op::Ite, width, width, 0, operands)
            }
            Node::Read(table, index) => return self.read(compiler, table, index),
            Node::Convert(op, a) => {
                let from = terms.width(a);
                let [a] = compiler.need([a])?;
                self.push(Op::Convert(op), width, from, 0, [a, 0, 0])
            }
            Node::FCmp(predicate, a, b) => {
                let from = terms.width(a);
                let [a, b] = compiler.need([a, b])?;
                self.push(Op::FCmp, width, from, predicate, [a, b, 0])
            }
            Node::Fma(a, b, c) => {
                let operands = compiler.need([a, b, c])?;
                self.push(Op::Fma, width, width, 0, operands)
            }
        })
    }

    fn read(&mut self, compiler: &mut Compiler, table: TableId, index: Term) -> Option<u32> {
        let terms = self.terms;
        let from = terms.width(index);
        let entries = terms.table_entries(table);
        if entries.iter().all(|entry| terms.as_constant(*entry).is_some()) {
            let [index] = compiler.need([index])?;
            let number = self.tables.iter().position(|known| *known == table).unwrap_or_else(|| {
                let bytes = entries.iter().map(|entry| terms.as_constant(*entry).unwrap_or(0) as u8);
                self.data.tables.push(bytes.collect());
                self.tables.push(table);
                self.tables.len() - 1
            });
            return Some(self.push(Op::Lookup, 8, from, 0, [index, number as u32, 0]));
        }
        let mut complete = compiler.need([index]);
        for entry in entries {
            if compiler.need([*entry]).is_none() {
                complete = None;
            }
        }
        let [index] = complete?;
        let registers = entries.iter().filter_map(|entry| compiler.register(*entry)).collect();
        self.shape.tables.push(registers);
        Some(self.push(Op::Select, 8, from, 0, [index, self.shape.tables.len() as u32 - 1, 0]))
    }

    /// A load of adjacent input bytes: for now with the first byte's number in the input.
    fn load(&mut self, bytes: &[u32]) -> u32 {
        self.data.inputs.extend_from_slice(bytes);
        let width = 8 * bytes.len() as u16;
        self.push(Op::Load, width, width, 0, [bytes[0], 0, 0])
    }

    fn push(&mut self, op: Op, width: u16, from: u16, extra: u8, [a, b, c]: [u32; 3]) -> u32 {
        let wide = width > NARROW || from > NARROW;
        let inst = Inst { op, wide, extra, width: width as u8, from: from as u8, a, b, c };
        self.shape.code.push(inst);
        self.shape.code.len() as u32 - 1
    }

    /// Numbers the input bytes in their order, which keeps those of a word side by side.
    fn finish(mut self) -> (Shape, Data) {
        let inputs = &mut self.data.inputs;
        inputs.sort_unstable();
        inputs.dedup();
        for inst in self.shape.code.iter_mut().filter(|inst| inst.op == Op::Load) {
            inst.a = inputs.partition_point(|input| *input < inst.a) as u32;
        }
        self.shape.bytes = inputs.len() as u32;
        (self.shape, self.data)
    }
}

/// The input bytes of a word, if they follow each other in the input, lowest first.
fn adjacent_bytes(terms: &Terms, term: Term) -> Option<Vec<u32>> {
    // Asked of every concatenation: the first operand says most of the time that it is none.
    let bytes = bytes_of_word(terms, term)?;
    bytes.windows(2).all(|pair| pair[1] == pair[0].wrapping_add(1)).then_some(bytes)
}
