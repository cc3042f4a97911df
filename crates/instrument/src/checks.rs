//! clang's own checks: which are asked for, and each of them made one call.
//!
//! Takes the kinds of fault that are looked for and gives clang's flags; takes the module as clang made it with them and
//! gives the same module in which
//! ```text
//! br i1 %passes, label %go_on, label %fails
//! fails: call void @__ubsan_handle_add_overflow_minimal()   br label %go_on
//! ```
//! is
//! ```text
//! call void @__tk_check(i32 NUMBER, i1 %passes)
//! br label %go_on
//! ```
//! so that graph and pass see straight code. A check that nobody asked for is gone, and so is one outside the user's
//! functions. Never: labels and hooks (the pass gives a check its meaning).

use std::collections::BTreeSet;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use tarka_trace::{FaultKind, FaultSet};

use crate::ir::{Block, LLVMIntPredicate, LLVMOpcode, ModuleRef, Type, Value, c_name};

/// What a check is called until the pass gives it a meaning.
pub(crate) const CHECK: &str = "__tk_check";

/// A check of clang's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ClangCheck {
    /// What clang calls when it fails, between `__ubsan_handle_` and `_minimal`.
    handler: &'static str,
    /// What failing means.
    pub kind: FaultKind,
    /// The program cannot go on after it.
    pub ends: bool,
    /// What happened, where the kind's own words say too little.
    pub words: Option<&'static str>,
}

const fn goes_on(handler: &'static str, kind: FaultKind, words: Option<&'static str>) -> ClangCheck {
    ClangCheck { handler, kind, ends: false, words }
}

const fn ends(handler: &'static str, kind: FaultKind, words: Option<&'static str>) -> ClangCheck {
    ClangCheck { handler, kind, ends: true, words }
}

/// Every check, by number. One handler serves several: the condition tells them apart.
const CHECKS: &[ClangCheck] = &[
    goes_on("add_overflow", FaultKind::SignedOverflow, None),
    goes_on("sub_overflow", FaultKind::SignedOverflow, None),
    goes_on("mul_overflow", FaultKind::SignedOverflow, None),
    goes_on("negate_overflow", FaultKind::SignedOverflow, None),
    goes_on("shift_out_of_bounds", FaultKind::Shift, None),
    goes_on("float_cast_overflow", FaultKind::FloatConversion, None),
    OUTSIDE,
    MOVED_OUT,
    goes_on("type_mismatch", FaultKind::Misaligned, None),
    goes_on("alignment_assumption", FaultKind::Misaligned, None),
    goes_on("pointer_overflow", FaultKind::PointerArithmetic, Some("pointer arithmetic wraps around")),
    goes_on("implicit_conversion", FaultKind::ImplicitConversion, None),
    goes_on("load_invalid_value", FaultKind::Undefined, Some("a _Bool holds something other than 0 and 1")),
    goes_on("invalid_builtin", FaultKind::Undefined, Some("__builtin_clz or __builtin_ctz is called with 0")),
    ends(
        "vla_bound_not_positive",
        FaultKind::Undefined,
        Some("the length of a variable-length array is not positive"),
    ),
    UNREACHABLE,
    BY_ZERO,
    QUOTIENT,
    UNSIGNED,
    FLOAT_DIVISION,
    NULL_WITH_ZERO,
    NULL_OFFSET,
    NULL_HANDLE,
    NULL_GIVEN,
];
const OUTSIDE: ClangCheck =
    goes_on("out_of_bounds", FaultKind::OutOfBounds, Some("an index is outside its array"));
const MOVED_OUT: ClangCheck = goes_on(
    "out_of_bounds",
    FaultKind::PointerArithmetic,
    Some("a pointer is moved past the end of its array"),
);
const UNREACHABLE: ClangCheck =
    ends("builtin_unreachable", FaultKind::Undefined, Some("__builtin_unreachable() is reached"));
