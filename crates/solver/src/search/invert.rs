//! Equations solved backwards: from the value a computation should have to the input words that may give it, the others
//! as they are.
//!
//! Takes a register and the bits it should have; gives moves, likeliest first. A move need not work (floating laws are not
//! exact, and what is computed twice changes twice): whoever asked evaluates it.

use super::program::{Inst, Op};
use super::state::{State, Write};
use super::values::{Kind, Number};
use tarka_terms::semantics::{self, mask, sign_bit};
use tarka_terms::{BinaryOp, ConvertOp, UnaryOp, predicate};

/// Writes that are made together.
pub(super) type Move = Vec<Write>;

/// Registers that are looked into for one clause.
const MAX_STEPS: u32 = 400;
/// How deep computations are looked into.
const MAX_DEPTH: u32 = 64;
/// Alternatives that are followed at each step.
const MAX_MOVES: usize = 12;
/// Entries of a table that are proposed.
const MAX_ENTRIES: usize = 8;

/// Moves that may make a truth value 1, and how many registers were looked into for them.
pub(super) fn moves(state: &State, clause: u32) -> (Vec<Move>, u32) {
    let mut inversion = Inversion { state, steps: MAX_STEPS };
    let mut moves = inversion.solve(clause, Wish { value: 1, bits: 1 }, MAX_DEPTH);
    moves.retain(|found| state.changes(found));
    (moves, MAX_STEPS - inversion.steps)
}

/// The bits a register should have; others do not matter.
#[derive(Clone, Copy)]
struct Wish {
    value: u128,
    bits: u128,
}

impl Wish {
    fn all(value: u128) -> Wish {
        Wish { value, bits: u128::MAX }
    }

    fn map(self, change: impl Fn(u128) -> u128) -> Wish {
        Wish { value: change(self.value), bits: change(self.bits) }
    }
}

struct Inversion<'s, 'c> {
    state: &'s State<'c>,
    steps: u32,
}

impl Inversion<'_, '_> {
    fn value(&self, register: u32) -> u128 {
        self.state.value(register)
    }

    fn is_constant(&self, register: u32) -> bool {
        self.state.code.depends[register as usize] == 0
    }

    /// Alternatives; an empty move if nothing need change, none if nothing helps.
    fn solve(&mut self, register: u32, wish: Wish, depth: u32) -> Vec<Move> {
        let inst = *self.state.code.inst(register);
        let all = mask(inst.width.into());
        let now = self.value(register);
        if (now ^ wish.value) & wish.bits & all == 0 {
            return vec![Move::new()];
        }
        // What is wished of bits that are not there: a wider register was taken for this one.
        let beyond = wish.value & wish.bits & !all != 0 && wish.bits != u128::MAX;
        if beyond || self.is_constant(register) || depth == 0 || self.steps == 0 {
            return Vec::new();
        }
        self.steps -= 1;
        if inst.op == Op::Load {
            return vec![vec![Write { load: register, value: wish.value, bits: wish.bits }]];
        }
        let mut found = if inst.width == 1 {
            self.truth(&inst, wish.value & 1 == 1, depth - 1)
        } else {
            let whole = now & !wish.bits | wish.value & wish.bits & all;
            self.bits(&inst, wish, depth - 1).unwrap_or_else(|| self.number(&inst, whole, depth - 1))
        };
        found.truncate(MAX_MOVES);
        found
    }

    /// All of these together: the likeliest move of each.
    fn together(&mut self, wishes: &[(u32, Wish)], depth: u32) -> Vec<Move> {
        let mut joint = Move::new();
        for (register, wish) in wishes {
            match self.solve(*register, *wish, depth).into_iter().next() {
                Some(found) => joint.extend(found),
                None => return Vec::new(),
            }
        }
        vec![joint]
    }

    /// One of these.
    fn either(&mut self, wishes: impl IntoIterator<Item = (u32, Wish)>, depth: u32) -> Vec<Move> {
        let mut found: Vec<Move> = Vec::new();
        for (register, wish) in wishes {
            for alternative in self.solve(register, wish, depth) {
                if !alternative.is_empty() && !found.contains(&alternative) {
                    found.push(alternative);
                }
            }
        }
        found
    }

