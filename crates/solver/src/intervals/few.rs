//! Every combination of the values that are left, where they are few: then the question is decided.
//!
//! Bytes get their values one after the other, those with the fewest first, and a value that breaks a clause about the
//! bytes that have theirs is not followed further.

use super::bytes::ByteSet;
use crate::layer::Question;
use crate::{Answer, Model};
use tarka_terms::{Evaluator, Term, Terms};

/// Values of terms that may be computed: some 4 ms.
const EVALUATIONS: u64 = 200_000;
/// Bits that tell all combinations apart at most.
const MOST_BITS: u32 = 24;

/// The answer, if all combinations can be looked at or one that will do is found on the way.
pub(super) fn answer(
    terms: &Terms,
    question: &Question,
    values: &[(u32, ByteSet)],
    evaluator: &mut Evaluator,
) -> Option<Answer> {
    let bits = |set: &ByteSet| u32::BITS - (set.len().max(1) - 1).leading_zeros();
    if values.is_empty() || values.iter().map(|(_, set)| bits(set)).sum::<u32>() > MOST_BITS {
        return None;
    }
    // A byte that was not looked at, in a large table, could make up for what is missing.
    if !question.inputs(terms).iter().eq(values.iter().map(|(input, _)| input)) {
        return None;
    }
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|position| values[*position].1.len());
    let choices: Vec<Vec<u8>> = order.iter().map(|position| choices(question, values[*position])).collect();
    let clauses = by_last_byte(terms, question, values, &order);
    let limit = evaluator.computed() + EVALUATIONS;
    let mut bytes: Vec<u8> = values.iter().map(|(input, _)| question.current.byte(*input)).collect();
    let mut chosen = vec![0];
    while let Some(next) = chosen.last_mut() {
        let choice = *next;
        *next += 1;
        let depth = chosen.len() - 1;
        let Some(value) = choices[depth].get(choice) else {
            chosen.pop();
            continue;
        };
        bytes[order[depth]] = *value;
        let assignment = |input: u32| {
            let position = values.binary_search_by_key(&input, |(byte, _)| *byte);
            position.map_or_else(|_| question.current.byte(input), |position| bytes[position])
        };
        if evaluator.computed() >= limit {
            return None;
        }
        if evaluator.first_false(terms, clauses[depth].iter().copied(), &assignment).is_some() {
            continue;
        }
        if depth + 1 == order.len() {
            return Some(Answer::Sat(Model::of_question(terms, question, &assignment)));
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

/// For each byte in this order the clauses that speak of it and of bytes before it only.
fn by_last_byte(
    terms: &Terms,
    question: &Question,
    values: &[(u32, ByteSet)],
    order: &[usize],
) -> Vec<Vec<Term>> {
    let mut depths = vec![0; order.len()];
    order.iter().enumerate().for_each(|(depth, position)| depths[*position] = depth);
    let depth_of = |input: &u32| {
        values.binary_search_by_key(input, |(byte, _)| *byte).map_or(0, |position| depths[position])
    };
    let mut clauses = vec![Vec::new(); order.len()];
    for clause in question.clauses() {
        let depth = terms.inputs(clause).iter().map(depth_of).max().unwrap_or(0);
        if let Some(clauses) = clauses.get_mut(depth) {
            clauses.push(clause);
        }
    }
    clauses
}
