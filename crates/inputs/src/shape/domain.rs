//! What values the bytes of an input may have, as terms.
//!
//! Takes a byte; gives the clause it must satisfy together with the bytes it belongs with: a pointer is null or leads
//! somewhere, a truth value is 0 or 1, a number that a stub hands out is one that the real function could give.
//! Never: where things are (see `grow` and `alias`).

use std::collections::BTreeSet;
use std::rc::Rc;

use tarka_library::Fact;
use tarka_terms::{BinaryOp, Evaluator, Node, Term, Terms};
use tarka_trace::ARENA_BASE;

use super::alias::{Alias, Enough};
use super::element::{ByteKind, MAX_SYMBOLIC, X87_BYTES};
use super::grow::Slot;
use super::object::{Counter, ObjectShape};
use super::{InputBytes, Shape};

/// Addresses in a row are listed up to this many, and described beyond.
const LISTED: u64 = 8;

/// How much of a pointer's domain is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum DomainWidth {
    /// Null, the pointer's own fresh object, functions, and its current value.
    Narrow,
    /// Also other objects of the same type; for a word that a union shares with something else, any value.
    Wide,
    /// Every value that a caller may put into a pointer, whether an input can be built of it or not.
    Legal,
}

/// Stacks and mapped memory lie from here on: what the unit makes itself is there, and no caller has its address.
const PRIVATE_MEMORY: u64 = 0x7000_0000_0000;

/// Numbers that are no addresses: small ones, and errors as negative numbers.
const NUMBERS: u64 = 4096;

