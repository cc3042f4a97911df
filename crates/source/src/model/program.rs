//! The files of one call as one program: which other files a file is linked with, and what each name means there.
//!
//! Takes the models of single files; gives for each file the model of the program around it. As a linker does with the members of
//! a library, a file brings in those that define what it needs, and what these need; the file itself comes first and keeps its
//! numbers. A file that defines something a second time is left out. Never: text, clang.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use super::join::Joiner;
use crate::{Function, Global, SourceModel};

/// Another file of a program.
#[derive(Clone, Debug)]
pub struct OtherFile {
    /// The C file as the user named it.
    pub file: PathBuf,
    /// Its compiler flags.
    pub flags: Vec<String>,
    /// Its preprocessed text with probes, which has numbers of its own.
    pub probed_text: String,
    /// What its numbers are counted from in the program.
    pub first: FirstIds,
    /// Symbols of the file that have another name in the program, since something else has theirs.
    pub renamed: Vec<(String, String)>,
    /// It defines `main`.
    pub has_main: bool,
}

/// Where the numbers of a file begin in the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstIds {
    /// Of its functions.
    pub functions: u32,
    /// Of its globals.
    pub globals: u32,
    /// Of its sites.
    pub sites: u32,
    /// Of its decisions.
    pub decisions: u32,
    /// Of its statements.
    pub statements: u32,
}

/// A file with the program around it.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file, with what it is linked with.
    pub model: SourceModel,
    /// The file by itself, if others belong to its program.
    pub alone: Option<SourceModel>,
    /// Files that it needs and that cannot be linked with it.
    pub left_out: Vec<LeftOut>,
}

/// Why a file does not belong to another one's program, though that needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The file.
    pub file: PathBuf,
    /// What both define.
    pub name: String,
    /// Who defines it first.
    pub by: PathBuf,
}

/// The main function, of which each program has its own.
pub(super) const MAIN: &str = "main";

/// Each file with the program around it, in the same order.
pub fn views(models: Vec<SourceModel>) -> Vec<Program> {
    let exports: Vec<Exports> = models.iter().map(Exports::of).collect();
    let members: Vec<(Vec<usize>, Vec<LeftOut>)> =
        (0..models.len()).map(|own| Membership::new(&models, &exports, own).close()).collect();
    let joined: Vec<Option<SourceModel>> = (members.iter())
        .map(|(members, _)| (members.len() > 1).then(|| Joiner::new(&models, &exports, members).join()))
        .collect();
    let views = models.into_iter().zip(joined).zip(members);
    views
        .map(|((own, joined), (_, left_out))| match joined {
            Some(model) => Program { model, alone: Some(own), left_out },
            None => Program { model: own, alone: None, left_out },
        })
        .collect()
}

/// How much a definition counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Strength {
    /// The only one that there may be.
    Strong,
    /// A variable without a value, of which there may be several under `-fcommon`.
    Common,
    /// One that gives way to any other.
    Weak,
    /// An inline function, which is there for its own file and nobody else.
    Inline,
}

/// What a file defines for others.
pub(super) struct Exports {
    pub(super) functions: BTreeMap<String, (Strength, u32)>,
    pub(super) globals: BTreeMap<String, (Strength, u32)>,
}

impl Exports {
    fn of(model: &SourceModel) -> Exports {
        let is_common = model.flags.iter().rev().find(|flag| flag.ends_with("common"));
        let is_common = is_common.is_some_and(|flag| flag == "-fcommon");
        let of_function = |function: &Function| match () {
            () if function.is_inline => Strength::Inline,
            () if function.is_weak => Strength::Weak,
            () => Strength::Strong,
        };
        let of_global = |global: &Global| match () {
            () if global.is_weak => Strength::Weak,
            () if global.is_tentative && is_common => Strength::Common,
            () => Strength::Strong,
        };
        let functions = (0..).zip(&model.functions);
        let functions = functions.filter(|(_, function)| !function.is_static);
        let globals = (0..).zip(&model.globals).filter(|(_, global)| !global.is_static);
        Exports {
            functions: functions.map(|(id, of)| (of.name.clone(), (of_function(of), id))).collect(),
            globals: globals.map(|(id, of)| (of.name.clone(), (of_global(of), id))).collect(),
        }
    }

