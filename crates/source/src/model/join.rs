//! Several models as one: every number of a later file moves behind those of the files before it, and what a file only
//! declares is what another one defines.
//!
//! Takes the models of a program's files; gives the model of the program. Names are told apart where two things have the same one.
//! Never: which files belong together.

use std::collections::{BTreeMap, BTreeSet};

use super::program::{Exports, FirstIds, MAIN, OtherFile, Strength, apart};
use super::unify::Unifier;
use crate::{
    Container, DeclaredFunction, Function, FunctionId, Global, HandedFresh, LedInto, Param, SiteId,
    SourceModel, TypeId, TypeKind, Uses,
};

/// What a name at file scope stands for in the program.
#[derive(Clone, Copy)]
enum Meaning {
    Function(u32),
    Global(u32),
}

/// Makes one model of several.
pub(super) struct Joiner<'a> {
    models: &'a [SourceModel],
    /// The files of the program, the one it is seen from first.
    members: &'a [usize],
    exports: &'a [Exports],
    /// The file that defines each name for all, by its position among the members.
    winners: BTreeMap<&'a str, usize>,
    first: Vec<FirstIds>,
    /// The names that are given away.
    taken: BTreeSet<String>,
    /// What the definitions that others see are called in the program.
    shared_names: BTreeMap<&'a str, String>,
    joined: SourceModel,
}

/// What a file's own numbers are in the program.
struct Moved<'a> {
    first: FirstIds,
    types: &'a [TypeId],
    globals: Vec<u32>,
    functions: Vec<FunctionId>,
    /// What its declared functions and variables are: defined, or declared in the program.
    declared_functions: Vec<Result<FunctionId, u32>>,
    declared_variables: Vec<Result<u32, u32>>,
}

impl<'a> Joiner<'a> {
    pub(super) fn new(models: &'a [SourceModel], exports: &'a [Exports], members: &'a [usize]) -> Joiner<'a> {
        let mut first = Vec::new();
        let mut next = FirstIds::default();
        for model in members.iter().map(|&member| &models[member]) {
            first.push(next);
            next.functions += model.functions.len() as u32;
            next.globals += model.globals.len() as u32;
            next.sites += model.sites.len() as u32;
            next.decisions += model.decisions.len() as u32;
            next.statements += model.statement_count();
        }
        let mut winners: BTreeMap<&str, (Strength, usize)> = BTreeMap::new();
        for (position, &member) in members.iter().enumerate() {
            let exports = &exports[member];
            let all = exports.functions.iter().chain(&exports.globals);
            for (name, (strength, _)) in all {
                let known = winners.entry(name).or_insert((*strength, position));
                *known = (*known).min((*strength, position));
            }
        }
        let winners = winners.into_iter().map(|(name, (_, position))| (name, position)).collect();
        let mut joined = models[members[0]].clone();
        joined.others.clear();
        let taken = BTreeSet::new();
        let shared_names = BTreeMap::new();
        Joiner { models, members, exports, winners, first, taken, shared_names, joined }
    }

    pub(super) fn join(mut self) -> SourceModel {
        self.give_names();
        let mut unifier = Unifier::new(std::mem::take(&mut self.joined.types));
        let types: Vec<Vec<TypeId>> =
            (self.members[1..].iter()).map(|&member| unifier.add(&self.models[member].types)).collect();
        let own: Vec<TypeId> = (0..unifier.own_count()).map(TypeId).collect();
        let void_pointer = unifier.void_pointer();
        let named = unifier.named();
        self.joined.types = unifier.finish();
        let types: Vec<&[TypeId]> =
            std::iter::once(own.as_slice()).chain(types.iter().map(Vec::as_slice)).collect();
        self.declare(&types, void_pointer, &named);
        for (position, types) in types.iter().enumerate() {
            self.add_file(position, types);
        }
        self.name_for_own_file(&types, &named);
        self.joined
    }

    fn model(&self, position: usize) -> &'a SourceModel {
        &self.models[self.members[position]]
    }

    fn is_winner(&self, position: usize, name: &str) -> bool {
        self.winners.get(name) == Some(&position)
    }

