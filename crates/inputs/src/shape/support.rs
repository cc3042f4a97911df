//! Which functions can be tested, and which parts of their inputs are bounded: reasons and notes in words.
//!
//! Takes types and the shape's roots; gives the reason why a function cannot be tested, the members that stay zero or
//! null, and the objects that are smaller than the program says.

use tarka_scenario::Role;
use tarka_source::{Field, Function, FunctionId, TypeId, TypeKind, TypeTable};

use super::Shape;
use super::element::{MAX_OBJECT, MAX_SYMBOLIC};
use super::grow::{OnlyNull, PointerTarget, why_not_pointee};
use super::object::ObjectShape;

/// Why the function cannot be tested, in words.
pub fn why_not_testable(types: &TypeTable, function: &Function) -> Option<String> {
    function.params.iter().enumerate().find_map(|(position, param)| {
        let ty = types.get(param.ty);
        let what = match &ty.kind {
            TypeKind::Other(name) if name == "va_list" => {
                "is a `va_list`, which only a function with `...` can make: test the function that calls it"
                    .into()
            }
            TypeKind::Other(name) => format!("has the type `{name}`, for which no values are made"),
            _ if ty.size > MAX_OBJECT => "is passed by value and larger than 1 MiB".to_string(),
            _ => return None,
        };
        Some(format!("its {} parameter `{}` {what}", ordinal(position + 1), param.name))
    })
}

fn ordinal(number: usize) -> String {
    match (number % 10, number % 100) {
        (1, rest) if rest != 11 => format!("{number}st"),
        (2, rest) if rest != 12 => format!("{number}nd"),
        (3, rest) if rest != 13 => format!("{number}rd"),
        _ => format!("{number}th"),
    }
}

/// What stays zero in every input, and what is smaller than it could be. One sentence each.
#[derive(Debug, Default)]
pub struct KeptZero {
    /// Pointers that are always null.
    pub null: Vec<String>,
    /// Members that are always zero.
    pub zero: Vec<String>,
    /// Objects of which only a part is tried.
    pub bounds: Vec<String>,
    /// Some input has a pointer at all.
    pub has_pointers: bool,
}

