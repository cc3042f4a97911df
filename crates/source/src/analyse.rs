//! From a C file to its [`SourceModel`].
//!
//! The file is parsed twice: as the user wrote it, which gives places and texts, and preprocessed, which gives the
//! offsets to put probes at. Both have the same syntax tree, so the n-th node of a function in one is the n-th in the
//! other; where they ever differ, the line markers of the preprocessed text give the places instead.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::clang::{self, Cursor, TranslationUnit, node, storage};
use crate::compiler::{Compiler, TOLERATED, compile_flags};
use crate::facts::asked;
use crate::facts::attributes::{self, FileScope};
use crate::facts::called;
use crate::facts::casts;
use crate::facts::collector;
use crate::facts::containers;
use crate::facts::fixed;
use crate::facts::flow::Flow;
use crate::facts::handed;
use crate::facts::inlines;
use crate::facts::macros::Macros;
use crate::facts::pairs;
use crate::facts::reaches;
use crate::facts::tags;
use crate::facts::uses::{self, Known};
use crate::facts::within;
use crate::layout::TypeBuilder;
use crate::probes::assertion;
use crate::probes::fold;
use crate::probes::rewrite::{NAMES, Rewriter};
use crate::probes::statement_probe;
use crate::probes::walk::{self, Found, FoundKind, FoundSite, FoundSwitch};
use crate::syntax::body::{Body, Declaration};
use crate::syntax::tree::Tree;
use crate::syntax::view::View;
use crate::{
    Arm, Container, Context, Decision, DecisionId, Field, Function, FunctionId, Global, Loop, Site, SiteId,
    SiteKind, SourceError, SourceModel, Statement, TypeId, TypeTable, Uses,
};

/// What to analyse.
pub struct SourceRequest<'a> {
    /// The C file.
    pub file: &'a Path,
    /// The user's compiler flags.
    pub flags: &'a [String],
    /// The compiler, from [`crate::find_clang`].
    pub clang: &'a Path,
}

/// Stack for the walk: deeply nested expressions of generated code recurse deeply.
const STACK: usize = 1 << 29;

/// Reads a C file: its functions, types, conditions, switches and statements, and the text with probes.
pub fn analyse(request: &SourceRequest) -> Result<SourceModel, SourceError> {
    analyse_with(request, true)
}

/// The same for a file that is part of a program: it may define nothing but variables.
pub fn analyse_part(request: &SourceRequest) -> Result<SourceModel, SourceError> {
    analyse_with(request, false)
}

fn analyse_with(request: &SourceRequest, needs_function: bool) -> Result<SourceModel, SourceError> {
    check_file(request.file)?;
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || analyse_here(request, needs_function));
        match worker {
            Ok(worker) => worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // No room for a large stack: the ordinary one does for ordinary code.
            Err(_) => analyse_here(request, needs_function),
        }
    })
}

/// Refuses what cannot be a C source file, before any tool sees it.
fn check_file(file: &Path) -> Result<(), SourceError> {
    let path = || PathBuf::from(file);
    let unreadable =
        |error: std::io::Error| SourceError::Unreadable { file: path(), reason: error.to_string() };
    match std::fs::metadata(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(SourceError::Missing { file: path() });
        }
        Err(error) => return Err(unreadable(error)),
        Ok(metadata) if metadata.is_dir() => return Err(SourceError::Directory { file: path() }),
        Ok(_) => {}
    }
    match file.extension().map(|extension| extension.to_string_lossy()).as_deref() {
        Some("c") => {}
        Some("h" | "H" | "hh" | "hpp" | "hxx") => return Err(SourceError::Header { file: path() }),
        _ => return Err(SourceError::NotC { file: path() }),
    }
    let text = std::fs::read(file).map_err(unreadable)?;
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(SourceError::Empty { file: path() });
    }
    Ok(())
}

