//! The objects of one input as named C variables: which are needed, what they are called, how large they must be,
//! and how each is declared and filled.
//!
//! Takes a function and an input; gives declarations in an order C accepts, and the argument of each parameter.
//! Never: the observed results (see `observe`), files, processes.

use std::collections::{BTreeMap, BTreeSet};

use tarka_events::{Input, InputObject, Role};
use tarka_source::{Field, Function, SourceModel, TypeId, TypeKind};

use crate::init::{Init, Item};
use crate::{literal, scalar};
use tarka_source::{base_name, declare, declare_pointer, type_name};

/// A value or type that has no text in C.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} cannot be written in C")]
pub struct Unspellable {
    /// What it is.
    pub what: String,
}

/// How an object appears in the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A variable.
    Single,
    /// An array variable.
    Array,
    /// Allocated, because the unit frees it.
    Allocated,
    /// A variable of the unit itself.
    Global,
}

/// An object with its name.
#[derive(Clone, Debug)]
pub struct Named {
    /// Variable name.
    pub name: String,
    /// How it appears.
    pub form: Form,
    /// Elements kept.
    pub elements: u64,
    /// `__typeof__(…)` where the element type has no name of its own.
    typeof_text: Option<String>,
}

impl Named {
    /// The C place of one element.
    pub fn element(&self, index: u64) -> String {
        match self.form {
            Form::Single | Form::Global => self.name.clone(),
            Form::Allocated if self.elements == 1 => format!("(*{})", self.name),
            Form::Array | Form::Allocated => format!("{}[{index}]", self.name),
        }
    }

    /// The C expression that points to it.
    pub fn pointer(&self) -> String {
        match self.form {
            Form::Single | Form::Global => format!("&{}", self.name),
            Form::Array | Form::Allocated => self.name.clone(),
        }
    }
}

/// The place of a member.
pub fn member(path: &str, field: &str) -> String {
    match path.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')')) {
        Some(pointer) if !field.is_empty() => format!("{pointer}->{field}"),
        _ if field.is_empty() => path.to_string(),
        _ => format!("{path}.{field}"),
    }
}

/// All objects of one input, named and declared.
pub struct Scene<'a> {
    /// The translation unit.
    pub model: &'a SourceModel,
    /// The function under test.
    pub function: &'a Function,
    /// The input.
    pub input: &'a Input,
    /// Names of the objects that appear, by index.
    pub named: Vec<Option<Named>>,
    /// Declarations and statements that set everything up, without indentation.
    pub setup: Vec<String>,
    /// The argument of each parameter.
    pub arguments: Vec<String>,
    taken: BTreeSet<String>,
    counters: BTreeMap<String, u32>,
    declared: Vec<bool>,
    late: Vec<String>,
}

impl<'a> Scene<'a> {
    /// Names and declares everything the call needs.
    pub fn new(
        model: &'a SourceModel,
        function: &'a Function,
        input: &'a Input,
    ) -> Result<Self, Unspellable> {
        let mut taken: BTreeSet<String> = ["result".to_string()].into();
        taken.extend(model.functions.iter().map(|function| function.name.clone()));
        taken.extend(model.globals.iter().map(|global| global.name.clone()));
        for ty in &model.types.types {
            if let TypeKind::Enum { enumerators, .. } = &ty.kind {
                taken.extend(enumerators.iter().map(|(name, _)| name.clone()));
            }
        }
        let count = input.objects.len();
        let mut scene = Scene {
            model,
            function,
            input,
            named: vec![None; count],
            setup: Vec::new(),
            arguments: Vec::new(),
            taken,
            counters: BTreeMap::new(),
            declared: vec![false; count],
            late: Vec::new(),
        };
        for position in 0..function.params.len() {
            let argument = scene.argument(position)?;
            scene.arguments.push(argument);
        }
        scene.globals()?;
        let late = std::mem::take(&mut scene.late);
        scene.setup.extend(late);
        Ok(scene)
    }

