//! Longer texts, for copies that they would not fit into.
//!
//! Takes what runs tell of the texts they copied into objects of known size (how long one would have to be to leave its
//! object); gives the input of such a run with that text as long, each once, and a few for each text. The run shows what
//! comes of it: a copy that checks its length first goes another way. Never: solving for it, because characters are decided
//! on one by one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tarka_inputs::InputBytes;
use tarka_trace::LongText;

use super::input_pool::InputPool;
use super::next::{Aliasing, Next};

/// Inputs tried for one text, and in all. A copy into memory that was measured before always wants one character more.
const MOST_FOR_A_TEXT: u32 = 4;
const MOST: u32 = 48;

/// While there are other candidates, one input in so many is a longer text.
const TURN: u64 = 8;

/// Texts that are worth being longer.
#[derive(Default)]
pub(super) struct LongerTexts {
    waiting: VecDeque<(LongText, InputBytes, Aliasing)>,
    /// Where a text begins, and how long it was asked to be.
    known: BTreeSet<(u32, u32)>,
    tried: BTreeMap<u32, u32>,
    total: u32,
}

impl LongerTexts {
    pub(super) fn note(&mut self, texts: &[LongText], input: &InputBytes, aliasing: Aliasing) {
        for text in texts {
            let tried = self.tried.get(&text.at).copied().unwrap_or(0);
            if self.total >= MOST || tried >= MOST_FOR_A_TEXT || !self.known.insert((text.at, text.length)) {
                continue;
            }
            *self.tried.entry(text.at).or_default() += 1;
            self.total += 1;
            self.waiting.push_back((*text, input.clone(), aliasing));
        }
    }

    /// Whether some wait to be tried.
    pub(super) fn any(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Forgets the texts of other inputs, but not how many were tried.
    pub(super) fn restart(&mut self) {
        *self = LongerTexts { total: self.total, ..LongerTexts::default() };
    }
}

impl InputPool<'_> {
    /// The next input with a longer text, if it is its turn after so many runs.
    pub(super) fn stretched(&mut self, runs: u64, is_last_resort: bool) -> Option<Next> {
        if !is_last_resort && !runs.is_multiple_of(TURN) {
            return None;
        }
        while let Some((text, input, aliasing)) = self.longer_texts.waiting.pop_front() {
            if let Some(input) = self.shape.with_text(&input, text.at, text.length) {
                return Some(Next::tried(input, aliasing));
            }
        }
        None
    }
}
