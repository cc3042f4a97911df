//! The store of terms: each distinct term once, with its width and the input bytes it depends on.
//!
//! Takes nodes from the constructors in `build.rs`; gives numbers for them and answers questions about them.

use crate::MAX_WIDTH;
use crate::node::{Node, TableId, Term};
use crate::semantics::mask;
use crate::support::{Parts, Support, Supports};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug, Clone, Copy)]
struct Entry {
    node: Node,
    width: u16,
    support: Support,
}

#[derive(Debug)]
struct Table {
    entries: Box<[Term]>,
    support: Support,
}

/// All terms of one unit under test. Terms of different stores must not be mixed.
#[derive(Debug)]
pub struct Terms {
    identity: u64,
    entries: Vec<Entry>,
    by_content: HashTable<Term>,
    tables: Vec<Table>,
    tables_by_content: FxHashMap<Box<[Term]>, TableId>,
    /// What the entries of all tables take.
    table_bytes: usize,
    supports: Supports,
    /// How many rewrite rules are at work inside each other; `build.rs` keeps it bounded.
    pub(crate) rewrite_depth: u32,
    pub(crate) has_extended_floats: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

fn hash(node: &Node, width: u16) -> u64 {
    FxBuildHasher.hash_one((node, width))
}

impl Terms {
    /// An empty store.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Terms {
            identity: NEXT.fetch_add(1, Ordering::Relaxed),
            entries: Vec::new(),
            by_content: HashTable::new(),
            tables: Vec::new(),
            tables_by_content: FxHashMap::default(),
            table_bytes: 0,
            supports: Supports::new(),
            rewrite_depth: 0,
            has_extended_floats: false,
        }
    }

    /// A number no other store of this process has, so that a cache can tell whose terms it holds.
    pub fn identity(&self) -> u64 {
        self.identity
    }

    /// Whether any operation on floats of 80 bits was ever asked for: without one nobody need look for them.
    pub fn has_extended_floats(&self) -> bool {
        self.has_extended_floats
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Bytes of memory that the store takes, counted from lengths: the same terms take the same on every machine.
    pub fn bytes(&self) -> usize {
        // Each is there twice: as a table, and as the key by which it is found.
        let tables = self.table_bytes * 2;
        let term = size_of::<Entry>() + size_of::<Term>() + 1;
        self.entries.len() * term + tables + self.supports.bytes()
    }

    /// Whether no term was built yet.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The outermost operation of a term.
    pub fn node(&self, term: Term) -> &Node {
        &self.entries[term.index()].node
    }

    /// The width of a term in bits.
    pub fn width(&self, term: Term) -> u16 {
        self.entries[term.index()].width
    }

    /// The value of a term that is a constant.
    pub fn as_constant(&self, term: Term) -> Option<u128> {
        match *self.node(term) {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The input bytes a term depends on, sorted. A large set is listed at the first question and kept: to ask for the
    /// sets of thousands of terms that each add an input, walk [`Terms::support`] instead.
    pub fn inputs(&self, term: Term) -> &[u32] {
        self.members(self.support(term))
    }

    /// The input bytes of a shared set, sorted; listed and kept as those of a term are.
    pub fn members(&self, set: Support) -> &[u32] {
        self.supports.members(set)
    }

    /// The input bytes a term depends on, as a shared set.
    pub fn support(&self, term: Term) -> Support {
        self.entries[term.index()].support
    }

    /// How a shared set is kept.
    pub fn support_parts(&self, set: Support) -> Parts<'_> {
        self.supports.parts(set)
    }

    /// How many shared sets there are: the size of a table indexed by [`Support::index`].
    pub fn support_count(&self) -> usize {
        self.supports.len()
    }

    /// The entries of a table.
    pub fn table_entries(&self, table: TableId) -> &[Term] {
        &self.tables[table.index()].entries
    }

    /// A constant; bits above the width are dropped.
    pub fn constant(&mut self, width: u16, value: u128) -> Term {
        assert!((1..=MAX_WIDTH).contains(&width), "a term has 1 to {MAX_WIDTH} bits, not {width}");
        self.intern(Node::Const(value & mask(width)), width)
    }

    /// The input byte of this number.
    pub fn input(&mut self, byte: u32) -> Term {
        self.intern(Node::Input(byte), 8)
    }

    /// A table of these byte terms; the same entries give the same table.
    pub fn table(&mut self, entries: Vec<Term>) -> TableId {
        assert!(entries.iter().all(|entry| self.width(*entry) == 8), "a table holds bytes");
        let entries = entries.into_boxed_slice();
        if let Some(known) = self.tables_by_content.get(&entries) {
            return *known;
        }
        let mut support = Support::EMPTY;
        for entry in &entries {
            let more = self.entries[entry.index()].support;
            support = self.supports.union(support, more);
        }
        let table = TableId(self.tables.len() as u32);
        self.table_bytes += size_of_val(&*entries);
        self.tables.push(Table { entries: entries.clone(), support });
        self.tables_by_content.insert(entries, table);
        table
    }

    /// The number of a node, new or known. Does not rewrite.
    pub(crate) fn intern(&mut self, node: Node, width: u16) -> Term {
        let hashed = hash(&node, width);
        let entries = &self.entries;
        let same = |term: &Term| {
            let entry = &entries[term.index()];
            entry.width == width && entry.node == node
        };
        if let Some(known) = self.by_content.find(hashed, same) {
            return *known;
        }
        let support = self.support_of(&node);
        let term = Term(u32::try_from(self.entries.len()).expect("fewer than 2^32 terms fit in memory"));
        self.entries.push(Entry { node, width, support });
        let entries = &self.entries;
        self.by_content.insert_unique(hashed, term, |other| {
            let entry = &entries[other.index()];
            hash(&entry.node, entry.width)
        });
        term
    }

    fn support_of(&mut self, node: &Node) -> Support {
        let mut support = match *node {
            Node::Input(byte) => self.supports.single(byte),
            Node::Read(table, _) => self.tables[table.index()].support,
            _ => Support::EMPTY,
        };
        node.for_each_operand(|operand| {
            let more = self.entries[operand.index()].support;
            support = self.supports.union(support, more);
        });
        support
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BinaryOp;

    #[test]
    fn equal_terms_are_the_same_number() {
        let mut terms = Terms::new();
        let (a, b) = (terms.input(0), terms.input(1));
        assert_eq!(terms.binary(BinaryOp::Mul, a, b), terms.binary(BinaryOp::Mul, b, a));
        assert_ne!(terms.constant(8, 1), terms.constant(16, 1));
        assert_eq!(terms.table(vec![a, b]), terms.table(vec![a, b]));
    }

    #[test]
    fn a_read_depends_on_its_index_and_on_every_entry() {
        let mut terms = Terms::new();
        let entries = (0..4).map(|byte| terms.input(byte)).collect();
        let table = terms.table(entries);
        let index = terms.input(9);
        let read = terms.read(table, index);
        assert_eq!(terms.inputs(read), [0, 1, 2, 3, 9]);
    }
}
