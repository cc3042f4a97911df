//! The C text of one stub: its script's variables and the function that follows it.
//!
//! Takes a stub and how its script is written, gives C. What a call does is what the target's stub did: results, then
//! what parameters point to, then `errno`. Never: values of a test.

use tarka_library::Errno;
use tarka_source::{
    Afterwards, Param, SourceModel, Stub, StubKind, StubOut, StubPart, TypeId, TypeKind, TypeTable, declare,
    declare_pointer, type_name,
};

use crate::format::library_stubs;
use crate::format::stubs::{ScriptForm, Scripted, is_allocation, real_name, scripted_name};
use crate::names::mentions;
use crate::render::scalar;
use crate::render::scene::Unspellable;

/// Comment, variables and function.
pub fn definition(model: &SourceModel, scripted: &Scripted) -> Result<String, Unspellable> {
    let text = StubText { model, types: &model.types, scripted, stub: scripted.stub };
    let mut lines = vec![text.comment()];
    lines.extend(text.variables()?);
    if scripted.form != ScriptForm::Silent {
        lines.push(String::new());
    }
    lines.extend(text.function()?);
    Ok(lines.join("\n") + "\n")
}

/// What the member for an out parameter is called.
pub fn member_name(stub: &Stub, position: u32) -> String {
    match param_name(stub, position as usize).as_str() {
        taken @ ("result" | "error") => format!("{taken}_{position}"),
        name => name.to_string(),
    }
}

/// The parameter's name; the underscores of system headers go.
pub fn param_name(stub: &Stub, position: usize) -> String {
    let name = stub.params.get(position).map_or("", |param| param.name.trim_start_matches('_'));
    let twice = stub.params[..position.min(stub.params.len())]
        .iter()
        .any(|other| other.name.trim_start_matches('_') == name);
    if name.is_empty() || twice { format!("arg{position}") } else { name.to_string() }
}

/// One stub with what its text depends on.
pub struct StubText<'a> {
    /// The translation unit.
    pub model: &'a SourceModel,
    types: &'a TypeTable,
    /// The stub and how its script is written.
    pub scripted: &'a Scripted<'a>,
    /// The stub itself.
    pub stub: &'a Stub,
}

