//! Stubs in C: each call takes its values from the input and hands them out.
//!
//! A stub is instrumented like the unit. It has the symbol of the function it stands for, so no declaration of the user
//! can clash with it; its pointers are `void *`, which is the same to the machine.

use std::fmt::Write;

use tarka_source::{Afterwards, SourceModel, Stub, StubKind, StubOut, StubPart, TypeId, TypeKind, TypeTable};

use super::stub_values::StubValue;
use super::{Driver, declaration, library};
use crate::InstrumentError;

/// What a stub is called in the driver.
pub(super) fn symbol(stub: usize) -> String {
    format!("__tk_stub_{stub}")
}

/// What the stub with this number is called in the built program: it has the symbol of the function that it stands for, if
/// there is one.
pub fn symbol_of_stub(number: usize, stub: &Stub) -> String {
    match stub.kind {
        StubKind::Pointer => symbol(number),
        StubKind::Undefined | StubKind::Library(_) => stub.name.clone(),
    }
}

/// All stubs.
pub(super) fn definitions(text: &mut String, driver: &Driver<'_>) -> Result<(), InstrumentError> {
    let stubs = &driver.plan.stubs;
    if stubs.is_empty() {
        return Ok(());
    }
    text.push_str("int *__tk_errno(void) __asm__(\"__errno_location\");\n");
    if stubs.iter().any(|stub| !stub.allocates.is_empty()) {
        text.push_str("void *tkw_calloc(unsigned long, unsigned long);\n");
    }
    if stubs.iter().any(library::delivers) {
        text.push_str(library::DECIDED);
    }
    for (index, stub) in stubs.iter().enumerate() {
        StubText { driver, index, stub, values: &driver.frame.values[index] }.write(text)?;
    }
    Ok(())
}

/// One stub.
pub(super) struct StubText<'a> {
    pub(super) driver: &'a Driver<'a>,
    pub(super) index: usize,
    pub(super) stub: &'a Stub,
    pub(super) values: &'a [StubValue],
}

