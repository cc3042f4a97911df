//! The types of several files in one table.
//!
//! Takes the tables of a program's files, the unit's own first; gives one in which types that are the same are one, and where each
//! type of the others went. Types of other files that the unit's file does not have are known by what they are, since it cannot
//! write their names. Never: what types are used for.

use std::collections::HashMap;

use crate::{Container, Field, Type, TypeId, TypeKind, TypeTable};

/// Makes one table of several.
pub(super) struct Unifier {
    table: TypeTable,
    /// Types by what they are called.
    by_name: HashMap<String, Vec<TypeId>>,
    /// So many are the unit's own.
    own: u32,
    /// Whether the unit's file can write the type, by number.
    named: Vec<bool>,
    /// A number for each identity of another file that nobody had before.
    identities: usize,
}

impl Unifier {
    /// Begins with the types of the unit's file, which keep their numbers.
    pub(super) fn new(mut table: TypeTable) -> Unifier {
        table.identities.resize(table.types.len(), 0);
        let mut by_name: HashMap<String, Vec<TypeId>> = HashMap::new();
        for id in (0..table.types.len() as u32).map(TypeId) {
            by_name.entry(table.describe(id)).or_default().push(id);
        }
        let own = table.types.len() as u32;
        let named = vec![true; own as usize];
        Unifier { table, by_name, own, named, identities: 0 }
    }

    pub(super) fn own_count(&self) -> u32 {
        self.own
    }

    /// Whether the unit's file can write each type.
    pub(super) fn named(&self) -> Vec<bool> {
        self.named.clone()
    }

    /// `void *`.
    pub(super) fn void_pointer(&mut self) -> TypeId {
        let void = self
            .find_or_add("void", Type { kind: TypeKind::Void, size: 0, align: 0, spelling: "void".into() });
        let kind = TypeKind::Pointer { to: void, to_const: false };
        self.find_or_add("void *", Type { kind, size: 8, align: 8, spelling: "void *".into() })
    }

    fn find_or_add(&mut self, name: &str, ty: Type) -> TypeId {
        let known = self.by_name.get(name).and_then(|ids| ids.first().copied());
        known.unwrap_or_else(|| self.push(name.to_owned(), ty, true))
    }

    fn push(&mut self, name: String, ty: Type, is_named: bool) -> TypeId {
        let id = TypeId(self.table.types.len() as u32);
        self.table.types.push(ty);
        self.table.identities.push(0);
        self.named.push(is_named);
        self.by_name.entry(name).or_default().push(id);
        id
    }

    /// Adds the types of a file; gives where each of them is.
    pub(super) fn add(&mut self, other: &TypeTable) -> Vec<TypeId> {
        let mut adding =
            Adding { other, places: vec![None; other.types.len()], identities: HashMap::new(), all: self };
        (0..other.types.len() as u32).map(|id| adding.place(TypeId(id))).collect()
    }

    /// The whole table.
    pub(super) fn finish(mut self) -> TypeTable {
        self.table.name_more_types();
        self.table
    }
}

/// A file's types on their way into the table.
struct Adding<'a> {
    other: &'a TypeTable,
    places: Vec<Option<TypeId>>,
    /// What the file's identities are in the table.
    identities: HashMap<usize, usize>,
    all: &'a mut Unifier,
}

