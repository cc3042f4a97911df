//! What class of fault it is: a bug, unchecked input, a contract with callers, or a limit of ours.
//!
//! Takes the condition that did not hold, what the program had looked at before, and the input; gives the class, why it is
//! that, and for a contract what the unit needs. What decides are the values of the input on which the failed check
//! depends, or where no check tells, those of the last decision before the fault, and where they come from ([`name`]):
//!
//! - what a module keeps in its own structs and globals is for its own functions to keep right: a contract;
//! - bytes of a buffer or stream may be anything: unchecked input;
//! - pointers and numbers of the caller are for the caller to get right as long as the unit does not look at them; once it
//!   does, it has let them pass: a bug;
//! - if no value decides, it is the unit's own doing: a bug.
//!
//! [`look`] says what it means to look at a value, [`need`] what would keep a contract, [`room`] how much there is behind
//! pointers, [`start`] how `main` is started. Never: reading sources, ranking, who calls the unit.

mod look;
mod name;
mod need;
mod range;
mod room;
mod start;

use tarka_events::{FaultClass, FaultKind, Need};
use tarka_scenario::Scenario;
use tarka_search::{InputDecision, Violation};
use tarka_source::{Function, LibraryInput, Param, SourceModel, Stub, StubKind, TypeKind};
use tarka_terms::{Assignment, Term, Terms};
use tarka_trace::{ARENA_BASE, ARENA_SIZE};

use name::{Leaf, Namer, Origin};
use range::Number;

/// A loop of so many rounds may be stopped before its end.
const MANY_ROUNDS: i128 = 1 << 20;

/// How far behind a pointer to a struct its members are, at most.
const MEMBERS: i128 = 4096;

/// Decisions before something outside is reached for that are told.
const MOST_SEEN: usize = 3;

/// Why what only runs with another fault in them show is nothing of its own.
const AFTER_ANOTHER: &str = "seen only after another fault in the same run, which may be its cause";

/// Whether the last member of a name says that it counts references: `n->refs`, `s.ref_count`, not `prefix`.
fn is_reference_count(name: &str) -> bool {
    let member = name.rsplit(['.', '>']).next().unwrap_or(name).to_lowercase();
    member.split('_').any(|word| {
        matches!(word, "ref" | "refs" | "nrefs" | "refcount" | "refcnt" | "references" | "usecount")
    })
}

/// What is known about a fault.
pub(crate) struct Case<'a> {
    pub model: &'a SourceModel,
    pub function: &'a Function,
    pub stubs: &'a [Stub],
    pub kind: FaultKind,
    /// The functions that were active, and the lines they had come to.
    pub active: &'a [(&'a str, u32)],
    /// The check that failed; `None` where no check tells.
    pub violation: Option<&'a Violation>,
    /// The decisions before it that depended on the input, the last one last.
    pub looks: &'a [InputDecision],
    /// The last condition before it did not depend on the input by itself, only on where the program had come to.
    pub is_last_concrete: bool,
    /// The address that it is about, 0 if none.
    pub address: u64,
    /// The input, as a record and byte by byte.
    pub scenario: &'a Scenario,
    pub bytes: &'a dyn Assignment,
    /// The run had gone on after another fault before.
    pub follows_fault: bool,
    /// A variable of another file that no test can set and that the unit's callees use, in words.
    pub hidden: Option<&'a str>,
    /// How the file spells a null pointer: `NULL` where it knows that name.
    pub null: &'a str,
}

/// What a fault was found to be.
pub(crate) struct Classed {
    pub class: FaultClass,
    pub why: String,
    pub need: Option<Need>,
    /// Some value of the input decides over it.
    pub is_preventable: bool,
    /// How many values of the input it takes that nobody looked at.
    pub unseen: u32,
}

impl Classed {
    fn new(class: FaultClass, why: impl Into<String>) -> Classed {
        Classed { class, why: why.into(), need: None, is_preventable: false, unseen: 0 }
    }

