//! Parts of the input that may only have a few values: pointers, enumerations, small ranges.
//!
//! Takes the clauses of a query; gives for each such part its values, in the order in which the clause lists them. A
//! clause is understood that is one value or the other, each said byte by byte as equalities are rewritten to, or a range
//! of a number, perhaps in steps. Whoever tries a value evaluates all clauses: what else they say need not be understood.

use crate::layer::Question;
use rustc_hash::FxHashSet;
use tarka_terms::semantics::mask;
use tarka_terms::{BinaryOp, Evaluator, Node, Term, Terms};

/// Values of one part that are listed.
const MAX_VALUES: usize = 64;
/// Parts of a query that are looked at.
const MAX_SLOTS: usize = 32;

/// A part of the input with few values.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    /// Its bytes, sorted.
    pub(crate) bytes: Vec<u32>,
    /// Values of those bytes, in the clause's order, each once.
    pub(crate) values: Vec<Vec<u8>>,
    /// Whether the list is certain to hold every value that the clause allows.
    pub(crate) complete: bool,
}

impl Slot {
    /// The values that the clauses about nothing else allow.
    pub(crate) fn possible<'s>(
        &'s self,
        terms: &'s Terms,
        question: &Question,
        evaluator: &'s mut Evaluator,
    ) -> impl Iterator<Item = &'s Vec<u8>> {
        let is_own =
            |clause: &Term| terms.inputs(*clause).iter().all(|input| self.position(*input).is_some());
        let own: Vec<Term> = question.clauses().filter(is_own).collect();
        self.values.iter().filter(move |value| {
            let assignment = |input: u32| self.position(input).map_or(0, |at| value[at]);
            evaluator.first_false(terms, own.iter().copied(), &assignment).is_none()
        })
    }

    /// Whether a clause speaks of it.
    pub(crate) fn is_in(&self, terms: &Terms, clause: Term) -> bool {
        terms.inputs(clause).iter().any(|input| self.position(*input).is_some())
    }

    fn position(&self, input: u32) -> Option<usize> {
        self.bytes.binary_search(&input).ok()
    }
}

/// The slots of a query, none of them sharing a byte. Where several clauses speak of the same bytes the shortest list
/// counts.
pub(crate) fn of_question(terms: &Terms, question: &Question) -> Vec<Slot> {
    let mut slots: Vec<Slot> =
        question.prefix.iter().filter_map(|clause| of_clause(terms, *clause)).collect();
    slots.sort_by_key(|slot| (!slot.complete, slot.values.len()));
    let mut taken = FxHashSet::default();
    slots.retain(|slot| {
        let free = slot.bytes.iter().all(|byte| !taken.contains(byte));
        if free {
            taken.extend(slot.bytes.iter().copied());
        }
        free
    });
    slots.sort_by(|a, b| a.bytes.cmp(&b.bytes));
    slots.truncate(MAX_SLOTS);
    slots
}

/// What a clause says of one part of the input, if it lists its values.
fn of_clause(terms: &Terms, clause: Term) -> Option<Slot> {
    let lists = matches!(terms.node(clause), Node::Binary(BinaryOp::Or | BinaryOp::And | BinaryOp::Ult, ..));
    if !lists {
        return None;
    }
    let mut slot: Option<Slot> = None;
    for alternative in parts(terms, BinaryOp::Or, clause)? {
        let Slot { bytes, values, complete } = of_alternative(terms, alternative)?;
        let slot =
            slot.get_or_insert_with(|| Slot { bytes: bytes.clone(), values: Vec::new(), complete: true });
        if slot.bytes != bytes {
            return None;
        }
        slot.complete &= complete;
        for value in values {
            if slot.values.len() == MAX_VALUES {
                slot.complete = false;
            } else if !slot.values.contains(&value) {
                slot.values.push(value);
            }
        }
    }
    slot
}

