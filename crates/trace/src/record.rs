//! The records in shared memory, with their exact layout.

/// A node of the label table: an operation on earlier labels. 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(C)]
pub struct Node {
    /// [`crate::Op`] as a number.
    pub op: u8,
    /// Always 0.
    pub pad: u8,
    /// Width of the result in bits.
    pub width: u16,
    /// First operand.
    pub a: u32,
    /// Second operand.
    pub b: u32,
    /// Third operand.
    pub c: u32,
}

/// What an event of the path log is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u16)]
pub enum EventKind {
    /// A source condition was evaluated: outcome 0 or 1. Concrete ones (label 0) are logged the first
    /// `CONCRETE_EVENTS` times. Label: one bit wide.
    Condition = 1,
    /// A source switch jumped: outcome = arm index (last arm = default); logged as conditions are. Label: the
    /// operand.
    Switch = 2,
    /// A symbolic conditional branch without a source condition (library model, header code): outcome 0 or 1.
    Internal = 3,
    /// A symbolic IR switch without a source switch, or a call through a symbolic pointer (the operand is the callee's
    /// address): `aux` and `outcome` give the operand's value
    /// (`outcome` = bits 32..48, `aux` = bits 0..32): the constraint is "operand == value".
    InternalSwitch = 4,
    /// A symbolic check that passed (outcome 1) or failed (outcome 0). Label: one bit, true when the check passes. `aux` says
    /// what it is about: [`CHECK_OF_GUESS`], [`CHECK_OF_NULL`] or 0.
    Check = 5,
    /// A symbolic check whose failing is undefined, but the program goes on: passed (outcome 1) or failed (outcome 0).
    /// It decides nothing, so it is no part of the path. Label: one bit, true when the check passes.
    Undefined = 6,
}

/// A check against a size that the engine guessed for an input object, not one that the program fixed.
pub const CHECK_OF_GUESS: u32 = 1;
/// A check that a pointer is not null.
pub const CHECK_OF_NULL: u32 = 2;

impl EventKind {
    /// The kind with this number.
    pub fn from_u16(number: u16) -> Option<EventKind> {
        use EventKind::*;
        [Condition, Switch, Internal, InternalSwitch, Check, Undefined]
            .into_iter()
            .find(|kind| *kind as u16 == number)
    }
}

/// One step of the path. 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct TraceEvent {
    /// The site's number (see the instrumenter's site table).
    pub site: u32,
    /// [`EventKind`] as a number.
    pub kind: u16,
    /// Which way it went.
    pub outcome: u16,
    /// What decided it; 0 if concrete.
    pub label: u32,
    /// See [`EventKind`].
    pub aux: u32,
}

/// One way in which a decision with at least two conditions was evaluated, each once per run. 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(C)]
pub struct Evaluation {
    /// The decision's number.
    pub decision: u32,
    /// Position of the first condition this record speaks of, divided by 32: a decision with more than 32 conditions has
    /// several records in a row.
    pub chunk: u16,
    /// Result of the decision, 0 or 1.
    pub result: u16,
    /// Values of up to 32 conditions, bit by bit; 0 for those that were not evaluated.
    pub values: u32,
    /// Which of them were evaluated.
    pub evaluated: u32,
}

/// One object of the input, written by the engine. 32 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Object {
    /// Arena offset of its first byte.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// 1 if the object is bound to a variable of the driver (a root) rather than living in the arena.
    pub root: u32,
    /// 1 if the size is part of the input: leaving the object is a fault of the unit, not a bound of ours (unless its
    /// length asks for more than `capacity`).
    pub exact: u32,
    /// Arena offset plus 1 of the input value that counts its elements; 0 if nothing does.
    pub length_offset: u32,
    /// Width of that value in bits.
    pub length_bits: u16,
    /// 1 if that value is signed.
    pub length_signed: u16,
    /// Bytes of an element.
    pub element: u32,
    /// Bytes that it may grow to: beyond this, a longer object is not tried.
    pub capacity: u32,
}

