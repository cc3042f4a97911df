//! Objects that a pointer may share with others: elements of arrays, members of records, variables of the program.
//!
//! Takes a pointer; gives the places of its type that exist so far: they are more when it is asked again later, never
//! fewer, up to a bound. Of two pointers to the same type the later one may have the earlier one's object, not the
//! other way round: otherwise an answer could move an object away from under what the path has read through it.
//! Never: terms (see `domain`).

use std::rc::Rc;

use tarka_instrument::AddressOf;
use tarka_scenario::Role;
use tarka_source::{TypeId, TypeKind};
use tarka_trace::ARENA_BASE;

use super::Shape;
use super::grow::{PointerTarget, Slot, is_string_element};
use super::object::{Counter, ObjectShape};

/// Most arrays, members and variables a pointer may share; those nearest to the roots are taken.
const MOST_ALIASES: usize = 32;

/// Addresses that a pointer may have because something of its type is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Alias {
    /// The first.
    pub base: u64,
    /// How many, `stride` bytes apart.
    pub count: u64,
    pub stride: u64,
    /// Only if there are elements enough.
    pub condition: Option<Enough>,
}

/// A condition on lengths under which two pointers may be equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Enough {
    /// This many elements, counted by an input, are at least one.
    Any(Counter),
    /// The first counts no more than the second.
    NoMoreThan(Counter, Counter),
    /// The counter counts no more than this.
    AtMost(Counter, u64),
    /// No further from the first than so many elements of so many bytes as the counter says.
    Within(Counter, u64),
}

/// Elements of one type in a row.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub offset: u64,
    pub count: u64,
}

