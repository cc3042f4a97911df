//! Which branches of the program any run has taken, those of called functions included.
//!
//! Takes the outcomes of each run that counts; gives those that it was the first to take, so that whoever follows
//! the program's text looks at each branch once. Never: goals.

/// The branches that runs have taken, by their index in the coverage map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Explored {
    taken: Vec<bool>,
    by_last_run: Vec<u32>,
}

impl Explored {
    /// Takes a run: for every branch a byte, not 0 if it was taken.
    pub(crate) fn absorb(&mut self, outcomes: &[u8]) {
        self.taken.resize(self.taken.len().max(outcomes.len()), false);
        self.by_last_run.clear();
        for (branch, _) in outcomes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            if !std::mem::replace(&mut self.taken[branch], true) {
                self.by_last_run.push(branch as u32);
            }
        }
    }

    /// Whether any run has taken a branch.
    pub(crate) fn is_taken(&self, branch: u32) -> bool {
        self.taken.get(branch as usize).copied().unwrap_or(false)
    }

    /// The branches that the last run was the first to take.
    pub(crate) fn by_last_run(&self) -> &[u32] {
        &self.by_last_run
    }
}
