//! Initialisers: the bytes of a value as C writes them, zeros left out.
//!
//! Takes a type, bytes and the place they belong to; gives a tree for a format to lay out.
//! Never writes what equals the default.

use tarka_source::{Field, TypeId, TypeKind, TypeTable, type_name};

use super::{Scene, Unspellable, member, window};
use crate::render::tree::{Init, Item, Statement, Unnamed, Value};
use crate::render::{literal, scalar};

/// A place in a test that gets a value.
#[derive(Clone, Debug)]
pub struct Lvalue {
    /// The C expression for it; empty where it has none yet (an argument).
    pub path: String,
    /// What a pointee without a type name is called after.
    pub hint: String,
    /// It, or something around it, is `const`: set by `memcpy`.
    pub is_const: bool,
}

impl Lvalue {
    /// A place that may be assigned to.
    pub fn new(path: &str, hint: &str) -> Lvalue {
        Lvalue { path: path.to_string(), hint: hint.to_string(), is_const: false }
    }

    /// A member of it.
    pub(super) fn field(&self, field: &Field) -> Lvalue {
        let hint = if field.name.is_empty() { &self.hint } else { &field.name };
        Lvalue {
            path: member(&self.path, &field.name),
            hint: hint.clone(),
            is_const: self.is_const || field.is_const,
        }
    }

    /// An element of it.
    pub(super) fn element(&self, index: u64) -> Lvalue {
        Lvalue { path: format!("{}[{index}]", self.path), ..self.clone() }
    }

    /// The statement that sets it to a value of this type.
    pub(super) fn assignment(&self, types: &TypeTable, ty: TypeId, value: String) -> Statement {
        let path = &self.path;
        if !self.is_const {
            return Statement::Assign { place: path.clone(), value: Value::expression(value) };
        }
        let ty = type_name(types, ty).unwrap_or_else(|| format!("__typeof__({path})"));
        // One value in its braces, on the line of the copy.
        let init = Init::Atom(format!("{{{value}}}"));
        let from = Value { unnamed: Some(Unnamed { ty, by_address: true }), init, zero: String::new() };
        Statement::Copy { to: format!("(void *)&{path}"), from, size: format!("sizeof {path}") }
    }
}

/// A pointer's value.
pub(super) enum PointerValue {
    Null,
    Text(String),
    /// What it points to is declared after it: it is set later.
    Later,
}

