//! Which bytes may keep their current value while the others are narrowed.
//!
//! Takes a question that ranges alone do not decide; gives sets of bytes to keep, the most promising first: where a
//! table is read, then all that the flipped clause does not speak of, then all but one number that it speaks of.

use super::analysis::Analysis;
use crate::layer::Question;
use crate::slots::bytes_of_word;
use std::collections::BTreeSet;
use tarka_terms::{Node, Terms};

/// Numbers of the flipped clause that are set free alone.
const MOST_NUMBERS: usize = 6;
/// Larger questions are narrowed once only.
const MAX_TERMS: usize = 1_000;

/// Sets of bytes to keep.
pub(super) fn kept(terms: &Terms, question: &Question, analysis: &Analysis) -> Vec<BTreeSet<u32>> {
    if analysis.terms().len() > MAX_TERMS {
        return Vec::new();
    }
    let flipped: BTreeSet<u32> = terms.inputs(question.flipped).iter().copied().collect();
    let all: BTreeSet<u32> = question.inputs(terms).into_iter().collect();
    let mut indices = BTreeSet::new();
    for term in analysis.terms() {
        if let Node::Read(_, index) = *terms.node(*term) {
            indices.extend(terms.inputs(index));
        }
    }
    let elsewhere: BTreeSet<u32> = &all - &flipped;
    let mut kept = vec![indices.clone(), elsewhere.clone(), &elsewhere | &indices];
    kept.extend(numbers(terms, analysis, &flipped).iter().map(|number| &all - number));
    kept.retain(|kept| !kept.is_empty());
    kept.dedup();
    kept
}

/// The numbers that these bytes are, larger ones first; then single bytes.
fn numbers(terms: &Terms, analysis: &Analysis, bytes: &BTreeSet<u32>) -> Vec<BTreeSet<u32>> {
    let mut numbers: Vec<BTreeSet<u32>> = Vec::new();
    let words = analysis.terms().iter().rev().filter(|term| terms.width(**term) > 8);
    let words = words.filter_map(|word| bytes_of_word(terms, *word));
    for word in words.map(|word| word.into_iter().collect::<BTreeSet<u32>>()) {
        if word.is_subset(bytes) && numbers.iter().all(|number| number.is_disjoint(&word)) {
            numbers.push(word);
        }
    }
    let single = bytes.iter().filter(|byte| !numbers.iter().any(|number| number.contains(*byte)));
    let single: Vec<BTreeSet<u32>> = single.map(|byte| BTreeSet::from([*byte])).collect();
    numbers.into_iter().chain(single).take(MOST_NUMBERS).collect()
}