    /// What a name that others see stands for.
    fn meaning(&self, name: &str) -> Option<Meaning> {
        let &position = self.winners.get(name)?;
        let exports = &self.exports[self.members[position]];
        let first = self.first[position];
        let function = exports.functions.get(name).map(|(_, id)| Meaning::Function(first.functions + id));
        function.or_else(|| Some(Meaning::Global(first.globals + exports.globals.get(name)?.1)))
    }

    /// The file's own names stay, as do those that nobody defines; of the others each is given once.
    fn give_names(&mut self) {
        let own = self.model(0);
        // What another file's definition replaces has lost its name.
        let is_own = |name: &str| self.winners.get(name).is_none_or(|winner| *winner == 0);
        let functions = own.functions.iter().map(|function| (&function.name, function.is_static));
        let globals = own.globals.iter().map(|global| (&global.name, global.is_static));
        let kept = functions.chain(globals).filter(|(name, is_static)| *is_static || is_own(name));
        self.taken.extend(kept.map(|(name, _)| name.clone()));
        let own_names: BTreeSet<String> = self.taken.clone();
        for position in 0..self.members.len() {
            let model = self.model(position);
            let functions = model.declared_functions.iter().map(|function| &function.name);
            let variables = model.declared_variables.iter().map(|variable| &variable.name);
            self.taken.extend(functions.chain(variables).cloned());
        }
        let shared: Vec<(&'a str, usize)> = self.winners.iter().map(|(name, at)| (*name, *at)).collect();
        for (name, position) in shared {
            let is_free = position == 0 || !own_names.contains(name) && name != MAIN;
            let given = match is_free {
                true => name.to_owned(),
                false => self.apart(position, name),
            };
            self.taken.insert(given.clone());
            self.shared_names.insert(name, given);
        }
    }

    /// A name that nothing else has.
    fn apart(&self, position: usize, name: &str) -> String {
        let file = &self.model(position).file;
        let short = apart(file, name);
        let long = format!("{}:{name}", file.display());
        let numbered = (2..).map(|number| format!("{long}:{number}"));
        let mut names = [short, long.clone()].into_iter().chain(numbered);
        names.find(|name| !self.taken.contains(name)).unwrap_or(long)
    }

    /// What a definition of a file is called in the program.
    fn name_of(&mut self, position: usize, name: &str, is_shared: bool) -> String {
        if is_shared && self.is_winner(position, name) {
            return self.shared_names[name].clone();
        }
        let is_replaced = is_shared && self.winners.contains_key(name);
        let given = match position == 0 && !is_replaced || !self.taken.contains(name) {
            true => name.to_owned(),
            false => self.apart(position, name),
        };
        self.taken.insert(given.clone());
        given
    }

    /// The functions and variables that nobody defines, each once.
    fn declare(&mut self, types: &[&[TypeId]], void_pointer: TypeId, named: &[bool]) {
        let (mut functions, mut variables): (Vec<DeclaredFunction>, Vec<Global>) = Default::default();
        for (position, types) in types.iter().enumerate() {
            let model = self.model(position);
            for declared in &model.declared_functions {
                let is_known = self.winners.contains_key(declared.name.as_str());
                match functions.iter_mut().find(|known| known.name == declared.name) {
                    Some(known) => known.address_taken |= declared.address_taken,
                    None if is_known => {}
                    None => functions.push(moved_declaration(declared, types)),
                }
            }
            for declared in &model.declared_variables {
                let is_known = self.winners.contains_key(declared.name.as_str());
                if !is_known && variables.iter().all(|known| known.name != declared.name) {
                    let is_named = position == 0 && declared.is_named;
                    let ty = types[declared.ty.0 as usize];
                    variables.push(Global { ty, is_named, ..declared.clone() });
                }
            }
        }
        // Whoever stands for a function writes its parameters in the unit's file.
        for param in functions.iter_mut().flat_map(|function| &mut function.params) {
            let is_pointer = matches!(self.joined.types.get(param.ty).kind, TypeKind::Pointer { .. });
            if is_pointer && !named[param.ty.0 as usize] {
                *param = Param { name: param.name.clone(), ty: void_pointer, ..Param::default() };
            }
        }
        self.joined.declared_functions = functions;
        self.joined.declared_variables = variables;
    }

    fn add_file(&mut self, position: usize, types: &[TypeId]) {
        let model = self.model(position);
        let moved = self.moved(position, types);
        let mut renamed = self.renamed_references(position);
        let (mut functions, mut globals) = (Vec::new(), Vec::new());
        for function in &model.functions {
            let is_shared = !function.is_static;
            let name = self.name_of(position, &function.name, is_shared);
            let is_replaced = is_shared && !self.is_winner(position, &function.name);
            // Every file may have a `main`; of the others the linker takes one.
            if name != function.name && (!is_replaced || function.name == MAIN) {
                renamed.push((function.name.clone(), name.clone()));
            }
            let is_named = position == 0 && !is_replaced;
            functions.push(Function { name, is_named, ..moved.function(function) });
        }
        for global in &model.globals {
            let name = self.name_of(position, &global.name, !global.is_static);
            let is_replaced = !global.is_static && !self.is_winner(position, &global.name);
            if name != global.name && !is_replaced {
                renamed.push((global.name.clone(), name.clone()));
            }
            let is_named = position == 0 && !is_replaced;
            globals.push(Global { name, is_named, ty: moved.ty(global.ty), ..global.clone() });
        }
        let handed = model.handed_fresh.iter();
        let handed = handed.map(|handed| HandedFresh { ty: moved.ty(handed.ty), ..handed.clone() });
        let led = model.led_into.iter().map(|led| LedInto { ty: moved.ty(led.ty), ..led.clone() });
        if position == 0 {
            self.joined.functions = functions;
            self.joined.globals = globals;
            return;
        }
        self.joined.functions.extend(functions);
        self.joined.globals.extend(globals);
        self.joined.handed_fresh.extend(handed);
        self.joined.led_into.extend(led);
        self.joined.mentions_errno |= model.mentions_errno;
        let Moved { first, .. } = moved;
        self.joined.sites.extend(model.sites.iter().map(|site| {
            let function = FunctionId(first.functions + site.function.0);
            crate::Site { id: moved.site(site.id), function, ..site.clone() }
        }));
        self.joined.decisions.extend(model.decisions.iter().map(|decision| crate::Decision {
            id: crate::DecisionId(first.decisions + decision.id.0),
            function: FunctionId(first.functions + decision.function.0),
            conditions: decision.conditions.iter().map(|site| moved.site(*site)).collect(),
            ..decision.clone()
        }));
        let has_main = self.exports[self.members[position]].functions.contains_key(MAIN);
        self.joined.others.push(OtherFile {
            file: model.file.clone(),
            flags: model.flags.clone(),
            probed_text: model.probed_text.clone(),
            first,
            renamed,
            has_main,
        });
    }

    /// What a file mentions under a name that the program has for something else.
    fn renamed_references(&self, position: usize) -> Vec<(String, String)> {
        let model = self.model(position);
        let functions = model.declared_functions.iter().map(|function| &function.name);
        let variables = model.declared_variables.iter().map(|variable| &variable.name);
        let given = functions.chain(variables).filter_map(|name| {
            let given = self.shared_names.get(name.as_str())?;
            (given != name).then(|| (name.clone(), given.clone()))
        });
        given.collect()
    }

    fn moved<'t>(&self, position: usize, types: &'t [TypeId]) -> Moved<'t> {
        let (model, first) = (self.model(position), self.first[position]);
        let shared = |name: &str, is_shared: bool| {
            if is_shared { self.meaning(name) } else { None }
        };
        let functions = (0..).zip(&model.functions).map(|(id, function): (u32, &Function)| {
            match shared(&function.name, !function.is_static) {
                Some(Meaning::Function(id)) => FunctionId(id),
                _ => FunctionId(first.functions + id),
            }
        });
        let globals = (0..).zip(&model.globals).map(|(id, global): (u32, &Global)| {
            match shared(&global.name, !global.is_static) {
                Some(Meaning::Global(id)) => id,
                _ => first.globals + id,
            }
        });
        let declared = |name: &String| {
            let mut functions = self.joined.declared_functions.iter();
            functions.position(|known| known.name == *name).unwrap_or(0) as u32
        };
        let declared_functions =
            model.declared_functions.iter().map(|function| match self.meaning(&function.name) {
                Some(Meaning::Function(id)) => Ok(FunctionId(id)),
                _ => Err(declared(&function.name)),
            });
        let declared = |name: &String| {
            let mut variables = self.joined.declared_variables.iter();
            variables.position(|known| known.name == *name).unwrap_or(0) as u32
        };
        let declared_variables =
            model.declared_variables.iter().map(|variable| match self.meaning(&variable.name) {
                Some(Meaning::Global(id)) => Ok(id),
                _ => Err(declared(&variable.name)),
            });
        Moved {
            first,
            types,
            globals: globals.collect(),
            functions: functions.collect(),
            declared_functions: declared_functions.collect(),
            declared_variables: declared_variables.collect(),
        }
    }

    /// Marks what the unit's own file can name of the others, and tells of which functions some file takes the address.
    fn name_for_own_file(&mut self, types: &[&[TypeId]], named: &[bool]) {
        for position in 0..self.members.len() {
            let model = self.model(position);
            for declared in &model.declared_functions {
                let Some(Meaning::Function(id)) = self.meaning(&declared.name) else { continue };
                let function = &mut self.joined.functions[id as usize];
                function.address_taken |= declared.address_taken;
                function.is_named |= position == 0 && declared.at_file_scope;
            }
        }
        for declared in self.model(0).declared_variables.iter().filter(|declared| declared.is_named) {
            let Some(Meaning::Global(id)) = self.meaning(&declared.name) else { continue };
            let types_of_own = types[0][declared.ty.0 as usize];
            let is_complete = self.joined.types.get(types_of_own).size > 0;
            let global = &mut self.joined.globals[id as usize];
            if is_complete {
                global.ty = types_of_own;
            }
            global.is_named = named[global.ty.0 as usize];
        }
    }
}

