//! From what a run showed to faults: kind, place, message, stack; one entry per kind, place and call stack.
//!
//! Takes how a run ended and the faults after which it went on; gives the list of distinct faults. Never: whether a fault
//! can be repeated on the plain program (the suite checks that).

use std::collections::HashMap;

use tarka_events::{Fault, FaultKind, FaultSet, RunEnd};
use tarka_runner::{Attempt, End};
use tarka_scenario::Executed;
use tarka_source::Place;

/// Different call stacks of one kind and place that are told apart: recursion must not flood the report.
const MOST_STACKS: usize = 4;

/// Addresses below this are what a null pointer plus a member's offset gives.
const NULL_PAGE: u64 = 4096;

/// Longest piece of source text quoted in a message.
const QUOTED: usize = 80;

/// Frames of the unit's own code, innermost first.
pub type Stack = Vec<(String, Place)>;

/// What a site is about.
#[derive(Clone, Copy)]
pub(crate) struct About<'a> {
    /// Words.
    pub what: &'a str,
    /// They say what happens when the site's check fails.
    pub is_message: bool,
    pub place: Option<&'a Place>,
}

/// When in a run a fault happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Events logged before it.
    pub events: usize,
    /// The site of the check that failed, for a fault after which the run went on.
    pub site: Option<u32>,
    /// The address it is about, 0 if none.
    pub address: u64,
}

impl Moment {
    /// At the end of the run.
    pub(crate) fn end(address: u64) -> Moment {
        Moment { events: usize::MAX, site: None, address }
    }
}

/// A fault after which the run went on.
pub(crate) struct Recorded<'a> {
    pub kind: FaultKind,
    pub moment: Moment,
    pub stack: Stack,
    pub site: Option<About<'a>>,
    /// Of a leak.
    pub bytes: u64,
    /// What was reached for outside.
    pub attempt: Option<Attempt>,
}

/// How a run ended and what was recorded on the way, as far as they tell of faults.
pub struct Ended<'a> {
    pub(crate) end: End,
    pub(crate) stack_overflow: bool,
    pub(crate) stack: Stack,
    /// The site that ended the run or failed last.
    pub(crate) site: Option<About<'a>>,
    /// The address the end is about, 0 if none.
    pub(crate) address: u64,
    /// Where the object was allocated and freed that the end is about.
    pub(crate) related: Vec<(String, Place)>,
    /// In the order in which they happened.
    pub(crate) recorded: Vec<Recorded<'a>>,
    /// Where the unit itself stands, for faults without any frame.
    pub(crate) unit: (&'a str, &'a Place),
    /// How long the run was allowed to take.
    pub(crate) limit_ms: u64,
    /// Something outside was reached for and refused: no test can repeat that, looked for or not.
    pub(crate) reached_outside: bool,
    /// It was stopped earlier: it asked a stub again and again that has no more answers.
    pub(crate) asked_in_vain: bool,
    /// The head of the loop that did not end in that time, at the first place of the stack.
    pub(crate) endless: Option<&'a str>,
    /// It was allowed less than a run may take, because others had not ended.
    pub(crate) is_short: bool,
}

impl Ended<'_> {
    /// Whether it was stopped early and in no loop that goes on: it may be slow, or in the midst of a loop that is known.
    fn is_stopped_anywhere(&self) -> bool {
        self.end == End::Timeout && self.is_short && self.endless.is_none() && !self.asked_in_vain
    }
}

