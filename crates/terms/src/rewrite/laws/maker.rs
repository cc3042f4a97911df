//! Random terms that rewrite rules have something to do with.
//!
//! Takes a seed; gives terms of every operation and of widths down to one bit, the same ones for the same seed. What random
//! operands hardly ever have to do with each other is made on purpose (`related`, `shaped`).

use crate::semantics::{self, mask, sign_bit};
use crate::{BinaryOp, ConvertOp, Term, Terms, UnaryOp};

/// Input bytes that terms depend on.
pub(super) const INPUTS: u32 = 16;
const WIDTHS: [u16; 14] = [1, 1, 2, 3, 7, 8, 8, 16, 32, 33, 64, 80, 100, 128];
const FLOAT_WIDTHS: [u16; 3] = [32, 64, 80];

/// Splitmix: the same numbers everywhere.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(super) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    pub(super) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// Makes terms.
pub(super) struct Maker {
    pub(super) terms: Terms,
    pool: Vec<Term>,
    pub(super) random: Random,
}

impl Maker {
    pub(super) fn new(seed: u64) -> Maker {
        let mut terms = Terms::new();
        let pool = (0..INPUTS).map(|byte| terms.input(byte)).collect();
        Maker { terms, pool, random: Random(seed) }
    }

    /// A term made before, likelier a recent one.
    fn any(&mut self) -> Term {
        let reach = if self.random.one_in(3) { self.pool.len() } else { self.pool.len().min(10) };
        self.pool[self.pool.len() - 1 - self.random.below(reach)]
    }

    pub(super) fn width(&mut self) -> u16 {
        self.random.pick(&WIDTHS)
    }

