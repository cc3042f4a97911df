//! What each function mentions: globals, functions, static variables of its own, and the asserts at its entry.
//!
//! Takes bodies and the file's declarations; gives [`Uses`] per function and the lists of what is mentioned but not
//! defined. A global brings what its initialiser mentions, because a table of handlers is called through.
//! Never follows calls: that is [`crate::SourceModel::reachable_functions`].

use std::collections::HashMap;

use crate::clang::{ClangType, Cursor, node, storage, ty};
use crate::facts::attributes::{self, FileScope};
use crate::facts::stable;
use crate::layout::TypeBuilder;
use crate::syntax::body::Body;
use crate::syntax::tree::{NodeId, Tree};
use crate::syntax::view::View;
use crate::{DeclaredFunction, EntryAssert, FunctionId, Global, Place, SiteId, Uses};

/// What the whole file mentions.
#[derive(Default)]
pub struct Mentioned {
    /// By [`FunctionId`].
    pub uses: Vec<Uses>,
    /// Functions used as values.
    pub address_taken: Vec<FunctionId>,
    /// Functions without a body here.
    pub declared_functions: Vec<DeclaredFunction>,
    /// Variables not defined here.
    pub declared_variables: Vec<Global>,
    /// `errno` is mentioned.
    pub errno: bool,
}

/// What is known before the bodies are looked at.
pub struct Known<'a, 'tu> {
    /// The preprocessed text.
    pub text: &'a str,
    /// Declarations at file scope of the preprocessed text.
    pub top: &'a [Cursor<'tu>],
    /// The same by name.
    pub scope: &'a FileScope<'tu>,
    /// The same of the original, for places.
    pub original_scope: &'a FileScope<'tu>,
    /// Bodies in order of [`FunctionId`].
    pub bodies: &'a [Body<'tu>],
    /// Globals defined here.
    pub globals: &'a [Global],
}

/// Looks through every body and every initialiser.
pub fn find(known: &Known, types: &mut TypeBuilder) -> Mentioned {
    let name_of = |body: &Body| (body.cursor.name(), body.id);
    let mut finder = Finder {
        known,
        types,
        functions: known.bodies.iter().map(name_of).collect(),
        globals: known.globals.iter().enumerate().map(|(n, g)| (g.name.clone(), n as u32)).collect(),
        declared: HashMap::new(),
        declared_variables: HashMap::new(),
        found: Mentioned::default(),
    };
    let initialisers = finder.initialisers();
    for body in known.bodies {
        let mut uses = finder.mentions(&body.tree);
        uses.static_locals = finder.static_locals(body);
        uses.entry_asserts = entry_asserts(body, known.text);
        uses.stable_sites = stable::find(body);
        add_initialisers(&mut uses, &initialisers);
        finder.found.uses.push(uses);
    }
    finder.found
}

struct Finder<'a, 'tu> {
    known: &'a Known<'a, 'tu>,
    types: &'a mut TypeBuilder,
    functions: HashMap<String, FunctionId>,
    globals: HashMap<String, u32>,
    declared: HashMap<String, u32>,
    declared_variables: HashMap<String, u32>,
    found: Mentioned,
}

