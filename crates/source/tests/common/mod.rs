//! What the tests share: analysing a file, running tools, and a readable listing of a model.

#![allow(dead_code, missing_docs)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tarka_source::{
    Site, SiteKind, SourceError, SourceModel, SourceRequest, Type, TypeKind, TypeTable, analyse, find_clang,
};

/// Folder of the C files.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
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
            let len = param.array_len.map(|len| format!(" [{len}]")).unwrap_or_default();
            writeln!(out, "  param {}: {}{len}", param.name, type_line(types, types.get(param.ty))).unwrap();
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
        SiteKind::Condition { context } => format!("{context:?}"),
        SiteKind::Switch { bits, signed, .. } => format!("Switch {}{bits}", if *signed { 'i' } else { 'u' }),
    };
    writeln!(
        out,
        "  site {} at {} {kind} decision {}.{} `{}`",
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
