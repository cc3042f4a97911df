//! What the variables of a test are called, and how one speaks of them.
//!
//! Takes types and hints, gives names that clash with nothing of the unit. Never declares.

use std::collections::{BTreeMap, BTreeSet};

use tarka_scenario::Role;
use tarka_source::{SourceModel, Stub, TypeKind, base_name, type_name};

use super::{Scene, SceneObject, Unspellable};

/// How an object appears in the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectForm {
    /// A variable.
    Single,
    /// An array variable.
    Array,
    /// Allocated, because the unit frees it.
    Allocated,
    /// Allocated and kept by a static pointer, because no variable of the type is large enough (`T last[0]`).
    Kept,
    /// A variable of the unit itself.
    Global,
    /// Plain memory that stands for an object of a type without a definition.
    Opaque,
}

/// An object with its name.
#[derive(Clone, Debug)]
pub struct Named {
    /// Variable name.
    pub name: String,
    /// How it appears.
    pub form: ObjectForm,
    /// Elements kept.
    pub elements: u64,
    /// Bytes kept, those of a flexible array member included.
    pub bytes: u64,
    /// `__typeof__(…)` where the element type has no name of its own.
    pub(super) typeof_text: Option<String>,
}

impl Named {
    /// The C place of one element.
    pub fn element(&self, index: u64) -> String {
        match self.form {
            ObjectForm::Single | ObjectForm::Global => self.name.clone(),
            ObjectForm::Allocated if self.elements == 1 => format!("(*{})", self.name),
            ObjectForm::Kept => format!("(*{})", self.name),
            ObjectForm::Array | ObjectForm::Allocated | ObjectForm::Opaque => {
                format!("{}[{index}]", self.name)
            }
        }
    }

    /// The C expression that points to it.
    pub fn pointer(&self) -> String {
        match self.form {
            ObjectForm::Single | ObjectForm::Global => format!("&{}", self.name),
            // Nothing may be read through it: the end of a one-element array is exactly that.
            ObjectForm::Array if self.elements == 0 => format!("{} + 1", self.name),
            ObjectForm::Array | ObjectForm::Allocated | ObjectForm::Kept | ObjectForm::Opaque => {
                self.name.clone()
            }
        }
    }
}

/// The place of a member.
pub fn member(path: &str, field: &str) -> String {
    match path.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')')) {
        Some(pointer) if !field.is_empty() => format!("{pointer}->{field}"),
        _ if field.is_empty() => path.to_string(),
        _ => format!("{path}.{field}"),
    }
}

/// Names given so far.
pub(super) struct Names {
    taken: BTreeSet<String>,
    counters: BTreeMap<String, u32>,
}

impl Names {
    pub(super) fn of_unit(model: &SourceModel, stubs: &[Stub]) -> Names {
        Names { taken: Scene::reserved(model, stubs), counters: BTreeMap::new() }
    }

    /// `node_1`, `node_2` … in the order they are asked for.
    pub(super) fn fresh(&mut self, base: &str) -> String {
        loop {
            let counter = self.counters.entry(base.to_string()).or_insert(0);
            *counter += 1;
            let name = format!("{base}_{counter}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

impl Scene<'_> {
    /// A struct is called after its type, everything else after the pointer that holds it.
    pub(super) fn name_for(&mut self, object: SceneObject, hint: &str) -> String {
        let ty = self.model.types.get(object.ty);
        let base = match ty.kind {
            TypeKind::Record { .. } | TypeKind::Incomplete => base_name(&ty.spelling),
            _ => None,
        };
        self.names.fresh(&base.unwrap_or_else(|| hint.to_string()))
    }

    /// The type of a pointee by way of the pointer that holds it, for types without a name.
    pub(super) fn typeof_text(&self, object: SceneObject) -> Result<String, Unspellable> {
        Ok(format!("__typeof__(*{})", self.holding_pointer(object)?))
    }

    /// An expression, never evaluated, for the pointer to an object.
    fn holding_pointer(&self, object: SceneObject) -> Result<String, Unspellable> {
        let unnamed = || Unspellable { what: "a parameter of a type without a name".to_string() };
        let Role::Pointee { object: holder, offset } = *object.role else { return Err(unnamed()) };
        let parent = self.objects[holder as usize];
        let within = offset % self.element_size(parent);
        let whole = match parent.role {
            Role::Global(name) => name.clone(),
            _ => match type_name(&self.model.types, parent.ty) {
                Some(name) if matches!(self.model.types.get(parent.ty).kind, TypeKind::Pointer { .. }) => {
                    return Ok(format!("(({name})0)"));
                }
                Some(name) => format!("(*(({name} *)0))"),
                None => format!("(*{})", self.holding_pointer(parent)?),
            },
        };
        self.pointer_at(parent.ty, within, &whole).ok_or_else(unnamed)
    }
}
