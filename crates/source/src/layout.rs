//! Turns clang's types into the model's [`TypeTable`]: each type once, recursion by number.
//!
//! Takes types of libclang; gives their numbers, and in the end the table. Never: values, C text.

use std::collections::HashMap;

use crate::clang::{ClangType, Cursor, node, ty};
use crate::syntax::body::Declaration;
use crate::{Field, Param, Type, TypeId, TypeKind, TypeTable, declare};

/// Builds the table type by type.
#[derive(Default)]
pub struct TypeBuilder {
    table: TypeTable,
    /// By spelling and by clang's identity of the canonical type, which tells equal names of different scopes apart.
    known: HashMap<(String, usize), TypeId>,
    /// Where the members of each record are declared, by clang's identity of the record.
    members: HashMap<usize, Vec<Declaration>>,
}

impl TypeBuilder {
    /// The finished table. It has `int` and `unsigned char` even where the file mentions neither: stubs and untyped
    /// memory are made of them.
    pub fn finish(mut self) -> TypeTable {
        let integer = |size: u64, signed, is_char, spelling: &str| Type {
            kind: TypeKind::Int { bits: (size * 8) as u16, signed, is_char },
            size,
            align: size,
            spelling: spelling.to_string(),
        };
        if self.table.int().is_none() {
            self.insert(integer(4, true, false, "int"));
        }
        if self.table.byte().is_none() {
            self.insert(integer(1, false, true, "unsigned char"));
        }
        self.table.name_types();
        self.table
    }

    /// The types so far.
    pub fn table(&self) -> &TypeTable {
        &self.table
    }

    /// The members that are pointers, and what they point to.
    pub fn pointer_members(&self) -> Vec<(Declaration, TypeId)> {
        let mut found = Vec::new();
        for (index, ty) in self.table.types.iter().enumerate() {
            let identity = self.table.identities.get(index).copied().unwrap_or(0);
            let declarations = self.members.get(&identity).into_iter().flatten();
            let TypeKind::Record { fields, .. } = &ty.kind else { continue };
            let pointers = fields.iter().zip(declarations);
            found.extend(pointers.filter_map(|(field, at)| Some((*at, self.table.pointee(field.ty)?))));
        }
        found
    }

    /// The unions: for each member, where it is declared, or what it consists of if it has no name.
    pub fn union_members(&self) -> HashMap<TypeId, Vec<Vec<Declaration>>> {
        let mut found = HashMap::new();
        for (index, ty) in self.table.types.iter().enumerate() {
            if let TypeKind::Record { fields, is_union: true } = &ty.kind {
                let id = TypeId(index as u32);
                let declarations = self.declarations(id).iter().zip(fields);
                let names = declarations.map(|(declaration, field)| self.names(*declaration, field));
                found.insert(id, names.collect());
            }
        }
        found
    }

    fn names(&self, declaration: Declaration, field: &Field) -> Vec<Declaration> {
        let mut names = vec![declaration];
        if let TypeKind::Record { fields, .. } = &self.table.get(field.ty).kind
            && field.name.is_empty()
        {
            let inner = self.declarations(field.ty).iter().zip(fields);
            names.extend(inner.flat_map(|(declaration, field)| self.names(*declaration, field)));
        }
        names
    }

    fn declarations(&self, record: TypeId) -> &[Declaration] {
        let identity = self.table.identities.get(record.0 as usize).copied().unwrap_or(0);
        self.members.get(&identity).map_or(&[], Vec::as_slice)
    }

    /// Gives every record new facts about its members; a record with two names gets them under both.
    pub fn update_fields(&mut self, update: impl Fn(&TypeTable, &[Field], &[Declaration]) -> Vec<Field>) {
        for index in 0..self.table.types.len() {
            let identity = self.table.identities.get(index).copied().unwrap_or(0);
            let Some(declarations) = self.members.get(&identity) else { continue };
            let TypeKind::Record { fields, is_union } = &self.table.types[index].kind else { continue };
            let kind =
                TypeKind::Record { fields: update(&self.table, fields, declarations), is_union: *is_union };
            self.table.types[index].kind = kind;
        }
    }

    /// The number of a type, top-level qualifiers dropped.
    pub fn add(&mut self, clang_type: ClangType) -> TypeId {
        let named = clang_type.unqualified();
        let canonical = named.canonical();
        let key = (named.spelling(), canonical.identity());
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let spelling = if names_unnamed(&key.0) { String::new() } else { key.0.clone() };
        let id = self.insert(Type {
            kind: TypeKind::Incomplete,
            size: canonical.size().unwrap_or(0),
            align: canonical.align().unwrap_or(0),
            spelling,
        });
        self.table.identities.resize(id.0 as usize, 0);
        self.table.identities.push(canonical.identity());
        // Known before its parts are looked at, so that a list node may point to a list node.
        self.known.insert(key, id);
        let kind = self.kind(named, canonical);
        let ty = &mut self.table.types[id.0 as usize];
        if matches!(kind, TypeKind::Incomplete | TypeKind::Function { .. } | TypeKind::Void) {
            (ty.size, ty.align) = (0, 0);
        }
        ty.kind = kind;
        id
    }