/// The operands of nested operations of this kind, from left to right; nothing if there are too many to be a list.
fn parts(terms: &Terms, op: BinaryOp, term: Term) -> Option<Vec<Term>> {
    let mut parts = Vec::new();
    let mut open = vec![term];
    while let Some(next) = open.pop() {
        match *terms.node(next) {
            Node::Binary(found, a, b) if found == op => open.extend([b, a]),
            _ => parts.push(next),
        }
        if parts.len() + open.len() > 4 * MAX_VALUES {
            return None;
        }
    }
    Some(parts)
}

/// One value, or a range of them.
fn of_alternative(terms: &Terms, alternative: Term) -> Option<Slot> {
    let parts = parts(terms, BinaryOp::And, alternative)?;
    let mut fixed: Vec<(u32, u8)> = parts.iter().filter_map(|part| fixed_byte(terms, *part)).collect();
    if !fixed.is_empty() {
        fixed.sort_unstable();
        fixed.dedup_by_key(|(byte, _)| *byte);
        let (bytes, value) = fixed.into_iter().unzip();
        return Some(Slot { bytes, values: vec![value], complete: true });
    }
    parts.iter().find_map(|part| range(terms, *part, &parts)?.slot(terms))
}

fn fixed_byte(terms: &Terms, part: Term) -> Option<(u32, u8)> {
    let Node::Binary(BinaryOp::Eq, a, b) = *terms.node(part) else { return None };
    match (terms.node(a), terms.as_constant(b)) {
        (Node::Input(byte), Some(value)) => Some((*byte, value as u8)),
        _ => None,
    }
}

/// `number - first < room`, in steps if another part says so.
struct Range {
    number: Term,
    values: Vec<u128>,
    /// Whether these are all values.
    complete: bool,
    /// The parts of the clause that say all this.
    said_by: Vec<Term>,
}

fn range(terms: &Terms, part: Term, parts: &[Term]) -> Option<Range> {
    let Node::Binary(BinaryOp::Ult, shifted, room) = *terms.node(part) else { return None };
    let room = terms.as_constant(room)?;
    let (number, first) = match *terms.node(shifted) {
        Node::Binary(BinaryOp::Add, number, c) => (number, terms.as_constant(c)?.wrapping_neg()),
        Node::Binary(BinaryOp::Sub, number, c) => (number, terms.as_constant(c)?),
        _ => (shifted, 0),
    };
    let step = parts.iter().find_map(|part| Some((*part, step_of(terms, *part, shifted)?)));
    let said_by = [part].into_iter().chain(step.map(|(part, _)| part)).collect();
    let step = step.map_or(1, |(_, step)| step);
    let count = room.div_ceil(step);
    let value = |index| first.wrapping_add(index * step) & mask(terms.width(number));
    let values = (0..count.min(MAX_VALUES as u128)).map(value).collect();
    Some(Range { number, values, complete: count <= MAX_VALUES as u128, said_by })
}

impl Range {
    fn slot(self, terms: &Terms) -> Option<Slot> {
        let bytes = bytes_of_word(terms, self.number)?;
        let values = self.values.iter().map(|value| value.to_le_bytes()[..bytes.len()].to_vec()).collect();
        let (bytes, values) = sorted(bytes, values);
        Some(Slot { bytes, values, complete: self.complete })
    }
}

/// A clause with every range in steps replaced by its values, if there is one and they are few.
pub(crate) fn spelt_out(terms: &mut Terms, clause: Term) -> Option<Term> {
    if !matches!(terms.node(clause), Node::Binary(BinaryOp::Or | BinaryOp::And, ..)) {
        return None;
    }
    let mut changed = false;
    let mut result = terms.constant(1, 0);
    for alternative in parts(terms, BinaryOp::Or, clause)? {
        let all = parts(terms, BinaryOp::And, alternative)?;
        let stepped = all.iter().find_map(|part| {
            range(terms, *part, &all).filter(|range| range.complete && range.said_by.len() > 1)
        });
        let alternative = match stepped {
            None => alternative,
            Some(range) => {
                changed = true;
                let rest = all.iter().copied().filter(|part| !range.said_by.contains(part));
                rest.fold(one_of(terms, &range), |all, part| terms.binary(BinaryOp::And, all, part))
            }
        };
        result = terms.binary(BinaryOp::Or, result, alternative);
    }
    changed.then_some(result)
}

