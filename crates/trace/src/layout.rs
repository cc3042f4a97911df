//! Where things are: fixed addresses in the target, and the sections of the shared memory file.
//!
//! The shared file is sparse: only the pages a run touches exist.

/// Version of everything in this crate; the target writes it at start and the engine refuses any other.
pub const VERSION: u32 = 13;

/// The shared memory file is inherited by the target on this descriptor.
pub const SHARED_FD: i32 = 198;
/// The target reads one byte per command from this descriptor ('r' = run, 'q' = quit, 'b' = bare fork for the bench).
pub const COMMAND_FD: i32 = 199;
/// The target writes one byte per finished command to this descriptor (and one 'h' when it is ready).
pub const STATUS_FD: i32 = 200;

/// Address of the input arena in the target. Input objects live at fixed offsets of it.
pub const ARENA_BASE: u64 = 0x10_0000_0000;
/// Size of the input arena in bytes.
pub const ARENA_SIZE: u64 = 1 << 24;
/// Address of the shadow memory: the entry of byte `a` is at `SHADOW_BASE + (a & SHADOW_MASK) * 4`.
pub const SHADOW_BASE: u64 = 0x1000_0000_0000;
/// The address bits that select a shadow entry.
pub const SHADOW_MASK: u64 = (1 << 42) - 1;

/// Most objects an input may have.
pub const MAX_OBJECTS: u64 = 4096;
/// Most sites (source, internal and check sites together) a target may have.
pub const MAX_SITES: u64 = 1 << 20;
/// Size of the coverage map: one byte for each outcome of each source site, then one for each statement.
pub const MAX_COVERAGE: u64 = 1 << 20;
/// Most events one run may log; later ones only count in the coverage map.
pub const MAX_EVENTS: u64 = 1 << 20;
/// A concrete outcome is logged this often in a run, then only its byte in the coverage map tells of it: a loop on
/// concrete data must not fill the log.
pub const CONCRETE_EVENTS: u64 = 16;
/// Bit of a statement's byte in the coverage map: it was executed after the time limit was reached.
pub const COVERAGE_LATE: u64 = 0x80;
/// How many times the limit of processor time has to pass by the clock before a run that used next to none is said to wait.
pub const CLOCK_SHARE: u32 = 4;
/// The same for one that does not even answer.
pub const PATIENCE: u32 = 20;
/// Most evaluations of decisions one run may log; later ones are dropped, and the header says so.
pub const MAX_EVALUATIONS: u64 = 1 << 14;
/// Most nodes one run may make; later ones are concretised and counted.
pub const MAX_NODES: u64 = 1 << 22;
/// Most snapshot tables one run may make.
pub const MAX_TABLES: u64 = 1 << 14;
/// Bytes of snapshot data (5 for each byte of a table: its value and its shadow entry).
pub const TABLE_DATA_SIZE: u64 = 1 << 26;
/// Most fault records of one run; later ones are dropped.
pub const MAX_FAULTS: u64 = 64;
/// Bytes kept of the unit's return value.
pub const MAX_RESULT: u64 = 4096;

const PAGE: u64 = 4096;
const fn after(offset: u64, size: u64) -> u64 {
    (offset + size).div_ceil(PAGE) * PAGE
}

/// The [`crate::Header`].
pub const HEADER_OFF: u64 = 0;
/// `[Object; MAX_OBJECTS]`: what the input consists of, written by the engine.
pub const OBJECTS_OFF: u64 = after(HEADER_OFF, 4096);
/// `[u8; MAX_RESULT]`: the bytes of the unit's return value.
pub const RESULT_OFF: u64 = after(OBJECTS_OFF, MAX_OBJECTS * 32);
/// `[FaultRecord; MAX_FAULTS]`: faults after which the run went on.
pub const FAULTS_OFF: u64 = after(RESULT_OFF, MAX_RESULT);
/// `[u8; MAX_COVERAGE]`: how often an outcome was seen, up to `CONCRETE_EVENTS`, and 1 for executed statements; written by
/// the target, cleared by the engine.
pub const COVERAGE_OFF: u64 = after(FAULTS_OFF, MAX_FAULTS * 152);
/// `[u32; MAX_SITES]`: how often a value was concretised at a site; cleared by the engine.
pub const CONCRETISED_OFF: u64 = after(COVERAGE_OFF, MAX_COVERAGE);
/// `[Evaluation; MAX_EVALUATIONS]`: how decisions were evaluated.
pub const EVALUATIONS_OFF: u64 = after(CONCRETISED_OFF, MAX_SITES * 4);
/// `[TraceEvent; MAX_EVENTS]`: the path.
pub const EVENTS_OFF: u64 = after(EVALUATIONS_OFF, MAX_EVALUATIONS * 16);
/// `[Node; MAX_NODES]`: the hash-consed node table.
pub const NODES_OFF: u64 = after(EVENTS_OFF, MAX_EVENTS * 16);
/// `[u64; MAX_NODES]`: self-check only, the concrete value seen for each node (low 64 bits).
pub const VALUES_OFF: u64 = after(NODES_OFF, MAX_NODES * 16);
/// `[u8; MAX_NODES]`: self-check only, 1 where the value above was recorded.
pub const VALUES_KNOWN_OFF: u64 = after(VALUES_OFF, MAX_NODES * 8);
/// `[TableHeader; MAX_TABLES]`: snapshots of objects that were read at a symbolic address.
pub const TABLES_OFF: u64 = after(VALUES_KNOWN_OFF, MAX_NODES);
/// `[u8; TABLE_DATA_SIZE]`: bytes and shadow entries of those snapshots.
pub const TABLE_DATA_OFF: u64 = after(TABLES_OFF, MAX_TABLES * 24);
/// `[u8; ARENA_SIZE]`: the input arena itself; before the run the input, after it what the unit left there.
pub const ARENA_OFF: u64 = after(TABLE_DATA_OFF, TABLE_DATA_SIZE);
/// `[u8; ARENA_SIZE]`: one byte of [`crate::flag`] bits for each arena byte.
pub const ARENA_FLAGS_OFF: u64 = after(ARENA_OFF, ARENA_SIZE);
/// Size of the shared memory file.
pub const SHARED_SIZE: u64 = after(ARENA_FLAGS_OFF, ARENA_SIZE);