impl Adding<'_> {
    fn place(&mut self, id: TypeId) -> TypeId {
        if let Some(place) = self.places[id.0 as usize] {
            return place;
        }
        let (ty, spelling) = self.spelled(id);
        let known = self.all.by_name.get(&spelling).into_iter().flatten();
        let known = known.copied().find(|known| self.is_same(&ty, self.all.table.get(*known)));
        let identity = self.other.identities.get(id.0 as usize).copied().unwrap_or(0);
        if let Some(known) = known {
            self.places[id.0 as usize] = Some(known);
            self.identities.insert(identity, self.all.table.identities[known.0 as usize]);
            return known;
        }
        // Known before its parts are looked at, so that a list node may point to a list node.
        let place = self.all.push(spelling, Type { kind: TypeKind::Incomplete, ..ty.clone() }, false);
        self.places[id.0 as usize] = Some(place);
        let kind = self.kind(&ty.kind);
        let is_named = match &kind {
            TypeKind::Int { .. } | TypeKind::Float { .. } | TypeKind::Bool | TypeKind::Void => true,
            TypeKind::Pointer { to, .. } => self.all.named[to.0 as usize],
            TypeKind::Array { of, .. } => self.all.named[of.0 as usize],
            _ => false,
        };
        if identity != 0 {
            let next = &mut self.all.identities;
            let identity = *self.identities.entry(identity).or_insert_with(|| {
                *next += 1;
                *next
            });
            self.all.table.identities[place.0 as usize] = identity;
        }
        self.all.table.types[place.0 as usize].kind = kind;
        self.all.named[place.0 as usize] = is_named;
        place
    }

    /// A type as the unit's file would write it, if it has no name for it.
    fn spelled(&self, id: TypeId) -> (Type, String) {
        let mut ty = self.other.get(id).clone();
        let has_name = self
            .all
            .by_name
            .get(&ty.spelling)
            .is_some_and(|known| known.iter().any(|known| self.is_same(&ty, self.all.table.get(*known))));
        if !has_name {
            let basic = match &ty.kind {
                TypeKind::Enum { bits, signed, .. } => {
                    let kind = TypeKind::Int { bits: *bits, signed: *signed, is_char: false };
                    ty.kind = kind;
                    basic_spelling(&ty.kind)
                }
                kind => basic_spelling(kind),
            };
            if let Some(basic) = basic {
                ty.spelling = basic.to_owned();
            } else if matches!(ty.kind, TypeKind::Pointer { .. } | TypeKind::Array { .. })
                && is_word(&ty.spelling)
            {
                // What a name of the other file stands for can be written all the same.
                ty.spelling = String::new();
            }
        }
        let spelling = match ty.spelling.is_empty() {
            true => self.other.describe(id),
            false => ty.spelling.clone(),
        };
        (ty, spelling)
    }

    /// Whether two types with the same name are laid out alike.
    fn is_same(&self, new: &Type, known: &Type) -> bool {
        if (new.size, new.align) != (known.size, known.align) {
            return false;
        }
        match (&new.kind, &known.kind) {
            (TypeKind::Record { fields, is_union }, TypeKind::Record { fields: others, is_union: union }) => {
                let is_same = |(new, known): (&Field, &Field)| {
                    let described = self.other.describe(new.ty) == self.all.table.describe(known.ty);
                    new.name == known.name
                        && (new.offset_bits, new.bit_width) == (known.offset_bits, known.bit_width)
                        && described
                };
                is_union == union && fields.len() == others.len() && fields.iter().zip(others).all(is_same)
            }
            (TypeKind::Enum { enumerators, .. }, TypeKind::Enum { enumerators: others, .. }) => {
                enumerators == others
            }
            (
                TypeKind::Int { bits, signed, .. },
                TypeKind::Int { bits: other_bits, signed: other_signed, .. },
            ) => (bits, signed) == (other_bits, other_signed),
            (TypeKind::Pointer { to, to_const }, TypeKind::Pointer { to: other, to_const: is_const }) => {
                to_const == is_const && self.other.describe(*to) == self.all.table.describe(*other)
            }
            (new, known) => std::mem::discriminant(new) == std::mem::discriminant(known),
        }
    }

    fn kind(&mut self, kind: &TypeKind) -> TypeKind {
        match kind {
            TypeKind::Pointer { to, to_const } => {
                TypeKind::Pointer { to: self.place(*to), to_const: *to_const }
            }
            TypeKind::Array { of, len } => TypeKind::Array { of: self.place(*of), len: *len },
            TypeKind::Record { fields, is_union } => {
                let fields = fields.iter().map(|field| self.field(field)).collect();
                TypeKind::Record { fields, is_union: *is_union }
            }
            TypeKind::Function { result, params, is_variadic } => TypeKind::Function {
                result: self.place(*result),
                params: params.iter().map(|param| self.place(*param)).collect(),
                is_variadic: *is_variadic,
            },
            TypeKind::Complex { of } => TypeKind::Complex { of: self.place(*of) },
            other => other.clone(),
        }
    }

    fn field(&mut self, field: &Field) -> Field {
        let container =
            field.container.map(|container| Container { ty: self.place(container.ty), ..container });
        Field {
            ty: self.place(field.ty),
            cast_to: field.cast_to.map(|to| self.place(to)),
            container,
            ..field.clone()
        }
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// What every C file calls a number of this kind.
fn basic_spelling(kind: &TypeKind) -> Option<&'static str> {
    Some(match kind {
        TypeKind::Bool => "_Bool",
        TypeKind::Int { bits: 8, signed: true, .. } => "signed char",
        TypeKind::Int { bits: 8, signed: false, .. } => "unsigned char",
        TypeKind::Int { bits: 16, signed: true, .. } => "short",
        TypeKind::Int { bits: 16, signed: false, .. } => "unsigned short",
        TypeKind::Int { bits: 32, signed: true, .. } => "int",
        TypeKind::Int { bits: 32, signed: false, .. } => "unsigned int",
        TypeKind::Int { bits: 64, signed: true, .. } => "long",
        TypeKind::Int { bits: 64, signed: false, .. } => "unsigned long",
        TypeKind::Float { bits: 32 } => "float",
        TypeKind::Float { bits: 64 } => "double",
        TypeKind::Float { bits: 80 } => "long double",
        _ => return None,
    })
}