    fn truth(&mut self, inst: &Inst, wanted: bool, depth: u32) -> Vec<Move> {
        let wish = Wish { value: wanted.into(), bits: 1 };
        match inst.op {
            Op::Unary(UnaryOp::Not) => {
                self.solve(inst.a, Wish { value: u128::from(!wanted), bits: 1 }, depth)
            }
            Op::Binary(BinaryOp::And | BinaryOp::Or) => {
                let both = (inst.op == Op::Binary(BinaryOp::And)) == wanted;
                // Of words that are compared byte by byte the last part is the lowest byte.
                let sides = [(inst.b, wish), (inst.a, wish)];
                if both { self.both(sides, depth) } else { self.either(sides, depth) }
            }
            Op::FCmp => {
                let kind = Kind::Float(inst.from.into());
                self.comparison(inst, inst.extra, kind, wanted, depth)
            }
            Op::Binary(op) if op.is_predicate() => {
                let relations = match op {
                    BinaryOp::Ult | BinaryOp::Slt => predicate::LESS,
                    BinaryOp::Ule | BinaryOp::Sle => predicate::LESS | predicate::EQUAL,
                    _ => predicate::EQUAL,
                };
                let kind = match op {
                    BinaryOp::Ult | BinaryOp::Ule => Kind::Unsigned(inst.from.into()),
                    _ => Kind::Integer(inst.from.into()),
                };
                self.comparison(inst, relations, kind, wanted, depth)
            }
            _ => self.bits(inst, wish, depth).unwrap_or_default(),
        }
    }

    /// Both sides together: the likeliest moves, then the next ones. A side for which nothing helps is left alone, so that
    /// whoever asked may go on from there.
    fn both(&mut self, sides: [(u32, Wish); 2], depth: u32) -> Vec<Move> {
        let [first, second] = sides.map(|(register, wish)| self.solve(register, wish, depth));
        let mut found = Vec::new();
        for round in 0..first.len().max(second.len()) {
            let part = |side: &[Move]| side.get(round).or(side.last()).cloned().unwrap_or_default();
            found.push([part(&first), part(&second)].concat());
        }
        found.retain(|joint| !joint.is_empty());
        found
    }

    fn comparison(&mut self, inst: &Inst, relations: u8, kind: Kind, wanted: bool, depth: u32) -> Vec<Move> {
        let relations = if wanted { relations } else { predicate::ALWAYS & !relations };
        let (a, b) = (inst.a, inst.b);
        let (left, right) = (self.value(a), self.value(b));
        let mut wishes = Vec::new();
        let mut add =
            |register: u32, value: Option<u128>| wishes.extend(value.map(|value| (register, value)));
        if relations & predicate::EQUAL != 0 {
            add(a, Some(right));
            add(b, Some(left));
        }
        let sides = [(predicate::GREATER, 1), (predicate::LESS, -1)];
        for (_, step) in sides.into_iter().filter(|(relation, _)| relations & relation != 0) {
            add(a, kind.moved(right, step));
            add(b, kind.moved(left, -step));
        }
        for (_, step) in sides.into_iter().filter(|(relation, _)| relations & relation != 0) {
            let (least, most) = kind.ends();
            add(a, Some(if step < 0 { least } else { most }));
            add(b, Some(if step < 0 { most } else { least }));
        }
        if let (Kind::Float(_), true) = (kind, relations & predicate::UNORDERED != 0) {
            let none = kind.bits(Number::double(f64::NAN));
            add(a, none);
            add(b, none);
        }
        let all = mask(inst.from.into());
        self.either(wishes.into_iter().map(|(register, value)| (register, Wish { value, bits: all })), depth)
    }

