//! Random terms of every operation and width, each with its value computed beside it on plain values.
//!
//! Takes steps, which are plain numbers that a property test draws and shrinks; gives terms and, for each assignment of the
//! input bytes, what they are worth without rewriting. Whoever needs the terms alone gives no assignment. Tests of this crate
//! and of the solver use it. Never: what is asserted of the terms.

use tarka_terms::{BinaryOp, ConvertOp, Term, Terms, UnaryOp, semantics};

/// Input bytes that terms depend on.
pub const INPUTS: usize = 16;
/// Numbers at which rules and operations change their mind.
const EDGES: [u128; 9] = [0, 1, 2, 3, 4, 8, 0x7f, 0x80, 0xff];
const WIDTHS: [u16; 13] = [1, 3, 8, 13, 16, 31, 32, 33, 64, 65, 80, 100, 128];

const BINARY: [BinaryOp; 25] = {
    use BinaryOp::*;
    [
        Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, Ne, Ult, Ule, Slt, Sle,
        SAddO, UAddO, SSubO, USubO, SMulO, UMulO,
    ]
};
const FLOAT_WIDTHS: [u16; 3] = [32, 64, 80];
const UNARY: [UnaryOp; 5] = [UnaryOp::Not, UnaryOp::Neg, UnaryOp::CtPop, UnaryOp::Ctlz, UnaryOp::Cttz];
const FLOAT_UNARY: [UnaryOp; 8] = {
    use UnaryOp::*;
    [FNeg, FAbs, FSqrt, FFloor, FCeil, FTrunc, FRint, FRound]
};
const FLOAT_BINARY: [BinaryOp; 8] = {
    use BinaryOp::*;
    [FAdd, FSub, FMul, FDiv, FRem, FCopySign, FMin, FMax]
};
const CONVERT: [ConvertOp; 5] = {
    use ConvertOp::*;
    [FToSi, FToUi, SiToF, UiToF, FToF]
};

/// One step of a random program: what to do, and numbers from which operands and parameters are drawn.
pub type RandomOp = (u8, [u16; 3], u16, u128);

/// A term, and its value under every assignment.
type Known = (Term, Vec<u128>);

/// Terms, each with its value under every assignment of the test.
pub struct Program {
    pub terms: Terms,
    pub known: Vec<Known>,
}

impl Program {
    /// The input bytes and some words of them.
    pub fn new(assignments: &[[u8; INPUTS]]) -> Self {
        let mut terms = Terms::new();
        let known = (0..INPUTS)
            .map(|byte| {
                let values = assignments.iter().map(|assignment| assignment[byte].into()).collect();
                (terms.input(byte as u32), values)
            })
            .collect();
        let mut program = Program { terms, known };
        // Words of adjacent bytes, among them ones that overlap and one whose bytes are not in order.
        for (first, bytes) in [(0, 4), (2, 4), (4, 8), (0, 10), (0, 16)] {
            program.add_word((first..first + bytes).rev());
        }
        program.add_word(0..4);
        program
    }

    /// The word of these bytes, the highest first.
    fn add_word(&mut self, mut bytes: impl Iterator<Item = usize>) {
        let highest = self.known[bytes.next().expect("a byte")].clone();
        let word = bytes.fold(highest, |high, byte| {
            let low = self.known[byte].clone();
            self.concat(high, low)
        });
        self.known.push(word);
    }

    fn pick(&self, number: u16) -> Known {
        // Recent terms are likelier, so that programs grow deep.
        let from_the_end = usize::from(number) % self.known.len().min(16);
        self.known[self.known.len() - 1 - from_the_end].clone()
    }

    /// The operand at another width, by slices and extensions that are computed apart too.
    fn fit(&mut self, (term, values): Known, width: u16, signed: bool) -> Known {
        let from = self.terms.width(term);
        if from > width {
            let low = if signed { from - width } else { 0 };
            let cut = self.terms.extract(term, low, width);
            (cut, values.iter().map(|value| semantics::extract(low, width, *value)).collect())
        } else if signed {
            let extended = self.terms.sext(term, width);
            (extended, values.iter().map(|value| semantics::sext(from, width, *value)).collect())
        } else {
            (self.terms.zext(term, width), values)
        }
    }

    /// One more term.
    pub fn step(&mut self, (kind, picks, parameter, number): RandomOp) {
        let a = self.pick(picks[0]);
        let width = self.terms.width(a.0);
        let parameter = usize::from(parameter);
        let other_width = WIDTHS[parameter / 7 % WIDTHS.len()];
        let float_width = FLOAT_WIDTHS[parameter % 3];
        let result = match kind % 16 {
            0..=3 => {
                let b = self.pick(picks[1]);
                let b = self.fit(b, width, parameter % 3 == 0);
                self.binary(BINARY[parameter % BINARY.len()], a, b)
            }
            4..=6 => {
                let number = if number % 3 == 0 { number } else { EDGES[number as usize % EDGES.len()] };
                let number = if number % 5 == 0 { !number } else { number } & semantics::mask(width);
                let b = (self.terms.constant(width, number), vec![number; a.1.len()]);
                let op = BINARY[parameter % BINARY.len()];
                if picks[2] % 2 == 0 { self.binary(op, a, b) } else { self.binary(op, b, a) }
            }
            7 => self.unary(UNARY[parameter % UNARY.len()], a),
            8 => {
                let b = self.pick(picks[1]);
                self.concat(a, b)
            }
            9 => {
                let low = parameter as u16 % width;
                let cut = 1 + picks[1] % (width - low);
                let term = self.terms.extract(a.0, low, cut);
                (term, a.1.iter().map(|value| semantics::extract(low, cut, *value)).collect())
            }
            10 => self.fit(a, other_width, parameter % 2 == 0),
            11 => self.choose(a, picks, parameter),
            12 => self.read(a, parameter, number),
            13 => {
                let a = self.fit(a, float_width, false);
                self.unary(FLOAT_UNARY[parameter / 3 % FLOAT_UNARY.len()], a)
            }
            14 => {
                let (a, b) = (self.fit(a, float_width, false), self.pick(picks[1]));
                let b = self.fit(b, float_width, false);
                match picks[2] % 3 {
                    0 => self.compare_floats(picks[2] as u8 % 16, a, b),
                    1 => self.fused(a, b, picks[2]),
                    _ => self.binary(FLOAT_BINARY[parameter / 3 % FLOAT_BINARY.len()], a, b),
                }
            }
            _ => self.convert(CONVERT[parameter / 3 % CONVERT.len()], a, float_width, other_width),
        };
        self.known.push(result);
    }

