//! What a unit can reach: functions, globals, functions without a body, and the types of function pointers in its input.
//!
//! Takes the model, a function and the stubs that stand for undefined functions; gives sets. A call through a pointer
//! may reach every function of its type whose address is taken, so types are followed as well as calls.
//! Never asks how a call is made: what is mentioned counts as reached.

use std::collections::BTreeSet;

use tarka_source::{FunctionId, SourceModel, Stub, StubKind, TypeId, TypeKind};

/// Everything that can matter to one unit.
#[derive(Clone, Default, Debug)]
pub(crate) struct Reach {
    functions: Vec<FunctionId>,
    /// Indices into [`SourceModel::globals`], ascending.
    pub(crate) globals: BTreeSet<u32>,
    /// Indices into [`SourceModel::declared_variables`], ascending.
    pub(crate) declared_variables: BTreeSet<u32>,
    declared_functions: BTreeSet<u32>,
    /// Each function type that a pointer within reach may have.
    pub(crate) pointers: Vec<FunctionPointer>,
}

/// A function type behind a pointer.
#[derive(Clone, Debug)]
pub(crate) struct FunctionPointer {
    /// The function type.
    pub(crate) ty: TypeId,
    /// What the pointer is called.
    pub(crate) name: String,
    /// The pointer is part of the input, rather than of a constant.
    pub(crate) in_input: bool,
}

impl Reach {
    /// Follows everything from a function on.
    pub(crate) fn of(model: &SourceModel, unit: FunctionId, stubs: &[Stub]) -> Reach {
        let mut walk = Walk { model, stubs, seen: BTreeSet::new(), reach: Reach::default() };
        walk.function(unit);
        for param in &model.function(unit).params {
            walk.ty(param.ty, &param.name, true);
            walk.cast(param.cast_to, &param.name);
        }
        walk.close();
        walk.reach
    }

    /// Whether something with this name that has no definition of its own is within reach.
    pub(crate) fn mentions(&self, model: &SourceModel, name: &str) -> bool {
        let functions = self.functions.iter().map(|&id| &model.function(id).name);
        let declared =
            self.declared_functions.iter().map(|&index| &model.declared_functions[index as usize].name);
        let variables =
            self.declared_variables.iter().map(|&index| &model.declared_variables[index as usize].name);
        functions.chain(declared).chain(variables).any(|known| known == name)
    }

    /// Whether the unit can come to call this stub.
    pub(crate) fn may_call(&self, model: &SourceModel, stub: &Stub) -> bool {
        match stub.kind {
            StubKind::Pointer => {
                let same = |pointer: &&FunctionPointer| model.types.same_type(pointer.ty, stub.ty);
                self.pointers.iter().find(same).is_some_and(|pointer| pointer.in_input)
            }
            StubKind::Undefined | StubKind::Library(_) => {
                let name_of = |index: &u32| &model.declared_functions[*index as usize].name;
                self.declared_functions.iter().any(|index| *name_of(index) == stub.name)
            }
        }
    }
}

/// The way through the model.
struct Walk<'a> {
    model: &'a SourceModel,
    stubs: &'a [Stub],
    /// Types looked at, as part of the input or not.
    seen: BTreeSet<(TypeId, bool)>,
    reach: Reach,
}

impl Walk<'_> {
    fn function(&mut self, id: FunctionId) {
        if !self.reach.functions.contains(&id) {
            self.reach.functions.push(id);
        }
    }

    /// Follows functions, and the pointers they bring within reach, until there is nothing new.
    fn close(&mut self) {
        let (mut functions, mut pointers) = (0, 0);
        loop {
            if let Some(id) = self.reach.functions.get(functions).copied() {
                functions += 1;
                self.body(id);
            } else if let Some(pointer) = self.reach.pointers.get(pointers).cloned() {
                pointers += 1;
                self.targets(pointer.ty);
            } else {
                break;
            }
        }
    }

    fn body(&mut self, id: FunctionId) {
        let model = self.model;
        let uses = &model.function(id).uses;
        for callee in &uses.functions {
            self.function(*callee);
        }
        for &index in &uses.globals {
            let global = &model.globals[index as usize];
            self.reach.globals.insert(index);
            self.ty(global.ty, &global.name, !global.is_fixed && global.is_named);
        }
        for &index in &uses.declared_variables {
            let variable = &model.declared_variables[index as usize];
            self.reach.declared_variables.insert(index);
            self.ty(variable.ty, &variable.name, !variable.is_const);
        }
        for &index in &uses.declared_functions {
            self.reach.declared_functions.insert(index);
            let name = &model.declared_functions[index as usize].name;
            let stubs = self.stubs;
            for stub in stubs.iter().filter(|stub| stub.kind != StubKind::Pointer && stub.name == *name) {
                self.answers(stub.result, stub.outs.iter().map(|out| out.ty), name);
            }
        }
    }

    fn answers(&mut self, result: TypeId, outs: impl Iterator<Item = TypeId>, name: &str) {
        self.ty(result, name, true);
        for out in outs {
            self.ty(out, name, true);
        }
    }

    /// The functions that a pointer to this function type may name.
    fn targets(&mut self, ty: TypeId) {
        let model = self.model;
        for (index, function) in model.functions.iter().enumerate() {
            if function.address_taken && model.types.same_type(function.ty, ty) {
                self.function(FunctionId(index as u32));
            }
        }
    }

    fn cast(&mut self, to: Option<TypeId>, name: &str) {
        if let Some(to) = to {
            self.ty(to, name, true);
        }
    }

    /// Looks for pointers to functions in everything that a value of the type leads to.
    fn ty(&mut self, id: TypeId, name: &str, in_input: bool) {
        if !self.seen.insert((id, in_input)) {
            return;
        }
        let model = self.model;
        match &model.types.get(id).kind {
            TypeKind::Pointer { to, .. } => self.ty(*to, name, in_input),
            TypeKind::Array { of, .. } => self.ty(*of, name, in_input),
            TypeKind::Record { fields, .. } => {
                for field in fields {
                    let name = if field.name.is_empty() { name } else { &field.name };
                    self.ty(field.ty, name, in_input);
                    self.cast(field.cast_to.filter(|_| in_input), name);
                }
            }
            TypeKind::Function { result, params, .. } => {
                self.pointer(id, name, in_input);
                if in_input {
                    // What a stub behind the pointer answers is input as well.
                    let outs = params.iter().filter_map(|param| match model.types.get(*param).kind {
                        TypeKind::Pointer { to, to_const: false } => Some(to),
                        _ => None,
                    });
                    self.answers(*result, outs, name);
                }
            }
            _ => {}
        }
    }

    fn pointer(&mut self, ty: TypeId, name: &str, in_input: bool) {
        let types = &self.model.types;
        match self.reach.pointers.iter_mut().find(|known| types.same_type(known.ty, ty)) {
            Some(known) => known.in_input |= in_input,
            None => self.reach.pointers.push(FunctionPointer { ty, name: name.to_owned(), in_input }),
        }
    }
}
