//! The hook table: every function of the runtime that instrumented code calls.
//!
//! The instrumenter declares hooks from this table and the runtime's C header gets its prototypes from it, so the two
//! cannot drift apart. Hooks named `tkf_*` are the inline fast paths (bitcode, `always_inline`); the others are the
//! runtime's own functions. A label argument is always an `L`.

/// A C type of a hook's parameter or result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HookType {
    /// `void` (results only).
    Void,
    /// A label, `uint32_t`.
    L,
    /// `uint8_t`.
    U8,
    /// `uint16_t`.
    U16,
    /// `uint32_t`.
    U32,
    /// `uint64_t`.
    U64,
    /// `unsigned __int128`.
    U128,
    /// `const void *`.
    Ptr,
}

impl HookType {
    /// How C spells it.
    pub const fn c_name(self) -> &'static str {
        match self {
            HookType::Void => "void",
            HookType::L | HookType::U32 => "uint32_t",
            HookType::U8 => "uint8_t",
            HookType::U16 => "uint16_t",
            HookType::U64 => "uint64_t",
            HookType::U128 => "unsigned __int128",
            HookType::Ptr => "const void *",
        }
    }
}

/// One hook.
#[derive(Clone, Copy, Debug)]
pub struct Hook {
    /// Symbol name.
    pub name: &'static str,
    /// Result type.
    pub result: HookType,
    /// Parameter types.
    pub params: &'static [HookType],
}

use HookType::{L, Ptr, U8, U32, U64, U128, Void};

const fn hook(name: &'static str, result: HookType, params: &'static [HookType]) -> Hook {
    Hook { name, result, params }
}