impl StubText<'_> {
    fn comment(&self) -> String {
        let name = &self.stub.name;
        let what = match self.stub.kind {
            StubKind::Undefined => format!("{name}() is called by the unit, and nobody defines it"),
            StubKind::Pointer => "Something for function pointers to point to".to_string(),
            StubKind::Library(_) => return library_stubs::comment(self.stub),
        };
        let gives = match (self.scripted.form, self.has_result(), self.stub.outs.is_empty()) {
            _ if self.stub.is_noreturn => "; this one ends the test",
            (ScriptForm::Results | ScriptForm::Calls { .. }, ..) if self.stub.may_fail_to_allocate() => {
                "; this one gives fresh memory, all zero, but a call fails where its script says 1"
            }
            _ if !self.stub.allocates.is_empty() => "; this one gives fresh memory, all zero",
            (ScriptForm::Results | ScriptForm::Calls { .. }, ..)
                if self.stub.gives_place(self.types).is_some() =>
            {
                "; this one gives null where its result is 0, and argument + n where it is 1 + n"
            }
            (ScriptForm::Calls { .. }, ..) if self.stub.gives_back(self.types).is_some() => {
                "; this one fills its buffer and gives it back, or null where its result is 0"
            }
            (ScriptForm::Silent, ..) if self.stub.gives_back(self.types).is_some() => "; this one gives null",
            (ScriptForm::Silent, false, true) => "; this one does nothing",
            (ScriptForm::Silent, ..) => "; this one gives zeros",
            _ => "",
        };
        format!("/* {what}{gives}. */")
    }

    fn has_result(&self) -> bool {
        !self.types.is_void(self.stub.result)
    }

    /// The script and the place in it.
    fn variables(&self) -> Result<Vec<String>, Unspellable> {
        let name = self.scripted.name;
        let list = self.scripted.list();
        let pointer = match self.scripted.form {
            ScriptForm::Silent => return Ok(Vec::new()),
            ScriptForm::Results => {
                let value = self.stub.value_type(self.types).unwrap_or(self.stub.result);
                let declared = declare_pointer(self.types, value, &list);
                format!("static {};", declared.ok_or_else(|| self.unspellable("result"))?)
            }
            ScriptForm::Calls { error } => self.call_struct(error, &list)?,
        };
        Ok(vec![pointer, format!("static unsigned {name}_scripted, {name}_calls;")])
    }

    fn call_struct(&self, error: bool, list: &str) -> Result<String, Unspellable> {
        let mut members = Vec::new();
        if let Some(value) = self.stub.value_type(self.types) {
            members.push(declare(self.types, value, "result"));
        }
        for out in &self.stub.outs {
            let name = member_name(self.stub, out.position);
            let name = if is_single(out) { name } else { format!("{name}[{}]", out.count) };
            members.push(declare(self.types, out.ty, &name));
        }
        if error {
            members.push(Some("int error".to_string()));
        }
        let members: Option<Vec<String>> = members.into_iter().collect();
        let members = members.ok_or_else(|| self.unspellable("values"))?;
        let lines: String = members.iter().map(|member| format!("    {member};\n")).collect();
        Ok(format!("static struct {}_call {{\n{lines}}} *{list};", self.scripted.name))
    }

    fn unspellable(&self, what: &str) -> Unspellable {
        Unspellable { what: format!("the type of the {what} of {}()", self.stub.name) }
    }

    /// A declarator with its type; the spelling of a plain pointer keeps qualifiers that types do not record.
    fn declared(&self, ty: TypeId, declarator: &str) -> Option<String> {
        let spelling = &self.types.get(ty).spelling;
        let is_plain_pointer = spelling.ends_with('*') && !spelling.contains(['(', '[']);
        if is_plain_pointer {
            return Some(format!("{spelling}{declarator}"));
        }
        declare(self.types, ty, declarator)
    }

    fn prototype(&self, symbol: &str) -> Result<String, Unspellable> {
        let params = self.stub.params.iter().enumerate().map(|(position, param)| {
            self.declared(param.ty, &param_name(self.stub, position))
                .ok_or_else(|| self.unspellable("parameters"))
        });
        let mut params: Vec<String> = params.collect::<Result<_, _>>()?;
        match (params.is_empty(), self.stub.is_variadic) {
            (true, false) => params.push("void".to_string()),
            (false, true) => params.push("...".to_string()),
            // Declared without a parameter list, so that is how it is defined.
            (true, true) | (false, false) => {}
        }
        let declarator = format!("{symbol}({})", params.join(", "));
        self.declared(self.stub.result, &declarator).ok_or_else(|| self.unspellable("result"))
    }

    fn function(&self) -> Result<Vec<String>, Unspellable> {
        let mut lines = Vec::new();
        let symbol = match self.stub.kind {
            StubKind::Library(_) => scripted_name(&self.stub.name),
            StubKind::Undefined | StubKind::Pointer => self.stub.name.clone(),
        };
        let storage = if self.stub.kind == StubKind::Pointer { "static " } else { "" };
        if is_allocation(self.stub) {
            let real = self.prototype(&real_name(&self.stub.name))?;
            lines.push(format!("{real} __asm__(\"{}\");\n", self.stub.name));
        }
        lines.push(format!("{storage}{}\n{{", self.prototype(&symbol)?));
        let locals = self.locals();
        lines.extend(indented(&locals));
        let statements = self.statements();
        if !locals.is_empty() && !statements.is_empty() {
            lines.push(String::new());
        }
        lines.extend(indented(&statements));
        lines.push("}".to_string());
        Ok(lines)
    }

    /// The name of a local variable, out of the way of parameters.
    pub fn local(&self, name: &str) -> String {
        let is_taken = (0..self.stub.params.len()).any(|position| param_name(self.stub, position) == name);
        if is_taken { format!("{name}_") } else { name.to_string() }
    }

    fn locals(&self) -> Vec<String> {
        let (name, list) = (self.scripted.name, self.scripted.list());
        let (call, zero) = (self.local("call"), self.local("zero"));
        let count = format!("unsigned {call} = {name}_calls++;");
        let mut locals = match self.scripted.form {
            ScriptForm::Silent => Vec::new(),
            ScriptForm::Results if self.is_record(self.stub.result) => {
                let declared = declare(self.types, self.stub.result, &zero).unwrap_or_default();
                vec![format!("static {declared};"), count]
            }
            ScriptForm::Results => vec![count],
            ScriptForm::Calls { .. } => {
                let after = self.after_members();
                let (other, first, second) = match after.is_empty() {
                    true => (zero.clone(), format!("static struct {name}_call {zero};"), count),
                    false => {
                        let other = self.local("after");
                        let declared = format!("struct {name}_call {other} = {{{}}};", after.join(", "));
                        (other, count, declared)
                    }
                };
                let now = self.local("now");
                let chosen = format!("{call} < {name}_scripted ? &{list}[{call}] : &{other}");
                vec![first, second, format!("struct {name}_call *{now} = {chosen};")]
            }
        };
        locals.extend(library_stubs::local(self));
        locals
    }

    fn statements(&self) -> Vec<String> {
        let own = library_stubs::statements(self).or_else(|| self.allocation());
        let body = own.unwrap_or_else(|| {
            let gives_null =
                self.scripted.form == ScriptForm::Silent && self.stub.gives_back(self.types).is_some();
            let fills = self.stub.outs.iter().filter(|_| !gives_null).map(|out| self.fill(out));
            fills.chain(self.set_errno()).chain(self.end()).collect()
        });
        let names = (0..self.stub.params.len()).map(|position| param_name(self.stub, position));
        let locals = self.locals();
        let unused = names.filter(|name| !locals.iter().chain(&body).any(|line| mentions(line, name)));
        unused.map(|name| format!("(void){name};")).chain(body.iter().cloned()).collect()
    }

    /// Fresh memory; where there is none, null or the end of the test.
    fn allocation(&self) -> Option<Vec<String>> {
        if self.stub.allocates.is_empty() {
            return None;
        }
        let factor = |index: usize| {
            let position = self.stub.allocates.get(index);
            position.map_or("1".to_string(), |&position| param_name(self.stub, position as usize))
        };
        let memory = format!("calloc({}, {})", factor(0), factor(1));
        if self.stub.may_fail_to_allocate() {
            let (call, name) = (self.local("call"), self.scripted.name);
            let fails = match self.scripted.form {
                ScriptForm::Silent => None,
                ScriptForm::Results => {
                    Some(format!("{call} < {name}_scripted && {}[{call}]", self.scripted.list()))
                }
                ScriptForm::Calls { .. } => Some(format!("{}->result", self.local("now"))),
            };
            let fails = fails.map(|fails| format!("if ({fails})\n        return NULL;"));
            let lines = self.set_errno().into_iter().chain(fails);
            return Some(lines.chain([format!("return {memory};")]).collect());
        }
        let local = self.local("memory");
        Some(vec![
            format!("void *{local} = {memory};\n"),
            format!("if ({local} == NULL)\n        exit(0);"),
            format!("return {local};"),
        ])
    }

    /// Sets `errno` where the script says so.
    pub fn set_errno(&self) -> Option<String> {
        let now = self.local("now");
        (self.scripted.form == ScriptForm::Calls { error: true })
            .then(|| format!("if ({now}->error != 0)\n        errno = {now}->error;"))
    }

    fn end(&self) -> Option<String> {
        if self.stub.is_noreturn {
            return Some("exit(0);".to_string());
        }
        if let Some(position) = self.stub.gives_back(self.types) {
            let buffer = param_name(self.stub, position as usize);
            return Some(match self.scripted.form {
                ScriptForm::Silent => "return NULL;".to_string(),
                _ if self.stub.gives_place(self.types).is_some() => self.place(&buffer),
                _ => format!("return {} ? {buffer} : NULL;", self.result()),
            });
        }
        self.has_result().then(|| format!("return {};", self.result()))
    }

    /// A place in an argument, or null.
    fn place(&self, argument: &str) -> String {
        let (condition, result) = match self.scripted.form {
            ScriptForm::Calls { .. } => (String::new(), self.result()),
            _ => {
                let (call, name) = (self.local("call"), self.scripted.name);
                (format!("{call} < {name}_scripted && "), format!("{}[{call}]", self.scripted.list()))
            }
        };
        let is_const =
            |ty: TypeId| matches!(self.types.get(ty).kind, TypeKind::Pointer { to_const: true, .. });
        let drops_const =
            !is_const(self.stub.result) && self.stub.params.iter().any(|param| is_const(param.ty));
        let spelling = &self.types.get(self.stub.result).spelling;
        let cast = if drops_const { format!("({spelling})") } else { String::new() };
        format!(
            "if ({condition}{result} > 0)\n        return {cast}{argument} + ({result} - 1);\n    return NULL;"
        )
    }

    /// The result of this call.
    pub fn result(&self) -> String {
        let ty = self.stub.result;
        match self.scripted.form {
            ScriptForm::Silent if self.is_record(ty) => {
                format!("({}){{0}}", type_name(self.types, ty).unwrap_or_default())
            }
            ScriptForm::Silent => scalar::zero(self.types, ty),
            ScriptForm::Results => {
                let zero = if self.is_record(ty) { self.local("zero") } else { scalar::zero(self.types, ty) };
                let zero = self.after(StubPart::Result, ty).unwrap_or(zero);
                let (call, name) = (self.local("call"), self.scripted.name);
                format!("{call} < {name}_scripted ? {}[{call}] : {zero}", self.scripted.list())
            }
            ScriptForm::Calls { .. } => format!("{}->result", self.local("now")),
        }
    }

    /// What a part of a call is after the script, if it is not zero.
    fn after(&self, part: StubPart, ty: TypeId) -> Option<String> {
        let call = self.local("call");
        let name = type_name(self.types, ty)?;
        let number = match self.stub.afterwards(self.types, part) {
            _ if !self.scripted.goes_on => return None,
            Afterwards::Zero => return None,
            Afterwards::Always(number) => number.to_string(),
            Afterwards::Cycle(numbers) => {
                let list: Vec<String> = numbers.iter().map(|number| format!("({name}){number}")).collect();
                format!("((const {name}[]){{{}}})[{call} % {}]", list.join(", "), list.len())
            }
            Afterwards::Count => format!("({name}){call}"),
            Afterwards::Rising => format!("({name})(1ull << ({call} < 62 ? {call} : 62))"),
            Afterwards::Sixteenths => format!("({call} % 16) / 16.0"),
        };
        Some(number)
    }

    /// The members of a call after the script that are not zero.
    fn after_members(&self) -> Vec<String> {
        let result = self.stub.value_type(self.types).and_then(|ty| self.after(StubPart::Result, ty));
        let outs = self.stub.outs.iter().filter(|out| is_single(out)).filter_map(|out| {
            let (path, ty) = first_number(self.types, out.ty);
            let number = self.after(StubPart::Out(out.position), ty)?;
            Some(format!(".{}{path} = {number}", member_name(self.stub, out.position)))
        });
        result.map(|number| format!(".result = {number}")).into_iter().chain(outs).collect()
    }

    /// The member of the script for an out parameter, if there is a script.
    pub fn member(&self, out: &StubOut) -> Option<String> {
        let is_scripted = matches!(self.scripted.form, ScriptForm::Calls { .. });
        is_scripted.then(|| format!("{}->{}", self.local("now"), member_name(self.stub, out.position)))
    }

    /// Writes what a call gives through an out parameter.
    fn fill(&self, out: &StubOut) -> String {
        let position = out.position as usize;
        let name = param_name(self.stub, position);
        let param = &self.stub.params[position];
        let size = self.size_text(out);
        let statement = match self.member(out) {
            member if is_single(out) => self.fill_one(out, param, &name, member),
            Some(member) => format!("memcpy({name}, {member}, {size});"),
            None => format!("memset({name}, 0, {size});"),
        };
        let mut conditions = Vec::new();
        if !param.non_null {
            conditions.push(format!("{name} != NULL"));
        }
        if let Some(length) = out.length {
            conditions.push(format!("{} > 0", param_name(self.stub, length as usize)));
        }
        if self.stub.gives_back(self.types).is_some() {
            conditions.push(self.result());
        }
        // `gettimeofday` and its like leave the object alone when they fail.
        let fails = self.stub.answers().is_some_and(|answers| answers.errno.get() == Errno::SetOnFailure);
        if fails && self.member(out).is_some() {
            conditions.push(format!("{} >= 0", self.result()));
        }
        match conditions.is_empty() {
            true => statement,
            false => format!("if ({})\n        {statement}", conditions.join(" && ")),
        }
    }

    fn fill_one(&self, out: &StubOut, param: &Param, name: &str, member: Option<String>) -> String {
        let is_pointee = self.types.pointee(param.ty).is_some_and(|to| self.types.same_type(to, out.ty));
        let is_scalar =
            !matches!(self.types.get(out.ty).kind, TypeKind::Record { .. } | TypeKind::Array { .. });
        let can_assign = is_pointee && (is_scalar || !has_const_member(self.types, out.ty));
        match member {
            Some(member) if can_assign => format!("*{name} = {member};"),
            Some(member) => format!("memcpy({name}, &{member}, sizeof {member});"),
            None if can_assign && is_scalar => format!("*{name} = {};", scalar::zero(self.types, out.ty)),
            None if is_pointee => format!("memset({name}, 0, sizeof *{name});"),
            None => format!("memset({name}, 0, {});", self.types.get(out.ty).size),
        }
    }

    /// How many bytes of an array are filled.
    fn size_text(&self, out: &StubOut) -> String {
        let size = self.types.get(out.ty).size.max(1);
        let elements = match out.length {
            None => return (out.count * size).to_string(),
            Some(length) => {
                let length = param_name(self.stub, length as usize);
                format!("{length} < {0} ? {length} : {0}", out.count)
            }
        };
        match (size, type_name(self.types, out.ty)) {
            (1, _) => elements,
            (_, Some(ty)) => format!("({elements}) * sizeof({ty})"),
            (_, None) => format!("({elements}) * {size}"),
        }
    }

    fn is_record(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty).kind, TypeKind::Record { .. })
    }
}

/// One object, not an array.
pub fn is_single(out: &StubOut) -> bool {
    out.count == 1 && out.length.is_none()
}

/// The first number of what a stub gives, the seconds of a time, and how to get there.
fn first_number(types: &TypeTable, ty: TypeId) -> (String, TypeId) {
    match &types.get(ty).kind {
        TypeKind::Record { fields, .. } => match fields.first() {
            Some(first) => {
                let (path, number) = first_number(types, first.ty);
                (format!(".{}{path}", first.name), number)
            }
            None => (String::new(), ty),
        },
        _ => (String::new(), ty),
    }
}

fn has_const_member(types: &TypeTable, ty: TypeId) -> bool {
    match &types.get(ty).kind {
        TypeKind::Record { fields, .. } => {
            fields.iter().any(|field| field.is_const || has_const_member(types, field.ty))
        }
        TypeKind::Array { of, .. } => has_const_member(types, *of),
        _ => false,
    }
}

fn indented(statements: &[String]) -> Vec<String> {
    statements.iter().map(|line| format!("    {line}")).collect()
}
