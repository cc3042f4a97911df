//! A question as a straight-line program: what is computed, in order, clause by clause.
//!
//! Instruction `i` writes register `i`. Constants, the numbers of input bytes and the contents of constant tables are not
//! part of the code but in [`Data`]: questions that differ in nothing else share one [`Code`], with all that was found
//! out about it.

use std::sync::OnceLock;
use tarka_terms::{BinaryOp, ConvertOp, UnaryOp};

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Op {
    /// A constant; `a` is its number. Never run: the register is filled once.
    Const,
    /// A word of input bytes side by side, lowest first; `a` is the number of the first.
    Load,
    Unary(UnaryOp),
    Binary(BinaryOp),
    /// `a` above `b`, which has `extra` bits.
    Concat,
    /// Bits of `a` from `extra` on.
    Extract,
    /// Only where the result does not fit the narrow lane; otherwise the operand's register serves for both.
    ZExt,
    SExt,
    /// `b` where `a` is 1, otherwise `c`.
    Ite,
    /// Byte `a` of the constant table `b`.
    Lookup,
    /// Byte `a` of the table of registers `b`.
    Select,
    Convert(ConvertOp),
    /// LLVM's predicate `extra`.
    FCmp,
    Fma,
}

/// One instruction. Operands are registers unless the operation says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Inst {
    pub(crate) op: Op,
    /// Whether an operand or the result needs the wide lane.
    pub(crate) wide: bool,
    pub(crate) extra: u8,
    /// Width of the result.
    pub(crate) width: u8,
    /// Width of the first operand.
    pub(crate) from: u8,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) c: u32,
}

impl Inst {
    /// Calls `visit` on each register that is read.
    pub(crate) fn for_each_operand(&self, tables: &[Box<[u32]>], mut visit: impl FnMut(u32)) {
        match self.op {
            Op::Const | Op::Load => {}
            Op::Unary(_) | Op::Extract | Op::ZExt | Op::SExt | Op::Convert(_) | Op::Lookup => visit(self.a),
            Op::Binary(_) | Op::Concat | Op::FCmp => [self.a, self.b].into_iter().for_each(visit),
            Op::Ite | Op::Fma => [self.a, self.b, self.c].into_iter().for_each(visit),
            Op::Select => {
                visit(self.a);
                tables[self.b as usize].iter().copied().for_each(visit);
            }
        }
    }
}

/// The part of a question that its shape decides: what two questions share that only differ in [`Data`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Shape {
    pub(crate) code: Vec<Inst>,
    /// For each clause its register, and where its instructions end. The flipped clause comes first.
    pub(crate) clauses: Vec<(u32, u32)>,
    /// Tables whose entries are registers.
    pub(crate) tables: Vec<Box<[u32]>>,
    /// How many input bytes there are.
    pub(crate) bytes: u32,
}

/// What questions of one shape differ in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Data {
    pub(crate) constants: Vec<u128>,
    /// Input bytes, sorted.
    pub(crate) inputs: Vec<u32>,
    /// Tables of constants.
    pub(crate) tables: Vec<Box<[u8]>>,
}

/// The instructions that depend on a part of the input, and the clauses that do.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) code: Vec<u32>,
    /// Clauses, each with the position in `code` after which it is known.
    pub(crate) clauses: Vec<(u32, u32)>,
}

/// A shape with what was found out about it.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) shape: Shape,
    /// The words of input bytes the program reads.
    pub(crate) loads: Vec<u32>,
    /// For each input byte its group: bytes of words that overlap are one group.
    pub(crate) group_of_byte: Vec<u32>,
    /// For each register the groups it depends on: a bit for each, shared where there are more than 64.
    pub(crate) depends: Vec<u64>,
    /// Whether there are floats.
    pub(crate) has_floats: bool,
    /// Whether there are products, quotients or remainders of wide inputs.
    pub(crate) has_hard_integers: bool,
    /// Whether any register needs the wide lane.
    pub(crate) has_wide: bool,
    whole: OnceLock<Part>,
    parts: [OnceLock<Part>; GROUP_BITS as usize],
}