fn analyse_here(request: &SourceRequest, needs_function: bool) -> Result<SourceModel, SourceError> {
    let flags = compile_flags(request.flags);
    let compiler = Compiler { clang: request.clang, file: request.file, flags: &flags };
    let text = compiler.preprocess()?;
    let resource_dir = compiler.resource_dir()?;
    let library = clang::load(&resource_dir)?;

    let mut parse_flags = flags.clone();
    parse_flags.extend(TOLERATED.map(String::from));
    parse_flags.extend(["-w".into(), "-resource-dir".into(), resource_dir.to_string_lossy().into_owned()]);
    let original = parsed(library.parse(request.file, &parse_flags, None), &compiler)?;
    parse_flags.extend(["-x".into(), "cpp-output".into()]);
    let preprocessed_name = request.file.with_extension("i");
    let preprocessed = parsed(library.parse(&preprocessed_name, &parse_flags, Some(&text)), &compiler)?;

    Analysis::new(&text, &original, &preprocessed).run(request, needs_function)
}

/// A unit without errors; otherwise clang's own words about them.
fn parsed(unit: Option<TranslationUnit>, compiler: &Compiler) -> Result<TranslationUnit, SourceError> {
    let errors = unit.as_ref().map(TranslationUnit::errors);
    match (unit, errors) {
        (Some(unit), Some(errors)) if errors.is_empty() => Ok(unit),
        (_, errors) => {
            compiler.check()?;
            let reason =
                errors.and_then(|errors| errors.into_iter().next()).unwrap_or("no reason given".into());
            Err(SourceError::NotParsed { file: compiler.file.into(), reason })
        }
    }
}

/// Everything on the way to a model.
struct Analysis<'a> {
    text: &'a str,
    original: Vec<Cursor<'a>>,
    preprocessed: Vec<Cursor<'a>>,
    /// Declarations of the preprocessed text by name.
    scope: FileScope<'a>,
    macros: Macros,
    types: TypeBuilder,
    rewriter: Rewriter,
    functions: Vec<Function>,
    bodies: Vec<Body<'a>>,
    sites: Vec<Site>,
    decisions: Vec<Decision>,
}

impl<'a> Analysis<'a> {
    fn new(text: &'a str, original: &'a TranslationUnit, preprocessed: &'a TranslationUnit) -> Self {
        let preprocessed = preprocessed.root().children();
        Self {
            text,
            original: original.root().children(),
            scope: FileScope::new(&preprocessed),
            macros: Macros::of(text),
            preprocessed,
            types: TypeBuilder::default(),
            rewriter: Rewriter::default(),
            functions: Vec::new(),
            bodies: Vec::new(),
            sites: Vec::new(),
            decisions: Vec::new(),
        }
    }

    fn run(mut self, request: &SourceRequest, needs_function: bool) -> Result<SourceModel, SourceError> {
        let is_reserved = |cursor: &&Cursor| NAMES.contains(&cursor.name().as_str());
        if let Some(taken) = self.original.iter().find(is_reserved) {
            let (name, place) = (taken.name(), taken.location().expansion().place());
            return Err(SourceError::Reserved { name, place });
        }
        let originals = defined_functions(&self.original);
        for (number, function) in defined_functions(&self.preprocessed).into_iter().enumerate() {
            let original =
                originals.get(number).copied().filter(|original| original.name() == function.name());
            self.function(function, original);
        }
        let mut globals = self.globals();
        let has_something = !self.functions.is_empty() || !needs_function && !globals.is_empty();
        if !has_something {
            return Err(no_function(request.file, &self.original));
        }
        let changing = fixed::changing(&self.bodies, &self.preprocessed);
        for global in globals.iter_mut().filter(|global| global.is_static && !global.is_volatile) {
            global.is_fixed |= !changing.contains(&global.name);
        }
        let known = Known {
            text: self.text,
            top: &self.preprocessed,
            scope: &self.scope,
            original_scope: &FileScope::new(&self.original),
            bodies: &self.bodies,
            globals: &globals,
        };
        let mentioned = uses::find(&known, &mut self.types);
        for (function, uses) in self.functions.iter_mut().zip(mentioned.uses) {
            function.uses = uses;
        }
        for id in mentioned.address_taken {
            self.functions[id.0 as usize].address_taken = true;
        }
        let handed_fresh = handed::find(&self.bodies, &mut self.types);
        let led_into = within::find(&self.bodies, &mut self.types);
        self.pointer_facts();
        for (function, body) in self.functions.iter_mut().zip(&self.bodies) {
            function.uses.called_types = called::find(body, &mut self.types);
        }
        let top = &self.preprocessed;
        Ok(SourceModel {
            macros: self.macros.names(),
            inline_definitions: inlines::find(top, &self.scope, self.text, request.flags),
            file: request.file.into(),
            flags: request.flags.to_vec(),
            types: self.types.finish(),
            functions: self.functions,
            globals,
            declared_functions: mentioned.declared_functions,
            declared_variables: mentioned.declared_variables,
            mentions_errno: mentioned.errno,
            handed_fresh,
            led_into,
            sites: self.sites,
            decisions: self.decisions,
            probed_text: self.rewriter.apply(self.text),
            others: Vec::new(),
        })
    }

