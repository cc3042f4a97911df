//! From bitcode to an executable: everything that needs LLVM's modules, passes and code generator.
//!
//! Takes bitcode of the unit, gives an executable: links the library models, runs the pass, links the inline fast
//! paths, optimises, writes an object and calls the linker.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Once;

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::{LLVMGetLinkage, LLVMSetLinkage, LLVMSetVisibility};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine};
use tarka_compilers::Call;

use crate::InstrumentError;
use crate::compile::link_flags;
use crate::ir::ModuleRef;

/// What the user's `main` is called in the target, which has a `main` of its own.
pub(crate) const USER_MAIN: &str = "__tk_user_main";
/// What `llvm.assume` is called until the pass turns it into a precondition.
pub(crate) const ASSUMPTION: &str = "__tk_assume";
/// What the runtime calls to run a unit.
pub(crate) const DRIVE: &str = "__tk_drive";

/// What the names of a plain program's tables begin with, which its runtime reads.
pub(crate) const PLAIN_TABLES: &str = "__tk_plain_";

/// Before the pass: drop library models nobody calls, promote locals to registers and split what the pass would have
/// to take apart itself. Nothing that merges or removes branches.
const BEFORE_PASS: &str =
    "globaldce,function(lower-atomic,lower-expect,lower-constant-intrinsics,sroa,early-cse,scalarizer,dce)";
/// After the pass and the fast paths.
const AFTER_PASS: &str = "always-inline,default<O1>";

/// Turns LLVM's error strings into ours.
fn llvm(step: &'static str) -> impl Fn(inkwell::support::LLVMString) -> InstrumentError {
    move |message| InstrumentError::Llvm { step, message: message.to_string() }
}

/// The machine the target is compiled for.
pub(crate) fn machine(level: OptimizationLevel) -> Result<TargetMachine, InstrumentError> {
    // LLVM's table of targets has no lock: registering one twice at the same time can tie its list into a ring.
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| Target::initialize_x86(&InitializationConfig::default()));
    let triple = TargetMachine::get_default_triple();
    let target = Target::from_triple(&triple).map_err(llvm("find the target"))?;
    target
        .create_target_machine(&triple, "x86-64", "", level, RelocMode::Static, CodeModel::Default)
        .ok_or(InstrumentError::Llvm { step: "find the target", message: "no machine for it".into() })
}

/// Reads a bitcode file.
pub(crate) fn read<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>, InstrumentError> {
    let module = Module::parse_bitcode_from_path(path, context).map_err(llvm("read the compiled unit"))?;
    let triple = module.get_triple().as_str().to_string_lossy().into_owned();
    if triple.starts_with("x86_64") && triple.contains("linux") && !triple.ends_with("x32") {
        Ok(module)
    } else {
        Err(InstrumentError::Machine { triple })
    }
}

/// Links a bitcode image of the runtime into a module.
pub(crate) fn link_image<'c>(
    context: &'c Context,
    module: &Module<'c>,
    image: &[u8],
    step: &'static str,
) -> Result<(), InstrumentError> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(image, step);
    let other = Module::parse_bitcode_from_buffer(&buffer, context).map_err(llvm(step))?;
    module.link_in_module(other).map_err(llvm(step))
}

/// Links the module of another file into one.
pub(crate) fn link_module<'c>(module: &Module<'c>, other: Module<'c>) -> Result<(), InstrumentError> {
    module.link_in_module(other).map_err(llvm("link the program's files"))
}

/// Drops what neither the unit's own symbols nor the driver lead to.
pub(crate) fn drop_unreached(
    module: &Module<'_>,
    machine: &TargetMachine,
    own: &BTreeSet<&str>,
) -> Result<(), InstrumentError> {
    internalise(raw(module), |name| own.contains(name) || name.starts_with("__tk_"));
    let options = PassBuilderOptions::create();
    module.run_passes("globaldce", machine, options).map_err(llvm("drop what the unit does not reach"))
}

/// A module as the pass sees it.
pub(crate) fn raw(module: &Module<'_>) -> ModuleRef {
    ModuleRef(module.as_mut_ptr())
}

/// Gives library functions the names of what stands for them (also where their address is taken), and `main` another
/// name. A function the user defines is the user's own.
pub(crate) fn rename_library(module: ModuleRef, replacement: impl Fn(&str) -> Option<&'static str>) {
    for function in module.functions() {
        let name = function.name();
        if name == "main" {
            function.set_name(USER_MAIN);
        } else if name == "llvm.assume" {
            // No longer an intrinsic: an optimiser that believed it would decide conditions the search must decide.
            function.set_name(ASSUMPTION);
        } else if function.is_declaration() && !function.is_intrinsic() {
            let Some(replacement) = replacement(&name) else { continue };
            match module.function(replacement) {
                Some(other) => function.replace_uses(other),
                None => function.set_name(replacement),
            }
        }
    }
}