impl Shape<'_> {
    /// What a pointer may share with others.
    pub(super) fn aliases(&self, slot: &Slot) -> Rc<Vec<Alias>> {
        // The pointer's own object comes into being first, so that of two pointers one may always have the other's.
        let own = self.target(slot);
        let objects = self.grown.borrow().objects.len();
        if let Some((then, known)) = self.grown.borrow().aliases.get(&slot.at)
            && *then == objects
        {
            return known.clone();
        }
        let found = Rc::new(self.find_aliases(slot, &own));
        self.grown.borrow_mut().aliases.insert(slot.at, (objects, found.clone()));
        found
    }

    /// The addresses of what the pointer that holds this byte may share with others.
    pub(crate) fn shared_addresses(&self, byte: u32) -> Vec<u64> {
        let Some(slot) = self.slot_of(byte) else { return Vec::new() };
        let aliases = self.aliases(&slot);
        let all = aliases.iter().flat_map(|alias| {
            let (base, stride) = (alias.base, alias.stride);
            (0..alias.count).map(move |index| base + index * stride)
        });
        all.collect()
    }

    fn find_aliases(&self, slot: &Slot, own: &PointerTarget) -> Vec<Alias> {
        if matches!(self.model.types.get(slot.to).kind, TypeKind::Function { .. }) {
            return Vec::new();
        }
        let ty = self.pointee(slot);
        let mut others: Vec<Rc<ObjectShape>> = {
            let grown = self.grown.borrow();
            let pointees = grown.objects.iter().enumerate().skip(self.roots);
            let may_share = |&(index, object): &(usize, &Rc<ObjectShape>)| match own {
                PointerTarget::Object(own) if index == *own => false,
                PointerTarget::Object(own) if index > *own => {
                    !self.model.types.same_type(object.ty, ty) && !grown.hangs_on(object, *own)
                }
                PointerTarget::Object(_) => true,
                PointerTarget::Functions(_) => false,
                PointerTarget::OnlyNull(_) => object.depth <= slot.depth,
            };
            pointees.filter(may_share).map(|(_, object)| object.clone()).collect()
        };
        others.sort_by_key(|object| (object.depth, object.offset));
        let shared = others.iter().flat_map(|object| self.in_object(slot, ty, object));
        let own = self.inside_own(slot);
        own.into_iter().chain(shared).chain(self.in_variables(slot, ty)).take(MOST_ALIASES).collect()
    }

    /// The places of its own object that a pointer may lead to, not only the first: every element, and what follows the
    /// last. Where a length goes with the pointer, it counts from the first.
    pub(super) fn inside_own(&self, slot: &Slot) -> Option<Alias> {
        let object = self.own_object(slot)?;
        let pointee = self.model.types.get(self.pointee(slot));
        let is_opaque = matches!(pointee.kind, TypeKind::Incomplete);
        if slot.length.is_some() || slot.stated.is_some() || is_opaque || self.is_untyped(slot) {
            return None;
        }
        let stride = pointee.size.max(1);
        let past_end = u64::from(!object.ends_string);
        let count = u64::from(object.capacity) / stride + past_end;
        let length = object.length.as_ref();
        let condition = length.map(|length| Enough::Within(Counter::of(length), u64::from(length.element)));
        (count > 1).then_some(Alias { base: object.address(), count, stride, condition })
    }

    /// A `void *` that the unit casts to nothing, or to more than one type: it leads to the start of something, as what an
    /// allocation gives does. Anywhere else the unit might find no type aligned.
    fn is_untyped(&self, slot: &Slot) -> bool {
        self.model.types.is_void(slot.to) && slot.cast_to.is_none()
    }

    fn in_object(&self, slot: &Slot, ty: TypeId, object: &ObjectShape) -> Vec<Alias> {
        let base = ARENA_BASE + u64::from(object.offset);
        if self.is_untyped(slot) && slot.length.is_none() {
            return vec![Alias { base, count: 1, stride: 1, condition: None }];
        }
        if let Some(length) = &object.length {
            let theirs = Counter::of(length);
            let condition = match slot.length {
                Some(mine) => Enough::NoMoreThan(mine, theirs),
                // A string would have no end there.
                None if is_string_element(&self.model.types, ty) || slot.stated.is_some() => {
                    return Vec::new();
                }
                None => Enough::Any(theirs),
            };
            let same = self.model.types.same_type(object.ty, ty);
            let alias = Alias { base, count: 1, stride: 1, condition: Some(condition) };
            return if same { vec![alias] } else { Vec::new() };
        }
        let rows = match self.rows(object.ty, ty, object.count) {
            // Bytes are part of everything.
            rows if rows.is_empty() && self.model.types.is_char(ty) && !self.ranges.are_apart() => {
                vec![Row { offset: 0, count: u64::from(object.size) }]
            }
            rows => rows,
        };
        // The end of a string is its last element, not what follows.
        let past_end = u64::from(!object.ends_string);
        rows.into_iter().filter_map(|row| self.in_row(slot, ty, base, row, past_end)).collect()
    }

    fn in_variables(&self, slot: &Slot, ty: TypeId) -> Vec<Alias> {
        let of_unit = self.variables_of_unit(&|_| true).into_iter();
        of_unit
            .flat_map(|(base, of)| {
                let rows = self.rows(of, ty, 1);
                rows.into_iter().filter_map(move |row| self.in_row(slot, ty, base, row, 1))
            })
            .collect()
    }

    /// Address and type of the variables that are inputs, of those that are meant.
    pub(super) fn variables_of_unit(&self, is_meant: &dyn Fn(&str) -> bool) -> Vec<(u64, TypeId)> {
        let variables = self.addresses.iter().filter_map(|address| match address.what {
            AddressOf::Global(index) => Some((address.address, self.model.globals.get(index as usize)?)),
            _ => None,
        });
        let of_unit = variables.filter(|(_, global)| {
            let role = Role::Global(global.name.clone());
            let grown = self.grown.borrow();
            is_meant(&global.name)
                && grown.objects[..self.roots].iter().any(|root| root.root.as_ref() == Some(&role))
        });
        of_unit.map(|(address, global)| (address, global.ty)).collect()
    }

    fn in_row(&self, slot: &Slot, ty: TypeId, base: u64, row: Row, past_end: u64) -> Option<Alias> {
        let stride = self.model.types.get(ty).size.max(1);
        let base = base + row.offset;
        if let Some(mine) = slot.length {
            let condition = Some(Enough::AtMost(mine, row.count));
            return Some(Alias { base, count: 1, stride, condition });
        }
        let past_end = if row.count > 1 { past_end } else { 0 };
        let needed = slot.stated.unwrap_or(0);
        let count = (row.count + past_end).checked_sub(needed.saturating_sub(1))?;
        (count > 0).then_some(Alias { base, count, stride, condition: None })
    }

    /// The elements of type `wanted` in `count` values of type `ty`: the values themselves, the elements of arrays, and the
    /// members of the first record, also in records inside it.
    pub(super) fn rows(&self, ty: TypeId, wanted: TypeId, count: u64) -> Vec<Row> {
        let types = &self.model.types;
        let (mut inner, mut total) = (ty, count);
        loop {
            if types.same_type(inner, wanted) {
                return vec![Row { offset: 0, count: total }];
            }
            match &types.get(inner).kind {
                TypeKind::Array { of, len: Some(len) } => (inner, total) = (*of, total * len),
                TypeKind::Record { fields, is_union: false } => {
                    let members = fields.iter().filter(|field| field.bit_width.is_none());
                    let rows = members.flat_map(|field| {
                        let at = field.offset_bits / 8;
                        let inside = self.rows(field.ty, wanted, 1).into_iter();
                        inside.map(move |row| Row { offset: at + row.offset, ..row })
                    });
                    return rows.collect();
                }
                _ => return Vec::new(),
            }
        }
    }
}