fn moved_declaration(declared: &DeclaredFunction, types: &[TypeId]) -> DeclaredFunction {
    DeclaredFunction {
        ty: types[declared.ty.0 as usize],
        params: declared.params.iter().map(|param| moved_param(param, types)).collect(),
        result: types[declared.result.0 as usize],
        ..declared.clone()
    }
}

fn moved_param(param: &Param, types: &[TypeId]) -> Param {
    let container = |container: Container| Container { ty: types[container.ty.0 as usize], ..container };
    Param {
        ty: types[param.ty.0 as usize],
        cast_to: param.cast_to.map(|to| types[to.0 as usize]),
        container: param.container.map(container),
        ..param.clone()
    }
}

impl Moved<'_> {
    fn ty(&self, id: TypeId) -> TypeId {
        self.types[id.0 as usize]
    }

    fn site(&self, id: SiteId) -> SiteId {
        SiteId(self.first.sites + id.0)
    }

    fn function(&self, function: &Function) -> Function {
        Function {
            params: function.params.iter().map(|param| moved_param(param, self.types)).collect(),
            result: self.ty(function.result),
            sites: function.sites.iter().map(|site| self.site(*site)).collect(),
            first_statement: self.first.statements + function.first_statement,
            ty: self.ty(function.ty),
            uses: self.uses(&function.uses),
            ..function.clone()
        }
    }

    fn uses(&self, uses: &Uses) -> Uses {
        let mut moved = Uses {
            static_locals: uses
                .static_locals
                .iter()
                .map(|local| Global { ty: self.ty(local.ty), ..local.clone() })
                .collect(),
            entry_asserts: uses.entry_asserts.clone(),
            stable_sites: uses.stable_sites.iter().map(|site| self.site(*site)).collect(),
            called_types: uses.called_types.iter().map(|ty| self.ty(*ty)).collect(),
            ..Uses::default()
        };
        for asserted in &mut moved.entry_asserts {
            asserted.sites.iter_mut().for_each(|site| *site = self.site(*site));
        }
        let globals = uses.globals.iter().map(|&index| Ok(self.globals[index as usize]));
        let variables = uses.declared_variables.iter().map(|&index| self.declared_variables[index as usize]);
        for variable in globals.chain(variables) {
            match variable {
                Ok(global) => push_once(&mut moved.globals, global),
                Err(declared) => push_once(&mut moved.declared_variables, declared),
            }
        }
        let functions = uses.functions.iter().map(|id| Ok(self.functions[id.0 as usize]));
        let declared = uses.declared_functions.iter().map(|&index| self.declared_functions[index as usize]);
        for function in functions.chain(declared) {
            match function {
                Ok(function) => push_once(&mut moved.functions, function),
                Err(declared) => push_once(&mut moved.declared_functions, declared),
            }
        }
        moved
    }
}

fn push_once<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
