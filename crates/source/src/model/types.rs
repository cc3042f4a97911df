//! C types with their layout, and the keys that name them in a scenario.
//!
//! Takes types by number; gives sizes, members and pointees. Never: clang, C text (that is `declare`).

use serde::{Deserialize, Serialize};
use std::collections::HashMap;

use tarka_scenario::TypeKey;

/// A type of a [`TypeTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TypeId(pub u32);

/// Every type a model mentions, each once.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    /// Indexed by [`TypeId`].
    pub types: Vec<Type>,
    /// Tells types that are the same to the compiler, by [`TypeId`]; 0 where it was not asked.
    pub(crate) identities: Vec<usize>,
    /// The key of each type, by [`TypeId`].
    pub(crate) keys: Vec<TypeKey>,
    pub(crate) by_key: HashMap<TypeKey, TypeId>,
}

impl TypeTable {
    /// The type itself.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// The key that names the type outside of this table.
    pub fn key(&self, id: TypeId) -> TypeKey {
        self.keys[id.0 as usize].clone()
    }

    /// The type with this key, if the file has one.
    pub fn by_key(&self, key: &TypeKey) -> Option<TypeId> {
        self.by_key.get(key).copied()
    }

    /// Gives every type its key: its description, with a number where several types have the same one.
    pub fn name_types(&mut self) {
        self.keys.clear();
        self.by_key.clear();
        self.name_more_types();
    }

    /// The same for types that were added since; the others keep theirs.
    pub(crate) fn name_more_types(&mut self) {
        let mut times: HashMap<String, u32> = HashMap::new();
        for index in 0..self.types.len() as u32 {
            let description = self.describe(TypeId(index));
            let number = times.entry(description.clone()).or_default();
            *number += 1;
            if (index as usize) < self.keys.len() {
                continue;
            }
            let key = match *number {
                1 => TypeKey::new(&description),
                number => TypeKey::new(&format!("{description}#{number}")),
            };
            self.by_key.insert(key.clone(), TypeId(index));
            self.keys.push(key);
        }
    }

    /// How to name the type in a message: as C declares it, or in words where C has no name for it.
    pub fn describe(&self, id: TypeId) -> String {
        let ty = self.get(id);
        if !ty.spelling.is_empty() {
            return ty.spelling.clone();
        }
        match &ty.kind {
            TypeKind::Pointer { to, to_const } => {
                let qualifier = if *to_const { "const " } else { "" };
                format!("{qualifier}{} *", self.describe(*to))
            }
            TypeKind::Array { of, len } => {
                format!("{}[{}]", self.describe(*of), len.map(|len| len.to_string()).unwrap_or_default())
            }
            TypeKind::Record { is_union: true, .. } => "unnamed union".into(),
            TypeKind::Record { .. } => "unnamed struct".into(),
            TypeKind::Enum { .. } => "unnamed enum".into(),
            TypeKind::Other(name) => name.clone(),
            _ => "unnamed type".into(),
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id).kind {
            TypeKind::Pointer { to, .. } => Some(to),
            _ => None,
        }
    }

    /// `unsigned char`, which every analysed file has: what nothing better is known of consists of.
    pub fn byte(&self) -> Option<TypeId> {
        let is_byte = |ty: &Type| {
            ty.spelling == "unsigned char" && matches!(ty.kind, TypeKind::Int { bits: 8, signed: false, .. })
        };
        self.types.iter().position(is_byte).map(|index| TypeId(index as u32))
    }

    /// `int`, which every analysed file has.
    pub fn int(&self) -> Option<TypeId> {
        let is_int =
            |ty: &Type| ty.spelling == "int" && matches!(ty.kind, TypeKind::Int { signed: true, .. });
        self.types.iter().position(is_int).map(|index| TypeId(index as u32))
    }

    /// Objects of this type can be made: its size is known, and it is neither `void` nor a function.
    pub fn is_object(&self, id: TypeId) -> bool {
        let ty = self.get(id);
        let is_other = matches!(
            ty.kind,
            TypeKind::Void | TypeKind::Function { .. } | TypeKind::Incomplete | TypeKind::Other(_)
        );
        !is_other && ty.size > 0
    }

    /// What the C library keeps behind this type, if only the library can make one.
    pub fn handle(&self, id: TypeId) -> Option<LibraryHandle> {
        let ty = self.get(id);
        match (&ty.kind, ty.spelling.as_str()) {
            (TypeKind::Incomplete, "FILE" | "struct _IO_FILE") => Some(LibraryHandle::Stream),
            (TypeKind::Incomplete, "DIR" | "struct __dirstream") => Some(LibraryHandle::Folder),
            _ => None,
        }
    }

