//! Unions whose member a tag selects: whether their bytes are what that member says.
//!
//! Takes an input; gives the pointers that lead to what another member points to though the tag says otherwise, and inputs
//! in which such a pointer leads where it should, or the tag says what is there. Whether a run stays the same then is
//! for the caller to see. Never: unions without a tag, and numbers.

use std::rc::Rc;

use tarka_instrument::AddressOf;
use tarka_source::{Field, Selection, TypeId, TypeKind};
use tarka_terms::Assignment;
use tarka_trace::ARENA_BASE;

use super::element::ByteKind;
use super::grow::{PointerTarget, Slot};
use super::object::ObjectShape;
use super::value::LeafKind;
use super::{InputBytes, Shape};

/// Functions that are tried for one pointer.
const MOST_FUNCTIONS: usize = 4;

/// A pointer in a union that leads to what the member that is meant does not point to.
#[derive(Clone, Debug)]
pub struct Misled {
    /// Arena offset.
    pub at: u32,
    /// The pointer that is meant; `None` if the member has none there.
    meant: Option<Slot>,
    /// The pointers that other tags go with.
    others: Vec<Other>,
}

/// A pointer in a union, and the bytes of the tag that goes with it.
#[derive(Clone, Debug)]
struct Other {
    slot: Slot,
    tag: Vec<(u32, u8)>,
}

/// A member of a record that is a union, in an input.
struct Tagged<'a> {
    /// Arena offset of the record.
    record: u32,
    fields: &'a [Field],
    union: &'a Field,
}

