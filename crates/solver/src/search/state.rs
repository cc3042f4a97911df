//! An input on its way to a model: the bytes, the value of everything computed from them, and which clauses hold.
//!
//! Takes a program and writes to its words; gives the clauses that fail then. Only what depends on the bytes that
//! changed is computed again. Counts what that costs.

use super::invert::{self, Move};
use super::program::{Code, Data, Op, Part};
use super::run::{PADDING, Registers, run};
use tarka_terms::Assignment;
use tarka_terms::semantics::mask;

/// What an evaluation costs beside its instructions, in instructions.
const OVERHEAD: u64 = 100;
/// What a step of solving backwards costs, in instructions.
const STEP_BACK: u64 = 50;

/// Bits of a word of the input (a load of the program) and the values they get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Write {
    pub(super) load: u32,
    pub(super) value: u128,
    /// The bits that are written.
    pub(super) bits: u128,
}

/// An input with all that follows from it.
pub(super) struct State<'c> {
    pub(super) code: &'c Code,
    pub(super) data: &'c Data,
    bytes: Vec<u8>,
    registers: Registers,
    holds: Vec<bool>,
    failing: u32,
    /// Groups of bytes that changed since their part of the program ran, the last change last.
    stale: Vec<u32>,
    /// Instructions run so far, and what costs as much.
    pub(super) work: u64,
}

impl<'c> State<'c> {
    /// The state of the current input.
    pub(super) fn new(code: &'c Code, data: &'c Data, current: &dyn Assignment) -> State<'c> {
        let shape = &code.shape;
        let mut bytes: Vec<u8> = data.inputs.iter().map(|input| current.byte(*input)).collect();
        bytes.resize(bytes.len() + PADDING, 0);
        let mut registers = Registers {
            narrow: vec![0; shape.code.len()],
            wide: vec![0; if code.has_wide { shape.code.len() } else { 0 }],
        };
        for (register, inst) in shape.code.iter().enumerate() {
            if inst.op == Op::Const {
                registers.set(shape, register as u32, data.constants[inst.a as usize]);
            }
        }
        let clauses = shape.clauses.len();
        let mut state = State {
            code,
            data,
            bytes,
            registers,
            holds: vec![true; clauses],
            failing: 0,
            stale: Vec::new(),
            work: 0,
        };
        state.run_whole();
        state
    }

    /// Computes everything anew.
    pub(super) fn run_whole(&mut self) {
        let code = self.code;
        self.run(code.whole(), u32::MAX);
        self.stale.clear();
    }

    /// The moves that may make a clause hold.
    pub(super) fn moves(&mut self, clause: usize) -> Vec<Move> {
        let (register, _) = self.code.shape.clauses[clause];
        let (moves, steps) = invert::moves(self, register);
        self.work += STEP_BACK * u64::from(steps);
        moves
    }

    /// Runs a part; false if it was left because more than so many clauses fail.
    fn run(&mut self, part: &Part, most_failing: u32) -> bool {
        let State { code, data, bytes, registers, holds, failing, .. } = self;
        self.work += OVERHEAD;
        let mut done = 0;
        // Those that fail whatever this part comes to.
        for (clause, _) in &part.clauses {
            *failing -= u32::from(!std::mem::replace(&mut holds[*clause as usize], true));
        }
        for (clause, end) in &part.clauses {
            run(&code.shape, &part.code[done..*end as usize], &data.tables, bytes, registers);
            self.work += u64::from(*end) - done as u64;
            done = *end as usize;
            let (register, _) = code.shape.clauses[*clause as usize];
            if registers.narrow[register as usize] == 0 {
                holds[*clause as usize] = false;
                *failing += 1;
                if *failing > most_failing {
                    return false;
                }
            }
        }
        true
    }

    /// Brings everything up to date; false if that was left because one more clause fails than that. Otherwise
    /// [`State::failing`] says how many do.
    pub(super) fn update(&mut self, most_failing: u32) -> bool {
        let code = self.code;
        while let Some(group) = self.stale.first().copied() {
            let most_failing = if self.stale.len() == 1 { most_failing } else { u32::MAX };
            if !self.run(code.part(group), most_failing) {
                return false;
            }
            self.stale.remove(0);
        }
        true
    }

    /// How many clauses fail. Everything must be up to date.
    pub(super) fn failing(&self) -> u32 {
        self.failing
    }

    /// Whether a clause holds. Everything must be up to date.
    pub(super) fn holds(&self, clause: usize) -> bool {
        self.holds[clause]
    }

    /// The clauses that fail, in order.
    pub(super) fn failing_clauses(&self) -> impl Iterator<Item = usize> + '_ {
        self.holds.iter().enumerate().filter(|(_, holds)| !**holds).map(|(clause, _)| clause)
    }

    /// The value of a register. Everything must be up to date.
    pub(super) fn value(&self, register: u32) -> u128 {
        self.registers.get(&self.code.shape, register)
    }

    /// The value of a word in the input, up to date or not.
    pub(super) fn word(&self, load: u32) -> u128 {
        let bytes = self.code.bytes_of(load);
        self.bytes[bytes].iter().rev().fold(0, |word, byte| word << 8 | u128::from(*byte))
    }

    /// The writes that take these back.
    pub(super) fn undo_of(&self, writes: &[Write]) -> Vec<Write> {
        // Writes that overlap are taken back in reverse; the first write's old value counts.
        let undo = |write: &Write| Write { value: self.word(write.load), bits: u128::MAX, ..*write };
        writes.iter().rev().map(undo).collect()
    }

    /// Writes to the input; nothing is computed yet.
    pub(super) fn write(&mut self, writes: &[Write]) {
        for write in writes {
            let range = self.code.bytes_of(write.load);
            let group = self.code.group_of_byte[range.start];
            let bits = write.bits & mask(8 * range.len() as u16);
            for (position, byte) in self.bytes[range].iter_mut().enumerate() {
                let (value, bits) = ((write.value >> (8 * position)) as u8, (bits >> (8 * position)) as u8);
                *byte = *byte & !bits | value & bits;
            }
            self.touch(group);
        }
    }

    /// Gives every byte this value again.
    pub(super) fn restore(&mut self, bytes: &[u8]) {
        for (position, byte) in bytes.iter().enumerate() {
            self.write_byte(position, *byte);
        }
    }

    /// Writes one byte, by its number in the program.
    pub(super) fn write_byte(&mut self, position: usize, value: u8) {
        if std::mem::replace(&mut self.bytes[position], value) != value {
            self.touch(self.code.group_of_byte[position]);
        }
    }

    fn touch(&mut self, group: u32) {
        if self.stale.last() != Some(&group) {
            self.stale.retain(|stale| *stale != group);
            self.stale.push(group);
        }
    }

    /// Whether the writes would change anything.
    pub(super) fn changes(&self, writes: &[Write]) -> bool {
        writes.iter().any(|write| {
            let all = mask(8 * self.code.bytes_of(write.load).len() as u16);
            (self.word(write.load) ^ write.value) & write.bits & all != 0
        })
    }

    /// The bytes of the program.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.data.inputs.len()]
    }
}