/// The light clean-up before the pass. Functions of the user stay even if nothing calls them, so that the numbers of
/// sites do not depend on which units are asked for.
pub(crate) fn clean_up(
    module: &Module<'_>,
    machine: &TargetMachine,
    user_functions: &BTreeSet<String>,
) -> Result<(), InstrumentError> {
    internalise(raw(module), |name| user_functions.contains(name) || name.starts_with("__tk_"));
    module.run_passes(BEFORE_PASS, machine, PassBuilderOptions::create()).map_err(llvm("clean up the unit"))
}

/// Checks the module after the pass.
pub(crate) fn verify(module: &Module<'_>) -> Result<(), InstrumentError> {
    module.verify().map_err(llvm("accept the instrumented unit"))
}

/// Inlines the fast paths, optimises and writes an object file.
pub(crate) fn write_object(
    module: &Module<'_>,
    machine: &TargetMachine,
    object: &Path,
) -> Result<(), InstrumentError> {
    internalise(raw(module), |_| false);
    module
        .run_passes(AFTER_PASS, machine, PassBuilderOptions::create())
        .map_err(llvm("optimise the instrumented unit"))?;
    machine.write_to_file(module, FileType::Object, object).map_err(llvm("write the object file"))
}

/// Writes an object file of a plain program: as it is, without functions that nobody calls, whose callees may not exist.
pub(crate) fn write_plain_object(
    module: &Module<'_>,
    machine: &TargetMachine,
    object: &Path,
) -> Result<(), InstrumentError> {
    internalise(raw(module), |name| name.starts_with(PLAIN_TABLES));
    module
        .run_passes("globaldce", machine, PassBuilderOptions::create())
        .map_err(llvm("drop what the plain unit does not need"))?;
    machine.write_to_file(module, FileType::Object, object).map_err(llvm("write the object file"))
}

/// Hides every symbol but the driver: a unit may define `read` or `malloc` without the runtime or the C library
/// suddenly calling it.
fn internalise(module: ModuleRef, keep: impl Fn(&str) -> bool) {
    for symbol in module.functions().into_iter().chain(module.globals()) {
        let name = symbol.name();
        if symbol.is_declaration() || name == DRIVE || keep(&name) || name.starts_with("llvm.") {
            continue;
        }
        // SAFETY: a definition of the live module; internal linkage wants default visibility.
        unsafe {
            if LLVMGetLinkage(symbol.0) != LLVMLinkage::LLVMPrivateLinkage {
                LLVMSetVisibility(symbol.0, inkwell::llvm_sys::LLVMVisibility::LLVMDefaultVisibility);
                LLVMSetLinkage(symbol.0, LLVMLinkage::LLVMInternalLinkage);
            }
        }
    }
}

/// Links an object and a runtime to an executable.
pub(crate) fn executable(
    clang: &Path,
    flags: &[String],
    object: &Path,
    runtime_object: &[u8],
    work_dir: &Path,
) -> Result<PathBuf, InstrumentError> {
    let runtime = work_dir.join("runtime.o");
    std::fs::write(&runtime, runtime_object)
        .map_err(|error| InstrumentError::File { path: runtime.clone(), source: error })?;
    let exe = work_dir.join("target");
    let flags = link_flags(flags);
    let unit = std::fs::read(object)
        .map_err(|error| InstrumentError::File { path: object.to_owned(), source: error })?;
    let key = tarka_cache::call_key(clang, &flags, [b"-no-pie -lm".as_slice(), &unit, runtime_object]);
    tarka_cache::built(key, &exe, || {
        let answer = Call::new(clang)
            .arg("-no-pie")
            .arg(object)
            .arg(&runtime)
            .args(&flags)
            .args(["-lm", "-o"])
            .arg(&exe)
            .run()
            .map_err(|error| InstrumentError::NoCompiler { path: clang.to_owned(), source: error })?;
        if answer.success() {
            return Ok(());
        }
        let message = answer.message();
        let names = undefined_names(&message);
        Err(if names.is_empty() {
            InstrumentError::Link { message }
        } else {
            InstrumentError::Undefined { names, reasons: Vec::new() }
        })
    })?;
    Ok(exe)
}

/// The symbols the linker did not find, each once.
fn undefined_names(message: &str) -> Vec<String> {
    let names = message.split("undefined reference to `").skip(1).filter_map(|rest| rest.split('\'').next());
    let names: BTreeSet<&str> = names.collect();
    names.into_iter().map(str::to_owned).collect()
}
