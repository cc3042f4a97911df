//! From the end of a run to a fault: kind, place, message, stack; one entry per kind and place.
//!
//! Takes how a run ended and where; gives the list of distinct faults. Never: whether a fault can be repeated on the
//! plain program (the suite checks that).

use std::collections::HashMap;

use tarka_events::{Blame, Fault, FaultKind, Input, RunEnd};
use tarka_runner::End;
use tarka_source::Place;

/// Addresses below this are what a null pointer plus a member's offset gives.
const NULL_PAGE: u64 = 4096;

/// Longest piece of source text quoted in a message.
const QUOTED: usize = 80;

/// The end of a run, as far as it tells of a fault.
pub(crate) struct Ended<'a> {
    pub end: End,
    pub stack_overflow: bool,
    /// Frames of the unit's own code, innermost first.
    pub stack: Vec<(String, Place)>,
    /// What the site was about that ended the run or failed last: words and place.
    pub site: Option<(&'a str, Option<&'a Place>)>,
    /// Where the unit itself stands, for faults without any frame.
    pub unit: (&'a str, &'a Place),
    /// How long the run was allowed to take.
    pub limit_ms: u64,
}

/// Kind and one sentence.
fn classify(ended: &Ended) -> Option<(FaultKind, String)> {
    let plain = |kind: FaultKind| Some((kind, kind.words().to_string()));
    match ended.end {
        End::Returned | End::Exited(_) | End::InputBound | End::Assumption(_) | End::BeforeUnit => None,
        End::Timeout => {
            let message = format!("no end after {} ms; it was here when it was stopped", ended.limit_ms);
            Some((FaultKind::Timeout, message))
        }
        End::Memory => plain(FaultKind::OutOfMemory),
        End::Signal { .. } if ended.stack_overflow => {
            Some((FaultKind::StackOverflow, "the stack is full: endless recursion?".to_string()))
        }
        End::Signal { number: libc::SIGSEGV, address } if address < NULL_PAGE => {
            plain(FaultKind::NullDereference)
        }
        End::Signal { number: libc::SIGSEGV, address: u64::MAX } => {
            Some((FaultKind::WildDereference, "an address that cannot exist is accessed".to_string()))
        }
        End::Signal { number: libc::SIGSEGV | libc::SIGBUS, address } => {
            Some((FaultKind::WildDereference, format!("the invalid address {address:#x} is accessed")))
        }
        End::Signal { number: libc::SIGFPE, .. } => Some((
            FaultKind::DivisionByZero,
            "an integer is divided by zero, or the quotient does not fit".to_string(),
        )),
        End::Signal { number: libc::SIGILL | libc::SIGTRAP, .. } => Some((
            FaultKind::Signal,
            "an instruction was reached that the compiler put where execution must not go".to_string(),
        )),
        End::Signal { number, .. } => {
            Some((FaultKind::Signal, format!("the unit was ended by signal {number}")))
        }
        End::Fault(FaultKind::Undefined) => {
            let what = ended.site.map_or("a compiler-made check", |(what, _)| what);
            Some((FaultKind::Undefined, format!("a check failed: {what}")))
        }
        End::Fault(kind) => plain(kind),
    }
}

/// The distinct faults of a unit.
#[derive(Default)]
pub(crate) struct FaultBook {
    pub faults: Vec<Fault>,
    known: HashMap<(FaultKind, Place), u32>,
    lines: HashMap<String, Vec<String>>,
}

impl FaultBook {
    /// How a run ended; a fault that was not known is added, with the input that shows it.
    pub(crate) fn enter(&mut self, ended: &Ended, run: u64, input: impl FnOnce() -> Input) -> RunEnd {
        if let Some(known) = self.known_end(ended) {
            return known;
        }
        let (kind, message) = classify(ended).expect("what is no fault is known");
        let (function, place) = located(ended);
        let message = match self.source_line(&place) {
            Some(line) => format!("{message}: `{line}`"),
            None => message,
        };
        let index = self.faults.len() as u32;
        self.known.insert((kind, place.clone()), index);
        let stack = ended.stack.clone();
        self.faults.push(Fault {
            kind,
            place,
            function,
            message,
            run,
            stack,
            related: Vec::new(),
            input: input(),
            history: Vec::new(),
            blame: Blame::Unit,
        });
        RunEnd::Fault(index)
    }

