//! Thin, copyable handles on LLVM values, types and blocks.
//!
//! Takes LLVM's C interface, gives methods with Rust types. inkwell's typed wrappers panic on types they do not know
//! (x87, target types), and a pass that must survive any C program cannot; so the pass reads and writes IR through
//! these, and inkwell keeps the module, the pass pipeline and the target machine.
//!
//! A handle is valid as long as the module it came from: handles never leave the crate.

use std::ffi::{CStr, CString};

use inkwell::llvm_sys::LLVMAttributeFunctionIndex;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target::*;
pub(crate) use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMTypeKind, LLVMValueKind};

/// A value, instruction, function or global.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Value(pub LLVMValueRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Type(pub LLVMTypeRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Block(pub LLVMBasicBlockRef);

/// Where an instruction comes from: file as the line markers name it, and line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DebugPlace {
    pub file: String,
    pub line: u32,
}

/// A name as LLVM's C interface wants it; C identifiers hold no NUL.
pub(crate) fn c_name(name: &str) -> CString {
    CString::new(name).unwrap_or_default()
}

fn owned(text: *const std::ffi::c_char, length: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: LLVM hands out a pointer to `length` readable bytes that outlive this call.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

// SAFETY of every block in the impls below: a handle is only made from a live module of this thread, and each method
// is called on the kind of value its name speaks of.
impl Value {
    pub(crate) fn ty(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    pub(crate) fn name(self) -> String {
        let mut length = 0;
        let text = unsafe { LLVMGetValueName2(self.0, &mut length) };
        owned(text, length)
    }

    pub(crate) fn set_name(self, name: &str) {
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    pub(crate) fn is_constant(self) -> bool {
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    pub(crate) fn is_null(self) -> bool {
        unsafe { LLVMIsNull(self.0) != 0 }
    }

    pub(crate) fn is_undef(self) -> bool {
        unsafe { LLVMIsUndef(self.0) != 0 }
    }

    pub(crate) fn is_instruction(self) -> bool {
        unsafe { !LLVMIsAInstruction(self.0).is_null() }
    }

    pub(crate) fn is_function(self) -> bool {
        unsafe { !LLVMIsAFunction(self.0).is_null() }
    }

    pub(crate) fn is_inline_asm(self) -> bool {
        unsafe { !LLVMIsAInlineAsm(self.0).is_null() }
    }

    /// The zero-extended value of an integer constant of at most 64 bits.
    pub(crate) fn constant_u64(self) -> Option<u64> {
        unsafe {
            if LLVMIsAConstantInt(self.0).is_null() || self.ty().int_bits()? > 64 {
                return None;
            }
            Some(LLVMConstIntGetZExtValue(self.0))
        }
    }

    /// The value of a floating-point constant.
    pub(crate) fn constant_f64(self) -> Option<f64> {
        let mut inexact = 0;
        unsafe {
            (!LLVMIsAConstantFP(self.0).is_null()).then(|| LLVMConstRealGetDouble(self.0, &mut inexact))
        }
    }

    /// The bytes of the string that a constant is the address of, up to the first 0.
    pub(crate) fn constant_string(self) -> Option<Vec<u8>> {
        unsafe {
            if LLVMIsAGlobalVariable(self.0).is_null() {
                return None;
            }
            let initial = LLVMGetInitializer(self.0);
            if initial.is_null()
                || LLVMIsAConstantDataArray(initial).is_null()
                || LLVMIsConstantString(initial) == 0
            {
                return None;
            }
            let mut length = 0;
            let text = LLVMGetAsString(initial, &mut length);
            let bytes = std::slice::from_raw_parts(text.cast::<u8>(), length);
            Some(bytes.split(|byte| *byte == 0).next().unwrap_or_default().to_vec())
        }
    }

    pub(crate) fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    pub(crate) fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0).max(0) as u32 }
    }

    pub(crate) fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }

    pub(crate) fn set_operand(self, index: u32, value: Value) {
        unsafe { LLVMSetOperand(self.0, index, value.0) }
    }

    /// The operands that are values (blocks and metadata left out).
    pub(crate) fn value_operands(self) -> Vec<Value> {
        (0..self.operand_count())
            .map(|index| self.operand(index))
            .filter(|operand| !operand.0.is_null() && operand.ty().is_value())
            .collect()
    }

    pub(crate) fn replace_uses(self, with: Value) {
        unsafe { LLVMReplaceAllUsesWith(self.0, with.0) }
    }

    pub(crate) fn erase(self) {
        unsafe { LLVMInstructionEraseFromParent(self.0) }
    }

    pub(crate) fn block(self) -> Block {
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    pub(crate) fn next(self) -> Option<Value> {
        let next = unsafe { LLVMGetNextInstruction(self.0) };
        (!next.is_null()).then_some(Value(next))
    }

    pub(crate) fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        unsafe {
            let mut entry = LLVMGetFirstUse(self.0);
            while !entry.is_null() {
                users.push(Value(LLVMGetUser(entry)));
                entry = LLVMGetNextUse(entry);
            }
        }
        users
    }

    // Instructions of one kind.

    pub(crate) fn int_predicate(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    pub(crate) fn float_predicate(self) -> u32 {
        unsafe { LLVMGetFCmpPredicate(self.0) as u32 }
    }

    pub(crate) fn incoming(self) -> Vec<(Value, Block)> {
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|index| {
                    (Value(LLVMGetIncomingValue(self.0, index)), Block(LLVMGetIncomingBlock(self.0, index)))
                })
                .collect()
        }
    }

    pub(crate) fn add_incoming(self, value: Value, block: Block) {
        let (mut value, mut block) = (value.0, block.0);
        unsafe { LLVMAddIncoming(self.0, &mut value, &mut block, 1) }
    }

    pub(crate) fn indices(self) -> Vec<u32> {
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec()
        }
    }

    pub(crate) fn gep_source(self) -> Type {
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    pub(crate) fn allocated_type(self) -> Type {
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// The alignment of an `alloca` or a global; 0 if it says none.
    pub(crate) fn alignment(self) -> u64 {
        unsafe { LLVMGetAlignment(self.0) }.into()
    }

    pub(crate) fn shuffle_mask(self) -> Vec<i32> {
        unsafe { (0..LLVMGetNumMaskElements(self.0)).map(|index| LLVMGetMaskValue(self.0, index)).collect() }
    }

    pub(crate) fn is_conditional(self) -> bool {
        unsafe { LLVMIsConditional(self.0) != 0 }
    }

    pub(crate) fn successors(self) -> Vec<Block> {
        unsafe {
            (0..LLVMGetNumSuccessors(self.0)).map(|index| Block(LLVMGetSuccessor(self.0, index))).collect()
        }
    }

    /// Case values and targets of a switch instruction, without the default.
    pub(crate) fn switch_cases(self) -> Vec<(Value, Block)> {
        unsafe {
            let default_first = LLVMGetNumSuccessors(self.0);
            (1..default_first)
                .map(|index| (self.operand(index * 2), Block(LLVMGetSuccessor(self.0, index))))
                .collect()
        }
    }

    // Calls.

    pub(crate) fn callee(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    pub(crate) fn callee_type(self) -> Type {
        Type(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    pub(crate) fn arguments(self) -> Vec<Value> {
        unsafe { (0..LLVMGetNumArgOperands(self.0)).map(|index| self.operand(index)).collect() }
    }

    /// The pointed-to type of a `byval` argument of a call.
    pub(crate) fn call_byval(self, index: u32) -> Option<Type> {
        let attribute = unsafe { LLVMGetCallSiteEnumAttribute(self.0, index + 1, byval_kind()) };
        (!attribute.is_null()).then(|| Type(unsafe { LLVMGetTypeAttributeValue(attribute) }))
    }

    /// Whether the compiler was told that a call does not come back.
    pub(crate) fn never_returns(self) -> bool {
        let (kind, callee) = (attribute_kind("noreturn"), self.callee());
        unsafe {
            !LLVMGetCallSiteEnumAttribute(self.0, LLVMAttributeFunctionIndex, kind).is_null()
                || callee.is_function()
                    && !LLVMGetEnumAttributeAtIndex(callee.0, LLVMAttributeFunctionIndex, kind).is_null()
        }
    }

    /// Takes away everything the compiler was told about a call that an optimiser could believe.
    pub(crate) fn forget_call_promises(self) {
        let values = unsafe { LLVMGetNumArgOperands(self.0) };
        for (index, name) in promises(values) {
            unsafe { LLVMRemoveCallSiteEnumAttribute(self.0, index, attribute_kind(name)) }
        }
    }

    // Functions.

    /// Takes away everything the compiler was told about a function that an optimiser could believe.
    pub(crate) fn forget_function_promises(self) {
        let values = unsafe { LLVMCountParams(self.0) };
        for (index, name) in promises(values) {
            unsafe { LLVMRemoveEnumAttributeAtIndex(self.0, index, attribute_kind(name)) }
        }
    }

    /// The pointed-to type of a `byval` parameter of a function.
    pub(crate) fn param_byval(self, index: u32) -> Option<Type> {
        let attribute = unsafe { LLVMGetEnumAttributeAtIndex(self.0, index + 1, byval_kind()) };
        (!attribute.is_null()).then(|| Type(unsafe { LLVMGetTypeAttributeValue(attribute) }))
    }

    pub(crate) fn function_type(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    pub(crate) fn params(self) -> Vec<Value> {
        unsafe { (0..LLVMCountParams(self.0)).map(|index| Value(LLVMGetParam(self.0, index))).collect() }
    }

    pub(crate) fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    pub(crate) fn is_intrinsic(self) -> bool {
        unsafe { LLVMGetIntrinsicID(self.0) != 0 }
    }

    pub(crate) fn blocks(self) -> Vec<Block> {
        unsafe {
            let mut blocks = Vec::with_capacity(LLVMCountBasicBlocks(self.0) as usize);
            let mut block = LLVMGetFirstBasicBlock(self.0);
            while !block.is_null() {
                blocks.push(Block(block));
                block = LLVMGetNextBasicBlock(block);
            }
            blocks
        }
    }

    /// Blocks reachable from the entry, each after all its predecessors except along back edges.
    pub(crate) fn reverse_post_order(self) -> Vec<Block> {
        let Some(&entry) = self.blocks().first() else { return Vec::new() };
        let mut seen = std::collections::HashSet::from([entry]);
        let mut order = Vec::new();
        let mut stack = vec![(entry, entry.successors(), 0)];
        while let Some((block, successors, next)) = stack.last_mut() {
            if let Some(&successor) = successors.get(*next) {
                *next += 1;
                if seen.insert(successor) {
                    stack.push((successor, successor.successors(), 0));
                }
            } else {
                order.push(*block);
                stack.pop();
            }
        }
        order.reverse();
        order
    }

    // Metadata.

    pub(crate) fn debug_location(self) -> Option<LLVMMetadataRef> {
        let location = unsafe { LLVMInstructionGetDebugLoc(self.0) };
        (!location.is_null()).then_some(location)
    }

    pub(crate) fn subprogram(self) -> Option<LLVMMetadataRef> {
        let subprogram = unsafe { LLVMGetSubprogram(self.0) };
        (!subprogram.is_null()).then_some(subprogram)
    }

    /// Whether clang marked the instruction as part of a check it made itself.
    pub(crate) fn is_nosanitize(self) -> bool {
        const NAME: &str = "nosanitize";
        unsafe {
            let kind = LLVMGetMDKindID(NAME.as_ptr().cast(), NAME.len() as u32);
            LLVMHasMetadata(self.0) != 0 && !LLVMGetMetadata(self.0, kind).is_null()
        }
    }

    /// Where the instruction comes from, if its debug location says.
    pub(crate) fn place(self) -> Option<DebugPlace> {
        let location = self.debug_location()?;
        unsafe {
            let line = LLVMDILocationGetLine(location);
            let file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
            if line == 0 || file.is_null() {
                return None;
            }
            let mut length = 0;
            let text = LLVMDIFileGetFilename(file, &mut length);
            Some(DebugPlace { file: owned(text, length as usize), line })
        }
    }
}

fn byval_kind() -> u32 {
    attribute_kind("byval")
}

/// Attributes of a function with so many parameters that say more than how it is called: each with the index it may
/// stand at. What remains (`byval`, `sret`, `zeroext`, `noreturn` …) is how arguments travel and whether there is a way
/// back.
fn promises(params: u32) -> impl Iterator<Item = (u32, &'static str)> {
    const OF_FUNCTION: [&str; 8] =
        ["memory", "willreturn", "speculatable", "nofree", "nosync", "norecurse", "allockind", "allocsize"];
    const OF_VALUE: [&str; 13] = [
        "nonnull",
        "noalias",
        "dereferenceable",
        "dereferenceable_or_null",
        "noundef",
        "readonly",
        "readnone",
        "writeonly",
        "nocapture",
        "returned",
        "range",
        "allocptr",
        "allocalign",
    ];
    let function = OF_FUNCTION.into_iter().map(|name| (LLVMAttributeFunctionIndex, name));
    // The result is 0, parameters follow.
    function.chain((0..=params).flat_map(|index| OF_VALUE.into_iter().map(move |name| (index, name))))
}

fn attribute_kind(name: &str) -> u32 {
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

impl Block {
    pub(crate) fn instructions(self) -> Vec<Value> {
        let mut instructions = Vec::new();
        unsafe {
            let mut instruction = LLVMGetFirstInstruction(self.0);
            while !instruction.is_null() {
                instructions.push(Value(instruction));
                instruction = LLVMGetNextInstruction(instruction);
            }
        }
        instructions
    }

    pub(crate) fn terminator(self) -> Value {
        Value(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }

    pub(crate) fn successors(self) -> Vec<Block> {
        self.terminator().successors()
    }

    /// The first instruction that is not a phi.
    pub(crate) fn first_after_phis(self) -> Value {
        let mut instruction = Value(unsafe { LLVMGetFirstInstruction(self.0) });
        while instruction.opcode() == LLVMOpcode::LLVMPHI {
            instruction = Value(unsafe { LLVMGetNextInstruction(instruction.0) });
        }
        instruction
    }
}

impl Type {
    pub(crate) fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    pub(crate) fn is_pointer(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMPointerTypeKind
    }

    /// Whether it is the type of something that can carry labels at all.
    pub(crate) fn is_value(self) -> bool {
        use LLVMTypeKind::*;
        !matches!(
            self.kind(),
            LLVMVoidTypeKind
                | LLVMLabelTypeKind
                | LLVMMetadataTypeKind
                | LLVMTokenTypeKind
                | LLVMFunctionTypeKind
        )
    }

    pub(crate) fn int_bits(self) -> Option<u32> {
        (self.kind() == LLVMTypeKind::LLVMIntegerTypeKind).then(|| unsafe { LLVMGetIntTypeWidth(self.0) })
    }

    pub(crate) fn struct_fields(self) -> Vec<Type> {
        unsafe {
            (0..LLVMCountStructElementTypes(self.0))
                .map(|index| Type(LLVMStructGetTypeAtIndex(self.0, index)))
                .collect()
        }
    }

    pub(crate) fn element(self) -> Type {
        Type(unsafe { LLVMGetElementType(self.0) })
    }

    pub(crate) fn array(self, length: u32) -> Type {
        Type(unsafe { LLVMArrayType2(self.0, length.into()) })
    }

    pub(crate) fn array_length(self) -> u64 {
        unsafe { LLVMGetArrayLength2(self.0) }
    }

    pub(crate) fn vector_length(self) -> u32 {
        unsafe { LLVMGetVectorSize(self.0) }
    }

    pub(crate) fn param_count(self) -> u32 {
        unsafe { LLVMCountParamTypes(self.0) }
    }

    /// What a function of this type gives.
    pub(crate) fn result(self) -> Type {
        Type(unsafe { LLVMGetReturnType(self.0) })
    }

    pub(crate) fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    pub(crate) fn null(self) -> Value {
        Value(unsafe { LLVMConstNull(self.0) })
    }

    pub(crate) fn constant(self, number: u64) -> Value {
        Value(unsafe { LLVMConstInt(self.0, number, 0) })
    }
}

/// Sizes and offsets of the target.
#[derive(Clone, Copy)]
pub(crate) struct Layout(pub LLVMTargetDataRef);

impl Layout {
    /// Bytes a store of this type writes.
    pub(crate) fn store_size(self, ty: Type) -> u64 {
        unsafe { LLVMStoreSizeOfType(self.0, ty.0) }
    }

    /// Bytes from one element of this type to the next.
    pub(crate) fn alloc_size(self, ty: Type) -> u64 {
        unsafe { LLVMABISizeOfType(self.0, ty.0) }
    }

    pub(crate) fn alignment(self, ty: Type) -> u64 {
        unsafe { LLVMABIAlignmentOfType(self.0, ty.0) as u64 }
    }

    pub(crate) fn field_offset(self, ty: Type, field: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(self.0, ty.0, field) }
    }
}

/// A module as the pass sees it.
#[derive(Clone, Copy)]
pub(crate) struct ModuleRef(pub LLVMModuleRef);

impl ModuleRef {
    pub(crate) fn functions(self) -> Vec<Value> {
        let mut functions = Vec::new();
        unsafe {
            let mut function = LLVMGetFirstFunction(self.0);
            while !function.is_null() {
                functions.push(Value(function));
                function = LLVMGetNextFunction(function);
            }
        }
        functions
    }

    pub(crate) fn globals(self) -> Vec<Value> {
        let mut globals = Vec::new();
        unsafe {
            let mut global = LLVMGetFirstGlobal(self.0);
            while !global.is_null() {
                globals.push(Value(global));
                global = LLVMGetNextGlobal(global);
            }
        }
        globals
    }

    pub(crate) fn function(self, name: &str) -> Option<Value> {
        let function = unsafe { LLVMGetNamedFunction(self.0, c_name(name).as_ptr()) };
        (!function.is_null()).then_some(Value(function))
    }

    pub(crate) fn layout(self) -> Layout {
        Layout(unsafe { LLVMGetModuleDataLayout(self.0) })
    }

    /// The module as text.
    pub(crate) fn text(self) -> String {
        unsafe {
            let text = LLVMPrintModuleToString(self.0);
            let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeMessage(text);
            copy
        }
    }
}
