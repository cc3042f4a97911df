//! The pass: adds label propagation and hooks to a module.
//!
//! Takes a linked module (unit, driver, library models), gives the same module in which every value that may be
//! symbolic has an `i32` label beside it and every instruction family calls the hooks of [`tarka_trace::HOOKS`]. One
//! file per family; each shows its IR before and after.
//!
//! Atomic operations were made plain loads and stores before: a run has one thread.
//!
//! Never splits a block or changes what the program computes: it only inserts calls, whose inline fast paths are
//! linked and inlined later.

mod aggregate;
mod branch;
mod call;
mod cast;
mod check;
mod compare;
mod copies;
mod decision;
mod emit;
mod entry;
mod float;
mod float_class;
mod globals;
mod integer;
mod intrinsic;
mod labelled;
mod memory;
mod prepare;
mod select_phi;
mod self_check;
mod shape;
mod used;
mod varargs;
mod vector;

pub(crate) use globals::REGISTER_GLOBALS;
pub(crate) use prepare::{PURE_PROBES, forget_promises};

use std::collections::{BTreeSet, HashMap, HashSet};

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;

use crate::ir::{Block, LLVMOpcode, LLVMTypeKind, Layout, ModuleRef, Type, Value};
use crate::sites::{SiteInfoKind, SiteTable};

/// The types the pass needs at hand.
pub(crate) struct Types {
    void: Type,
    i1: Type,
    i8: Type,
    i16: Type,
    i32: Type,
    i64: Type,
    i128: Type,
    ptr: Type,
}

/// The pass over one module.
pub(crate) struct Pass<'m> {
    module: ModuleRef,
    context: LLVMContextRef,
    builder: LLVMBuilderRef,
    layout: Layout,
    types: Types,
    hooks: HashMap<&'static str, (Value, Type)>,
    sites: &'m mut SiteTable,
    /// Functions of the user, by name: instrumented whatever they are called.
    user_functions: &'m BTreeSet<String>,
    instrumented: HashSet<Value>,
    self_check: bool,
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        // SAFETY: made in `run` and owned by this pass alone.
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

/// Instruments every function of the module.
pub(crate) fn run(
    module: ModuleRef,
    user_functions: &BTreeSet<String>,
    sites: &mut SiteTable,
    self_check: bool,
) {
    // SAFETY: the module is live, and the builder is disposed of by `Drop`.
    let mut pass = unsafe {
        let context = LLVMGetModuleContext(module.0);
        let int = |bits| Type(LLVMIntTypeInContext(context, bits));
        Pass {
            module,
            context,
            builder: LLVMCreateBuilderInContext(context),
            layout: module.layout(),
            types: Types {
                void: Type(LLVMVoidTypeInContext(context)),
                i1: int(1),
                i8: int(8),
                i16: int(16),
                i32: int(32),
                i64: int(64),
                i128: int(128),
                ptr: Type(LLVMPointerTypeInContext(context, 0)),
            },
            hooks: HashMap::new(),
            sites,
            user_functions,
            instrumented: HashSet::new(),
            self_check,
        }
    };
    let functions: Vec<Value> =
        module.functions().into_iter().filter(|function| pass.is_ours_to_instrument(*function)).collect();
    pass.instrumented = functions.iter().copied().collect();
    pass.declare_hooks();
    for function in functions {
        pass.prepare(function);
        pass.instrument(function);
    }
    pass.register_globals();
}

/// Whether a symbol belongs to the runtime or to the generated helpers, which are never instrumented.
pub(crate) fn is_runtime_name(name: &str) -> bool {
    ["tk_", "tkf_", "tkw_", "__tk_arm_"].iter().any(|prefix| name.starts_with(prefix))
        || [globals::REGISTER_GLOBALS, ON_START].contains(&name)
}

/// The driver's constructor, which runs before there is anything to trace.
pub(crate) const ON_START: &str = "__tk_on_start";

impl Pass<'_> {
    fn is_ours_to_instrument(&self, function: Value) -> bool {
        let name = function.name();
        !function.is_declaration() && (self.user_functions.contains(&name) || !is_runtime_name(&name))
    }

    fn instrument(&mut self, function: Value) {
        let blocks: Vec<(Block, Vec<Value>)> =
            function.reverse_post_order().into_iter().map(|block| (block, block.instructions())).collect();
        let labelled = self.labelled_values(function, &blocks);
        let name = function.name();
        let is_users = self.user_functions.contains(&name);
        let needed = if is_users { used::needed_loads(self.layout, &blocks) } else { HashSet::new() };
        let mut body = Body {
            function,
            name,
            labelled,
            needed,
            labels: HashMap::new(),
            entry: entry::Entry::default(),
            memory_site: None,
            evaluations: HashMap::new(),
            saved_depths: HashMap::new(),
            dead: Vec::new(),
            pass: self,
        };
        body.enter(&blocks);
        body.declare_phis(&blocks);
        for (_, instructions) in &blocks {
            for &instruction in instructions {
                body.visit(instruction);
            }
        }
        body.fill_phis(&blocks);
        // Only now: an erased instruction's address may be given to a new one, and labels are kept by address.
        for instruction in body.dead {
            instruction.erase();
        }
    }
}

