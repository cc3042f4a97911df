//! One run as the search reads it: the path log and the label table, in place in the shared memory.

use tarka_trace::{Event, Node, ShadowEntry, TableHeader};

/// What a run left in the shared memory.
#[derive(Clone, Copy)]
pub struct RunTrace<'a> {
    /// The path.
    pub events: &'a [Event],
    /// The label table.
    pub nodes: &'a [Node],
    /// Snapshots that `Read` nodes refer to.
    pub tables: &'a [TableHeader],
    /// Bytes and shadow entries of the snapshots.
    pub table_data: &'a [u8],
}

/// One snapshot of an object.
#[derive(Clone, Copy)]
pub struct Snapshot<'a> {
    /// Address of its first byte.
    pub base: u64,
    /// Its concrete bytes.
    pub bytes: &'a [u8],
    shadow: &'a [u8],
}

impl<'a> RunTrace<'a> {
    /// A snapshot by number; `None` if the target's record makes no sense.
    pub fn snapshot(&self, index: u32) -> Option<Snapshot<'a>> {
        let header = self.tables.get(index as usize)?;
        let (start, size) = (header.data as usize, header.size as usize);
        let bytes = self.table_data.get(start..start.checked_add(size)?)?;
        let shadow_start = (start + size).next_multiple_of(4);
        let shadow = self.table_data.get(shadow_start..shadow_start.checked_add(size * 4)?)?;
        Some(Snapshot { base: header.base, bytes, shadow })
    }
}

impl Snapshot<'_> {
    /// The shadow entry of a byte: 0 if it was concrete.
    pub fn shadow(&self, index: usize) -> ShadowEntry {
        let entry = &self.shadow[index * 4..index * 4 + 4];
        u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]])
    }
}
