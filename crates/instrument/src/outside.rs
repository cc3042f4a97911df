//! State that no input decides, as the IR shows it: volatile and atomic reads, memory that somebody else may have changed,
//! variables whose address others may know, and where the library models are called from.
//!
//! Takes the module with the library models, before anything is optimised; gives places. Whoever claims that something cannot
//! happen must look here first. Never: whether a place is reached.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use inkwell::llvm_sys::LLVMAtomicOrdering;
use inkwell::llvm_sys::core::*;
use tarka_source::{Place, SourceModel};

use crate::ir::{Block, LLVMOpcode, ModuleRef, Value};

/// A place where something is read that no input decides alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unowned {
    /// The function of the sources that reads.
    pub function: String,
    /// Where, if known.
    pub place: Option<Place>,
    /// What, in words that end a sentence: "`x` is volatile …".
    pub what: UnownedKind,
}

/// What is read.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum UnownedKind {
    /// A volatile object.
    Volatile,
    /// An atomic object.
    Atomic,
    /// `errno`, as somebody before left it.
    Errno,
    /// Memory that was in the hands of this function, or of a function behind a pointer, a moment before.
    ChangedBy(Option<String>),
}

/// What the IR shows.
#[derive(Clone, Debug, Default)]
pub struct OutsideFacts {
    /// The reads.
    pub unowned: Vec<Unowned>,
    /// Global variables whose address is used other than to read or write them there and then.
    pub address_taken: BTreeSet<String>,
    /// From where in the sources each function of the library models may be called, directly or by another of them.
    pub model_calls: BTreeMap<String, Vec<(String, Option<Place>)>>,
}

/// Reads the facts. `stubs` are the names of functions that stand for ones nobody knows; `before` are the functions that
/// the module had before the library models came.
pub(crate) fn facts(
    module: ModuleRef,
    model: &SourceModel,
    stubs: &BTreeSet<String>,
    before: &HashSet<Value>,
) -> OutsideFacts {
    let is_users = |value: &Value| model.function_named(&value.name()).is_some();
    let users: Vec<Value> =
        module.functions().into_iter().filter(|value| is_users(value) && !value.is_declaration()).collect();
    let bodies: Vec<Body> = users.iter().map(|&function| Body::of(function, stubs)).collect();
    let hands_over = spread(&bodies, |body| body.calls.iter().any(|call| call.is_outside()));
    let shared = SharedMemory::default();
    let looks = spread(&bodies, |body| body.blocks.values().flatten().any(|&at| shared.is_read(at)));
    let is_answer = |value: &&Value| !is_users(value) && !stubs.contains(&value.name());
    let answers: HashSet<Value> = before.iter().filter(is_answer).copied().collect();
    let mut unowned: Vec<Unowned> = Vec::new();
    for body in &bodies {
        body.note_direct(&mut unowned);
        body.note_errno(&answers, &mut unowned);
        body.note_changed((&hands_over, &looks, &shared), &mut unowned);
    }
    OutsideFacts {
        unowned,
        address_taken: address_taken(module, &users.iter().copied().collect()),
        model_calls: model_calls(module, &bodies, before),
    }
}

/// A call of a function of the sources.
struct Call {
    at: Value,
    /// The callee, if it is one function.
    callee: Option<Value>,
    /// It is nobody's here: a stub, or whatever a pointer leads to.
    outside: Option<Option<String>>,
}

impl Call {
    fn is_outside(&self) -> bool {
        self.outside.is_some()
    }
}

/// A function of the sources.
struct Body {
    function: Value,
    blocks: HashMap<Block, Vec<Value>>,
    calls: Vec<Call>,
}

