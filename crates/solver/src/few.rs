//! Every combination of the values that ranges leave, where they are few: then the question is decided.
//!
//! Takes a question and the values that its bytes may have; runs it as a program on one combination after the other. Bytes
//! get their values one after the other, those with the fewest first, and a value that breaks a clause about the bytes that
//! have theirs is not followed further. The chain asks twice: with little work before the layers that search, and with
//! more before the last one, which takes longer for sums of many small parts than it takes to try them all.
//!
//! Never gives up by the clock: the work is counted in instructions, so many for each millisecond that the question may take.

use crate::intervals::ByteSet;
use crate::layer::{Layer, Question};
use crate::search::{Compiled, Programs};
use crate::{Answer, Model};
use tarka_terms::Terms;

/// Instructions that may be run for each millisecond of the question's time, and at most: a hundredth of the time, and a tenth.
const LITTLE: (u64, u64) = (4_000, 400_000);
const MUCH: (u64, u64) = (40_000, 12_000_000);
/// Bits that tell all combinations apart at most.
const MOST_BITS: u32 = 24;

/// The layer that tries everything.
pub(crate) struct Few {
    name: &'static str,
    work: (u64, u64),
    programs: Programs,
}

impl Few {
    /// With little work.
    pub(crate) fn little() -> Few {
        Few { name: "few", work: LITTLE, programs: Programs::default() }
    }

    /// With more work.
    pub(crate) fn much() -> Few {
        Few { name: "many", work: MUCH, programs: Programs::default() }
    }

    fn answer(&mut self, terms: &Terms, question: &Question) -> Option<Answer> {
        let values = &question.left;
        let bits = |set: &ByteSet| u32::BITS - (set.len().max(1) - 1).leading_zeros();
        if values.is_empty() || values.iter().map(|(_, set)| bits(set)).sum::<u32>() > MOST_BITS {
            return None;
        }
        let (each, most) = self.work;
        let work = most.min(each.saturating_mul(question.time_limit.as_millis() as u64));
        let compiled = self.programs.compile(terms, question.clauses(), work as usize)?;
        // A byte that was not looked at, in a large table, could make up for what is missing.
        if !compiled.inputs().iter().eq(values.iter().map(|(input, _)| input)) {
            return None;
        }
        tried(terms, question, &compiled, work)
    }
}

/// What comes of trying, unless that takes more work.
fn tried(terms: &Terms, question: &Question, compiled: &Compiled, most: u64) -> Option<Answer> {
    let values = &question.left;
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|position| values[*position].1.len());
    let choices: Vec<Vec<u8>> = order.iter().map(|position| choices(question, values[*position])).collect();
    let clauses = by_last_byte(terms, question, &order);
    let mut running = compiled.start(question.current);
    let mut chosen = vec![0];
    while let Some(next) = chosen.last_mut() {
        let choice = *next;
        *next += 1;
        let depth = chosen.len() - 1;
        let Some(value) = choices[depth].get(choice) else {
            chosen.pop();
            continue;
        };
        running.change(&[(order[depth], *value)]);
        if running.work() >= most {
            return None;
        }
        if !running.hold(&clauses[depth]) {
            continue;
        }
        if depth + 1 == order.len() {
            let bytes = values.iter().map(|(input, _)| *input).zip(running.bytes().iter().copied());
            return Some(Answer::Sat(Model { bytes: bytes.collect() }));
        }
        chosen.push(0);
    }
    Some(Answer::Unsat)
}

/// The values of a byte, its current one first.
fn choices(question: &Question, (input, set): (u32, ByteSet)) -> Vec<u8> {
    let current = question.current.byte(input);
    let mut choices: Vec<u8> = set.values().collect();
    choices.sort_by_key(|value| *value != current);
    choices
}

/// For each byte in this order the numbers of the clauses that speak of it and of bytes before it only.
fn by_last_byte(terms: &Terms, question: &Question, order: &[usize]) -> Vec<Vec<usize>> {
    let values = &question.left;
    let mut depths = vec![0; order.len()];
    order.iter().enumerate().for_each(|(depth, position)| depths[*position] = depth);
    let depth_of = |input: &u32| {
        values.binary_search_by_key(input, |(byte, _)| *byte).map_or(0, |position| depths[position])
    };
    let mut clauses = vec![Vec::new(); order.len()];
    for (number, clause) in question.clauses().enumerate() {
        let depth = terms.inputs(clause).iter().map(depth_of).max().unwrap_or(0);
        clauses[depth].push(number);
    }
    clauses
}

impl Layer for Few {
    fn name(&self) -> &'static str {
        self.name
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        self.answer(terms, question)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervals::Intervals;
    use crate::layer::testing::question;
    use tarka_terms::{BinaryOp, Term};

    /// How many of these bytes have a value.
    fn count(terms: &mut Terms, bytes: std::ops::Range<u32>, value: u128) -> Term {
        let value = terms.constant(8, value);
        bytes.fold(terms.constant(8, 0), |sum, byte| {
            let byte = terms.input(byte);
            let equal = terms.binary(BinaryOp::Eq, byte, value);
            let equal = terms.zext(equal, 8);
            terms.binary(BinaryOp::Add, sum, equal)
        })
    }

