//! The other files of a program in one module with the unit's own.
//!
//! Takes the module of the unit's file and the model of the program; gives the module with everything that the file reaches in the
//! other ones. Each of them is compiled by itself, with its own flags and numbers, so that it is compiled once for all programs that
//! it belongs to; its numbers move when it is linked. Library functions whose answers are inputs, the `scripted` ones, are the real
//! ones there. Never: which files belong to a program.

use std::collections::BTreeSet;

use inkwell::context::Context;
use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::{LLVMGetLinkage, LLVMSetLinkage};
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use tarka_source::OtherFile;

use crate::compile::{self, Purpose};
use crate::ir::{LLVMOpcode, ModuleRef, Value};
use crate::{BuildRequest, InstrumentError, link};

/// What stands for a library function in a build.
pub(crate) type Replacement = fn(&str) -> Option<&'static str>;

/// Links the other files into the module of the unit's own, and drops what is not reached from there.
pub(crate) fn link_in<'c>(
    (context, module): (&'c Context, &Module<'c>),
    machine: &TargetMachine,
    request: &BuildRequest<'_>,
    purpose: Purpose,
    (scripted, replacement): (&BTreeSet<String>, Replacement),
) -> Result<(), InstrumentError> {
    let model = request.model;
    if model.others.is_empty() {
        return Ok(());
    }
    for (number, other) in model.others.iter().enumerate() {
        let folder = request.work_dir.join(format!("other-{number}"));
        std::fs::create_dir_all(&folder)
            .map_err(|error| InstrumentError::File { path: folder.clone(), source: error })?;
        let bitcode = compile::compile(request.clang, &other.flags, &other.probed_text, purpose, &folder)?;
        let part = link::read(context, &bitcode)?;
        renumber(link::raw(&part), other);
        rename(link::raw(&part), other);
        // The tests turn the calls of their own file alone to their stubs.
        let real = |name: &str| if scripted.contains(name) { replacement(name) } else { None };
        link::rename_library(link::raw(&part), real);
        link::link_module(module, part)?;
    }
    let own = model.own_functions().iter().map(|function| function.name.as_str());
    let own: BTreeSet<&str> = own.chain(own_globals(request)).collect();
    link::drop_unreached(module, machine, &own)
}

fn own_globals<'a>(request: &BuildRequest<'a>) -> impl Iterator<Item = &'a str> {
    let model = request.model;
    let end = model.others.first().map_or(model.globals.len(), |other| other.first.globals as usize);
    model.globals[..end].iter().map(|global| global.name.as_str())
}

/// Counts the file's numbers from where they begin in the program.
fn renumber(module: ModuleRef, other: &OtherFile) {
    let first = [
        ("__tk_cond", other.first.sites),
        ("__tk_switch", other.first.sites),
        ("__tk_begin", other.first.decisions),
        ("__tk_decision", other.first.decisions),
        ("__tk_stmt", other.first.statements),
    ];
    for (probe, first) in first {
        let Some(probe) = module.function(probe) else { continue };
        let is_call = |user: &Value| user.is_instruction() && user.opcode() == LLVMOpcode::LLVMCall;
        for call in probe.users().into_iter().filter(is_call) {
            let number = call.operand(0);
            if let Some(own) = number.constant_u64() {
                call.set_operand(0, number.ty().constant(own + u64::from(first)));
            }
        }
    }
}

/// Gives the file's symbols the names that they have in the program. What it defines under such a name is its own.
fn rename(module: ModuleRef, other: &OtherFile) {
    let symbols: Vec<_> = module.functions().into_iter().chain(module.globals()).collect();
    for symbol in symbols {
        let name = symbol.name();
        let Some((_, given)) = other.renamed.iter().find(|(from, _)| *from == name) else { continue };
        symbol.set_name(given);
        // SAFETY: a symbol of the live module. An inline function has a body here that the linker would not see.
        unsafe {
            if LLVMGetLinkage(symbol.0) == LLVMLinkage::LLVMAvailableExternallyLinkage {
                LLVMSetLinkage(symbol.0, LLVMLinkage::LLVMInternalLinkage);
            }
        }
    }
}
