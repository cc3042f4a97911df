//! What a pointer of an input points to, as a C expression.
//!
//! Takes addresses as the target had them; gives `&node_1`, `buf_1 + 8`, `&table[1].key`, `compare_ints`.
//! Never takes the address of an under-aligned member: compilers warn of it, and rightly.

use tarka_events::Named as Address;
use tarka_scenario::Role;
use tarka_source::{TypeId, TypeKind, type_name};

use super::{Named, ObjectForm, Scene, member};
use crate::names;

/// What an address belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PointerTarget {
    /// A function or a stub, by name and type.
    Code(String, Option<TypeId>),
    /// An object of the input, at an offset.
    Object(usize, u64),
    /// A variable of the unit, at an offset.
    Variable(String, TypeId, u64),
}

impl Scene<'_> {
    /// What a pointer to `to` with this address points to. Where one thing ends another may begin: what has the type
    /// comes first, then what holds the byte.
    pub fn target(&self, address: u64, to: TypeId) -> Option<PointerTarget> {
        let code = self.addresses.iter().filter(|known| known.address == address);
        if let Some(code) = code.filter_map(|known| self.code(&known.what)).next() {
            return Some(code);
        }
        let mut targets = self.objects_at(address);
        targets.extend(self.variables_at(address));
        targets.sort_by_key(|(_, ends_there)| *ends_there);
        let typed = targets.iter().find(|(target, _)| self.has_typed_place(target, to));
        typed.or(targets.first()).map(|(target, _)| target.clone())
    }

    fn code(&self, what: &Address) -> Option<PointerTarget> {
        match what {
            Address::Function(name) => {
                let ty = self.model.function_named(name).map(|(_, function)| function.ty);
                Some(PointerTarget::Code(names::emitted(name), ty))
            }
            Address::Stub(index) => {
                let stub = self.stubs.get(*index as usize)?;
                Some(PointerTarget::Code(stub.name.clone(), Some(stub.ty)))
            }
            Address::Global(_) => None,
        }
    }

    /// Objects that hold the byte at an address or end there; the flag says which.
    fn objects_at(&self, address: u64) -> Vec<(PointerTarget, bool)> {
        let objects = self.objects.iter().enumerate();
        let within = objects.filter(|(_, object)| {
            matches!(*object.role, Role::Pointee { .. } | Role::Global(_))
                && object.address != 0
                && (object.address..=object.address + object.before.len() as u64).contains(&address)
        });
        let found = within.map(|(index, object)| {
            let offset = address - object.address;
            (PointerTarget::Object(index, offset), offset > 0 && offset == object.before.len() as u64)
        });
        found.collect()
    }

    /// The object that holds the byte at an address, or else one that ends there.
    pub(super) fn object_at(&self, address: u64) -> Option<(usize, u64)> {
        let nearest = self.objects_at(address).into_iter().min_by_key(|(_, ends_there)| *ends_there)?;
        match nearest {
            (PointerTarget::Object(index, offset), _) => Some((index, offset)),
            _ => None,
        }
    }

    /// Variables of the unit that hold the byte at an address or end there.
    fn variables_at(&self, address: u64) -> Vec<(PointerTarget, bool)> {
        let globals = self.model.globals.iter().chain(&self.model.declared_variables);
        let type_of = |name: &str| globals.clone().find(|global| global.name == name).map(|global| global.ty);
        let found = self.addresses.iter().filter_map(|known| {
            let Address::Global(name) = &known.what else { return None };
            let offset = address.checked_sub(known.address).filter(|offset| *offset <= known.size)?;
            Some((
                PointerTarget::Variable(name.clone(), type_of(name)?, offset),
                offset > 0 && offset == known.size,
            ))
        });
        found.collect()
    }

    /// How well a pointer to `to` fits what it leads to: 1 if that is what it is, 2 if it has such a part there, 3 if it takes
    /// a cast.
    pub(super) fn fit(&self, target: &PointerTarget, to: TypeId) -> usize {
        let is_it = match target {
            PointerTarget::Code(_, of) => of.is_some_and(|of| self.model.types.same_type(of, to)),
            PointerTarget::Variable(_, of, _) => self.model.types.same_type(*of, to),
            PointerTarget::Object(index, _) => self.model.types.same_type(self.objects[*index].ty, to),
        };
        let has_it = || !matches!(target, PointerTarget::Code(..)) && self.has_typed_place(target, to);
        if is_it {
            1
        } else if has_it() {
            2
        } else {
            3
        }
    }

    /// Whether something of type `to` is there, or an array of it ends there.
    fn has_typed_place(&self, target: &PointerTarget, to: TypeId) -> bool {
        match target {
            PointerTarget::Code(..) => true,
            PointerTarget::Variable(name, ty, offset) => {
                self.address_in(*ty, name, *offset, to, true).is_some()
            }
            PointerTarget::Object(index, offset) => {
                let object = self.objects[*index];
                let element = |_| String::new();
                self.address_in_array(object.ty, object.count, "", &element, *offset, to).is_some()
            }
        }
    }

    /// The expression for a target that is declared already. `ty` is the pointer's type, `to` what it points to.
    pub fn target_text(&self, target: &PointerTarget, ty: TypeId, to: TypeId) -> Option<String> {
        let (base, address, offset) = match target {
            PointerTarget::Code(name, of) => {
                let fits = of.is_some_and(|of| self.model.types.same_type(of, to));
                return Some(if fits { name.clone() } else { format!("{}{name}", self.cast(ty)) });
            }
            PointerTarget::Variable(name, of, offset) => {
                (format!("&{name}"), self.address_in(*of, name, *offset, to, true), *offset)
            }
            PointerTarget::Object(index, offset) => {
                let named = self.named[*index].as_ref()?;
                let of = self.objects[*index].ty;
                (named.pointer(), self.address_in_object(named, of, *offset, to), *offset)
            }
        };
        // Nothing in it has that type at that place: count bytes.
        Some(address.unwrap_or_else(|| match offset {
            0 => format!("{}{}", self.cast(ty), bracketed(&base)),
            _ => match self.cast(ty).as_str() {
                "(char *)" => format!("(char *){} + {offset}", bracketed(&base)),
                cast => format!("{cast}((char *){} + {offset})", bracketed(&base)),
            },
        }))
    }

    fn cast(&self, ty: TypeId) -> String {
        type_name(&self.model.types, ty).map_or("(void *)".to_string(), |name| format!("({name})"))
    }

    fn address_in_object(&self, named: &Named, of: TypeId, offset: u64, to: TypeId) -> Option<String> {
        let element = |index: u64| named.element(index);
        match named.form {
            ObjectForm::Single | ObjectForm::Global => self.address_in(of, &named.name, offset, to, true),
            ObjectForm::Opaque => None,
            ObjectForm::Array | ObjectForm::Allocated
                if named.elements == 0 && offset == 0 && self.fits(of, to) =>
            {
                Some(named.pointer())
            }
            ObjectForm::Array | ObjectForm::Allocated | ObjectForm::Kept => {
                self.address_in_array(of, named.elements, &named.name, &element, offset, to)
            }
        }
    }

    /// The address of the part of a variable that has the wanted type at an offset.
    fn address_in(&self, ty: TypeId, path: &str, offset: u64, to: TypeId, outermost: bool) -> Option<String> {
        let found = self.model.types.get(ty);
        if offset == 0 && self.fits(ty, to) {
            // A whole array as `void *` needs no `&`.
            let is_array = matches!(found.kind, TypeKind::Array { .. }) && self.model.types.is_void(to);
            return Some(if is_array { path.to_string() } else { format!("&{path}") });
        }
        if outermost && offset == found.size && offset > 0 && self.fits(ty, to) {
            return Some(format!("&{path} + 1"));
        }
        match &found.kind {
            TypeKind::Array { of, len } => {
                let element = |index: u64| format!("{path}[{index}]");
                self.address_in_array(*of, len.unwrap_or(u64::MAX), path, &element, offset, to)
            }
            TypeKind::Record { fields, .. } => fields.iter().find_map(|field| {
                let start = field.offset_bits / 8;
                let member_type = self.model.types.get(field.ty);
                let is_open = matches!(member_type.kind, TypeKind::Array { len: None | Some(0), .. });
                let within = offset >= start && (is_open || offset < start + member_type.size);
                let aligned = found.align >= member_type.align;
                if field.bit_width.is_some() || !within || !aligned {
                    return None;
                }
                self.address_in(field.ty, &member(path, &field.name), offset - start, to, false)
            }),
            _ => None,
        }
    }

    fn address_in_array(
        &self,
        of: TypeId,
        len: u64,
        path: &str,
        element: &dyn Fn(u64) -> String,
        offset: u64,
        to: TypeId,
    ) -> Option<String> {
        let size = self.model.types.get(of).size.max(1);
        let (index, within) = (offset / size, offset % size);
        if within == 0 && self.fits(of, to) {
            return match index {
                0 => Some(path.to_string()),
                _ if index < len => Some(format!("&{}", element(index))),
                _ => Some(format!("{path} + {index}")),
            };
        }
        (index < len).then(|| self.address_in(of, &element(index), within, to, false)).flatten()
    }

    fn fits(&self, ty: TypeId, to: TypeId) -> bool {
        self.model.types.is_void(to) || self.model.types.same_type(ty, to)
    }

    /// The pointer inside a value of type `ty` at a byte offset.
    pub(super) fn pointer_at(&self, ty: TypeId, offset: u64, path: &str) -> Option<String> {
        match &self.model.types.get(ty).kind {
            TypeKind::Pointer { .. } if offset == 0 => Some(path.to_string()),
            TypeKind::Array { of, .. } => {
                let size = self.model.types.get(*of).size.max(1);
                self.pointer_at(*of, offset % size, &format!("{path}[{}]", offset / size))
            }
            TypeKind::Record { fields, .. } => fields.iter().find_map(|field| {
                let start = field.offset_bits / 8;
                let is_open = matches!(
                    self.model.types.get(field.ty).kind,
                    TypeKind::Array { len: None | Some(0), .. }
                );
                let end = start + self.model.types.get(field.ty).size;
                if field.bit_width.is_some() || offset < start || !is_open && offset >= end {
                    return None;
                }
                self.pointer_at(field.ty, offset - start, &member(path, &field.name))
            }),
            _ => None,
        }
    }
}

/// An operand of a cast.
fn bracketed(text: &str) -> String {
    if text.contains(' ') { format!("({text})") } else { text.to_string() }
}