    fn function(&mut self, function: Cursor<'a>, original: Option<Cursor<'a>>) {
        let Some(tree) = Tree::of_function(function) else { return };
        let original_tree =
            original.and_then(Tree::of_function).filter(|original_tree| original_tree.same_shape(&tree));
        let view = View { text: self.text, tree: &tree, original: original_tree.as_ref() };
        let found = walk::walk(&tree, self.text);

        let id = FunctionId(self.functions.len() as u32);
        let sites = self.sites_of(id, &found, &view);
        self.decisions_of(id, &found, &sites, &view);
        self.add_probes(&found, &sites, &view);
        let statements = self.statements_of(function, &found, &view);
        let loops = loops_of(&found, &view);
        let site_nodes = found.sites.iter().map(|site| site.node).zip(sites.iter().copied()).collect();
        let shown = original.unwrap_or(function);
        let place = match original {
            Some(original) => original.location().expansion().place(),
            None => function.location().presumed(),
        };
        let end_line = match original {
            Some(original) => original.extent().1.expansion().line,
            None => function.extent().1.presumed().line,
        };
        let mut params: Vec<_> =
            function.parameters().into_iter().enumerate().map(|(n, p)| self.types.parameter(n, p)).collect();
        let name = function.name();
        let declarations = self.scope.declarations(&name);
        attributes::apply(declarations, self.text, &mut params);
        self.functions.push(Function {
            written: self.macros.written_name(shown),
            name,
            place,
            end_line,
            is_static: function.storage() == storage::STATIC,
            is_inline: function.is_inline(),
            is_weak: attributes::is_weak(declarations, self.text),
            is_named: true,
            is_variadic: function.ty().is_variadic() && !function.ty().has_no_prototype(),
            in_main_file: shown.location().in_main_file(),
            params,
            result: self.types.add(function.ty().result()),
            sites,
            first_statement: self.next_statement(),
            statements,
            loops,
            ty: self.types.add(function.ty()),
            address_taken: false,
            may_fall_off: tree.may_fall_off(0),
            uses: Uses::default(),
        });
        self.bodies.push(Body { id, cursor: function, sites: site_nodes, tree, original: original_tree });
    }

    /// What pointers are taken for and how much is behind them.
    fn pointer_facts(&mut self) {
        let flows: Vec<Flow> = self.bodies.iter().map(collector::collect).collect();
        let targets = casts::find(&self.bodies, &flows, &self.scope);
        let cast_to: HashMap<Declaration, TypeId> =
            targets.into_iter().map(|(spot, target)| (spot, self.types.add(target))).collect();
        let is_untyped = |types: &TypeTable, ty| types.pointee(ty).is_some_and(|to| types.is_opaque(to));
        for (function, body) in self.functions.iter_mut().zip(&self.bodies) {
            for (param, cursor) in function.params.iter_mut().zip(body.cursor.parameters()) {
                if is_untyped(self.types.table(), param.ty) {
                    param.cast_to = cast_to.get(&Declaration::of(cursor)).copied();
                }
            }
        }
        self.types.update_fields(|table, fields, declarations| {
            let fact = |(field, declaration): (&Field, &Declaration)| {
                let target = cast_to.get(declaration).copied();
                Field { cast_to: target.filter(|_| is_untyped(table, field.ty)), ..field.clone() }
            };
            fields.iter().zip(declarations).map(fact).collect()
        });
        self.containers(&flows);
        self.reaches(&flows);
        self.tags();
        asked::set_params(&mut self.functions, &self.bodies, &flows);
        pairs::set_params(&mut self.functions, &self.bodies, &flows, self.types.table());
        pairs::set_fields(&self.functions, &flows, &mut self.types);
    }

