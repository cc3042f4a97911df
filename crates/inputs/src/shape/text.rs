//! Texts in inputs: how long one may be, and the same input with a longer one.
//!
//! A string whose size nobody states has room behind it in the arena, so that one input can have a longer string than the
//! others without anything else moving. Never: which texts are worth being longer.

use std::rc::Rc;

use tarka_source::{TypeId, TypeKind, TypeTable};
use tarka_terms::Assignment;

use super::{InputBytes, ObjectShape, Shape};

/// What a text is filled up with if it is empty.
const FILLER: u8 = b'a';

impl ObjectShape {
    /// A string as long as an input makes it, its end included.
    pub(super) fn stretched(self: &Rc<ObjectShape>, input: &InputBytes) -> Rc<ObjectShape> {
        let end = self.offset + self.size - self.stride;
        let behind = input.changed_within(end, self.stretch.saturating_sub(self.size - self.stride));
        let Some(&(last, _)) = behind.last() else { return self.clone() };
        let count = (last - self.offset) / self.stride + 2;
        let mut longer =
            ObjectShape { count: u64::from(count), size: count * self.stride, ..(**self).clone() };
        longer.capacity = longer.size;
        longer.flags = longer.fresh_flags();
        Rc::new(longer)
    }
}

impl Shape<'_> {
    /// The input with the text that begins at a byte made so many characters long; `None` if it cannot be.
    pub fn with_text(&self, input: &InputBytes, at: u32, length: u32) -> Option<InputBytes> {
        let objects = self.objects(input);
        let object =
            objects.iter().find(|object| (object.offset..object.offset + object.size).contains(&at))?;
        let most = if object.ends_string && object.stride == 1 {
            object.stretch.max(object.size).checked_sub(at - object.offset)?
        } else {
            let (start, ty) = object.element_at(at);
            room_of_text(&self.model.types, ty, at - start)?
        };
        let text = input.within(at, most);
        let present = text.iter().position(|&byte| byte == 0)? as u32;
        if length >= most || length <= present {
            return None;
        }
        let last = (present > 0).then(|| input.byte(at + present - 1));
        let filler = last.filter(u8::is_ascii_alphanumeric).unwrap_or(FILLER);
        let mut more: Vec<(u32, u8)> = (at + present..at + length).map(|byte| (byte, filler)).collect();
        more.push((at + length, 0));
        let longer = self.reachable(&input.with(&more));
        // Not every byte is ours to choose.
        (longer.byte(at + length - 1) == filler).then_some(longer)
    }

    /// The input with so many characters at a byte replaced by a word, and what follows them moved along; `None` if there is no
    /// room for the word. What leaves the text is lost.
    pub fn with_word(&self, input: &InputBytes, at: u32, replaced: u32, word: &[u8]) -> Option<InputBytes> {
        let objects = self.objects(input);
        let object =
            objects.iter().find(|object| (object.offset..object.offset + object.size).contains(&at))?;
        let room = if object.stride == 1 {
            let end = if object.ends_string { object.stretch.max(object.size) - 1 } else { object.size };
            end.checked_sub(at - object.offset)?
        } else {
            let (start, ty) = object.element_at(at);
            room_of_text(&self.model.types, ty, at - start)?
        };
        let behind = input.within(at, room).into_iter().skip(replaced as usize);
        let text: Vec<u8> = word.iter().copied().chain(behind).take(room as usize).collect();
        let worded = self.reachable(&input.with(&(at..).zip(text).collect::<Vec<_>>()));
        // Not every byte is ours to choose.
        (worded.within(at, word.len() as u32) == word).then_some(worded)
    }
}

/// Bytes from a byte of a value to the end of the array of characters that it belongs to.
fn room_of_text(types: &TypeTable, ty: TypeId, at: u32) -> Option<u32> {
    match &types.get(ty).kind {
        TypeKind::Array { of, .. } if types.is_char(*of) => (types.get(ty).size as u32).checked_sub(at),
        TypeKind::Array { of, .. } => {
            let stride = types.get(*of).size.max(1) as u32;
            room_of_text(types, *of, at % stride)
        }
        TypeKind::Record { fields, is_union: false } => {
            let field = fields.iter().rev().find(|field| field.offset_bits / 8 <= u64::from(at))?;
            room_of_text(types, field.ty, at - (field.offset_bits / 8) as u32)
        }
        _ => None,
    }
}