/// One function while it is instrumented.
pub(crate) struct Body<'p, 'm> {
    pass: &'p mut Pass<'m>,
    function: Value,
    name: String,
    /// Values that can be symbolic at all; every other value has label 0.
    labelled: HashSet<Value>,
    /// Loads whose value must have been written.
    needed: HashSet<Value>,
    /// One label per leaf of each such value.
    labels: HashMap<Value, Vec<Value>>,
    entry: entry::Entry,
    /// The site of accesses whose address is never symbolic.
    memory_site: Option<u32>,
    /// Where the evaluation of each decision is kept while it lasts.
    evaluations: HashMap<u32, decision::Evaluation>,
    /// Depth of the object stack at each `llvm.stacksave`.
    saved_depths: HashMap<Value, Value>,
    /// Instructions that were replaced.
    dead: Vec<Value>,
}

impl Body<'_, '_> {
    /// One label per leaf of a value.
    fn labels_of(&self, value: Value) -> Vec<Value> {
        match self.labels.get(&value) {
            Some(labels) => labels.clone(),
            None => vec![self.pass.no_label(); shape::leaf_count(value.ty())],
        }
    }

    /// The label of a scalar.
    fn label_of(&self, value: Value) -> Value {
        self.labels
            .get(&value)
            .and_then(|labels| labels.first().copied())
            .unwrap_or_else(|| self.pass.no_label())
    }

    fn set_labels(&mut self, value: Value, labels: Vec<Value>) {
        self.labels.insert(value, labels);
    }

    fn set_label(&mut self, value: Value, label: Value) {
        self.labels.insert(value, vec![label]);
    }

    fn site(&mut self, kind: SiteInfoKind, at: Value, what: impl Into<String>) -> u32 {
        self.pass.sites.add(kind, &self.name, at, what)
    }

    /// Adds the hooks of one instruction.
    fn visit(&mut self, instruction: Value) {
        use LLVMOpcode::*;
        let next = instruction.next();
        self.before(instruction);
        let opcode = instruction.opcode();
        match opcode {
            LLVMBr => self.branch(instruction),
            LLVMSwitch => self.switch(instruction),
            LLVMRet => self.leave(instruction),
            LLVMAlloca => self.stack_object(instruction),
            LLVMLoad => self.load(instruction),
            LLVMStore => self.store(instruction),
            LLVMCall => self.call(instruction),
            // `asm goto`.
            LLVMCallBr => self.native_call(instruction, "inline assembly"),
            LLVMPHI | LLVMUnreachable => {}
            LLVMIndirectBr => self.unmodelled(instruction, "computed goto"),
            // What is left computes a value from its operands: concrete if they are.
            _ if !self.labelled.contains(&instruction) => {}
            LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector => self.vector(instruction),
            LLVMExtractValue | LLVMInsertValue => self.aggregate(instruction),
            LLVMBitCast => self.bitcast(instruction),
            LLVMSelect => self.select(instruction),
            LLVMFreeze => self.set_labels(instruction, self.labels_of(instruction.operand(0))),
            // The `scalarizer` has split vector arithmetic; what it left is rare enough to lose its labels.
            _ if is_vector(instruction.ty()) || is_vector(instruction.operand(0).ty()) => {
                self.unmodelled(instruction, "vector operation");
            }
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr
            | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor => self.integer(instruction),
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFNeg => self.float(instruction),
            LLVMICmp => self.integer_compare(instruction),
            LLVMFCmp => self.float_compare(instruction),
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP
            | LLVMFPTrunc | LLVMFPExt | LLVMPtrToInt | LLVMIntToPtr | LLVMAddrSpaceCast => {
                self.cast(instruction)
            }
            LLVMGetElementPtr => self.element_address(instruction),
            _ => self.unmodelled(instruction, "instruction without a model"),
        }
        self.check_result(instruction, next);
    }

    /// An instruction without a model: what was symbolic in its operands is lost, counted and located.
    fn unmodelled(&mut self, instruction: Value, what: &str) {
        let labels: Vec<Value> =
            instruction.value_operands().iter().flat_map(|operand| self.labels_of(*operand)).collect();
        if labels.iter().any(|label| !label.is_null()) {
            let site = self.site(SiteInfoKind::Concretising, instruction, what);
            for label in labels {
                self.concretise(site, label);
            }
        }
    }
}

fn is_vector(ty: Type) -> bool {
    matches!(ty.kind(), LLVMTypeKind::LLVMVectorTypeKind | LLVMTypeKind::LLVMScalableVectorTypeKind)
}