    /// A number of a width: 0, 1, the ends of both ranges, a power of two, low ones, small, or any.
    fn number(&mut self, width: u16) -> u128 {
        let any = u128::from(self.random.next()) << 64 | u128::from(self.random.next());
        let bit = 1u128 << self.random.below(width.into());
        let number = match self.random.below(9) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => sign_bit(width),
            4 => sign_bit(width).wrapping_sub(1),
            5 => bit,
            6 => bit.wrapping_sub(1),
            7 => any % 12,
            _ => any,
        };
        let number = if self.random.one_in(6) { number.wrapping_add(1) } else { number };
        number & mask(width)
    }

    fn constant(&mut self, width: u16) -> Term {
        let number = self.number(width);
        self.terms.constant(width, number)
    }

    /// A term of a width, from any other by slices, extensions and concatenations.
    fn of_width(&mut self, width: u16) -> Term {
        for _ in 0..6 {
            let any = self.any();
            if self.terms.width(any) == width {
                return any;
            }
        }
        let any = self.any();
        self.fitted(any, width)
    }

    fn fitted(&mut self, term: Term, width: u16) -> Term {
        let from = self.terms.width(term);
        if from >= width {
            let low = self.random.below(usize::from(from - width) + 1) as u16;
            return self.terms.extract(term, low, width);
        }
        match self.random.below(4) {
            0 => self.terms.zext(term, width),
            1 => self.terms.sext(term, width),
            2 => {
                let more = self.constant(width - from);
                if self.random.one_in(2) {
                    self.terms.concat(term, more)
                } else {
                    self.terms.concat(more, term)
                }
            }
            _ => {
                let other = self.any();
                let more = if self.terms.width(other) >= width - from {
                    self.terms.extract(other, 0, width - from)
                } else {
                    self.terms.zext(other, width - from)
                };
                self.terms.concat(more, term)
            }
        }
    }

    /// An operand of a width: a term, a constant, or a term of one of the shapes that rules look for.
    pub(super) fn operand(&mut self, width: u16) -> Term {
        match self.random.below(8) {
            0 | 1 => self.constant(width),
            2..=4 => self.of_width(width),
            _ => self.shaped(width),
        }
    }

    fn shaped(&mut self, width: u16) -> Term {
        let inner = if width == 1 { 1 } else { 1 + self.random.below(usize::from(width) - 1) as u16 };
        let (x, y) = (self.of_width(width), self.of_width(width));
        let c = self.constant(width);
        use BinaryOp::{Add, And, Mul, Or, Shl, Sub, Xor};
        match self.random.below(14) {
            0 => {
                let x = self.of_width(inner);
                self.terms.zext(x, width)
            }
            1 => {
                let x = self.of_width(inner);
                self.terms.sext(x, width)
            }
            2 => self.terms.not(x),
            3 => self.terms.unary(UnaryOp::Neg, x),
            4 => self.terms.binary(Sub, c, x),
            5 => {
                let op = self.random.pick(&[Add, Mul, And, Or, Xor, Shl]);
                self.terms.binary(op, x, c)
            }
            6 => {
                let op = self.random.pick(&[Add, Sub, Xor, Mul]);
                self.terms.binary(op, x, y)
            }
            7..=9 => {
                let condition = self.condition();
                let (yes, no) = match self.random.below(3) {
                    0 => (c, y),
                    1 => (x, c),
                    _ => (c, self.constant(width)),
                };
                self.terms.ite(condition, yes, no)
            }
            10 if width > 1 => {
                let (high, low) = (self.of_width(width - inner), self.operand(inner));
                self.terms.concat(high, low)
            }
            11 if width > 1 => {
                let (high, low) = (self.constant(width - inner), self.of_width(inner));
                self.terms.concat(high, low)
            }
            12 if width < 100 => {
                let wide = self.of_width(width + 20);
                let low = self.random.below(21) as u16;
                self.terms.extract(wide, low, width)
            }
            _ => x,
        }
    }

    fn condition(&mut self) -> Term {
        if self.random.one_in(2) {
            return self.of_width(1);
        }
        let width = self.width();
        self.comparison(width)
    }

    fn comparison(&mut self, width: u16) -> Term {
        use BinaryOp::{Eq, Sle, Slt, Ule, Ult};
        let (a, b) = (self.operand(width), self.operand(width));
        let op = self.random.pick(&[Eq, Eq, Ult, Ule, Slt, Sle]);
        self.terms.binary(op, a, b)
    }

    /// A float: an operand, a constant that means something, or a conversion.
    fn float(&mut self, width: u16) -> Term {
        match self.random.below(6) {
            0 => {
                let number = self.random.below(9) as f64 / 2.0 - 2.0;
                let bits = semantics::convert(ConvertOp::FToF, 64, width, number.to_bits().into());
                self.terms.constant(width, bits)
            }
            1 | 2 => {
                let from = self.random.pick(&FLOAT_WIDTHS);
                let x = self.of_width(from);
                self.terms.convert(ConvertOp::FToF, x, width)
            }
            3 => {
                let from = self.width();
                let x = self.of_width(from);
                let op = self.random.pick(&[ConvertOp::SiToF, ConvertOp::UiToF]);
                self.terms.convert(op, x, width)
            }
            _ => self.of_width(width),
        }
    }

    fn table_read(&mut self) -> Term {
        let length = 1 + self.random.below(20);
        let (first, second) = (self.of_width(8), self.of_width(8));
        let (mixed, numbers) = (!self.random.one_in(3), self.random.one_in(3));
        let entries = (0..length)
            .map(|entry| match entry % 4 {
                _ if numbers => self.constant(8),
                0 if mixed => self.constant(8),
                1 if mixed => second,
                _ => first,
            })
            .collect();
        let table = self.terms.table(entries);
        let width = self.random.pick(&[1, 2, 3, 4, 5, 8, 16, 64]);
        let index = self.operand(width);
        let read = self.terms.read(table, index);
        if !numbers {
            return read;
        }
        let number = self.constant(8);
        self.terms.binary(BinaryOp::Eq, read, number)
    }

    /// One more term.
    pub(super) fn step(&mut self) {
        use BinaryOp::*;
        const OPERATIONS: [BinaryOp; 25] = [
            Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, Ne, Ult, Ule, Slt, Sle,
            SAddO, UAddO, SSubO, USubO, SMulO, UMulO,
        ];
        let width = self.width();
        let term = match self.random.below(24) {
            0..=8 => {
                let op = self.random.pick(&OPERATIONS);
                let a = self.operand(width);
                let b = if self.random.one_in(10) { a } else { self.operand(width) };
                self.terms.binary(op, a, b)
            }
            9 => self.comparison(width),
            10 | 11 => {
                let a = self.operand(width);
                let op = self.random.pick(&[UnaryOp::Not, UnaryOp::Neg]);
                self.terms.unary(op, a)
            }
            12 => self.fitting_concat(),
            13 => {
                let a = self.operand(width);
                let to = self.width().min(width);
                self.fitted(a, to)
            }
            14 => {
                let from = self.width().min(width);
                let a = self.operand(from);
                if self.random.one_in(2) { self.terms.zext(a, width) } else { self.terms.sext(a, width) }
            }
            15 | 16 => self.choice(width),
            17 => self.table_read(),
            18 | 19 => {
                let width = self.random.pick(&FLOAT_WIDTHS);
                let a = self.float(width);
                let b = if self.random.one_in(6) { a } else { self.float(width) };
                let predicate = self.random.below(16) as u8;
                self.terms.fcmp(predicate, a, b)
            }
            20 => {
                let from = self.random.pick(&FLOAT_WIDTHS);
                let a = self.float(from);
                let op = self.random.pick(&[ConvertOp::FToSi, ConvertOp::FToUi]);
                self.terms.convert(op, a, width)
            }
            21 => {
                let width = self.random.pick(&FLOAT_WIDTHS);
                self.float(width)
            }
            _ => self.related(width),
        };
        self.pool.push(term);
    }

    fn choice(&mut self, width: u16) -> Term {
        let condition = if self.random.one_in(3) { self.shaped(1) } else { self.condition() };
        let yes = self.operand(width);
        let no = if self.random.one_in(8) { yes } else { self.operand(width) };
        if self.random.one_in(6) {
            return self.choice_by_value(width);
        }
        if self.random.one_in(8) {
            // Arms that are one apart.
            let one = self.terms.constant(width, 1);
            let more = self.terms.binary(BinaryOp::Add, no, one);
            let (yes, no) = if self.random.one_in(2) { (more, no) } else { (no, more) };
            return self.terms.ite(condition, yes, no);
        }
        if !self.random.one_in(4) {
            return self.terms.ite(condition, yes, no);
        }
        // The same condition again in an arm.
        let (other, inner) = (self.operand(width), self.terms.ite(condition, yes, no));
        if self.random.one_in(2) {
            self.terms.ite(condition, inner, other)
        } else {
            self.terms.ite(condition, other, inner)
        }
    }

    /// A choice by the value of a term that an arm is made of.
    fn choice_by_value(&mut self, width: u16) -> Term {
        let index_width = self.random.pick(&[8, 8, 16]);
        let index = self.of_width(index_width);
        let entries: Vec<Term> = (0..1 + self.random.below(20)).map(|_| self.of_width(8)).collect();
        let place = self.random.below(entries.len()) as u128;
        let table = self.terms.table(entries);
        let read = self.terms.read(table, index);
        let number = self.terms.constant(index_width, place);
        let mut condition = self.terms.binary(BinaryOp::Eq, index, number);
        if self.random.one_in(4) {
            let other = self.condition();
            condition = self.terms.binary(BinaryOp::And, condition, other);
        }
        let part = if self.random.one_in(4) { index } else { read };
        let (yes, other) = (self.fitted(part, width), self.operand(width));
        let op = self.random.pick(&[BinaryOp::Add, BinaryOp::Sub]);
        let yes = if self.random.one_in(2) { yes } else { self.terms.binary(op, yes, other) };
        let no = self.operand(width);
        self.terms.ite(condition, yes, no)
    }

    fn fitting_concat(&mut self) -> Term {
        let high = 1 + self.random.below(64) as u16;
        let low = 1 + self.random.below(64) as u16;
        if self.random.one_in(3) {
            // Neighbours of one term.
            let whole = self.of_width(high + low);
            let (above, below) = (self.terms.extract(whole, low, high), self.terms.extract(whole, 0, low));
            if self.random.one_in(2) {
                return self.terms.concat(above, below);
            }
            let rest = self.of_width(17);
            let chain = self.terms.concat(below, rest);
            return if high + low <= 100 { self.terms.concat(above, chain) } else { chain };
        }
        let (high, low) = (self.operand(high), self.operand(low));
        self.terms.concat(high, low)
    }

    /// Operations on terms that have something to do with each other: what random operands hardly ever do.
    fn related(&mut self, width: u16) -> Term {
        use BinaryOp::*;
        let (x, y) = (self.of_width(width), self.of_width(width));
        let (c, d) = (self.constant(width), self.constant(width));
        match self.random.below(24) {
            0 => {
                let not = self.terms.not(x);
                let op = self.random.pick(&[And, Or, Eq, Xor]);
                self.terms.binary(op, x, not)
            }
            1 => {
                let difference = self.terms.binary(Sub, x, y);
                self.terms.binary(Add, difference, y)
            }
            2 => {
                let sum = self.terms.binary(Add, x, y);
                let op = self.random.pick(&[Sub, Eq]);
                if self.random.one_in(2) {
                    self.terms.binary(op, sum, x)
                } else {
                    self.terms.binary(op, x, sum)
                }
            }
            3 => {
                let (left, right) = (self.terms.binary(Add, x, c), self.terms.binary(Add, y, d));
                let op = self.random.pick(&[Sub, Eq]);
                self.terms.binary(op, left, right)
            }
            4 => {
                let op = self.random.pick(&[Sub, Xor]);
                let (difference, zero) = (self.terms.binary(op, x, y), self.terms.constant(width, 0));
                self.terms.binary(Eq, difference, zero)
            }
            5 => {
                let bit = self.terms.constant(width, 1 << self.random.below(width.into()));
                let masked = self.terms.binary(And, x, bit);
                let number = if self.random.one_in(2) { bit } else { c };
                self.terms.binary(Eq, masked, number)
            }
            6 => {
                let difference = self.terms.binary(Sub, x, y);
                self.terms.unary(UnaryOp::Neg, difference)
            }
            7 => {
                let negated = self.terms.unary(UnaryOp::Neg, y);
                let op = self.random.pick(&[Add, Sub]);
                self.terms.binary(op, x, negated)
            }
            8 | 9 | 16 | 17 if width > 1 => {
                // Both extended, perhaps from different widths.
                let mut extended = [x, y];
                let signed = !self.random.one_in(3);
                for operand in &mut extended {
                    let from = 1 + self.random.below(usize::from(width) - 1) as u16;
                    let narrow = self.of_width(from);
                    *operand =
                        if signed { self.terms.sext(narrow, width) } else { self.terms.zext(narrow, width) };
                }
                let orders = [Eq, Ult, Ule, Slt, Sle];
                let others = [And, Or, Xor, Add, UDiv, SRem];
                let op =
                    if self.random.one_in(4) { self.random.pick(&others) } else { self.random.pick(&orders) };
                self.terms.binary(op, extended[0], extended[1])
            }
            10 if width > 1 => {
                // Shifted bytes put together.
                let half = width / 2;
                let (high, low) = (self.of_width(half), self.of_width(width - half));
                let (high, low) = (self.terms.zext(high, width), self.terms.zext(low, width));
                let amount = self.terms.constant(width, u128::from(width - half));
                let high = self.terms.binary(Shl, high, amount);
                let op = self.random.pick(&[Or, Xor, Add]);
                self.terms.binary(op, high, low)
            }
            11 if width < 100 => {
                let extended = self.terms.zext(x, width + 9);
                let number = self.constant(width + 9);
                let op = self.random.pick(&[UDiv, URem, SDiv, SRem, And, Or, Xor, Eq, Ult, Slt]);
                self.terms.binary(op, extended, number)
            }
            12 if width < 100 => {
                let extended = self.terms.sext(x, width + 9);
                let number = self.number(width);
                let number = self.terms.constant(width + 9, semantics::sext(width, width + 9, number));
                let op = self.random.pick(&[Eq, Ult, Slt, Sle]);
                if self.random.one_in(2) {
                    self.terms.binary(op, extended, number)
                } else {
                    self.terms.binary(op, number, extended)
                }
            }
            18 | 19 => {
                let shaped = self.shaped(width);
                self.terms.binary(Eq, shaped, c)
            }
            20 | 21 => {
                let op = self.random.pick(&[Add, Mul, Mul, Mul, And, Or, Xor]);
                let inner = self.terms.binary(op, x, c);
                self.terms.binary(op, inner, d)
            }
            22 | 23 if width < 100 => {
                let (x, y) = (self.terms.zext(x, width + 9), self.terms.zext(y, width + 9));
                let op = self.random.pick(&[And, Or, Xor]);
                self.terms.binary(op, x, y)
            }
            13 => {
                let zero = self.terms.constant(width, 0);
                let op = self.random.pick(&[Shl, LShr, AShr, Sub]);
                self.terms.binary(op, zero, x)
            }
            14 => {
                let width = self.random.pick(&FLOAT_WIDTHS);
                let whole = self.of_width(16);
                let op = self.random.pick(&[ConvertOp::SiToF, ConvertOp::UiToF]);
                let float = self.terms.convert(op, whole, width);
                self.terms.convert(ConvertOp::FToSi, float, 32)
            }
            _ => {
                let from = self.random.pick(&[32, 64]);
                let narrow = [self.of_width(from), self.of_width(from)];
                let wide = narrow.map(|term| self.terms.convert(ConvertOp::FToF, term, 80));
                let number = self.float(from);
                let number = self.terms.convert(ConvertOp::FToF, number, 80);
                let predicate = self.random.below(16) as u8;
                let right = if self.random.one_in(2) { wide[1] } else { number };
                self.terms.fcmp(predicate, wide[0], right)
            }
        }
    }
}