const BY_ZERO: ClangCheck = ends("divrem_overflow", FaultKind::DivisionByZero, None);
const QUOTIENT: ClangCheck = ends("divrem_overflow", FaultKind::DivisionOverflow, None);
const UNSIGNED: ClangCheck = goes_on("add_overflow", FaultKind::UnsignedOverflow, None);
const FLOAT_DIVISION: ClangCheck = goes_on("divrem_overflow", FaultKind::FloatDivision, None);

const NULL_WITH_ZERO: ClangCheck = goes_on(
    "nonnull_arg",
    FaultKind::NullWithZero,
    Some("a library function is given a null pointer and the length 0"),
);

const NULL_OFFSET: ClangCheck =
    goes_on("pointer_overflow", FaultKind::NullWithZero, Some("0 is added to a null pointer"));

const NULL_HANDLE: ClangCheck =
    ends("", FaultKind::NullDereference, Some("a null pointer is passed to a function of the library"));

/// The same, where nothing would look at what the pointer leads to.
const NULL_GIVEN: ClangCheck =
    goes_on("", FaultKind::NullDereference, Some("a null pointer is passed to a function of the library"));

/// Library functions that must not be given null even if they look at nothing, and the position of the length.
const WITH_LENGTH: &[(&str, u32)] = &[
    ("memcmp", 2),
    ("memchr", 2),
    ("memcpy", 2),
    ("memmove", 2),
    ("memset", 2),
    ("strncmp", 2),
    ("strncpy", 2),
    ("strncat", 2),
    ("qsort", 1),
    ("bsearch", 2),
];

/// A check that clang may know and we do not.
const UNKNOWN: ClangCheck = goes_on("", FaultKind::Undefined, None);

/// The check that a call of [`CHECK`] stands for.
pub(crate) fn check_of(call: Value) -> ClangCheck {
    let number = call.operand(0).constant_u64().unwrap_or(u64::MAX) as usize;
    CHECKS.get(number).copied().unwrap_or(UNKNOWN)
}

fn number_of(wanted: ClangCheck) -> usize {
    CHECKS.iter().position(|check| *check == wanted).unwrap_or(CHECKS.len())
}

/// Whether an instruction is a check that always fails.
pub(crate) fn always_fails(instruction: Value) -> bool {
    instruction.opcode() == LLVMOpcode::LLVMCall
        && instruction.callee().is_function()
        && instruction.callee().name() == CHECK
        && instruction.operand(1).is_null()
}

/// clang's flags for the kinds that are looked for. A division that is checked at all is checked for both its faults: a
/// signal would not tell them apart.
pub(crate) fn flags(faults: FaultSet) -> Vec<String> {
    use FaultKind::*;
    let of = |kinds: &[FaultKind], names: &'static str| {
        kinds.iter().any(|&kind| faults.has(kind)).then_some(names)
    };
    let names = [
        of(&[SignedOverflow, DivisionByZero, DivisionOverflow], "signed-integer-overflow"),
        of(&[DivisionByZero, DivisionOverflow], "integer-divide-by-zero"),
        of(&[Shift], "shift"),
        of(&[FloatConversion], "float-cast-overflow"),
        of(&[OutOfBounds, PointerArithmetic], "array-bounds"),
        of(&[Misaligned], "alignment"),
        of(&[PointerArithmetic, NullWithZero], "pointer-overflow"),
        of(&[NullWithZero], "nonnull-attribute"),
        of(&[Undefined], "bool,builtin,vla-bound"),
        of(&[UnsignedOverflow], "unsigned-integer-overflow"),
        of(&[ImplicitConversion], "implicit-conversion"),
        of(&[FloatDivision], "float-divide-by-zero"),
    ];
    let names: Vec<&str> = names.into_iter().flatten().collect();
    if names.is_empty() {
        return Vec::new();
    }
    vec![
        format!("-fsanitize={}", names.join(",")),
        "-fsanitize-recover=all".to_owned(),
        // Handlers without arguments. clang's driver does not allow it with every check, the compiler behind it does.
        "-Xclang".to_owned(),
        "-fsanitize-minimal-runtime".to_owned(),
    ]
}

