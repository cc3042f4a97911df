//! The first search: make the first failing clause hold, then repair what that broke, and so on, a few steps deep.
//!
//! Changes little and writes what the clause itself asks for (the constant, its neighbour, an end of the range), so the
//! models are near the current input and easy to read. A word that was written to make a clause hold is left alone while the
//! others are repaired.

use super::invert::Move;
use super::state::Write;
use super::{Search, Stop};
use rustc_hash::FxHashSet;

/// Clauses that may fail after a step that is followed further.
const MAX_FAILING: u32 = 6;
/// One way through: how many steps are followed further at each depth, and whether the first clause gets every value
/// of its bytes tried even where it can be solved backwards.
struct Round {
    breadths: &'static [usize],
    thorough: bool,
}

const ROUNDS: [Round; 6] = [
    Round { breadths: &[], thorough: false },
    Round { breadths: &[12], thorough: false },
    Round { breadths: &[2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], thorough: false },
    Round { breadths: &[24], thorough: true },
    Round { breadths: &[8, 6, 4], thorough: false },
    Round { breadths: &[6, 4, 3, 2, 2, 1, 1], thorough: false },
];
/// Single bytes of a clause that get every value tried.
const MAX_BYTES: usize = 3;

/// Tries deeper and deeper. The state must be up to date, and is so again afterwards, as it was.
pub(super) fn repair(search: &mut Search) -> Result<(), Stop> {
    for Round { breadths, thorough } in ROUNDS {
        search.expand(breadths, thorough)?;
        search.state.update(u32::MAX);
    }
    Ok(())
}

impl Search<'_> {
    /// Follows so many of the moves that repair the first failing clause, and so on.
    fn expand(&mut self, breadths: &[usize], thorough: bool) -> Result<(), Stop> {
        let Some(clause) = self.state.failing_clauses().next() else { return Err(Stop::Found) };
        let mut fixing = Vec::new();
        for proposed in self.moves(clause) {
            self.try_move(clause, proposed, &mut fixing)?;
        }
        // Where nothing can be solved backwards, what is left are the values themselves.
        if thorough || fixing.is_empty() {
            self.every_byte(clause, &mut fixing)?;
        }
        let [breadth, breadths @ ..] = breadths else { return Ok(()) };
        fixing.truncate(*breadth);
        for writes in fixing {
            let undo = self.state.undo_of(&writes);
            self.state.write(&writes);
            if self.state.update(MAX_FAILING) {
                self.freeze(&writes, 1);
                let outcome = self.expand(breadths, false);
                self.freeze(&writes, -1);
                outcome?;
            }
            self.state.write(&undo);
        }
        Ok(())
    }

    /// Writes, looks, and takes back what did not lead to a model.
    fn try_move(&mut self, clause: usize, writes: Move, fixing: &mut Vec<Move>) -> Result<(), Stop> {
        self.pay()?;
        let undo = self.state.undo_of(&writes);
        self.state.write(&writes);
        if self.state.update(0) && self.state.failing() == 0 {
            return Err(Stop::Found);
        }
        if self.state.failing_clauses().next().is_some_and(|failing| failing > clause) {
            fixing.push(writes);
        }
        self.state.write(&undo);
        Ok(())
    }

    /// Moves that may make a clause hold and leave alone what was written before.
    fn moves(&mut self, clause: usize) -> Vec<Move> {
        let mut seen = FxHashSet::default();
        let mut moves = self.state.moves(clause);
        moves.retain(|writes| {
            let free = writes.iter().all(|write| self.is_free(write.load));
            free && seen.insert(writes.iter().map(|write| (write.load, write.value)).collect::<Vec<_>>())
        });
        moves
    }

    fn every_byte(&mut self, clause: usize, fixing: &mut Vec<Move>) -> Result<(), Stop> {
        let (register, _) = self.state.code.shape.clauses[clause];
        for load in self.bytes_of_clause(register) {
            let current = self.state.word(load) as u8;
            for value in byte_values(current) {
                self.try_move(clause, vec![Write { load, value: value.into(), bits: 0xff }], fixing)?;
            }
        }
        Ok(())
    }

    /// Single input bytes a clause depends on.
    fn bytes_of_clause(&self, register: u32) -> Vec<u32> {
        let code = self.state.code;
        let depends = code.depends[register as usize];
        let is_byte = |load: &u32| {
            code.inst(*load).width == 8 && code.depends[*load as usize] & depends != 0 && self.is_free(*load)
        };
        code.loads.iter().copied().filter(is_byte).take(MAX_BYTES).collect()
    }

    fn is_free(&self, load: u32) -> bool {
        self.frozen[self.state.code.bytes_of(load)].iter().all(|times| *times == 0)
    }

    fn freeze(&mut self, writes: &[Write], by: i32) {
        for write in writes {
            self.frozen[self.state.code.bytes_of(write.load)].iter_mut().for_each(|times| *times += by);
        }
    }
}

/// All values of a byte but its own: 0 and characters that can be read first.
fn byte_values(current: u8) -> impl Iterator<Item = u8> {
    let readable = (b'0'..=b'9').chain(b'a'..=b'z').chain(b'A'..=b'Z').chain(b' '..=b'/').chain(b':'..=b'@');
    let rest = (b'['..=b'`').chain(b'{'..=b'~').chain(1..b' ').chain(0x7f..=0xff);
    [0].into_iter().chain(readable).chain(rest).filter(move |value| *value != current)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_other_value_of_a_byte_once() {
        let mut values: Vec<u8> = byte_values(b'x').collect();
        values.push(b'x');
        values.sort_unstable();
        assert!(values.into_iter().eq(0..=255));
    }
}
