//! Cursors (nodes of the syntax tree) and locations.

use std::ffi::c_void;
use std::ptr;

use super::ffi::{CxCursor, CxLocation, Opaque, VISIT_CONTINUE};
use super::types::ClangType;
use super::{TranslationUnit, node, storage};
use crate::Place;

/// A node of a syntax tree.
#[derive(Clone, Copy)]
pub struct Cursor<'tu> {
    unit: &'tu TranslationUnit,
    raw: CxCursor,
}

extern "C" fn collect(child: CxCursor, _parent: CxCursor, list: *mut c_void) -> i32 {
    // SAFETY: `children` passes a vector that outlives the visit.
    unsafe { (*list.cast::<Vec<CxCursor>>()).push(child) };
    VISIT_CONTINUE
}

// SAFETY of the calls below: the cursor belongs to a unit that is alive, and each function accepts any valid cursor.
impl<'tu> Cursor<'tu> {
    pub(super) fn new(unit: &'tu TranslationUnit, raw: CxCursor) -> Self {
        Self { unit, raw }
    }

    /// One of [`node`]'s numbers, or another that Tarka has no name for.
    pub fn kind(self) -> i32 {
        self.raw.kind
    }

    /// Children in the order libclang visits them.
    pub fn children(self) -> Vec<Cursor<'tu>> {
        let mut list: Vec<CxCursor> = Vec::new();
        unsafe {
            (self.unit.functions.clang_visitChildren)(self.raw, collect, ptr::from_mut(&mut list).cast())
        };
        list.into_iter().map(|raw| Cursor { unit: self.unit, raw }).collect()
    }

    /// The same node.
    pub fn same_as(self, other: Cursor<'tu>) -> bool {
        unsafe { (self.unit.functions.clang_equalCursors)(self.raw, other.raw) != 0 }
    }

    /// An expression.
    pub fn is_expression(self) -> bool {
        unsafe { (self.unit.functions.clang_isExpression)(self.raw.kind) != 0 }
    }

    /// A statement that is no expression.
    pub fn is_statement(self) -> bool {
        unsafe { (self.unit.functions.clang_isStatement)(self.raw.kind) != 0 }
    }

    /// A definition, not only a declaration.
    pub fn is_definition(self) -> bool {
        unsafe { (self.unit.functions.clang_isCursorDefinition)(self.raw) != 0 }
    }

    /// The declaration that a name or a member refers to.
    pub fn referenced(self) -> Option<Cursor<'tu>> {
        self.present(unsafe { (self.unit.functions.clang_getCursorReferenced)(self.raw) })
    }

    /// The definition of what it declares, if this file has one.
    pub fn definition(self) -> Option<Cursor<'tu>> {
        self.present(unsafe { (self.unit.functions.clang_getCursorDefinition)(self.raw) })
    }

    /// A declaration outside all functions, or one that says `extern` inside.
    pub fn is_file_scope(self) -> bool {
        let parent = unsafe { (self.unit.functions.clang_getCursorSemanticParent)(self.raw) };
        parent.kind == node::FILE_SCOPE || self.storage() == storage::EXTERN
    }

    /// An attribute, such as `__attribute__((nonnull))`.
    pub fn is_attribute(self) -> bool {
        (node::FIRST_ATTRIBUTE..=node::LAST_ATTRIBUTE).contains(&self.raw.kind)
    }

    /// Its bytes in the text, which must be free of macros.
    pub fn range(self) -> (usize, usize) {
        let (start, end) = self.extent();
        (start.in_file().offset, end.in_file().offset)
    }

    /// Name of what it declares, refers to or calls.
    pub fn name(self) -> String {
        self.unit.string(unsafe { (self.unit.functions.clang_getCursorSpelling)(self.raw) })
    }

    /// Its type.
    pub fn ty(self) -> ClangType<'tu> {
        ClangType::new(self.unit, unsafe { (self.unit.functions.clang_getCursorType)(self.raw) })
    }

    /// The operator of a unary expression, else 0.
    pub fn unary_operator(self) -> i32 {
        if self.raw.kind != node::UNARY {
            return 0;
        }
        unsafe { (self.unit.functions.clang_getCursorUnaryOperatorKind)(self.raw) }
    }

    /// The operator of a binary expression, else 0.
    pub fn binary_operator(self) -> i32 {
        if !matches!(self.raw.kind, node::BINARY | node::COMPOUND_ASSIGNMENT) {
            return 0;
        }
        unsafe { (self.unit.functions.clang_getCursorBinaryOperatorKind)(self.raw) }
    }

    /// Storage class as written.
    pub fn storage(self) -> i32 {
        unsafe { (self.unit.functions.clang_Cursor_getStorageClass)(self.raw) }
    }

    /// A variable of which each thread has its own.
    pub fn is_thread_local(self) -> bool {
        unsafe { (self.unit.functions.clang_getCursorTLSKind)(self.raw) != 0 }
    }

    /// A function that says `inline`.
    pub fn is_inline(self) -> bool {
        unsafe { (self.unit.functions.clang_Cursor_isFunctionInlined)(self.raw) != 0 }
    }

    /// Initialiser of a variable.
    pub fn initialiser(self) -> Option<Cursor<'tu>> {
        let raw = unsafe { (self.unit.functions.clang_Cursor_getVarDeclInitializer)(self.raw) };
        self.present(raw)
    }

    /// Parameters of a function.
    pub fn parameters(self) -> Vec<Cursor<'tu>> {
        let functions = self.unit.functions;
        let count = unsafe { (functions.clang_Cursor_getNumArguments)(self.raw) }.max(0) as u32;
        (0..count)
            .filter_map(|number| {
                self.present(unsafe { (functions.clang_Cursor_getArgument)(self.raw, number) })
            })
            .collect()
    }

    fn present(self, raw: CxCursor) -> Option<Cursor<'tu>> {
        let is_null = unsafe { (self.unit.functions.clang_Cursor_isNull)(raw) != 0 };
        (!is_null).then_some(Cursor { unit: self.unit, raw })
    }

    /// Width of a bit field.
    pub fn bit_width(self) -> Option<u32> {
        let functions = self.unit.functions;
        unsafe {
            ((functions.clang_Cursor_isBitField)(self.raw) != 0)
                .then(|| (functions.clang_getFieldDeclBitWidth)(self.raw).max(0) as u32)
        }
    }

    /// Offset of a field in bits.
    pub fn field_offset_bits(self) -> Option<u64> {
        u64::try_from(unsafe { (self.unit.functions.clang_Cursor_getOffsetOfField)(self.raw) }).ok()
    }

    /// Underlying type of an enumeration.
    pub fn enum_type(self) -> ClangType<'tu> {
        ClangType::new(self.unit, unsafe { (self.unit.functions.clang_getEnumDeclIntegerType)(self.raw) })
    }

    /// Value of an enumerator.
    pub fn enum_value(self, signed: bool) -> i128 {
        let functions = self.unit.functions;
        unsafe {
            if signed {
                (functions.clang_getEnumConstantDeclValue)(self.raw).into()
            } else {
                (functions.clang_getEnumConstantDeclUnsignedValue)(self.raw).into()
            }
        }
    }

    /// Type a typedef stands for.
    pub fn typedef_type(self) -> ClangType<'tu> {
        ClangType::new(self.unit, unsafe {
            (self.unit.functions.clang_getTypedefDeclUnderlyingType)(self.raw)
        })
    }

    /// The value of an expression that clang can compute now, if it is an integer.
    pub fn constant(self) -> Option<i128> {
        const INTEGER: i32 = 1;
        let functions = self.unit.functions;
        unsafe {
            let result = (functions.clang_Cursor_Evaluate)(self.raw);
            if result.is_null() {
                return None;
            }
            let value = ((functions.clang_EvalResult_getKind)(result) == INTEGER).then(|| {
                if (functions.clang_EvalResult_isUnsignedInt)(result) != 0 {
                    (functions.clang_EvalResult_getAsUnsigned)(result).into()
                } else {
                    (functions.clang_EvalResult_getAsLongLong)(result).into()
                }
            });
            (functions.clang_EvalResult_dispose)(result);
            value
        }
    }

    /// Where its name (or, without one, its first token) stands.
    pub fn location(self) -> Location<'tu> {
        Location { unit: self.unit, raw: unsafe { (self.unit.functions.clang_getCursorLocation)(self.raw) } }
    }

    /// Its first token and the end of its last one.
    pub fn extent(self) -> (Location<'tu>, Location<'tu>) {
        let functions = self.unit.functions;
        unsafe {
            let range = (functions.clang_getCursorExtent)(self.raw);
            (
                Location { unit: self.unit, raw: (functions.clang_getRangeStart)(range) },
                Location { unit: self.unit, raw: (functions.clang_getRangeEnd)(range) },
            )
        }
    }
}