    /// How a run ended; `None` for a fault that was not seen before.
    pub(crate) fn known_end(&self, ended: &Ended) -> Option<RunEnd> {
        let Some((kind, _)) = classify(ended) else {
            return Some(match ended.end {
                End::Exited(status) => RunEnd::Exited(status),
                End::InputBound => RunEnd::InputBound,
                End::Assumption(_) => RunEnd::Precondition,
                _ => RunEnd::Returned,
            });
        };
        let (_, place) = located(ended);
        self.known.get(&(kind, place)).copied().map(RunEnd::Fault)
    }

    /// True if showing the fault takes the whole time or memory that a run may have.
    pub(crate) fn is_slow(&self, index: u32) -> bool {
        let kind = self.faults[index as usize].kind;
        matches!(kind, FaultKind::Timeout | FaultKind::OutOfMemory | FaultKind::StackOverflow)
    }

    /// The user's line at a place, shortened; `None` if the file cannot be read.
    fn source_line(&mut self, place: &Place) -> Option<String> {
        let lines = self.lines.entry(place.file.clone()).or_insert_with(|| {
            let text = std::fs::read_to_string(&place.file).unwrap_or_default();
            text.lines().map(|line| line.trim().to_string()).collect()
        });
        let line = lines.get(place.line.checked_sub(1)? as usize).filter(|line| !line.is_empty())?;
        let mut short: String = line.chars().take(QUOTED).collect();
        if short.len() < line.len() {
            short.push('…');
        }
        Some(short)
    }
}

/// Function and place of a fault.
fn located(ended: &Ended) -> (String, Place) {
    let innermost = ended.stack.first().cloned();
    let from_site = || {
        let place = ended.site?.1?.clone();
        Some((ended.unit.0.to_string(), place))
    };
    innermost.or_else(from_site).unwrap_or_else(|| (ended.unit.0.to_string(), ended.unit.1.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32) -> Place {
        Place { file: "not-there.c".to_string(), line, column: 1 }
    }

    fn ended(end: End, line: u32, unit: &Place) -> Ended<'_> {
        Ended {
            end,
            stack_overflow: false,
            stack: vec![("inner".to_string(), place(line)), ("unit".to_string(), place(99))],
            site: None,
            unit: ("unit", unit),
            limit_ms: 1000,
        }
    }

    fn segv(address: u64) -> End {
        End::Signal { number: libc::SIGSEGV, address }
    }

    #[test]
    fn one_entry_per_kind_and_place_with_the_first_run() {
        let (mut book, unit) = (FaultBook::default(), place(1));
        let mut enter = |end, line, run| book.enter(&ended(end, line, &unit), run, Input::default);
        assert_eq!(enter(segv(8), 5, 1), RunEnd::Fault(0));
        assert_eq!(enter(segv(0), 5, 2), RunEnd::Fault(0));
        assert_eq!(enter(segv(0), 6, 3), RunEnd::Fault(1));
        assert_eq!(enter(segv(0xdead_beef), 5, 4), RunEnd::Fault(2));
        assert_eq!(enter(End::Returned, 5, 5), RunEnd::Returned);
        assert_eq!(enter(End::Exited(3), 5, 6), RunEnd::Exited(3));
        let summary: Vec<_> =
            book.faults.iter().map(|fault| (fault.kind.name(), fault.place.line, fault.run)).collect();
        assert_eq!(
            summary,
            [("null-dereference", 5, 1), ("null-dereference", 6, 3), ("wild-dereference", 5, 4)]
        );
        assert_eq!(book.faults[0].function, "inner");
    }

    #[test]
    fn a_fault_without_frames_is_placed_at_its_check_or_at_the_unit() {
        let (mut book, unit, check) = (FaultBook::default(), place(1), place(7));
        let mut bare = ended(End::Fault(FaultKind::Undefined), 5, &unit);
        bare.stack.clear();
        bare.site = Some(("division", Some(&check)));
        book.enter(&bare, 1, Input::default);
        bare.site = None;
        book.enter(&bare, 2, Input::default);
        let places: Vec<u32> = book.faults.iter().map(|fault| fault.place.line).collect();
        assert_eq!(places, [7, 1]);
        assert_eq!(book.faults[0].message, "a check failed: division");
    }
}