impl Shape<'_> {
    /// What values a byte may have: `None` if all, otherwise a one-bit term over it and the bytes it belongs with.
    pub fn domain(
        &self,
        terms: &mut Terms,
        byte: u32,
        current: &InputBytes,
        width: DomainWidth,
    ) -> Option<Term> {
        let object = self.grown.borrow().containing(byte)?;
        if let Some(range) = object.range {
            return Some(range_clause(terms, &object, range));
        }
        match object.kind_at(byte) {
            ByteKind::Fixed | ByteKind::Free => None,
            ByteKind::Bool => {
                let (value, one) = (terms.input(byte), terms.constant(8, 1));
                Some(terms.binary(BinaryOp::Ule, value, one))
            }
            ByteKind::X87 => x87_clause(terms, &object, byte),
            ByteKind::Pointer => {
                let slot = self.slot_at(&object, byte)?;
                self.pointer_clause(terms, &slot, current, width)
            }
        }
    }

    /// That the numbers of a clause which count elements count no more than an object can be made to have; `None` if there
    /// are none. What a caller would pass, but no fact: whoever finds nothing with it must ask without it.
    pub fn modest(&self, terms: &mut Terms, clause: Term) -> Option<Term> {
        let mut counters: Vec<(Counter, u64)> = Vec::new();
        for object in &self.grown.borrow().objects {
            let own = object.length.as_ref().map(|length| (Counter::of(length), object.counted()));
            let tail = object
                .tail
                .as_ref()
                .and_then(|tail| Some((tail.length?, u64::from((object.capacity - tail.at) / tail.stride))));
            counters.extend(own.into_iter().chain(tail));
        }
        let bytes = terms.inputs(clause);
        counters.retain(|(counter, _)| bytes.binary_search(&counter.offset).is_ok());
        let clauses = counters.into_iter().map(|(counter, most)| {
            let (value, most) = (count(terms, counter), terms.constant(64, u128::from(most)));
            let op = if counter.signed { BinaryOp::Sle } else { BinaryOp::Ule };
            terms.binary(op, value, most)
        });
        let clauses: Vec<Term> = clauses.collect();
        clauses.into_iter().reduce(|all, more| terms.binary(BinaryOp::And, all, more))
    }

    /// That a pointer is not null.
    pub fn is_there(&self, terms: &mut Terms, slot: u32) -> Term {
        let pointer = number(terms, slot, 8);
        let is_null = one_of(terms, pointer, &[0]);
        terms.not(is_null)
    }

    /// The pointers of an input that one of these sums adds something to that is not 0. In a test, they cannot be null: that
    /// would be undefined.
    pub fn moved_pointers(
        &self,
        terms: &mut Terms,
        evaluator: &mut Evaluator,
        sums: &[Term],
        input: &InputBytes,
    ) -> BTreeSet<u32> {
        let mut moved = BTreeSet::new();
        for &sum in sums {
            let Node::Binary(BinaryOp::Add, one, other) = *terms.node(sum) else { continue };
            for (base, added) in [(one, other), (other, one)] {
                let [first, .., _] = *terms.inputs(base) else { continue };
                if terms.inputs(base).len() != 8 || self.pointer_slot(first) != Some(first) {
                    continue;
                }
                if number(terms, first, 8) == base && evaluator.eval(terms, added, input) != 0 {
                    moved.insert(first);
                }
            }
        }
        moved
    }

    /// Whether the wide domain of the pointer that holds this byte differs from the narrow one.
    pub(crate) fn has_aliases(&self, byte: u32) -> bool {
        self.slot_of(byte).is_some_and(|slot| slot.shared || !self.aliases(&slot).is_empty())
    }

    /// Whether this byte belongs to a pointer whose bytes a union also sees as something else.
    pub(crate) fn is_shared(&self, byte: u32) -> bool {
        self.slot_of(byte).is_some_and(|slot| slot.shared)
    }

    /// Whether an access at this address went through a number that a union of the input also sees as a pointer: a fault
    /// of the input, not of the unit. `u64::MAX` stands for an address that the processor does not tell.
    pub fn is_wild(&self, objects: &[Rc<ObjectShape>], input: &InputBytes, address: u64) -> bool {
        let slots = objects.iter().flat_map(|object| object.slots());
        let shared = slots.filter_map(|at| self.slot_of(at)).filter(|slot| slot.shared);
        let numbers = shared.filter(|slot| {
            let value = input.word(slot.at);
            value != 0 && !self.own_addresses(slot).contains(&value)
        });
        numbers.map(|slot| input.word(slot.at)).any(|number| {
            let is_hidden = address == u64::MAX && number >= 1 << 47;
            is_hidden || address.abs_diff(number) < MAX_SYMBOLIC
        })
    }

    fn pointer_clause(
        &self,
        terms: &mut Terms,
        slot: &Slot,
        current: &InputBytes,
        width: DomainWidth,
    ) -> Option<Term> {
        if slot.shared && width != DomainWidth::Narrow {
            return None;
        }
        if width == DomainWidth::Legal {
            return Some(self.legal_clause(terms, slot));
        }
        let mut addresses = self.own_addresses(slot);
        if !slot.non_null || addresses.is_empty() {
            addresses.push(0);
        }
        addresses.push(current.default_word(slot.at));
        let pointer = number(terms, slot.at, 8);
        let clause = self.lasting_clause(terms, slot, pointer, &addresses, width);
        let value = current.word(slot.at);
        if addresses.contains(&value) {
            return Some(clause);
        }
        let stays = one_of(terms, pointer, &[value]);
        Some(terms.binary(BinaryOp::Or, clause, stays))
    }

    /// The part of a pointer's domain that does not depend on the input; made anew when there are more objects to share.
    fn lasting_clause(
        &self,
        terms: &mut Terms,
        slot: &Slot,
        pointer: Term,
        addresses: &[u64],
        width: DomainWidth,
    ) -> Term {
        let objects = self.grown.borrow().objects.len();
        if let Some(&(then, clause)) = self.grown.borrow().clauses.get(&(slot.at, width))
            && (then == objects || width == DomainWidth::Narrow)
        {
            return clause;
        }
        let mut clause = one_of(terms, pointer, addresses);
        let others = match width {
            DomainWidth::Narrow if self.is_in_range(slot.at) => {
                Rc::new(self.inside_own(slot).into_iter().collect())
            }
            DomainWidth::Narrow | DomainWidth::Legal => Rc::default(),
            DomainWidth::Wide if self.ranges.are_apart() => {
                let own = self.inside_own(slot);
                let others = self.aliases(slot);
                Rc::new(others.iter().filter(|alias| Some(*alias) != own.as_ref()).cloned().collect())
            }
            DomainWidth::Wide => self.aliases(slot),
        };
        for alias in others.iter() {
            let shared = alias_clause(terms, pointer, alias);
            clause = terms.binary(BinaryOp::Or, clause, shared);
        }
        self.grown.borrow_mut().clauses.insert((slot.at, width), (objects, clause));
        clause
    }
}

impl Shape<'_> {
    /// A pointer is null, leads somewhere outside of what the unit makes itself, or is a number that is no address.
    fn legal_clause(&self, terms: &mut Terms, slot: &Slot) -> Term {
        let pointer = number(terms, slot.at, 8);
        let between = |terms: &mut Terms, first: u64, end: u64| {
            let (least, room) = (terms.constant(64, first.into()), end.wrapping_sub(first));
            let above = terms.binary(BinaryOp::Sub, pointer, least);
            let room = terms.constant(64, room.into());
            terms.binary(BinaryOp::Ult, above, room)
        };
        let first = u64::from(slot.non_null);
        let mut clause = between(terms, first, NUMBERS);
        let named =
            self.addresses.iter().map(|address| (address.address, address.address + address.size + 1));
        let elsewhere = [(ARENA_BASE, PRIVATE_MEMORY), (NUMBERS.wrapping_neg(), 0)];
        for (first, end) in elsewhere.into_iter().chain(named) {
            let part = between(terms, first, end);
            clause = terms.binary(BinaryOp::Or, clause, part);
        }
        clause
    }
}

/// The little-endian number in some input bytes.
pub(super) fn number(terms: &mut Terms, start: u32, bytes: u32) -> Term {
    let low = terms.input(start);
    (1..bytes).fold(low, |low, byte| {
        let high = terms.input(start + byte);
        terms.concat(high, low)
    })
}

