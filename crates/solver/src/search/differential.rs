//! Compiled programs against `tarka_terms::Evaluator` on random terms of every operation and width.

use super::compile::Compiler;
use super::program::Code;
use super::state::{State, Write};
use proptest::prelude::*;
use tarka_terms::{Evaluator, Term};

#[path = "../../../terms/tests/random/mod.rs"]
mod random;

use random::{Program, RandomOp};

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

    #[test]
    fn programs_compute_what_the_evaluator_does(
        inputs in prop::collection::vec(prop::array::uniform16(prop_oneof![any::<u8>(), Just(0), Just(0xff)]), 1..5),
        steps in prop::collection::vec(any::<RandomOp>(), 1..40),
        written in any::<[u16; 4]>(),
    ) {
        let mut program = Program::new(&[]);
        for step in steps {
            program.step(step);
        }
        // Each bit of the last terms is a clause.
        let roots: Vec<Term> = program.known.iter().rev().take(8).map(|known| known.0).collect();
        let mut clauses = Vec::new();
        for root in roots {
            for bit in 0..program.terms.width(root) {
                clauses.push(program.terms.extract(root, bit, 1));
            }
        }
        let terms = &program.terms;
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
