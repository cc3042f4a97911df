//! Which member of a union speaks for its bytes.
//!
//! Takes the members and the bytes; gives, of those that keep every byte, the one that a tag beside the union selects, or
//! the one that reads best. Never text.

use tarka_source::{Field, TypeId, TypeKind};

use super::{Scene, window};
use crate::render::{literal, scalar};

/// A pointer that leads nowhere has no text at all.
const UNREADABLE: usize = 1 << 20;

impl Scene<'_> {
    /// The member that, set over the bytes `from`, gives `bytes` and is selected or else reads best; else the largest.
    /// `None` if there is nothing to set.
    pub fn union_member<'f>(
        &self,
        fields: &'f [Field],
        selected: Option<u32>,
        from: &[u8],
        bytes: &[u8],
    ) -> Option<&'f Field> {
        if from == bytes {
            return None;
        }
        let gives_all = |field: &&Field| {
            let mut set = from.to_vec();
            self.keep_field(field, bytes, &mut set);
            set == bytes
        };
        let effort = |field: &&Field| self.field_effort(field, bytes);
        let usable = || fields.iter().filter(|field| effort(field) < UNREADABLE);
        let size = |field: &&Field| self.model.types.get(field.ty).size;
        let selected = selected.and_then(|index| fields.get(index as usize));
        if let Some(selected) = selected.filter(|field| effort(field) < UNREADABLE && gives_all(field)) {
            return Some(selected);
        }
        usable().filter(gives_all).min_by_key(effort).or_else(|| usable().max_by_key(size))
    }

    /// The member of a union that the record around it, of these bytes, selects.
    pub fn selected(&self, record: &[Field], union: &Field, bytes: &[u8]) -> Option<u32> {
        let byte = |at: u64| bytes.get(at as usize).copied().unwrap_or(0);
        self.model.types.selected_member(record, union, &byte)
    }

    /// Whether other members can read bytes that this one does not write: an initialiser that names it alone leaves those
    /// as they happen to be, and a test may not depend on that.
    pub(super) fn leaves_bytes_open(&self, fields: &[Field], chosen: &Field, bytes: &[u8]) -> bool {
        let others: Vec<u8> = bytes.iter().map(|byte| !byte).collect();
        let written = |field: &Field| {
            let mut set = others.clone();
            self.keep_field(field, bytes, &mut set);
            set.into_iter().zip(&others).map(|(now, before)| now ^ before).collect::<Vec<u8>>()
        };
        let by_chosen = written(chosen);
        let is_left =
            |field: &Field| written(field).iter().zip(&by_chosen).any(|(bits, own)| bits & !own != 0);
        fields.iter().any(is_left)
    }

    /// Copies what a value of this type can express: padding and impossible booleans stay behind.
    fn keep(&self, ty: TypeId, bytes: &[u8], into: &mut [u8]) {
        match &self.model.types.get(ty).kind {
            TypeKind::Record { fields, is_union } => {
                let nothing = vec![0; bytes.len()];
                let chosen = is_union.then(|| self.union_member(fields, None, &nothing, bytes)).flatten();
                let fields = chosen.map_or(if *is_union { &[] } else { &fields[..] }, std::slice::from_ref);
                for field in fields {
                    self.keep_field(field, bytes, into);
                }
            }
            TypeKind::Array { of, .. } => {
                let size = self.model.types.get(*of).size.max(1);
                for start in (0..bytes.len() as u64 / size).map(|index| index * size) {
                    let end = ((start + size) as usize).min(into.len());
                    let place = &mut into[start as usize..end];
                    self.keep(*of, window(bytes, start, size), place);
                }
            }
            TypeKind::Float { bits: 80 } => copy(&bytes[..bytes.len().min(10)], into),
            TypeKind::Bool => copy(&[u8::from(bytes.first().is_some_and(|&byte| byte != 0))], into),
            _ => copy(bytes, into),
        }
    }

    fn keep_field(&self, field: &Field, bytes: &[u8], into: &mut [u8]) {
        if let Some(width) = field.bit_width {
            for bit in field.offset_bits..field.offset_bits + u64::from(width) {
                let (at, mask) = ((bit / 8) as usize, 1u8 << (bit % 8));
                into[at] = into[at] & !mask | bytes[at] & mask;
            }
            return;
        }
        let inner = self.field_bytes(field, bytes);
        let start = (field.offset_bits / 8) as usize;
        self.keep(field.ty, inner, &mut into[start..start + inner.len()]);
    }

    fn field_effort(&self, field: &Field, bytes: &[u8]) -> usize {
        if field.bit_width.is_some() {
            return scalar::bit_field(&self.model.types, field, bytes).len();
        }
        self.effort(field.ty, self.field_bytes(field, bytes))
    }

    /// How much a reader has to take in: words are easier than numbers, short numbers than long ones.
    fn effort(&self, ty: TypeId, bytes: &[u8]) -> usize {
        if bytes.iter().all(|&byte| byte == 0) {
            return 0;
        }
        let types = &self.model.types;
        let text = || scalar::value(types, ty, bytes);
        match &types.get(ty).kind {
            TypeKind::Pointer { to, .. } => {
                let target = self.target(literal::read_bits(bytes, 0, 64) as u64, *to);
                target.map_or(UNREADABLE, |target| self.fit(&target, *to))
            }
            TypeKind::Enum { .. } => match text() {
                Ok(text) if text.starts_with(|first: char| first.is_alphabetic() || first == '_') => 1,
                Ok(text) => text.len() + 2,
                Err(_) => UNREADABLE,
            },
            TypeKind::Array { of, .. } => match scalar::string(types, *of, bytes) {
                Some(text) if text.is_word => 2,
                _ => {
                    let size = types.get(*of).size.max(1) as usize;
                    bytes.chunks(size).map(|element| self.effort(*of, element) + 2).sum()
                }
            },
            TypeKind::Record { fields, is_union: false } => {
                fields.iter().map(|field| self.field_effort(field, bytes)).sum()
            }
            TypeKind::Record { fields, .. } => {
                let nothing = vec![0; bytes.len()];
                let chosen = self.union_member(fields, None, &nothing, bytes);
                chosen.map_or(UNREADABLE, |field| self.field_effort(field, bytes))
            }
            // Exponents are what numbers of another type look like.
            TypeKind::Float { .. } => text().map_or(UNREADABLE, |text| {
                text.len() + if text.contains(['e', 'p']) && !text.contains("nan") { 10 } else { 0 }
            }),
            _ => text().map_or(UNREADABLE, |text| text.len()),
        }
    }
}

fn copy(from: &[u8], into: &mut [u8]) {
    let len = from.len().min(into.len());
    into[..len].copy_from_slice(&from[..len]);
}