    /// What pointers lead into the middle of.
    fn containers(&mut self, flows: &[Flow]) {
        let fronts = containers::find(&self.bodies, flows, &self.scope);
        for (function, body) in self.functions.iter_mut().zip(&self.bodies) {
            for (param, cursor) in function.params.iter_mut().zip(body.cursor.parameters()) {
                let front = fronts.get(&Declaration::of(cursor));
                let to = self.types.table().pointee(param.ty);
                param.container = front.zip(to).and_then(|(front, to)| front.container(&mut self.types, to));
            }
        }
        let mut known: HashMap<(Declaration, TypeId), Container> = HashMap::new();
        for (declaration, pointee) in self.types.pointer_members() {
            let container =
                fronts.get(&declaration).and_then(|front| front.container(&mut self.types, pointee));
            known.extend(container.map(|container| ((declaration, pointee), container)));
        }
        self.types.update_fields(|table, fields, declarations| {
            let fact = |(field, declaration): (&Field, &Declaration)| {
                let container =
                    table.pointee(field.ty).and_then(|to| known.get(&(*declaration, to)).copied());
                Field { container, ..field.clone() }
            };
            fields.iter().zip(declarations).map(fact).collect()
        });
    }

    /// How much there is behind pointers at least.
    fn reaches(&mut self, flows: &[Flow]) {
        let reaches = reaches::find(&self.bodies, flows, &self.scope);
        let moved = reaches::moved(&self.bodies, flows);
        let reach = |declaration: &Declaration| reaches.get(declaration).copied().unwrap_or(0);
        for (function, body) in self.functions.iter_mut().zip(&self.bodies) {
            for (param, cursor) in function.params.iter_mut().zip(body.cursor.parameters()) {
                param.reach = reach(&Declaration::of(cursor));
            }
        }
        self.types.update_fields(|_, fields, declarations| {
            let fact = |(field, declaration): (&Field, &Declaration)| Field {
                reach: reach(declaration),
                is_moved: moved.contains(declaration),
                ..field.clone()
            };
            fields.iter().zip(declarations).map(fact).collect()
        });
    }

    /// What tags say of the unions beside them.
    fn tags(&mut self) {
        let unions = self.types.union_members();
        let members = unions.values().flatten().flatten().copied().collect();
        let selected = tags::find(&self.bodies, &members);
        self.types.update_fields(|_, fields, declarations| {
            let fact = |field: &Field| {
                let union = unions.get(&field.ty);
                let selections = union.map(|union| tags::selections(&selected, declarations, union));
                Field { selections: selections.unwrap_or_default(), ..field.clone() }
            };
            fields.iter().map(fact).collect()
        });
    }

    fn sites_of(&mut self, function: FunctionId, found: &Found, view: &View) -> Vec<SiteId> {
        let mut ids = Vec::new();
        for site in &found.sites {
            let id = SiteId(self.sites.len() as u32);
            self.sites.push(Site {
                id,
                function,
                place: view.place(site.node),
                lines: site_lines(site, view),
                text: view.text(site.node),
                decision: site.decision,
                position: site.position,
                is_assertion: assertion::is_assertion(view.tree, site.node),
                is_relative: asked::is_relative(view.tree, site.node),
                refuses: view.tree.refuses(site.node),
                adjusts: asked::adjusts(view.tree, site.node),
                governs: governed_lines(site, view),
                kind: site_kind(site, view),
            });
            ids.push(id);
        }
        ids
    }

