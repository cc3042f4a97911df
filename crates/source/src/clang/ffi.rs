//! The functions of libclang's C interface that this crate calls, found in the shared library at run time.
//!
//! Takes the path of a library; gives a table of function pointers. Never interprets anything: the meaning is given by
//! the wrappers beside this file.
//!
//! Why not `clang-sys`: it looks for the library by rules of its own, takes no path, keeps what it loaded for one thread, and
//! panics at the first call of a function that the library lacks. Here the libclang beside the compiler is taken, once for all
//! threads, and one without a function is refused when it is loaded.

use std::ffi::{c_char, c_int, c_longlong, c_uint, c_ulong, c_ulonglong, c_void};

/// An opaque object of the library.
pub type Opaque = *mut c_void;

/// `CXString`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CxString {
    data: *const c_void,
    private_flags: c_uint,
}

/// `CXUnsavedFile`: a text that stands for a file.
#[repr(C)]
pub struct CxUnsavedFile {
    pub filename: *const c_char,
    pub contents: *const c_char,
    pub length: c_ulong,
}

/// `CXCursor`: a node of the syntax tree.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CxCursor {
    pub kind: c_int,
    xdata: c_int,
    data: [*const c_void; 3],
}

/// `CXType`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CxType {
    pub kind: c_int,
    pub data: [*mut c_void; 2],
}

/// `CXSourceLocation`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CxLocation {
    ptr_data: [*const c_void; 2],
    int_data: c_uint,
}

/// `CXSourceRange`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CxRange {
    ptr_data: [*const c_void; 2],
    begin_int_data: c_uint,
    end_int_data: c_uint,
}

/// Called for each child of a cursor; answers whether to go on.
pub type ChildVisitor = extern "C" fn(CxCursor, CxCursor, *mut c_void) -> c_int;
/// Called for each field of a record; answers whether to go on.
pub type FieldVisitor = extern "C" fn(CxCursor, *mut c_void) -> c_int;
/// Go on with the next one (both visitors).
pub const VISIT_CONTINUE: c_int = 1;

macro_rules! functions {
    ($($name:ident: fn($($argument:ty),* $(,)?) $(-> $result:ty)?;)*) => {
        /// The function table; the library stays loaded as long as it lives.
        #[allow(non_snake_case)]
        pub struct Functions {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            _library: libloading::Library,
        }

        impl Functions {
            /// Looks every function up.
            ///
            /// # Safety
            /// The file must be a libclang of version 17 or later.
            pub unsafe fn load(path: &std::path::Path) -> Result<Self, libloading::Error> {
                // SAFETY: the caller vouches for the library; signatures follow its public header.
                unsafe {
                    let library = libloading::Library::new(path)?;
                    Ok(Self {
                        $($name: *library.get(concat!(stringify!($name), "\0").as_bytes())?,)*
                        _library: library,
                    })
                }
            }
        }
    };
}

type OutUint = *mut c_uint;