    fn argument(&mut self, position: usize) -> Result<String, Unspellable> {
        let found = self
            .input
            .objects
            .iter()
            .position(|object| object.role == Role::Param { call: 0, position: position as u32 });
        let Some(index) = found else {
            let name = &self.function.params[position].name;
            return Err(Unspellable {
                what: format!("parameter `{name}`, for which the run kept no value,"),
            });
        };
        let object = &self.input.objects[index];
        match &self.model.types.get(object.ty).kind {
            TypeKind::Record { .. } | TypeKind::Array { .. } => {
                self.declare_object(index, &self.function.params[position].name.clone())?;
                Ok(self.named[index].as_ref().map(|named| named.name.clone()).unwrap_or_default())
            }
            _ => Ok(
                match self.init(
                    object.ty,
                    &object.before,
                    "",
                    &self.function.params[position].name.clone(),
                )? {
                    Init::Zero => scalar::zero(&self.model.types, object.ty),
                    Init::Atom(text) => text,
                    list @ Init::List(_) => list.text("0", 4, 4),
                },
            ),
        }
    }

    fn globals(&mut self) -> Result<(), Unspellable> {
        for (index, object) in self.input.objects.iter().enumerate() {
            let Role::Global(name) = &object.role else { continue };
            self.named[index] =
                Some(Named { name: name.clone(), form: Form::Global, elements: 1, typeof_text: None });
            self.declared[index] = true;
            let line = match self.init(object.ty, &object.before, name, name)? {
                Init::Zero => format!("memset(&{name}, 0, sizeof {name});"),
                Init::Atom(text) => format!("{name} = {text};"),
                list => format!(
                    "memcpy(&{name}, &(__typeof__({name})){}, sizeof {name});",
                    list.text("{0}", 4, 40 + 3 * name.len())
                ),
            };
            self.setup.push(line);
        }
        Ok(())
    }

    /// Chooses name and form, then declares after everything it points to.
    fn declare_object(&mut self, index: usize, hint: &str) -> Result<(), Unspellable> {
        let object = &self.input.objects[index];
        let ty = self.model.types.get(object.ty);
        let base = match ty.kind {
            TypeKind::Record { .. } => base_name(&ty.spelling),
            _ => None,
        };
        let name = self.fresh_name(&base.unwrap_or_else(|| hint.to_string()));
        let elements = self.elements(object);
        let keeps_length = self.declared_length(object).is_some();
        let form = match () {
            _ if object.freed => Form::Allocated,
            _ if elements == 1 && !keeps_length && !scalar::is_char(&self.model.types, object.ty) => {
                Form::Single
            }
            _ => Form::Array,
        };
        let typeof_text = match declare(&self.model.types, object.ty, "x") {
            Some(_) => None,
            None => Some(self.typeof_text(object)?),
        };
        let form = if matches!(object.role, Role::Param { .. }) { Form::Single } else { form };
        let named = Named { name, form, elements, typeof_text };
        self.named[index] = Some(named.clone());
        let lines = match form {
            Form::Single => vec![self.single(object, &named, hint)?],
            Form::Array => vec![self.array(object, &named, hint)?],
            Form::Allocated | Form::Global => self.allocated(object, &named, hint)?,
        };
        self.setup.extend(lines);
        self.declared[index] = true;
        Ok(())
    }

