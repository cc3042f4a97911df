//! Words in place of texts that the program compares with them.
//!
//! Takes what runs tell of texts that they copied out of the input and compared with a word in vain; gives the input of such
//! a run with the word where the text came from, each once, and a few for each word. The run shows what comes of it. Never:
//! solving for it, because the loop that copies decides on the characters one by one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tarka_inputs::InputBytes;
use tarka_trace::ComparedWord;

use super::input_pool::InputPool;
use super::next::{Aliasing, Next};

/// Inputs tried for one word: the first ways to a comparison may lead no further.
const MOST_FOR_A_WORD: u32 = 4;

/// Words that are worth being tried.
#[derive(Default)]
pub(super) struct Dictionary {
    waiting: VecDeque<(ComparedWord, InputBytes, Aliasing)>,
    /// Where a word was put.
    known: BTreeSet<(u32, Vec<u8>)>,
    tried: BTreeMap<Vec<u8>, u32>,
}

impl Dictionary {
    pub(super) fn note(&mut self, words: &[ComparedWord], input: &InputBytes, aliasing: Aliasing) {
        for met in words {
            let tried = self.tried.entry(letters(met).to_vec()).or_default();
            if *tried < MOST_FOR_A_WORD && self.known.insert((met.at, letters(met).to_vec())) {
                *tried += 1;
                self.waiting.push_back((*met, input.clone(), aliasing));
            }
        }
    }
}

impl InputPool<'_> {
    /// The next input with a word in it.
    pub(super) fn worded(&mut self) -> Option<Next> {
        while let Some((met, input, aliasing)) = self.dictionary.waiting.pop_front() {
            if let Some(input) = self.shape.with_word(&input, met.at, met.taken.into(), letters(&met)) {
                return Some(Next::tried(input, aliasing));
            }
        }
        None
    }
}

fn letters(met: &ComparedWord) -> &[u8] {
    &met.word[..usize::from(met.length).min(met.word.len())]
}
