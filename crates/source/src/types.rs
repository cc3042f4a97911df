//! C types with their layout.

/// A type of a [`TypeTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// Every type a model mentions, each once.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    /// Indexed by [`TypeId`].
    pub types: Vec<Type>,
}

impl TypeTable {
    /// The type itself.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }
}

/// A type, without its top-level qualifiers.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Size in bytes (0 when unknown).
    pub size: u64,
    /// Alignment in bytes (0 when unknown).
    pub align: u64,
    /// How C declares it, e.g. `struct node *` or `uint8_t`; the typedef's name where the user wrote one.
    /// For an unnamed struct, union or enum without a typedef: empty.
    pub spelling: String,
}

/// What a type is, typedefs looked through.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `void`.
    Void,
    /// `_Bool`.
    Bool,
    /// An integer; `is_char` for the three character types.
    Int {
        /// Width, 8 to 128.
        bits: u16,
        /// Signedness.
        signed: bool,
        /// One of `char`, `signed char`, `unsigned char`.
        is_char: bool,
    },
    /// A floating type of 32, 64, 80 or 128 bits.
    Float {
        /// Width in bits (80 for x87 `long double`).
        bits: u16,
    },
    /// An enumeration.
    Enum {
        /// Width of the underlying type.
        bits: u16,
        /// Signedness of the underlying type.
        signed: bool,
        /// Name and value.
        enumerators: Vec<(String, i128)>,
    },
    /// A pointer.
    Pointer {
        /// What it points to.
        to: TypeId,
        /// `const T *`.
        to_const: bool,
    },
    /// An array; `len` is `None` for a flexible or incomplete one.
    Array {
        /// Element type.
        of: TypeId,
        /// Number of elements.
        len: Option<u64>,
    },
    /// A struct or union with its members.
    Record {
        /// Members in order; members of anonymous structs and unions appear under an empty name.
        fields: Vec<Field>,
        /// True for a union.
        is_union: bool,
    },
    /// A function type.
    Function,
    /// Declared but not defined.
    Incomplete,
    /// Something else (complex, vector, VLA …), by the name C gives it.
    Other(String),
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// Name, empty for anonymous members.
    pub name: String,
    /// Type.
    pub ty: TypeId,
    /// Offset from the start of the record, in bits.
    pub offset_bits: u64,
    /// Width of a bit field.
    pub bit_width: Option<u32>,
    /// The member is `const`.
    pub is_const: bool,
}