impl Body {
    fn of(function: Value, stubs: &BTreeSet<String>) -> Body {
        let blocks: HashMap<Block, Vec<Value>> =
            function.reverse_post_order().into_iter().map(|block| (block, block.instructions())).collect();
        let is_call = |value: &&Value| value.opcode() == LLVMOpcode::LLVMCall;
        let calls = blocks.values().flatten().filter(is_call).filter_map(|&at| {
            let callee = at.callee();
            if callee.is_inline_asm() || callee.is_function() && callee.is_intrinsic() {
                return None;
            }
            let outside = match callee.is_function() {
                false => Some(None),
                true => stubs.contains(&callee.name()).then(|| Some(callee.name())),
            };
            Some(Call { at, callee: callee.is_function().then_some(callee), outside })
        });
        Body { function, calls: calls.collect(), blocks }
    }

    fn unowned(&self, at: Value, what: UnownedKind) -> Unowned {
        Unowned { function: self.function.name(), place: place(at), what }
    }

    /// Volatile and atomic reads.
    fn note_direct(&self, found: &mut Vec<Unowned>) {
        for &at in self.blocks.values().flatten() {
            let what = match at.opcode() {
                LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg => UnownedKind::Atomic,
                // SAFETY: asked of loads only.
                LLVMOpcode::LLVMLoad
                    if unsafe { LLVMGetOrdering(at.0) }
                        != LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic =>
                {
                    UnownedKind::Atomic
                }
                LLVMOpcode::LLVMLoad if unsafe { LLVMGetVolatile(at.0) } != 0 => UnownedKind::Volatile,
                _ => continue,
            };
            add(found, self.unowned(at, what));
        }
    }

    /// Reads of `errno` that a way without a write of it may lead to. `answers` are stubs of library functions, which set
    /// it as inputs say.
    fn note_errno(&self, answers: &HashSet<Value>, found: &mut Vec<Unowned>) {
        let is_written = |at: &Value| match at.opcode() {
            LLVMOpcode::LLVMStore => is_errno(at.operand(1)),
            LLVMOpcode::LLVMCall => answers.contains(&at.callee()),
            _ => false,
        };
        let order = self.function.reverse_post_order();
        // Blocks that some way reaches without a write.
        let mut open = vec![order[0]];
        let mut unset: HashSet<Block> = HashSet::new();
        while let Some(block) = open.pop() {
            if unset.insert(block) && !self.blocks[&block].iter().any(is_written) {
                open.extend(block.successors());
            }
        }
        for block in order.iter().filter(|block| unset.contains(block)) {
            let before = self.blocks[block].iter().take_while(|at| !is_written(at));
            let reads = |at: &&Value| at.opcode() == LLVMOpcode::LLVMLoad && is_errno(at.operand(0));
            before.filter(reads).for_each(|&at| add(found, self.unowned(at, UnownedKind::Errno)));
        }
    }

    /// Reads of shared memory, and calls of functions that make some, which may come after a call of something outside.
    fn note_changed(
        &self,
        (hands_over, looks, shared): (&HashSet<Value>, &HashSet<Value>, &SharedMemory),
        found: &mut Vec<Unowned>,
    ) {
        for call in &self.calls {
            let by = match (&call.outside, call.callee) {
                (Some(by), _) => by.clone(),
                (None, Some(callee)) if hands_over.contains(&callee) => Some(callee.name()),
                _ => continue,
            };
            for at in self.after(call.at) {
                let callee = if at.opcode() == LLVMOpcode::LLVMCall { Some(at.callee()) } else { None };
                if shared.is_read(at) || callee.is_some_and(|callee| looks.contains(&callee)) {
                    add(found, self.unowned(at, UnownedKind::ChangedBy(by.clone())));
                }
            }
        }
    }

    /// Every instruction that may be executed after this one in the same call of the function.
    fn after(&self, at: Value) -> Vec<Value> {
        let own = &self.blocks[&at.block()];
        let position = own.iter().position(|&other| other == at).map_or(0, |index| index + 1);
        let mut after = own[position..].to_vec();
        let (mut seen, mut open) = (HashSet::new(), at.block().successors());
        while let Some(block) = open.pop() {
            if seen.insert(block) {
                after.extend(self.blocks.get(&block).into_iter().flatten());
                open.extend(block.successors());
            }
        }
        after
    }
}