impl<'tu> Finder<'_, 'tu> {
    /// What the initialiser of each global mentions.
    fn initialisers(&mut self) -> HashMap<u32, Uses> {
        let known = self.known;
        let mut all = HashMap::new();
        for variable in known.top.iter().filter(|cursor| cursor.kind() == node::VARIABLE) {
            let Some(&global) = self.globals.get(&variable.name()) else { continue };
            if !may_hold_addresses(variable.ty()) {
                continue;
            }
            if let Some(initialiser) = variable.initialiser() {
                all.insert(global, self.mentions(&Tree::of(initialiser)));
            }
        }
        all
    }

    fn mentions(&mut self, tree: &Tree<'tu>) -> Uses {
        let mut uses = Uses::default();
        for id in tree.evaluated(0).into_iter().filter(|&id| tree.kind(id) == node::NAME) {
            let Some(target) = tree.cursor(id).referenced() else { continue };
            match target.kind() {
                node::FUNCTION => self.mentions_function(target, !tree.is_called(id), &mut uses),
                node::VARIABLE if target.is_file_scope() => self.mentions_variable(target, &mut uses),
                _ => {}
            }
        }
        uses
    }

    fn mentions_function(&mut self, target: Cursor<'tu>, as_value: bool, uses: &mut Uses) {
        let name = target.name();
        if let Some(&id) = self.functions.get(&name) {
            if as_value {
                push_once(&mut self.found.address_taken, id);
            }
            return push_once(&mut uses.functions, id);
        }
        self.found.errno |= name == "__errno_location";
        // Builtins are operators with a call's syntax; a body in a system header needs nobody's help.
        if is_compiler_builtin(&name) || target.definition().is_some() {
            return;
        }
        let index = match self.declared.get(&name) {
            Some(&index) => index,
            None => {
                let index = self.found.declared_functions.len() as u32;
                let declared = self.declared_function(target, &name);
                self.found.declared_functions.push(declared);
                self.declared.insert(name, index);
                index
            }
        };
        self.found.declared_functions[index as usize].address_taken |= as_value;
        push_once(&mut uses.declared_functions, index);
    }

    fn declared_function(&mut self, target: Cursor<'tu>, name: &str) -> DeclaredFunction {
        let ty = target.ty();
        let location = target.location();
        // What the compiler knows by itself is declared nowhere.
        let is_builtin = location.presumed().file.is_empty();
        let mut params: Vec<_> =
            target.parameters().into_iter().enumerate().map(|(n, p)| self.types.parameter(n, p)).collect();
        let declarations = self.known.scope.declarations(name);
        attributes::apply(declarations, self.known.text, &mut params);
        DeclaredFunction {
            name: name.to_string(),
            place: self.place(target, name),
            in_system_header: is_builtin || location.in_system_header(),
            ty: self.types.add(ty),
            params,
            result: self.types.add(ty.result()),
            is_variadic: ty.is_variadic() && !ty.has_no_prototype(),
            is_noreturn: attributes::is_noreturn(target, self.known.text)
                || declarations.iter().any(|&other| attributes::is_noreturn(other, self.known.text)),
            address_taken: false,
            at_file_scope: !declarations.is_empty(),
            allocates: attributes::allocates(declarations, self.known.text),
        }
    }

    fn mentions_variable(&mut self, target: Cursor<'tu>, uses: &mut Uses) {
        let name = target.name();
        if let Some(&index) = self.globals.get(&name) {
            return push_once(&mut uses.globals, index);
        }
        if target.location().in_system_header() {
            return;
        }
        let index = match self.declared_variables.get(&name) {
            Some(&index) => index,
            None => {
                let index = self.found.declared_variables.len() as u32;
                let variable = Global {
                    ty: self.types.add(target.ty()),
                    place: self.place(target, &name),
                    is_static: false,
                    is_const: target.ty().is_const(),
                    is_fixed: target.ty().is_const(),
                    is_volatile: target.ty().is_volatile(),
                    is_thread_local: target.is_thread_local(),
                    is_tentative: false,
                    is_weak: false,
                    is_named: !self.known.scope.declarations(&name).is_empty(),
                    name: name.clone(),
                };
                self.found.declared_variables.push(variable);
                self.declared_variables.insert(name, index);
                index
            }
        };
        push_once(&mut uses.declared_variables, index);
    }

    /// Where the user reads a declaration: in the original if it stands at file scope there.
    fn place(&self, target: Cursor<'tu>, name: &str) -> Place {
        match self.known.original_scope.declarations(name).first() {
            Some(original) => original.location().expansion().place(),
            None => target.location().presumed(),
        }
    }

    fn static_locals(&mut self, body: &Body<'tu>) -> Vec<Global> {
        let tree = &body.tree;
        let mut found = Vec::new();
        for id in 0..tree.nodes.len() {
            let cursor = tree.cursor(id);
            let is_static = cursor.kind() == node::VARIABLE && cursor.storage() == storage::STATIC;
            if !is_static || cursor.ty().is_const() {
                continue;
            }
            let place = match &body.original {
                Some(original) => original.cursor(id).location().expansion().place(),
                None => cursor.location().presumed(),
            };
            let ty = self.types.add(cursor.ty());
            found.push(Global {
                name: cursor.name(),
                ty,
                place,
                is_static: true,
                is_const: false,
                is_fixed: false,
                is_volatile: cursor.ty().is_volatile(),
                is_thread_local: cursor.is_thread_local(),
                is_tentative: false,
                is_weak: false,
                is_named: false,
            });
        }
        found
    }
}

