//! C expressions that users write about a function's inputs: preconditions over parameters and globals.
//!
//! Takes an expression; says whether it is one, of scalar type and without effects, in the scope of the function's
//! parameters and at the end of its file, macros included; gives its text with macros expanded. Never evaluates it.

use std::path::{Path, PathBuf};

use tarka_compilers::Call;

use crate::clang::{self, TranslationUnit, node};
use crate::compiler::{Compiler, compile_flags};
use crate::syntax::text::{one_line, stray_sign};
use crate::syntax::tree::{NodeId, Tree};
use crate::{FunctionId, SourceModel, TypeKind, declare};

/// Why a text is not a usable expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpressionError {
    /// Where in the expression, from 1, in bytes.
    pub column: u32,
    /// What is wrong, on one line.
    pub message: String,
    /// The name that means nothing here.
    pub unknown: Option<String>,
    /// The known name nearest to it.
    pub nearest: Option<String>,
}

impl std::fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)?;
        match &self.nearest {
            Some(nearest) if !self.message.contains("did you mean") => {
                write!(f, "; did you mean '{nearest}'?")
            }
            _ => Ok(()),
        }
    }
}

impl std::error::Error for ExpressionError {}

/// Name of the function around the expression.
const CHECKED: &str = "__tk_checked_expression";
/// Words around the expression that survive preprocessing.
const BEGINS: &str = "__tk_expression_begins";
const ENDS: &str = "__tk_expression_ends";

/// Constants people write without thinking of the header they come from, as the compiler itself defines them.
const CONSTANTS: &[(&str, &str)] = &[
    ("NULL", "((void *)0)"),
    ("true", "1"),
    ("false", "0"),
    ("CHAR_BIT", "__CHAR_BIT__"),
    ("SCHAR_MAX", "__SCHAR_MAX__"),
    ("SCHAR_MIN", "(-__SCHAR_MAX__ - 1)"),
    ("UCHAR_MAX", "(__SCHAR_MAX__ * 2 + 1)"),
    ("SHRT_MAX", "__SHRT_MAX__"),
    ("SHRT_MIN", "(-__SHRT_MAX__ - 1)"),
    ("USHRT_MAX", "(__SHRT_MAX__ * 2 + 1)"),
    ("INT_MAX", "__INT_MAX__"),
    ("INT_MIN", "(-__INT_MAX__ - 1)"),
    ("UINT_MAX", "(__INT_MAX__ * 2U + 1U)"),
    ("LONG_MAX", "__LONG_MAX__"),
    ("LONG_MIN", "(-__LONG_MAX__ - 1L)"),
    ("ULONG_MAX", "(__LONG_MAX__ * 2UL + 1UL)"),
    ("LLONG_MAX", "__LONG_LONG_MAX__"),
    ("LLONG_MIN", "(-__LONG_LONG_MAX__ - 1LL)"),
    ("ULLONG_MAX", "(__LONG_LONG_MAX__ * 2ULL + 1ULL)"),
    ("INT8_MAX", "__INT8_MAX__"),
    ("INT8_MIN", "(-__INT8_MAX__ - 1)"),
    ("UINT8_MAX", "__UINT8_MAX__"),
    ("INT16_MAX", "__INT16_MAX__"),
    ("INT16_MIN", "(-__INT16_MAX__ - 1)"),
    ("UINT16_MAX", "__UINT16_MAX__"),
    ("INT32_MAX", "__INT32_MAX__"),
    ("INT32_MIN", "(-__INT32_MAX__ - 1)"),
    ("UINT32_MAX", "__UINT32_MAX__"),
    ("INT64_MAX", "__INT64_MAX__"),
    ("INT64_MIN", "(-__INT64_MAX__ - 1)"),
    ("UINT64_MAX", "__UINT64_MAX__"),
    ("SIZE_MAX", "__SIZE_MAX__"),
    ("NAN", "(__builtin_nanf(\"\"))"),
    ("INFINITY", "(__builtin_inff())"),
];

/// Library functions that only look at their arguments.
const PURE: &[&str] = &[
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strchr",
    "strrchr",
    "strstr",
    "strspn",
    "strcspn",
    "strpbrk",
    "memcmp",
    "memchr",
    "isalnum",
    "isalpha",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "tolower",
    "toupper",
    "abs",
    "labs",
    "llabs",
    "imaxabs",
    "fabs",
    "fabsf",
    "fabsl",
    "floor",
    "floorf",
    "ceil",
    "ceilf",
    "round",
    "trunc",
    "sqrt",
    "sqrtf",
    "fmod",
    "fmin",
    "fmax",
    "copysign",
    "wcslen",
    "wcscmp",
    "__ctype_b_loc",
    "creal",
    "cimag",
    "crealf",
    "cimagf",
    "cabs",
];