fn is_errno(pointer: Value) -> bool {
    let is_call = pointer.is_instruction() && pointer.opcode() == LLVMOpcode::LLVMCall;
    is_call && pointer.callee().is_function() && pointer.callee().name() == "__errno_location"
}

/// The functions for which something holds, or that call one for which it does.
fn spread(bodies: &[Body], holds: impl Fn(&Body) -> bool) -> HashSet<Value> {
    let mut all: HashSet<Value> =
        bodies.iter().filter(|body| holds(body)).map(|body| body.function).collect();
    loop {
        let calls_one = |body: &&Body| {
            let mut callees = body.calls.iter().filter_map(|call| call.callee);
            !all.contains(&body.function) && callees.any(|callee| all.contains(&callee))
        };
        let more: Vec<Value> = bodies.iter().filter(calls_one).map(|body| body.function).collect();
        if more.is_empty() {
            return all;
        }
        all.extend(more);
    }
}

/// Memory that others can reach: everything but constants and locals that stay in their function. Each object is looked at once,
/// however often it is read.
#[derive(Default)]
struct SharedMemory(RefCell<HashMap<Value, bool>>);

impl SharedMemory {
    /// True for instructions that read some of it.
    fn is_read(&self, at: Value) -> bool {
        let pointer = match at.opcode() {
            LLVMOpcode::LLVMLoad => at.operand(0),
            LLVMOpcode::LLVMCall => {
                let callee = at.callee();
                let name = if callee.is_function() { callee.name() } else { return false };
                // Blocks of memory, and models, which read what they are given.
                let reads = name.starts_with("llvm.memcpy")
                    || name.starts_with("llvm.memmove")
                    || name.starts_with("tkm_");
                let pointers = at.arguments().into_iter().filter(|argument| argument.ty().is_pointer());
                return reads && pointers.map(base_of).any(|base| self.is_shared(base));
            }
            _ => return false,
        };
        self.is_shared(base_of(pointer))
    }

    fn is_shared(&self, base: Value) -> bool {
        *self.0.borrow_mut().entry(base).or_insert_with(|| is_shared(base))
    }
}

/// What an address is counted from.
fn base_of(pointer: Value) -> Value {
    let mut pointer = pointer;
    // SAFETY: an operand count is asked of constant expressions only where they are `getelementptr`s.
    while let Some(inner) = unsafe {
        let is_element = !LLVMIsAGetElementPtrInst(pointer.0).is_null()
            || !LLVMIsAConstantExpr(pointer.0).is_null()
                && LLVMGetConstOpcode(pointer.0) == LLVMOpcode::LLVMGetElementPtr;
        is_element.then(|| pointer.operand(0))
    } {
        pointer = inner;
    }
    pointer
}

fn is_shared(base: Value) -> bool {
    // SAFETY: asked of live values of the module.
    unsafe {
        if !LLVMIsAAllocaInst(base.0).is_null() {
            return !stays_here(base);
        }
        let is_constant = !LLVMIsAGlobalVariable(base.0).is_null() && LLVMIsGlobalConstant(base.0) != 0;
        !is_constant
    }
}

/// True if the address of a variable is used for nothing but to read or write it there and then.
fn stays_here(variable: Value) -> bool {
    variable.users().into_iter().all(|user| {
        if !user.is_instruction() {
            // Of constant expressions only those that name a part of it.
            return base_of(user) == variable && user != variable && stays_here(user);
        }
        match user.opcode() {
            LLVMOpcode::LLVMLoad => true,
            LLVMOpcode::LLVMStore => user.operand(0) != variable,
            LLVMOpcode::LLVMGetElementPtr => user.operand(0) == variable && stays_here(user),
            LLVMOpcode::LLVMCall => {
                let callee = user.callee();
                let name = if callee.is_function() { callee.name() } else { String::new() };
                ["llvm.dbg.", "llvm.lifetime.", "llvm.memset.", "llvm.memcpy."]
                    .iter()
                    .any(|own| name.starts_with(own))
            }
            _ => false,
        }
    })
}

