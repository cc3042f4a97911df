//! The plain program of a target: the same text and driver without labels, models, checks or optimiser; only sides are counted.
//!
//! Takes the request and the build that it led to; gives an executable that speaks the same protocol, reads the same input
//! at the same addresses and fills the same coverage map and records of evaluations, with the real C library behind it. So
//! it can contradict the target: what the pass or a model gets wrong, the plain program does not. Addresses of functions and
//! variables differ between the two, so the plain program's own are given.
//!
//! Never: other inputs than the target's.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use tarka_source::{SiteKind, SourceModel};
use tarka_trace::FaultSet;

use crate::build::{Laid, expanded_units, with_initial_bytes};
use crate::compile::{self, Purpose};
use crate::elf::Executable;
use crate::ir::{LLVMOpcode, ModuleRef, Value};
use crate::link::{self, ASSUMPTION, PLAIN_TABLES};
use crate::plan::Plan;
use crate::sites::SiteTable;
use crate::{Address, Build, BuildRequest, InstrumentError, UnitLayout, others, pass};

/// A built plain program.
#[derive(Clone, Debug)]
pub struct PlainBuild {
    /// The executable.
    pub exe: PathBuf,
    /// The units of [`Build::units`] once more, with the bytes that globals have here.
    pub units: Vec<UnitLayout>,
    /// What [`Build::addresses`] lists, in the same order, at the plain program's addresses.
    pub addresses: Vec<Address>,
    /// The constants in each function's code, by its name.
    pub constants: BTreeMap<String, BTreeSet<Constant>>,
}

/// A constant of the code, as comparisons see it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Constant {
    /// An integer, sign-extended.
    Integer(i64),
    /// The bits of a floating-point number as a `double`.
    Float(u64),
    /// The bytes of a string, without its end.
    Text(Vec<u8>),
}

/// Builds the plain program of a target in a folder of its own.
pub fn build_plain(
    request: &BuildRequest<'_>,
    build: &Build,
    work_dir: &Path,
) -> Result<PlainBuild, InstrumentError> {
    let units = expanded_units(request)?;
    let request = &BuildRequest { units: &units, work_dir, ..*request };
    let model = request.model;
    let mut plan = build.plan.clone();
    let laid = Laid::out(request, &mut plan)?;
    let (exe, constants) = match linked(request, &laid, &plan) {
        // Only an optimiser sees that nobody comes there: a trap will do.
        Err(InstrumentError::Undefined { names, .. }) => {
            plan.unreached.extend(names);
            linked(request, &laid, &plan)?
        }
        linked => linked?,
    };
    let executable = Executable::read(&exe)?;
    let image = executable.parse()?;
    let addresses = image.address_table(laid.table.len())?;
    let variables = laid.table.variables(model, &addresses);
    let named = laid.table.named(&addresses);
    let units = laid.units.into_iter().map(|unit| with_initial_bytes(unit.layout, &variables, &image));
    Ok(PlainBuild { exe, units: units.collect(), addresses: named, constants })
}

/// The constants of each function.
type Constants = BTreeMap<String, BTreeSet<Constant>>;

/// From a plan to an executable.
fn linked(
    request: &BuildRequest<'_>,
    laid: &Laid<'_>,
    plan: &Plan,
) -> Result<(PathBuf, Constants), InstrumentError> {
    let mut text = laid.text(request, plan, FaultSet::NONE)?;
    tables(&mut text, request.model);
    let (object, constants) = compiled(request, &text, &plan.scripted())?;
    let (flags, runtime) = (request.model.link_flags(), tarka_runtime::PLAIN_OBJECT);
    let exe = link::executable(request.clang, &flags, &object, runtime, request.work_dir)?;
    Ok((exe, constants))
}