impl StubText<'_> {
    pub(super) fn model(&self) -> &SourceModel {
        self.driver.model
    }

    fn write(&self, text: &mut String) -> Result<(), InstrumentError> {
        let head = self.head(&symbol(self.index))?;
        let name = &self.stub.name;
        match self.stub.kind {
            StubKind::Pointer => {
                let _ = writeln!(text, "/* {name} */\n{head};");
            }
            StubKind::Undefined | StubKind::Library(_) => {
                let _ = writeln!(text, "{head} __asm__(\"{name}\");");
            }
        }
        if let Some(declared) = library::works_as(self.stub) {
            let _ = writeln!(text, "{};", self.head(declared)?);
        }
        let _ = writeln!(text, "{head} {{");
        match self.stub.kind {
            _ if self.stub.is_noreturn => text.push_str("  tk_stub_exit();\n"),
            StubKind::Library(_) => {
                if let Some(answers) = self.stub.answers() {
                    library::body(text, self, answers)?;
                }
            }
            _ if !self.stub.allocates.is_empty() => self.allocate(text)?,
            StubKind::Undefined | StubKind::Pointer => {
                self.count_call(text);
                self.keep_arguments(text);
                self.take_result(text)?;
                let given_back = self.stub.gives_back(&self.model().types);
                if given_back.is_some() {
                    self.set_errno(text);
                    text.push_str("  if (!__tk_r) return 0;\n");
                }
                for out in &self.stub.outs {
                    self.fill(text, out);
                }
                match given_back {
                    Some(position) => self.give_back(text, position),
                    None => {
                        self.set_errno(text);
                        self.give_result(text);
                    }
                }
            }
        }
        text.push_str("}\n");
        Ok(())
    }

    /// Fresh memory; where there is none, null from one that may fail, and otherwise the program ends. What it holds is not
    /// known, nor who frees it, so the engine is told that no proof follows.
    fn allocate(&self, text: &mut String) -> Result<(), InstrumentError> {
        let may_fail = self.stub.may_fail_to_allocate();
        if may_fail {
            self.count_call(text);
            self.take_result(text)?;
            self.set_errno(text);
            text.push_str("  if (__tk_r) return 0;\n");
        }
        let factor = |index: usize| self.stub.allocates.get(index).map_or("1".to_owned(), |&at| argument(at));
        let _ = writeln!(text, "  unsigned long __tk_n = {}, __tk_s = {};", factor(0), factor(1));
        let _ = writeln!(
            text,
            "  __tk_n = tk_stub_cut({0}u, &__tk_n), __tk_s = tk_stub_cut({0}u, &__tk_s);",
            self.index
        );
        let without = if may_fail { "return 0" } else { "tk_stub_exit()" };
        let _ = writeln!(text, "  void *__tk_m = tkw_calloc(__tk_n, __tk_s);\n  if (!__tk_m) {without};");
        if self.driver.leaks {
            text.push_str("  tk_keeps((const void *)&__tk_m, sizeof __tk_m);\n");
        }
        text.push_str("  return __tk_m;\n");
        Ok(())
    }

    /// The function that this one stands for may keep, free or write what it is given.
    fn keep_arguments(&self, text: &mut String) {
        if !self.driver.leaks && !self.driver.uninitialised {
            return;
        }
        if self.stub.is_variadic {
            text.push_str("  tk_keeps(0, 0);\n");
        }
        for (position, param) in self.stub.params.iter().enumerate() {
            let kind = &self.model().types.get(param.ty).kind;
            if matches!(kind, TypeKind::Pointer { .. } | TypeKind::Record { .. }) {
                let argument = argument(position as u32);
                let _ = writeln!(text, "  tk_keeps((const void *)&{argument}, sizeof {argument});");
            }
        }
    }

    /// The function's declaration under a name.
    fn head(&self, name: &str) -> Result<String, InstrumentError> {
        let unnamed = |param: &str| InstrumentError::Unnamed {
            function: self.stub.name.clone(),
            param: param.to_owned(),
        };
        let mut params = Vec::new();
        for (position, param) in self.stub.params.iter().enumerate() {
            let declared = declaration(self.model(), param.ty, &argument(position as u32));
            params.push(declared.ok_or_else(|| unnamed(&param.name))?);
        }
        let params = match (params.as_slice(), self.stub.is_variadic) {
            // Without a parameter list: callers pass what they like.
            ([], true) => String::new(),
            ([], false) => "void".to_owned(),
            (_, true) => format!("{}, ...", params.join(", ")),
            (_, false) => params.join(", "),
        };
        declaration(self.model(), self.stub.result, &format!("{name}({params})"))
            .ok_or_else(|| unnamed("(its result)"))
    }

    pub(super) fn count_call(&self, text: &mut String) {
        if !self.values.is_empty() {
            text.push_str("  static unsigned __tk_calls;\n  unsigned __tk_call = __tk_calls++;\n");
        }
    }

    pub(super) fn value(&self, part: StubPart) -> Option<&StubValue> {
        self.values.iter().find(|value| value.part == part)
    }

    /// Copies one value out of the input, or the element that a variable counts. Where the input has none any more, `to`
    /// begins with what the stub gives after its script.
    pub(super) fn take(&self, to: &str, size: u64, value: &StubValue, element: &str) -> String {
        let taken = format!(
            "tk_stub_value({to}, {size}ul, {}u, &__tk_call, {element}, {}u)",
            value.offset, self.index
        );
        let types = &self.model().types;
        let number = match self.stub.afterwards(types, value.part) {
            Afterwards::Zero => return format!("{taken};"),
            Afterwards::Always(number) => format!("{number}ll"),
            Afterwards::Cycle(numbers) => {
                let list: Vec<String> = numbers.iter().map(|number| format!("(long long){number}")).collect();
                format!("((const long long[]){{{}}})[__tk_call % {}u]", list.join(", "), list.len())
            }
            Afterwards::Count => "__tk_call".to_owned(),
            Afterwards::Rising => "(long long)(1ull << (__tk_call < 62 ? __tk_call : 62))".to_owned(),
            Afterwards::Sixteenths => "(__tk_call % 16u) / 16.0".to_owned(),
        };
        let first = declaration(self.model(), first_number(types, value.ty), "__tk_n").unwrap_or_default();
        format!("if (!{taken}) {{ {first} = {number}; __builtin_memcpy({to}, &__tk_n, sizeof __tk_n); }}")
    }

    /// `__tk_r` with the input's value.
    pub(super) fn take_result(&self, text: &mut String) -> Result<(), InstrumentError> {
        let Some(value) = self.value(StubPart::Result) else { return Ok(()) };
        let declared = declaration(self.model(), value.ty, "__tk_r").ok_or_else(|| {
            InstrumentError::Unnamed { function: self.stub.name.clone(), param: "(its result)".to_owned() }
        })?;
        let _ = writeln!(text, "  {declared};\n  {}", self.take("&__tk_r", value.size, value, "0"));
        Ok(())
    }

    pub(super) fn give_result(&self, text: &mut String) {
        if self.value(StubPart::Result).is_some() {
            text.push_str("  return __tk_r;\n");
        }
    }

    /// The argument, or a place in it. Steps to the place are branches of their own, and the place stays an answer of this
    /// stub: what it leads to is for whoever defines the function to keep away.
    /// A function may as well give something else, so the engine is told that no proof follows.
    fn give_back(&self, text: &mut String, position: u32) {
        let pointer = argument(position);
        let _ = writeln!(text, "  unsigned long __tk_none = 0;\n  tk_stub_cut({}u, &__tk_none);", self.index);
        let Some((_, filled)) = self.stub.gives_place(&self.model().types) else {
            let _ = writeln!(text, "  return {pointer};");
            return;
        };
        let ends = match filled {
            // Text has its end in the array.
            Some(out) => {
                let last = out.count - 1;
                let _ =
                    writeln!(text, "  if ({pointer} && ((char *){pointer})[{last}]) tk_answer_impossible();");
                format!("__tk_i > {last}ul")
            }
            None => format!("__tk_i > tk_room({pointer}) || !((char *){pointer})[__tk_i - 1]"),
        };
        let _ = writeln!(
            text,
            "  if (!{pointer} || __tk_r < 0) tk_answer_impossible();
  for (unsigned long __tk_i = 1; __tk_i < (unsigned long)__tk_r; __tk_i++) if ({ends}) tk_answer_impossible();
  return (char *){pointer} + (__tk_r - 1);"
        );
    }

    /// Fills what a parameter points to.
    fn fill(&self, text: &mut String, out: &StubOut) {
        let Some(value) = self.value(StubPart::Out(out.position)) else { return };
        let pointer = argument(out.position);
        let Some(length) = out.length else {
            let _ = writeln!(text, "  if ({pointer}) {{");
            let _ = writeln!(text, "    unsigned char __tk_v[{}] __attribute__((aligned(16)));", value.size);
            let _ = writeln!(text, "    {}", self.take("__tk_v", value.size, value, "0"));
            let _ = writeln!(text, "    __builtin_memcpy({pointer}, __tk_v, {}ul);", value.size);
            text.push_str("  }\n");
            return;
        };
        let room = self.is_below(&argument(length), length, "__tk_i");
        let limit = format!("__tk_i < {}ul && {room}", out.count);
        self.fill_while(text, &pointer, value, &limit);
        // The function could have written more than there are input values for.
        let more = self.is_below(&argument(length), length, &out.count.to_string());
        let _ = writeln!(
            text,
            "  unsigned long __tk_m{0} = {1};\n  if ({pointer} && {more}) tk_stub_cut({2}u, &__tk_m{0});",
            out.position,
            argument(length),
            self.index
        );
    }

    /// `index < argument`, whatever the argument's signedness.
    fn is_below(&self, argument: &str, position: u32, index: &str) -> String {
        let ty = self.stub.params.get(position as usize).map(|param| &self.model().types.get(param.ty).kind);
        match ty {
            Some(TypeKind::Int { signed: true, .. } | TypeKind::Enum { signed: true, .. }) => {
                format!("(long long){index} < (long long){argument}")
            }
            _ => format!("{index} < (unsigned long long){argument}"),
        }
    }

    /// Fills element after element: each step is a branch of its own, so that a symbolic limit stays exact.
    pub(super) fn fill_while(&self, text: &mut String, pointer: &str, value: &StubValue, condition: &str) {
        self.fill_each(text, pointer, value, condition, "");
    }

    /// The same, with a statement about each element.
    pub(super) fn fill_each(
        &self,
        text: &mut String,
        pointer: &str,
        value: &StubValue,
        condition: &str,
        each: &str,
    ) {
        let element = self.model().types.get(value.ty).size.max(1);
        let _ = writeln!(text, "  if ({pointer}) for (unsigned long __tk_i = 0; {condition}; __tk_i++) {{");
        let _ = writeln!(text, "    unsigned char __tk_v[{element}] __attribute__((aligned(16)));");
        let _ = writeln!(text, "    {}", self.take("__tk_v", element, value, "&__tk_i"));
        if !each.is_empty() {
            let _ = writeln!(text, "    {each}");
        }
        let _ = writeln!(
            text,
            "    __builtin_memcpy((char *){pointer} + __tk_i * {element}ul, __tk_v, {element}ul);"
        );
        text.push_str("  }\n");
    }

    /// Sets `errno` unless its value is 0, without a branch that the search would have to follow.
    pub(super) fn set_errno(&self, text: &mut String) {
        let Some(value) = self.value(StubPart::Errno) else { return };
        text.push_str("  int __tk_e, *__tk_l = __tk_errno();\n");
        let _ = writeln!(text, "  {}", self.take("&__tk_e", value.size, value, "0"));
        text.push_str("  *__tk_l = (*__tk_l & -(__tk_e == 0)) | __tk_e;\n");
    }
}

/// The first number of what a stub gives: the seconds of a time.
fn first_number(types: &TypeTable, ty: TypeId) -> TypeId {
    match &types.get(ty).kind {
        TypeKind::Record { fields, .. } => fields.first().map_or(ty, |first| first_number(types, first.ty)),
        _ => ty,
    }
}

/// A parameter of a stub.
pub(super) fn argument(position: u32) -> String {
    format!("__tk_a{position}")
}