    fn decisions_of(&mut self, function: FunctionId, found: &Found, sites: &[SiteId], view: &View) {
        let mut conditions: BTreeMap<u32, Vec<SiteId>> = BTreeMap::new();
        for (site, id) in found.sites.iter().zip(sites) {
            conditions.entry(site.decision).or_default().push(*id);
        }
        for decision in &found.decisions {
            self.decisions.push(Decision {
                id: DecisionId(self.decisions.len() as u32),
                function,
                place: view.place(decision.node),
                end_line: view.end_line(decision.node),
                text: view.text(decision.node),
                conditions: conditions.remove(&decision.number).unwrap_or_default(),
                shape: decision.shape.clone(),
                mcdc: decision.mcdc,
            });
        }
    }

    /// Probes of the sites and of the compound decisions, outer before inner.
    fn add_probes(&mut self, found: &Found, sites: &[SiteId], view: &View) {
        enum Probe<'a> {
            Site(SiteId, &'a FoundSite),
            Decision(DecisionId),
        }
        let place = |node| {
            let (start, end) = view.tree.range(node);
            (start, Reverse(end), node)
        };
        let site_probes = found.sites.iter().zip(sites).map(|(site, id)| (site.node, Probe::Site(*id, site)));
        let decisions = &self.decisions[self.decisions.len() - found.decisions.len()..];
        let decision_probes = found
            .decisions
            .iter()
            .zip(decisions)
            .filter(|(_, decision)| decision.is_compound())
            .map(|(found, decision)| (found.node, Probe::Decision(decision.id)));
        let mut probes: Vec<_> = site_probes.chain(decision_probes).collect();
        probes.sort_by_key(|(node, _)| place(*node));
        for (node, probe) in probes {
            match probe {
                Probe::Site(id, site) => self.rewriter.add(id.0, site, view.tree, self.text),
                Probe::Decision(id) => self.rewriter.add_decision(id.0, view.tree.range(node)),
            }
        }
    }

    /// Number of the first statement of the next function.
    fn next_statement(&self) -> u32 {
        self.functions.last().map_or(0, |last| last.first_statement + last.statements.len() as u32)
    }

    /// Statements by place, with their probes: the statements that one macro makes are one statement to the user.
    fn statements_of(&mut self, function: Cursor, found: &Found, view: &View) -> Vec<Statement> {
        // Nothing but assembler may stand in a naked function, no probe either.
        let head = &self.text[function.range().0..view.tree.range(0).0];
        if head.contains("naked") {
            return Vec::new();
        }
        let first = self.next_statement();
        let mut seen = BTreeSet::new();
        let mut statements = Vec::new();
        for &node in &found.statements {
            let place = view.place(node);
            if seen.insert(place.clone()) {
                let number = first + statements.len() as u32;
                self.rewriter.add_statement(number, statement_probe::place(view.tree, self.text, node));
                statements.push(Statement { place, end_line: view.head_end_line(node) });
            }
        }
        statements
    }

    /// Variables at file scope that the unit itself has, each once.
    fn globals(&mut self) -> Vec<Global> {
        let is_ours = |cursor: &Cursor| {
            let is_elsewhere = cursor.storage() == storage::EXTERN && cursor.initialiser().is_none();
            cursor.kind() == node::VARIABLE && !is_elsewhere && !cursor.location().in_system_header()
        };
        let mut places = BTreeMap::new();
        for variable in self.original.iter().filter(|cursor| is_ours(cursor)) {
            places.entry(variable.name()).or_insert_with(|| variable.location().expansion().place());
        }
        let mut globals: Vec<Global> = Vec::new();
        for variable in self.preprocessed.iter().filter(|cursor| is_ours(cursor)) {
            let name = variable.name();
            let ty = variable.ty();
            // `int a[]; int a[3];` declares one variable; the later declaration knows more.
            if let Some(earlier) = globals.iter_mut().find(|earlier| earlier.name == name) {
                if ty.size().is_some() {
                    earlier.ty = self.types.add(ty);
                }
                earlier.is_tentative &= variable.initialiser().is_none();
                continue;
            }
            globals.push(Global {
                ty: self.types.add(ty),
                place: places.remove(&name).unwrap_or_else(|| variable.location().presumed()),
                is_static: variable.storage() == storage::STATIC,
                is_const: ty.is_const(),
                is_fixed: ty.is_const(),
                is_volatile: ty.is_volatile(),
                is_thread_local: variable.is_thread_local(),
                is_tentative: variable.storage() == storage::NONE && variable.initialiser().is_none(),
                is_weak: attributes::is_weak(self.scope.declarations(&name), self.text),
                is_named: true,
                name,
            });
        }
        globals
    }
}

