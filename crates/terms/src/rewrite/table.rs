//! Reads from tables.

use super::slice::above_constant;
use super::{Rule, rules};
use crate::node::{Node, TableId, Term};
use crate::store::Terms;

/// A law about a read.
type ReadLaw = fn(&mut Terms, TableId, Term) -> Option<Term>;

pub(super) const READ: &[Rule<ReadLaw>] = rules!(
    "read",
    read_at_extended_index,
    read_of_equal_entries,
    read_at_constant_arms,
    read_with_stride,
    read_within_reach
);

/// `t[zext(i)] = t[i]`
fn read_at_extended_index(terms: &mut Terms, table: TableId, index: Term) -> Option<Term> {
    let inner = terms.as_zext(index)?;
    Some(terms.read(table, inner))
}

/// `t[i] = a` where every entry is `a` and `i` cannot leave the table, or finds the same beyond its end
fn read_of_equal_entries(terms: &mut Terms, table: TableId, index: Term) -> Option<Term> {
    let entries = terms.table_entries(table);
    let first = *entries.first()?;
    let stays = terms.upper_bound(index) < entries.len() as u128 || terms.is_zero(first);
    (stays && entries.iter().all(|entry| *entry == first)).then_some(first)
}

/// `t[ite(c, 1, 2)] = ite(c, t[1], t[2])`
fn read_at_constant_arms(terms: &mut Terms, table: TableId, index: Term) -> Option<Term> {
    let Node::Ite(condition, yes, no) = *terms.node(index) else { return None };
    terms.as_constant(yes)?;
    terms.as_constant(no)?;
    let (yes, no) = (terms.read(table, yes), terms.read(table, no));
    Some(terms.ite(condition, yes, no))
}

/// `t[concat(i, k)] = u[i]` where `u` is every 2^n-th entry of `t` from `k` on: one byte of an array of words
fn read_with_stride(terms: &mut Terms, table: TableId, index: Term) -> Option<Term> {
    let (high, low) = above_constant(terms, index)?;
    let (start, stride) = (terms.as_constant(low)?, terms.width(low));
    let entries = terms.table_entries(table);
    let start = usize::try_from(start).ok().filter(|start| *start < entries.len());
    let Some(start) = start else { return Some(terms.constant(8, 0)) };
    let step = 1usize.checked_shl(stride.into()).unwrap_or(entries.len());
    let chosen = entries[start..].iter().step_by(step.min(entries.len())).copied().collect();
    let chosen = terms.table(chosen);
    Some(terms.read(chosen, high))
}

/// A table is cut to the entries that the index can reach
fn read_within_reach(terms: &mut Terms, table: TableId, index: Term) -> Option<Term> {
    let reachable = terms.upper_bound(index).saturating_add(1);
    let entries = terms.table_entries(table);
    if entries.len() as u128 <= reachable {
        return None;
    }
    let cut = entries[..reachable as usize].to_vec();
    let cut = terms.table(cut);
    Some(terms.read(cut, index))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{is, same, sample, two, word};
    use crate::{BinaryOp::*, TableId, Terms};

    fn squares(t: &mut Terms, len: u128) -> TableId {
        let entries = (0..len).map(|value| t.constant(8, value * value)).collect();
        t.table(entries)
    }

    #[test]
    fn a_constant_index_gives_the_entry() {
        let mut t = Terms::new();
        let (table, index, beyond) = (squares(&mut t, 10), t.constant(64, 7), t.constant(64, 10));
        let (read, outside) = (t.read(table, index), t.read(table, beyond));
        is(&t, read, 49);
        is(&t, outside, 0);
    }

    #[test]
    fn the_width_of_the_index_does_not_matter() {
        let mut t = Terms::new();
        let (table, index) = (squares(&mut t, 10), t.input(0));
        let wide = t.zext(index, 64);
        let (actual, expected) = (t.read(table, wide), t.read(table, index));
        same(&t, actual, expected);
    }

    #[test]
    fn equal_entries_need_no_index_inside_the_table() {
        let mut t = Terms::new();
        let (entry, index) = (t.input(1), t.input(0));
        let (whole, part) = (t.table(vec![entry; 256]), t.table(vec![entry; 255]));
        let inside = t.read(whole, index);
        same(&t, inside, entry);
        let perhaps_outside = t.read(part, index);
        assert_ne!(perhaps_outside, entry);
    }

    #[test]
    fn constant_arms_of_an_index_are_read_apart() {
        let mut t = Terms::new();
        let (table, x) = (squares(&mut t, 10), t.input(0));
        let (two, three, low) = (t.constant(8, 2), t.constant(8, 3), t.extract(x, 0, 1));
        let index = t.ite(low, two, three);
        let (actual, four, nine) = (t.read(table, index), t.constant(8, 4), t.constant(8, 9));
        let expected = t.ite(low, four, nine);
        same(&t, actual, expected);
    }

    #[test]
    fn one_byte_of_an_array_of_words_is_a_smaller_table() {
        let mut t = Terms::new();
        let (table, index) = (squares(&mut t, 14), word(&mut t, 0, 64));
        let (four, two) = (t.constant(64, 4), t.constant(64, 2));
        let scaled = t.binary(Mul, index, four);
        let address = t.binary(Add, scaled, two);
        let read = t.read(table, address);
        let entries = [2u128, 6, 10].map(|value| t.constant(8, value * value)).to_vec();
        let (every_fourth, index) = (t.table(entries), t.extract(index, 0, 62));
        let expected = t.read(every_fourth, index);
        same(&t, read, expected);
    }

    #[test]
    fn unreachable_entries_are_dropped() {
        let mut t = Terms::new();
        let (table, short, x) = (squares(&mut t, 14), squares(&mut t, 4), t.input(0));
        let index = t.extract(x, 3, 2);
        let (actual, expected) = (t.read(table, index), t.read(short, index));
        same(&t, actual, expected);
        assert_eq!(sample(&t, actual), (sample(&t, index) * sample(&t, index)) & 0xff);
    }

    #[test]
    fn a_table_of_zeros_is_0_beyond_its_end_too() {
        let (mut t, x, _) = two(16);
        let zero = t.constant(8, 0);
        let table = t.table(vec![zero; 16]);
        let read = t.read(table, x);
        is(&t, read, 0);
    }

    #[test]
    fn an_entry_that_occurs_once_names_its_place() {
        let (mut t, x, _) = two(16);
        let entries = [3, 1, 4, 1].map(|number| t.constant(8, number)).to_vec();
        let table = t.table(entries);
        let read = t.read(table, x);
        let (four, nine, place) = (t.constant(8, 4), t.constant(8, 9), t.constant(16, 2));
        let (found, expected) = (t.binary(Eq, read, four), t.binary(Eq, x, place));
        same(&t, found, expected);
        let nowhere = t.binary(Eq, read, nine);
        is(&t, nowhere, 0);
    }
}
