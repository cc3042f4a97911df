//! The objects of one input as named C variables: which are needed, what they are called, how large they must be,
//! and how each is declared and filled.
//!
//! Takes a function and an input; gives declarations in an order C accepts, and the arguments of each call.
//! Never: the observed results (see `observe`), files, processes.
//!
//! `naming` says what a variable is called, `sizes` how large it is, `declaring` writes its declaration,
//! `initialising` its value, `pointers` what a pointer points to, `unions` which member speaks, and `assigning` sets what
//! exists already: globals and allocated memory.

mod assigning;
mod declaring;
mod initialising;
mod naming;
mod pointers;
mod sizes;
mod unions;

use std::collections::BTreeSet;

use tarka_events::{NamedAddress, UnitResult};
use tarka_scenario::{Executed, Role, Step, Value};
use tarka_source::{Function, SourceModel, Stub, StubPart, TypeId, TypeKind};

use crate::names;
use crate::render::scalar;
use crate::render::tree::{Init, Statement, Value as Written};
use naming::Names;

pub use initialising::Lvalue;
pub use naming::{Named, ObjectForm, member};
pub use pointers::PointerTarget;

/// A value or type that has no text in C.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} cannot be written in C")]
pub struct Unspellable {
    /// What it is.
    pub what: String,
}

/// One object of the scenario: what is given and what was left of it, with its type as this file has it.
#[derive(Clone, Copy)]
pub struct SceneObject<'a> {
    /// What it is for.
    pub role: &'a Role,
    /// Type of one element.
    pub ty: TypeId,
    /// Number of elements.
    pub count: u64,
    /// Its address in the target.
    pub address: u64,
    /// Bytes given.
    pub before: &'a [u8],
    /// Bytes left.
    pub after: &'a [u8],
    /// How many leading bytes were touched, at most.
    pub touched: u64,
    /// It was freed, so a test must allocate it.
    pub freed: bool,
    /// For a global: the bytes it has by itself.
    pub initial: &'a [u8],
    /// A test must make it exactly that large.
    pub exact: bool,
}

/// All objects of one scenario, named and declared.
pub struct Scene<'a> {
    /// The translation unit.
    pub model: &'a SourceModel,
    /// The function under test.
    pub function: &'a Function,
    /// What is given, and what was seen.
    pub executed: &'a Executed,
    /// The objects, with their types of this file.
    pub objects: Vec<SceneObject<'a>>,
    /// Names of the objects that appear, by index.
    pub named: Vec<Option<Named>>,
    /// Declarations and statements that set everything up.
    pub setup: Vec<Statement>,
    /// The argument of each parameter, call by call.
    pub calls: Vec<Vec<String>>,
    /// The arguments of the last call.
    pub arguments: Vec<String>,
    /// The unit's stubs.
    pub stubs: &'a [Stub],
    addresses: &'a [NamedAddress],
    names: Names,
    /// Objects whose declaration stands in `setup`.
    declared: Vec<bool>,
    /// For each object the largest offset that a pointer points to.
    reached: Vec<u64>,
    /// What is set when everything is declared: pointers of cycles, members of unions that are zero elsewhere.
    late: Vec<Statement>,
    /// Pointers of the object in hand, if its initialiser must be constant.
    afterwards: Option<Vec<Statement>>,
}

impl<'a> Scene<'a> {
    /// Names and declares everything the calls need. Pointers may hold addresses of the input's objects and those the
    /// unit has names for.
    pub fn of_unit(
        model: &'a SourceModel,
        function: &'a Function,
        unit: &'a UnitResult,
        executed: &'a Executed,
    ) -> Result<Self, Unspellable> {
        let (stubs, addresses) = (&unit.stubs, &unit.named_addresses);
        let objects = resolve(model, executed)?;
        let count = objects.len();
        let mut scene = Scene {
            model,
            function,
            executed,
            objects,
            named: vec![None; count],
            setup: Vec::new(),
            calls: Vec::new(),
            arguments: Vec::new(),
            stubs,
            addresses,
            names: Names::of_unit(model, stubs),
            declared: vec![false; count],
            reached: vec![0; count],
            late: Vec::new(),
            afterwards: None,
        };
        scene.find_reached();
        scene.name_globals();
        for step in &executed.scenario.steps {
            let arguments = scene.arguments_of(step)?;
            scene.calls.push(arguments);
        }
        scene.arguments = scene.calls.last().cloned().unwrap_or_default();
        scene.set_globals()?;
        scene.set_late();
        Ok(scene)
    }

    fn arguments_of(&mut self, step: &Step) -> Result<Vec<String>, Unspellable> {
        let Step::Call { arguments, .. } = step;
        let positions = self.function.params.iter().enumerate();
        positions.map(|(position, param)| self.argument(arguments.get(position), &param.name)).collect()
    }