fn one_of(terms: &mut Terms, pointer: Term, addresses: &[u64]) -> Term {
    let mut sorted = addresses.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let never = terms.constant(1, 0);
    sorted.into_iter().fold(never, |clause, address| {
        let address = terms.constant(64, u128::from(address));
        let equal = terms.binary(BinaryOp::Eq, pointer, address);
        terms.binary(BinaryOp::Or, clause, equal)
    })
}

fn alias_clause(terms: &mut Terms, pointer: Term, alias: &Alias) -> Term {
    let somewhere = if alias.count <= LISTED {
        let addresses: Vec<u64> = (0..alias.count).map(|index| alias.base + index * alias.stride).collect();
        one_of(terms, pointer, &addresses)
    } else {
        let base = terms.constant(64, u128::from(alias.base));
        let inside = terms.binary(BinaryOp::Sub, pointer, base);
        let end = terms.constant(64, u128::from(alias.count * alias.stride));
        let stride = terms.constant(64, u128::from(alias.stride));
        let zero = terms.constant(64, 0);
        let before_end = terms.binary(BinaryOp::Ult, inside, end);
        let rest = terms.binary(BinaryOp::URem, inside, stride);
        let on_an_element = terms.binary(BinaryOp::Eq, rest, zero);
        terms.binary(BinaryOp::And, before_end, on_an_element)
    };
    let Some(condition) = alias.condition else { return somewhere };
    let enough = enough_clause(terms, condition, (pointer, alias.base));
    terms.binary(BinaryOp::And, somewhere, enough)
}

fn enough_clause(terms: &mut Terms, condition: Enough, (pointer, base): (Term, u64)) -> Term {
    match condition {
        Enough::Any(counter) => {
            let (zero, value) = (terms.constant(64, 0), count(terms, counter));
            terms.binary(BinaryOp::Slt, zero, value)
        }
        Enough::NoMoreThan(mine, theirs) => {
            let (mine, theirs) = (count(terms, mine), count(terms, theirs));
            terms.binary(BinaryOp::Sle, mine, theirs)
        }
        Enough::Within(counter, element) => {
            let (count, element) = (count(terms, counter), terms.constant(64, u128::from(element)));
            let room = terms.binary(BinaryOp::Mul, count, element);
            let base = terms.constant(64, u128::from(base));
            let distance = terms.binary(BinaryOp::Sub, pointer, base);
            terms.binary(BinaryOp::Sle, distance, room)
        }
        Enough::AtMost(mine, most) => {
            let (mine, most) = (count(terms, mine), terms.constant(64, u128::from(most)));
            terms.binary(BinaryOp::Sle, mine, most)
        }
    }
}

/// The value of a counter as a signed 64-bit number: counts beyond that are not reached anyway.
fn count(terms: &mut Terms, counter: Counter) -> Term {
    let value = number(terms, counter.offset, u32::from(counter.bits) / 8);
    match (counter.bits, counter.signed) {
        (64, _) => value,
        (_, true) => terms.sext(value, 64),
        (_, false) => terms.zext(value, 64),
    }
}

/// `first <= value <= last`, whatever the signedness.
fn range_clause(terms: &mut Terms, object: &ObjectShape, range: Fact<(i64, i64)>) -> Term {
    let (first, last) = range.get();
    let bits = (object.size * 8) as u16;
    let mask = if bits >= 128 { u128::MAX } else { (1 << bits) - 1 };
    let value = number(terms, object.offset, object.size);
    let least = terms.constant(bits, first as i128 as u128 & mask);
    let above = terms.binary(BinaryOp::Sub, value, least);
    let room = terms.constant(bits, (last as i128 - first as i128) as u128 & mask);
    terms.binary(BinaryOp::Ule, above, room)
}

/// The first bit of the significand is written out in an x87 number: 1 except for zero and subnormal numbers. Other
/// patterns are no numbers at all, and no C program can write them down.
fn x87_clause(terms: &mut Terms, object: &ObjectShape, byte: u32) -> Option<Term> {
    let start = (0..X87_BYTES).map(|back| byte.checked_sub(back)).find_map(|start| {
        let start = start.filter(|&start| start >= object.offset)?;
        let is_start = start == object.offset || object.kind_at(start - 1) != ByteKind::X87;
        is_start.then_some(start)
    })?;
    if byte < start + 7 {
        return None;
    }
    let exponent = number(terms, start + 8, 2);
    let exponent = terms.extract(exponent, 0, 15);
    let leading = terms.input(start + 7);
    let leading = terms.extract(leading, 7, 1);
    let zero = terms.constant(15, 0);
    let is_small = terms.binary(BinaryOp::Eq, exponent, zero);
    let is_normal = terms.not(is_small);
    Some(terms.binary(BinaryOp::Eq, leading, is_normal))
}
