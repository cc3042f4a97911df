//! The second search: change one word, then two at once, as long as the question comes closer; then the same from all
//! ones, because products of zeros tell nothing.
//!
//! How close an input is: first how many clauses fail, then by how many representable values their sides are apart.
//! A step is kept only if it comes closer, so the search ends; it also ends when its work is used up.

use super::distance::distance;
use super::state::Write;
use super::values::Number;
use super::variables::Variable;
use super::{Search, Stop};

/// Values of each of two words that are tried together.
const PAIRED_VALUES: usize = 40;
/// Values of a word with each of which the clauses are solved for another one.
const GIVEN_VALUES: usize = 16;
/// How far beside a proposed value is looked.
const NEIGHBOURS: [i128; 5] = [0, 1, -1, 2, -2];

/// How far from a model an input is: failing clauses, then the distance of their sides.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Cost(u32, f64);

/// Farther than any input.
const FARTHEST: Cost = Cost(u32::MAX, 0.0);

/// Climbs from the state there is, then from ones.
pub(super) fn climb(search: &mut Search, variables: &[Variable]) -> Result<(), Stop> {
    let mut climb = Climb { search, variables, best: FARTHEST };
    climb.run()?;
    let ones: Vec<Write> =
        variables.iter().filter_map(|one| Some(one.write(one.kind.bits(Number::double(1.0))?))).collect();
    climb.search.state.write(&ones);
    climb.best = FARTHEST;
    climb.run()
}

impl Variable {
    fn write(&self, value: u128) -> Write {
        Write { load: self.load, value, bits: u128::MAX }
    }
}

/// One climb.
struct Climb<'s, 'c> {
    search: &'s mut Search<'c>,
    variables: &'s [Variable],
    best: Cost,
}

impl Climb<'_, '_> {
    fn run(&mut self) -> Result<(), Stop> {
        self.step(&[])?;
        loop {
            let before = self.best;
            self.single_values()?;
            self.solved_for_one(None)?;
            for variable in self.variables {
                self.descend(variable)?;
            }
            if self.best == before {
                self.solved_for_another()?;
                self.pairs()?;
            }
            if self.best == before {
                return Ok(());
            }
        }
    }

    fn single_values(&mut self) -> Result<(), Stop> {
        for variable in self.variables {
            for value in &variable.values {
                self.step(&[variable.write(*value)])?;
            }
        }
        Ok(())
    }

    /// Every failing clause solved for each of its words, with another word given a value first if one is named.
    fn solved_for_one(&mut self, given: Option<Write>) -> Result<(), Stop> {
        let state = &mut self.search.state;
        let undo = state.undo_of(given.as_slice());
        state.write(given.as_slice());
        state.update(u32::MAX);
        let failing: Vec<usize> = state.failing_clauses().collect();
        let mut proposals = Vec::new();
        for clause in failing {
            proposals.extend(state.moves(clause));
        }
        state.write(&undo);
        for proposal in proposals {
            let is_other = |given: &Write| proposal.iter().all(|write| write.load != given.load);
            let mut writes: Vec<Write> = given.into_iter().filter(is_other).collect();
            writes.extend(proposal);
            let Some(last) = writes.last().copied() else { continue };
            let kind = self.variables.iter().find(|variable| variable.load == last.load).map(|one| one.kind);
            for beside in NEIGHBOURS {
                let moved = match beside {
                    0 => Some(last.value),
                    _ => kind.and_then(|kind| kind.moved(last.value & super::mask_of(kind), beside)),
                };
                if let (Some(moved), Some(last)) = (moved, writes.last_mut()) {
                    last.value = moved;
                    self.step(&writes)?;
                }
            }
        }
        Ok(())
    }

    fn solved_for_another(&mut self) -> Result<(), Stop> {
        for variable in self.variables {
            for value in variable.values.iter().take(GIVEN_VALUES) {
                self.search.pay()?;
                self.solved_for_one(Some(variable.write(*value)))?;
            }
        }
        Ok(())
    }

    /// Steps of falling size in the order of the word's values, as in a binary search.
    fn descend(&mut self, variable: &Variable) -> Result<(), Stop> {
        for size in (0..variable.kind.position_bits()).rev() {
            for step in [1i128 << size, -(1i128 << size)] {
                if let Some(value) = variable.kind.moved(self.search.state.word(variable.load), step) {
                    self.step(&[variable.write(value)])?;
                }
            }
        }
        Ok(())
    }

    fn pairs(&mut self) -> Result<(), Stop> {
        for (position, first) in self.variables.iter().enumerate() {
            for second in &self.variables[position + 1..] {
                for value in first.values.iter().take(PAIRED_VALUES) {
                    for other in second.values.iter().take(PAIRED_VALUES) {
                        self.step(&[first.write(*value), second.write(*other)])?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes these values and keeps them if that comes closer.
    fn step(&mut self, writes: &[Write]) -> Result<(), Stop> {
        self.search.pay()?;
        let state = &mut self.search.state;
        let undo = state.undo_of(writes);
        state.write(writes);
        if state.update(self.best.0) {
            if state.failing() == 0 {
                return Err(Stop::Found);
            }
            let clauses = &state.code.shape.clauses;
            let distances = state.failing_clauses().map(|clause| distance(state, clauses[clause].0));
            let cost = Cost(state.failing(), distances.sum());
            if cost < self.best {
                self.best = cost;
                return Ok(());
            }
        }
        state.write(&undo);
        Ok(())
    }
}
