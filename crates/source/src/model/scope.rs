//! Whose goals the goals of a unit are: its own, or also those of the functions that it reaches.
//!
//! Takes a source model, a unit and a scope; gives functions. Reached is what the code mentions, called or not, also through the
//! initialisers of its variables, and what a call through a pointer may lead to by its type. Never: whether a way there exists.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{FunctionId, SourceModel, TypeId, TypeKind};

/// Whose goals are asked for when a unit is tested.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum GoalScope {
    /// The unit's own. A unit without a branch of its own: as [`GoalScope::File`].
    #[default]
    Unit,
    /// Also those of every function of the unit's file that it reaches.
    File,
    /// Those of every function of the model that it reaches, headers and other files included.
    Program,
}

impl GoalScope {
    /// Every scope, the smallest first.
    pub const ALL: [GoalScope; 3] = [GoalScope::Unit, GoalScope::File, GoalScope::Program];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            GoalScope::Unit => "unit",
            GoalScope::File => "file",
            GoalScope::Program => "program",
        }
    }

    /// The scope with this name.
    pub fn by_name(name: &str) -> Option<GoalScope> {
        GoalScope::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

impl SourceModel {
    /// The functions whose goals are asked for when a unit is tested: the unit first, then the others in source order.
    pub fn goal_functions(&self, unit: FunctionId, scope: GoalScope) -> Vec<FunctionId> {
        let is_own = scope == GoalScope::Unit && !self.function(unit).sites.is_empty();
        let mut others = if is_own { Vec::new() } else { self.reached_functions(unit) };
        others.retain(|&other| other != unit && (scope == GoalScope::Program || self.same_file(unit, other)));
        others.sort_unstable();
        std::iter::once(unit).chain(others).collect()
    }

    /// What a function may come to run: what [`SourceModel::reachable_functions`] gives, and functions whose address is taken
    /// somewhere, where a call through a pointer of their type is reached or a function of the library is given one.
    fn reached_functions(&self, unit: FunctionId) -> Vec<FunctionId> {
        let mut found = self.reachable_functions(unit);
        let mut known: BTreeSet<FunctionId> = found.iter().copied().collect();
        let mut called: Vec<TypeId> = Vec::new();
        let mut next = 0;
        while let Some(&function) = found.get(next) {
            next += 1;
            for ty in self.called_through_pointers(function) {
                if called.iter().any(|&other| self.types.same_type(other, ty)) {
                    continue;
                }
                called.push(ty);
                let targets = (0..self.functions.len() as u32).map(FunctionId).filter(|&id| {
                    let target = self.function(id);
                    target.address_taken && self.types.same_type(target.ty, ty)
                });
                let reached = targets.flat_map(|target| self.reachable_functions(target));
                found.extend(reached.filter(|&id| known.insert(id)));
            }
        }
        found
    }

    /// The types of the functions that a body calls through pointers, or has the library call.
    fn called_through_pointers(&self, function: FunctionId) -> Vec<TypeId> {
        let uses = &self.function(function).uses;
        let declared = uses.declared_functions.iter().map(|&index| &self.declared_functions[index as usize]);
        let given = declared.flat_map(|declared| &declared.params).filter_map(|param| {
            let pointee = self.types.pointee(param.ty)?;
            matches!(self.types.get(pointee).kind, TypeKind::Function { .. }).then_some(pointee)
        });
        uses.called_types.iter().copied().chain(given).collect()
    }

    /// Whether the file that defines one function defines the other as well.
    fn same_file(&self, one: FunctionId, other: FunctionId) -> bool {
        self.function(one).place.file == self.function(other).place.file
    }
}
