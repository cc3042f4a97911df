//! The source model: plain data about one translation unit.
//!
//! Takes what `analyse` found; gives it by number: functions, sites, decisions, globals, and which functions can be reached from one.
//! Never: libclang, texts of C beyond what the user wrote.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::{OtherFile, Place, TypeId, TypeTable};

/// A function of a [`SourceModel`], by index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// A source site (atomic condition or switch) by number; numbers run through all functions in source order and are
/// the same in every build of the same text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SiteId(pub u32);

/// A decision (a whole Boolean expression) by number, through all functions in source order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DecisionId(pub u32);

/// Longest name of a function that files are called after: with what stands before and behind it, every file system takes it.
const LONGEST_FILE_NAME: usize = 120;

/// What files that belong to a function are called after: its name, cut where it is very long, and then told apart by a number.
pub fn file_name(function: &str) -> String {
    if function.len() <= LONGEST_FILE_NAME {
        return function.to_string();
    }
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    let hash = function.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    let cut = (0..=LONGEST_FILE_NAME - 17).rfind(|&at| function.is_char_boundary(at)).unwrap_or(0);
    format!("{}_{hash:016x}", &function[..cut])
}

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
    /// Functions that the unit's code mentions and that have no body here: the C library's and undefined ones.
    pub declared_functions: Vec<DeclaredFunction>,
    /// Names that the user's own files give to macros: whoever writes one of them after the file gets the macro.
    pub macros: BTreeSet<String>,
    /// For each function whose definition is only for inlining (`inline`, `extern inline` of GNU C), the declaration that makes it
    /// one for every caller.
    pub inline_definitions: BTreeMap<String, String>,
    /// Variables that the unit's code mentions and that are not defined here (`extern int config;`).
    pub declared_variables: Vec<Global>,
    /// The unit's code mentions `errno`.
    pub mentions_errno: bool,
    /// Arguments of calls of functions without a body that lead to uninitialised memory.
    pub handed_fresh: Vec<HandedFresh>,
    /// Arguments of functions without a body that their result leads into.
    pub led_into: Vec<LedInto>,
    /// Sites in order of [`SiteId`].
    pub sites: Vec<Site>,
    /// Decisions in order of [`DecisionId`]: every Boolean expression with at least one condition.
    pub decisions: Vec<Decision>,
    /// The preprocessed text with probes, ready for `clang -x cpp-output`; line markers are kept.
    /// A condition `c` reads `__tk_cond(ID, !!(c))`, a switch operand `e` of promoted type T reads
    /// `(T)__tk_switch(ID, (unsigned long long)(e))`, a compound decision `d` reads
    /// `__tk_decision(ID, (__tk_begin(ID), (d)))`, and a statement stands behind `__tk_stmt(NUMBER)`. The declarations of
    /// all of these stand at the very top.
    pub probed_text: String,
    /// The other files of the program, in the order in which their functions, globals and sites follow those of the file itself.
    pub others: Vec<OtherFile>,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What stands in the file where its name does: the name, or the macro that makes it, as in `#define f pre_f` or `NS(open)`.
    pub written: String,
    /// Where its name stands.
    pub place: Place,
    /// Last line of its body.
    pub end_line: u32,
    /// `static`.
    pub is_static: bool,
    /// `inline`.
    pub is_inline: bool,
    /// `__attribute__((weak))`: another definition comes before it.
    pub is_weak: bool,
    /// The unit's own file can name it.
    pub is_named: bool,
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
    /// Its statements, in order; statements are numbered through all functions.
    pub statements: Vec<Statement>,
    /// Its loops, in order; what `goto` makes is none.
    pub loops: Vec<Loop>,
    /// Number of its first statement.
    pub first_statement: u32,
    /// Its type.
    pub ty: TypeId,
    /// The unit's code uses it as a value, not only calls it.
    pub address_taken: bool,
    /// Its last statement is none that returns: it may end without a result.
    pub may_fall_off: bool,
    /// What its body mentions.
    pub uses: Uses,
}

