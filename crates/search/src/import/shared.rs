//! What the labels of the run before became, kept for the next one.
//!
//! Takes the label table of a run that was translated; gives its terms to a run whose table begins with the same records.
//! Tables only grow, equal operations share a record, and a run is deterministic: runs that go the same way for a while
//! have the same records at the same places, and what is made from equal records of equal operands is the same term.
//! Comparing records in place is several times cheaper than looking their terms up again.

use tarka_terms::{TableId, Terms};
use tarka_trace::{Node, Op, ShadowEntry};

use super::Slot;
use crate::{RunTrace, Snapshot};

/// The label table of a run and the terms made from it so far.
#[derive(Clone, Debug, Default)]
pub struct Imports {
    /// Whose terms they are.
    store: Option<u64>,
    nodes: Vec<Node>,
    pub(super) done: Vec<Slot>,
    tables: Vec<KeptTable>,
    /// Places of the `Read` records, in order.
    reads: Vec<u32>,
}

/// A snapshot as it was, and its table if one was made.
#[derive(Clone, Debug)]
struct KeptTable {
    base: u64,
    bytes: Box<[u8]>,
    shadow: Box<[ShadowEntry]>,
    made: Option<TableId>,
}

impl KeptTable {
    fn of(snapshot: &Snapshot) -> KeptTable {
        KeptTable {
            base: snapshot.base,
            bytes: snapshot.bytes.into(),
            shadow: snapshot.shadow.into(),
            made: None,
        }
    }

    fn is(&self, snapshot: &Snapshot) -> bool {
        self.base == snapshot.base && *self.bytes == *snapshot.bytes && *self.shadow == *snapshot.shadow
    }
}

impl Imports {
    /// Bytes of memory that they take.
    pub(crate) fn bytes(&self) -> usize {
        let tables = self.tables.iter().map(|table| table.bytes.len() * (1 + size_of::<ShadowEntry>()));
        self.nodes.len() * (size_of::<Node>() + size_of::<Slot>())
            + self.reads.len() * size_of::<u32>()
            + tables.sum::<usize>()
    }

    /// Keeps what a run has in common with the one before, and takes over the records of the rest.
    pub(super) fn continue_with(&mut self, terms: &Terms, trace: &RunTrace) {
        if self.store != Some(terms.identity()) {
            *self = Imports { store: Some(terms.identity()), ..Imports::default() };
        }
        let same_tables =
            self.tables.iter().zip(trace.tables).take_while(|(kept, snapshot)| kept.is(snapshot)).count();
        let reads_other = |place: &&u32| self.nodes[**place as usize].b as usize >= same_tables;
        let first_other = self.reads.iter().find(reads_other).map_or(usize::MAX, |place| *place as usize);
        let same_nodes = self
            .nodes
            .iter()
            .zip(trace.nodes)
            .take_while(|(kept, node)| kept == node)
            .count()
            .min(first_other);
        self.forget_after(same_nodes, same_tables);
        let new = &trace.nodes[same_nodes..];
        let is_read = |(_, node): &(u32, &Node)| node.op == Op::Read as u8;
        self.reads.extend((same_nodes as u32..).zip(new).filter(is_read).map(|(place, _)| place));
        self.nodes.extend_from_slice(new);
        self.done.resize(self.nodes.len(), Slot::New);
        self.tables.extend(trace.tables[same_tables..].iter().map(KeptTable::of));
    }

    /// A table that no record left reads may have been made from records that are gone.
    fn forget_after(&mut self, nodes: usize, tables: usize) {
        self.nodes.truncate(nodes);
        self.done.truncate(nodes);
        self.tables.truncate(tables);
        self.reads.truncate(self.reads.partition_point(|place| (*place as usize) < nodes));
        let mut is_read = vec![false; tables];
        for place in &self.reads {
            is_read[self.nodes[*place as usize].b as usize] = true;
        }
        for (table, is_read) in self.tables.iter_mut().zip(is_read) {
            table.made = table.made.filter(|_| is_read);
        }
    }

    /// The table of a snapshot, if it was made; the outer `None` if there is no such snapshot.
    pub(super) fn table(&self, index: u32) -> Option<Option<TableId>> {
        self.tables.get(index as usize).map(|table| table.made)
    }

    pub(super) fn set_table(&mut self, index: u32, table: TableId) {
        self.tables[index as usize].made = Some(table);
    }
}
