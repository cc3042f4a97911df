//! Which functions can be tested: takes a function's types, gives the reason if not, and the members that stay zero.

use tarka_source::{Function, TypeId, TypeKind, TypeTable};

use super::leaf::{MAX_ELEMENT, why_not_pointee};

/// Why the function cannot be tested yet, in words.
pub(crate) fn why_not_testable(types: &TypeTable, function: &Function) -> Option<String> {
    if function.is_variadic {
        return Some("it takes a variable number of arguments (`...`): not supported yet".to_string());
    }
    function.params.iter().find_map(|param| {
        let name = &param.name;
        if let TypeKind::Pointer { to, .. } = &types.get(param.ty).kind {
            let what = why_not_pointee(types.get(*to))?;
            return Some(format!("parameter `{name}` is {what}: not supported yet"));
        }
        let what = why_not_value(types, param.ty)?;
        Some(format!("parameter `{name}` {what}: not supported yet"))
    })
}

/// Why a value of this type cannot be made up; pointers inside it can always be null.
fn why_not_value(types: &TypeTable, ty: TypeId) -> Option<String> {
    let found = types.get(ty);
    match &found.kind {
        TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Enum { .. } | TypeKind::Pointer { .. } => None,
        TypeKind::Float { bits: 32 | 64 } => None,
        _ if found.size > MAX_ELEMENT => Some("is larger than 1 MiB".to_string()),
        TypeKind::Array { of, .. } => why_not_value(types, *of),
        TypeKind::Record { is_union: true, .. } => Some("is or holds a union".to_string()),
        TypeKind::Record { fields, .. } => fields.iter().find_map(|field| why_not_value(types, field.ty)),
        TypeKind::Float { .. } => Some(format!("is or holds a `{}`", found.spelling)),
        TypeKind::Other(name) => Some(format!("is or holds a `{name}`")),
        TypeKind::Void | TypeKind::Function { .. } | TypeKind::Complex { .. } | TypeKind::Incomplete => {
            Some(format!("has the type `{}`", found.spelling))
        }
    }
}

/// What stays zero in every input.
#[derive(Debug, Default)]
pub(crate) struct KeptZero {
    /// Pointers that are always null, one sentence each.
    pub null: Vec<String>,
    /// Members that are always zero, one sentence each.
    pub zero: Vec<String>,
    /// Some input has a pointer at all.
    pub has_pointers: bool,
}

/// Members reachable from the parameters that stay zero or null.
pub(crate) fn members_kept_zero(types: &TypeTable, function: &Function) -> KeptZero {
    let mut seen = vec![false; types.types.len()];
    let mut open: Vec<TypeId> = function.params.iter().rev().map(|param| param.ty).collect();
    let mut kept = KeptZero::default();
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        let ty = types.get(id);
        match &ty.kind {
            TypeKind::Pointer { to, .. } => {
                kept.has_pointers = true;
                open.push(*to);
            }
            TypeKind::Array { of, .. } => open.push(*of),
            TypeKind::Record { fields, is_union: false } => {
                for field in fields {
                    let member = format!("member `{}` of {}", field.name, owner_name(&ty.spelling));
                    kept.note(types, field.ty, &member);
                }
                open.extend(fields.iter().rev().map(|field| field.ty));
            }
            _ => {}
        }
    }
    kept
}

fn owner_name(spelling: &str) -> String {
    if spelling.is_empty() { "an unnamed struct".to_string() } else { format!("`{spelling}`") }
}

impl KeptZero {
    fn note(&mut self, types: &TypeTable, ty: TypeId, member: &str) {
        match &types.get(ty).kind {
            TypeKind::Pointer { to, .. } => {
                let what = why_not_pointee(types.get(*to));
                self.null.extend(what.map(|what| format!("{member} is {what}: kept null")));
            }
            TypeKind::Array { of, .. } => self.note(types, *of, member),
            TypeKind::Record { is_union: true, .. } => {
                self.zero.push(format!("{member} is a union: kept zero"))
            }
            TypeKind::Float { bits: 32 | 64 } => {}
            TypeKind::Float { .. } => self.zero.push(format!("{member} is a long double: kept zero")),
            TypeKind::Other(name) => self.zero.push(format!("{member} is a `{name}`: kept zero")),
            _ => {}
        }
    }
}