/// Whether a type has a pointer somewhere inside. Tables of numbers can be long.
fn may_hold_addresses(ty: ClangType) -> bool {
    let canonical = ty.canonical();
    match canonical.kind() {
        ty::POINTER => true,
        ty::RECORD => canonical.fields().into_iter().any(|field| may_hold_addresses(field.ty())),
        _ if canonical.is_array() => may_hold_addresses(canonical.element()),
        _ => false,
    }
}

/// Everything that can be reached through the globals of a function.
fn add_initialisers(uses: &mut Uses, initialisers: &HashMap<u32, Uses>) {
    let mut next = 0;
    while let Some(global) = uses.globals.get(next) {
        next += 1;
        let Some(through) = initialisers.get(global) else { continue };
        through.globals.iter().for_each(|&index| push_once(&mut uses.globals, index));
        through.declared_variables.iter().for_each(|&index| push_once(&mut uses.declared_variables, index));
        through.functions.iter().for_each(|&id| push_once(&mut uses.functions, id));
        through.declared_functions.iter().for_each(|&index| push_once(&mut uses.declared_functions, index));
    }
}

fn push_once<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

fn is_compiler_builtin(name: &str) -> bool {
    ["__builtin_", "__sync_", "__atomic_", "__c11_atomic_"].iter().any(|prefix| name.starts_with(prefix))
}

/// `assert`s before anything happens.
fn entry_asserts(body: &Body, text: &str) -> Vec<EntryAssert> {
    let tree = &body.tree;
    let view = View { text, tree, original: body.original.as_ref() };
    let mut found = Vec::new();
    for &statement in tree.children(0) {
        if let Some(asserted) = assertion(tree, statement, text) {
            let below = tree.subtree(statement);
            let sites: Vec<SiteId> =
                body.sites.iter().filter(|(node, _)| below.contains(node)).map(|(_, site)| *site).collect();
            found.push(EntryAssert { place: view.place(statement), text: asserted, sites });
        } else if !is_harmless(tree, statement) {
            break;
        }
    }
    found
}

/// A declaration or an expression that only computes.
fn is_harmless(tree: &Tree, statement: NodeId) -> bool {
    let is_plain = matches!(tree.kind(statement), node::DECLARATION_STMT | node::NULL_STMT)
        || tree.cursor(statement).is_expression();
    is_plain && !tree.has_effect(statement)
}

/// The text of what a statement asserts: the library is told it when the assertion fails.
fn assertion(tree: &Tree, statement: NodeId, text: &str) -> Option<String> {
    let is_loop = matches!(tree.kind(statement), node::WHILE | node::FOR | node::SWITCH | node::COMPOUND);
    let failing = tree.evaluated(statement).into_iter().find(|&id| {
        tree.kind(id) == node::CALL && tree.callee(id).is_some_and(|callee| callee.name() == "__assert_fail")
    })?;
    if is_loop {
        return None;
    }
    let &message = tree.arguments(failing).first()?;
    let (start, end) = tree.range(tree.plain(message));
    Some(crate::syntax::text::string_value(&text[start..end]))
}