fn defined_functions<'a>(top: &[Cursor<'a>]) -> Vec<Cursor<'a>> {
    let is_ours = |cursor: &Cursor| {
        cursor.kind() == node::FUNCTION && cursor.is_definition() && !cursor.location().in_system_header()
    };
    top.iter().copied().filter(is_ours).collect()
}

fn no_function(file: &Path, top: &[Cursor]) -> SourceError {
    const SHOWN: usize = 3;
    let declared = top
        .iter()
        .filter(|cursor| cursor.kind() == node::FUNCTION && cursor.location().in_main_file())
        .map(|cursor| cursor.name())
        .take(SHOWN)
        .collect();
    SourceError::NoFunction { file: file.into(), declared }
}

/// The lines of a condition or operand; those of the whole head for the condition of a `for`.
fn site_lines(site: &FoundSite, view: &View) -> RangeInclusive<u32> {
    let mut around = site.node;
    while matches!(site.kind, FoundKind::Condition(Context::For)) && around != 0 {
        around = view.tree.nodes[around].parent;
        if view.tree.kind(around) == node::FOR {
            return view.place(around).line..=view.head_end_line(around);
        }
    }
    let first = view.place(site.node).line;
    first..=view.end_line(site.node).max(first)
}

/// The lines of what a site decides over: its `if`, loop, switch or `?:`, or else the expression it is part of.
fn governed_lines(site: &FoundSite, view: &View) -> RangeInclusive<u32> {
    let around = view.tree.governed(site.node);
    let first = view.place(around).line;
    first..=view.end_line(around).max(first)
}

fn site_kind(site: &FoundSite, view: &View) -> SiteKind {
    match &site.kind {
        FoundKind::Condition(context) => {
            SiteKind::Condition { context: *context, always: fold::literal(view.tree, site.node) }
        }
        FoundKind::BinaryConditional(_) => SiteKind::Condition { context: Context::Ternary, always: None },
        FoundKind::Switch(switch) => {
            SiteKind::Switch { arms: arms(site, switch, view), bits: switch.bits, signed: switch.signed }
        }
    }
}

/// Arms in source order, the default last.
fn arms(site: &FoundSite, switch: &FoundSwitch, view: &View) -> Vec<Arm> {
    let mut arms = Vec::new();
    let mut default = Arm { place: view.place(site.node), text: "no case".into(), values: None };
    for arm in &switch.arms {
        let place = view.place(arm.node);
        match arm.values {
            None => default = Arm { place, text: "default".into(), values: None },
            Some([(first, first_node), (last, last_node)]) => {
                let (first_text, last_text) = (view.text(first_node), view.text(last_node));
                // One macro may stand for both ends of a range.
                let label = if first_text == last_text {
                    first_text
                } else {
                    format!("{first_text} ... {last_text}")
                };
                arms.push(Arm { place, text: format!("case {label}"), values: Some((first, last)) });
            }
        }
    }
    arms.push(default);
    arms
}

/// The loops of a function; those that one macro makes are one to the user.
fn loops_of(found: &Found, view: &View) -> Vec<Loop> {
    let mut loops: Vec<Loop> = Vec::new();
    for &id in &found.statements {
        let is_loop = matches!(view.tree.kind(id), node::FOR | node::WHILE | node::DO);
        let place = view.place(id);
        if is_loop && loops.iter().all(|known| known.place != place) {
            loops.push(Loop { place, end: view.end(id), text: view.loop_head(id) });
        }
    }
    loops
}