    /// Operations that move bits about; nothing for others.
    fn bits(&mut self, inst: &Inst, wish: Wish, depth: u32) -> Option<Vec<Move>> {
        let width = u16::from(inst.width);
        let wish = Wish { value: wish.value, bits: wish.bits & mask(width) };
        Some(match inst.op {
            Op::Unary(UnaryOp::Not) => {
                self.solve(inst.a, Wish { value: !wish.value & mask(width), ..wish }, depth)
            }
            Op::Binary(BinaryOp::Xor) => {
                let (left, right) = (self.value(inst.a), self.value(inst.b));
                let with = |other: u128| Wish { value: (wish.value ^ other) & wish.bits, ..wish };
                self.either([(inst.a, with(right)), (inst.b, with(left))], depth)
            }
            Op::Binary(op @ (BinaryOp::And | BinaryOp::Or)) => {
                // What an operand must have: of `and` the ones, of `or` the zeros. The rest one of them decides.
                let (left, right) = (self.value(inst.a), self.value(inst.b));
                let is_and = op == BinaryOp::And;
                let open = |other: u128| if is_and { other } else { !other };
                let forced = if is_and { wish.value } else { !wish.value } & wish.bits;
                if self.is_constant(inst.b) {
                    if forced & !open(right) != 0 {
                        return Some(Vec::new());
                    }
                    self.solve(inst.a, Wish { bits: wish.bits & open(right), ..wish }, depth)
                } else if self.is_constant(inst.a) {
                    if forced & !open(left) != 0 {
                        return Some(Vec::new());
                    }
                    self.solve(inst.b, Wish { bits: wish.bits & open(left), ..wish }, depth)
                } else {
                    self.together(&[(inst.a, wish), (inst.b, Wish { bits: forced, ..wish })], depth)
                }
            }
            Op::Concat => {
                let low = u16::from(inst.extra);
                let parts =
                    [(inst.a, wish.map(|bits| bits >> low)), (inst.b, wish.map(|bits| bits & mask(low)))];
                self.together(&parts, depth)
            }
            Op::Extract => {
                let up =
                    Wish { value: (wish.value & mask(width)) << inst.extra, bits: wish.bits << inst.extra };
                let mut found = self.solve(inst.a, up, depth);
                // A float without its sign: the other sign will do as well.
                if inst.extra == 0 && inst.width + 1 == inst.from {
                    let sign = sign_bit(inst.from.into());
                    let other = !self.value(inst.a) & sign;
                    let other = Wish { value: up.value | other, bits: up.bits | sign };
                    found.extend(self.solve(inst.a, other, depth));
                }
                found
            }
            Op::ZExt => self.solve(inst.a, wish, depth),
            Op::SExt => {
                let from = u16::from(inst.from);
                let cut = wish.map(|bits| bits & mask(from));
                let fits = (semantics::sext(from, width, cut.value) ^ wish.value) & wish.bits == 0;
                if fits || wish.bits & !mask(from) == 0 { self.solve(inst.a, cut, depth) } else { Vec::new() }
            }
            Op::Binary(op @ (BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr)) => {
                self.shift(inst, op, wish, depth)
            }
            _ => return None,
        })
    }

    fn shift(&mut self, inst: &Inst, op: BinaryOp, wish: Wish, depth: u32) -> Vec<Move> {
        let width = u16::from(inst.width);
        let all = mask(width);
        let by = (self.value(inst.b) % u128::from(width)) as u32;
        let back = wish.map(|bits| if op == BinaryOp::Shl { bits >> by } else { bits << by & all });
        let again = semantics::binary(op, width, back.value & all, by.into());
        let mut found = Vec::new();
        if (again ^ wish.value) & wish.bits == 0 {
            found.extend(self.solve(inst.a, back, depth));
        }
        if !self.is_constant(inst.b) {
            let left = self.value(inst.a);
            let fits = |by: &u16| {
                (semantics::binary(op, width, left, u128::from(*by)) ^ wish.value) & wish.bits & all == 0
            };
            let amounts = (0..width).filter(fits).take(2);
            found.extend(self.either(amounts.map(|by| (inst.b, Wish::all(by.into()))), depth));
        }
        found
    }

    /// Operations on numbers: the value of the whole register.
    fn number(&mut self, inst: &Inst, wanted: u128, depth: u32) -> Vec<Move> {
        let width = u16::from(inst.width);
        let whole = |value: u128| Wish { value, bits: mask(width) };
        match inst.op {
            Op::Binary(op) if op.is_float() => {
                let wishes = self.float_operands(inst, op, wanted);
                self.either(wishes, depth)
            }
            Op::Binary(op) => {
                let wishes = self.integer_operands(inst, op, wanted);
                self.either(wishes.into_iter().map(|(register, value)| (register, whole(value))), depth)
            }
            Op::Unary(UnaryOp::Neg) => self.solve(inst.a, whole(wanted.wrapping_neg() & mask(width)), depth),
            Op::Unary(UnaryOp::FSqrt) => {
                self.solve(inst.a, whole(semantics::binary(BinaryOp::FMul, width, wanted, wanted)), depth)
            }
            Op::Unary(op) if op.is_float() => {
                let before = before_function(op, u16::from(inst.width), wanted);
                self.solve(inst.a, whole(before), depth)
            }
            Op::Fma => {
                let [a, b, c] = [inst.a, inst.b, inst.c].map(|register| self.value(register));
                let compute = |op, a, b| semantics::binary(op, width, a, b);
                let product = compute(BinaryOp::FSub, wanted, c);
                let wishes = [
                    (inst.a, compute(BinaryOp::FDiv, product, b)),
                    (inst.b, compute(BinaryOp::FDiv, product, a)),
                    (inst.c, compute(BinaryOp::FSub, wanted, compute(BinaryOp::FMul, a, b))),
                ];
                self.either(wishes.map(|(register, value)| (register, whole(value))), depth)
            }
            Op::Convert(op) => match before_conversion(inst, op, wanted) {
                Some(value) => self.solve(inst.a, Wish { value, bits: mask(inst.from.into()) }, depth),
                None => Vec::new(),
            },
            Op::Ite => self.choice(inst, whole(wanted), depth),
            Op::Lookup | Op::Select => self.table(inst, wanted, depth),
            _ => Vec::new(),
        }
    }