/// Bits of the arena's flag bytes.
pub mod flag {
    /// The byte belongs to an object (set by the engine).
    pub const VALID: u8 = 1;
    /// The byte is symbolic (set by the engine).
    pub const SYMBOLIC: u8 = 2;
    /// The unit read it (set by the target; for pointees only).
    pub const READ: u8 = 4;
    /// The unit wrote it (set by the target; for pointees only).
    pub const WRITTEN: u8 = 8;
    /// The unit passed the object to `free` (set by the target on every byte of it).
    pub const FREED: u8 = 16;
}

/// A snapshot of an object that was read at a symbolic address. 24 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct TableHeader {
    /// Address of the object's first byte.
    pub base: u64,
    /// Size of the object.
    pub size: u32,
    /// Always 0.
    pub pad: u32,
    /// Offset in the table data: `size` bytes, then (at the next multiple of 4) `size` shadow entries.
    pub data: u64,
}

/// A fault after which the run went on, or that was seen when the unit was done; each site once per run. 152 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct FaultRecord {
    /// [`crate::FaultKind`] as a number.
    pub kind: u32,
    /// Its site plus 1, or 0.
    pub site: u32,
    /// Number of events logged before it.
    pub events: u32,
    /// Number of entries in `backtrace`.
    pub backtrace_len: u32,
    /// The address it is about, or 0; of a leak, the number of bytes.
    pub address: u64,
    /// Code addresses, innermost first, as in [`Header::backtrace`].
    pub backtrace: [u64; 16],
}

/// A copied text of the input that still fitted: so long, it would not have. 8 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(C)]
pub struct LongText {
    /// Arena offset of its first character.
    pub at: u32,
    /// The least number of characters that do not fit.
    pub length: u32,
}

/// A text copied from input bytes that was compared with a word of the program and was not that word. 32 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(C)]
pub struct ComparedWord {
    /// Arena offset of the byte that its first character was copied from.
    pub at: u32,
    /// Its characters that were copied from bytes in a row.
    pub taken: u16,
    /// Characters of the word.
    pub length: u16,
    /// The word, without an end.
    pub word: [u8; 24],
}

/// A system call that was refused. 128 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Attempt {
    /// Its number.
    pub call: u32,
    /// The error it was answered with.
    pub error: u32,
    /// Its first arguments.
    pub arguments: [u64; 3],
    /// The path it names, as far as there is room, with a zero behind it; empty if it names none.
    pub text: [u8; 96],
}

