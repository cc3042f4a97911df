//! Random queries over two input bytes: a model must satisfy the query, and "unsatisfiable" must be true of all 65536
//! inputs. Checks the whole chain and Z3 alone, so that nothing hides behind the guesses of the chain.

use proptest::prelude::*;
use std::time::Duration;
use tarka_solver::z3::{self, Engine};
use tarka_solver::{Answer, Query, Solver, standard};
use tarka_terms::{Evaluator, Term, Terms};

use crate::random::{RandomOp, truths};

/// Widths that terms are cut to.
const WIDTHS: [u16; 4] = [1, 8, 12, 16];

fn first_solution(terms: &Terms, clauses: &[Term]) -> Option<[u8; 2]> {
    let mut evaluator = Evaluator::new();
    (0..=u16::MAX)
        .map(u16::to_le_bytes)
        .find(|bytes| evaluator.first_false(terms, clauses.iter().copied(), &bytes.as_slice()).is_none())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn answers_agree_with_all_inputs(steps in prop::collection::vec(any::<RandomOp>(), 1..14)) {
        let mut terms = Terms::new();
        let bytes = vec![terms.input(0), terms.input(1)];
        let mut clauses = truths(&mut terms, bytes, &WIDTHS, &steps);
        clauses.truncate(4);
        let Some((flipped, prefix)) = clauses.split_first() else { return Ok(()) };
        // The slice may leave out clauses that hold on the current input: it is made to satisfy the prefix.
        let Some(current) = first_solution(&terms, prefix) else { return Ok(()) };
        let expected = first_solution(&terms, &clauses);
        let solvers: [Box<dyn Solver>; 3] = [
            standard(),
            Box::new(z3::only(vec![(Engine::EquationsThenSmt, 100)])),
            Box::new(z3::only(vec![(Engine::Sat, 100)])),
        ];
        for mut solver in solvers {
            let query = Query {
                prefix,
                flipped: *flipped,
                domain: &|_, _| None,
                current: &current.as_slice(),
                time_limit: Duration::from_secs(60), doubles_loop: false,
            };
            match solver.solve(&mut terms, &query) {
                Answer::Sat(model) => {
                    let failed = Evaluator::new().first_false(
                        &terms, clauses.iter().copied(), &model.over(&current.as_slice())
                    );
                    prop_assert_eq!(failed, None, "{:?}", model);
                }
                Answer::Unsat => prop_assert_eq!(expected, None, "{}", terms.display(*flipped)),
                Answer::Unknown(reason) | Answer::Optimistic(_, reason) => prop_assert!(false, "{}", reason),
            }
        }
    }
}
