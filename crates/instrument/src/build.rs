//! The whole way from a request to a target.
//!
//! What the unit lacks is only known once the linker has spoken, so the way is gone again with a larger plan until
//! nothing is missing: mostly once, twice where there are undefined names.

use std::collections::{BTreeSet, HashSet};

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use tarka_scenario::Role;
use tarka_source::cfg::Icfg;
use tarka_source::{FunctionId, SourceModel, StubKind, expand_expression};
use tarka_trace::{FaultKind, FaultSet};

use crate::compile::Purpose;
use crate::driver::{AddressTable, Driver, StubFrame, Unit, UnitLayout, Variable};
use crate::elf::{Executable, Image};
use crate::ir::Value;
use crate::outside::{self, OutsideFacts};
use crate::plan::Plan;
use crate::reach::Reach;
use crate::sites::SiteTable;
use crate::{
    Build, BuildRequest, InstrumentError, UnitRequest, checks, compile, driver, link, others, pass,
    uninitialised,
};

/// Builds a target.
pub fn build(request: &BuildRequest<'_>) -> Result<Build, InstrumentError> {
    let units = expanded_units(request)?;
    let request = &BuildRequest { units: &units, ..*request };
    let mut plan = Plan::new(request.model, request.library_inputs);
    loop {
        match attempt(request, &mut plan) {
            Ok(Some(build)) => return Ok(build),
            Ok(None) => {}
            Err(InstrumentError::Undefined { names, .. }) => {
                plan.define(request.model, request.units, &names)?
            }
            Err(error) => return Err(error),
        }
    }
}

/// The units of a request, their preconditions without macros.
pub(crate) fn expanded_units(request: &BuildRequest<'_>) -> Result<Vec<UnitRequest>, InstrumentError> {
    let mut units = request.units.to_vec();
    for unit in &mut units {
        for expression in &mut unit.assumes {
            *expression = expanded(request, unit.function, expression)?;
        }
    }
    Ok(units)
}

/// A precondition without the file's macros: the driver's text is not preprocessed.
fn expanded(
    request: &BuildRequest<'_>,
    function: FunctionId,
    expression: &str,
) -> Result<String, InstrumentError> {
    expand_expression(request.model, request.clang, expression).map_err(|error| {
        InstrumentError::Precondition {
            function: request.model.function(function).name.clone(),
            expression: expression.to_owned(),
            message: error.message,
        }
    })
}

/// What a plan makes of a request.
pub(crate) struct Laid<'a> {
    reaches: Vec<Reach>,
    frame: StubFrame,
    pub(crate) units: Vec<Unit<'a>>,
    pub(crate) table: AddressTable,
}

