//! Compiled programs against `tarka_terms::Evaluator` on random terms of every operation and width.

use super::compile::Compiler;
use super::program::Code;
use super::state::{State, Write};
use proptest::prelude::*;
use tarka_terms::{BinaryOp, ConvertOp, Evaluator, Term, Terms, UnaryOp};

const INPUTS: u32 = 16;
const WIDTHS: [u16; 13] = [1, 3, 8, 13, 16, 31, 32, 33, 64, 65, 80, 100, 128];
const BINARY: [BinaryOp; 25] = {
    use BinaryOp::*;
    [
        Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, Ne, Ult, Ule, Slt, Sle,
        SAddO, UAddO, SSubO, USubO, SMulO, UMulO,
    ]
};
const UNARY: [UnaryOp; 5] = [UnaryOp::Not, UnaryOp::Neg, UnaryOp::CtPop, UnaryOp::Ctlz, UnaryOp::Cttz];
const FLOAT_WIDTHS: [u16; 3] = [32, 64, 80];
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
type Step = (u8, [u16; 3], u16, u128);

struct Random {
    terms: Terms,
    known: Vec<Term>,
}

impl Random {
    fn new() -> Self {
        let mut terms = Terms::new();
        let mut known: Vec<Term> = (0..INPUTS).map(|byte| terms.input(byte)).collect();
        // Words of adjacent bytes, among them ones that overlap and one whose bytes are not in order.
        for (first, bytes) in [(0, 4), (2, 4), (4, 8), (0, 10), (0, 16)] {
            let low = known[first];
            let word = (first + 1..first + bytes).fold(low, |low, byte| terms.concat(known[byte], low));
            known.push(word);
        }
        let reversed = (1..4).fold(known[0], |high, byte| terms.concat(high, known[byte]));
        known.push(reversed);
        Random { terms, known }
    }

    fn pick(&self, number: u16) -> Term {
        let from_the_end = usize::from(number) % self.known.len().min(16);
        self.known[self.known.len() - 1 - from_the_end]
    }

    fn fit(&mut self, term: Term, width: u16, signed: bool) -> Term {
        let from = self.terms.width(term);
        match (from > width, signed) {
            (true, true) => self.terms.extract(term, from - width, width),
            (true, false) => self.terms.extract(term, 0, width),
            (false, true) => self.terms.sext(term, width),
            (false, false) => self.terms.zext(term, width),
        }
    }

    fn step(&mut self, (kind, picks, parameter, number): Step) {
        let a = self.pick(picks[0]);
        let width = self.terms.width(a);
        let parameter = usize::from(parameter);
        let other_width = WIDTHS[parameter / 7 % WIDTHS.len()];
        let float_width = FLOAT_WIDTHS[parameter % 3];
        let result = match kind % 16 {
            0..=3 => {
                let b = self.pick(picks[1]);
                let b = self.fit(b, width, parameter.is_multiple_of(3));
                self.terms.binary(BINARY[parameter % BINARY.len()], a, b)
            }
            4..=5 => {
                let b = self.terms.constant(width, if number % 2 == 0 { number } else { number % 9 });
                let op = BINARY[parameter % BINARY.len()];
                if picks[2] % 2 == 0 { self.terms.binary(op, a, b) } else { self.terms.binary(op, b, a) }
            }
            6 => self.terms.unary(UNARY[parameter % UNARY.len()], a),
            7 => {
                let b = self.pick(picks[1]);
                if width + self.terms.width(b) <= 128 { self.terms.concat(a, b) } else { a }
            }
            8 => {
                let low = parameter as u16 % width;
                self.terms.extract(a, low, 1 + picks[1] % (width - low))
            }
            9..=10 => self.fit(a, other_width, parameter.is_multiple_of(2)),
            11 => {
                let (b, condition) = (self.pick(picks[1]), self.pick(picks[2]));
                let (b, condition) = (self.fit(b, width, false), self.fit(condition, 1, true));
                self.terms.ite(condition, a, b)
            }
            12 => self.read(a, parameter, number),
            13 => {
                let a = self.fit(a, float_width, false);
                self.terms.unary(FLOAT_UNARY[parameter / 3 % FLOAT_UNARY.len()], a)
            }
            14 => {
                let (a, b, c) = (self.fit(a, float_width, false), self.pick(picks[1]), self.pick(picks[2]));
                let (b, c) = (self.fit(b, float_width, false), self.fit(c, float_width, false));
                match picks[2] % 3 {
                    0 => self.terms.fcmp(picks[2] as u8 % 16, a, b),
                    1 => self.terms.fma(a, b, c),
                    _ => self.terms.binary(FLOAT_BINARY[parameter / 3 % FLOAT_BINARY.len()], a, b),
                }
            }
            _ => match CONVERT[parameter / 3 % CONVERT.len()] {
                op @ (ConvertOp::FToSi | ConvertOp::FToUi) => {
                    let a = self.fit(a, float_width, false);
                    self.terms.convert(op, a, other_width)
                }
                ConvertOp::FToF => {
                    let a = self.fit(a, float_width, false);
                    self.terms.convert(ConvertOp::FToF, a, FLOAT_WIDTHS[parameter / 15 % 3])
                }
                op => self.terms.convert(op, a, float_width),
            },
        };
        self.known.push(result);
    }