    fn fresh_name(&mut self, base: &str) -> String {
        loop {
            let counter = self.counters.entry(base.to_string()).or_insert(0);
            *counter += 1;
            let name = format!("{base}_{counter}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    fn single(&mut self, object: &InputObject, named: &Named, hint: &str) -> Result<String, Unspellable> {
        let start = format!("{} = ", self.declaration(object, named, &named.name)?);
        let init = self.init(object.ty, &object.before, &named.name, hint)?;
        let zero = scalar::zero(&self.model.types, object.ty);
        Ok(format!("{start}{};", init.text(&zero, 4, 4 + start.len())))
    }

    fn array(&mut self, object: &InputObject, named: &Named, hint: &str) -> Result<String, Unspellable> {
        let size = self.element_size(object);
        let bytes = prefix(&object.before, named.elements * size);
        if let Some(text) = scalar::string(&self.model.types, object.ty, bytes) {
            // The compiler counts where the literal fills the array exactly.
            let ends = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            let len = if ends + 1 == bytes.len() { String::new() } else { named.elements.to_string() };
            let declaration = self.declaration(object, named, &format!("{}[{len}]", named.name))?;
            return Ok(format!("{declaration} = {text};"));
        }
        let start = format!(
            "{} = ",
            self.declaration(object, named, &format!("{}[{}]", named.name, named.elements))?
        );
        let init = self.array_init(object.ty, bytes, &named.name, hint)?;
        Ok(format!("{start}{};", init.text("{0}", 4, 4 + start.len())))
    }

    fn allocated(
        &mut self,
        object: &InputObject,
        named: &Named,
        hint: &str,
    ) -> Result<Vec<String>, Unspellable> {
        let name = &named.name;
        let pointer = match &named.typeof_text {
            Some(text) => format!("{text} *{name}"),
            None => declare_pointer(&self.model.types, object.ty, name).unwrap_or_default(),
        };
        let mut lines = vec![format!("{pointer} = calloc({}, sizeof *{name});", named.elements)];
        let size = self.element_size(object);
        let bytes = prefix(&object.before, named.elements * size);
        if let Some(text) = scalar::string(&self.model.types, object.ty, bytes) {
            if bytes.iter().any(|&byte| byte != 0) {
                let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                lines.push(format!("memcpy({name}, {text}, {used});"));
            }
            return Ok(lines);
        }
        let by_copy = !matches!(self.model.types.get(object.ty).kind, TypeKind::Record { .. })
            || self.has_const_member(object.ty);
        for index in 0..named.elements {
            let element = window(bytes, index * size, size);
            let place = if named.elements == 1 { format!("*{name}") } else { format!("{name}[{index}]") };
            match self.init(object.ty, element, &named.element(index), hint)? {
                Init::Zero => {}
                Init::Atom(text) => lines.push(format!("{place} = {text};")),
                list => {
                    let ty = type_name(&self.model.types, object.ty)
                        .unwrap_or_else(|| format!("__typeof__(*{name})"));
                    let value = list.text("{0}", 4, 12 + place.len() + ty.len());
                    let target = if named.elements == 1 { name.clone() } else { format!("&{place}") };
                    lines.push(if by_copy {
                        format!("memcpy({target}, &({ty}){value}, sizeof {place});")
                    } else {
                        format!("{place} = ({ty}){value};")
                    });
                }
            }
        }
        Ok(lines)
    }

    fn has_const_member(&self, ty: TypeId) -> bool {
        match &self.model.types.get(ty).kind {
            TypeKind::Record { fields, .. } => {
                fields.iter().any(|field| field.is_const || self.has_const_member(field.ty))
            }
            TypeKind::Array { of, .. } => self.has_const_member(*of),
            _ => false,
        }
    }

    fn declaration(
        &self,
        object: &InputObject,
        named: &Named,
        declarator: &str,
    ) -> Result<String, Unspellable> {
        // Large objects do not belong on the stack.
        let storage = if object.before.len() > 64 * 1024 { "static " } else { "" };
        let text = match &named.typeof_text {
            Some(text) => format!("{text} {declarator}"),
            None => declare(&self.model.types, object.ty, declarator)
                .ok_or_else(|| Unspellable { what: format!("the type of `{}`", named.name) })?,
        };
        Ok(format!("{storage}{text}"))
    }

    /// The type of a pointee by way of the pointer that holds it, for types without a name.
    fn typeof_text(&self, object: &InputObject) -> Result<String, Unspellable> {
        let unnamed = || Unspellable { what: "a parameter of a type without a name".to_string() };
        let Role::Pointee { object: holder, offset } = &object.role else { return Err(unnamed()) };
        let parent = &self.input.objects[*holder as usize];
        if matches!(parent.role, Role::Param { .. }) && *offset == 0 {
            let is_record = matches!(self.model.types.get(parent.ty).kind, TypeKind::Record { .. });
            if !is_record {
                return Err(unnamed());
            }
        }
        let holder_type = match type_name(&self.model.types, parent.ty) {
            Some(name) => name,
            None => self.typeof_text(parent)?,
        };
        let within = *offset % self.element_size(parent);
        let path = self.lvalue_at(parent.ty, within, None, &format!("(*(({holder_type} *)0))"));
        path.map(|path| format!("__typeof__(*{path})")).ok_or_else(unnamed)
    }

    /// The place inside a value of type `ty` at a byte offset, of the wanted type (any pointer if not given).
    pub fn lvalue_at(&self, ty: TypeId, offset: u64, want: Option<TypeId>, path: &str) -> Option<String> {
        let found = self.model.types.get(ty);
        let fits = match want {
            Some(want) => scalar::same_type(&self.model.types, ty, want),
            None => matches!(found.kind, TypeKind::Pointer { .. }),
        };
        if offset == 0 && fits {
            return Some(path.to_string());
        }
        match &found.kind {
            TypeKind::Array { of, len } => {
                let size = self.model.types.get(*of).size.max(1);
                let index = offset / size;
                if index >= len.unwrap_or(0) {
                    return None;
                }
                self.lvalue_at(*of, offset % size, want, &format!("{path}[{index}]"))
            }
            TypeKind::Record { fields, .. } => fields.iter().find_map(|field| {
                let start = field.offset_bits / 8;
                let size = self.model.types.get(field.ty).size;
                if field.bit_width.is_some() || offset < start || offset >= start + size {
                    return None;
                }
                self.lvalue_at(field.ty, offset - start, want, &member(path, &field.name))
            }),
            _ => None,
        }
    }

    /// Size of one element, never zero.
    pub fn element_size(&self, object: &InputObject) -> u64 {
        self.model.types.get(object.ty).size.max(1)
    }

    /// `N` where the pointee belongs to a parameter written `T name[N]`.
    fn declared_length(&self, object: &InputObject) -> Option<u64> {
        let Role::Pointee { object: holder, offset: 0 } = object.role else { return None };
        match self.input.objects.get(holder as usize)?.role {
            Role::Param { position, .. } => self.function.params.get(position as usize)?.array_len,
            _ => None,
        }
    }

    /// How many elements a test needs: what the unit touched, what it was given and what it changed.
    fn elements(&self, object: &InputObject) -> u64 {
        let count = object.count.max(1);
        if self.declared_length(object).is_some() || !matches!(object.role, Role::Pointee { .. }) {
            return count;
        }
        let given = object.before.iter().rposition(|&byte| byte != 0).map_or(0, |last| last as u64 + 1);
        let changed = object
            .before
            .iter()
            .zip(&object.after)
            .rposition(|(a, b)| a != b)
            .map_or(0, |last| last as u64 + 1);
        if object.touched == 0 && given.max(changed) > 0 {
            // Used by code that leaves no trace of its accesses: trust nothing but the whole object.
            return count;
        }
        let terminator = u64::from(scalar::is_char(&self.model.types, object.ty) && given > 0);
        let used = object.touched.max(given + terminator).max(changed);
        used.div_ceil(self.element_size(object)).clamp(1, count)
    }

    /// The initialiser of a value. `path` is its place, `hint` what a pointee without a type name is called after.
    fn init(&mut self, ty: TypeId, bytes: &[u8], path: &str, hint: &str) -> Result<Init, Unspellable> {
        let model = self.model;
        match &model.types.get(ty).kind {
            TypeKind::Array { of, .. } => self.array_init(*of, bytes, path, hint),
            TypeKind::Record { fields, is_union } => {
                let mut items = Vec::new();
                self.record_items(fields, *is_union, bytes, path, &mut items)?;
                Ok(if items.is_empty() { Init::Zero } else { Init::List(items) })
            }
            TypeKind::Pointer { to, .. } => self.pointer_init(ty, *to, bytes, path, hint),
            _ if bytes.iter().all(|&byte| byte == 0) => Ok(Init::Zero),
            _ => Ok(Init::Atom(scalar::value(&model.types, ty, bytes)?)),
        }
    }

    fn array_init(&mut self, of: TypeId, bytes: &[u8], path: &str, hint: &str) -> Result<Init, Unspellable> {
        if bytes.iter().all(|&byte| byte == 0) {
            return Ok(Init::Zero);
        }
        if let Some(text) = scalar::string(&self.model.types, of, bytes) {
            return Ok(Init::Atom(text));
        }
        let size = self.model.types.get(of).size.max(1);
        let mut values = Vec::new();
        for index in 0..bytes.len() as u64 / size {
            let element = window(bytes, index * size, size);
            values.push(self.init(of, element, &format!("{path}[{index}]"), hint)?);
        }
        let used = values.iter().rposition(|value| *value != Init::Zero).map_or(0, |last| last + 1);
        values.truncate(used);
        let zeros = values.iter().filter(|value| **value == Init::Zero).count();
        let aggregate =
            matches!(self.model.types.get(of).kind, TypeKind::Record { .. } | TypeKind::Array { .. });
        // Elements are numbered where zeros would drown them; zero aggregates are never written out.
        let numbered = zeros > 0 && (aggregate || zeros > 4 && zeros * 2 > values.len());
        let zero = scalar::zero(&self.model.types, of);
        let items = values.into_iter().enumerate().filter_map(|(index, value)| match value {
            Init::Zero if numbered => None,
            Init::Zero => Some(Item { designator: String::new(), value: Init::Atom(zero.clone()) }),
            value => {
                let designator = if numbered { format!("[{index}]") } else { String::new() };
                Some(Item { designator, value })
            }
        });
        let items: Vec<Item> = items.collect();
        Ok(if items.is_empty() { Init::Zero } else { Init::List(items) })
    }

    fn record_items(
        &mut self,
        fields: &[Field],
        is_union: bool,
        bytes: &[u8],
        path: &str,
        items: &mut Vec<Item>,
    ) -> Result<(), Unspellable> {
        if is_union {
            if let Some(field) = self.union_member(fields, bytes) {
                self.field_items(&field.clone(), bytes, path, items)?;
            }
            return Ok(());
        }
        for field in fields {
            self.field_items(field, bytes, path, items)?;
        }
        Ok(())
    }

    fn field_items(
        &mut self,
        field: &Field,
        bytes: &[u8],
        path: &str,
        items: &mut Vec<Item>,
    ) -> Result<(), Unspellable> {
        let place = member(path, &field.name);
        if let Some(width) = field.bit_width {
            if !field.name.is_empty() && literal::read_bits(bytes, field.offset_bits, width) != 0 {
                let text = scalar::bit_field(&self.model.types, field, bytes);
                items.push(Item { designator: format!(".{}", field.name), value: Init::Atom(text) });
            }
            return Ok(());
        }
        let inner = window(bytes, field.offset_bits / 8, self.model.types.get(field.ty).size);
        if field.name.is_empty() {
            // Members of an anonymous struct or union are designated as if they were members of the outer one.
            if let TypeKind::Record { fields, is_union } = &self.model.types.get(field.ty).kind {
                let model_fields = fields.clone();
                return self.record_items(&model_fields, *is_union, inner, path, items);
            }
            return Ok(());
        }
        match self.init(field.ty, inner, &place, &field.name)? {
            Init::Zero => {}
            value => items.push(Item { designator: format!(".{}", field.name), value }),
        }
        Ok(())
    }

    /// The first member of a union that holds every byte that is not zero, or else the largest.
    pub fn union_member<'f>(&self, fields: &'f [Field], bytes: &[u8]) -> Option<&'f Field> {
        let used = bytes.iter().rposition(|&byte| byte != 0)? as u64 + 1;
        let size = |field: &&Field| self.model.types.get(field.ty).size;
        let usable = |field: &&Field| match &self.model.types.get(field.ty).kind {
            TypeKind::Pointer { .. } => {
                let value = literal::read_bits(bytes, 0, 64) as u64;
                self.input.objects.iter().any(|object| object.address == value && object.address != 0)
            }
            _ => true,
        };
        let candidates = || fields.iter().filter(usable);
        candidates().find(|field| size(field) >= used).or_else(|| candidates().max_by_key(size))
    }