    fn insert(&mut self, ty: Type) -> TypeId {
        self.table.types.push(ty);
        TypeId(self.table.types.len() as u32 - 1)
    }

    /// A record with a header and so many elements right behind it; `None` if C cannot write it down.
    pub fn behind(&mut self, header: TypeId, element: TypeId, count: u64) -> Option<TypeId> {
        let (size, align) = (self.table.get(header).size, self.table.get(header).align);
        let (stride, needed) = (self.table.get(element).size, self.table.get(element).align.max(1));
        let member = declare(&self.table, element, &format!("elements[{count}]"))?;
        let spelling = format!("struct {{ {}; {member}; }}", declare(&self.table, header, "header")?);
        if stride == 0 || size % needed != 0 {
            return None;
        }
        if let Some(known) = self.table.types.iter().position(|ty| ty.spelling == spelling) {
            return Some(TypeId(known as u32));
        }
        let elements = self.insert(Type {
            kind: TypeKind::Array { of: element, len: Some(count) },
            size: stride * count,
            align: needed,
            spelling: String::new(),
        });
        let field = |name: &str, ty, offset: u64| Field {
            name: name.to_string(),
            ty,
            offset_bits: 8 * offset,
            bit_width: None,
            is_const: false,
            length: None,
            cast_to: None,
            container: None,
            reach: 0,
            is_moved: false,
            selections: Vec::new(),
        };
        let fields = vec![field("header", header, 0), field("elements", elements, size)];
        let align = align.max(needed);
        Some(self.insert(Type {
            kind: TypeKind::Record { fields, is_union: false },
            size: (size + stride * count).next_multiple_of(align),
            align,
            spelling,
        }))
    }

    /// A parameter: arrays and functions are passed as pointers.
    pub fn parameter(&mut self, number: usize, parameter: Cursor) -> Param {
        let name = match parameter.name() {
            name if name.is_empty() => format!("arg{number}"),
            name => name,
        };
        let declared = parameter.ty();
        let canonical = declared.canonical();
        let array_len = if is_va_list(&canonical.spelling()) { None } else { canonical.array_len() };
        Param { name, ty: self.parameter_type(declared), array_len, ..Param::default() }
    }

    /// The type a parameter of the declared type has for the callee.
    fn parameter_type(&mut self, declared: ClangType) -> TypeId {
        let canonical = declared.canonical();
        if is_va_list(&canonical.spelling()) {
            return self.va_list(declared, 8);
        }
        if canonical.is_array() {
            // The element as the user wrote it, if the array is not hidden behind a typedef.
            let element = if declared.is_array() { declared.element() } else { canonical.element() };
            return self.pointer_to(element);
        }
        if canonical.is_function() {
            return self.pointer_to(declared);
        }
        self.add(declared)
    }

    /// A pointer that the source does not spell out.
    fn pointer_to(&mut self, target: ClangType) -> TypeId {
        let to_const = target.is_const();
        let to = self.add(target);
        let spelling = pointer_spelling(&target.spelling());
        let spelling = if names_unnamed(&spelling) { String::new() } else { spelling };
        let is_same = |other: &Type| {
            other.spelling == spelling
                && matches!(other.kind, TypeKind::Pointer { to: t, to_const: c } if t == to && c == to_const)
        };
        if let Some(known) = self.table.types.iter().position(is_same) {
            return TypeId(known as u32);
        }
        self.insert(Type { kind: TypeKind::Pointer { to, to_const }, size: 8, align: 8, spelling })
    }

    fn va_list(&mut self, declared: ClangType, size: u64) -> TypeId {
        let key = (format!("va_list of {size}"), 0);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let spelling = declared.unqualified().spelling();
        let id = self.insert(Type { kind: TypeKind::Other("va_list".into()), size, align: 8, spelling });
        self.known.insert(key, id);
        id
    }

