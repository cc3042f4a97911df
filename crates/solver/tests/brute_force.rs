//! Random queries over two input bytes: a model must satisfy the query, and "unsatisfiable" must be true of all 65536
//! inputs. Checks the whole chain and Z3 alone, so that nothing hides behind the guesses of the chain.

use proptest::prelude::*;
use std::time::Duration;
use tarka_solver::z3::{self, Engine};
use tarka_solver::{Answer, Query, Solver, standard};
use tarka_terms::{BinaryOp, Evaluator, Term, Terms};

/// One step of a random query: operation, two operands, a number.
type Step = (u8, u8, u8, u16);

const WIDTHS: [u16; 4] = [1, 8, 12, 16];
const OPS: [BinaryOp; 18] = {
    use BinaryOp::*;
    [Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, Ult, Ule, Slt, Sle]
};

/// Grows terms step by step; gives the truth values among them.
fn clauses(terms: &mut Terms, steps: &[Step]) -> Vec<Term> {
    let mut known = vec![terms.input(0), terms.input(1)];
    for (kind, a, b, number) in steps {
        let pick = |position: &u8| known[known.len() - 1 - usize::from(*position) % known.len().min(6)];
        let (a, b) = (pick(a), pick(b));
        let width = terms.width(a);
        let b = if number % 4 == 0 {
            terms.constant(width, (*number).into())
        } else {
            fit(terms, b, width, number)
        };
        let next = match kind % 24 {
            op @ 0..18 => terms.binary(OPS[usize::from(op)], a, b),
            18 => terms.not(a),
            19 if width <= 32 => terms.concat(a, b),
            20 => {
                let condition = fit(terms, known[0], 1, number);
                terms.ite(condition, a, b)
            }
            21 => {
                let entries =
                    (0..20).map(|entry| terms.constant(8, (entry * u128::from(*number)) >> 3)).collect();
                let table = terms.table(entries);
                terms.read(table, a)
            }
            _ => fit(terms, a, WIDTHS[usize::from(*number) % WIDTHS.len()], number),
        };
        known.push(next);
    }
    let truths: Vec<Term> = known.iter().copied().filter(|term| terms.width(*term) == 1).collect();
    truths.into_iter().rev().take(4).collect()
}

fn fit(terms: &mut Terms, term: Term, width: u16, number: &u16) -> Term {
    let from = terms.width(term);
    match (from > width, number.is_multiple_of(2)) {
        (true, true) => terms.extract(term, from - width, width),
        (true, false) => terms.extract(term, 0, width),
        (false, true) => terms.sext(term, width),
        (false, false) => terms.zext(term, width),
    }
}

fn first_solution(terms: &Terms, clauses: &[Term]) -> Option<[u8; 2]> {
    let mut evaluator = Evaluator::new();
    (0..=u16::MAX)
        .map(u16::to_le_bytes)
        .find(|bytes| evaluator.first_false(terms, clauses.iter().copied(), &bytes.as_slice()).is_none())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn answers_agree_with_all_inputs(steps in prop::collection::vec(any::<Step>(), 1..14)) {
        let mut terms = Terms::new();
        let clauses = clauses(&mut terms, &steps);
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
                time_limit: Duration::from_secs(60), leap: false,
            };
            match solver.solve(&mut terms, &query) {
                Answer::Sat(model) => {
                    let failed = Evaluator::new().first_false(
                        &terms, clauses.iter().copied(), &model.over(&current.as_slice())
                    );
                    prop_assert_eq!(failed, None, "{:?}", model);
                }
                Answer::Unsat => prop_assert_eq!(expected, None, "{}", terms.display(*flipped)),
                Answer::Unknown(reason) | Answer::Hopeful(_, reason) => prop_assert!(false, "{}", reason),
            }
        }
    }
}
