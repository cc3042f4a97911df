//! What C calls a value of an input: `p->next`, `t->a[3]`, `limit`.
//!
//! Takes the typed record of an input and a byte of the arena; gives the value that holds the byte. Never: values.

use tarka_events::{Input, InputObject, Role};
use tarka_source::{Function, SourceModel, TypeId, TypeKind};
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
    /// Handed out by this stub.
    pub stub: Option<u32>,
}

/// Names the values of one input.
pub(super) struct Namer<'a> {
    pub model: &'a SourceModel,
    pub function: &'a Function,
    pub input: &'a Input,
}

/// Where a walk through a type has come to.
struct Inside {
    text: String,
    ty: TypeId,
    /// Bytes from the start of the value to the byte that is looked for.
    rest: u64,
    /// The record it is a member of.
    record: Option<TypeId>,
    has_name: bool,
}

impl Namer<'_> {
    /// The value that holds a byte of the arena.
    pub(super) fn leaf(&self, byte: u32) -> Option<Leaf> {
        let address = ARENA_BASE + u64::from(byte);
        let position = self.input.objects.iter().position(|object| {
            (object.address..object.address + object.before.len() as u64).contains(&address)
        })?;
        let object = &self.input.objects[position];
        let inside = self.value(position, address - object.address)?;
        let stub = self.root(position).and_then(|root| match root.role {
            Role::Stub { stub, .. } => Some(stub),
            _ => None,
        });
        let size = self.model.types.get(inside.ty).size as u32;
        Some(Leaf {
            name: (inside.has_name && stub.is_none()).then(|| inside.text.clone()),
            ty: inside.ty,
            offset: byte - inside.rest as u32,
            size,
            is_link: self.is_link(&inside),
            stub,
        })
    }

    fn is_link(&self, inside: &Inside) -> bool {
        let types = &self.model.types;
        match (inside.record, types.pointee(inside.ty)) {
            (Some(record), Some(to)) => types.same_type(record, to),
            _ => false,
        }
    }

    /// The root from which an object is reached.
    fn root(&self, mut position: usize) -> Option<&InputObject> {
        for _ in 0..self.input.objects.len() {
            let object = self.input.objects.get(position)?;
            match object.role {
                Role::Pointee { object: holder, .. } => position = holder as usize,
                _ => return Some(object),
            }
        }
        None
    }

    /// The value at an offset of an object.
    fn value(&self, position: usize, offset: u64) -> Option<Inside> {
        let object = &self.input.objects[position];
        let size = self.model.types.get(object.ty).size.max(1);
        let (index, rest) = (offset / size, offset % size);
        let start = |text: String, has_name| Inside { text, ty: object.ty, rest, record: None, has_name };
        let begin = match &object.role {
            Role::Param { call, position } => {
                // Only the last call's arguments have the names of the parameters.
                let param = self.function.params.get(*position as usize)?;
                start(param.name.clone(), *call + 1 >= self.input.calls.max(1))
            }
            Role::Global(name) => start(name.clone(), true),
            Role::Stub { .. } => start(String::new(), false),
            Role::Pointee { object: holder, offset } => {
                if *holder as usize >= position && self.root(position).is_none() {
                    return None;
                }
                let pointer = self.value(*holder as usize, *offset)?;
                let to = self.model.types.pointee(pointer.ty)?;
                // What a `void *` leads to has no name without a cast.
                let has_name = pointer.has_name && self.model.types.same_type(to, object.ty);
                let is_record =
                    matches!(self.model.types.get(object.ty).kind, TypeKind::Record { .. }) && index == 0;
                if is_record {
                    return self.member(pointer.text, "->", object.ty, rest, has_name);
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
                self.descend(Inside { text, ty: *of, rest: at.rest % size, ..at })
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
        let field = fields.iter().find(holds)?;
        let text = match field.name.as_str() {
            "" => text.clone(),
            name => format!("{text}{joint}{name}"),
        };
        let inside = Inside {
            text,
            ty: field.ty,
            rest: rest - field.offset_bits / 8,
            record: Some(record),
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