/// Global variables whose address the sources use other than to read or write them.
fn address_taken(module: ModuleRef, users: &HashSet<Value>) -> BTreeSet<String> {
    let of_sources = |user: &Value| {
        // SAFETY: the block of an instruction of the live module.
        !user.is_instruction() || users.contains(&Value(unsafe { LLVMGetBasicBlockParent(user.block().0) }))
    };
    let escapes = |global: &Value| {
        let own: Vec<Value> = global.users().into_iter().filter(of_sources).collect();
        own.into_iter().any(|user| match user.is_instruction() {
            false => {
                base_of(user) != *global
                    || user.users().iter().any(|of| of_sources(of) && !reads_or_writes(*of, user))
            }
            true => !reads_or_writes(user, *global),
        })
    };
    module.globals().into_iter().filter(escapes).map(|global| global.name()).collect()
}

fn reads_or_writes(user: Value, address: Value) -> bool {
    match user.is_instruction().then(|| user.opcode()) {
        Some(LLVMOpcode::LLVMLoad) => true,
        Some(LLVMOpcode::LLVMStore) => user.operand(0) != address,
        Some(LLVMOpcode::LLVMGetElementPtr) => user.users().into_iter().all(|of| reads_or_writes(of, user)),
        _ => false,
    }
}

/// For each library model, the places in the sources that may lead to it.
fn model_calls(
    module: ModuleRef,
    bodies: &[Body],
    before: &HashSet<Value>,
) -> BTreeMap<String, Vec<(String, Option<Place>)>> {
    let is_model = |value: &Value| value.is_function() && !value.is_declaration() && !before.contains(value);
    let mentioned = |instructions: Vec<Value>| -> Vec<(Value, Value)> {
        let pairs = instructions.into_iter().flat_map(|at| {
            (0..at.operand_count())
                .map(move |index| at.operand(index))
                .filter(|value| !value.0.is_null())
                .map(move |value| (at, value))
        });
        pairs.filter(|(_, value)| is_model(value)).collect()
    };
    let models = module.functions().into_iter().filter(|value| is_model(value) && !value.is_declaration());
    let inner: HashMap<Value, Vec<Value>> = models
        .map(|own| {
            let instructions = own.blocks().into_iter().flat_map(Block::instructions).collect();
            (own, mentioned(instructions).into_iter().map(|(_, callee)| callee).collect())
        })
        .collect();
    let mut calls: BTreeMap<String, Vec<(String, Option<Place>)>> =
        inner.keys().map(|model| (model.name(), Vec::new())).collect();
    for body in bodies {
        let instructions = body.blocks.values().flatten().copied().collect();
        for (at, first) in mentioned(instructions) {
            let (mut open, mut seen) = (vec![first], HashSet::from([first]));
            while let Some(callee) = open.pop() {
                let from = (body.function.name(), place(at));
                let known = calls.entry(callee.name()).or_default();
                if !known.contains(&from) {
                    known.push(from);
                }
                open.extend(
                    inner.get(&callee).into_iter().flatten().copied().filter(|next| seen.insert(*next)),
                );
            }
        }
    }
    calls.values_mut().for_each(|places| places.sort());
    calls
}

fn place(at: Value) -> Option<Place> {
    at.place().map(|debug| Place { file: debug.file, line: debug.line, column: 1 })
}

/// Adds a read unless one like it is known.
fn add(found: &mut Vec<Unowned>, read: Unowned) {
    if !found.contains(&read) {
        found.push(read);
    }
}
