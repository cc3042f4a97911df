//! From a source model to an instrumented executable and its control-flow graph.
//!
//! Takes a [`SourceModel`] (one preprocessed text with probes) and the functions to test; gives an executable that
//! runs one of them on an input and leaves a trace, the table of sites its traces speak of, the layout of each unit's
//! input, and the inter-procedural control-flow graph.
//!
//! Never: search, solving, running the target.

mod build;
mod cfg;
mod checks;
mod compile;
mod copies;
mod dominators;
mod driver;
mod elf;
mod error;
mod evaluate;
mod handles;
mod ir;
mod link;
mod others;
mod outside;
mod pass;
mod plain;
mod plan;
mod reach;
mod sites;
mod symbolise;
mod uninitialised;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use inkwell::context::Context;
use tarka_source::cfg::Icfg;
use tarka_source::{FunctionId, LibraryInput, SourceModel, Stub};
use tarka_trace::FaultSet;

pub use build::build;
pub use driver::{Root, UnitLayout, symbol_of_stub};
pub use error::InstrumentError;
pub use outside::{OutsideFacts, Unowned, UnownedKind};
pub use plain::{Constant, PlainBuild, build_plain};
pub use sites::{CheckKind, SiteInfo, SiteInfoKind, THROUGH_POINTER};
pub use symbolise::{Frame, Symboliser};

use sites::SiteTable;

/// What to build.
#[derive(Clone, Copy, Debug)]
pub struct BuildRequest<'a> {
    /// The source.
    pub model: &'a SourceModel,
    /// Functions to test; their position here is the unit number the runtime is given.
    pub units: &'a [UnitRequest],
    /// An existing folder for the files of the build.
    pub work_dir: &'a Path,
    /// clang 19.
    pub clang: &'a Path,
    /// Show every labelled result to the runtime.
    pub self_check: bool,
    /// Make every global that is not `const` a root, keeping its initial value (self-check of whole programs).
    pub globals_as_inputs: bool,
    /// Answers of the library that are inputs.
    pub library_inputs: &'a [LibraryInput],
    /// The faults that are looked for: decides over the checks that are built in.
    pub faults: FaultSet,
    /// Let the optimiser believe what functions promise (`pure`, `const` …), which loses labels: a defect that tests put
    /// back.
    pub promises_kept: bool,
}

/// A function to test.
#[derive(Clone, Debug)]
pub struct UnitRequest {
    /// Which.
    pub function: FunctionId,
    /// Preconditions: C expressions over its parameters and the globals. An input that does not meet one ends the run
    /// with [`tarka_trace::EndKind::Assumption`] and the expression's position here.
    pub assumes: Vec<String>,
    /// Most calls in a row that the driver can make, each with arguments of its own (1 for units without state).
    pub calls: u32,
    /// Most calls of each stub that have input values of their own.
    pub stub_calls: u32,
}

impl UnitRequest {
    /// A unit without preconditions, called once.
    pub fn plain(function: FunctionId) -> UnitRequest {
        UnitRequest { function, assumes: Vec::new(), calls: 1, stub_calls: 8 }
    }
}

/// Something with a name at a fixed address of the executable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// The address.
    pub address: u64,
    /// Size of the object, 0 for a function.
    pub size: u64,
    /// What it is.
    pub what: AddressOf,
}

/// What an address belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AddressOf {
    /// A function of the sources.
    Function(FunctionId),
    /// A stub, by index in [`Build::stubs`].
    Stub(u32),
    /// A global variable, by index in [`SourceModel::globals`].
    Global(u32),
}

/// A built target.
#[derive(Clone, Debug, Default)]
pub struct Build {
    /// The executable.
    pub exe: PathBuf,
    /// What each site number of a trace means.
    pub sites: Vec<SiteInfo>,
    /// The control-flow graph of the source.
    pub icfg: Icfg,
    /// State that no input decides.
    pub outside: OutsideFacts,
    /// The input layout of each unit.
    pub units: Vec<UnitLayout>,
    /// Length of the coverage map.
    pub coverage_len: u32,
    /// The stubs that were built in.
    pub stubs: Vec<Stub>,
    /// Where functions whose address is taken, stubs and globals are.
    pub addresses: Vec<Address>,
    /// What the driver defines, for a plain program of this target.
    plan: plan::Plan,
}

/// The text of an IR module after the pass, before anything is inlined: for looking at what the pass does.
pub fn instrumented_ir(ir: &str, self_check: bool) -> Result<String, InstrumentError> {
    let context = Context::create();
    let buffer = inkwell::memory_buffer::MemoryBuffer::create_from_memory_range_copy(ir.as_bytes(), "ir");
    let module = context
        .create_module_from_ir(buffer)
        .map_err(|message| InstrumentError::Llvm { step: "read the IR", message: message.to_string() })?;
    let mut sites = SiteTable::empty();
    let functions = link::raw(&module).functions().into_iter().map(|function| function.name()).collect();
    checks::gather(link::raw(&module), &functions, FaultSet::all());
    pass::run(link::raw(&module), &BTreeSet::new(), &mut sites, self_check);
    link::verify(&module)?;
    Ok(link::raw(&module).text())
}