/// The parameter list of a function over the same parameters, as C declares it; `None` where a type cannot be named.
pub fn assume_parameters(model: &SourceModel, function: FunctionId) -> Option<String> {
    let params = &model.function(function).params;
    if params.is_empty() {
        return Some("void".into());
    }
    let declared: Option<Vec<String>> =
        params.iter().map(|param| declare(&model.types, param.ty, &param.name)).collect();
    declared.map(|declared| declared.join(", "))
}

/// Checks that a text is a C expression of scalar type without effects over the function's parameters and the file's
/// globals, functions and enumerators.
pub fn check_expression(
    model: &SourceModel,
    clang: &Path,
    function: FunctionId,
    expression: &str,
) -> Result<(), ExpressionError> {
    let line = on_one_line(expression)?;
    let Some(parameters) = assume_parameters(model, function) else {
        let name = &model.function(function).name;
        return Err(at(1, format!("{name} has a parameter whose type cannot be named outside it")));
    };
    let mut text = prelude(model);
    text += &format!("static int {CHECKED}({parameters}) {{ return !!(\n");
    let number = text.matches('\n').count() as u32 + 1;
    text += &format!("{line}\n); }}\n");

    let unit = parse(model, clang, &text).map_err(|reason| at(1, reason))?;
    let errors = unit.located_errors();
    let here = errors.iter().find_map(|(place, message)| match place {
        Some((line, column)) if *line == number => Some((*column, message)),
        _ => None,
    });
    if let Some((column, message)) = here {
        return Err(explain(model, function, column, message));
    }
    if let Some((_, message)) = errors.first() {
        // Said about the `!!` around the expression, so about its type as a whole.
        if let Some(rest) = message.strip_prefix("invalid argument type '") {
            let ty = rest.split('\'').next().unwrap_or_default();
            return Err(at(1, format!("expected a number or a pointer, not '{ty}'")));
        }
        return Err(at(line.len() as u32 + 1, message.clone()));
    }
    check_effects(model, &unit)
}

/// The expression with the file's macros expanded, on one line: what can be compiled after the preprocessed text.
pub fn expand_expression(
    model: &SourceModel,
    clang: &Path,
    expression: &str,
) -> Result<String, ExpressionError> {
    let line = on_one_line(expression)?;
    let text = prelude(model) + &format!("{BEGINS}\n{line}\n{ENDS}\n");
    let expanded = preprocess(model, clang, &text).map_err(|reason| at(1, reason))?;
    let inner = expanded.split_once(BEGINS).and_then(|(_, rest)| rest.split_once(ENDS));
    inner.map(|(inner, _)| one_line(inner)).ok_or_else(|| at(1, "it cannot be preprocessed".into()))
}

fn at(column: u32, message: String) -> ExpressionError {
    ExpressionError { column, message, unknown: None, nearest: None }
}

/// Line ends are blanks; what could leave its brackets is refused.
fn on_one_line(expression: &str) -> Result<String, ExpressionError> {
    let line: String = expression.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }).collect();
    if line.trim().is_empty() {
        return Err(at(1, "expected an expression".into()));
    }
    if line.trim_start().starts_with('#') || line.trim_end().ends_with('\\') || line.contains('\0') {
        return Err(at(1, "expected an expression, not a directive".into()));
    }
    match stray_sign(&line) {
        None => Ok(line),
        Some(offset) => {
            let sign = &line[offset..=offset];
            let message = match sign {
                "," | ";" => format!("expected one expression, '{sign}' stands between two"),
                _ => format!("the bracket '{sign}' has no partner"),
            };
            Err(at(offset as u32 + 1, message))
        }
    }
}

/// The user's file and the usual constants.
fn prelude(model: &SourceModel) -> String {
    let file = std::path::absolute(&model.file).unwrap_or_else(|_| model.file.clone());
    let mut text = format!("#include \"{}\"\n", file.display());
    for (name, value) in CONSTANTS {
        text += &format!("#ifndef {name}\n#define {name} {value}\n#endif\n");
    }
    text
}

/// A name for the text, beside the user's file.
fn checked_file(model: &SourceModel) -> PathBuf {
    model.file.with_file_name("tarka-expression.c")
}

fn parse(model: &SourceModel, clang: &Path, text: &str) -> Result<TranslationUnit, String> {
    let mut flags = compile_flags(&model.flags);
    let file = checked_file(model);
    let compiler = Compiler { clang, file: &file, flags: &flags };
    let resource_dir = compiler.resource_dir().map_err(|error| error.to_string())?;
    let library = clang::load(&resource_dir).map_err(|error| error.to_string())?;
    flags.extend(["-w".into(), "-resource-dir".into(), resource_dir.to_string_lossy().into_owned()]);
    library.parse(&file, &flags, Some(text)).ok_or_else(|| "clang cannot parse it".into())
}

