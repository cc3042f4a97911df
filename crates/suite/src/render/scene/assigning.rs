//! Assignments to what exists already: globals, and memory that was allocated as zeros.
//!
//! Takes the bytes that are there and those that are wanted, gives one statement for each member that differs.
//! Never writes a member that has its value by itself.

use tarka_scenario::Role;
use tarka_source::{Field, TypeId, TypeKind, declare, type_name};

use super::initialising::PointerValue;
use super::{Lvalue, Named, ObjectForm, Scene, Unspellable, window};
use crate::render::tree::{Init, Statement, Unnamed, Value};
use crate::render::{literal, scalar};

/// More statements than this for one aggregate read worse than setting it as a whole.
const ONE_BY_ONE: usize = 3;
/// More changed elements than this are copied as a whole.
const ELEMENTS_ONE_BY_ONE: usize = 8;

impl Scene<'_> {
    /// Globals are there from the start: anything may point to them.
    pub(super) fn name_globals(&mut self) {
        for index in 0..self.objects.len() {
            let object = self.objects[index];
            if let Role::Global(name) = object.role {
                let (name, bytes) = (name.clone(), object.before.len() as u64);
                self.named[index] =
                    Some(Named { name, form: ObjectForm::Global, elements: 1, bytes, typeof_text: None });
                self.declared[index] = true;
            }
        }
    }

    /// Sets what differs from the values that the globals have by themselves.
    pub(super) fn set_globals(&mut self) -> Result<(), Unspellable> {
        for index in 0..self.objects.len() {
            let object = self.objects[index];
            let Role::Global(name) = object.role else { continue };
            let mut initial = object.initial.to_vec();
            initial.resize(object.before.len(), 0);
            let lines = self.assign(object.ty, &initial, object.before, &Lvalue::new(name, name))?;
            self.setup.extend(lines);
        }
        Ok(())
    }

    /// The statements that turn `from` into `to`.
    pub(super) fn assign(
        &mut self,
        ty: TypeId,
        from: &[u8],
        to: &[u8],
        spot: &Lvalue,
    ) -> Result<Vec<Statement>, Unspellable> {
        if from == to {
            return Ok(Vec::new());
        }
        let model = self.model;
        match &model.types.get(ty).kind {
            TypeKind::Array { of, .. } => self.assign_array(*of, from, to, spot),
            TypeKind::Record { fields, is_union: true } => self.assign_union(fields, None, (from, to), spot),
            TypeKind::Record { fields, .. } => self.assign_record(ty, fields, from, to, spot),
            TypeKind::Pointer { to: pointee, .. } => {
                Ok(match self.pointer_value(ty, *pointee, to, spot)? {
                    PointerValue::Null => vec![spot.assignment(&model.types, ty, "NULL".to_string())],
                    PointerValue::Text(text) => vec![spot.assignment(&model.types, ty, text)],
                    PointerValue::Later => Vec::new(),
                })
            }
            _ => {
                let value = self.init(ty, to, spot)?.on_one_line(&scalar::zero(&model.types, ty));
                Ok(vec![spot.assignment(&model.types, ty, value)])
            }
        }
    }

    fn assign_record(
        &mut self,
        ty: TypeId,
        fields: &[Field],
        from: &[u8],
        to: &[u8],
        spot: &Lvalue,
    ) -> Result<Vec<Statement>, Unspellable> {
        if fields.iter().any(|field| field.bit_width.is_some() && field.is_const && differs(field, from, to))
        {
            // A constant bit field has no address to copy to.
            return self.copy_whole(ty, to, spot);
        }
        let lines = self.assign_fields(fields, from, to, spot)?;
        let has_tail = self.flexible_member(ty).is_some();
        if lines.len() <= ONE_BY_ONE || has_tail {
            return Ok(lines);
        }
        if is_zero(to) {
            return Ok(vec![zeroed(spot)]);
        }
        let is_fresh = is_zero(from) && !spot.is_const && !self.has_const_member(ty);
        match type_name(&self.model.types, ty).filter(|_| is_fresh) {
            Some(name) => {
                let value = unnamed(name, false, self.init(ty, to, spot)?);
                Ok(vec![Statement::Assign { place: spot.path.clone(), value }])
            }
            None => Ok(lines),
        }
    }

    fn assign_fields(
        &mut self,
        fields: &[Field],
        from: &[u8],
        to: &[u8],
        spot: &Lvalue,
    ) -> Result<Vec<Statement>, Unspellable> {
        let mut lines = Vec::new();
        for field in fields {
            let selected = self.selected(fields, field, to);
            lines.extend(self.assign_field(field, selected, (from, to), spot)?);
        }
        Ok(lines)
    }

    fn assign_union(
        &mut self,
        fields: &[Field],
        selected: Option<u32>,
        (from, to): (&[u8], &[u8]),
        spot: &Lvalue,
    ) -> Result<Vec<Statement>, Unspellable> {
        let chosen = self.union_member(fields, selected, from, to);
        chosen.map_or(Ok(Vec::new()), |field| self.assign_field(field, None, (from, to), spot))
    }

    fn copy_whole(&mut self, ty: TypeId, to: &[u8], spot: &Lvalue) -> Result<Vec<Statement>, Unspellable> {
        let path = &spot.path;
        let from = unnamed(format!("__typeof__({path})"), true, self.init(ty, to, spot)?);
        let (to, size) = (format!("(void *)&{path}"), format!("sizeof {path}"));
        Ok(vec![Statement::Copy { to, from, size }])
    }

    /// The statements for a member; of a union, for the member that is selected in it.
    pub(super) fn assign_field(
        &mut self,
        field: &Field,
        selected: Option<u32>,
        (from, to): (&[u8], &[u8]),
        spot: &Lvalue,
    ) -> Result<Vec<Statement>, Unspellable> {
        let model = self.model;
        let place = spot.field(field);
        if field.bit_width.is_some() {
            if field.name.is_empty() || !differs(field, from, to) {
                return Ok(Vec::new());
            }
            if place.is_const {
                return Err(Unspellable {
                    what: format!("a new value of the constant bit field `{}`", place.path),
                });
            }
            let value = Value::expression(scalar::bit_field(&model.types, field, to));
            return Ok(vec![Statement::Assign { place: place.path, value }]);
        }
        let (from, to) = (self.field_bytes(field, from), self.field_bytes(field, to));
        match &model.types.get(field.ty).kind {
            // An anonymous struct has no place of its own: its members are those of the outer one.
            TypeKind::Record { fields, is_union: false } if field.name.is_empty() => {
                self.assign_fields(fields, from, to, &place)
            }
            TypeKind::Record { fields, is_union: true } => {
                self.assign_union(fields, selected, (from, to), &place)
            }
            _ => self.assign(field.ty, from, to, &place),
        }
    }

    fn assign_array(
        &mut self,
        of: TypeId,
        from: &[u8],
        to: &[u8],
        spot: &Lvalue,
    ) -> Result<Vec<Statement>, Unspellable> {
        if let Some(line) = self.assign_text(of, from, to, spot) {
            return Ok(vec![line]);
        }
        let types = &self.model.types;
        let size = types.get(of).size.max(1);
        let at = |bytes, index: u64| window(bytes, index * size, size);
        let count = to.len() as u64 / size;
        let changed: Vec<u64> = (0..count).filter(|index| at(from, *index) != at(to, *index)).collect();
        if is_zero(to) && changed.len() > ONE_BY_ONE {
            let (at, size) = (address(spot), format!("sizeof {}", spot.path));
            return Ok(vec![Statement::Clear { at, size }]);
        }
        if types.is_scalar(of)
            && changed.len() > ELEMENTS_ONE_BY_ONE
            && let Some(name) = declare(types, of, &format!("[{count}]"))
        {
            let from = unnamed(name, false, self.array_init(of, to, spot)?);
            let (to, size) = (address(spot), format!("sizeof {}", spot.path));
            return Ok(vec![Statement::Copy { to, from, size }]);
        }
        let mut lines = Vec::new();
        for index in changed {
            lines.extend(self.assign(of, at(from, index), at(to, index), &spot.element(index))?);
        }
        Ok(lines)
    }

    /// Text is copied as text, if that leaves the rest of the array as it shall be.
    fn assign_text(&self, of: TypeId, from: &[u8], to: &[u8], spot: &Lvalue) -> Option<Statement> {
        let text = scalar::string(&self.model.types, of, to)?;
        let end = ((text.used + 1) * self.model.types.get(of).size.max(1)) as usize;
        let rest_is_kept = from.get(end..) == to.get(end..);
        // The string functions take plain characters only, and stop at the first zero.
        let is_plain =
            matches!(self.model.types.get(of).kind, TypeKind::Int { is_char: true, signed: true, .. });
        let is_one_word = is_plain && !to[..text.used as usize].contains(&0);
        match () {
            _ if text.used == 0 && is_plain && rest_is_kept => {
                Some(spot.element(0).assignment(&self.model.types, of, "'\\0'".to_string()))
            }
            _ if text.used == 0 => None,
            _ if is_one_word => {
                let fill = (!rest_is_kept).then(|| format!("sizeof {}", spot.path));
                Some(Statement::CopyText { to: address(spot), text: text.literal, fill })
            }
            _ if rest_is_kept => {
                let (from, size) = (Value::expression(text.literal), end.to_string());
                Some(Statement::Copy { to: address(spot), from, size })
            }
            _ => None,
        }
    }
}

fn differs(field: &Field, from: &[u8], to: &[u8]) -> bool {
    let read = |bytes| literal::read_bits(bytes, field.offset_bits, field.bit_width.unwrap_or(0));
    read(from) != read(to)
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0)
}

fn zeroed(spot: &Lvalue) -> Statement {
    let cast = if spot.is_const { "(void *)" } else { "" };
    Statement::Clear { at: format!("{cast}&{}", spot.path), size: format!("sizeof {}", spot.path) }
}

/// An object without a name.
fn unnamed(ty: String, by_address: bool, init: Init) -> Value {
    Value { unnamed: Some(Unnamed { ty, by_address }), init, zero: "{0}".to_string() }
}

/// An array as the first argument of a copy.
fn address(spot: &Lvalue) -> String {
    if spot.is_const { format!("(void *){}", spot.path) } else { spot.path.clone() }
}
