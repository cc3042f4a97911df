//! What the tests share: analysing a file, running tools, and a readable listing of a model.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tarka_source::{
    Global, Param, Site, SiteKind, SourceError, SourceModel, SourceRequest, Stub, StubPart, Type, TypeId,
    TypeKind, TypeTable, Uses, analyse, declare, find_clang, library_input_of, plan_library, plan_pointer,
    plan_undefined,
};

/// Folder of the C files.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Compares what is seen of every C file of a folder with the file of expectations beside it.
pub fn check_goldens(folder: &str, seen: impl Fn(&Path) -> String) {
    let bless = std::env::var_os("TARKA_BLESS").is_some();
    let mut wrong = Vec::new();
    for file in c_files(folder) {
        let seen = seen(&file);
        let expected_file = file.with_extension("expected");
        if bless {
            std::fs::write(&expected_file, &seen).expect("writable");
            continue;
        }
        let expected = std::fs::read_to_string(&expected_file).unwrap_or_default();
        if seen != expected {
            wrong.push(difference(&file, &expected, &seen));
        }
    }
    assert!(wrong.is_empty(), "{}\nTARKA_BLESS=1 accepts what is seen", wrong.join("\n"));
}

fn difference(file: &Path, expected: &str, seen: &str) -> String {
    let mut lines = vec![format!("{}:", file.display())];
    lines.extend(
        expected.lines().filter(|line| !seen.lines().any(|other| other == *line)).map(|l| format!("- {l}")),
    );
    lines.extend(
        seen.lines().filter(|line| !expected.lines().any(|other| other == *line)).map(|l| format!("+ {l}")),
    );
    lines.join("\n")
}

/// The C files of a folder, sorted.
pub fn c_files(name: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder(name))
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no C files in {name}");
    files
}

/// Flags of a test file: the rest of a first line `// flags: ...`.
pub fn flags_of(file: &Path) -> Vec<String> {
    let text = String::from_utf8_lossy(&std::fs::read(file).expect("readable")).into_owned();
    let first = text.lines().next().unwrap_or_default();
    first
        .strip_prefix("// flags:")
        .map(|flags| flags.split_whitespace().map(ToString::to_string).collect())
        .unwrap_or_default()
}

pub fn try_model(file: &Path, flags: &[String]) -> Result<SourceModel, SourceError> {
    analyse(&SourceRequest { file, flags, clang: &find_clang()? })
}