    fn kind(&mut self, named: ClangType, canonical: ClangType) -> TypeKind {
        if is_va_list(&canonical.spelling()) {
            return TypeKind::Other("va_list".into());
        }
        let bits = (canonical.size().unwrap_or(0) * 8) as u16;
        match canonical.kind() {
            ty::VOID => TypeKind::Void,
            ty::BOOL => TypeKind::Bool,
            kind if ty::is_integer(kind) => TypeKind::Int {
                bits,
                signed: ty::is_signed(kind),
                is_char: matches!(kind, ty::CHAR_U | ty::UCHAR | ty::CHAR_S | ty::SCHAR),
            },
            ty::FLOAT | ty::DOUBLE | ty::LONG_DOUBLE | ty::FLOAT128 => float(canonical, bits),
            ty::ENUM => enumeration(canonical),
            ty::POINTER => {
                // Written as `T *`, the pointee has the user's name for it; behind a typedef only its own.
                let to = if named.kind() == ty::POINTER { named.pointee() } else { canonical.pointee() };
                TypeKind::Pointer { to: self.add(to), to_const: to.is_const() }
            }
            ty::CONSTANT_ARRAY | ty::INCOMPLETE_ARRAY => {
                let of = if named.is_array() { named.element() } else { canonical.element() };
                TypeKind::Array { of: self.add(of), len: canonical.array_len() }
            }
            ty::RECORD => self.record(canonical),
            ty::FUNCTION_PROTO | ty::FUNCTION_NO_PROTO => {
                // Written out, result and parameters have the user's names for them.
                let written = if named.is_function() { named } else { canonical };
                let params = written.parameters();
                TypeKind::Function {
                    result: self.add(written.result()),
                    params: params.into_iter().map(|param| self.parameter_type(param)).collect(),
                    is_variadic: canonical.is_variadic(),
                }
            }
            ty::COMPLEX => TypeKind::Complex { of: self.add(canonical.complex_part()) },
            // `_Atomic T` holds what T holds; where the layout differs it is something of its own.
            ty::ATOMIC if canonical.atomic_value().size() == canonical.size() => {
                let value = canonical.atomic_value();
                self.kind(value, value.canonical())
            }
            _ => TypeKind::Other(canonical.spelling()),
        }
    }

    fn record(&mut self, canonical: ClangType) -> TypeKind {
        let declaration = canonical.declaration();
        // C keeps the inside of FILE to the library: nobody outside may build one.
        let is_opaque = declaration.name() == "_IO_FILE" && declaration.location().in_system_header();
        if canonical.size().is_none() || is_opaque {
            return TypeKind::Incomplete;
        }
        let mut declarations = Vec::new();
        let fields = canonical
            .fields()
            .into_iter()
            .filter_map(|field| {
                let bit_width = field.bit_width();
                let name = match field.name() {
                    name if names_unnamed(&name) => String::new(),
                    name => name,
                };
                // `int : 3;` is padding, not a member.
                if name.is_empty() && bit_width.is_some() {
                    return None;
                }
                let offset_bits = field.field_offset_bits()?;
                declarations.push(Declaration::of(field));
                Some(Field {
                    name,
                    ty: self.add(field.ty()),
                    offset_bits,
                    bit_width,
                    is_const: field.ty().is_const(),
                    length: None,
                    cast_to: None,
                    container: None,
                    reach: 0,
                    is_moved: false,
                    selections: Vec::new(),
                })
            })
            .collect();
        self.members.insert(canonical.identity(), declarations);
        TypeKind::Record { fields, is_union: declaration.kind() == node::UNION }
    }
}

fn float(canonical: ClangType, bits: u16) -> TypeKind {
    // x87 keeps 80 bits in 16 (or 12) bytes.
    let is_x87 =
        canonical.kind() == ty::LONG_DOUBLE && matches!(bits, 96 | 128) && cfg!(target_arch = "x86_64");
    TypeKind::Float { bits: if is_x87 { 80 } else { bits } }
}

fn enumeration(canonical: ClangType) -> TypeKind {
    let declaration = canonical.declaration();
    let underlying = declaration.enum_type().canonical();
    let Some(size) = canonical.size() else { return TypeKind::Incomplete };
    let signed = ty::is_signed(underlying.kind());
    let enumerators = declaration
        .children()
        .into_iter()
        .filter(|child| child.kind() == node::ENUM_CONSTANT)
        .map(|child| (child.name(), child.enum_value(signed)))
        .collect();
    TypeKind::Enum { bits: (size * 8) as u16, signed, enumerators }
}

/// clang's way to spell something without a name.
fn names_unnamed(spelling: &str) -> bool {
    spelling.contains("(unnamed") || spelling.contains("(anonymous")
}

/// The `va_list` of the x86-64 calling convention, as object or as parameter.
fn is_va_list(canonical: &str) -> bool {
    matches!(canonical, "struct __va_list_tag" | "struct __va_list_tag *" | "struct __va_list_tag[1]")
}

/// How C writes a pointer to a type: the star goes before the brackets of arrays and functions.
fn pointer_spelling(target: &str) -> String {
    if let Some(inner) = target.find("(*") {
        return format!("{}(**{}", &target[..inner], &target[inner + 2..]);
    }
    match target.find(['[', '(']) {
        Some(at) => format!("{} (*){}", target[..at].trim_end(), &target[at..]),
        None if target.ends_with('*') => format!("{target}*"),
        None => format!("{target} *"),
    }
}

#[cfg(test)]
mod tests {
    use super::pointer_spelling;

    #[test]
    fn stars_go_where_c_puts_them() {
        assert_eq!(pointer_spelling("int"), "int *");
        assert_eq!(pointer_spelling("char *"), "char **");
        assert_eq!(pointer_spelling("int[3]"), "int (*)[3]");
        assert_eq!(pointer_spelling("int (char)"), "int (*)(char)");
        assert_eq!(pointer_spelling("int (*)(char)"), "int (**)(char)");
    }
}