impl Shape<'_> {
    /// The pointers of an input that lead elsewhere than the tags beside them say.
    pub fn misled(&self, input: &InputBytes) -> Vec<Misled> {
        let mut found = Vec::new();
        for object in self.objects(input).iter().filter(|object| self.has_tags(object.ty)) {
            let starts = (0..object.count as u32).map(|index| object.offset + index * object.stride);
            for start in starts.filter(|start| start + object.stride <= object.offset + object.size) {
                self.look(object.ty, start, input, &mut found);
            }
        }
        found
    }

    /// The same, within the element of an object that holds a byte.
    pub(crate) fn misled_around(&self, byte: u32, input: &InputBytes) -> Vec<Misled> {
        let mut found = Vec::new();
        let object = self.grown.borrow().containing(byte);
        if let Some(object) = object.filter(|object| self.has_tags(object.ty)) {
            let (start, ty) = object.element_at(byte);
            self.look(ty, start, input, &mut found);
        }
        found
    }

    /// Inputs in which a misled pointer is what the tag says, or the tag says what it is; the plainest first.
    pub fn as_meant(&self, input: &InputBytes, misled: &Misled) -> Vec<InputBytes> {
        let mut inputs = match &misled.meant {
            Some(slot) => self.led_to(slot, input),
            None => self.as_number(misled.at, input).into_iter().collect(),
        };
        let value = input.word(misled.at);
        let is_there = |other: &&Other| !self.is_misled(misled.at, Some(&other.slot), value);
        let (there, elsewhere): (Vec<_>, Vec<_>) = misled.others.iter().partition(is_there);
        inputs.extend(there.into_iter().map(|other| input.with(&other.tag)));
        for other in elsewhere {
            inputs.extend(self.led_to(&other.slot, input).into_iter().map(|led| led.with(&other.tag)));
        }
        inputs.into_iter().map(|input| self.reachable(&input)).collect()
    }

    /// The pointer leads to its own object, all zero, then with the bytes of the one it led to; or to its functions.
    fn led_to(&self, slot: &Slot, input: &InputBytes) -> Vec<InputBytes> {
        let Some(own) = self.own_object(slot) else {
            let functions = self.functions(slot);
            let first = functions.iter().take(MOST_FUNCTIONS);
            return first.map(|&address| input.with_word(slot.at, address)).collect();
        };
        let empty = input.with_word(slot.at, own.entrance());
        let full = self.led_object(input.word(slot.at)).map(|(old, from)| {
            let room = (old.offset + old.size).saturating_sub(from).min(own.size - own.entry);
            let bytes = (own.offset + own.entry..).zip(input.within(from, room));
            let numbers = bytes.filter(|&(byte, _)| own.kind_at(byte) != ByteKind::Pointer);
            empty.with(&numbers.collect::<Vec<_>>())
        });
        [empty.clone()].into_iter().chain(full.filter(|full| *full != empty)).collect()
    }

    /// Instead of an address, the smallest number that is not 0.
    fn as_number(&self, at: u32, input: &InputBytes) -> Option<InputBytes> {
        let object = self.grown.borrow().containing(at)?;
        let (_, _, kind) = self.leaf_in(&object, at, input);
        matches!(kind, LeafKind::Integer { .. }).then(|| input.with_word(at, 1))
    }

    fn look(&self, ty: TypeId, start: u32, input: &InputBytes, found: &mut Vec<Misled>) {
        match &self.model.types.get(ty).kind {
            TypeKind::Array { of, len: Some(len) } if self.has_tags(*of) => {
                let size = self.model.types.get(*of).size as u32;
                (0..*len as u32).for_each(|index| self.look(*of, start + index * size, input, found));
            }
            TypeKind::Record { fields, is_union: false } => {
                for union in fields.iter().filter(|field| field.bit_width.is_none()) {
                    let tagged = Tagged { record: start, fields, union };
                    let member = self.selected(&tagged, input);
                    if !union.selections.is_empty() {
                        self.look_at_union(&tagged, member, input, found);
                    }
                    let inner = member.map_or((union.ty, 0), |member| (member.ty, place(member)));
                    self.look(inner.0, tagged.at() + inner.1, input, found);
                }
            }
            _ => {}
        }
    }

    /// Where the tag selects no member, a pointer that some tag would go with is misled too.
    fn look_at_union(
        &self,
        tagged: &Tagged,
        member: Option<&Field>,
        input: &InputBytes,
        found: &mut Vec<Misled>,
    ) {
        for place in &self.elements.of(tagged.union.ty).slots {
            let at = tagged.at() + place.offset;
            let value = input.word(at);
            if self.led_object(value).is_none() && !self.is_code(value) {
                continue;
            }
            let meant = member.and_then(|member| self.meant(tagged, member, at));
            if member.is_some() && !self.is_misled(at, meant.as_ref(), value) {
                continue;
            }
            let others = self.other_tags(tagged, member, at);
            if member.is_some() || !others.is_empty() {
                found.push(Misled { at, meant, others });
            }
        }
    }

    /// The member that the bytes of an input select.
    fn selected<'m>(&'m self, tagged: &Tagged, input: &InputBytes) -> Option<&'m Field> {
        let byte = |at: u64| input.byte(tagged.record + at as u32);
        let types = &self.model.types;
        let member = types.selected_member(tagged.fields, tagged.union, &byte)?;
        let TypeKind::Record { fields, .. } = &types.get(tagged.union.ty).kind else { return None };
        fields.get(member as usize).filter(|member| member.bit_width.is_none())
    }

    /// The pointer that a member of a union has at an offset.
    fn meant(&self, tagged: &Tagged, member: &Field, at: u32) -> Option<Slot> {
        let element = self.elements.of(member.ty);
        let inside = at.checked_sub(tagged.at() + place(member))?;
        let to = element.slots.iter().find(|slot| slot.offset == inside)?.to;
        let slot = self.slot_of(at).filter(|slot| slot.at == at)?;
        let mut all = [slot.clone()].into_iter().chain(self.others(&slot));
        all.find(|other| self.model.types.same_type(other.to, to))
    }

    /// Whether a pointer that leads somewhere leads to what is another member's.
    fn is_misled(&self, at: u32, meant: Option<&Slot>, value: u64) -> bool {
        let Some(meant) = meant else { return true };
        let own = self.own_object(meant).map(|own| own.offset);
        let led = self.led_object(value);
        let is_others = led.is_some_and(|(object, _)| object.slot == Some(at) && own != Some(object.offset));
        is_others || self.is_code(value) && !self.functions(meant).contains(&value)
    }

    fn functions(&self, slot: &Slot) -> Rc<Vec<u64>> {
        match self.target(slot) {
            PointerTarget::Functions(addresses) => addresses,
            PointerTarget::Object(_) | PointerTarget::OnlyNull(_) => Rc::default(),
        }
    }

    fn is_code(&self, value: u64) -> bool {
        let is_code = |what: &AddressOf| !matches!(what, AddressOf::Global(_));
        self.addresses.iter().any(|address| address.address == value && is_code(&address.what))
    }

    /// The object that an address leads into, and where.
    fn led_object(&self, address: u64) -> Option<(Rc<ObjectShape>, u32)> {
        let offset = u32::try_from(address.checked_sub(ARENA_BASE)?).ok()?;
        Some((self.grown.borrow().containing(offset)?, offset))
    }

    /// The pointers of members that other tags select.
    fn other_tags(&self, tagged: &Tagged, selected: Option<&Field>, at: u32) -> Vec<Other> {
        let types = &self.model.types;
        let TypeKind::Record { fields: members, .. } = &types.get(tagged.union.ty).kind else {
            return Vec::new();
        };
        let other = |selection: &Selection| {
            let tag = tagged.fields.get(selection.tag as usize).filter(|tag| tag.bit_width.is_none())?;
            let member = members.get(selection.member as usize)?;
            let is_other = selected.is_none_or(|selected| !std::ptr::eq(selected, member));
            let slot = self.meant(tagged, member, at).filter(|_| is_other)?;
            let bytes = selection.value.to_le_bytes().into_iter().take(types.get(tag.ty).size as usize);
            Some(Other { slot, tag: (tagged.record + place(tag)..).zip(bytes).collect() })
        };
        tagged.union.selections.iter().filter_map(other).collect()
    }

    /// Whether values of a type have a union that a tag selects the member of.
    fn has_tags(&self, ty: TypeId) -> bool {
        match &self.model.types.get(ty).kind {
            TypeKind::Array { of, .. } => self.has_tags(*of),
            TypeKind::Record { fields, is_union: false } => {
                fields.iter().any(|field| !field.selections.is_empty() || self.has_tags(field.ty))
            }
            _ => false,
        }
    }
}

impl Tagged<'_> {
    /// Arena offset of the union.
    fn at(&self) -> u32 {
        self.record + place(self.union)
    }
}

/// Where a member begins in its record.
fn place(field: &Field) -> u32 {
    (field.offset_bits / 8) as u32
}