impl Scene<'_> {
    /// The initialiser of a value.
    pub(super) fn init(&mut self, ty: TypeId, bytes: &[u8], spot: &Lvalue) -> Result<Init, Unspellable> {
        let model = self.model;
        match &model.types.get(ty).kind {
            TypeKind::Array { of, .. } => self.array_init(*of, bytes, spot),
            TypeKind::Record { fields, is_union } => {
                let mut items = Vec::new();
                if *is_union {
                    self.union_items(fields, None, bytes, spot, &mut items)?;
                } else {
                    self.record_items(fields, bytes, spot, &mut items)?;
                }
                Ok(listed(items))
            }
            TypeKind::Pointer { to, .. } => self.pointer_init(ty, *to, bytes, spot),
            _ if bytes.iter().all(|&byte| byte == 0) => Ok(Init::Zero),
            TypeKind::Void => Ok(Init::Atom(literal::byte(bytes[0]))),
            _ => Ok(Init::Atom(scalar::value(&model.types, ty, bytes)?)),
        }
    }

    /// The initialiser of an array of `of`.
    pub(super) fn array_init(
        &mut self,
        of: TypeId,
        bytes: &[u8],
        spot: &Lvalue,
    ) -> Result<Init, Unspellable> {
        if bytes.iter().all(|&byte| byte == 0) {
            return Ok(Init::Zero);
        }
        if let Some(text) = scalar::string(&self.model.types, of, bytes) {
            return Ok(Init::Atom(text.literal));
        }
        let types = &self.model.types;
        if scalar::is_byte(types, of) || types.is_void(of) {
            return Ok(byte_list(bytes));
        }
        let size = types.get(of).size.max(1);
        let mut values = Vec::new();
        for index in 0..bytes.len() as u64 / size {
            values.push(self.init(of, window(bytes, index * size, size), &spot.element(index))?);
        }
        let is_aggregate =
            matches!(self.model.types.get(of).kind, TypeKind::Record { .. } | TypeKind::Array { .. });
        Ok(list(values, &scalar::zero(&self.model.types, of), is_aggregate))
    }

    fn record_items(
        &mut self,
        fields: &[Field],
        bytes: &[u8],
        spot: &Lvalue,
        items: &mut Vec<Item>,
    ) -> Result<(), Unspellable> {
        for field in fields {
            let selected = self.selected(fields, field, bytes);
            self.field_items(field, selected, bytes, spot, items)?;
        }
        Ok(())
    }

    fn union_items(
        &mut self,
        fields: &[Field],
        selected: Option<u32>,
        bytes: &[u8],
        spot: &Lvalue,
        items: &mut Vec<Item>,
    ) -> Result<(), Unspellable> {
        let zeros = vec![0; bytes.len()];
        let Some(field) = self.union_member(fields, selected, &zeros, bytes) else { return Ok(()) };
        // A union that no initialiser names is zero as a whole: the member is set after that. A value
        // in a table has no name that could be set.
        if !spot.path.is_empty() && self.leaves_bytes_open(fields, field, bytes) {
            let lines = self.assign_field(field, None, (&zeros, bytes), spot)?;
            self.late.extend(lines);
            return Ok(());
        }
        self.field_items(field, None, bytes, spot, items)
    }

    /// A member; of a union, the member that is selected in it.
    fn field_items(
        &mut self,
        field: &Field,
        selected: Option<u32>,
        bytes: &[u8],
        spot: &Lvalue,
        items: &mut Vec<Item>,
    ) -> Result<(), Unspellable> {
        let model = self.model;
        let designator = format!(".{}", field.name);
        if let Some(width) = field.bit_width {
            if !field.name.is_empty() && literal::read_bits(bytes, field.offset_bits, width) != 0 {
                let text = scalar::bit_field(&model.types, field, bytes);
                items.push(Item { designator, value: Init::Atom(text) });
            }
            return Ok(());
        }
        let inner = self.field_bytes(field, bytes);
        let place = spot.field(field);
        let value = match &model.types.get(field.ty).kind {
            // Members of an anonymous struct or union are designated as if they were members of the outer one.
            TypeKind::Record { fields, is_union: false } if field.name.is_empty() => {
                return self.record_items(fields, inner, &place, items);
            }
            TypeKind::Record { fields, is_union: true } if field.name.is_empty() => {
                return self.union_items(fields, selected, inner, &place, items);
            }
            TypeKind::Record { fields, is_union: true } => {
                let mut items = Vec::new();
                self.union_items(fields, selected, inner, &place, &mut items)?;
                listed(items)
            }
            TypeKind::Array { of, len: None | Some(0) } => self.flexible_init(*of, inner, &place)?,
            _ => self.init(field.ty, inner, &place)?,
        };
        if value != Init::Zero {
            items.push(Item { designator, value });
        }
        Ok(())
    }

    /// A flexible array member is as long as its initialiser: the last element is always written.
    fn flexible_init(&mut self, of: TypeId, bytes: &[u8], spot: &Lvalue) -> Result<Init, Unspellable> {
        let size = self.model.types.get(of).size.max(1);
        let count = bytes.len() as u64 / size;
        if count == 0 {
            return Ok(Init::Zero);
        }
        if let Some(text) = scalar::string(&self.model.types, of, bytes)
            && text.used > 0
            && text.used + 1 == count
        {
            return Ok(Init::Atom(text.literal));
        }
        // Without a literal, which would set a length of its own.
        let mut items = Vec::new();
        for index in 0..count {
            let value = self.init(of, window(bytes, index * size, size), &spot.element(index))?;
            if value != Init::Zero || index + 1 == count {
                let zero = scalar::zero(&self.model.types, of);
                let value = if value == Init::Zero { Init::Atom(zero) } else { value };
                let in_order = index == items.len() as u64;
                let designator = if in_order { String::new() } else { format!("[{index}]") };
                items.push(Item { designator, value });
            }
        }
        Ok(Init::List(items))
    }

    fn pointer_init(
        &mut self,
        ty: TypeId,
        to: TypeId,
        bytes: &[u8],
        spot: &Lvalue,
    ) -> Result<Init, Unspellable> {
        match self.pointer_value(ty, to, bytes, spot)? {
            PointerValue::Null | PointerValue::Later => Ok(Init::Zero),
            PointerValue::Text(text) => match &mut self.afterwards {
                Some(afterwards) => {
                    afterwards.push(spot.assignment(&self.model.types, ty, text));
                    Ok(Init::Zero)
                }
                None => Ok(Init::Atom(text)),
            },
        }
    }

    /// What a pointer is set to; declares what it points to.
    pub(super) fn pointer_value(
        &mut self,
        ty: TypeId,
        to: TypeId,
        bytes: &[u8],
        spot: &Lvalue,
    ) -> Result<PointerValue, Unspellable> {
        let address = literal::read_bits(bytes, 0, 64) as u64;
        if address == 0 {
            return Ok(PointerValue::Null);
        }
        let nowhere = || Unspellable { what: format!("the pointer {address:#x} in `{}`", spot.path) };
        let target = self.target(address, to).ok_or_else(nowhere)?;
        let mut is_declared = true;
        if let super::PointerTarget::Object(index, _) = target {
            if self.named[index].is_none() {
                // Its own initialiser decides anew whether it must be constant.
                let outer = self.afterwards.take();
                self.declare_object(index, &spot.hint)?;
                self.afterwards = outer;
            }
            is_declared = self.declared[index];
        }
        let text = self.target_text(&target, ty, to).ok_or_else(nowhere)?;
        if is_declared {
            return Ok(PointerValue::Text(text));
        }
        // A cycle: the variable exists only after this one, so the pointer is set when both do.
        self.late.push(spot.assignment(&self.model.types, ty, text));
        Ok(PointerValue::Later)
    }
}

/// A list of what differs from zero.
fn listed(items: Vec<Item>) -> Init {
    if items.is_empty() { Init::Zero } else { Init::List(items) }
}

/// The bytes of a buffer, zeros at the end left out.
fn byte_list(bytes: &[u8]) -> Init {
    let values = bytes.iter().map(|&byte| match byte {
        0 => Init::Zero,
        _ => Init::Atom(literal::byte(byte)),
    });
    list(values.collect(), "0x00", false)
}

/// Elements up to the last that is not zero, numbered where zeros would drown them.
fn list(mut values: Vec<Init>, zero: &str, is_aggregate: bool) -> Init {
    let used = values.iter().rposition(|value| *value != Init::Zero).map_or(0, |last| last + 1);
    values.truncate(used);
    let zeros = values.iter().filter(|value| **value == Init::Zero).count();
    // Zero aggregates are never written out.
    let numbered = zeros > 0 && (is_aggregate || zeros > 4 && zeros * 2 > values.len());
    let items = values.into_iter().enumerate().filter_map(|(index, value)| match value {
        Init::Zero if numbered => None,
        Init::Zero => Some(Item { designator: String::new(), value: Init::Atom(zero.to_string()) }),
        value => {
            let designator = if numbered { format!("[{index}]") } else { String::new() };
            Some(Item { designator, value })
        }
    });
    listed(items.collect())
}