    /// A contract that callers keep without any value of the input.
    pub(crate) fn contract(why: impl Into<String>, words: impl Into<String>) -> Classed {
        let need = Some(Need { words: words.into(), expression: None });
        Classed { need, is_preventable: true, unseen: 1, ..Classed::new(FaultClass::Contract, why) }
    }

    /// A limit of ours.
    pub(crate) fn limit(why: impl Into<String>) -> Classed {
        Classed::new(FaultClass::Limit, why)
    }
}

impl Case<'_> {
    /// The class. `never` proves that a truth value is never 1.
    pub(crate) fn class(&self, terms: &mut Terms, never: impl FnMut(&mut Terms, Term) -> bool) -> Classed {
        if self.kind == FaultKind::OutOfMemory {
            return Classed::limit("the limit on memory is a setting of the search");
        }
        if self.kind == FaultKind::OutsideEffect {
            return self.outside();
        }
        if let Some(classed) = self.by_length() {
            return classed;
        }
        if let Some(classed) = self.by_start() {
            return classed;
        }
        if let Some(classed) = self.by_failed_allocation() {
            return classed;
        }
        if let Some(many) = self.many_rounds() {
            return Classed::limit(format!("with {many} a loop may just take longer than a run may"));
        }
        if self.is_about_a_life() {
            let counted = self.references().filter(|_| self.is_own_object());
            if let Some(name) = counted {
                let why =
                    format!("{name} says who uses the object, for the module's functions to keep right");
                return Classed::new(FaultClass::Contract, why);
            }
            return match self.is_own_object() {
                true if self.follows_fault => Classed::new(FaultClass::Contract, AFTER_ANOTHER),
                true => Classed::new(FaultClass::Bug, "the object is the unit's own"),
                false => {
                    Classed::new(FaultClass::Contract, "the object is the caller's, who may keep this away")
                }
            };
        }
        let checked = self.violation.map(|violation| self.leaves(terms.inputs(violation.passes)));
        if let Some(classed) = checked.as_ref().and_then(|leaves| self.for_the_caller(leaves)) {
            return classed;
        }
        let (leaves, is_checked) = self.responsible(checked.unwrap_or_default());
        if leaves.is_empty() && self.begins_at_the_end() {
            return Classed::limit(
                "no caller has such a pointer: it leads to the end of what it should lead to",
            );
        }
        if let Some(classed) = self.by_impossible_length(&leaves) {
            return classed;
        }
        let mut classed = self.by_leaves(&leaves, is_checked);
        if classed.class == FaultClass::Bug && self.follows_fault && self.may_be_a_consequence() {
            classed = Classed::new(FaultClass::Contract, AFTER_ANOTHER);
        }
        if let Some(why) = self.by_hidden_state().filter(|_| classed.class == FaultClass::Bug && !is_checked)
        {
            let words = "needs what the other file keeps to be set before";
            return Classed::contract(why, words);
        }
        classed.is_preventable = !leaves.is_empty();
        classed.unseen = leaves.iter().filter(|leaf| !self.is_looked_at(leaf, is_checked)).count() as u32;
        if classed.class == FaultClass::Contract {
            let violation = self.violation.filter(|_| is_checked);
            classed.need = Some(self.need(terms, violation, &leaves, never));
        }
        classed
    }

    /// What another file keeps for itself begins as it does in the program: what its functions make of it before, no test of this
    /// file shows. A value that no input decides may be one of those.
    fn by_hidden_state(&self) -> Option<String> {
        use FaultKind::*;
        let is_value = matches!(self.kind, NullDereference | WildDereference | DivisionByZero);
        let is_end = matches!(self.kind, Assertion | Abort | Timeout);
        let hidden = self.hidden.filter(|_| is_value || is_end)?;
        Some(format!(
            "{hidden} is as the program begins with it, and the functions of that file keep it right"
        ))
    }

    /// To act on what is outside may be what a function is for: that is for who calls it to want, and for the user to allow.
    fn outside(&self) -> Classed {
        let last = self.looks.iter().rev().filter(|look| look.is_source).take(MOST_SEEN);
        let mut seen: Vec<String> = Vec::new();
        for leaf in last.flat_map(|look| self.leaves(&look.bytes)) {
            seen.extend(self.seen_as_text(&leaf).filter(|words| !seen.contains(words)));
        }
        let when = if seen.is_empty() { String::new() } else { format!(", seen with {}", seen.join(", ")) };
        Classed::new(FaultClass::Contract, format!("it acts on what is outside the test{when}"))
    }

    /// As C compares it, a character by its sign.
    fn seen_as_text(&self, leaf: &Leaf) -> Option<String> {
        let character = self.number(leaf).filter(|_| leaf.size == 1).and_then(|number| {
            let value = u8::try_from(number.value(self.bytes)).ok()?;
            (value.is_ascii_graphic() && value != b'\'' && value != b'\\').then_some(value as char)
        });
        match (character, leaf.name.as_deref()) {
            (Some(character), Some(name)) => Some(format!("{name} == '{character}'")),
            _ => self.seen_as(leaf),
        }
    }

    /// Whether the object that it is about is not part of the input.
    fn is_own_object(&self) -> bool {
        !(ARENA_BASE..ARENA_BASE + ARENA_SIZE).contains(&self.address)
    }

    /// Kinds that a wrong value leads to, rather than kinds of arithmetic that make one.
    fn may_be_a_consequence(&self) -> bool {
        use FaultKind::*;
        let is_access =
            matches!(self.kind, NullDereference | WildDereference | OutOfBounds | PointerArithmetic);
        is_access || matches!(self.kind, Assertion | Abort | Timeout)
    }

    /// A count of references among what the module keeps that was asked about on the way.
    fn references(&self) -> Option<String> {
        let asked = self.looks.iter().filter(|look| look.is_source).flat_map(|look| self.leaves(&look.bytes));
        let numbers = asked.filter(|leaf| leaf.origin == Origin::State && self.number(leaf).is_some());
        numbers.filter_map(|leaf| leaf.name).find(|name| is_reference_count(name))
    }

    /// Kinds about how long an object lives, which no check of values decides over.
    fn is_about_a_life(&self) -> bool {
        use FaultKind::*;
        matches!(self.kind, UseAfterFree | DoubleFree | InvalidFree | UseAfterReturn | Leak)
    }

    /// A number that the way to a timeout looks at and that is so large that counting to it takes as long.
    fn many_rounds(&self) -> Option<String> {
        let numbers =
            |look: &InputDecision| self.leaves(&look.bytes).into_iter().filter(|leaf| self.is_large(leaf));
        let mut large = self.looks.iter().filter(|_| self.kind == FaultKind::Timeout).flat_map(numbers);
        large.find_map(|leaf| self.seen_as(&leaf))
    }

    fn is_large(&self, leaf: &Leaf) -> bool {
        self.number(leaf).is_some_and(|number| number.value(self.bytes).abs() >= MANY_ROUNDS)
    }

    fn is_pointer(&self, leaf: &Leaf) -> bool {
        self.model.types.pointee(leaf.ty).is_some()
    }

    /// The position of the parameter that a value is.
    fn parameter(&self, leaf: &Leaf) -> Option<u32> {
        let name = leaf.name.as_ref()?;
        self.function.params.iter().position(|param| param.name == *name).map(|position| position as u32)
    }

    fn param(&self, leaf: &Leaf) -> Option<&Param> {
        self.parameter(leaf).map(|position| &self.function.params[position as usize])
    }

    /// The values that hold these bytes, each once.
    fn leaves(&self, bytes: &[u32]) -> Vec<Leaf> {
        use FaultKind::*;
        let prefers_pointers = matches!(self.kind, NullDereference | WildDereference | Misaligned);
        let namer =
            Namer { model: self.model, function: self.function, scenario: self.scenario, prefers_pointers };
        let mut leaves: Vec<Leaf> = Vec::new();
        for leaf in bytes.iter().filter_map(|&byte| namer.leaf(byte)) {
            if !leaves.iter().any(|known| known.offset == leaf.offset) {
                leaves.push(leaf);
            }
        }
        leaves
    }

    /// The values of the last decision before the fault; where the program ends itself, of the last one it wrote itself.
    fn deciding(&self) -> Vec<Leaf> {
        let of_look = |look: &InputDecision| self.leaves(&look.bytes);
        let of_caller = |leaves: &Vec<Leaf>| {
            leaves.iter().any(|leaf| matches!(leaf.origin, Origin::Scalar | Origin::Data))
        };
        // A loop that came to its end is not the one that goes on for ever.
        let is_over = |look: &InputDecision| self.kind == FaultKind::Timeout && self.is_of_another_loop(look);
        let counts = |look: &&InputDecision| (look.is_source || !self.is_deliberate()) && !is_over(look);
        let mut looks =
            self.looks.iter().rev().filter(|look| counts(look) && !self.is_expected_success(look));
        if self.is_deliberate() {
            // What the module keeps right itself comes before what the caller gives, unless it only let the program go on.
            let is_state = |leaves: &Vec<Leaf>| leaves.iter().any(|leaf| leaf.origin == Origin::State);
            let decides = |look: &&InputDecision| self.site(look).is_some_and(|site| !site.refuses);
            let by_module = looks.clone().filter(decides).map(of_look).find(is_state);
            let by_caller = looks.clone().map(of_look).find(of_caller).filter(|_| self.is_last_concrete);
            return by_module.or(by_caller).or_else(|| looks.next().map(of_look)).unwrap_or_default();
        }
        looks.next().map(of_look).unwrap_or_default()
    }

    /// A null pointer after a function of the caller did not allocate: whether it may fail, the caller knows.
    fn by_failed_allocation(&self) -> Option<Classed> {
        let fails = |leaf: &Leaf| match leaf.origin {
            Origin::Stub(stub) => {
                let may_fail = self.stubs.get(stub as usize).is_some_and(Stub::may_fail_to_allocate);
                may_fail && (leaf.offset..leaf.offset + leaf.size).any(|at| self.bytes.byte(at) != 0)
            }
            _ => false,
        };
        let is_null = self.kind == FaultKind::NullDereference;
        let failed = self.looks.iter().flat_map(|look| self.leaves(&look.bytes)).find(fails);
        failed.filter(|_| is_null).and_then(|leaf| self.by_stub(leaf.origin))
    }

    /// Whether a decision was about an allocation, which was made: that is what callers expect, and decides nothing.
    fn is_expected_success(&self, look: &InputDecision) -> bool {
        let is_allocation = |leaf: &Leaf| match leaf.origin {
            Origin::Stub(stub) => {
                let stub = self.stubs.get(stub as usize);
                stub.is_some_and(|stub| {
                    stub.kind == StubKind::Library(LibraryInput::Alloc) || stub.may_fail_to_allocate()
                })
            }
            _ => false,
        };
        let is_zero = |leaf: &Leaf| (leaf.offset..leaf.offset + leaf.size).all(|at| self.bytes.byte(at) == 0);
        let leaves = self.leaves(&look.bytes);
        !leaves.is_empty() && leaves.iter().all(|leaf| is_allocation(leaf) && is_zero(leaf))
    }

    /// The values that decide, and whether they do so by the check itself. Where that is only about how much room there is,
    /// the data on which the unit last decided come first, then the number that says how much.
    fn responsible(&self, checked: Vec<Leaf>) -> (Vec<Leaf>, bool) {
        if !checked.is_empty() && !self.is_about_room(&checked) {
            return (self.relevant(checked), true);
        }
        if let Some(holder) = self.holder().filter(|leaf| checked.is_empty() && leaf.origin == Origin::State)
        {
            return (vec![holder], true);
        }
        let deciding = self.deciding();
        let rooms: Vec<Leaf> = checked.into_iter().filter(|leaf| !self.is_pointer(leaf)).collect();
        let by_numbers = deciding.iter().all(|leaf| leaf.origin == Origin::Scalar);
        if by_numbers && !rooms.is_empty() { (rooms, true) } else { (self.relevant(deciding), false) }
    }

    /// Without the pointers where the question is not whether they are null: an index is wrong, not what it is added to.
    fn relevant(&self, leaves: Vec<Leaf>) -> Vec<Leaf> {
        if self.kind == FaultKind::NullDereference || leaves.iter().all(|leaf| self.is_pointer(leaf)) {
            return leaves;
        }
        leaves.into_iter().filter(|leaf| !self.is_pointer(leaf)).collect()
    }

    fn by_leaves(&self, leaves: &[Leaf], is_checked: bool) -> Classed {
        use FaultClass::*;
        let named = |wanted: fn(Origin) -> bool| {
            let mut leaves = leaves.iter().filter(|leaf| wanted(leaf.origin));
            let first = leaves.next()?;
            Some(first.name.clone().unwrap_or_else(|| "a value of the input".to_string()))
        };
        if leaves.is_empty() {
            return match self.follows_fault {
                true => Classed::new(Contract, AFTER_ANOTHER),
                // A function that reports what cannot go on.
                false if self.kind == FaultKind::Abort => {
                    Classed::new(Contract, "the unit ends the program on purpose")
                }
                false => Classed::new(Bug, "no value of the input decides over it"),
            };
        }
        if self.kind == FaultKind::Timeout && leaves.iter().all(|leaf| self.is_pointer(leaf)) {
            let name = leaves[0].name.as_deref().unwrap_or("a pointer");
            return Classed::new(Contract, format!("where {name} leads is for the caller to keep right"));
        }
        if let Some(leaf) = leaves.iter().find(|leaf| self.is_no_enumerator(leaf)) {
            let name = leaf.name.as_deref().unwrap_or("an enumeration");
            return Classed::new(Contract, format!("{name} holds a value that is no enumerator"));
        }
        if let Some(leaf) = leaves.iter().find(|leaf| self.is_null_handle(leaf)) {
            let name = leaf.name.as_deref().unwrap_or("a handle of the library");
            return Classed::new(Contract, format!("{name} is for the caller to open"));
        }
        if leaves.iter().any(|leaf| self.is_odd(leaf)) {
            return Classed::limit("no caller has such a pointer: it is not aligned for its type");
        }
        if self.is_of_another_member(leaves) {
            return Classed::limit(
                "no caller has such a pointer: its bytes are meant for another member of a union",
            );
        }
        if self.is_end_of_list(leaves) {
            return Classed::new(Bug, "every list ends somewhere");
        }
        let is_state = |leaf: &Leaf| leaf.origin == Origin::State;
        let rests_on_state =
            if is_checked { leaves.iter().any(is_state) } else { leaves.iter().all(is_state) };
        let state = named(|origin| origin == Origin::State).filter(|_| rests_on_state);
        if let Some(name) = state.or_else(|| self.guard(leaves)) {
            let why = format!("{name} is the module's own, for its functions to keep right");
            return Classed::new(Contract, why);
        }
        if let Some(classed) = leaves.iter().find_map(|leaf| self.by_stub(leaf.origin)) {
            return classed;
        }
        if self.is_made_of_numbers(leaves) || self.is_lost_in_input() {
            return Classed::limit("no caller has such a pointer: it is made of other parts of the input");
        }
        if let Some(name) = named(|origin| origin == Origin::Data) {
            return Classed::new(Unchecked, format!("it depends on {name}, which may be anything"));
        }
        if self.is_forged(leaves) {
            return Classed::limit("it depends on where a pointer of the input leads, which is a guess");
        }
        match leaves.iter().find(|leaf| self.is_looked_at(leaf, is_checked)) {
            Some(leaf) if self.kind == FaultKind::Timeout && self.is_of_ended_loops_only(leaf) => {
                let name = leaf.name.as_deref().unwrap_or("the input");
                Classed::new(
                    Contract,
                    format!("what keeps the loop alive is not known; it depends on {name} as well"),
                )
            }
            Some(leaf) if self.kind == FaultKind::Abort => {
                let name = leaf.name.as_deref().unwrap_or("the input");
                Classed::new(Contract, format!("the unit ends the program on purpose because of {name}"))
            }
            Some(leaf) => {
                let name = leaf.name.as_deref().unwrap_or("the input");
                Classed::new(Bug, format!("the unit looks at {name}, and lets this pass"))
            }
            None => {
                let name = named(|_| true).unwrap_or_default();
                let why = match leaves.first() {
                    _ if self.is_deliberate() => format!("the unit rules it out for {name} by itself"),
                    Some(first) if self.is_asked(first) => format!("the unit does not look at {name} first"),
                    _ => format!("the unit does not look at {name}"),
                };
                Classed::new(Contract, why)
            }
        }
    }

    /// What of the module's own a value of the caller was held to: if that is not right, the check says nothing.
    fn guard(&self, leaves: &[Leaf]) -> Option<String> {
        let orders = self.looks.iter().filter(|look| look.is_source && look.is_order);
        let of_caller = |leaf: &&Leaf| matches!(leaf.origin, Origin::Scalar | Origin::Data);
        for look in orders {
            let is_about = |leaf: &Leaf| look.bytes.iter().any(|byte| leaf.holds(*byte));
            if leaves.iter().filter(of_caller).any(is_about) {
                let others = self.leaves(&look.bytes);
                let state = others.into_iter().find(|leaf| leaf.origin == Origin::State);
                if let Some(state) = state {
                    return Some(state.name.unwrap_or_else(|| "what it is compared with".to_string()));
                }
            }
        }
        None
    }

    /// What a stub's answer makes of a fault.
    fn by_stub(&self, origin: Origin) -> Option<Classed> {
        let (Origin::Stub(stub) | Origin::Stream(stub)) = origin else { return None };
        let stub = self.stubs.get(stub as usize)?;
        let name = &stub.name;
        Some(match (origin, stub.kind) {
            (Origin::Stream(_), _) => {
                Classed::new(FaultClass::Unchecked, format!("it depends on bytes that {name}() gives"))
            }
            (_, StubKind::Library(_)) => {
                Classed::new(FaultClass::Bug, format!("{name}() may answer so, and the unit lets it pass"))
            }
            _ => Classed::new(FaultClass::Contract, format!("it depends on what {name}() answers")),
        })
    }

    /// Whether the program ends itself on purpose: it says what it does not take.
    fn is_deliberate(&self) -> bool {
        matches!(self.kind, FaultKind::Assertion | FaultKind::Abort)
    }

    /// Whether only pointers decide, and not by being null.
    fn is_forged(&self, leaves: &[Leaf]) -> bool {
        use FaultKind::*;
        let by_address = matches!(self.kind, WildDereference | OutOfBounds | PointerArithmetic);
        by_address && leaves.iter().all(|leaf| self.is_pointer(leaf))
    }

    /// Whether only pointers of unions decide, and not by being null: what says which member is meant is not known.
    fn is_of_another_member(&self, leaves: &[Leaf]) -> bool {
        use FaultKind::*;
        let by_address = matches!(self.kind, WildDereference | OutOfBounds | PointerArithmetic | Misaligned);
        by_address && leaves.iter().all(|leaf| leaf.is_in_union && self.is_pointer(leaf))
    }

    /// Whether a pointer is not aligned for what it is declared to lead to, which no caller's is.
    fn is_odd(&self, leaf: &Leaf) -> bool {
        let to = self.model.types.pointee(leaf.ty).map(|to| self.model.types.get(to).align.max(1));
        let address = Number { offset: leaf.offset, size: leaf.size, signed: false }.value(self.bytes);
        self.kind == FaultKind::Misaligned && to.is_some_and(|align| address % i128::from(align) != 0)
    }

    /// Whether the pointer that is followed was read from several numbers in a row. That happens where a cast leads beyond
    /// an object of ours and into the next one. An index that is made of them is another matter: then the address differs.
    fn is_made_of_numbers(&self, leaves: &[Leaf]) -> bool {
        let is_followed = matches!(self.kind, FaultKind::NullDereference | FaultKind::WildDereference);
        let are_numbers = leaves.len() > 1 && leaves.iter().all(|leaf| !self.is_pointer(leaf));
        let size: u32 = leaves.iter().map(|leaf| leaf.size).sum();
        let offset = leaves.iter().map(|leaf| leaf.offset).min().unwrap_or_default();
        let end = leaves.iter().map(|leaf| leaf.offset + leaf.size).max().unwrap_or_default();
        if !is_followed || !are_numbers || size != 8 || end - offset != size {
            return false;
        }
        let pointer = Number { offset, size, signed: false }.value(self.bytes);
        (0..MEMBERS).contains(&(i128::from(self.address) - pointer))
    }

    /// Whether a wild pointer leads into the input, where data was taken for code.
    fn is_lost_in_input(&self) -> bool {
        self.kind == FaultKind::WildDereference && !self.is_own_object()
    }

    /// A `FILE *` or `DIR *` that is null. To pass it on is not to look at it.
    fn is_null_handle(&self, leaf: &Leaf) -> bool {
        let types = &self.model.types;
        let is_handle = types.pointee(leaf.ty).is_some_and(|to| types.handle(to).is_some());
        is_handle && self.kind == FaultKind::NullDereference
    }

    /// A link of a list or tree that is null. Records with more links have rules of their own about them: these count if
    /// the unit asks whether they are null.
    fn is_end_of_list(&self, leaves: &[Leaf]) -> bool {
        let is_asked = |leaf: &Leaf| {
            let mut looks = self.looks.iter().filter(|look| look.is_source);
            looks.any(|look| look.bytes.iter().all(|byte| leaf.holds(*byte)))
        };
        let is_null = |leaf: &Leaf| {
            Number { offset: leaf.offset, size: leaf.size, signed: false }.value(self.bytes) < MEMBERS
        };
        let counts = |leaf: &Leaf| leaf.is_link && (leaf.links <= 2 || is_asked(leaf));
        let mut nulls = leaves.iter().filter(|leaf| self.is_pointer(leaf) && is_null(leaf)).peekable();
        self.kind == FaultKind::NullDereference && nulls.peek().is_some() && nulls.all(counts)
    }

    fn is_no_enumerator(&self, leaf: &Leaf) -> bool {
        let TypeKind::Enum { enumerators, .. } = &self.model.types.get(leaf.ty).kind else { return false };
        let Some(number) = self.number(leaf) else { return false };
        let value = number.value(self.bytes);
        !enumerators.iter().any(|(_, known)| *known == value)
    }

    fn number(&self, leaf: &Leaf) -> Option<Number> {
        let signed = match self.model.types.get(leaf.ty).kind {
            TypeKind::Int { bits, signed, .. } | TypeKind::Enum { bits, signed, .. } if bits <= 64 => signed,
            _ => return None,
        };
        Some(Number { offset: leaf.offset, size: leaf.size, signed })
    }
}