    fn pointer_init(
        &mut self,
        ty: TypeId,
        to: TypeId,
        bytes: &[u8],
        path: &str,
        hint: &str,
    ) -> Result<Init, Unspellable> {
        let address = literal::read_bits(bytes, 0, 64) as u64;
        if address == 0 {
            return Ok(Init::Zero);
        }
        let Some(index) =
            self.input.objects.iter().position(|object| object.address == address && !is_root(object))
        else {
            return Err(Unspellable { what: format!("the pointer {address:#x} in `{path}`") });
        };
        if self.named[index].is_none() {
            self.declare_object(index, hint)?;
        }
        let Some(named) = &self.named[index] else { return Ok(Init::Zero) };
        let object = &self.input.objects[index];
        let void = matches!(self.model.types.get(to).kind, TypeKind::Void);
        let text = if void || scalar::same_type(&self.model.types, object.ty, to) {
            named.pointer()
        } else {
            let cast = type_name(&self.model.types, ty)
                .ok_or_else(|| Unspellable { what: format!("the type of `{path}`") })?;
            format!("({cast}){}", named.pointer())
        };
        if self.declared[index] {
            return Ok(Init::Atom(text));
        }
        // A cycle: the variable exists only after this one, so the pointer is set when both do.
        self.late.push(format!("{path} = {text};"));
        Ok(Init::Zero)
    }
}

fn is_root(object: &InputObject) -> bool {
    matches!(object.role, Role::Param { .. })
}

fn prefix(bytes: &[u8], len: u64) -> &[u8] {
    &bytes[..bytes.len().min(len as usize)]
}

/// `len` bytes at `start`, fewer at the end.
pub fn window(bytes: &[u8], start: u64, len: u64) -> &[u8] {
    let start = (start as usize).min(bytes.len());
    let end = (start + len as usize).min(bytes.len());
    &bytes[start..end]
}