/// Kind and one sentence of a run's end.
fn classify(ended: &Ended) -> Option<(FaultKind, String)> {
    let plain = |kind: FaultKind| Some((kind, kind.words().to_string()));
    match ended.end {
        End::Returned | End::Exited(_) | End::InputBound | End::Assumption(_) | End::BeforeUnit => None,
        End::Timeout => {
            let limit = ended.limit_ms;
            let message = match ended.endless {
                Some(head) if ended.asked_in_vain => {
                    format!("the loop `{head}` goes on after a stub has run out of answers")
                }
                None if ended.asked_in_vain => "a stub has run out of answers".to_string(),
                Some(head) => format!("no end after {limit} ms: the loop `{head}` goes on"),
                None => format!("no end after {limit} ms; it was here when it was stopped"),
            };
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
        End::Signal { number: libc::SIGSYS, .. } => Some((
            FaultKind::OutsideEffect,
            "makes a system call that is looked at here, while SIGSYS is blocked or handled otherwise"
                .to_string(),
        )),
        End::Signal { number, .. } => {
            Some((FaultKind::Signal, format!("the unit was ended by signal {number}")))
        }
        End::Fault(kind) => Some((kind, message(kind, ended.site))),
    }
}

fn message(kind: FaultKind, site: Option<About>) -> String {
    site.filter(|site| site.is_message).map_or(kind.words(), |site| site.what).to_string()
}

/// What it tried, and what would let it.
fn outside(attempt: Option<&Attempt>) -> String {
    let Some(attempt) = attempt else { return FaultKind::OutsideEffect.words().to_string() };
    match attempt.allowed_by {
        Some(word) => format!("{attempt}, which was refused (`--allow {word}`)"),
        None => format!("{attempt}, which was refused"),
    }
}

fn leak(bytes: u64, unit: &str) -> String {
    let plural = if bytes == 1 { "byte" } else { "bytes" };
    format!("{bytes} {plural} allocated here are lost when {unit}() returns")
}

/// A fault of a run that may be known already.
struct Shown {
    kind: FaultKind,
    moment: Moment,
    message: String,
    function: String,
    place: Place,
    stack: Stack,
    related: Vec<(String, Place)>,
}

impl Shown {
    /// Whether an access at the same place went wrong because this did.
    fn explains(&self, later: &Shown) -> bool {
        use FaultKind::{NullDereference, OutOfBounds, UseAfterFree, UseAfterReturn, WildDereference};
        let is_access = matches!(
            later.kind,
            NullDereference | OutOfBounds | UseAfterFree | UseAfterReturn | WildDereference
        );
        let is_same_line = (&self.place.file, self.place.line) == (&later.place.file, later.place.line);
        // A library function that was called last leaves no frame of the unit: then the same kind before it is its cause.
        let is_lost = later.stack.is_empty() && later.kind == self.kind;
        is_access && (is_same_line || is_lost) && self.kind != FaultKind::NullWithZero
    }

    /// Whether the values of other objects mean nothing any more.
    fn spoils_memory(&self) -> bool {
        use FaultKind::{OutOfBounds, UseAfterFree, UseAfterReturn, WildDereference};
        matches!(self.kind, OutOfBounds | UseAfterFree | UseAfterReturn | WildDereference)
    }

    /// Whether the program ends itself.
    fn is_deliberate(&self) -> bool {
        matches!(self.kind, FaultKind::Abort | FaultKind::Assertion)
    }

    fn key(&self) -> Key {
        (self.kind, self.place.file.clone(), self.place.line)
    }

    /// The frames, each once: how deep a recursion went tells nothing.
    fn frames(&self) -> Stack {
        let mut frames = Stack::new();
        for frame in &self.stack {
            if !frames.contains(frame) {
                frames.push(frame.clone());
            }
        }
        frames
    }
}

type Key = (FaultKind, String, u32);

/// What a run is to the list of faults.
pub struct Entered {
    /// How it ended.
    pub end: RunEnd,
    /// The faults it showed, by index, in the order in which they happened.
    pub faults: Vec<u32>,
    /// When each of them happened.
    pub moments: Vec<Moment>,
}

/// The distinct faults of a unit.
pub struct FaultList {
    /// The faults, in the order in which they were found.
    pub faults: Vec<Fault>,
    /// When in its run each happened.
    pub(crate) moments: Vec<Moment>,
    /// How many values of the input each takes that the unit had not looked at.
    pub(crate) unseen: Vec<u32>,
    /// How often each was looked at again because it may be more serious than it seemed.
    pub(crate) looks: Vec<u32>,
    kinds: FaultSet,
    /// The stacks of each kind and place, and their faults.
    known: HashMap<Key, Vec<(Stack, u32)>>,
    lines: HashMap<String, Vec<String>>,
}

impl FaultList {
    /// A list for faults of these kinds: others are not entered.
    pub fn new(kinds: FaultSet) -> FaultList {
        FaultList {
            faults: Vec::new(),
            moments: Vec::new(),
            unseen: Vec::new(),
            looks: Vec::new(),
            kinds,
            known: HashMap::new(),
            lines: HashMap::new(),
        }
    }

    /// Takes a run; faults that were not known are added, with the input that shows them.
    pub fn enter(&mut self, ended: &Ended, run: u64, record: impl Fn() -> Executed) -> Entered {
        let (mut faults, mut moments) = (Vec::new(), Vec::new());
        for shown in self.shown(ended) {
            moments.push(shown.moment);
            let index = match self.index_of(&shown) {
                Some(index) => index,
                None => self.add(shown, run, record()),
            };
            faults.push(index);
        }
        self.entered(ended, faults, moments)
    }

    /// What a run is; `None` if it shows a fault that is not known.
    pub fn known(&self, ended: &Ended) -> Option<Entered> {
        let shown = self.shown(ended);
        let faults = shown.iter().map(|shown| self.index_of(shown)).collect::<Option<Vec<u32>>>()?;
        Some(self.entered(ended, faults, shown.iter().map(|shown| shown.moment).collect()))
    }

    fn entered(&self, ended: &Ended, faults: Vec<u32>, moments: Vec<Moment>) -> Entered {
        // What a run loses does not keep it from being a test, nor does what is harmless.
        let stopping = faults.iter().find(|&&fault| !self.faults[fault as usize].kind.leaves_a_test());
        let end = match (stopping, ended.end) {
            (Some(&first), _) => RunEnd::Fault(first),
            (None, End::InputBound) => RunEnd::InputBound,
            (None, End::Assumption(_)) => RunEnd::Precondition,
            (None, _) if ended.reached_outside || classify(ended).is_some() => RunEnd::NotLookedFor,
            (None, End::Exited(status)) => RunEnd::Exited(status),
            (None, _) => RunEnd::Returned,
        };
        Entered { end, faults, moments }
    }

    /// The faults of a run that are looked for, in order. An access that went wrong where something else did before is its
    /// consequence.
    fn shown(&self, ended: &Ended) -> Vec<Shown> {
        let recorded = ended.recorded.iter().map(|recorded| {
            let (function, place) = located(&recorded.stack, recorded.site, ended.unit);
            let stack = recorded.stack.clone();
            let message = match recorded.kind {
                FaultKind::Leak => leak(recorded.bytes, ended.unit.0),
                FaultKind::OutsideEffect => outside(recorded.attempt.as_ref()),
                kind => message(kind, recorded.site),
            };
            Shown {
                kind: recorded.kind,
                moment: recorded.moment,
                message,
                function,
                place,
                stack,
                related: Vec::new(),
            }
        });
        let last = classify(ended).filter(|_| !ended.is_stopped_anywhere()).map(|(kind, message)| {
            let stack = match kind {
                FaultKind::StackOverflow => from_recursion(&ended.stack),
                _ => &ended.stack,
            };
            let (function, place) = located(stack, ended.site, ended.unit);
            let (stack, related) = (stack.to_vec(), ended.related.clone());
            Shown { kind, moment: Moment::end(ended.address), message, function, place, stack, related }
        });
        let mut all: Vec<Shown> = recorded.filter(|shown| self.kinds.has(shown.kind)).collect();
        let is_new =
            |last: &Shown| self.kinds.has(last.kind) && !all.iter().any(|shown| shown.explains(last));
        let last = last.filter(is_new);
        all.extend(last);
        // What comes after a write to who knows where is its consequence, but for what becomes of the run.
        if let Some(first) = all.iter().position(Shown::spoils_memory) {
            let later = all.split_off(first + 1);
            all.extend(later.into_iter().filter(Shown::is_deliberate));
        }
        all
    }

    fn index_of(&self, shown: &Shown) -> Option<u32> {
        let stacks = self.known.get(&shown.key())?;
        let frames = shown.frames();
        let same = stacks.iter().find(|(stack, _)| *stack == frames);
        let one_of_many = || stacks.first().filter(|_| stacks.len() >= MOST_STACKS);
        same.or_else(one_of_many).map(|&(_, index)| index)
    }

    fn add(&mut self, shown: Shown, run: u64, executed: Executed) -> u32 {
        let index = self.faults.len() as u32;
        self.known.entry(shown.key()).or_default().push((shown.frames(), index));
        let message = match self.source_line(&shown.place) {
            Some(line) => format!("{}: `{line}`", shown.message),
            None => shown.message,
        };
        self.faults.push(Fault {
            message,
            run,
            stack: shown.stack,
            related: shown.related,
            ..Fault::new(shown.kind, shown.function, shown.place, executed)
        });
        self.moments.push(shown.moment);
        self.unseen.push(0);
        self.looks.push(0);
        index
    }

    /// Puts the faults into another order: `order` gives the old number of each.
    pub(crate) fn reorder(&mut self, order: &[usize]) {
        self.faults = order.iter().map(|&old| self.faults[old].clone()).collect();
    }

    /// How a file spells a null pointer: `NULL` where it uses that name.
    pub(crate) fn null_of(&mut self, file: &str) -> &'static str {
        if self.lines_of(file).iter().any(|line| line.contains("NULL")) { "NULL" } else { "0" }
    }

    /// The lines of a file, without the blanks around them; none if it cannot be read. It is read once.
    fn lines_of(&mut self, file: &str) -> &[String] {
        self.lines.entry(file.to_string()).or_insert_with(|| {
            let text = tarka_source::readable(&std::fs::read(file).unwrap_or_default());
            text.lines().map(|line| line.trim().to_string()).collect()
        })
    }

    /// The user's line at a place, shortened; `None` if the file cannot be read.
    fn source_line(&mut self, place: &Place) -> Option<String> {
        let line = self
            .lines_of(&place.file)
            .get(place.line.checked_sub(1)? as usize)
            .filter(|line| !line.is_empty())?;
        let mut short: String = line.chars().take(QUOTED).collect();
        if short.len() < line.len() {
            short.push('…');
        }
        Some(short)
    }
}