/// From text to an object file.
fn compiled(
    request: &BuildRequest<'_>,
    text: &str,
    scripted: &BTreeSet<String>,
) -> Result<(PathBuf, Constants), InstrumentError> {
    let (flags, work_dir) = (&request.model.flags, request.work_dir);
    let bitcode = compile::compile(request.clang, flags, text, Purpose::Plain, work_dir)?;
    let context = Context::create();
    let module = link::read(&context, &bitcode)?;
    let machine = link::machine(OptimizationLevel::None)?;
    let library = (scripted, stands_for as others::Replacement);
    others::link_in((&context, &module), &machine, request, Purpose::Plain, library)?;
    let raw = link::raw(&module);
    let constants = constants(raw, request.model);
    // Calls of probes that promise to do nothing would be dropped; what the user's functions promise changes nothing here.
    pass::forget_promises(raw, true);
    forget_hints(raw);
    crate::handles::give(raw, request.model, false);
    link::rename_library(raw, stands_for);
    let object = work_dir.join("unit.o");
    link::write_plain_object(&module, &machine, &object)?;
    Ok((object, constants))
}

/// What the runtime of a plain program has instead of a library function: no models, and jumps are the library's own.
fn stands_for(name: &str) -> Option<&'static str> {
    let replacement = tarka_library::replacement(name)?;
    (replacement.starts_with("tkw_") && replacement != "tkw_longjmp").then_some(replacement)
}

/// Assumptions that only tell the optimiser something (`__builtin_assume_aligned`) are no preconditions.
fn forget_hints(module: ModuleRef) {
    let Some(assume) = module.function("llvm.assume").or_else(|| module.function(ASSUMPTION)) else { return };
    for call in assume.users() {
        if call.is_instruction() && call.operand(0).constant_u64() == Some(1) {
            call.erase();
        }
    }
}

/// The tables by which the plain program's probes know where to count.
fn tables(text: &mut String, model: &SourceModel) {
    let sites = SiteTable::of(model);
    let _ = writeln!(text, "const unsigned {PLAIN_TABLES}sites[][3] = {{");
    for site in 0..model.sites.len() as u32 {
        let coverage = sites.coverage_of(site).unwrap_or(0);
        let (decision, position) = sites.condition(site).map_or((0, 0), |(of, at)| (of + 1, at));
        let _ = writeln!(text, "  {{{coverage}u, {decision}u, {position}u}},");
    }
    let _ = writeln!(text, "  {{0}}\n}};\nunsigned (*const {PLAIN_TABLES}arms[])(unsigned long long) = {{");
    for (number, site) in model.sites.iter().enumerate() {
        let _ = match site.kind {
            SiteKind::Switch { .. } => writeln!(text, "  __tk_arm_{number},"),
            SiteKind::Condition { .. } => writeln!(text, "  0,"),
        };
    }
    let _ = writeln!(text, "  0\n}};\nconst unsigned {PLAIN_TABLES}conditions[] = {{");
    for decision in 0..model.decisions.len() as u32 {
        let _ = writeln!(text, "  {}u,", sites.condition_count(decision));
    }
    let first = sites.statement(0).unwrap_or(0);
    let _ = writeln!(text, "  0\n}};\nconst unsigned {PLAIN_TABLES}first_statement = {first}u;");
}

/// The constants in the code of the user's functions.
fn constants(module: ModuleRef, model: &SourceModel) -> Constants {
    let functions = model.functions.iter().filter_map(|function| module.function(&function.name));
    functions.map(|function| (function.name(), constants_of(function))).collect()
}

fn constants_of(function: Value) -> BTreeSet<Constant> {
    let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
    // What a probe is given is a number of ours.
    let is_probe = |instruction: &Value| {
        instruction.opcode() == LLVMOpcode::LLVMCall && instruction.callee().name().starts_with("__tk_")
    };
    let of_user = instructions.filter(|instruction| !is_probe(instruction));
    of_user.flat_map(|instruction| instruction.value_operands()).filter_map(constant).collect()
}

fn constant(operand: Value) -> Option<Constant> {
    if let Some(bytes) = operand.constant_string() {
        return Some(Constant::Text(bytes));
    }
    if let Some(number) = operand.constant_f64() {
        return Some(Constant::Float(number.to_bits()));
    }
    let bits = operand.ty().int_bits().filter(|bits| (8..=64).contains(bits))?;
    let unused = 64 - bits;
    operand.constant_u64().map(|number| Constant::Integer(((number << unused) as i64) >> unused))
}