/// What the body of a function mentions, each once, in source order. What its callees mention is not included: see
/// [`SourceModel::reachable_functions`].
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// Indices into [`SourceModel::globals`].
    pub globals: Vec<u32>,
    /// Indices into [`SourceModel::declared_variables`].
    pub declared_variables: Vec<u32>,
    /// Functions with a body, called or used as a value.
    pub functions: Vec<FunctionId>,
    /// Indices into [`SourceModel::declared_functions`].
    pub declared_functions: Vec<u32>,
    /// Variables of the body with static storage that are not `const`: they carry state from call to call.
    pub static_locals: Vec<Global>,
    /// `assert`s before anything else happens in the body: preconditions.
    pub entry_asserts: Vec<EntryAssert>,
    /// Conditions and switches that have the same value each time one call of the function evaluates them: they depend
    /// on scalar parameters and constants only, whatever happens in between.
    pub stable_sites: Vec<SiteId>,
    /// Types of the functions that are called through pointers.
    pub called_types: Vec<TypeId>,
}

/// An `assert` at the entry of a function.
#[derive(Clone, Debug)]
pub struct EntryAssert {
    /// Where it stands.
    pub place: Place,
    /// The asserted expression as written.
    pub text: String,
    /// The conditions of its expression.
    pub sites: Vec<SiteId>,
}

/// A function that is mentioned but has no body in this translation unit.
#[derive(Clone, Debug)]
pub struct DeclaredFunction {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub place: Place,
    /// Declared in a system header (or built into the compiler).
    pub in_system_header: bool,
    /// Its type, a [`crate::TypeKind::Function`].
    pub ty: TypeId,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Result type.
    pub result: TypeId,
    /// Takes `...`.
    pub is_variadic: bool,
    /// Never returns.
    pub is_noreturn: bool,
    /// The unit's code uses it as a value, not only calls it.
    pub address_taken: bool,
    /// Declared at file scope, so that what follows the file can name it.
    pub at_file_scope: bool,
    /// Gives fresh memory and never null: the positions of the parameters whose product is its size. Empty for others.
    pub allocates: Vec<u32>,
}

/// An argument of some call that leads to memory which its caller has not written yet.
#[derive(Clone, Debug)]
pub struct HandedFresh {
    /// Who is called; `None` for a call through a pointer.
    pub callee: Option<String>,
    /// Its type, a [`crate::TypeKind::Function`].
    pub ty: TypeId,
    /// Position of the argument.
    pub position: u32,
    /// Position of the argument that says how much room there is: `sizeof` the array.
    pub room: Option<u32>,
    /// Elements of the smallest array that a call of this function hands over there; `None` if one hands over something else.
    pub elements: Option<u64>,
}

/// An argument of some call whose result the unit takes for a place in it.
#[derive(Clone, Debug)]
pub struct LedInto {
    /// Who is called; `None` for a call through a pointer.
    pub callee: Option<String>,
    /// Its type, a [`crate::TypeKind::Function`].
    pub ty: TypeId,
    /// Position of the argument.
    pub position: u32,
    /// Only that the result goes where the argument was (`s = skip(s)`) says so; else the two are compared or subtracted.
    pub by_assignment: bool,
}

/// A parameter.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Param {
    /// Name, or `arg0` … where there is none.
    pub name: String,
    /// Type as the callee sees it (arrays decayed).
    pub ty: TypeId,
    /// `N` where the user wrote `T name[N]`.
    pub array_len: Option<u64>,
    /// Null is not allowed: `__attribute__((nonnull))` or `T name[static N]`.
    pub non_null: bool,
    /// Position of the parameter that counts the elements this one points to.
    pub length: Option<u32>,
    /// For a `void *`: what the unit casts it to.
    pub cast_to: Option<TypeId>,
    /// What it leads into the middle of.
    pub container: Option<Container>,
    /// Bytes behind it that the code reaches by constants; 0 if none.
    pub reach: u64,
    /// What the function's conditions ask of it.
    pub asked: Asked,
}