functions! {
    clang_getCString: fn(CxString) -> *const c_char;
    clang_disposeString: fn(CxString);
    clang_createIndex: fn(c_int, c_int) -> Opaque;
    clang_disposeIndex: fn(Opaque);
    clang_parseTranslationUnit2: fn(
        Opaque, *const c_char, *const *const c_char, c_int, *mut CxUnsavedFile, c_uint, c_uint, *mut Opaque,
    ) -> c_int;
    clang_disposeTranslationUnit: fn(Opaque);
    clang_getNumDiagnostics: fn(Opaque) -> c_uint;
    clang_getDiagnostic: fn(Opaque, c_uint) -> Opaque;
    clang_getDiagnosticSeverity: fn(Opaque) -> c_int;
    clang_formatDiagnostic: fn(Opaque, c_uint) -> CxString;
    clang_getDiagnosticLocation: fn(Opaque) -> CxLocation;
    clang_getDiagnosticSpelling: fn(Opaque) -> CxString;
    clang_disposeDiagnostic: fn(Opaque);
    clang_getTranslationUnitCursor: fn(Opaque) -> CxCursor;
    clang_getFileName: fn(Opaque) -> CxString;
    clang_getFileContents: fn(Opaque, Opaque, *mut usize) -> *const c_char;

    clang_visitChildren: fn(CxCursor, ChildVisitor, *mut c_void) -> c_uint;
    clang_equalCursors: fn(CxCursor, CxCursor) -> c_uint;
    clang_isExpression: fn(c_int) -> c_uint;
    clang_isStatement: fn(c_int) -> c_uint;
    clang_isCursorDefinition: fn(CxCursor) -> c_uint;
    clang_getCursorReferenced: fn(CxCursor) -> CxCursor;
    clang_getCursorDefinition: fn(CxCursor) -> CxCursor;
    clang_getCursorSemanticParent: fn(CxCursor) -> CxCursor;
    clang_getCursorSpelling: fn(CxCursor) -> CxString;
    clang_getCursorType: fn(CxCursor) -> CxType;
    clang_getCursorLocation: fn(CxCursor) -> CxLocation;
    clang_getCursorExtent: fn(CxCursor) -> CxRange;
    clang_getCursorUnaryOperatorKind: fn(CxCursor) -> c_int;
    clang_getCursorBinaryOperatorKind: fn(CxCursor) -> c_int;
    clang_Cursor_getStorageClass: fn(CxCursor) -> c_int;
    clang_getCursorTLSKind: fn(CxCursor) -> c_int;
    clang_Cursor_isFunctionInlined: fn(CxCursor) -> c_uint;
    clang_Cursor_getVarDeclInitializer: fn(CxCursor) -> CxCursor;
    clang_Cursor_getNumArguments: fn(CxCursor) -> c_int;
    clang_Cursor_getArgument: fn(CxCursor, c_uint) -> CxCursor;
    clang_Cursor_isNull: fn(CxCursor) -> c_int;
    clang_Cursor_isBitField: fn(CxCursor) -> c_uint;
    clang_Cursor_getOffsetOfField: fn(CxCursor) -> c_longlong;
    clang_getFieldDeclBitWidth: fn(CxCursor) -> c_int;
    clang_Cursor_Evaluate: fn(CxCursor) -> Opaque;
    clang_EvalResult_getKind: fn(Opaque) -> c_int;
    clang_EvalResult_isUnsignedInt: fn(Opaque) -> c_uint;
    clang_EvalResult_getAsLongLong: fn(Opaque) -> c_longlong;
    clang_EvalResult_getAsUnsigned: fn(Opaque) -> c_ulonglong;
    clang_EvalResult_dispose: fn(Opaque);
    clang_getEnumDeclIntegerType: fn(CxCursor) -> CxType;
    clang_getEnumConstantDeclValue: fn(CxCursor) -> c_longlong;
    clang_getEnumConstantDeclUnsignedValue: fn(CxCursor) -> c_ulonglong;
    clang_getTypedefDeclUnderlyingType: fn(CxCursor) -> CxType;

    clang_getRangeStart: fn(CxRange) -> CxLocation;
    clang_getRangeEnd: fn(CxRange) -> CxLocation;
    clang_getExpansionLocation: fn(CxLocation, *mut Opaque, OutUint, OutUint, OutUint);
    clang_getFileLocation: fn(CxLocation, *mut Opaque, OutUint, OutUint, OutUint);
    clang_getPresumedLocation: fn(CxLocation, *mut CxString, OutUint, OutUint);
    clang_Location_isInSystemHeader: fn(CxLocation) -> c_int;
    clang_Location_isFromMainFile: fn(CxLocation) -> c_int;
    clang_getLocation: fn(Opaque, Opaque, c_uint, c_uint) -> CxLocation;

    clang_getTypeSpelling: fn(CxType) -> CxString;
    clang_getCanonicalType: fn(CxType) -> CxType;
    clang_getUnqualifiedType: fn(CxType) -> CxType;
    clang_isConstQualifiedType: fn(CxType) -> c_uint;
    clang_isVolatileQualifiedType: fn(CxType) -> c_uint;
    clang_isFunctionTypeVariadic: fn(CxType) -> c_uint;
    clang_getResultType: fn(CxType) -> CxType;
    clang_getPointeeType: fn(CxType) -> CxType;
    clang_getArrayElementType: fn(CxType) -> CxType;
    clang_getArraySize: fn(CxType) -> c_longlong;
    clang_getElementType: fn(CxType) -> CxType;
    clang_getNumArgTypes: fn(CxType) -> c_int;
    clang_getArgType: fn(CxType, c_uint) -> CxType;
    clang_getTypeDeclaration: fn(CxType) -> CxCursor;
    clang_Type_getSizeOf: fn(CxType) -> c_longlong;
    clang_Type_getAlignOf: fn(CxType) -> c_longlong;
    clang_Type_getValueType: fn(CxType) -> CxType;
    clang_Type_visitFields: fn(CxType, FieldVisitor, *mut c_void) -> c_uint;
}
