//! The loop that does not end.
//!
//! Takes the stack of a run that reached its time limit and the statements that were still executed after it; gives the
//! loop that all of them are part of. Never: a loop that ended while it was watched, which is entered again by the one
//! that does not.

use tarka_source::{Function, Loop, Place, SourceModel, outcome_count};
use tarka_trace::COVERAGE_LATE;

use crate::fault_list::Stack;

/// A loop that does not end.
pub(crate) struct Endless<'m> {
    /// Its function's frame on the stack.
    frame: usize,
    which: &'m Loop,
}

impl<'m> Endless<'m> {
    /// Finds it: in the innermost frame that stays in a loop.
    pub(crate) fn find(model: &'m SourceModel, coverage: &[u8], stack: &Stack) -> Option<Endless<'m>> {
        let first = outcome_count(model);
        let is_late = |number: u32| {
            let byte = coverage.get(first + number as usize).copied().unwrap_or_default();
            u64::from(byte) & COVERAGE_LATE != 0
        };
        stack.iter().enumerate().find_map(|(frame, (name, place))| {
            let (_, function) = model.function_named(name)?;
            let statements = function.statements.iter().zip(function.first_statement..);
            let late: Vec<&Place> = statements
                .filter(|&(_, number)| is_late(number))
                .map(|(statement, _)| &statement.place)
                .collect();
            innermost(function, place, &late).map(|which| Endless { frame, which })
        })
    }

    /// The head of the loop as the user wrote it.
    pub(crate) fn text(&self) -> &'m str {
        &self.which.text
    }

    /// The stack from the loop outwards, with the loop as its first place.
    pub(crate) fn placed(&self, mut stack: Stack) -> Stack {
        stack.drain(..self.frame);
        if let Some((_, place)) = stack.first_mut() {
            *place = self.which.place.clone();
        }
        stack
    }
}

/// The innermost loop around a line and all of these statements.
fn innermost<'m>(function: &'m Function, at: &Place, statements: &[&Place]) -> Option<&'m Loop> {
    let holds = |which: &&Loop| {
        let start = (which.place.line, which.place.column);
        // The loop's own statement is executed when it is entered: one that is entered again has ended.
        let inside = |place: &&Place| {
            let spot = (place.line, place.column);
            place.file == which.place.file && start < spot && spot < which.end
        };
        at.file == which.place.file
            && (which.place.line..=which.end.0).contains(&at.line)
            && statements.iter().all(inside)
    };
    function.loops.iter().filter(holds).max_by_key(|which| (which.place.line, which.place.column))
}