    /// A table of constants, or one with inputs in it.
    fn read(&mut self, index: Term, parameter: usize, number: u128) -> Term {
        let entries = (0..1 + parameter % 40)
            .map(|entry| match entry % 4 {
                0 if parameter.is_multiple_of(2) => self.known[entry % INPUTS as usize],
                _ => self.terms.constant(8, number.rotate_left(entry as u32) & 0xff),
            })
            .collect();
        let table = self.terms.table(entries);
        self.terms.read(table, index)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

    #[test]
    fn programs_compute_what_the_evaluator_does(
        inputs in prop::collection::vec(prop::array::uniform16(prop_oneof![any::<u8>(), Just(0), Just(0xff)]), 1..5),
        steps in prop::collection::vec(any::<Step>(), 1..40),
        written in any::<[u16; 4]>(),
    ) {
        let mut random = Random::new();
        for step in steps {
            random.step(step);
        }
        // Each bit of the last terms is a clause.
        let roots: Vec<Term> = random.known.iter().rev().take(8).copied().collect();
        let mut clauses = Vec::new();
        for root in roots {
            for bit in 0..random.terms.width(root) {
                clauses.push(random.terms.extract(root, bit, 1));
            }
        }
        let terms = &random.terms;
        let (shape, data) = Compiler::default().compile(terms, clauses.iter().copied(), 100_000).unwrap();
        let code = Code::new(shape);
        let mut evaluator = Evaluator::new();
        let mut state = State::new(&code, &data, &inputs[0].as_slice());
        let mut check = |state: &State, bytes: &[u8]| -> Result<(), TestCaseError> {
            evaluator.restart();
            let mut failing = Vec::new();
            for (number, clause) in clauses.iter().enumerate() {
                let expected = evaluator.eval_more(terms, *clause, &bytes);
                let (register, _) = code.shape.clauses[number];
                prop_assert_eq!(state.value(register), expected, "{}", terms.display(*clause));
                if expected == 0 {
                    failing.push(number);
                }
            }
            prop_assert_eq!(state.failing_clauses().collect::<Vec<_>>(), failing);
            Ok(())
        };
        check(&state, &inputs[0])?;
        // Then word by word: what does not depend on a word is not computed again.
        let mut bytes = inputs[0];
        for (number, pick) in written.into_iter().enumerate() {
            if code.loads.is_empty() {
                break;
            }
            let load = code.loads[usize::from(pick) % code.loads.len()];
            let source = inputs[number % inputs.len()];
            let value = u128::from_le_bytes(source).rotate_left(u32::from(pick) % 128);
            state.write(&[Write { load, value, bits: u128::MAX }]);
            for (position, byte) in code.bytes_of(load).enumerate() {
                bytes[data.inputs[byte] as usize] = (value >> (8 * position)) as u8;
            }
            // Stopping early now and then must not leave anything stale behind.
            if pick % 3 == 0 {
                state.update(0);
            }
            if pick % 2 == 0 {
                state.update(u32::MAX);
                check(&state, &bytes)?;
            }
        }
        state.update(u32::MAX);
        check(&state, &bytes)?;
    }
}