impl Shape<'_> {
    /// What stays zero or is bounded in the inputs of a function.
    pub fn kept_zero(&self, function: FunctionId) -> KeptZero {
        let mut kept = KeptZero::default();
        let roots = self.grown.borrow().objects[..self.roots].to_vec();
        for root in roots.iter().filter(|root| is_first_call(root)) {
            self.note_root(&mut kept, root, function);
        }
        self.note_types(&mut kept, roots.iter().map(|root| root.ty).collect());
        kept
    }

    fn note_root(&self, kept: &mut KeptZero, root: &ObjectShape, function: FunctionId) {
        let name = self.root_name(root, function);
        let Some(pointer) = &root.pointer else {
            self.note_value(kept, root.ty, &name);
            return;
        };
        let Some(slot) = self.slot_at(root, root.offset) else { return };
        if let PointerTarget::OnlyNull(OnlyNull::Unsupported(what)) = self.target(&slot) {
            kept.null.push(format!("{name} is {what}: kept null"));
        }
        let stride = self.model.types.get(slot.to).size.max(1);
        let most = (MAX_SYMBOLIC / stride).max(1);
        if let Some(stated) = pointer.stated.filter(|&stated| stated > most) {
            kept.bounds.push(format!("{name} has {stated} elements: only the first {most} are tried"));
        }
    }

    fn root_name(&self, root: &ObjectShape, function: FunctionId) -> String {
        match &root.root {
            Some(Role::Argument { position, .. }) => {
                let params = &self.model.function(function).params;
                let name = params.get(*position as usize).map_or("", |param| &param.name);
                format!("parameter `{name}`")
            }
            Some(Role::Global(name)) => format!("global `{name}`"),
            Some(Role::Stub { stub, .. }) => {
                let name = self.stubs.get(*stub as usize).map_or("", |stub| &stub.name);
                format!("what stub `{name}` gives")
            }
            Some(Role::Pointee { .. }) | None => "an object".to_string(),
        }
    }

    /// Members of all types that inputs may have.
    fn note_types(&self, kept: &mut KeptZero, roots: Vec<TypeId>) {
        let types = &self.model.types;
        let mut seen = vec![false; types.types.len()];
        let mut open = roots;
        open.reverse();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                continue;
            }
            let ty = types.get(id);
            match &ty.kind {
                TypeKind::Pointer { to, .. } => {
                    kept.has_pointers = true;
                    self.note_pointee(kept, *to);
                    open.push(*to);
                }
                TypeKind::Array { of, .. } => open.push(*of),
                TypeKind::Record { fields, is_union } => {
                    for field in fields {
                        let member = format!("member `{}` of `{}`", field.name, types.describe(id));
                        self.note_member(kept, field, &member);
                    }
                    if *is_union && self.pointers_clash(fields) {
                        let name = types.describe(id);
                        let note = "of the pointers that share their bytes, others than the first are tried only a few times";
                        kept.bounds.push(format!("`{name}`: {note}"));
                    }
                    open.extend(fields.iter().rev().map(|field| field.ty));
                    open.extend(fields.iter().rev().filter_map(|field| field.cast_to));
                }
                _ => {}
            }
        }
    }

    fn note_pointee(&self, kept: &mut KeptZero, to: TypeId) {
        let types = &self.model.types;
        let (ty, name) = (types.get(to), types.describe(to));
        if matches!(ty.kind, TypeKind::Incomplete) && why_not_pointee(types, to).is_none() {
            let note = "is declared but not defined: pointers to it are null or lead to zero bytes";
            kept.bounds.push(format!("`{name}` {note}"));
        } else if (MAX_SYMBOLIC + 1..=MAX_OBJECT).contains(&ty.size) {
            let size = ty.size;
            kept.bounds.push(format!("`{name}` has {size} bytes: only the first {MAX_SYMBOLIC} are inputs"));
        }
    }

    fn note_member(&self, kept: &mut KeptZero, field: &Field, member: &str) {
        let types = &self.model.types;
        let mut ty = field.ty;
        while let TypeKind::Array { of, .. } = types.get(ty).kind {
            ty = of;
        }
        let TypeKind::Pointer { to, .. } = types.get(ty).kind else {
            self.note_value(kept, ty, member);
            return;
        };
        let is_function = matches!(types.get(to).kind, TypeKind::Function { .. });
        let what = if is_function {
            let nobody = self.functions_of_type(to).is_empty();
            nobody.then_some("a pointer to a function of a type that no function has")
        } else {
            why_not_pointee(types, to)
        };
        kept.null.extend(what.map(|what| format!("{member} is {what}: kept null")));
    }

    fn note_value(&self, kept: &mut KeptZero, ty: TypeId, name: &str) {
        let spelling = self.model.types.describe(ty);
        match &self.model.types.get(ty).kind {
            TypeKind::Float { bits: 32 | 64 | 80 } => {}
            TypeKind::Float { .. } | TypeKind::Other(_) => {
                kept.zero.push(format!("{name} is a `{spelling}`: kept zero"));
            }
            _ => {}
        }
    }

    /// Members of a union that point to different types from the same place.
    fn pointers_clash(&self, fields: &[Field]) -> bool {
        let types = &self.model.types;
        let pointees: Vec<TypeId> = fields.iter().filter_map(|field| types.pointee(field.ty)).collect();
        pointees.windows(2).any(|pair| !types.same_type(pair[0], pair[1]))
    }
}

/// One note is enough for what every call has.
fn is_first_call(root: &ObjectShape) -> bool {
    !matches!(root.root, Some(Role::Argument { step: 1.., .. } | Role::Stub { call: 1.., .. }))
}