/// Groups that are told apart.
const GROUP_BITS: u32 = 64;

impl Code {
    pub(crate) fn new(shape: Shape) -> Code {
        let code = &shape.code;
        let loads: Vec<u32> = (0..code.len() as u32).filter(|at| code[*at as usize].op == Op::Load).collect();
        let group_of_byte = groups(&shape, &loads);
        let mut depends = vec![0u64; code.len()];
        for (at, inst) in code.iter().enumerate() {
            let mut mask = 0;
            if inst.op == Op::Load {
                mask = 1 << (group_of_byte[inst.a as usize] % GROUP_BITS);
            }
            inst.for_each_operand(&shape.tables, |operand| mask |= depends[operand as usize]);
            depends[at] = mask;
        }
        let is_float = |inst: &Inst| match inst.op {
            Op::Unary(op) => op.is_float(),
            Op::Binary(op) => op.is_float(),
            Op::Convert(_) | Op::FCmp | Op::Fma => true,
            _ => false,
        };
        let is_hard = |inst: &Inst| match inst.op {
            Op::Binary(BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem) => inst.from >= 32,
            Op::Binary(BinaryOp::Mul) => {
                inst.from >= 32 && depends[inst.a as usize] != 0 && depends[inst.b as usize] != 0
            }
            _ => false,
        };
        Code {
            has_floats: code.iter().any(is_float),
            has_hard_integers: code.iter().any(is_hard),
            has_wide: code.iter().any(|inst| inst.width > 64),
            whole: OnceLock::new(),
            parts: std::array::from_fn(|_| OnceLock::new()),
            loads,
            group_of_byte,
            depends,
            shape,
        }
    }

    /// What depends on a group of bytes.
    pub(crate) fn part(&self, group: u32) -> &Part {
        let bit = group % GROUP_BITS;
        self.parts[bit as usize].get_or_init(|| self.selected(1 << bit))
    }

    /// The whole program.
    pub(crate) fn whole(&self) -> &Part {
        self.whole.get_or_init(|| {
            let is_run = |at: &u32| self.inst(*at).op != Op::Const;
            let code = (0..self.shape.code.len() as u32).filter(is_run);
            self.part_of(code.collect(), 0..self.shape.clauses.len() as u32)
        })
    }

    fn selected(&self, mask: u64) -> Part {
        let depends = |at: &u32| self.depends[*at as usize] & mask != 0;
        let code = (0..self.shape.code.len() as u32).filter(depends).collect();
        let clauses = 0..self.shape.clauses.len() as u32;
        self.part_of(code, clauses.filter(|clause| depends(&self.shape.clauses[*clause as usize].0)))
    }

    fn part_of(&self, code: Vec<u32>, clauses: impl Iterator<Item = u32>) -> Part {
        let end = |clause: u32| {
            let (_, end) = self.shape.clauses[clause as usize];
            (clause, code.partition_point(|at| *at < end) as u32)
        };
        Part { clauses: clauses.map(end).collect(), code }
    }

    /// The input bytes of a word, as numbers of this program.
    pub(crate) fn bytes_of(&self, load: u32) -> std::ops::Range<usize> {
        let inst = &self.shape.code[load as usize];
        inst.a as usize..inst.a as usize + usize::from(inst.width / 8)
    }

    pub(crate) fn inst(&self, register: u32) -> &Inst {
        &self.shape.code[register as usize]
    }
}

/// Words are runs of bytes: those that overlap follow each other when sorted by their first byte.
fn groups(shape: &Shape, loads: &[u32]) -> Vec<u32> {
    let mut runs: Vec<(u32, u32)> = loads
        .iter()
        .map(|load| {
            let inst = &shape.code[*load as usize];
            (inst.a, inst.a + u32::from(inst.width / 8))
        })
        .collect();
    runs.sort_unstable();
    let mut groups = vec![0; shape.bytes as usize];
    let (mut group, mut end) = (0, 0);
    for (first, past) in runs {
        if first >= end && end > 0 {
            group += 1;
        }
        end = end.max(past);
        groups[first as usize..past as usize].fill(group);
    }
    groups
}
