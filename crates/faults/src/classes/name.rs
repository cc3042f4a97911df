//! What C calls a value of an input (`p->next`, `t->a[3]`, `limit`), and where it comes from.
//!
//! Takes the typed record of an input and a byte of the arena; gives the value that holds the byte. Never: values.

use tarka_scenario::{Object, Role, Scenario};
use tarka_source::{Function, SourceModel, TypeId, TypeKind, TypeTable};
use tarka_trace::ARENA_BASE;

/// A number or pointer of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// As C writes it in terms of parameters and globals; `None` for what stubs hand out and for what has no name.
    pub name: Option<String>,
    pub ty: TypeId,
    /// Arena offset.
    pub offset: u32,
    pub size: u32,
    /// A pointer in a record that leads to another record of the same type, as in a list or a tree.
    pub is_link: bool,
    /// How many such pointers the record has.
    pub links: usize,
    /// Other members of a union have its bytes.
    pub is_in_union: bool,
    /// Where its value comes from.
    pub origin: Origin,
}

impl Leaf {
    /// Whether a byte of the arena is part of it.
    pub(super) fn holds(&self, byte: u32) -> bool {
        (self.offset..self.offset + self.size.max(1)).contains(&byte)
    }
}

/// Where a value of an input comes from, as far as that says who is to keep it right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A number that the caller gives: a parameter, or an element of an array that the unit may write.
    Scalar,
    /// A pointer that the caller gives.
    Pointer,
    /// Bytes of a buffer, or a number in a struct that the unit may only read and that holds no pointers.
    Data,
    /// A global, or a member of a struct that the unit may write: what the module keeps for itself.
    State,
    /// Handed out by this stub.
    Stub(u32),
    /// A byte that this stub wrote into a buffer.
    Stream(u32),
}

/// Whether a byte of a value, or of several in a row, belongs to a union.
fn is_in_union(types: &TypeTable, ty: TypeId, byte: u64) -> bool {
    let byte = byte % types.get(ty).size.max(1);
    match &types.get(ty).kind {
        TypeKind::Record { is_union: true, .. } => true,
        TypeKind::Record { fields, .. } => fields.iter().any(|field| {
            let (start, size) = (field.offset_bits / 8, types.get(field.ty).size);
            (start..start + size).contains(&byte) && is_in_union(types, field.ty, byte - start)
        }),
        TypeKind::Array { of, .. } => is_in_union(types, *of, byte),
        _ => false,
    }
}

/// Names the values of one input.
pub(super) struct Namer<'a> {
    pub model: &'a SourceModel,
    pub function: &'a Function,
    pub scenario: &'a Scenario,
    /// Of the members of a union, the pointer is meant.
    pub prefers_pointers: bool,
}

/// Where a walk through a type has come to.
struct Inside {
    text: String,
    ty: TypeId,
    /// Bytes from the start of the value to the byte that is looked for.
    rest: u64,
    /// The record it is a member of.
    record: Option<TypeId>,
    /// An element of an array that is a member of it.
    is_element: bool,
    has_name: bool,
}