fn one_of(terms: &mut Terms, range: &Range) -> Term {
    let never = terms.constant(1, 0);
    range.values.iter().fold(never, |any, value| {
        let value = terms.constant(terms.width(range.number), *value);
        let equal = terms.binary(BinaryOp::Eq, range.number, value);
        terms.binary(BinaryOp::Or, any, equal)
    })
}

/// The step that a clause prescribes for a number: that its remainder, or its lowest bits, are 0.
fn step_of(terms: &Terms, part: Term, shifted: Term) -> Option<u128> {
    let Node::Binary(BinaryOp::Eq, rest, zero) = *terms.node(part) else { return None };
    if terms.as_constant(zero) != Some(0) {
        return None;
    }
    match *terms.node(rest) {
        Node::Binary(BinaryOp::URem, number, step) if number == shifted => terms.as_constant(step),
        Node::Extract(number, 0) if number == shifted => Some(1 << terms.width(rest)),
        _ => None,
    }
}

/// The bytes of a number that is nothing but input bytes side by side, lowest first.
pub(crate) fn bytes_of_word(terms: &Terms, word: Term) -> Option<Vec<u32>> {
    let mut bytes = Vec::new();
    let mut open = vec![word];
    while let Some(next) = open.pop() {
        match *terms.node(next) {
            Node::Input(byte) => bytes.push(byte),
            Node::Concat(high, low) => open.extend([high, low]),
            _ => return None,
        }
    }
    Some(bytes)
}