    /// Whether two types are the same to C, whatever their typedefs are called.
    pub fn same_type(&self, left: TypeId, right: TypeId) -> bool {
        if left == right {
            return true;
        }
        let identity = |id: TypeId| self.identities.get(id.0 as usize).copied().unwrap_or(0);
        match (&self.get(left).kind, &self.get(right).kind) {
            (TypeKind::Pointer { to: a, to_const: c }, TypeKind::Pointer { to: b, to_const: d }) => {
                c == d && self.same_type(*a, *b)
            }
            (TypeKind::Array { of: a, len: n }, TypeKind::Array { of: b, len: m }) => {
                n == m && self.same_type(*a, *b)
            }
            (
                TypeKind::Function { result: a, params: p, is_variadic: v },
                TypeKind::Function { result: b, params: q, is_variadic: w },
            ) => {
                v == w
                    && self.same_type(*a, *b)
                    && p.len() == q.len()
                    && p.iter().zip(q).all(|(a, b)| self.same_type(*a, *b))
            }
            _ => identity(left) != 0 && identity(left) == identity(right),
        }
    }

    /// A number: integer, boolean, enumeration or floating (no pointer).
    pub fn is_scalar(&self, id: TypeId) -> bool {
        matches!(self.get(id).kind, TypeKind::Float { .. }) || self.is_integer(id)
    }

    /// An integer, a boolean or an enumeration.
    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id).kind, TypeKind::Int { .. } | TypeKind::Bool | TypeKind::Enum { .. })
    }

    /// Smallest and largest number of an integer type of up to 64 bits.
    pub fn limits(&self, id: TypeId) -> Option<(i128, i128)> {
        match self.get(id).kind {
            TypeKind::Int { bits, signed: true, .. } if bits <= 64 => {
                Some((-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1))
            }
            TypeKind::Int { bits, signed: false, .. } if bits <= 64 => Some((0, (1_i128 << bits) - 1)),
            _ => None,
        }
    }

    /// One of `char`, `signed char`, `unsigned char`.
    pub fn is_char(&self, id: TypeId) -> bool {
        matches!(self.get(id).kind, TypeKind::Int { is_char: true, .. })
    }

    /// `void`, or a type that is declared and not defined.
    pub fn is_opaque(&self, id: TypeId) -> bool {
        matches!(self.get(id).kind, TypeKind::Void | TypeKind::Incomplete)
    }

    /// `void`.
    pub fn is_void(&self, id: TypeId) -> bool {
        matches!(self.get(id).kind, TypeKind::Void)
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
    Function {
        /// What it returns.
        result: TypeId,
        /// Types of its parameters (arrays decayed).
        params: Vec<TypeId>,
        /// Takes `...`, or was declared without a parameter list.
        is_variadic: bool,
    },
    /// A complex number: two values of this floating type, the real part first.
    Complex {
        /// Type of a part.
        of: TypeId,
    },
    /// Declared but not defined.
    Incomplete,
    /// Something else (vector, VLA …), by the name C gives it.
    Other(String),
}

/// Something that only the C library can make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LibraryHandle {
    /// `FILE`.
    Stream,
    /// `DIR`.
    Folder,
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
    /// For a pointer: the member of the same record (its index) that counts the elements it points to.
    pub length: Option<u32>,
    /// For a `void *`: what the unit casts it to.
    pub cast_to: Option<TypeId>,
    /// For a pointer: what it leads into the middle of.
    pub container: Option<crate::Container>,
    /// For a pointer: bytes behind it that the code reaches by constants; 0 if none.
    pub reach: u64,
    /// For a pointer: the code adds numbers to it, which nobody may do with null.
    pub is_moved: bool,
    /// For a union: which of its members go with which values of other members of the same record.
    pub selections: Vec<Selection>,
}

/// A value of a tag, and the member of a union that the code uses then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selection {
    /// The tag, by its index among the members of the record.
    pub tag: u32,
    /// Its value.
    pub value: i128,
    /// The member of the union, by index.
    pub member: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(spelling: &str) -> Type {
        let kind = TypeKind::Int { bits: 32, signed: true, is_char: false };
        Type { kind, size: 4, align: 4, spelling: spelling.to_string() }
    }

    #[test]
    fn every_type_has_a_key_of_its_own_that_leads_back_to_it() {
        let unnamed = TypeKind::Record { fields: Vec::new(), is_union: false };
        let unnamed = || Type { kind: unnamed.clone(), ..named("") };
        let types = vec![named("int"), unnamed(), named("struct node"), unnamed(), named("struct node")];
        let mut table = TypeTable { types, ..TypeTable::default() };
        table.name_types();
        let ids = (0..5).map(TypeId);
        let keys: Vec<String> = ids.clone().map(|id| table.key(id).to_string()).collect();
        assert_eq!(keys, ["int", "unnamed struct", "struct node", "unnamed struct#2", "struct node#2"]);
        ids.for_each(|id| assert_eq!(table.by_key(&table.key(id)), Some(id)));
        assert_eq!(table.by_key(&TypeKey::new("struct nothing")), None);
    }
}