/// The kinds that can be faults at all in a program that is compiled with the user's flags.
pub(crate) fn possible(faults: FaultSet, flags: &[&str]) -> FaultSet {
    let wraps = flags.iter().rev().find_map(|flag| match *flag {
        "-fwrapv" | "-fno-strict-overflow" => Some(true),
        "-fno-wrapv" | "-fstrict-overflow" => Some(false),
        _ => None,
    });
    match wraps {
        Some(true) => faults.without(FaultKind::SignedOverflow).without(FaultKind::PointerArithmetic),
        _ => faults,
    }
}

/// Makes every check one call, or nothing.
pub(crate) fn gather(module: ModuleRef, user_functions: &BTreeSet<String>, faults: FaultSet) {
    let gather = Gather::new(module, faults);
    for function in module.functions().into_iter().filter(|function| !function.is_declaration()) {
        let is_users = user_functions.contains(&function.name());
        for block in function.blocks() {
            gather.straighten(block);
            gather.guard_end(block);
        }
        let fails: Vec<Block> =
            function.blocks().into_iter().filter_map(|block| gather.gather(block, is_users)).collect();
        for block in fails {
            // SAFETY: nothing goes there any more, and nothing it computes is used elsewhere.
            unsafe { LLVMDeleteBasicBlock(block.0) };
        }
    }
}

/// Takes away every promise that arithmetic does not wrap: undefined behaviour gets the meaning the machine gives it.
pub(crate) fn let_wrap(module: ModuleRef) {
    use LLVMOpcode::*;
    let blocks = module.functions().into_iter().flat_map(Value::blocks);
    for instruction in blocks.flat_map(Block::instructions) {
        // SAFETY: each setter is called on the kind of instruction it is for.
        unsafe {
            match instruction.opcode() {
                LLVMAdd | LLVMSub | LLVMMul | LLVMShl => {
                    LLVMSetNSW(instruction.0, 0);
                    LLVMSetNUW(instruction.0, 0);
                }
                LLVMGetElementPtr => LLVMGEPSetNoWrapFlags(instruction.0, 0),
                _ => {}
            }
        }
    }
}

/// Adds the check that a handle of the library is not null, where the builder stands.
pub(crate) fn check_handle(module: ModuleRef, builder: LLVMBuilderRef, given: Value) {
    // SAFETY: handles come from the live module.
    let context = unsafe { LLVMGetModuleContext(module.0) };
    call(module, context, builder, number_of(NULL_HANDLE) as u32, given);
}

/// Adds the check that what a library function needs is not null, where the builder stands.
pub(crate) fn check_given(module: ModuleRef, builder: LLVMBuilderRef, given: Value) {
    // SAFETY: handles come from the live module.
    let context = unsafe { LLVMGetModuleContext(module.0) };
    call(module, context, builder, number_of(NULL_GIVEN) as u32, given);
}

struct Gather {
    module: ModuleRef,
    context: LLVMContextRef,
    builder: LLVMBuilderRef,
    faults: FaultSet,
}