/// Every hook. `site` is the number of the site the instruction stands for; `op` and `width` are as in a node.
pub const HOOKS: &[Hook] = &[
    // Branches: (site, coverage index of outcome 0, value, label)
    hook("tkf_condition", Void, &[U32, U32, U32, L]),
    // (site, coverage index of arm 0, arm, label)
    hook("tkf_switch", Void, &[U32, U32, U32, L]),
    // A statement is executed: (index in the coverage map)
    hook("tkf_statement", Void, &[U32]),
    // A decision was evaluated: (decision, values of its conditions, which were evaluated, result)
    hook("tkf_evaluation", Void, &[U32, U32, U32, U32]),
    // The same with more than 32 conditions: (decision, number of chunks, values and evaluated of each chunk, result)
    hook("tk_long_evaluation", Void, &[U32, U32, Ptr, U32]),
    // (site, taken, label): records only when symbolic
    hook("tkf_internal", Void, &[U32, U32, L]),
    // (site, value, label)
    hook("tkf_internal_switch", Void, &[U32, U64, L]),
    // `__builtin_assume`: logged as tkf_internal; ends the run if it does not hold: (site, holds, label)
    hook("tkf_assume", Void, &[U32, U32, L]),
    // A compiler-made check whose failing ends the run, logged as part of the path: (site, fault kind, passes, label)
    hook("tkf_check", Void, &[U32, U32, U32, L]),
    // One after whose failing the run goes on: the fault is recorded. (site, fault kind, passes, label)
    hook("tkf_undefined", Void, &[U32, U32, U32, L]),
    // The same for arithmetic: (site, fault kind, passes, operation that says "overflows", width, la, lb, a, b)
    hook("tkf_overflow", Void, &[U32, U32, U32, U8, U32, L, L, U64, U64]),
    // For an address, whose low bits must be 0: (site, fault kind, passes, label of the address, which bits)
    hook("tkf_aligned", Void, &[U32, U32, U32, L, U64]),
    // For a pointer that is moved: (site, fault kind, passes, label of the index, index, its size, signed, pointer)
    hook("tkf_moved", Void, &[U32, U32, U32, L, U64, U64, U32, Ptr]),
    // Ends the run with a fault: (site, fault kind)
    hook("tk_check_failed", Void, &[U32, U32]),
    // Operations: (op, result width, operand width, la, lb, a, b) -> label
    hook("tkf_binary", L, &[U8, U32, U32, L, L, U64, U64]),
    hook("tkf_binary128", L, &[U8, U32, U32, L, L, U128, U128]),
    // Division with a symbolic divisor is a check of its own first: (site, op, width, la, lb, a, b)
    hook("tkf_divide", L, &[U32, U8, U32, L, L, U64, U64]),
    hook("tkf_divide128", L, &[U32, U8, U32, L, L, U128, U128]),
    // (op, result width, la)
    hook("tkf_unary", L, &[U8, U32, L]),
    // (first bit, result width, la)
    hook("tkf_extract", L, &[U32, U32, L]),
    // (predicate, operand width, la, lb, a, b)
    hook("tkf_fcmp", L, &[U32, U32, L, L, U64, U64]),
    hook("tkf_fcmp128", L, &[U32, U32, L, L, U128, U128]),
    // (op, width, la, lb, lc, a, b, c)
    hook("tkf_ternary", L, &[U8, U32, L, L, L, U64, U64, U64]),
    hook("tkf_ternary128", L, &[U8, U32, L, L, L, U128, U128, U128]),
    // (width, lcond, cond, lt, lf, t, f)
    hook("tkf_select", L, &[U32, L, U32, L, L, U64, U64]),
    hook("tkf_select128", L, &[U32, L, U32, L, L, U128, U128]),
    // A constant as a label, for vectors that are partly symbolic: (width, value)
    hook("tk_constant", L, &[U32, U64]),
    // Memory: (site, address, label of the address, size in bytes) -> label of the value. Called before the access.
    hook("tkf_load", L, &[U32, Ptr, L, U32]),
    // (site, address, label of the address, size in bytes, label of the value, value)
    hook("tkf_store", Void, &[U32, Ptr, L, U32, L, U64]),
    hook("tkf_store128", Void, &[U32, Ptr, L, U32, L, U128]),
    // (site, destination, ld, source, ls, length, ll): called before the copy
    hook("tk_memcpy", Void, &[U32, Ptr, L, Ptr, L, U64, L]),
    // (site, destination, ld, byte, lb, length, ll)
    hook("tk_memset", Void, &[U32, Ptr, L, U32, L, U64, L]),
    // Before a call that copies text: (site, destination, bytes to the end of the record whose member that is, or 0)
    hook("tk_copy_call", Void, &[U32, Ptr, U64]),
    // Before a call of malloc or realloc: the label of the size it asks for
    hook("tk_block_size", Void, &[L]),
    // In a model: whether what is written next fits: (fits, label)
    hook("tk_fits", Void, &[U32, L]),
    // Stack objects: (address, size) at entry; the depth before is given back at every exit
    hook("tkf_stack_depth", U32, &[]),
    hook("tk_stack_object", Void, &[Ptr, U64]),
    // The same with 32 bytes on both sides that belong to nobody
    hook("tk_local_object", Void, &[Ptr, U64]),
    // A local object that may be read before it is written: it is uninitialised
    hook("tk_fresh_object", Void, &[Ptr, U64]),
    // Before a library function gets a handle: (where the pointer to it stands)
    hook("tk_stream", Void, &[Ptr]),
    hook("tk_folder", Void, &[Ptr]),
    // Before a result is read that may never have been written: (result, size, function)
    hook("tk_without_result", Void, &[Ptr, U64, Ptr]),
    // After a call of such a function whose result is used: (function)
    hook("tk_used_result", Void, &[Ptr]),
    hook("tkf_stack_restore", Void, &[U32]),
    // Global objects, from a constructor: (address, size)
    hook("tk_global_object", Void, &[Ptr, U64]),
    // The same with 32 bytes behind it that belong to nobody: (address, size, whether it is constant)
    hook("tk_padded_global", Void, &[Ptr, U64, U32]),
    // Calls. Before: (callee address, number of argument labels stored with tkf_set_argument)
    hook("tkf_call", Void, &[Ptr]),
    hook("tkf_set_argument", Void, &[U32, L]),
    // After: label `index` of the result, 0 if the callee was not instrumented
    hook("tkf_get_result", L, &[U32]),
    // In the callee: 1 if the caller was instrumented and meant us: (own address); then the labels
    hook("tkf_enter", U32, &[Ptr]),
    hook("tkf_get_argument", L, &[U32, U32]),
    hook("tkf_set_result", Void, &[U32, L]),
    // (what tkf_enter said): results are for the caller that meant us, not for native code around a callback
    hook("tkf_return", Void, &[U32]),
    // Structs passed by value on the stack. Before the call: (offset in the side buffer, the caller's copy, size)
    hook("tk_byval_argument", Void, &[U32, Ptr, U64]),
    // In the callee: (what tkf_enter said, offset in the side buffer, the callee's copy, size)
    hook("tk_byval_enter", Void, &[U32, U32, Ptr, U64]),
    // Variadic labels: (offset in the register save area or, from 176 on, the overflow area; size; label)
    hook("tk_va_argument", Void, &[U32, U32, L]),
    // (number of bytes of the overflow area used by variadic arguments), before the call
    hook("tk_va_ready", Void, &[U32]),
    // In the callee, after va_start: (the va_list)
    hook("tk_va_start", Void, &[Ptr]),
    // Calls into code that is not instrumented: (site, label of a scalar argument)
    hook("tkf_native_argument", Void, &[U32, L]),
    // (site, pointer argument): remembers the object so that what the callee changes loses its labels
    hook("tk_native_pointer", Void, &[U32, Ptr]),
    hook("tk_native_return", Void, &[U32]),
    // Something not modelled had a symbolic operand: (site, label)
    hook("tkf_concretise", Void, &[U32, L]),
    // Self-check: (label, value)
    hook("tk_self_check", Void, &[L, U64]),
    // The same, inline: does nothing for label 0
    hook("tkf_self_check", Void, &[L, U64]),
];