/// A position in the text, possibly inside a macro.
#[derive(Clone, Copy)]
pub struct Location<'tu> {
    unit: &'tu TranslationUnit,
    raw: CxLocation,
}

/// A position in a file.
pub struct FilePosition<'tu> {
    unit: &'tu TranslationUnit,
    file: Opaque,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Offset in bytes, from 0.
    pub offset: usize,
}

// SAFETY of the calls below: as for cursors; out-pointers are locals.
impl<'tu> Location<'tu> {
    pub(super) fn new(unit: &'tu TranslationUnit, raw: CxLocation) -> Self {
        Self { unit, raw }
    }

    /// Where the user sees it: in the file, at the name of the outermost macro for code that a macro makes.
    pub fn expansion(self) -> FilePosition<'tu> {
        self.position(self.unit.functions.clang_getExpansionLocation)
    }

    /// As [`Self::expansion`], but for code in a macro's argument the place of that argument.
    pub fn in_file(self) -> FilePosition<'tu> {
        self.position(self.unit.functions.clang_getFileLocation)
    }

    fn position(
        self,
        resolve: unsafe extern "C" fn(CxLocation, *mut Opaque, *mut u32, *mut u32, *mut u32),
    ) -> FilePosition<'tu> {
        let (mut file, mut line, mut column, mut offset) = (ptr::null_mut(), 0, 0, 0);
        unsafe { resolve(self.raw, &mut file, &mut line, &mut column, &mut offset) };
        FilePosition { unit: self.unit, file, line, column, offset: offset as usize }
    }

    /// The place that line markers (`# 12 "file.c"`) give it.
    pub fn presumed(self) -> Place {
        let functions = self.unit.functions;
        let (mut line, mut column) = (0, 0);
        let mut name = std::mem::MaybeUninit::uninit();
        let file = unsafe {
            (functions.clang_getPresumedLocation)(self.raw, name.as_mut_ptr(), &mut line, &mut column);
            self.unit.string(name.assume_init())
        };
        Place { file, line, column }
    }

    /// Inside a header of the system.
    pub fn in_system_header(self) -> bool {
        unsafe { (self.unit.functions.clang_Location_isInSystemHeader)(self.raw) != 0 }
    }

    /// Inside the file that was parsed, not a header. What a macro makes is where the macro is used.
    pub fn in_main_file(self) -> bool {
        let (functions, used) = (self.unit.functions, self.expansion());
        unsafe {
            let used = (functions.clang_getLocation)(self.unit.unit, used.file, used.line, used.column);
            (functions.clang_Location_isFromMainFile)(used) != 0
        }
    }
}

