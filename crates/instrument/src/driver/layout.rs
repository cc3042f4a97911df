//! Where the input of a unit lies in the arena.
//!
//! Takes what a unit can reach and the stubs of the build; gives the roots: the parameters of each call, the globals,
//! then what stubs hand out, call by call. Never text.

use tarka_scenario::Role;
use tarka_source::{FunctionId, Global, SourceModel, TypeId};

use super::stub_values::StubFrame;
use crate::plan::Plan;
use crate::reach::Reach;
use crate::{InstrumentError, UnitRequest};

/// What the driver binds for one unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitLayout {
    /// The function under test.
    pub function: FunctionId,
    /// Its roots, at ascending arena offsets.
    pub roots: Vec<Root>,
    /// First arena offset free for pointees.
    pub pointees_start: u32,
}

/// A variable whose bytes are input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Root {
    /// Name in the source.
    pub name: String,
    /// Type (arrays of parameters decayed). For what a stub writes through a parameter: type of an element.
    pub ty: TypeId,
    /// Arena offset of its first byte.
    pub offset: u32,
    /// Size in bytes.
    pub size: u64,
    /// What it is: anything but a pointee.
    pub role: Role,
    /// For a global: the bytes it has in the executable. Empty for everything else.
    pub initial: Vec<u8>,
}

/// A unit with what the driver's text needs beside its layout.
#[derive(Clone, Debug)]
pub(crate) struct Unit<'a> {
    pub(crate) layout: UnitLayout,
    pub(crate) request: &'a UnitRequest,
    /// Arena offset of the stubs' values.
    pub(crate) stub_base: u32,
}

/// Roots and pointees are aligned as `malloc` would align them.
pub(super) const ALIGNMENT: u64 = 16;
/// Pointees start on a page of their own.
const PAGE: u64 = 4096;
/// Larger globals keep their value: an input of that size would be slow to make, and nobody could read the test.
const LARGEST_GLOBAL: u64 = 64 << 10;
/// At least half of the arena is for pointees.
const MOST_ROOT_BYTES: u64 = tarka_trace::ARENA_SIZE / 2;

/// Whether a variable's bytes can be given: it may change, is not too large, has one place in memory, and the unit's file can
/// name it.
pub(crate) fn can_be_input(model: &SourceModel, global: &Global) -> bool {
    global.is_named && can_be_given(model, global)
}

fn can_be_given(model: &SourceModel, global: &Global) -> bool {
    let size = model.types.get(global.ty).size;
    !global.is_fixed && !global.is_thread_local && (1..=LARGEST_GLOBAL).contains(&size)
}

/// Whether nobody defines a variable that the unit's file declares inside a function: a test defines it, and so can name it.
fn is_defined_by_tests(model: &SourceModel, plan: &Plan, variable: u32) -> bool {
    let mut own = model.own_functions().iter();
    plan.defined_variables.contains(&variable)
        && own.any(|function| function.uses.declared_variables.contains(&variable))
}

/// The roots of a unit while they are laid out.
#[derive(Default)]
struct Roots {
    roots: Vec<Root>,
    next: u64,
}

impl Roots {
    fn add(&mut self, name: &str, ty: TypeId, size: u64, role: Role) {
        self.add_at(self.next, name, ty, size, role);
        self.next = (self.next + size.max(1)).next_multiple_of(ALIGNMENT);
    }

    fn add_at(&mut self, offset: u64, name: &str, ty: TypeId, size: u64, role: Role) {
        let (name, initial) = (name.to_owned(), Vec::new());
        self.roots.push(Root { name, ty, offset: offset as u32, size, role, initial });
    }
}

/// Lays out the roots of a unit in the arena.
pub(crate) fn layout<'a>(
    model: &SourceModel,
    request: &'a UnitRequest,
    reach: &Reach,
    plan: &Plan,
    frame: &StubFrame,
    every_global: bool,
) -> Result<Unit<'a>, InstrumentError> {
    let function = model.function(request.function);
    let size_of = |ty: TypeId| model.types.get(ty).size;
    let mut roots = Roots::default();
    for call in 0..request.calls.max(1) {
        for (position, param) in function.params.iter().enumerate() {
            let role = Role::Argument { step: call, position: position as u32 };
            roots.add(&param.name, param.ty, size_of(param.ty), role);
        }
    }
    if every_global {
        let has_bytes =
            |global: &&Global| size_of(global.ty) > 0 && !global.is_thread_local && global.is_named;
        for global in model.globals.iter().filter(|global| !global.is_fixed).filter(has_bytes) {
            roots.add(&global.name, global.ty, size_of(global.ty), Role::Global(global.name.clone()));
        }
    } else {
        let own = reach.globals.iter().map(|index| &model.globals[*index as usize]);
        let declared = reach.declared_variables.iter().filter(|index| plan.has_variable(**index));
        let declared = declared.map(|index| {
            let variable = &model.declared_variables[*index as usize];
            (variable, variable.is_named || is_defined_by_tests(model, plan, *index))
        });
        for (global, is_named) in own.map(|global| (global, global.is_named)).chain(declared) {
            if is_named && can_be_given(model, global) {
                roots.add(&global.name, global.ty, size_of(global.ty), Role::Global(global.name.clone()));
            }
        }
    }
    let stub_base = roots.next;
    let stubs: Vec<usize> =
        (0..plan.stubs.len()).filter(|stub| reach.may_call(model, &plan.stubs[*stub])).collect();
    if !stubs.is_empty() {
        let stride = u64::from(frame.stride);
        for call in 0..request.stub_calls {
            for &stub in &stubs {
                for value in &frame.values[stub] {
                    let offset = stub_base + stride * u64::from(call) + u64::from(value.offset);
                    let role = Role::Stub { stub: stub as u32, call, part: value.part };
                    roots.add_at(offset, &plan.stubs[stub].name, value.ty, value.size, role);
                }
            }
        }
        roots.next += stride * u64::from(request.stub_calls);
    }
    if roots.next > MOST_ROOT_BYTES {
        return Err(InstrumentError::TooLarge { function: function.name.clone(), bytes: roots.next });
    }
    let pointees_start = roots.next.next_multiple_of(PAGE) as u32;
    let layout = UnitLayout { function: request.function, roots: roots.roots, pointees_start };
    Ok(Unit { layout, request, stub_base: stub_base as u32 })
}
