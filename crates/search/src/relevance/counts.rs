//! How many goals of one kind lie at each place and in each set of places; kept up to date goal by goal.

use super::has;

/// Numbers of goals.
#[derive(Debug)]
pub(super) struct Counts {
    at_place: Vec<u32>,
    /// How many places of each set have any.
    in_set: Vec<u32>,
    /// Goals that may lie anywhere.
    unplaced: u32,
}

impl Counts {
    pub(super) fn new(places: usize, sets: usize) -> Counts {
        Counts { at_place: vec![0; places], in_set: vec![0; sets], unplaced: 0 }
    }

    /// Takes in a goal: its places, and whether it may lie anywhere.
    pub(super) fn add(&mut self, (places, is_unplaced): (&[u32], bool), sets: &[Vec<u64>]) {
        self.unplaced += u32::from(is_unplaced);
        for &place in places {
            self.at_place[place as usize] += 1;
            if self.at_place[place as usize] == 1 {
                let containing =
                    sets.iter().zip(&mut self.in_set).filter(|(set, _)| has(set, place as usize));
                containing.for_each(|(_, count)| *count += 1);
            }
        }
    }

    /// Takes a goal out that was taken in.
    pub(super) fn remove(&mut self, (places, is_unplaced): (&[u32], bool), sets: &[Vec<u64>]) {
        self.unplaced -= u32::from(is_unplaced);
        for &place in places {
            self.at_place[place as usize] -= 1;
            if self.at_place[place as usize] == 0 {
                let containing =
                    sets.iter().zip(&mut self.in_set).filter(|(set, _)| has(set, place as usize));
                containing.for_each(|(_, count)| *count -= 1);
            }
        }
    }

    /// How many places of a set have any.
    pub(super) fn count_in(&self, set: u32) -> u32 {
        self.in_set[set as usize]
    }

    /// True if a goal may lie in a set.
    pub(super) fn any_in(&self, set: u32) -> bool {
        self.unplaced > 0 || self.in_set[set as usize] > 0
    }
}