    pub(super) fn strength(&self, name: &str) -> Option<Strength> {
        self.functions.get(name).or_else(|| self.globals.get(name)).map(|(strength, _)| *strength)
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.functions.keys().chain(self.globals.keys())
    }
}

/// The names that a file wants from others: what it does not define, and what it gives way for.
fn wanted<'m>(model: &'m SourceModel, exports: &'m Exports) -> Vec<&'m str> {
    let functions = model.declared_functions.iter().map(|function| &function.name);
    let variables = model.declared_variables.iter().map(|variable| &variable.name);
    let weak = exports.names().filter(|name| exports.strength(name) == Some(Strength::Weak));
    functions.chain(variables).chain(weak).map(String::as_str).collect()
}

/// Finds the files of one program.
struct Membership<'a> {
    models: &'a [SourceModel],
    exports: &'a [Exports],
    members: Vec<usize>,
    left_out: Vec<LeftOut>,
}

impl Membership<'_> {
    fn new<'a>(models: &'a [SourceModel], exports: &'a [Exports], own: usize) -> Membership<'a> {
        Membership { models, exports, members: vec![own], left_out: Vec::new() }
    }

    fn close(mut self) -> (Vec<usize>, Vec<LeftOut>) {
        let own = self.members[0];
        let mut open: VecDeque<&str> = wanted(&self.models[own], &self.exports[own]).into();
        let mut seen = BTreeSet::new();
        while let Some(name) = open.pop_front() {
            if !seen.insert(name) {
                continue;
            }
            if let Some(member) = self.definer(name) {
                self.members.push(member);
                open.extend(wanted(&self.models[member], &self.exports[member]));
            }
        }
        let Membership { mut members, mut left_out, .. } = self;
        // What is linked with what does not depend on the way there.
        members[1..].sort_unstable();
        left_out.retain(|left| !members.iter().any(|&member| self.models[member].file == left.file));
        (members, left_out)
    }

    /// The file that is to be linked because it defines a name; nobody where a member defines it as well as anybody does.
    fn definer(&mut self, name: &str) -> Option<usize> {
        let known = self.members.iter().filter_map(|&member| self.exports[member].strength(name)).min();
        let mut others: Vec<(Strength, usize)> = (0..self.models.len())
            .filter(|other| !self.members.contains(other))
            .filter_map(|other| Some((self.exports[other].strength(name)?, other)))
            .filter(|(strength, _)| *strength < known.unwrap_or(Strength::Inline))
            .collect();
        others.sort_unstable();
        for (_, other) in others {
            match self.conflict(other) {
                None => return Some(other),
                Some(left_out) if !self.left_out.contains(&left_out) => self.left_out.push(left_out),
                Some(_) => {}
            }
        }
        None
    }

    /// Something that a file defines for a second time.
    fn conflict(&self, other: usize) -> Option<LeftOut> {
        let exports = &self.exports[other];
        let twice =
            |name: &&String| exports.strength(name) == Some(Strength::Strong) && name.as_str() != MAIN;
        exports.names().filter(twice).find_map(|name| {
            let is_strong = |member: &&usize| self.exports[**member].strength(name) == Some(Strength::Strong);
            let by = self.members.iter().find(is_strong)?;
            let file = |of: usize| self.models[of].file.clone();
            Some(LeftOut { file: file(other), name: name.clone(), by: file(*by) })
        })
    }
}

/// What a definition of a file is called where something else has its name.
pub(super) fn apart(file: &Path, name: &str) -> String {
    let short = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    format!("{short}:{name}")
}
