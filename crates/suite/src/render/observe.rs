//! What a run left behind, as checks of a test: the result, and every output that changed.
//!
//! Takes a scene and the bytes after the run, gives checks. Never invents: what cannot be compared is left out.

use tarka_scenario::Role;
use tarka_source::{Field, TypeId, TypeKind, declare};

use crate::render::scene::{Named, ObjectForm, PointerTarget, Scene, member, window};
use crate::render::tree::{Check, ObservedValue};
use crate::render::{literal, scalar};

/// Arrays with more changed elements than this are compared as a whole.
const ELEMENTS_ONE_BY_ONE: usize = 8;
/// Most conditions of one test; a page of them helps nobody.
const MOST_CHECKS: usize = 64;

/// What was seen of the result, which is kept under a name, then of the objects in order.
pub fn checks(scene: &Scene, name: &str, result: &[u8]) -> Vec<Check> {
    let mut observer = Observer { scene, checks: Vec::new(), expected: 0, of_result: true };
    if !result.is_empty() {
        observer.value(scene.function.result, name, None, result);
    }
    observer.of_result = false;
    for (object, named) in scene.objects.iter().zip(&scene.named) {
        let Some(named) = named else { continue };
        // Arguments are copies, freed memory is gone, and nobody knows what is inside an opaque object.
        if matches!(*object.role, Role::Argument { .. })
            || matches!(named.form, ObjectForm::Allocated | ObjectForm::Opaque)
        {
            continue;
        }
        observer.object(named, object.ty, object.before, object.after);
    }
    observer.checks.truncate(MOST_CHECKS);
    observer.checks
}

/// The bytes of a value before, if it had one, and after.
type Bytes<'a> = (Option<&'a [u8]>, &'a [u8]);

struct Observer<'a, 'b> {
    scene: &'a Scene<'b>,
    checks: Vec<Check>,
    expected: u32,
    /// The result is looked at.
    of_result: bool,
}

impl Observer<'_, '_> {
    fn add(&mut self, place: &str, seen: ObservedValue) {
        let of_result = self.of_result;
        self.checks.push(Check { place: place.to_string(), of_result, seen, holds: true });
    }

    fn object(&mut self, named: &Named, ty: TypeId, before: &[u8], after: &[u8]) {
        let (before, after) = (window(before, 0, named.bytes), window(after, 0, named.bytes));
        if named.form == ObjectForm::Array {
            self.array(ty, &named.name, Some(before), after);
        } else {
            self.value(ty, &named.element(0), Some(before), after);
        }
    }

    /// `before` is `None` where there was no earlier value, so that everything counts as changed.
    fn value(&mut self, ty: TypeId, path: &str, before: Option<&[u8]>, after: &[u8]) {
        if before == Some(after) {
            return;
        }
        let types = &self.scene.model.types;
        match &types.get(ty).kind {
            TypeKind::Array { of, .. } => self.array(*of, path, before, after),
            TypeKind::Record { fields, is_union: true } => self.union(fields, None, path, (before, after)),
            TypeKind::Record { fields, .. } => self.record(fields, path, before, after),
            TypeKind::Pointer { to, .. } => self.pointer(ty, *to, path, after),
            TypeKind::Float { bits } => self.float(*bits, ty, path, after),
            TypeKind::Complex { of } => self.complex(*of, path, before, after),
            _ => {
                if let Ok(value) = scalar::value(types, ty, after) {
                    self.add(path, ObservedValue::Number(value));
                }
            }
        }
    }

    fn complex(&mut self, of: TypeId, path: &str, before: Option<&[u8]>, after: &[u8]) {
        let size = self.scene.model.types.get(of).size;
        for (part, start) in [("__real__", 0), ("__imag__", size)] {
            let before = before.map(|bytes| window(bytes, start, size));
            self.value(of, &format!("{part} {path}"), before, window(after, start, size));
        }
    }

    fn float(&mut self, bits: u16, ty: TypeId, path: &str, after: &[u8]) {
        let raw = literal::read_bits(after, 0, u32::from(bits));
        if literal::is_nan(bits, raw) {
            // The payload of a NaN may differ between compilers.
            return self.add(path, ObservedValue::NotANumber);
        }
        let Ok(value) = scalar::value(&self.scene.model.types, ty, after) else { return };
        let negative_zero = literal::is_negative_zero(bits, raw);
        self.add(path, ObservedValue::Float { value, negative_zero });
    }