fn preprocess(model: &SourceModel, clang: &Path, text: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("{} cannot be run: {error}", clang.display());
    let call = Call::new(clang).args(compile_flags(&model.flags)).args(["-w", "-E", "-P", "-x", "c", "-"]);
    let answer = call.input(text.as_bytes()).run().map_err(failed)?;
    Ok(String::from_utf8_lossy(&answer.output).into_owned())
}

/// clang's words, the name it does not know and the nearest one it could be.
fn explain(model: &SourceModel, function: FunctionId, column: u32, message: &str) -> ExpressionError {
    let quoted = |start: &str| {
        let rest = &message[message.find(start)? + start.len()..];
        rest.split('\'').next().map(ToString::to_string)
    };
    let member = quoted("no member named '");
    let unknown = member
        .clone()
        .or_else(|| quoted("undeclared identifier '"))
        .or_else(|| quoted("undeclared function '"))
        .or_else(|| quoted("undeclared library function '"));
    let suggested = quoted("did you mean '");
    let nearest = suggested.or_else(|| {
        let unknown = unknown.as_deref()?;
        let names = match &member {
            Some(_) => members(model, &quoted("' in '")?),
            None => names(model, function),
        };
        nearest(unknown, names)
    });
    ExpressionError { column, message: one_line(message), unknown, nearest }
}

/// Members of a record by its spelling.
fn members<'a>(model: &'a SourceModel, record: &str) -> Vec<&'a str> {
    let found = model.types.types.iter().find_map(|ty| match &ty.kind {
        TypeKind::Record { fields, .. } if ty.spelling == record => Some(fields),
        _ => None,
    });
    found.into_iter().flatten().map(|field| field.name.as_str()).collect()
}

/// Everything an expression may name.
fn names(model: &SourceModel, function: FunctionId) -> Vec<&str> {
    let params = model.function(function).params.iter().map(|param| &param.name);
    let globals = model.globals.iter().chain(&model.declared_variables).map(|global| &global.name);
    let functions = model.functions.iter().map(|function| &function.name);
    let enumerators = model.types.types.iter().flat_map(|ty| match &ty.kind {
        TypeKind::Enum { enumerators, .. } => enumerators.as_slice(),
        _ => &[],
    });
    let enumerators = enumerators.map(|(name, _)| name);
    params.chain(globals).chain(functions).chain(enumerators).map(String::as_str).collect()
}

/// The name with the fewest changes, if they are few. Stricter than hints about options: of the many names of a file most
/// are not meant, and a wrong hint about code leads astray.
fn nearest(unknown: &str, names: Vec<&str>) -> Option<String> {
    let lower = unknown.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&lower, &name.to_lowercase());
    let best = names.into_iter().map(|name| (distance(name), name)).min_by_key(|(distance, _)| *distance)?;
    (best.0 <= unknown.chars().count().div_ceil(3)).then(|| best.1.to_string())
}

/// A precondition must leave everything as it is.
fn check_effects(model: &SourceModel, unit: &TranslationUnit) -> Result<(), ExpressionError> {
    let top = unit.root().children();
    let Some(checked) = top.into_iter().rfind(|cursor| cursor.kind() == node::FUNCTION) else {
        return Err(at(1, "clang cannot parse it".into()));
    };
    let Some(tree) = Tree::of_function(checked) else { return Err(at(1, "clang cannot parse it".into())) };
    for id in tree.evaluated(0).into_iter().filter(|&id| tree.cursor(id).is_expression()) {
        if let Some(objection) = objection(model, &tree, id) {
            let column = tree.cursor(id).extent().0.expansion().column;
            return Err(at(column, objection));
        }
    }
    Ok(())
}

fn objection(model: &SourceModel, tree: &Tree, id: NodeId) -> Option<String> {
    match tree.kind(id) {
        node::STATEMENT_EXPR => Some("statements are not allowed in a precondition".into()),
        node::CALL => {
            let Some(callee) = tree.callee(id) else {
                return Some("a precondition cannot call through a pointer".into());
            };
            let name = callee.name();
            let is_allowed = model.function_named(&name).is_some()
                || PURE.contains(&name.as_str())
                || name.starts_with("__builtin_");
            (!is_allowed).then(|| {
                format!("a precondition cannot call '{name}': it is neither in this file nor known to be without effects")
            })
        }
        _ if tree.changes_something(id) => {
            Some("a precondition must not change anything; for equality write '=='".into())
        }
        _ => None,
    }
}
