//! Values to try once everything is narrowed: the ones nearest to the current input, and the ends.

use super::analysis::Analysis;
use super::bytes::ByteSet;
use super::range::Range;
use crate::layer::Question;
use crate::slots::bytes_of_word;
use crate::{Answer, Model};
use std::collections::BTreeMap;
use tarka_terms::semantics::{mask, signed};
use tarka_terms::{Evaluator, Terms};

/// Which value of a range is taken where the current one is not in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pick {
    Nearest,
    Least,
    Greatest,
}

/// A model that evaluation confirms.
pub(super) fn model(
    terms: &Terms,
    question: &Question,
    analysis: &Analysis,
    evaluator: &mut Evaluator,
) -> Option<Answer> {
    let values = analysis.values(terms);
    for pick in [Pick::Nearest, Pick::Least, Pick::Greatest] {
        let bytes = picked(terms, question, analysis, &values, pick);
        if let Some(answer) = confirmed(terms, question, evaluator, &bytes) {
            return Some(answer);
        }
    }
    None
}

fn confirmed(
    terms: &Terms,
    question: &Question,
    evaluator: &mut Evaluator,
    bytes: &BTreeMap<u32, u8>,
) -> Option<Answer> {
    let assignment = |input: u32| bytes.get(&input).copied().unwrap_or_else(|| question.current.byte(input));
    let holds = evaluator.first_false(terms, question.clauses(), &assignment).is_none();
    holds.then(|| Answer::Sat(Model::of_question(terms, question, &assignment)))
}

/// Values of words whose current value is not possible, then of bytes.
fn picked(
    terms: &Terms,
    question: &Question,
    analysis: &Analysis,
    values: &[(u32, ByteSet)],
    pick: Pick,
) -> BTreeMap<u32, u8> {
    let mut bytes = BTreeMap::new();
    // Larger words are made of older ones.
    for word in analysis.terms().iter().rev() {
        let range = analysis.range(terms, *word);
        if range.width <= 8 || range == Range::full(range.width) {
            continue;
        }
        let Some(inputs) = bytes_of_word(terms, *word) else { continue };
        if inputs.iter().any(|input| bytes.contains_key(input)) {
            continue;
        }
        let current =
            inputs.iter().rev().fold(0, |bits, input| bits << 8 | u128::from(question.current.byte(*input)));
        let value = if range.contains(current) && pick == Pick::Nearest {
            current
        } else {
            end(&range, current, pick)
        };
        bytes.extend(inputs.iter().copied().zip(value.to_le_bytes()));
    }
    for (input, set) in values {
        let current = question.current.byte(*input);
        let given = *bytes.entry(*input).or_insert(current);
        if !set.contains(given) {
            let value = match pick {
                Pick::Nearest => set.nearest(given),
                Pick::Least => set.values().next(),
                Pick::Greatest => set.values().last(),
            };
            bytes.insert(*input, value.unwrap_or(given));
        }
    }
    bytes
}

/// The end of a range that is picked, of the order in which it is narrower.
fn end(range: &Range, current: u128, pick: Pick) -> u128 {
    let is_signed = range.signed_low.abs_diff(range.signed_high) < range.high - range.low;
    if is_signed {
        let number = match pick {
            Pick::Nearest => signed(range.width, current).clamp(range.signed_low, range.signed_high),
            Pick::Least => range.signed_low,
            Pick::Greatest => range.signed_high,
        };
        return number as u128 & mask(range.width);
    }
    match pick {
        Pick::Nearest => current.clamp(range.low, range.high),
        Pick::Least => range.low,
        Pick::Greatest => range.high,
    }
}