/// Something that a pointer leads into the middle of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Container {
    /// A record around what the pointer leads to; or the type of its elements, of which some are in front.
    pub ty: TypeId,
    /// Where the pointer leads in it, in bytes.
    pub offset: u64,
}

/// What conditions ask of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Asked {
    /// Whether it is null or zero.
    pub whether_null: bool,
    /// Whether it is one certain value.
    pub whether_equal: bool,
    /// Anything else, before the function goes on or not, as in `if (n > 3) return;`.
    pub how_much: bool,
}

impl Asked {
    /// Anything at all.
    pub fn anything(self) -> bool {
        self.whether_null || self.whether_equal || self.how_much
    }
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
    /// It has the value it begins with whenever a function of the file runs: `const`, or `static` and nothing writes it.
    pub is_fixed: bool,
    /// `volatile` at top level.
    pub is_volatile: bool,
    /// Each thread has its own, so it has no fixed address.
    pub is_thread_local: bool,
    /// Defined without a value and without `extern` or `static`: with `-fcommon` one of several such definitions.
    pub is_tentative: bool,
    /// `__attribute__((weak))`: another definition comes before it.
    pub is_weak: bool,
    /// The unit's own file can name it.
    pub is_named: bool,
}

/// A statement, for statement coverage.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Where it starts.
    pub place: Place,
    /// Line on which it ends; where it holds other statements (`if`, loops, `switch`), its head does.
    pub end_line: u32,
}

/// A `for`, `while` or `do`.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Where it starts.
    pub place: Place,
    /// Line and column just behind it.
    pub end: (u32, u32),
    /// Its head as the user wrote it, on one line, shortened if long.
    pub text: String,
}

/// A Boolean expression: the operand of `if`, `while`, `do`, `for` or `?:`, or `&&`, `||` used as a value. A `!` around
/// a whole `&&` or `||` is not part of it.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Its number.
    pub id: DecisionId,
    /// The function it belongs to.
    pub function: FunctionId,
    /// Where it begins.
    pub place: Place,
    /// Line on which it ends.
    pub end_line: u32,
    /// The source text, on one line, shortened if long.
    pub text: String,
    /// Its conditions, left to right.
    pub conditions: Vec<SiteId>,
    /// How they are joined.
    pub shape: BoolShape,
    /// `llvm-cov` counts its conditions for MC/DC: it has an `&&` or `||`, no further decision with one inside its
    /// conditions, no `!` over one, and is itself inside no such condition.
    pub mcdc: bool,
}