impl Namer<'_> {
    /// The value that holds a byte of the arena.
    pub(super) fn leaf(&self, byte: u32) -> Option<Leaf> {
        let address = ARENA_BASE + u64::from(byte);
        let position = self.scenario.objects.iter().position(|object| {
            (object.address..object.address + object.bytes.len() as u64).contains(&address)
        })?;
        let object = &self.scenario.objects[position];
        let inside = self.value(position, address - object.address)?;
        let origin = self.origin(position, &inside);
        let is_named = inside.has_name && !matches!(origin, Origin::Stub(_) | Origin::Stream(_));
        let size = self.model.types.get(inside.ty).size as u32;
        Some(Leaf {
            name: is_named.then(|| inside.text.clone()),
            ty: inside.ty,
            offset: byte - inside.rest as u32,
            size,
            is_link: self.is_link(&inside),
            links: self.links(&inside),
            is_in_union: is_in_union(&self.model.types, self.element(object), address - object.address),
            origin,
        })
    }

    fn origin(&self, position: usize, inside: &Inside) -> Origin {
        let types = &self.model.types;
        let is_pointer = types.pointee(inside.ty).is_some();
        let is_char = matches!(types.get(inside.ty).kind, TypeKind::Int { is_char: true, .. });
        let is_bytes = is_char && (inside.record.is_none() || inside.is_element);
        let object = &self.scenario.objects[position];
        let by_param = matches!(object.role, Role::Argument { .. });
        match self.root(position).map(|root| &root.role) {
            Some(Role::Stub { stub, .. }) if is_bytes => Origin::Stream(*stub),
            Some(Role::Stub { stub, .. }) => Origin::Stub(*stub),
            Some(Role::Global(_)) | None => Origin::State,
            _ if by_param && is_pointer => Origin::Pointer,
            _ if by_param => Origin::Scalar,
            _ if self.holds_functions(self.element(object)) => Origin::State,
            _ => {
                let is_read_only = self.is_read_only(&object.role);
                let is_kept = self.is_held_by_record(&object.role);
                let is_data = is_read_only && !is_kept && !self.holds(self.element(object), &|_| true);
                match (is_pointer, inside.record.is_some()) {
                    (true, true) if !is_read_only => Origin::State,
                    (true, _) => Origin::Pointer,
                    _ if is_bytes || is_data => Origin::Data,
                    (false, true) => Origin::State,
                    (false, false) if is_kept => Origin::State,
                    (false, false) => Origin::Scalar,
                }
            }
        }
    }

    /// Whether what the object's pointer leads to is `const`.
    fn is_read_only(&self, role: &Role) -> bool {
        let Role::Pointee { object: holder, offset } = role else { return false };
        let pointer = self.pointer(*holder as usize, *offset);
        pointer.is_some_and(|pointer| {
            matches!(self.model.types.get(pointer.ty).kind, TypeKind::Pointer { to_const: true, .. })
        })
    }

    /// Whether the object's pointer is a member: then what it leads to is part of what the module keeps.
    fn is_held_by_record(&self, role: &Role) -> bool {
        let Role::Pointee { object: holder, offset } = role else { return false };
        self.pointer(*holder as usize, *offset).is_some_and(|pointer| pointer.record.is_some())
    }

    /// Whether a record has pointers to functions: then a program made it, and no stream or file did, `const` or not.
    fn holds_functions(&self, ty: TypeId) -> bool {
        self.holds(ty, &|to| matches!(self.model.types.get(to).kind, TypeKind::Function { .. }))
    }

    /// Whether a record has a pointer to something that is meant.
    fn holds(&self, ty: TypeId, is_meant: &dyn Fn(TypeId) -> bool) -> bool {
        let types = &self.model.types;
        let TypeKind::Record { fields, .. } = &types.get(ty).kind else { return false };
        let holds = |field: &tarka_source::Field| {
            types.pointee(field.ty).is_some_and(is_meant) || self.holds(field.ty, is_meant)
        };
        fields.iter().any(holds)
    }

    fn is_link(&self, inside: &Inside) -> bool {
        let types = &self.model.types;
        match (inside.record, types.pointee(inside.ty)) {
            (Some(record), Some(to)) => types.same_type(record, to),
            _ => false,
        }
    }

    fn links(&self, inside: &Inside) -> usize {
        let types = &self.model.types;
        let Some(record) = inside.record else { return 0 };
        let TypeKind::Record { fields, .. } = &types.get(record).kind else { return 0 };
        let leads_back = |field: &&tarka_source::Field| {
            types.pointee(field.ty).is_some_and(|to| types.same_type(record, to))
        };
        fields.iter().filter(leads_back).count()
    }

    /// Type of an object's elements.
    fn element(&self, object: &Object) -> TypeId {
        element_of(self.model, object)
    }

    /// The root from which an object is reached.
    fn root(&self, mut position: usize) -> Option<&Object> {
        for _ in 0..self.scenario.objects.len() {
            let object = self.scenario.objects.get(position)?;
            match object.role {
                Role::Pointee { object: holder, .. } => position = holder as usize,
                _ => return Some(object),
            }
        }
        None
    }

    /// The pointer at an offset of an object.
    fn pointer(&self, position: usize, offset: u64) -> Option<Inside> {
        Namer { prefers_pointers: true, ..*self }.value(position, offset)
    }

    /// The value at an offset of an object.
    fn value(&self, position: usize, offset: u64) -> Option<Inside> {
        let object = &self.scenario.objects[position];
        let element = self.element(object);
        let size = self.model.types.get(element).size.max(1);
        let (index, rest) = (offset / size, offset % size);
        let start = |text: String, has_name| Inside {
            text,
            ty: element,
            rest,
            record: None,
            is_element: false,
            has_name,
        };
        let begin = match &object.role {
            Role::Argument { step: call, position } => {
                // Only the last call's arguments have the names of the parameters.
                let param = self.function.params.get(*position as usize)?;
                start(param.name.clone(), *call + 1 >= self.scenario.steps.len() as u32)
            }
            Role::Global(name) => start(name.clone(), true),
            Role::Stub { .. } => start(String::new(), false),
            Role::Pointee { object: holder, offset } => {
                if *holder as usize >= position && self.root(position).is_none() {
                    return None;
                }
                let pointer = self.pointer(*holder as usize, *offset)?;
                let to = self.model.types.pointee(pointer.ty)?;
                // What a `void *` leads to has no name without a cast.
                let has_name = pointer.has_name && self.model.types.same_type(to, element);
                let is_record =
                    matches!(self.model.types.get(element).kind, TypeKind::Record { .. }) && index == 0;
                if is_record {
                    return self.member(pointer.text, "->", element, rest, has_name);
                }
                start(format!("{}[{index}]", pointer.text), has_name)
            }
        };
        self.descend(begin)
    }

    /// Down to a number or pointer.
    fn descend(&self, at: Inside) -> Option<Inside> {
        match &self.model.types.get(at.ty).kind {
            TypeKind::Record { .. } => self.member(at.text, ".", at.ty, at.rest, at.has_name),
            TypeKind::Array { of, .. } => {
                let size = self.model.types.get(*of).size.max(1);
                let text = format!("{}[{}]", at.text, at.rest / size);
                self.descend(Inside { text, ty: *of, rest: at.rest % size, is_element: true, ..at })
            }
            _ => Some(at),
        }
    }

    fn member(&self, text: String, joint: &str, record: TypeId, rest: u64, has_name: bool) -> Option<Inside> {
        let TypeKind::Record { fields, .. } = &self.model.types.get(record).kind else { return None };
        let holds = |field: &&tarka_source::Field| {
            let (start, size) = (field.offset_bits / 8, self.model.types.get(field.ty).size);
            (start..start + size.max(1)).contains(&rest)
        };
        let leads = |inside: &Inside| self.model.types.pointee(inside.ty).is_some();
        let mut found = fields.iter().filter(holds);
        let first = found.next()?;
        let inside = |field| self.inside_field(text.clone(), joint, (record, field), rest, has_name);
        let first = inside(first)?;
        if !self.prefers_pointers || leads(&first) {
            return Some(first);
        }
        Some(found.filter_map(inside).find(leads).unwrap_or(first))
    }

    fn inside_field(
        &self,
        text: String,
        joint: &str,
        (record, field): (TypeId, &tarka_source::Field),
        rest: u64,
        has_name: bool,
    ) -> Option<Inside> {
        let text = match field.name.as_str() {
            "" => text.clone(),
            name => format!("{text}{joint}{name}"),
        };
        let inside = Inside {
            text,
            ty: field.ty,
            rest: rest - field.offset_bits / 8,
            record: Some(record),
            is_element: false,
            has_name: has_name && field.bit_width.is_none(),
        };
        if field.name.is_empty() {
            // An anonymous member's members are written as those of its record.
            let TypeKind::Record { .. } = self.model.types.get(field.ty).kind else { return Some(inside) };
            return self.member(inside.text, joint, field.ty, inside.rest, inside.has_name);
        }
        self.descend(inside)
    }
}

/// Type of the elements of a recorded object: its key is one of this file's.
pub(super) fn element_of(model: &SourceModel, object: &Object) -> TypeId {
    model.types.by_key(&object.ty).expect("the object was recorded with this file's types")
}