    /// The arm that is chosen, or the other one.
    fn choice(&mut self, inst: &Inst, wish: Wish, depth: u32) -> Vec<Move> {
        let is_first = self.value(inst.a) == 1;
        let (chosen, other) = if is_first { (inst.b, inst.c) } else { (inst.c, inst.b) };
        let mut found = self.solve(chosen, wish, depth);
        let turned = Wish { value: u128::from(!is_first), bits: 1 };
        let arms = self.solve(other, wish, depth);
        if let Some(arm) = arms.first() {
            for turn in self.solve(inst.a, turned, depth) {
                found.push([turn, arm.clone()].concat());
            }
        }
        found
    }

    /// Indices whose entry is the wanted byte: characters first.
    fn table(&mut self, inst: &Inst, wanted: u128, depth: u32) -> Vec<Move> {
        let state = self.state;
        let indices = |is_match: &dyn Fn(usize) -> bool, length: usize| -> Vec<u128> {
            let mut indices: Vec<usize> = (0..length).filter(|index| is_match(*index)).collect();
            indices.sort_by_key(|index| !(0x20..0x7f).contains(index));
            indices.truncate(MAX_ENTRIES);
            indices.into_iter().map(|index| index as u128).collect()
        };
        let mut found = Vec::new();
        let matching = if inst.op == Op::Lookup {
            let table = &state.data.tables[inst.b as usize];
            indices(&|index| u128::from(table[index]) == wanted, table.len())
        } else {
            let table = &state.code.shape.tables[inst.b as usize];
            let index = usize::try_from(self.value(inst.a)).ok();
            if let Some(entry) = index.and_then(|index| table.get(index)) {
                found = self.solve(*entry, Wish { value: wanted, bits: 0xff }, depth);
            }
            indices(&|index| state.value(table[index]) == wanted, table.len())
        };
        let bits = mask(inst.from.into());
        found.extend(self.either(matching.into_iter().map(|value| (inst.a, Wish { value, bits })), depth));
        found
    }

    fn float_operands(&mut self, inst: &Inst, op: BinaryOp, wanted: u128) -> Vec<(u32, Wish)> {
        let width = u16::from(inst.width);
        let (left, right) = (self.value(inst.a), self.value(inst.b));
        let compute = |op, a, b| semantics::binary(op, width, a, b);
        let apply = |op, a| semantics::unary(op, width, a);
        use BinaryOp::{FAdd, FAtan2, FDiv, FHypot, FMul, FPow, FRem, FRemainder, FSub};
        use UnaryOp::{FLog, FSqrt, FTan};
        let values = match op {
            FPow => {
                let one = semantics::convert(ConvertOp::UiToF, 8, width, 1);
                let exponent = compute(FDiv, apply(FLog, wanted), apply(FLog, left));
                vec![(inst.a, compute(FPow, wanted, compute(FDiv, one, right))), (inst.b, exponent)]
            }
            FAtan2 => {
                let slope = apply(FTan, wanted);
                vec![(inst.a, compute(FMul, right, slope)), (inst.b, compute(FDiv, left, slope))]
            }
            FHypot => {
                let square = |side| compute(FMul, side, side);
                let other = |side| apply(FSqrt, compute(FSub, square(wanted), square(side)));
                vec![(inst.a, other(right)), (inst.b, other(left))]
            }
            FAdd => vec![(inst.a, compute(FSub, wanted, right)), (inst.b, compute(FSub, wanted, left))],
            FSub => vec![(inst.a, compute(FAdd, wanted, right)), (inst.b, compute(FSub, left, wanted))],
            FMul if inst.a == inst.b => {
                let root = apply(FSqrt, wanted);
                vec![(inst.a, root), (inst.a, root ^ sign_bit(width))]
            }
            FMul => vec![(inst.a, compute(FDiv, wanted, right)), (inst.b, compute(FDiv, wanted, left))],
            FDiv => vec![(inst.a, compute(FMul, wanted, right)), (inst.b, compute(FDiv, left, wanted))],
            FRem | FRemainder => {
                // With the quotient there is, or one more.
                let multiple = compute(FSub, left, compute(op, left, right));
                let same_quotient = compute(FAdd, multiple, wanted);
                let next = compute(FAdd, same_quotient, right);
                vec![(inst.a, wanted), (inst.a, same_quotient), (inst.a, next)]
            }
            _ => Vec::new(),
        };
        let wish = |value| Wish { value, bits: mask(width) };
        values.into_iter().map(|(register, value)| (register, wish(value))).collect()
    }