    /// Six bytes below 4, of which so many are 1 and so many are 2; and their sum odd or not.
    fn counted(terms: &mut Terms, ones: u128, twos: u128, odd: u128) -> (Vec<Term>, Term) {
        let four = terms.constant(8, 4);
        let mut prefix: Vec<Term> = (0..6)
            .map(|byte| {
                let byte = terms.input(byte);
                terms.binary(BinaryOp::Ult, byte, four)
            })
            .collect();
        for (value, times) in [(1, ones), (2, twos), (3, 0)] {
            let (count, times) = (count(terms, 0..6, value), terms.constant(8, times));
            prefix.push(terms.binary(BinaryOp::Eq, count, times));
        }
        let sum = (1..6).fold(terms.input(0), |sum, byte| {
            let byte = terms.input(byte);
            terms.binary(BinaryOp::Add, sum, byte)
        });
        let (low, odd) = (terms.extract(sum, 0, 1), terms.constant(1, odd));
        (prefix, terms.binary(BinaryOp::Eq, low, odd))
    }

    fn asked(few: &mut Few, terms: &mut Terms, prefix: &[Term], flipped: Term) -> Option<Answer> {
        let mut question = question(prefix, flipped);
        assert_eq!(Intervals::default().ask(terms, &mut question), None, "ranges do not decide it");
        few.ask(terms, &mut question)
    }

    #[test]
    fn when_every_combination_was_tried_there_is_no_model() {
        let mut t = Terms::new();
        let (prefix, flipped) = counted(&mut t, 2, 3, 1);
        assert_eq!(asked(&mut Few::little(), &mut t, &prefix, flipped), Some(Answer::Unsat));
    }

    #[test]
    fn a_combination_that_satisfies_all_clauses_is_the_model() {
        let mut t = Terms::new();
        let (prefix, flipped) = counted(&mut t, 3, 2, 1);
        let Some(Answer::Sat(model)) = asked(&mut Few::little(), &mut t, &prefix, flipped) else {
            panic!("there is one")
        };
        let holds = question(&prefix, flipped);
        let input = |byte: u32| model.get(byte).unwrap();
        assert_eq!(tarka_terms::Evaluator::new().first_false(&t, holds.clauses(), &input), None);
    }

    /// Bytes that are digits.
    fn digits(terms: &mut Terms, count: u32) -> (Vec<Term>, Vec<Term>) {
        let ten = terms.constant(8, 10);
        let bytes: Vec<Term> = (0..count).map(|byte| terms.input(byte)).collect();
        let clauses = bytes.iter().map(|byte| terms.binary(BinaryOp::Ult, *byte, ten)).collect();
        (bytes, clauses)
    }

    #[test]
    fn three_squares_of_digits_do_not_add_up_to_7() {
        let mut t = Terms::new();
        let (bytes, clauses) = digits(&mut t, 3);
        let sum = bytes.iter().fold(t.constant(8, 0), |sum, byte| {
            let squared = t.binary(BinaryOp::Mul, *byte, *byte);
            t.binary(BinaryOp::Add, sum, squared)
        });
        let seven = t.constant(8, 7);
        let flipped = t.binary(BinaryOp::Eq, sum, seven);
        assert_eq!(asked(&mut Few::little(), &mut t, &clauses, flipped), Some(Answer::Unsat));
    }

    #[test]
    fn values_that_break_a_clause_are_not_followed_further() {
        let mut t = Terms::new();
        let (bytes, mut clauses) = digits(&mut t, 6);
        for pair in bytes.windows(2) {
            let product = t.binary(BinaryOp::Mul, pair[0], pair[1]);
            let (low, two) = (t.extract(product, 0, 2), t.constant(2, 2));
            clauses.push(t.binary(BinaryOp::Eq, low, two));
        }
        let Some(flipped) = clauses.pop() else { panic!("there are clauses") };
        let mut question = question(&clauses, flipped);
        let answer = Intervals::default().ask(&mut t, &mut question);
        let answer = answer.or_else(|| Few::little().ask(&mut t, &mut question));
        assert!(matches!(answer, Some(Answer::Sat(_))), "{answer:?}");
    }

    #[test]
    fn what_takes_more_work_is_left_open() {
        let mut t = Terms::new();
        let (prefix, flipped) = counted(&mut t, 2, 3, 1);
        let mut few = Few { work: (1, 1_000), ..Few::little() };
        assert_eq!(asked(&mut few, &mut t, &prefix, flipped), None);
    }

    #[test]
    fn bytes_that_nobody_looked_at_leave_the_question_open() {
        let mut t = Terms::new();
        let (prefix, flipped) = counted(&mut t, 2, 3, 1);
        let mut question = question(&prefix, flipped);
        assert_eq!(Intervals::default().ask(&mut t, &mut question), None);
        question.left.pop();
        assert_eq!(Few::little().ask(&mut t, &mut question), None);
    }
}
