//! Constants, and reads of snapshots at a symbolic address.

use tarka_terms::{BinaryOp, TableId, Term, Terms};
use tarka_trace::Node;

use super::Importer;

pub(super) fn constant(terms: &mut Terms, node: &Node) -> Term {
    let value = (node.c as u128) << 32 | node.b as u128;
    let mask = if node.width >= 64 { u64::MAX as u128 } else { (1 << node.width) - 1 };
    terms.constant(node.width, value & mask)
}

/// The label and the byte of it that a shadow entry names.
fn split(entry: u32) -> (u32, u16) {
    (entry >> 4, (entry & 15) as u16)
}

impl Importer<'_> {
    /// The labels that the bytes of a snapshot refer to are operands of every read of it.
    pub(super) fn queue_table(&mut self, own: u32, table: u32) {
        if self.imports.table(table).is_none_or(|made| made.is_some()) {
            return;
        }
        for &entry in self.trace.tables[table as usize].shadow {
            self.queue(own, split(entry).0);
        }
    }

    /// `width / 8` bytes at address `a` of snapshot `b`, lowest first.
    pub(super) fn read(&mut self, terms: &mut Terms, node: &Node) -> Option<Term> {
        let address = self.known(terms, node.a)?;
        if terms.width(address) != 64 || !node.width.is_multiple_of(8) {
            return None;
        }
        let table = self.table(terms, node.b)?;
        let base = terms.constant(64, self.trace.tables[node.b as usize].base as u128);
        let offset = terms.binary(BinaryOp::Sub, address, base);
        let mut value = terms.read(table, offset);
        for byte in 1..node.width / 8 {
            let distance = terms.constant(64, byte as u128);
            let place = terms.binary(BinaryOp::Add, offset, distance);
            let high = terms.read(table, place);
            value = terms.concat(high, value);
        }
        Some(value)
    }

    fn table(&mut self, terms: &mut Terms, index: u32) -> Option<TableId> {
        if let Some(known) = self.imports.table(index)? {
            return Some(known);
        }
        let snapshot = &self.trace.tables[index as usize];
        let mut entries = Vec::with_capacity(snapshot.bytes.len());
        for (&byte, &entry) in snapshot.bytes.iter().zip(snapshot.shadow) {
            let (label, part) = split(entry);
            entries.push(match label {
                0 => terms.constant(8, byte as u128),
                label => {
                    let whole = self.known(terms, label)?;
                    match terms.width(whole) {
                        width if width >= part * 8 + 8 => terms.extract(whole, part * 8, 8),
                        width if width < 8 && part == 0 => terms.zext(whole, 8),
                        _ => return None,
                    }
                }
            });
        }
        let table = terms.table(entries);
        self.imports.set_table(index, table);
        Some(table)
    }
}