    fn unary(&mut self, op: UnaryOp, (a, values): Known) -> Known {
        let width = self.terms.width(a);
        (self.terms.unary(op, a), values.iter().map(|value| semantics::unary(op, width, *value)).collect())
    }

    fn binary(&mut self, op: BinaryOp, a: Known, b: Known) -> Known {
        let width = self.terms.width(a.0);
        let values = a.1.iter().zip(&b.1).map(|(x, y)| semantics::binary(op, width, *x, *y));
        (self.terms.binary(op, a.0, b.0), values.collect())
    }

    fn concat(&mut self, a: Known, b: Known) -> Known {
        let low_width = self.terms.width(b.0);
        if self.terms.width(a.0) + low_width > 128 {
            return a;
        }
        let values = a.1.iter().zip(&b.1).map(|(high, low)| semantics::concat(low_width, *high, *low));
        (self.terms.concat(a.0, b.0), values.collect())
    }

    fn choose(&mut self, a: Known, picks: [u16; 3], parameter: usize) -> Known {
        let width = self.terms.width(a.0);
        let (b, condition) = (self.pick(picks[1]), self.pick(picks[2]));
        let (b, condition) = (self.fit(b, width, false), self.fit(condition, 1, true));
        let constants = [0, 1, semantics::mask(width)].map(|value| self.terms.constant(width, value));
        // Half of the choices have a constant arm, for which there are most rules.
        let b = match parameter % 6 {
            arm @ 0..3 => (constants[arm], vec![self.terms.as_constant(constants[arm]).unwrap(); b.1.len()]),
            _ => b,
        };
        let (yes, no) = if parameter % 4 < 2 { (a, b) } else { (b, a) };
        let values = condition.1.iter().zip(yes.1.iter().zip(&no.1));
        let values = values.map(|(condition, (yes, no))| if *condition == 1 { *yes } else { *no }).collect();
        (self.terms.ite(condition.0, yes.0, no.0), values)
    }

    /// Reads a table of constants, or one with inputs in it.
    fn read(&mut self, index: Known, parameter: usize, number: u128) -> Known {
        let entries: Vec<Known> = (0..1 + parameter % 40)
            .map(|entry| match entry % 4 {
                0 if parameter.is_multiple_of(2) => self.known[entry % INPUTS].clone(),
                _ => {
                    let value = number.rotate_left(entry as u32) & 0xff;
                    (self.terms.constant(8, value), vec![value; index.1.len()])
                }
            })
            .collect();
        let table = self.terms.table(entries.iter().map(|entry| entry.0).collect());
        let values = index.1.iter().enumerate();
        let values = values.map(|(assignment, index)| {
            let entry = usize::try_from(*index).ok().and_then(|index| entries.get(index));
            entry.map_or(0, |entry| entry.1[assignment])
        });
        let values = values.collect();
        (self.terms.read(table, index.0), values)
    }

    fn compare_floats(&mut self, predicate: u8, a: Known, b: Known) -> Known {
        let width = self.terms.width(a.0);
        let values = a.1.iter().zip(&b.1).map(|(x, y)| semantics::fcmp(predicate, width, *x, *y).into());
        (self.terms.fcmp(predicate, a.0, b.0), values.collect())
    }

    fn fused(&mut self, a: Known, b: Known, pick: u16) -> Known {
        let width = self.terms.width(a.0);
        let c = self.pick(pick);
        let c = self.fit(c, width, false);
        let values = a.1.iter().zip(&b.1).zip(&c.1).map(|((a, b), c)| semantics::fma(width, *a, *b, *c));
        (self.terms.fma(a.0, b.0, c.0), values.collect())
    }

    fn convert(&mut self, op: ConvertOp, a: Known, float: u16, other: u16) -> Known {
        let (a, to) = match op {
            ConvertOp::FToSi | ConvertOp::FToUi => (self.fit(a, float, false), other),
            ConvertOp::SiToF | ConvertOp::UiToF => (a, float),
            ConvertOp::FToF => (self.fit(a, float, false), FLOAT_WIDTHS[usize::from(other) % 3]),
        };
        let from = self.terms.width(a.0);
        let values = a.1.iter().map(|value| semantics::convert(op, from, to, *value)).collect();
        (self.terms.convert(op, a.0, to), values)
    }
}