impl<'tu> FilePosition<'tu> {
    /// As the user reads it.
    pub fn place(&self) -> Place {
        let file = if self.file.is_null() {
            String::new()
        } else {
            self.unit.string(unsafe { (self.unit.functions.clang_getFileName)(self.file) })
        };
        Place { file, line: self.line, column: self.column }
    }

    /// The text of the file from here to `end`; `None` if that lies elsewhere or before.
    pub fn text_to(&self, end: &FilePosition<'tu>) -> Option<&'tu [u8]> {
        let is_after = self.file == end.file && self.offset <= end.offset;
        self.text_behind().filter(|_| is_after)?.get(..end.offset - self.offset)
    }

    /// The text of the file from here on.
    pub fn text_behind(&self) -> Option<&'tu [u8]> {
        if self.file.is_null() {
            return None;
        }
        let mut size = 0;
        let contents =
            unsafe { (self.unit.functions.clang_getFileContents)(self.unit.unit, self.file, &mut size) };
        if contents.is_null() {
            return None;
        }
        // SAFETY: libclang keeps the buffer of `size` bytes as long as the unit, which 'tu outlives.
        let bytes = unsafe { std::slice::from_raw_parts(contents.cast::<u8>(), size) };
        bytes.get(self.offset..)
    }
}