/// The first page of the shared memory.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Header {
    /// [`crate::VERSION`], written by the target at start.
    pub version: u32,
    /// Which unit the driver shall run (engine).
    pub unit: u32,
    /// Limit of a run in processor time (engine).
    pub time_limit_ms: u32,
    /// 1: record the concrete value of every labelled result (engine).
    pub self_check: u32,
    /// How much memory the unit may allocate beyond what the process had (engine).
    pub memory_limit: u64,
    /// Number of entries in the object table (engine).
    pub object_count: u32,
    /// [`crate::EndKind`] as a number, 0 while running (target).
    pub end: u32,
    /// Signal number, exit code or [`crate::FaultKind`], by `end` (target).
    pub end_code: i32,
    /// Faulting address (target).
    pub fault_address: u64,
    /// Check site that failed plus 1, or 0 (target).
    pub fault_site: u32,
    /// Number of entries in `backtrace` (target).
    pub backtrace_len: u32,
    /// Code addresses, innermost first: the faulting instruction, then return addresses (target).
    pub backtrace: [u64; 32],
    /// Number of events logged (target).
    pub event_count: u32,
    /// 1 if events were dropped because the log was full (target).
    pub events_dropped: u32,
    /// Number of nodes made (target).
    pub node_count: u32,
    /// 1 if values were concretised because the node table was full (target).
    pub nodes_dropped: u32,
    /// Number of snapshot tables (target).
    pub table_count: u32,
    /// Size of the recorded return value (target).
    pub result_size: u32,
    /// Bytes of table data in use (target).
    pub table_data_used: u64,
    /// Nanoseconds of processor time that the run and its start took (target's server).
    pub used_ns: u64,
    /// Self-check: label that had two different concrete values in one run, or 0 (target).
    pub self_check_clash: u32,
    /// 1 if the run left something in the scratch folder (target's server).
    pub scratch_used: u32,
    /// `waitpid` status of the child (target's server).
    pub wait_status: i32,
    /// Number of events logged before a stub was called more often than there are input values for (target).
    pub stub_exhausted_events: u32,
    /// 1 if the signal was a SIGSEGV because the stack was full (target).
    pub stack_overflow: u32,
    /// How often the driver calls the unit, 0 counts as 1 (engine).
    pub calls: u32,
    /// Stub plus 1 that was called more often than there are input values for, or 0 (target).
    pub stub_exhausted: u32,
    /// Stub plus 1 that had more to write than there are input values for, or 0 (target).
    pub stub_cut: u32,
    /// Number of events logged before that (target).
    pub stub_cut_events: u32,
    /// Number of evaluations of decisions (target).
    pub evaluation_count: u32,
    /// 1 if evaluations were dropped because there were too many different ones (target).
    pub evaluations_dropped: u32,
    /// Number of fault records (target).
    pub fault_count: u32,
    /// Number of entries in `allocated_at` (target).
    pub allocated_len: u32,
    /// Number of entries in `freed_at` (target).
    pub freed_len: u32,
    /// Where the heap block was allocated that the fault is about: code addresses as in `backtrace` (target).
    pub allocated_at: [u64; 8],
    /// Where the heap block or input object was freed that the fault is about (target).
    pub freed_at: [u64; 8],
    /// Number of entries in `long_texts` (target).
    pub long_text_count: u32,
    /// Texts of the input that were copied to where longer ones would not fit (target).
    pub long_texts: [LongText; 32],
    /// Number of entries in `compared_words` (target).
    pub met_word_count: u32,
    /// Words that copied texts of the input were compared with in vain (target).
    pub compared_words: [ComparedWord; 32],
    /// The sixth argument of a system call that the target has looked at and makes itself; 0 if nothing is refused (engine).
    pub again: u64,
    /// The sixth argument of the call that forks a run; 0 where any process may fork (engine; the target's server takes it).
    pub fork: u64,
    /// 1 if the kernel knows which paths the target may change (engine).
    pub guards_files: u32,
    /// 1 if it knows which of them it may cut (engine).
    pub guards_truncation: u32,
    /// 1 if a process may make one run after another, where that changes no run (engine).
    pub keeps: u32,
    /// 1 if the process of this run had made another before (target's server).
    pub kept: u32,
    /// Number of entries in `attempts` (target).
    pub attempt_count: u32,
    /// System calls that were refused, each once (target).
    pub attempts: [Attempt; 8],
}

const _: () = assert!(core::mem::size_of::<Node>() == 16);
const _: () = assert!(core::mem::size_of::<TraceEvent>() == 16);
const _: () = assert!(core::mem::size_of::<Evaluation>() == 16);
const _: () = assert!(core::mem::size_of::<Object>() == 32);
const _: () = assert!(core::mem::size_of::<TableHeader>() == 24);
const _: () = assert!(core::mem::size_of::<FaultRecord>() == 152);
const _: () = assert!(core::mem::size_of::<LongText>() == 8);
const _: () = assert!(core::mem::size_of::<ComparedWord>() == 32);
const _: () = assert!(core::mem::size_of::<Attempt>() == 128);
const _: () = assert!(core::mem::size_of::<Header>() <= 4096);
