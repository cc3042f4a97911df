//! Declarations: each object as a variable, an array, allocated memory, or memory that stands for an unknown type.
//!
//! Takes an object of the input, gives its statements, after those of everything it points to.
//! Never: sizes and values (see `sizes`, `initialising`).

use tarka_scenario::Role;
use tarka_source::{LibraryHandle, TypeId, TypeKind, declare, declare_pointer, type_name};

use super::{Lvalue, Named, ObjectForm, Scene, SceneObject, Unspellable, window};
use crate::render::scalar;
use crate::render::tree::{Call, Declaration, Init, Statement, Unnamed, Value};

/// Objects larger than this do not belong on the stack.
const LARGEST_ON_STACK: u64 = 64 * 1024;

impl Scene<'_> {
    /// Chooses name and form, then declares after everything it points to.
    pub(super) fn declare_object(&mut self, index: usize, hint: &str) -> Result<(), Unspellable> {
        let object = self.objects[index];
        let form = self.form(index);
        let elements = self.elements(index);
        let nameless = !matches!(form, ObjectForm::Opaque)
            && !self.model.types.is_void(object.ty)
            && declare(&self.model.types, object.ty, "x").is_none();
        let named = Named {
            name: self.name_for(object, hint),
            form,
            elements,
            bytes: match self.flexible_member(object.ty) {
                Some(_) => self.flexible_bytes(index),
                None => elements * self.element_size(object),
            },
            typeof_text: if nameless { Some(self.typeof_text(object)?) } else { None },
        };
        self.named[index] = Some(named.clone());
        // Static storage wants constant initialisers: pointers are set after the declaration.
        let is_static = named.bytes > LARGEST_ON_STACK || self.has_flexible_part(object, &named);
        self.afterwards =
            (is_static && !matches!(form, ObjectForm::Allocated | ObjectForm::Kept)).then(Vec::new);
        let bytes = window(object.before, 0, named.bytes);
        let lines = match form {
            ObjectForm::Opaque => self.opaque(object, &named),
            ObjectForm::Single => vec![self.single(object, &named, bytes, hint)?],
            ObjectForm::Array => vec![self.array(object, &named, bytes, hint)?],
            ObjectForm::Allocated | ObjectForm::Kept | ObjectForm::Global => {
                self.allocated(object, &named, bytes, hint)?
            }
        };
        self.setup.extend(lines);
        let afterwards = self.afterwards.take();
        self.setup.extend(afterwards.into_iter().flatten());
        self.declared[index] = true;
        Ok(())
    }

    fn form(&self, index: usize) -> ObjectForm {
        let object = self.objects[index];
        let types = &self.model.types;
        let is_buffer = object.exact
            || self.declared_length(object).is_some()
            || types.is_char(object.ty)
            || types.is_void(object.ty);
        match () {
            _ if matches!(*object.role, Role::Argument { .. }) => ObjectForm::Single,
            _ if matches!(types.get(object.ty).kind, TypeKind::Incomplete) => ObjectForm::Opaque,
            _ if object.freed => ObjectForm::Allocated,
            _ if self.flexible_member(object.ty).is_some() => {
                let has_room = self.flexible_bytes(index) > self.element_size(object);
                if has_room && self.ends_in_zero_length(object.ty) {
                    ObjectForm::Kept
                } else {
                    ObjectForm::Single
                }
            }
            _ if self.elements(index) == 1 && !is_buffer => ObjectForm::Single,
            _ => ObjectForm::Array,
        }
    }

    /// `T last[0]`, which takes no initialiser.
    fn ends_in_zero_length(&self, ty: TypeId) -> bool {
        self.flexible_member(ty).is_some_and(|tail| {
            matches!(self.model.types.get(tail.ty).kind, TypeKind::Array { len: Some(0), .. })
        })
    }

    /// Whether the object shows elements of its flexible array member.
    fn has_flexible_part(&self, object: SceneObject, named: &Named) -> bool {
        let Some(tail) = self.flexible_member(object.ty) else { return false };
        let (start, _) = self.flexible_layout(tail);
        let shown = window(object.before, start, named.bytes.saturating_sub(start));
        named.bytes > self.element_size(object) || shown.iter().any(|&byte| byte != 0)
    }

    fn opaque(&self, object: SceneObject, named: &Named) -> Vec<Statement> {
        let (name, size) = (&named.name, object.before.len().max(1));
        match self.model.types.handle(object.ty) {
            Some(LibraryHandle::Stream) => {
                return vec![variable(format!("FILE *{name}"), Value::expression("tmpfile()"))];
            }
            Some(LibraryHandle::Folder) => {
                let path = format!("{name}_path");
                let open = Value::expression(format!("opendir(mkdtemp({path}))"));
                let remove =
                    Call { function: "rmdir".to_string(), arguments: vec![path.clone()], returns: true };
                return vec![
                    Statement::Comment("A folder without entries.".to_string()),
                    variable(format!("char {path}[]"), Value::expression("\"/tmp/tarka-XXXXXX\"")),
                    variable(format!("DIR *{name}"), open),
                    Statement::Call(remove),
                ];
            }
            None => {}
        }
        let of = self.model.types.describe(object.ty);
        vec![
            Statement::Comment(format!("Stands for a {of}, which is not defined here.")),
            zeros(format!("static char {name}[{size}] __attribute__((aligned(16)))")),
        ]
    }

    fn single(
        &mut self,
        object: SceneObject,
        named: &Named,
        bytes: &[u8],
        hint: &str,
    ) -> Result<Statement, Unspellable> {
        let declared = self.declaration(object, named, &named.name)?;
        // Bytes past the type belong to a flexible array; an automatic variable has none.
        let shown =
            if self.afterwards.is_some() { bytes } else { window(bytes, 0, self.element_size(object)) };
        let shown = self.without_open_padding(object, shown);
        let init = self.init(object.ty, shown, &Lvalue::new(&named.name, hint))?;
        let zero = scalar::zero(&self.model.types, object.ty);
        Ok(variable(declared, Value::plain(init, zero)))
    }

    /// A flexible array may begin in the padding at the end of its struct: zeros there are no elements.
    fn without_open_padding<'b>(&self, object: SceneObject, bytes: &'b [u8]) -> &'b [u8] {
        match self.flexible_member(object.ty) {
            Some(tail) if self.afterwards.is_none() => window(bytes, 0, self.flexible_layout(tail).0),
            _ => bytes,
        }
    }

    fn array(
        &mut self,
        object: SceneObject,
        named: &Named,
        bytes: &[u8],
        hint: &str,
    ) -> Result<Statement, Unspellable> {
        if named.elements == 0 {
            return Ok(Statement::Declare(Declaration {
                declared: self.declaration(object, named, &format!("{}[1]", named.name))?,
                value: Some(Value::plain(Init::Zero, "{0}")),
                remark: Some("passed by its end: no elements"),
            }));
        }
        let text = scalar::string(&self.model.types, object.ty, bytes);
        // The compiler counts where the literal fills the array exactly.
        let is_filled = text.as_ref().is_some_and(|text| text.used + 1 == named.elements);
        let is_counted = is_filled && !object.exact;
        let len = if is_counted { String::new() } else { named.elements.to_string() };
        let declared = self.declaration(object, named, &format!("{}[{len}]", named.name))?;
        if let Some(text) = text {
            return Ok(variable(declared, Value::expression(text.literal)));
        }
        let init = self.array_init(object.ty, bytes, &Lvalue::new(&named.name, hint))?;
        Ok(variable(declared, Value::plain(init, "{0}")))
    }

    fn allocated(
        &mut self,
        object: SceneObject,
        named: &Named,
        bytes: &[u8],
        hint: &str,
    ) -> Result<Vec<Statement>, Unspellable> {
        let name = &named.name;
        let pointer = match &named.typeof_text {
            Some(text) => format!("{text} *{name}"),
            None if self.model.types.is_void(object.ty) => format!("unsigned char *{name}"),
            None => declare_pointer(&self.model.types, object.ty, name).unwrap_or_default(),
        };
        if self.flexible_member(object.ty).is_some() {
            let extra = named.bytes.saturating_sub(self.element_size(object));
            let room = Value::expression(format!("calloc(1, sizeof *{name} + {extra})"));
            let mut lines = match named.form {
                ObjectForm::Kept => {
                    let place = name.clone();
                    vec![zeros(format!("static {pointer}")), Statement::Assign { place, value: room }]
                }
                _ => vec![variable(pointer, room)],
            };
            let zeros = vec![0; bytes.len()];
            lines.extend(self.assign(object.ty, &zeros, bytes, &Lvalue::new(&format!("(*{name})"), hint))?);
            return Ok(lines);
        }
        let room = Value::expression(format!("calloc({}, sizeof *{name})", named.elements));
        let mut lines = vec![variable(pointer, room)];
        if let Some(text) = scalar::string(&self.model.types, object.ty, bytes) {
            let size = self.element_size(object) * text.used;
            if size > 0 {
                let (from, size) = (Value::expression(text.literal), size.to_string());
                lines.push(Statement::Copy { to: name.clone(), from, size });
            }
            return Ok(lines);
        }
        let size = self.element_size(object);
        for index in 0..named.elements {
            let spot = Lvalue::new(&named.element(index), hint);
            let line =
                self.allocated_element(object.ty, named, window(bytes, index * size, size), &spot, index)?;
            lines.extend(line);
        }
        Ok(lines)
    }

    fn allocated_element(
        &mut self,
        ty: TypeId,
        named: &Named,
        bytes: &[u8],
        spot: &Lvalue,
        index: u64,
    ) -> Result<Option<Statement>, Unspellable> {
        let name = &named.name;
        let is_one = named.elements == 1;
        let place = if is_one { format!("*{name}") } else { format!("{name}[{index}]") };
        Ok(match self.init(ty, bytes, spot)? {
            Init::Zero => None,
            atom @ Init::Atom(_) => Some(Statement::Assign { place, value: Value::plain(atom, "") }),
            list => {
                let by_copy = !matches!(self.model.types.get(ty).kind, TypeKind::Record { .. })
                    || self.has_const_member(ty);
                let type_text =
                    type_name(&self.model.types, ty).unwrap_or_else(|| format!("__typeof__(*{name})"));
                let unnamed = Some(Unnamed { ty: type_text, by_address: by_copy });
                let value = Value { unnamed, init: list, zero: "{0}".to_string() };
                Some(if by_copy {
                    let to = if is_one { name.clone() } else { format!("&{place}") };
                    Statement::Copy { to, from: value, size: format!("sizeof {place}") }
                } else {
                    Statement::Assign { place, value }
                })
            }
        })
    }

    /// A record with a `const` part cannot be assigned as a whole.
    pub(super) fn has_const_member(&self, ty: TypeId) -> bool {
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
        object: SceneObject,
        named: &Named,
        declarator: &str,
    ) -> Result<String, Unspellable> {
        let storage = if self.afterwards.is_some() { "static " } else { "" };
        let text = match &named.typeof_text {
            Some(text) => format!("{text} {declarator}"),
            None if self.model.types.is_void(object.ty) => format!("unsigned char {declarator}"),
            None => declare(&self.model.types, object.ty, declarator)
                .ok_or_else(|| Unspellable { what: format!("the type of `{}`", named.name) })?,
        };
        Ok(format!("{storage}{text}"))
    }
}

fn variable(declared: String, value: Value) -> Statement {
    Statement::Declare(Declaration { declared, value: Some(value), remark: None })
}

/// A variable of static storage, which begins as zeros.
fn zeros(declared: String) -> Statement {
    Statement::Declare(Declaration { declared, value: None, remark: None })
}