    fn argument(&mut self, value: Option<&Value>, name: &str) -> Result<String, Unspellable> {
        let Some(&Value::Object(index)) = value else {
            return Err(Unspellable {
                what: format!("parameter `{name}`, for which the run kept no value,"),
            });
        };
        let index = index as usize;
        let object = self.objects[index];
        match &self.model.types.get(object.ty).kind {
            TypeKind::Record { .. } | TypeKind::Array { .. } => {
                self.declare_object(index, name)?;
                Ok(self.named[index].as_ref().map(|named| named.name.clone()).unwrap_or_default())
            }
            _ => {
                let init = self.init(object.ty, object.before, &Lvalue::new("", name))?;
                Ok(init.on_one_line(&scalar::zero(&self.model.types, object.ty)))
            }
        }
    }

    /// The value of any root object, for a table of values; what it points to is declared first, in [`Scene::setup`].
    /// [`Init::Zero`] need not be written.
    fn value(&mut self, index: usize) -> Result<Init, Unspellable> {
        let object = self.objects[index];
        let spot = Lvalue::new("", &self.hint(object));
        let init = if object.before.len() as u64 > self.element_size(object) {
            self.array_init(object.ty, object.before, &spot)?
        } else {
            self.init(object.ty, object.before, &spot)?
        };
        self.set_late();
        Ok(init)
    }

    /// [`Scene::value`] with what its zeros are written as.
    pub fn written_value(&mut self, index: usize) -> Result<Written, Unspellable> {
        let object = self.objects[index];
        let is_array = object.before.len() as u64 > self.element_size(object);
        let zero = if is_array { "{0}".into() } else { scalar::zero(&self.model.types, object.ty) };
        Ok(Written::plain(self.value(index)?, zero))
    }

    /// What pointees of a root are called after.
    fn hint(&self, object: SceneObject) -> String {
        match object.role {
            Role::Argument { position, .. } => {
                self.function.params.get(*position as usize).map(|param| param.name.clone())
            }
            Role::Global(name) => Some(name.clone()),
            Role::Stub { stub, part, .. } => self.stubs.get(*stub as usize).map(|stub| match part {
                StubPart::Out(position) => {
                    stub.params.get(*position as usize).map_or(stub.name.clone(), |param| param.name.clone())
                }
                StubPart::Result | StubPart::Errno => stub.name.clone(),
            }),
            Role::Pointee { .. } => None,
        }
        .unwrap_or_else(|| "object".to_string())
    }

    fn set_late(&mut self) {
        let late = std::mem::take(&mut self.late);
        self.setup.extend(late);
    }

    /// Every name that emitted variables must not take: the unit's own and those of the test itself.
    fn reserved(model: &SourceModel, stubs: &[Stub]) -> BTreeSet<String> {
        let mut taken: BTreeSet<String> = [names::free_beside("result", model)].into();
        taken.extend(model.functions.iter().map(|function| function.name.clone()));
        taken.extend(model.declared_functions.iter().map(|function| function.name.clone()));
        taken.extend(model.globals.iter().map(|global| global.name.clone()));
        taken.extend(model.declared_variables.iter().map(|global| global.name.clone()));
        taken.extend(stubs.iter().map(|stub| stub.name.clone()));
        for ty in &model.types.types {
            if let TypeKind::Enum { enumerators, .. } = &ty.kind {
                taken.extend(enumerators.iter().map(|(name, _)| name.clone()));
            }
        }
        taken
    }
}

/// The objects of a scenario with the types that this file has under their keys.
fn resolve<'a>(model: &SourceModel, executed: &'a Executed) -> Result<Vec<SceneObject<'a>>, Unspellable> {
    let objects = executed.scenario.objects.iter().zip(&executed.observation.objects);
    let resolved = objects.map(|(given, left)| {
        let ty = model.types.by_key(&given.ty);
        Ok(SceneObject {
            role: &given.role,
            ty: ty.ok_or_else(|| Unspellable {
                what: format!("`{}`, which this file does not have,", given.ty),
            })?,
            count: given.count,
            address: given.address,
            before: &given.bytes,
            after: &left.bytes,
            touched: left.touched,
            freed: left.freed,
            initial: &given.initial,
            exact: given.exact,
        })
    });
    resolved.collect()
}

/// `len` bytes at `start`, fewer at the end.
pub fn window(bytes: &[u8], start: u64, len: u64) -> &[u8] {
    let start = (start as usize).min(bytes.len());
    let end = start.saturating_add(len as usize).min(bytes.len());
    &bytes[start..end]
}
