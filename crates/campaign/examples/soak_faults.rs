//! `make soak`: a million random inputs for each unit of `examples/faults/`, none of which may show its fault.
//!
//! Takes the number of inputs (default a million). Compiles each plain unit with the sanitizers and a driver that calls it
//! with random values: integers of any size, small ones and those around powers of two, floating-point numbers of any bit
//! pattern, records of such, buffers with exactly as many elements as their length says, strings, and sometimes null. Prints
//! every unit whose fault showed. Two units without guards come first: if their faults do not show, nothing that follows
//! means anything.
#![allow(clippy::disallowed_macros)] // a test bench prints

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use tarka_source::{Function, Param, SourceModel, SourceRequest, TypeId, TypeKind};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// How long the inputs of one unit may take, in seconds: units are quick, so more means a loop without end.
const LIMIT: &str = "300";
/// Elements behind a pointer of unknown length, and the most that a length asks for.
const ELEMENTS: u64 = 64;
/// Pointers followed from a parameter.
const DEPTH: u32 = 2;

/// Units whose faults any random input shows.
const CONTROLS: [(&str, &str, &str); 2] = [
    (
        "control_address",
        "out-of-bounds",
        "struct s { int a; const unsigned char *p; };\n\
         int control_address(const unsigned char *p, unsigned len, const struct s *s) {\n\
         unsigned sum = 0;\n if (p && s && s->p) for (unsigned i = 0; i <= len && i < 64; i++) sum += p[i];\n\
         return (int)(sum & 255); }\n",
    ),
    (
        "control_memory",
        "uninitialised-read",
        "int control_memory(int a) { int x[2]; x[a & 1] = 0; return x[a >> 1 & 1] ? 1 : 2; }\n",
    ),
];

