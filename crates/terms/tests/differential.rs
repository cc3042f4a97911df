//! Random programs of operations: every term, made with rewriting, must have the value of its operation on the values of its
//! operands, computed without.

use proptest::prelude::*;
use tarka_terms::Evaluator;

use crate::random::{Program, RandomOp};

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn rewriting_keeps_every_value(
        assignments in prop::collection::vec(prop::array::uniform16(prop_oneof![any::<u8>(), Just(0), Just(0xff)]), 1..6),
        steps in prop::collection::vec(any::<RandomOp>(), 1..40),
    ) {
        let mut program = Program::new(&assignments);
        for step in steps {
            program.step(step);
        }
        let mut evaluator = Evaluator::new();
        for (number, assignment) in assignments.iter().enumerate() {
            let bytes = assignment.as_slice();
            evaluator.restart();
            for (term, values) in &program.known {
                let actual = evaluator.eval_more(&program.terms, *term, &bytes);
                prop_assert_eq!(
                    actual, values[number], "{} under {:?}", program.terms.display(*term), assignment
                );
            }
        }
    }
}