/// Bytes in the order of the input, and the values with them.
fn sorted(bytes: Vec<u32>, values: Vec<Vec<u8>>) -> (Vec<u32>, Vec<Vec<u8>>) {
    let mut order: Vec<usize> = (0..bytes.len()).collect();
    order.sort_by_key(|position| bytes[*position]);
    let value = |value: Vec<u8>| order.iter().map(|position| value[*position]).collect();
    (order.iter().map(|position| bytes[*position]).collect(), values.into_iter().map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::testing::question;

    fn is(terms: &mut Terms, word: Term, value: u128) -> Term {
        let value = terms.constant(64, value);
        terms.binary(BinaryOp::Eq, word, value)
    }

    /// `word` points to one of so many elements of an array.
    fn into_array(terms: &mut Terms, word: Term, base: u128, count: u128, size: u128) -> Term {
        let (base, end, step, zero) = (
            terms.constant(64, base),
            terms.constant(64, count * size),
            terms.constant(64, size),
            terms.constant(64, 0),
        );
        let inside = terms.binary(BinaryOp::Sub, word, base);
        let before_end = terms.binary(BinaryOp::Ult, inside, end);
        let rest = terms.binary(BinaryOp::URem, inside, step);
        let on_an_element = terms.binary(BinaryOp::Eq, rest, zero);
        terms.binary(BinaryOp::And, before_end, on_an_element)
    }

    fn slots(terms: &mut Terms, clauses: &[Term]) -> Vec<Slot> {
        let flipped = terms.constant(1, 1);
        of_question(terms, &question(clauses, flipped))
    }

    fn numbers(slot: &Slot) -> Vec<u64> {
        slot.values.iter().map(|value| u64::from_le_bytes(value.as_slice().try_into().unwrap())).collect()
    }

    #[test]
    fn a_pointer_lists_its_targets_in_order() {
        let mut t = Terms::new();
        let pointer = t.word(8, 8);
        let mut clause = is(&mut t, pointer, 0);
        for target in [0x7000_0000_1000, 0x7000_0000_0040] {
            let equal = is(&mut t, pointer, target);
            clause = t.binary(BinaryOp::Or, clause, equal);
        }
        let found = slots(&mut t, &[clause]);
        assert_eq!(numbers(&found[0]), [0, 0x7000_0000_1000, 0x7000_0000_0040]);
        assert!(found[0].complete && found[0].bytes.iter().copied().eq(8..16));
    }

    #[test]
    fn a_pointer_into_an_array_lists_its_elements() {
        for size in [12, 16] {
            let mut t = Terms::new();
            let pointer = t.word(0, 8);
            let (null, inside) = (is(&mut t, pointer, 0), into_array(&mut t, pointer, 0x5000, 5, size));
            let clause = t.binary(BinaryOp::Or, null, inside);
            let found = slots(&mut t, &[clause]);
            let elements = (0..5).map(|element| 0x5000 + element * size as u64);
            assert_eq!(numbers(&found[0]), [0].into_iter().chain(elements).collect::<Vec<_>>());
        }
    }

    #[test]
    fn small_numbers_and_ranges() {
        let mut t = Terms::new();
        let (flag, one) = (t.input(3), t.constant(8, 1));
        let clause = t.binary(BinaryOp::Ule, flag, one);
        let found = slots(&mut t, &[clause]);
        assert_eq!(found, [Slot { bytes: vec![3], values: vec![vec![0], vec![1]], complete: true }]);
        let number = t.word(0, 8);
        let (least, room) = (t.constant(64, -1i64 as u64 as u128), t.constant(64, 5));
        let above = t.binary(BinaryOp::Sub, number, least);
        let clause = t.binary(BinaryOp::Ule, above, room);
        let found = slots(&mut t, &[clause]);
        assert_eq!(numbers(&found[0]), [u64::MAX, 0, 1, 2, 3, 4]);
    }

    #[test]
    fn what_lists_nothing_is_no_slot() {
        let mut t = Terms::new();
        let (a, b, five) = (t.input(0), t.input(1), t.constant(8, 5));
        let (less, one) = (t.binary(BinaryOp::Ult, a, b), t.binary(BinaryOp::Eq, a, five));
        let other = t.binary(BinaryOp::Eq, b, five);
        let either = t.binary(BinaryOp::Or, one, other);
        assert_eq!(slots(&mut t, &[less, either]), []);
        let pointer = t.word(0, 8);
        let clause = into_array(&mut t, pointer, 0x5000, 1000, 16);
        assert!(!slots(&mut t, &[clause])[0].complete, "only some are listed");
    }

    #[test]
    fn steps_are_spelt_out_and_mean_the_same() {
        let mut t = Terms::new();
        let pointer = t.word(0, 8);
        let (null, inside) = (is(&mut t, pointer, 0), into_array(&mut t, pointer, 0x5000, 5, 12));
        let (four, enough) = (t.constant(8, 4), t.input(9));
        let enough = t.binary(BinaryOp::Ult, four, enough);
        let inside = t.binary(BinaryOp::And, inside, enough);
        let clause = t.binary(BinaryOp::Or, null, inside);
        let spelt = spelt_out(&mut t, clause).unwrap();
        assert!(!t.display(spelt).to_string().contains("urem") && t.inputs(spelt).contains(&9));
        let mut evaluator = tarka_terms::Evaluator::new();
        for value in (0x4ff0..0x5050).chain([0]) {
            for other in [4, 5] {
                let input = move |byte: u32| if byte == 9 { other } else { (value >> (8 * byte)) as u8 };
                let [before, after] = [clause, spelt].map(|clause| evaluator.eval(&t, clause, &input));
                assert_eq!(before, after, "{value:#x}");
            }
        }
        assert_eq!(spelt_out(&mut t, null), None);
    }
}