    fn pointer(&mut self, ty: TypeId, to: TypeId, path: &str, after: &[u8]) {
        let address = literal::read_bits(after, 0, 64) as u64;
        if address == 0 {
            return self.add(path, ObservedValue::Null);
        }
        let scene = self.scene;
        let target = scene.target(address, to).filter(|target| match target {
            PointerTarget::Object(index, offset) => {
                scene.named[*index].as_ref().is_some_and(|named| *offset <= named.bytes)
            }
            PointerTarget::Code(..) | PointerTarget::Variable(..) => true,
        });
        if let Some(PointerTarget::Object(index, _)) = target
            && scene.named[index].as_ref().is_some_and(|named| named.form == ObjectForm::Allocated)
        {
            // The unit freed it: even comparing such a pointer is not defined.
            return;
        }
        let text = target.and_then(|target| scene.target_text(&target, ty, to));
        self.add(path, text.map_or(ObservedValue::NotNull, ObservedValue::PointsTo));
    }

    fn record(&mut self, fields: &[Field], path: &str, before: Option<&[u8]>, after: &[u8]) {
        for field in fields {
            let selected = self.scene.selected(fields, field, after);
            self.field(field, selected, path, (before, after));
        }
    }

    fn union(&mut self, fields: &[Field], selected: Option<u32>, path: &str, (before, after): Bytes) {
        let from = before.map_or(vec![0; after.len()], <[u8]>::to_vec);
        let member = self.scene.union_member(fields, selected, &from, after);
        let first = fields.get(selected.unwrap_or(0) as usize);
        if let Some(field) = member.or(first) {
            self.field(field, None, path, (before, after));
        }
    }

    fn field(&mut self, field: &Field, selected: Option<u32>, path: &str, (before, after): Bytes) {
        let types = &self.scene.model.types;
        let place = member(path, &field.name);
        if let Some(width) = field.bit_width {
            let read = |bytes: &[u8]| literal::read_bits(bytes, field.offset_bits, width);
            if !field.name.is_empty() && before.map(read) != Some(read(after)) {
                let value = scalar::bit_field(types, field, after);
                self.add(&place, ObservedValue::Number(value));
            }
            return;
        }
        let inside = |bytes| self.scene.field_bytes(field, bytes);
        let (before, after) = (before.map(inside), inside(after));
        match &types.get(field.ty).kind {
            TypeKind::Record { fields, is_union: true } if before != Some(after) => {
                self.union(fields, selected, &place, (before, after));
            }
            _ => self.value(field.ty, &place, before, after),
        }
    }

    fn array(&mut self, of: TypeId, path: &str, before: Option<&[u8]>, after: &[u8]) {
        let types = &self.scene.model.types;
        let size = types.get(of).size.max(1);
        let is_changed = |index: &u64| {
            before.map(|bytes| window(bytes, index * size, size)) != Some(window(after, index * size, size))
        };
        let changed: Vec<u64> = (0..after.len() as u64 / size).filter(is_changed).collect();
        let Some(&last) = changed.last() else { return };
        if let Some(text) = self.text(of, last, after) {
            return self.add(path, text);
        }
        let exact =
            matches!(types.get(of).kind, TypeKind::Int { .. } | TypeKind::Bool | TypeKind::Enum { .. });
        if exact && changed.len() > ELEMENTS_ONE_BY_ONE && self.whole_array(of, path, after) {
            return;
        }
        for index in changed {
            let before = before.map(|bytes| window(bytes, index * size, size));
            self.value(of, &format!("{path}[{index}]"), before, window(after, index * size, size));
        }
    }

    /// The text in a character array, if everything that changed is part of it.
    fn text(&self, of: TypeId, last_changed: u64, after: &[u8]) -> Option<ObservedValue> {
        let types = &self.scene.model.types;
        let size = types.get(of).size.max(1) as usize;
        let end = after.chunks_exact(size).position(|element| element.iter().all(|&byte| byte == 0))?;
        let text = scalar::string(types, of, &after[..(end + 1) * size])?.literal;
        // `strcmp` takes plain characters only.
        let is_plain = matches!(types.get(of).kind, TypeKind::Int { is_char: true, signed: true, .. });
        let seen = if is_plain { ObservedValue::Text(text) } else { ObservedValue::Characters(text) };
        (last_changed <= end as u64).then_some(seen)
    }

    fn whole_array(&mut self, of: TypeId, path: &str, after: &[u8]) -> bool {
        let types = &self.scene.model.types;
        let size = types.get(of).size.max(1) as usize;
        let values: Result<Vec<String>, _> =
            after.chunks_exact(size).map(|element| scalar::value(types, of, element)).collect();
        let name = format!("expected_{}", self.expected + 1);
        let (Ok(values), Some(declared)) =
            (values, declare(types, of, &format!("{name}[{}]", after.len() / size)))
        else {
            return false;
        };
        self.expected += 1;
        self.add(path, ObservedValue::Elements { name, declared, values });
        true
    }
}