pub fn model(file: &Path) -> SourceModel {
    try_model(file, &flags_of(file)).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Runs a tool; its success is part of the test.
pub fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Compiles a probed text to an object file.
pub fn compile_probed(model: &SourceModel, flags: &[String], out: &Path) {
    let text = out.with_extension("probed.i");
    std::fs::write(&text, &model.probed_text).expect("writable");
    let clang = find_clang().expect("clang");
    run(Command::new(clang).args(flags).args(["-w", "-x", "cpp-output", "-c"]).arg(&text).arg("-o").arg(out));
}

/// A readable listing of a model. File names are shortened to their last part.
pub fn listing(model: &SourceModel) -> String {
    let mut out = String::new();
    let types = &model.types;
    for global in &model.globals {
        let flags = [(global.is_static, "static "), (global.is_const, "const ")];
        let flags: String = flags.iter().filter(|(on, _)| *on).map(|(_, word)| *word).collect();
        writeln!(
            out,
            "global {flags}{}: {} at {}",
            global.name,
            types.describe(global.ty),
            place(&global.place)
        )
        .unwrap();
    }
    for (number, function) in model.functions.iter().enumerate() {
        let flags = [
            (function.is_static, " static"),
            (function.is_variadic, " variadic"),
            (!function.in_main_file, " in a header"),
        ];
        let flags: String = flags.iter().filter(|(on, _)| *on).map(|(_, word)| *word).collect();
        writeln!(
            out,
            "function {} -> {}{flags} at {} to line {}",
            function.name,
            types.describe(function.result),
            place(&function.place),
            function.end_line
        )
        .unwrap();
        for param in &function.params {
            let facts = param_facts(types, param, &function.params);
            writeln!(out, "  param {}: {}{facts}", param.name, type_line(types, types.get(param.ty)))
                .unwrap();
        }
        for site in &function.sites {
            let site = model.site(*site);
            assert_eq!(site.function.0 as usize, number);
            site_lines(&mut out, site);
        }
        let lines: Vec<String> = function
            .statements
            .iter()
            .map(|statement| {
                let mut line = format!("{}:{}", statement.place.line, statement.place.column);
                if statement.end_line != statement.place.line {
                    write!(line, "-{}", statement.end_line).unwrap();
                }
                line
            })
            .collect();
        writeln!(out, "  statements {}", lines.join(" ")).unwrap();
    }
    out
}

fn param_facts(types: &TypeTable, param: &Param, params: &[Param]) -> String {
    let mut facts = param.array_len.map(|len| format!(" [{len}]")).unwrap_or_default();
    if param.non_null {
        facts += " non-null";
    }
    if let Some(length) = param.length {
        write!(facts, " length {}", params[length as usize].name).unwrap();
    }
    if let Some(target) = param.cast_to {
        write!(facts, " cast to {}", types.describe(target)).unwrap();
    }
    facts
}

fn uses_lines(out: &mut String, model: &SourceModel, uses: &Uses) {
    let mut list = |what: &str, names: Vec<&str>| {
        if !names.is_empty() {
            writeln!(out, "  uses {what} {}", names.join(", ")).unwrap();
        }
    };
    let named = |globals: &[Global], indices: &[u32]| -> Vec<String> {
        indices.iter().map(|&index| globals[index as usize].name.clone()).collect()
    };
    let globals = named(&model.globals, &uses.globals);
    let variables = named(&model.declared_variables, &uses.declared_variables);
    list("globals", globals.iter().map(String::as_str).collect());
    list("declared variables", variables.iter().map(String::as_str).collect());
    list("functions", uses.functions.iter().map(|&id| model.function(id).name.as_str()).collect());
    list(
        "declared functions",
        uses.declared_functions
            .iter()
            .map(|&index| model.declared_functions[index as usize].name.as_str())
            .collect(),
    );
    for local in &uses.static_locals {
        let ty = model.types.describe(local.ty);
        writeln!(out, "  static local {}: {ty} at {}", local.name, place(&local.place)).unwrap();
    }
    for assert in &uses.entry_asserts {
        let sites: Vec<String> = assert.sites.iter().map(|site| site.0.to_string()).collect();
        writeln!(
            out,
            "  entry assert at {} `{}` sites {}",
            place(&assert.place),
            assert.text,
            sites.join(" ")
        )
        .unwrap();
    }
}

/// What is known about inputs: parameters, members, what functions mention, what is not defined here.
pub fn facts(model: &SourceModel) -> String {
    let mut out = String::new();
    let types = &model.types;
    for function in &model.functions {
        let params: Vec<String> = function
            .params
            .iter()
            .map(|param| {
                let facts = param_facts(types, param, &function.params);
                format!("{} {}{facts}", types.describe(param.ty), param.name)
            })
            .collect();
        let taken = if function.address_taken { " address-taken" } else { "" };
        writeln!(out, "{}({}){taken}", function.name, params.join(", ")).unwrap();
        uses_lines(&mut out, model, &function.uses);
    }
    for ty in &types.types {
        let TypeKind::Record { fields, .. } = &ty.kind else { continue };
        for field in fields {
            if let Some(length) = field.length {
                let length = &fields[length as usize].name;
                writeln!(out, "member {} of {}: length {length}", field.name, ty.spelling).unwrap();
            }
            if let Some(target) = field.cast_to {
                let target = types.describe(target);
                writeln!(out, "member {} of {}: cast to {target}", field.name, ty.spelling).unwrap();
            }
            for selection in &field.selections {
                let TypeKind::Record { fields: members, .. } = &types.get(field.ty).kind else { continue };
                let (tag, value) = (&fields[selection.tag as usize].name, selection.value);
                let member = match members[selection.member as usize].name.as_str() {
                    "" => format!("its member {}", selection.member),
                    name => name.to_string(),
                };
                writeln!(out, "union {} of {}: {tag} {value} selects {member}", field.name, ty.spelling)
                    .unwrap();
            }
        }
    }
    out + &declared(model)
}

/// The stubs that a file may need: for undefined functions, for the library's answers, for function pointers.
pub fn stubs(model: &SourceModel) -> String {
    let mut out = String::new();
    for function in &model.declared_functions {
        if !function.in_system_header {
            match plan_undefined(model, function) {
                Ok(stub) => stub_line(&mut out, model, &stub),
                Err(why) => writeln!(out, "no stub: {why}").unwrap(),
            }
        }
        let input = library_input_of(&function.name);
        if let Some(stub) = input.and_then(|input| plan_library(model, function, input)) {
            stub_line(&mut out, model, &stub);
        }
    }
    for (number, ty) in model.types.types.iter().enumerate() {
        if let TypeKind::Pointer { to, .. } = ty.kind
            && matches!(model.types.get(to).kind, TypeKind::Function { .. })
        {
            match plan_pointer(model, TypeId(number as u32), format!("stub_{number}")) {
                Ok(stub) => stub_line(&mut out, model, &stub),
                Err(why) => writeln!(out, "no stub: {why}").unwrap(),
            }
        }
    }
    out
}

fn stub_line(out: &mut String, model: &SourceModel, stub: &Stub) {
    let types = &model.types;
    let params: Vec<String> = stub
        .params
        .iter()
        .map(|param| declare(types, param.ty, &param.name).expect("it has a name"))
        .collect();
    let value = stub.value_type(types).map_or("nothing".into(), |ty| types.describe(ty));
    let numbers = stub.numbers(types, StubPart::Result).map(tarka_library::Fact::get);
    let range = numbers.map(|(low, high)| format!(" in {low}..={high}")).unwrap_or_default();
    write!(out, "stub {:?} {}({}) gives {value}{range}", stub.kind, stub.name, params.join(", ")).unwrap();
    for part in &stub.outs {
        let param = &stub.params[part.position as usize].name;
        let most = part.length.map(|length| format!(" or {}", stub.params[length as usize].name));
        let most = most.unwrap_or_default();
        write!(out, ", fills {param} with {}{most} {}", part.count, types.describe(part.ty)).unwrap();
    }
    if let Some((position, _)) = stub.gives_place(types) {
        write!(out, ", a place in {}", stub.params[position as usize].name).unwrap();
    }
    if !stub.allocates.is_empty() {
        let sizes = stub.allocates.iter().map(|&position| stub.params[position as usize].name.as_str());
        let sizes: Vec<&str> = sizes.collect();
        write!(out, ", allocates {}", sizes.join(" * ")).unwrap();
    }
    let flags = [(stub.sets_errno, ", sets errno"), (stub.is_noreturn, ", ends the test")];
    let flags: String = flags.iter().filter(|(on, _)| *on).map(|(_, word)| *word).collect();
    writeln!(out, "{flags}").unwrap();
}

/// What the file mentions and does not define. Places in system headers depend on the system and are left out.
fn declared(model: &SourceModel) -> String {
    let mut out = String::new();
    let types = &model.types;
    for variable in &model.declared_variables {
        let qualifier = if variable.is_const { "const " } else { "" };
        let ty = types.describe(variable.ty);
        writeln!(out, "declared {qualifier}{}: {ty} at {}", variable.name, place(&variable.place)).unwrap();
    }
    for function in &model.declared_functions {
        let params: Vec<String> = function
            .params
            .iter()
            .map(|param| {
                let facts = param_facts(types, param, &function.params);
                format!("{}: {}{facts}", param.name, types.describe(param.ty))
            })
            .collect();
        let whence =
            if function.in_system_header { "a system header".to_string() } else { place(&function.place) };
        let flags = [(function.is_variadic, " variadic"), (function.is_noreturn, " noreturn")];
        let flags: String = flags.iter().filter(|(on, _)| *on).map(|(_, word)| *word).collect();
        writeln!(
            out,
            "declared {}({}) -> {}{flags} at {whence}",
            function.name,
            params.join(", "),
            types.describe(function.result)
        )
        .unwrap();
    }
    if model.mentions_errno {
        out += "errno is mentioned\n";
    }
    out
}

/// The layout of every record and enumeration of a model.
pub fn layouts(types: &TypeTable) -> String {
    let mut out = String::new();
    for (number, ty) in types.types.iter().enumerate() {
        writeln!(out, "type {number}: {}", type_line(types, ty)).unwrap();
        match &ty.kind {
            TypeKind::Record { fields, .. } => {
                for field in fields {
                    let name = if field.name.is_empty() { "(anonymous)" } else { &field.name };
                    let width = field.bit_width.map(|width| format!(" : {width}")).unwrap_or_default();
                    let flag = if field.is_const { " const" } else { "" };
                    let ty = types.describe(field.ty);
                    writeln!(
                        out,
                        "  bit {}: {name}{width}: {ty}{flag} (type {})",
                        field.offset_bits, field.ty.0
                    )
                    .unwrap();
                }
            }
            TypeKind::Enum { enumerators, .. } => {
                for (name, value) in enumerators {
                    writeln!(out, "  {name} = {value}").unwrap();
                }
            }
            _ => {}
        }
    }
    out
}

fn type_line(types: &TypeTable, ty: &Type) -> String {
    let sign = |signed: bool| if signed { "signed" } else { "unsigned" };
    let kind = match &ty.kind {
        TypeKind::Void => "void".into(),
        TypeKind::Bool => "bool".into(),
        TypeKind::Int { bits, signed, is_char } => {
            format!("{} {bits} bits{}", sign(*signed), if *is_char { " char" } else { "" })
        }
        TypeKind::Float { bits } => format!("float {bits} bits"),
        TypeKind::Enum { bits, signed, .. } => format!("enum {} {bits} bits", sign(*signed)),
        TypeKind::Pointer { to, to_const } => {
            format!(
                "pointer to {}{} (type {})",
                if *to_const { "const " } else { "" },
                types.describe(*to),
                to.0
            )
        }
        TypeKind::Array { of, len } => {
            format!("array of {} {}", len.map_or("?".into(), |l| l.to_string()), types.describe(*of))
        }
        TypeKind::Record { is_union, fields } => {
            format!("{} of {} members", if *is_union { "union" } else { "struct" }, fields.len())
        }
        TypeKind::Function { result, params, is_variadic } => {
            let mut params: Vec<String> = params.iter().map(|param| types.describe(*param)).collect();
            params.extend(is_variadic.then(|| "...".to_string()));
            format!("function ({}) -> {}", params.join(", "), types.describe(*result))
        }
        TypeKind::Complex { of } => format!("complex of {}", types.describe(*of)),
        TypeKind::Incomplete => "incomplete".into(),
        TypeKind::Other(name) => format!("other {name}"),
    };
    format!("`{}` = {kind}, size {}, align {}", ty.spelling, ty.size, ty.align)
}

fn site_lines(out: &mut String, site: &Site) {
    let kind = match &site.kind {
        SiteKind::Condition { context, .. } => format!("{context:?}"),
        SiteKind::Switch { bits, signed, .. } => format!("Switch {}{bits}", if *signed { 'i' } else { 'u' }),
    };
    let is_short = site.lines == (site.place.line..=site.place.line);
    let lines =
        if is_short { String::new() } else { format!(" lines {}-{}", site.lines.start(), site.lines.end()) };
    writeln!(
        out,
        "  site {} at {}{lines} {kind} decision {}.{} `{}`",
        site.id.0,
        place(&site.place),
        site.decision,
        site.position,
        site.text
    )
    .unwrap();
    if let SiteKind::Switch { arms, .. } = &site.kind {
        for arm in arms {
            let values = match arm.values {
                None => "otherwise".into(),
                Some((first, last)) if first == last => first.to_string(),
                Some((first, last)) => format!("{first}..={last}"),
            };
            writeln!(out, "    arm at {} `{}` {values}", place(&arm.place), arm.text).unwrap();
        }
    }
}

fn place(place: &tarka_source::Place) -> String {
    let name = Path::new(&place.file).file_name().map(|name| name.to_string_lossy().into_owned());
    format!("{}:{}:{}", name.unwrap_or_default(), place.line, place.column)
}