impl<'a> Laid<'a> {
    pub(crate) fn out(request: &BuildRequest<'a>, plan: &mut Plan) -> Result<Laid<'a>, InstrumentError> {
        let model = request.model;
        let reaches = plan.reach(model, request.units);
        let frame = StubFrame::of(model, &plan.stubs);
        let mut units = Vec::new();
        for (unit, reach) in request.units.iter().zip(&reaches) {
            units.push(driver::layout(model, unit, reach, plan, &frame, request.globals_as_inputs)?);
        }
        let table = AddressTable::of(model, plan);
        Ok(Laid { reaches, frame, units, table })
    }

    /// The probed text with its driver, which also looks for these faults.
    pub(crate) fn text(
        &self,
        request: &BuildRequest<'_>,
        plan: &Plan,
        faults: FaultSet,
    ) -> Result<String, InstrumentError> {
        let driver = Driver {
            model: request.model,
            plan,
            frame: &self.frame,
            units: &self.units,
            table: &self.table,
            leaks: faults.has(FaultKind::Leak),
            uninitialised: faults.has(FaultKind::Uninitialised),
            adopt_globals: request.globals_as_inputs,
        };
        Ok(format!("{}{}", request.model.probed_text, driver.text()?))
    }
}

/// Builds with a plan; `None` if the executable shows that the plan must grow, which it then did.
fn attempt(request: &BuildRequest<'_>, plan: &mut Plan) -> Result<Option<Build>, InstrumentError> {
    let model = request.model;
    let laid = Laid::out(request, plan)?;
    let nobodys = plan.stubs.iter().filter(|stub| stub.kind == StubKind::Undefined && !stub.is_noreturn);
    let nobodys = nobodys.map(|stub| stub.name.clone()).collect();
    let program = compiled(request, &laid.text(request, plan, request.faults)?, &nobodys, &plan.scripted())?;
    let runtime = tarka_runtime::RUNTIME_OBJECT;
    let flags = model.link_flags();
    let exe = link::executable(request.clang, &flags, &program.object, runtime, request.work_dir)?;

    let executable = Executable::read(&exe)?;
    let image = executable.parse()?;
    let addresses = image.address_table(laid.table.len())?;
    let variables = laid.table.variables(model, &addresses);
    let may_grow = !request.globals_as_inputs;
    if may_grow && grow(plan, model, &laid.reaches, &laid.units, &variables, &image) {
        return Ok(None);
    }
    let named = laid.table.named(&addresses);
    let units = laid.units.into_iter().map(|unit| with_initial_bytes(unit.layout, &variables, &image));
    Ok(Some(Build {
        exe,
        coverage_len: program.sites.coverage_len(),
        sites: program.sites.finish(),
        icfg: program.icfg,
        outside: program.outside,
        units: units.collect(),
        stubs: plan.stubs.clone(),
        addresses: named,
        plan: plan.clone(),
    }))
}

/// The unit's object file with what is known about it.
struct Program {
    object: std::path::PathBuf,
    sites: SiteTable,
    icfg: Icfg,
    outside: OutsideFacts,
}

/// From text to an instrumented object file. `nobodys` are functions whose inside nobody knows, `scripted` the library's
/// whose answers are inputs.
fn compiled(
    request: &BuildRequest<'_>,
    text: &str,
    nobodys: &BTreeSet<String>,
    scripted: &BTreeSet<String>,
) -> Result<Program, InstrumentError> {
    let model = request.model;
    let faults = checks::possible(request.faults, &compile::kept_flags(&model.flags));
    let purpose = Purpose::Labels(faults);
    let bitcode = compile::compile(request.clang, &model.flags, text, purpose, request.work_dir)?;
    let context = Context::create();
    let machine = link::machine(OptimizationLevel::Less)?;
    let module = link::read(&context, &bitcode)?;
    let library = (scripted, tarka_library::replacement as others::Replacement);
    others::link_in((&context, &module), &machine, request, purpose, library)?;
    let user_functions = model.functions.iter().map(|function| function.name.clone()).collect();
    checks::gather(link::raw(&module), &user_functions, faults);
    crate::handles::give(link::raw(&module), model, faults.has(FaultKind::NullDereference));
    checks::let_wrap(link::raw(&module));
    let icfg = crate::cfg::icfg(link::raw(&module), model);
    let mut sites = SiteTable::of(model);
    link::rename_library(link::raw(&module), tarka_library::replacement);
    let defined = |function: &Value| !function.is_declaration();
    let before: HashSet<Value> = link::raw(&module).functions().into_iter().filter(defined).collect();
    link::link_image(&context, &module, tarka_runtime::MODELS_BC, "link the library models")?;
    let outside = outside::facts(link::raw(&module), model, nobodys, &before);
    pass::forget_promises(link::raw(&module), request.promises_kept);
    let may_fall_off = model.functions.iter().filter(|function| function.may_fall_off);
    let may_fall_off = may_fall_off.map(|function| function.name.as_str()).collect();
    uninitialised::mark_results(link::raw(&module), &user_functions, &may_fall_off);
    if faults.has(FaultKind::Uninitialised) {
        uninitialised::mark(link::raw(&module), &user_functions);
    }
    if faults.has(FaultKind::OutOfBounds) {
        crate::copies::announce(link::raw(&module), &user_functions);
    }
    let kept = model.own_functions().iter().map(|function| function.name.clone()).collect();
    link::clean_up(&module, &machine, &kept)?;
    pass::run(link::raw(&module), &user_functions, &mut sites, request.self_check);
    link::link_image(&context, &module, tarka_runtime::FAST_BC, "link the fast paths")?;
    link::verify(&module)?;
    let object = request.work_dir.join("unit.o");
    link::write_object(&module, &machine, &object)?;
    Ok(Program { object, sites, icfg, outside })
}

/// Adds to the plan what only the executable can tell: variables of other objects that can be inputs, and symbols of
/// shared libraries that a global's initial value needs. True if there was anything.
fn grow(
    plan: &mut Plan,
    model: &SourceModel,
    reaches: &[Reach],
    units: &[Unit<'_>],
    variables: &[Variable],
    image: &Image<'_>,
) -> bool {
    let mut grown = false;
    for &index in reaches.iter().flat_map(|reach| &reach.declared_variables) {
        let variable = &model.declared_variables[index as usize];
        if driver::can_be_input(model, variable) && !plan.has_variable(index) && image.defines(&variable.name)
        {
            plan.other_variables.push(index);
            grown = true;
        }
    }
    let is_root = |name: &str| {
        let mut roots = units.iter().flat_map(|unit| &unit.layout.roots);
        roots.any(|root| matches!(&root.role, Role::Global(global) if global == name))
    };
    for variable in variables.iter().filter(|variable| is_root(&variable.name)) {
        for symbol in image.loaded_symbols(variable.address, variable.size) {
            grown |= plan.fixed_symbols.insert(symbol);
        }
    }
    grown
}

pub(crate) fn with_initial_bytes(
    mut unit: UnitLayout,
    variables: &[Variable],
    image: &Image<'_>,
) -> UnitLayout {
    for root in &mut unit.roots {
        if let Role::Global(name) = &root.role
            && let Some(variable) = variables.iter().find(|variable| variable.name == *name)
        {
            root.initial = image.initial_bytes(variable.address, root.size);
        }
    }
    unit
}