/// The frames of a full stack from the first call on that is there twice: where exactly the stack ended says nothing.
fn from_recursion(stack: &[(String, Place)]) -> &[(String, Place)] {
    let repeats = |index: &usize| stack[index + 1..].contains(&stack[*index]);
    (1..stack.len()).find(repeats).map_or(stack, |first| &stack[first..])
}

/// Function and place of a fault.
fn located(stack: &[(String, Place)], site: Option<About>, unit: (&str, &Place)) -> (String, Place) {
    let from_site = || Some((unit.0.to_string(), site?.place?.clone()));
    let found = stack.first().cloned().or_else(from_site);
    found.unwrap_or_else(|| (unit.0.to_string(), unit.1.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32) -> Place {
        Place { file: "not-there.c".to_string(), line, column: 1 }
    }

    fn fault_list() -> FaultList {
        FaultList::new(FaultSet::default())
    }

    fn stack(lines: &[u32]) -> Stack {
        let names = ["inner", "unit", "unit", "unit", "unit"];
        names.iter().zip(lines).map(|(name, &line)| (name.to_string(), place(line))).collect()
    }

    fn ended(end: End, line: u32, unit: &Place) -> Ended<'_> {
        Ended {
            end,
            stack_overflow: false,
            stack: stack(&[line, 99]),
            site: None,
            address: 0,
            related: Vec::new(),
            recorded: Vec::new(),
            unit: ("unit", unit),
            limit_ms: 1000,
            asked_in_vain: false,
            reached_outside: false,
            endless: None,
            is_short: false,
        }
    }

    fn recorded<'a>(kind: FaultKind, line: u32) -> Recorded<'a> {
        Recorded { kind, moment: Moment::end(0), stack: stack(&[line]), site: None, bytes: 8, attempt: None }
    }

    fn segv(address: u64) -> End {
        End::Signal { number: libc::SIGSEGV, address }
    }

    /// Kind and line of what is in the list of faults.
    fn entries(fault_list: &FaultList) -> Vec<(&str, u32)> {
        fault_list.faults.iter().map(|fault| (fault.kind.name(), fault.place.line)).collect()
    }

    #[test]
    fn one_entry_per_kind_and_place_with_the_first_run() {
        let (mut fault_list, unit) = (fault_list(), place(1));
        let mut enter =
            |end, line, run| fault_list.enter(&ended(end, line, &unit), run, Executed::default).end;
        assert_eq!(enter(segv(8), 5, 1), RunEnd::Fault(0));
        assert_eq!(enter(segv(0), 5, 2), RunEnd::Fault(0));
        assert_eq!(enter(segv(0), 6, 3), RunEnd::Fault(1));
        assert_eq!(enter(segv(0xdead_beef), 5, 4), RunEnd::Fault(2));
        assert_eq!(enter(End::Returned, 5, 5), RunEnd::Returned);
        assert_eq!(enter(End::Exited(3), 5, 6), RunEnd::Exited(3));
        let runs: Vec<u64> = fault_list.faults.iter().map(|fault| fault.run).collect();
        assert_eq!(
            (entries(&fault_list), runs),
            (vec![("null-dereference", 5), ("null-dereference", 6), ("wild-dereference", 5)], vec![1, 3, 4])
        );
        assert_eq!(fault_list.faults[0].function, "inner");
    }

    #[test]
    fn callers_are_told_apart_and_recursion_is_not() {
        let (mut fault_list, unit) = (fault_list(), place(1));
        let mut enter = |lines: &[u32]| {
            let ended = Ended { stack: stack(lines), ..ended(segv(0), 5, &unit) };
            fault_list.enter(&ended, 1, Executed::default).end
        };
        assert_eq!(enter(&[5, 20]), RunEnd::Fault(0));
        assert_eq!(enter(&[5, 30]), RunEnd::Fault(1));
        assert_eq!(enter(&[5, 20, 20, 20]), RunEnd::Fault(0));
        assert_eq!((enter(&[5, 40]), enter(&[5, 50])), (RunEnd::Fault(2), RunEnd::Fault(3)));
        assert_eq!(enter(&[5, 60]), RunEnd::Fault(0), "four ways to get there are enough");
    }

    #[test]
    fn a_run_may_show_several_faults_before_it_ends() {
        let (mut fault_list, unit) = (fault_list(), place(1));
        let mut run = ended(segv(0), 9, &unit);
        run.recorded = vec![recorded(FaultKind::SignedOverflow, 5), recorded(FaultKind::Shift, 7)];
        let entered = fault_list.enter(&run, 1, Executed::default);
        assert_eq!((entered.end, entered.faults), (RunEnd::Fault(0), vec![0, 1, 2]));
        assert_eq!(entries(&fault_list), [("signed-overflow", 5), ("shift", 7), ("null-dereference", 9)]);
    }

    #[test]
    fn an_access_that_goes_wrong_where_an_index_did_is_its_consequence() {
        let (mut fault_list, unit) = (fault_list(), place(1));
        let mut run = ended(segv(0xdead_beef), 5, &unit);
        run.recorded = vec![recorded(FaultKind::OutOfBounds, 5)];
        assert_eq!(fault_list.enter(&run, 1, Executed::default).faults, [0]);
        run.end = End::Fault(FaultKind::Abort);
        assert_eq!(fault_list.enter(&run, 2, Executed::default).faults, [0, 1]);
        assert_eq!(entries(&fault_list), [("out-of-bounds", 5), ("abort", 5)]);
    }

    #[test]
    fn a_crash_without_a_frame_is_what_the_same_kind_before_it_leads_to() {
        let (mut fault_list, unit) = (fault_list(), place(1));
        let mut run = ended(segv(0), 9, &unit);
        run.stack = Vec::new();
        run.recorded = vec![recorded(FaultKind::NullDereference, 5)];
        assert_eq!(fault_list.enter(&run, 1, Executed::default).faults, [0]);
        run.recorded = vec![recorded(FaultKind::Shift, 7)];
        assert_eq!(fault_list.enter(&run, 2, Executed::default).faults.len(), 2);
    }

    #[test]
    fn a_run_that_loses_memory_is_still_a_test() {
        let (mut fault_list, unit) = (fault_list(), place(1));
        let mut run = ended(End::Returned, 9, &unit);
        run.recorded = vec![recorded(FaultKind::Leak, 5)];
        let entered = fault_list.enter(&run, 1, Executed::default);
        assert_eq!((entered.end, entered.faults), (RunEnd::Returned, vec![0]));
        assert_eq!(fault_list.faults[0].message, "8 bytes allocated here are lost when unit() returns");
        run.recorded.push(recorded(FaultKind::Shift, 7));
        assert_eq!(fault_list.enter(&run, 2, Executed::default).end, RunEnd::Fault(1));
    }

    #[test]
    fn a_loop_without_end_is_named() {
        let (mut fault_list, unit) = (fault_list(), place(1));
        let mut run = ended(End::Timeout, 9, &unit);
        run.endless = Some("while (i != n)");
        fault_list.enter(&run, 1, Executed::default);
        assert_eq!(fault_list.faults[0].message, "no end after 1000 ms: the loop `while (i != n)` goes on");
    }

    #[test]
    fn a_run_that_had_little_time_and_was_in_no_loop_is_no_fault_and_no_test() {
        let (mut fault_list, unit) = (fault_list(), place(1));
        let mut run = ended(End::Timeout, 9, &unit);
        run.is_short = true;
        assert_eq!(fault_list.enter(&run, 1, Executed::default).end, RunEnd::NotLookedFor);
        assert!(fault_list.faults.is_empty());
        run.endless = Some("while (i != n)");
        assert_eq!(fault_list.enter(&run, 2, Executed::default).end, RunEnd::Fault(0));
    }

    #[test]
    fn kinds_that_are_not_looked_for_are_not_entered_and_a_crash_is_no_test() {
        let without = FaultSet::default().without(FaultKind::Shift).without(FaultKind::NullDereference);
        let (mut fault_list, unit) = (FaultList::new(without), place(1));
        let mut run = ended(End::Returned, 5, &unit);
        run.recorded = vec![recorded(FaultKind::Shift, 5)];
        assert_eq!(fault_list.enter(&run, 1, Executed::default).end, RunEnd::Returned);
        run.end = segv(0);
        assert_eq!(fault_list.enter(&run, 2, Executed::default).end, RunEnd::NotLookedFor);
        assert!(fault_list.faults.is_empty());
    }

    #[test]
    fn a_fault_without_frames_is_placed_at_its_check_or_at_the_unit() {
        let (mut fault_list, unit, check) = (fault_list(), place(1), place(7));
        let mut bare = ended(End::Fault(FaultKind::Undefined), 5, &unit);
        bare.stack.clear();
        bare.site =
            Some(About { what: "__builtin_unreachable() is reached", is_message: true, place: Some(&check) });
        fault_list.enter(&bare, 1, Executed::default);
        bare.site = None;
        fault_list.enter(&bare, 2, Executed::default);
        let places: Vec<u32> = fault_list.faults.iter().map(|fault| fault.place.line).collect();
        assert_eq!(places, [7, 1]);
        assert_eq!(fault_list.faults[0].message, "__builtin_unreachable() is reached");
        assert_eq!(fault_list.faults[1].message, "the behaviour is undefined");
    }
}