    fn integer_operands(&mut self, inst: &Inst, op: BinaryOp, wanted: u128) -> Vec<(u32, u128)> {
        let width = u16::from(inst.width);
        let (left, right) = (self.value(inst.a), self.value(inst.b));
        let compute = |op, a, b| semantics::binary(op, width, a, b);
        use BinaryOp::{Add, Mul, SDiv, SRem, Sub, UDiv, URem};
        match op {
            Add => vec![(inst.a, compute(Sub, wanted, right)), (inst.b, compute(Sub, wanted, left))],
            Sub => vec![(inst.a, compute(Add, wanted, right)), (inst.b, compute(Sub, left, wanted))],
            Mul if inst.a == inst.b => {
                vec![(inst.a, wanted.isqrt()), (inst.a, compute(Sub, 0, wanted.isqrt()))]
            }
            Mul => [(inst.a, right), (inst.b, left)]
                .into_iter()
                .flat_map(|(register, other)| {
                    factors(width, wanted, other).map(move |value| (register, value))
                })
                .collect(),
            SDiv | UDiv => {
                // With the remainder there is, and with none.
                let rest = compute(if op == SDiv { SRem } else { URem }, left, right);
                let product = compute(Mul, wanted, right);
                vec![
                    (inst.a, product),
                    (inst.a, compute(Add, product, rest)),
                    (inst.b, compute(op, left, wanted)),
                ]
            }
            SRem | URem => {
                // With the quotient there is, one more, or none.
                let multiple = compute(Sub, left, compute(op, left, right));
                let same_quotient = compute(Add, multiple, wanted);
                let next = compute(Add, same_quotient, right);
                let divisor = compute(Sub, left, wanted);
                vec![(inst.a, same_quotient), (inst.a, wanted), (inst.a, next), (inst.b, divisor)]
            }
            _ => Vec::new(),
        }
    }
}

/// Numbers that give a product with another one: exactly if that is odd, otherwise by division.
fn factors(width: u16, product: u128, other: u128) -> impl Iterator<Item = u128> {
    let quotient = (other != 0).then(|| semantics::binary(BinaryOp::SDiv, width, product, other));
    let exact = (other & 1 == 1).then(|| {
        // Each round doubles the bits that are right, from three on.
        let inverse = (0..6)
            .fold(other, |inverse, _| inverse.wrapping_mul(2u128.wrapping_sub(other.wrapping_mul(inverse))));
        product.wrapping_mul(inverse) & mask(width)
    });
    quotient.into_iter().chain(exact)
}

fn before_conversion(inst: &Inst, op: ConvertOp, wanted: u128) -> Option<u128> {
    let (result, operand) = (u16::from(inst.width), u16::from(inst.from));
    let (from, to) = match op {
        ConvertOp::FToF => (Kind::Float(result), Kind::Float(operand)),
        ConvertOp::SiToF | ConvertOp::UiToF => (Kind::Float(result), Kind::Integer(operand)),
        ConvertOp::FToSi | ConvertOp::FToUi => (Kind::Integer(result), Kind::Float(operand)),
    };
    to.bits(Number { kind: from, bits: wanted })
}

/// What a function of one float must be given for a value, as nearly as its inverse tells.
fn before_function(op: UnaryOp, width: u16, wanted: u128) -> u128 {
    let compute = |op, a, b| semantics::binary(op, width, a, b);
    match op {
        UnaryOp::FCbrt => compute(BinaryOp::FMul, compute(BinaryOp::FMul, wanted, wanted), wanted),
        UnaryOp::FLog10 => {
            let ten = semantics::convert(ConvertOp::UiToF, 8, width, 10);
            compute(BinaryOp::FPow, ten, wanted)
        }
        _ => op.inverse().map_or(wanted, |inverse| semantics::unary(inverse, width, wanted)),
    }
}