fn main() -> Outcome<ExitCode> {
    let inputs = std::env::args().nth(1).map(|text| text.parse::<u64>()).transpose()?.unwrap_or(1_000_000);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let scratch = tempfile::tempdir()?;
    let clang = tarka_source::find_clang()?;
    let bench = Bench { clang, folder: scratch.path().to_path_buf(), inputs };

    for (function, kind, text) in CONTROLS {
        let file = bench.folder.join(format!("{function}.c"));
        std::fs::write(&file, text)?;
        if bench.shown(&file, function, kind)?.is_none() {
            return Err(format!("the fault of {function} should show, and does not").into());
        }
    }

    let folder = root.join("examples/faults");
    let table = std::fs::read_to_string(folder.join("expected.tsv"))?;
    let (mut units, mut shown) = (0, 0);
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [file, function, kind, _] = cells[..] else {
            return Err(format!("four cells in: {line}").into());
        };
        if kind == "-" {
            continue;
        }
        let start = Instant::now();
        units += 1;
        if let Some(said) = bench.shown(&folder.join(file), function, kind)? {
            shown += 1;
            println!("{file}: random inputs show a fault\n{said}");
        }
        println!("  {function:<24} {:6.1} s", start.elapsed().as_secs_f64());
    }
    println!("{units} units, {inputs} random inputs each: {shown} faults shown (asked: 0)");
    Ok(if shown == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What a unit is tried with.
struct Bench {
    clang: PathBuf,
    folder: PathBuf,
    inputs: u64,
}

impl Bench {
    /// What the sanitizers say of a unit under random inputs; `None` if they have nothing to say.
    fn shown(&self, file: &Path, function: &str, kind: &str) -> Outcome<Option<String>> {
        let model = tarka_source::analyse(&SourceRequest { file, flags: &[], clang: &self.clang })?;
        let (_, unit) = model.function_named(function).ok_or_else(|| format!("no function {function}"))?;
        let driver = self.folder.join(format!("{function}_driver.c"));
        let program = self.folder.join(function);
        std::fs::write(&driver, driver_text(&model, unit, file, self.inputs)?)?;
        let sanitizers = match kind {
            "uninitialised-read" => "-fsanitize=memory",
            _ => "-fsanitize=address,undefined,float-cast-overflow",
        };
        let mut compiler = Command::new(&self.clang);
        // Not optimised: a read whose result nobody uses would be gone before the sanitizers see it.
        compiler.args(["-O0", "-g", "-w", sanitizers, "-fno-sanitize-recover=all"]);
        let built = compiler.arg(&driver).arg("-o").arg(&program).arg("-lm").output()?;
        if !built.status.success() {
            return Err(String::from_utf8_lossy(&built.stderr).into_owned().into());
        }
        let ran = Command::new("timeout").arg(LIMIT).arg(&program).output()?;
        let said = format!("{}: {}", ran.status, String::from_utf8_lossy(&ran.stderr));
        Ok((!ran.status.success()).then_some(said))
    }
}

/// The random values; `put` writes one of some size, `block` gives fresh bytes of exactly a size.
const VALUES: &str = "
#include <stdlib.h>
#include <string.h>
static unsigned long long tk_state = 1;
static unsigned long long tk_word(void) {
  tk_state += 0x9e3779b97f4a7c15u;
  unsigned long long z = tk_state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
static unsigned long long tk_next(void) {
  unsigned long long z = tk_word();
  switch (z & 3) {
  case 0: return (z >> 3) % 17 - 8;
  case 1: return (z >> 3) % 300;
  case 2: return (1ull << (z >> 8 & 63)) + (z >> 16) % 3 - 1;
  default: return tk_word();
  }
}
static unsigned long long tk_length(void) { unsigned long long n = tk_next(); return n > 64 ? n % 17 : n; }
static int tk_null(void) { return tk_word() % 16 == 0; }
static void *tk_blocks[256];
static int tk_block_count;
static unsigned char *tk_block(unsigned long long size) {
  return tk_blocks[tk_block_count++] = malloc(size);
}
static void tk_put(unsigned char *at, unsigned long long size) {
  unsigned long long value = tk_next();
  memcpy(at, &value, size);
}
static void tk_text(unsigned char *at, unsigned long long size) {
  unsigned long long i, plain = tk_word() & 1, end = tk_word() % size;
  for (i = 0; i < end; i++) at[i] = plain ? 32 + tk_word() % 95 : 1 + tk_word() % 255;
  memset(at + end, 0, size - end);
}
static float tk_float(void) {
  unsigned bits = tk_word(); float value;
  memcpy(&value, &bits, sizeof value);
  return tk_word() & 1 ? value : (float)(long long)tk_next();
}
static double tk_double(void) {
  unsigned long long bits = tk_word(); double value;
  memcpy(&value, &bits, sizeof value);
  return tk_word() & 1 ? value : (double)(long long)tk_next();
}
";

/// The file with a `main` that calls one of its functions with random values.
fn driver_text(model: &SourceModel, unit: &Function, file: &Path, inputs: u64) -> Outcome<String> {
    let mut text = format!("#include \"{}\"\n{VALUES}", file.display());
    let mut writer = Writer { model, text: String::new(), names: 0 };
    for (number, param) in unit.params.iter().enumerate() {
        if let TypeKind::Int { .. } | TypeKind::Enum { .. } | TypeKind::Bool = model.types.get(param.ty).kind
        {
            let counts = unit.params.iter().any(|other| other.length == Some(number as u32));
            let value = if counts { "tk_length()" } else { "tk_next()" };
            let _ = writeln!(writer.text, "unsigned long long a{number} = {value};");
        }
    }
    for (number, param) in unit.params.iter().enumerate() {
        writer.argument(number, param)?;
    }
    let arguments: Vec<String> = (0..unit.params.len()).map(|number| format!("a{number}")).collect();
    let _ = write!(
        text,
        "int main(void) {{\nfor (unsigned long long tk_i = 0; tk_i < {inputs}u; tk_i++) {{\n{}{}({});\n\
         while (tk_block_count > 0) free(tk_blocks[--tk_block_count]);\n}}\nreturn 0;\n}}\n",
        writer.text,
        unit.name,
        arguments.join(", "),
    );
    Ok(text)
}

/// Statements that make arguments.
struct Writer<'a> {
    model: &'a SourceModel,
    text: String,
    /// Names given so far.
    names: u32,
}

impl Writer<'_> {
    fn argument(&mut self, number: usize, param: &Param) -> Outcome<()> {
        match self.model.types.get(param.ty).kind {
            TypeKind::Int { .. } | TypeKind::Enum { .. } | TypeKind::Bool => {}
            TypeKind::Float { bits: 32 } => self.line(&format!("float a{number} = tk_float();")),
            TypeKind::Float { .. } => self.line(&format!("double a{number} = tk_double();")),
            TypeKind::Pointer { to, .. } => {
                self.line(&format!("void *a{number} = NULL;"));
                let count = match (param.length, param.array_len) {
                    (Some(length), _) => format!("(a{length} > {ELEMENTS} ? {ELEMENTS} : a{length})"),
                    (None, len) => self.usual_count(to, len).to_string(),
                };
                self.pointer(&format!("a{number}"), to, &count, param.length.is_none(), DEPTH)?;
            }
            ref other => return Err(format!("{}: no random values for {other:?}", param.name).into()),
        }
        Ok(())
    }

    /// One record or number, and several bytes.
    fn usual_count(&self, to: TypeId, len: Option<u64>) -> u64 {
        let is_byte = self.model.types.get(to).size == 1;
        len.unwrap_or(if is_byte { ELEMENTS } else { 1 })
    }

    /// Lets a pointer variable lead to so many fresh elements, sometimes.
    fn pointer(
        &mut self,
        into: &str,
        to: TypeId,
        count: &str,
        unknown_length: bool,
        depth: u32,
    ) -> Outcome<()> {
        let element = self.model.types.get(to);
        let (block, index) = (self.name(), self.name());
        self.line(&format!(
            "if (!tk_null()) {{ unsigned char *{block} = tk_block({count} * {}ul);",
            element.size
        ));
        if unknown_length && matches!(element.kind, TypeKind::Int { is_char: true, signed: true, .. }) {
            self.line(&format!("tk_text({block}, {count});"));
        } else {
            self.line(&format!("for (unsigned long long {index} = 0; {index} < {count}; {index}++) {{"));
            self.fill(&format!("{block} + {index} * {}ul", element.size), to, depth)?;
            self.line("}");
        }
        self.line(&format!("{into} = (void *){block}; }}"));
        Ok(())
    }

    /// Random values for the object at an address.
    fn fill(&mut self, at: &str, ty: TypeId, depth: u32) -> Outcome<()> {
        let of = self.model.types.get(ty);
        match &of.kind {
            TypeKind::Int { bits, .. } if *bits <= 64 => self.line(&format!("tk_put({at}, {}ul);", of.size)),
            TypeKind::Array { of, len: Some(len) } => {
                let size = self.model.types.get(*of).size;
                for element in 0..*len {
                    self.fill(&format!("{at} + {}ul", element * size), *of, depth)?;
                }
            }
            TypeKind::Record { fields, is_union: false } => {
                for field in fields {
                    self.fill(&format!("{at} + {}ul", field.offset_bits / 8), field.ty, depth)?;
                }
            }
            TypeKind::Pointer { to, .. } => {
                let pointer = self.name();
                self.line(&format!("void *{pointer} = NULL;"));
                if depth > 1 {
                    let count = self.usual_count(*to, None).to_string();
                    self.pointer(&pointer, *to, &count, true, depth - 1)?;
                }
                self.line(&format!("memcpy({at}, &{pointer}, sizeof {pointer});"));
            }
            other => return Err(format!("no random values for {other:?}").into()),
        }
        Ok(())
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("tk_{}", self.names)
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}