/// How the conditions of a decision are joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoolShape {
    /// A condition by its position in the decision.
    Condition(u32),
    /// An operand that the compiler folds.
    Constant(bool),
    /// `!`.
    Not(Box<BoolShape>),
    /// `&&`.
    And(Box<BoolShape>, Box<BoolShape>),
    /// `||`.
    Or(Box<BoolShape>, Box<BoolShape>),
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
    /// The lines it stands on; for the condition of a `for` all lines of its head.
    pub lines: RangeInclusive<u32>,
    /// The source text as the user wrote it, on one line, shortened if long.
    pub text: String,
    /// Which decision of the function it belongs to (conditions of one `a && b` share it), counted from 0.
    pub decision: u32,
    /// Position among the conditions of that decision, left to right.
    pub position: u32,
    /// It belongs to an `assert`.
    pub is_assertion: bool,
    /// It holds variables of the function to one another: `i < n`.
    pub is_relative: bool,
    /// One side of its `if` goes elsewhere: it refuses what does not suit.
    pub refuses: bool,
    /// What it decides over changes what it asks about: `if (n > 9) n = 9;`, `n > 9 ? 9 : n`.
    pub adjusts: bool,
    /// The lines of the statement or expression that it decides over.
    pub governs: RangeInclusive<u32>,
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
        /// The side it takes whatever happens, where its text alone says so.
        always: Option<bool>,
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

    /// Whether the C file itself has this function, or a header that it includes; else another file of the program has it.
    pub fn is_own(&self, id: FunctionId) -> bool {
        self.others.first().is_none_or(|other| id.0 < other.first.functions)
    }

    /// The functions of the C file itself and of its headers.
    pub fn own_functions(&self) -> &[Function] {
        let end = self.others.first().map_or(self.functions.len(), |other| other.first.functions as usize);
        &self.functions[..end]
    }

    /// The flags of all files of the program, the file's own first.
    pub fn link_flags(&self) -> Vec<String> {
        let mut flags = self.flags.clone();
        for other in self.others.iter().filter(|other| other.flags != self.flags) {
            flags.extend(other.flags.iter().cloned());
        }
        flags
    }

    /// The functions that a user may mean by a name: what stands in the file counts as well as what it becomes.
    pub fn functions_called<'m>(&'m self, name: &'m str) -> impl Iterator<Item = &'m Function> {
        self.functions.iter().filter(move |function| function.is_called(name))
    }

    /// A function by id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// A function and everything with a body that it may call, directly or not, itself first.
    pub fn reachable_functions(&self, from: FunctionId) -> Vec<FunctionId> {
        let mut seen = vec![false; self.functions.len()];
        let mut found = vec![from];
        seen[from.0 as usize] = true;
        let mut next = 0;
        while next < found.len() {
            for &callee in &self.function(found[next]).uses.functions {
                if !std::mem::replace(&mut seen[callee.0 as usize], true) {
                    found.push(callee);
                }
            }
            next += 1;
        }
        found
    }

    /// Variables that a function or something it calls uses, that may change, and that the unit's file cannot name: another file's
    /// own. No test of the file can set them.
    pub fn hidden_variables(&self, from: FunctionId) -> Vec<&Global> {
        let mut found: Vec<u32> = Vec::new();
        for function in self.reachable_functions(from) {
            found.extend(&self.function(function).uses.globals);
        }
        found.sort_unstable();
        found.dedup();
        let globals = found.into_iter().map(|index| &self.globals[index as usize]);
        globals.filter(|global| !global.is_named && !global.is_fixed).collect()
    }

    /// A decision by id.
    pub fn decision(&self, id: DecisionId) -> &Decision {
        &self.decisions[id.0 as usize]
    }

    /// The decisions of a function, in order.
    pub fn decisions_of(&self, function: FunctionId) -> impl Iterator<Item = &Decision> {
        self.decisions.iter().filter(move |decision| decision.function == function)
    }

    /// How many statements all functions have together.
    pub fn statement_count(&self) -> u32 {
        self.functions.last().map_or(0, |last| last.first_statement + last.statements.len() as u32)
    }

    /// A site by id.
    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }
}

impl Decision {
    /// Whether it joins conditions, so that how it is evaluated is recorded.
    pub fn is_compound(&self) -> bool {
        matches!(self.shape, BoolShape::And(..) | BoolShape::Or(..))
    }
}

impl Function {
    /// Whether a user may mean it by this name.
    pub fn is_called(&self, name: &str) -> bool {
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        self.name == name || self.written == plain(name)
    }
}

impl Site {
    /// False for an outcome that the text alone rules out.
    pub fn allows(&self, outcome: u32) -> bool {
        match self.kind {
            SiteKind::Condition { always: Some(always), .. } => outcome == u32::from(always),
            _ => true,
        }
    }

    /// How many ways this site can go.
    pub fn outcomes(&self) -> u32 {
        match &self.kind {
            SiteKind::Condition { .. } => 2,
            SiteKind::Switch { arms, .. } => arms.len() as u32,
        }
    }
}
