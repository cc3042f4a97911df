//! Types as clang knows them.

use std::ffi::c_void;
use std::ptr;

use super::cursor::Cursor;
use super::ffi::{CxCursor, CxType, VISIT_CONTINUE};
use super::{TranslationUnit, ty};

/// A type, with the names the user gave it.
#[derive(Clone, Copy)]
pub struct ClangType<'tu> {
    unit: &'tu TranslationUnit,
    raw: CxType,
}

extern "C" fn collect(field: CxCursor, list: *mut c_void) -> i32 {
    // SAFETY: `fields` passes a vector that outlives the visit.
    unsafe { (*list.cast::<Vec<CxCursor>>()).push(field) };
    VISIT_CONTINUE
}

// SAFETY of the calls below: the type belongs to a unit that is alive, and each function accepts any type.
impl<'tu> ClangType<'tu> {
    pub(super) fn new(unit: &'tu TranslationUnit, raw: CxType) -> Self {
        Self { unit, raw }
    }

    fn with(self, raw: CxType) -> Self {
        Self { unit: self.unit, raw }
    }

    /// One of [`ty`]'s numbers, or another.
    pub fn kind(self) -> i32 {
        self.raw.kind
    }

    /// A number that is the same for the same type, typedefs told apart.
    pub fn identity(self) -> usize {
        self.raw.data[0] as usize
    }

    /// How C writes it.
    pub fn spelling(self) -> String {
        self.unit.string(unsafe { (self.unit.functions.clang_getTypeSpelling)(self.raw) })
    }

    /// Typedefs looked through.
    pub fn canonical(self) -> Self {
        self.with(unsafe { (self.unit.functions.clang_getCanonicalType)(self.raw) })
    }

    /// Without `const`, `volatile` and `restrict` at the top.
    pub fn unqualified(self) -> Self {
        if self.raw.kind == 0 {
            return self;
        }
        self.with(unsafe { (self.unit.functions.clang_getUnqualifiedType)(self.raw) })
    }

    /// `const` at the top, also by way of a typedef.
    pub fn is_const(self) -> bool {
        unsafe { (self.unit.functions.clang_isConstQualifiedType)(self.canonical().raw) != 0 }
    }

    /// `volatile` at top level.
    pub fn is_volatile(self) -> bool {
        unsafe { (self.unit.functions.clang_isVolatileQualifiedType)(self.canonical().raw) != 0 }
    }

    /// A function type with `...`.
    pub fn is_variadic(self) -> bool {
        unsafe { (self.unit.functions.clang_isFunctionTypeVariadic)(self.raw) != 0 }
    }

    /// An array of any sort.
    pub fn is_array(self) -> bool {
        matches!(self.raw.kind, ty::CONSTANT_ARRAY | ty::INCOMPLETE_ARRAY | ty::VARIABLE_ARRAY)
    }

    /// A function type.
    pub fn is_function(self) -> bool {
        matches!(self.raw.kind, ty::FUNCTION_PROTO | ty::FUNCTION_NO_PROTO)
    }

    /// A vector type of either sort.
    pub fn is_vector(self) -> bool {
        matches!(self.raw.kind, ty::VECTOR | ty::EXT_VECTOR)
    }

    /// A function type without a parameter list: `int f()`.
    pub fn has_no_prototype(self) -> bool {
        self.canonical().raw.kind == ty::FUNCTION_NO_PROTO
    }

    /// Types of a function's parameters, arrays as written.
    pub fn parameters(self) -> Vec<Self> {
        let functions = self.unit.functions;
        let count = unsafe { (functions.clang_getNumArgTypes)(self.raw) }.max(0) as u32;
        (0..count)
            .map(|number| self.with(unsafe { (functions.clang_getArgType)(self.raw, number) }))
            .collect()
    }

    /// Type of the two parts of a complex number.
    pub fn complex_part(self) -> Self {
        self.with(unsafe { (self.unit.functions.clang_getElementType)(self.raw) })
    }

    /// Result of a function type.
    pub fn result(self) -> Self {
        self.with(unsafe { (self.unit.functions.clang_getResultType)(self.raw) })
    }

    /// What a pointer points to.
    pub fn pointee(self) -> Self {
        self.with(unsafe { (self.unit.functions.clang_getPointeeType)(self.raw) })
    }

    /// Elements of an array.
    pub fn element(self) -> Self {
        self.with(unsafe { (self.unit.functions.clang_getArrayElementType)(self.raw) })
    }

    /// Number of elements of an array that has one.
    pub fn array_len(self) -> Option<u64> {
        if self.raw.kind != ty::CONSTANT_ARRAY {
            return None;
        }
        u64::try_from(unsafe { (self.unit.functions.clang_getArraySize)(self.raw) }).ok()
    }

    /// What `_Atomic` was applied to.
    pub fn atomic_value(self) -> Self {
        self.with(unsafe { (self.unit.functions.clang_Type_getValueType)(self.raw) })
    }

    /// Size in bytes, where known.
    pub fn size(self) -> Option<u64> {
        u64::try_from(unsafe { (self.unit.functions.clang_Type_getSizeOf)(self.raw) }).ok()
    }

    /// Alignment in bytes, where known.
    pub fn align(self) -> Option<u64> {
        u64::try_from(unsafe { (self.unit.functions.clang_Type_getAlignOf)(self.raw) }).ok()
    }

    /// The struct, union or enum behind the type.
    pub fn declaration(self) -> Cursor<'tu> {
        Cursor::new(self.unit, unsafe { (self.unit.functions.clang_getTypeDeclaration)(self.raw) })
    }

    /// Members of a record, anonymous ones included.
    pub fn fields(self) -> Vec<Cursor<'tu>> {
        let mut list: Vec<CxCursor> = Vec::new();
        unsafe {
            (self.unit.functions.clang_Type_visitFields)(self.raw, collect, ptr::from_mut(&mut list).cast())
        };
        list.into_iter().map(|raw| Cursor::new(self.unit, raw)).collect()
    }
}