impl Drop for Gather {
    fn drop(&mut self) {
        // SAFETY: made in `new` and owned by this alone.
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

// SAFETY of every block below: handles come from the live module, and what is built stands before an instruction of it
// with the debug location of that instruction.
impl Gather {
    fn new(module: ModuleRef, faults: FaultSet) -> Gather {
        let context = unsafe { LLVMGetModuleContext(module.0) };
        let builder = unsafe { LLVMCreateBuilderInContext(context) };
        Gather { module, context, builder, faults }
    }

    fn int(&self, bits: u32) -> Type {
        Type(unsafe { LLVMIntTypeInContext(self.context, bits) })
    }

    fn before(&self, instruction: Value) {
        unsafe {
            LLVMPositionBuilderBefore(self.builder, instruction.0);
            let location = instruction.debug_location().unwrap_or(std::ptr::null_mut());
            LLVMSetCurrentDebugLocation2(self.builder, location);
        }
    }

    /// A branch inside a check, around a part of its condition (shifts have one): the part is computed always, and
    /// chosen where it is meant.
    fn straighten(&self, block: Block) {
        let branch = block.terminator();
        if branch.0.is_null() || branch.opcode() != LLVMOpcode::LLVMBr || !branch.is_conditional() {
            return;
        }
        let [inner, join] = branch.successors()[..] else { return };
        if !branch.is_nosanitize() || handler_of(inner).is_some() || handler_of(join).is_some() {
            return;
        }
        let instructions = inner.instructions();
        let Some((&end, parts)) = instructions.split_last() else { return };
        let is_part = |part: &Value| part.is_nosanitize() && part.opcode() != LLVMOpcode::LLVMCall;
        if end.opcode() != LLVMOpcode::LLVMBr || end.successors() != [join] || !parts.iter().all(is_part) {
            return;
        }
        self.before(branch);
        for part in parts {
            unsafe {
                LLVMInstructionRemoveFromParent(part.0);
                LLVMInsertIntoBuilder(self.builder, part.0);
            }
        }
        let condition = branch.operand(0);
        for phi in join.instructions().into_iter().take_while(|item| item.opcode() == LLVMOpcode::LLVMPHI) {
            let from = |wanted: Block| {
                phi.incoming().into_iter().find(|(_, block)| *block == wanted).map(|(value, _)| value)
            };
            if let (Some(through), Some(around)) = (from(inner), from(block)) {
                let chosen =
                    unsafe { LLVMBuildSelect(self.builder, condition.0, through.0, around.0, c"".as_ptr()) };
                phi.replace_uses(Value(chosen));
                phi.erase();
            }
        }
        unsafe { LLVMBuildBr(self.builder, join.0) };
        branch.erase();
        unsafe { LLVMDeleteBasicBlock(inner.0) };
    }

    /// `__builtin_unreachable` at the end of a block: whatever comes next in memory is no place to go on, whoever asks. (clang's
    /// own check would also stand behind `exit` and `abort`.)
    fn guard_end(&self, block: Block) {
        let end = block.terminator();
        if end.0.is_null() || end.opcode() != LLVMOpcode::LLVMUnreachable {
            return;
        }
        let instructions = block.instructions();
        let mut calls = instructions.iter().filter(|item| item.opcode() == LLVMOpcode::LLVMCall);
        if !calls.any(|call| call.never_returns()) {
            self.before(end);
            self.call(number_of(UNREACHABLE) as u32, self.int(1).constant(0));
        }
    }

    /// Makes the check at the end of a block, if there is one, a call; gives the block that is no longer needed.
    fn gather(&self, block: Block, is_users: bool) -> Option<Block> {
        let branch = block.terminator();
        if branch.0.is_null() || branch.opcode() != LLVMOpcode::LLVMBr || !branch.is_conditional() {
            return None;
        }
        let [passes, fails] = branch.successors()[..] else { return None };
        let handler = handler_of(fails).filter(|_| branch.is_nosanitize())?;
        if is_users && self.faults.has(FaultKind::NullWithZero) {
            match handler.as_str() {
                "nonnull_arg" => self.check_length(branch.operand(0)),
                "pointer_overflow" => self.check_offset(branch),
                _ => {}
            }
        }
        for (number, condition) in self.parts(&handler, branch.operand(0)) {
            if is_users && self.faults.has(CHECKS[number].kind) {
                self.before(branch);
                self.call(number as u32, condition);
            } else if let Some(arithmetic) = overflow(condition) {
                self.make_plain(arithmetic);
            }
        }
        self.before(branch);
        unsafe { LLVMBuildBr(self.builder, passes.0) };
        branch.erase();
        Some(fails)
    }

    /// What a handler's condition is made of: the number of each check and its own condition.
    fn parts(&self, handler: &str, condition: Value) -> Vec<(usize, Value)> {
        match handler {
            "divrem_overflow" if is_float_compare(condition) => vec![(number_of(FLOAT_DIVISION), condition)],
            "divrem_overflow" => leaves(condition)
                .into_iter()
                .map(|leaf| (number_of(if is_zero_test(leaf) { BY_ZERO } else { QUOTIENT }), leaf))
                .collect(),
            "add_overflow" | "sub_overflow" | "mul_overflow" | "negate_overflow"
                if overflow(condition).is_some_and(|call| call.callee().name().starts_with("llvm.u")) =>
            {
                vec![(number_of(UNSIGNED), condition)]
            }
            "out_of_bounds" if is_one_past_allowed(condition) => vec![(number_of(MOVED_OUT), condition)],
            "pointer_overflow" if !is_far(condition) => Vec::new(),
            "nonnull_arg" => Vec::new(),
            _ => CHECKS
                .iter()
                .position(|check| check.handler == handler)
                .map_or_else(Vec::new, |number| vec![(number, condition)]),
        }
    }

    /// A pointer that is moved: null must not be, not even by 0.
    fn check_offset(&self, branch: Value) {
        let is = |value: Value, opcode| value.is_instruction() && value.opcode() == opcode;
        let mut open = vec![branch.operand(0)];
        while let Some(value) = open.pop() {
            if !value.is_instruction() || !value.is_nosanitize() {
                continue;
            }
            if !is(value, LLVMOpcode::LLVMAdd) || !is(value.operand(0), LLVMOpcode::LLVMPtrToInt) {
                open.extend(value.value_operands());
                continue;
            }
            let (address, offset) = (value.operand(0), value.operand(1));
            self.before(branch);
            self.call(number_of(NULL_OFFSET) as u32, self.either(address, offset));
            return;
        }
    }

    /// "Not both are 0."
    fn either(&self, one: Value, other: Value) -> Value {
        let some = |value: Value| unsafe {
            let zero = LLVMConstNull(value.ty().0);
            LLVMBuildICmp(self.builder, LLVMIntPredicate::LLVMIntNE, value.0, zero, c"".as_ptr())
        };
        Value(unsafe { LLVMBuildOr(self.builder, some(one), some(other), c"".as_ptr()) })
    }

    /// A pointer that must not be null, whatever the length: with another length than 0, the function itself finds out. The
    /// check stands at the call, where the length is known.
    fn check_length(&self, not_null: Value) {
        if !not_null.is_instruction() || not_null.opcode() != LLVMOpcode::LLVMICmp {
            return;
        }
        let pointer = not_null.operand(0);
        let calls = pointer.users().into_iter().filter(|user| {
            user.is_instruction() && user.opcode() == LLVMOpcode::LLVMCall && user.callee().is_function()
        });
        for call in calls {
            let name = call.callee().name();
            let Some(&(_, position)) = WITH_LENGTH.iter().find(|(known, _)| *known == name) else { continue };
            self.before(call);
            self.call(number_of(NULL_WITH_ZERO) as u32, self.either(pointer, call.operand(position)));
        }
    }

    /// Arithmetic whose overflow nobody asks about.
    fn make_plain(&self, arithmetic: Value) {
        let name = arithmetic.callee().name();
        let opcode = match &name["llvm.s".len()..] {
            stem if stem.starts_with("add") => LLVMOpcode::LLVMAdd,
            stem if stem.starts_with("sub") => LLVMOpcode::LLVMSub,
            _ => LLVMOpcode::LLVMMul,
        };
        let (a, b) = (arithmetic.operand(0), arithmetic.operand(1));
        self.before(arithmetic);
        let plain = Value(unsafe { LLVMBuildBinOp(self.builder, opcode, a.0, b.0, c"".as_ptr()) });
        for result in arithmetic.users() {
            if result.opcode() == LLVMOpcode::LLVMExtractValue && result.indices() == [0] {
                result.replace_uses(plain);
            }
        }
    }

    fn call(&self, number: u32, passes: Value) {
        call(self.module, self.context, self.builder, number, passes);
    }
}

/// A call of [`CHECK`] where the builder stands.
fn call(module: ModuleRef, context: LLVMContextRef, builder: LLVMBuilderRef, number: u32, passes: Value) {
    // SAFETY: handles come from the live module.
    unsafe {
        let i32 = Type(LLVMIntTypeInContext(context, 32));
        let mut parameters = [i32.0, LLVMIntTypeInContext(context, 1)];
        let mut arguments = [i32.constant(number.into()).0, passes.0];
        let void = LLVMVoidTypeInContext(context);
        let ty = LLVMFunctionType(void, parameters.as_mut_ptr(), 2, 0);
        let function = match module.function(CHECK) {
            Some(function) => function.0,
            None => LLVMAddFunction(module.0, c_name(CHECK).as_ptr(), ty),
        };
        LLVMBuildCall2(builder, ty, function, arguments.as_mut_ptr(), 2, c"".as_ptr());
    }
}

/// The handler that a block calls first, by the middle of its name.
fn handler_of(block: Block) -> Option<String> {
    let first = block.instructions().into_iter().next()?;
    if first.opcode() != LLVMOpcode::LLVMCall || !first.callee().is_function() {
        return None;
    }
    let name = first.callee().name();
    Some(name.strip_prefix("__ubsan_handle_")?.strip_suffix("_minimal")?.to_owned())
}

/// The conditions that a conjunction is made of, without those that always hold.
fn leaves(condition: Value) -> Vec<Value> {
    if condition.constant_u64() == Some(1) {
        Vec::new()
    } else if condition.is_instruction() && condition.opcode() == LLVMOpcode::LLVMAnd {
        [leaves(condition.operand(0)), leaves(condition.operand(1))].concat()
    } else if condition.is_instruction()
        && condition.opcode() == LLVMOpcode::LLVMOr
        && [0, 1].iter().any(|&index| condition.operand(index).constant_u64() == Some(1))
    {
        Vec::new()
    } else {
        vec![condition]
    }
}

fn is_zero_test(condition: Value) -> bool {
    condition.is_instruction() && condition.opcode() == LLVMOpcode::LLVMICmp && condition.operand(1).is_null()
}

/// True for an address that is only computed: one past the end is one.
fn is_one_past_allowed(condition: Value) -> bool {
    condition.is_instruction()
        && condition.opcode() == LLVMOpcode::LLVMICmp
        && condition.int_predicate() == LLVMIntPredicate::LLVMIntULE
}

fn is_float_compare(condition: Value) -> bool {
    condition.is_instruction() && condition.opcode() == LLVMOpcode::LLVMFCmp
}

/// The arithmetic with an overflow bit whose bit must not be set.
pub(crate) fn overflow(passes: Value) -> Option<Value> {
    let is = |value: Value, opcode| value.is_instruction() && value.opcode() == opcode;
    let bit = Some(passes).filter(|xor| is(*xor, LLVMOpcode::LLVMXor))?.operand(0);
    let call = Some(bit).filter(|bit| is(*bit, LLVMOpcode::LLVMExtractValue))?.operand(0);
    let is_arithmetic = is(call, LLVMOpcode::LLVMCall) && call.callee().is_function();
    (is_arithmetic && call.callee().name().contains(".with.overflow.")).then_some(call)
}

/// True if a moved pointer can wrap around at all: not with an index of 32 bits.
fn is_far(condition: Value) -> bool {
    let mut open = vec![condition];
    let mut seen = BTreeSet::new();
    while let Some(value) = open.pop() {
        if !value.is_instruction() || !seen.insert(value.0 as usize) {
            // A parameter cannot be one: unoptimised code loads it first.
            continue;
        }
        let is_number = value.ty().int_bits() == Some(64);
        match value.opcode() {
            LLVMOpcode::LLVMPtrToInt => {}
            LLVMOpcode::LLVMSExt | LLVMOpcode::LLVMZExt if is_number => {}
            // `p - n` adds `0 - n`.
            LLVMOpcode::LLVMSub if value.operand(0).is_null() => open.push(value.operand(1)),
            _ if value.is_nosanitize() => open.extend(value.value_operands()),
            _ if is_number => return true,
            _ => {}
        }
    }
    false
}
