//! The source model: plain data about one translation unit.

use std::path::PathBuf;

use crate::{Place, TypeId, TypeTable};

/// A function of a [`SourceModel`], by index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// A source site (atomic condition or switch) by number; numbers run through all functions in source order and are
/// the same in every build of the same text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct SiteId(pub u32);

/// Everything known about one translation unit.
#[derive(Clone, Debug)]
pub struct SourceModel {
    /// The C file as the user named it.
    pub file: PathBuf,
    /// The user's compiler flags.
    pub flags: Vec<String>,
    /// All types mentioned.
    pub types: TypeTable,
    /// Functions with a body outside system headers, in source order.
    pub functions: Vec<Function>,
    /// File-scope variables defined outside system headers.
    pub globals: Vec<Global>,
    /// Sites in order of [`SiteId`].
    pub sites: Vec<Site>,
    /// The preprocessed text with probes, ready for `clang -x cpp-output`; line markers are kept.
    /// A condition `c` reads `__tk_cond(ID, !!(c))`, a switch operand `e` of promoted type T reads
    /// `(T)__tk_switch(ID, (unsigned long long)(e))`. The declarations of both stand at the very top.
    pub probed_text: String,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub place: Place,
    /// Last line of its body.
    pub end_line: u32,
    /// `static`.
    pub is_static: bool,
    /// Takes `...`.
    pub is_variadic: bool,
    /// Defined in the C file itself, not in a header.
    pub in_main_file: bool,
    /// Parameters in order (arrays already decayed to pointers).
    pub params: Vec<Param>,
    /// Result type.
    pub result: TypeId,
    /// Its sites, in order.
    pub sites: Vec<SiteId>,
    /// Its statements, in order.
    pub statements: Vec<Statement>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Name, or `arg0` … where there is none.
    pub name: String,
    /// Type as the callee sees it (arrays decayed).
    pub ty: TypeId,
    /// `N` where the user wrote `T name[N]`.
    pub array_len: Option<u64>,
}

/// A variable with static storage at file scope.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// Type.
    pub ty: TypeId,
    /// Where.
    pub place: Place,
    /// `static`.
    pub is_static: bool,
    /// `const` at top level.
    pub is_const: bool,
}

/// A statement, for statement coverage.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Where it starts.
    pub place: Place,
    /// Line on which it ends.
    pub end_line: u32,
}

/// An atomic condition or a switch.
#[derive(Clone, Debug)]
pub struct Site {
    /// Its number.
    pub id: SiteId,
    /// The function it belongs to.
    pub function: FunctionId,
    /// Place of the condition (or of the `switch` operand) in the user's terms: the expansion for macros.
    pub place: Place,
    /// The source text as the user wrote it, on one line, shortened if long.
    pub text: String,
    /// Which decision of the function it belongs to (conditions of one `a && b` share it), counted from 0.
    pub decision: u32,
    /// Position among the conditions of that decision, left to right.
    pub position: u32,
    /// What kind.
    pub kind: SiteKind,
}

/// What a site is.
#[derive(Clone, Debug)]
pub enum SiteKind {
    /// An atomic condition: outcomes 0 (false) and 1 (true).
    Condition {
        /// What it controls.
        context: Context,
    },
    /// A switch: outcome = arm. The last arm is the default, written or implicit.
    Switch {
        /// Arms in source order, then the default.
        arms: Vec<Arm>,
        /// Width of the promoted operand.
        bits: u16,
        /// Signedness of the promoted operand.
        signed: bool,
    },
}

/// What an atomic condition controls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Context {
    /// `if`.
    If,
    /// `while`.
    While,
    /// `do … while`.
    DoWhile,
    /// `for`.
    For,
    /// `?:`.
    Ternary,
    /// An operand of `&&` or `||` whose value is used as a value.
    Value,
}

/// One arm of a switch.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Place of `case` or `default`; of the operand for an implicit default.
    pub place: Place,
    /// `case 3`, `default`, `no case`.
    pub text: String,
    /// The values `first ..= last`; `None` for the default.
    pub values: Option<(i128, i128)>,
}

impl SourceModel {
    /// The function with this name.
    pub fn function_named(&self, name: &str) -> Option<(FunctionId, &Function)> {
        let index = self.functions.iter().position(|function| function.name == name)?;
        Some((FunctionId(index as u32), &self.functions[index]))
    }

    /// A function by id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// A site by id.
    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }
}

impl Site {
    /// How many ways this site can go.
    pub fn outcomes(&self) -> u32 {
        match &self.kind {
            SiteKind::Condition { .. } => 2,
            SiteKind::Switch { arms, .. } => arms.len() as u32,
        }
    }
}
