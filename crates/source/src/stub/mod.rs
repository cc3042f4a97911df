//! Stubs: functions that a test defines because the sources do not, or because their answers shall be inputs.
//!
//! Takes declarations of the model; gives plain data on what a stub returns, fills and sets. The instrumenter builds
//! stubs from it, and the suite writes them into tests, so both agree on every value.
//! Never: C text, arena addresses.

mod library;

use serde::{Deserialize, Serialize};
use tarka_library::{Answers, Bound, Errno, Fact, LibraryInput, Results};
use tarka_scenario::StubPart;

use crate::facts::names::{counts_bytes, is_count_name};
use crate::{
    DeclaredFunction, HandedFresh, LedInto, Param, SourceModel, TypeId, TypeKind, TypeTable, declare,
};

/// Most elements that a stub fills behind a pointer.
const MOST_ELEMENTS: u64 = 32;
/// Most bytes that a stub fills behind a pointer.
const MOST_BYTES: u64 = 4096;

/// Parts of the names of functions that give a string of their own.
const COPYING: &[&str] = &["dup", "alloc", "copy", "clone"];

/// A function that hands out input values, a fresh one for every call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stub {
    /// What it is called in C: the function's own name, or a made-up one (`stub_compare`) behind a function pointer.
    pub name: String,
    /// Why there is one.
    pub kind: StubKind,
    /// Its type, a [`crate::TypeKind::Function`].
    pub ty: TypeId,
    /// Result type.
    pub result: TypeId,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Takes `...`.
    pub is_variadic: bool,
    /// Never returns: ends the test.
    pub is_noreturn: bool,
    /// Objects it fills through its parameters.
    pub outs: Vec<StubOut>,
    /// It may set `errno`.
    pub sets_errno: bool,
    /// It gives fresh memory, all zero, as large as the product of the parameters at these positions. Empty for others. Behind a
    /// function pointer it may fail.
    pub allocates: Vec<u32>,
    /// The string parameter that its result leads into, as the unit uses it.
    pub leads_into: Option<u32>,
}

/// Why there is a stub.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StubKind {
    /// The sources use a function that nobody defines.
    Undefined,
    /// Something for a function pointer to point to.
    Pointer,
    /// A library function whose answers the user wants as inputs (`--env`).
    Library(LibraryInput),
}

/// An object that a stub fills.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StubOut {
    /// Position of the pointer parameter.
    pub position: u32,
    /// Type of an element.
    pub ty: TypeId,
    /// Most elements that are filled.
    pub count: u64,
    /// Position of the parameter that says how many there is room for.
    pub length: Option<u32>,
}

/// What a stub gives once its script is over, by the number of the call: something that ends the loops people write
/// around such functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Afterwards {
    /// Zeros: null, the end of the file.
    Zero,
    /// Always this number.
    Always(i64),
    /// One of these after the other, over and over.
    Cycle(Vec<i128>),
    /// The number of the call: numbers that nobody can wait for in vain.
    Count,
    /// Twice as much with every call: time passes.
    Rising,
    /// 0, 1/16, … 15/16, over and over.
    Sixteenths,
}

/// Most enumerators that a stub goes through.
const MOST_ENUMERATORS: usize = 32;
/// Numbers that end most loops: none left, failed, done.
const ENDING: [i128; 3] = [0, -1, 1];

impl Stub {
    /// What a part of a call is after the script.
    pub fn afterwards(&self, types: &TypeTable, part: StubPart) -> Afterwards {
        match (self.answers(), part) {
            (_, StubPart::Errno) => Afterwards::Zero,
            (Some(answers), part) => match (answers.input, answers.result.get(), part) {
                (LibraryInput::Time, _, StubPart::Out(_)) => Afterwards::Rising,
                (_, _, StubPart::Out(_)) => Afterwards::Zero,
                (LibraryInput::Time, Results::Any, _) => Afterwards::Rising,
                (LibraryInput::Rand, Results::Fraction, _) => Afterwards::Sixteenths,
                (LibraryInput::Rand, ..) => Afterwards::Count,
                // The end of the file.
                (LibraryInput::Read, Results::Between(first, _), _) => Afterwards::Always(first),
                _ => Afterwards::Zero,
            },
            (None, StubPart::Result) => ending(types, self.result),
            (None, StubPart::Out(position)) => {
                let out = self.outs.iter().find(|out| out.position == position && out.length.is_none());
                out.filter(|out| out.count == 1).map_or(Afterwards::Zero, |out| ending(types, out.ty))
            }
        }
    }

    /// Type of the value that stands for the result: mostly the result's own. Allocation answers 0 (works) or 1
    /// (fails), what gives an argument back 0 (null), 1 or, for a place in it, one more than the place, and `fgets` how many characters arrive (0: none, it returns null; `gets` one more). `None` where nothing is chosen.
    pub fn value_type(&self, types: &TypeTable) -> Option<TypeId> {
        match self.kind {
            _ if self.may_fail_to_allocate() || self.gives_back(types).is_some() => types.int(),
            _ if self.is_noreturn || !self.allocates.is_empty() || types.is_void(self.result) => None,
            _ => match self.answers().map(|answers| answers.result.get()) {
                Some(Results::Memory | Results::Line { .. }) => types.int(),
                _ => Some(self.result),
            },
        }
    }

    /// Whether it gives fresh memory, or null where its value says so.
    pub fn may_fail_to_allocate(&self) -> bool {
        self.kind == StubKind::Pointer && !self.allocates.is_empty()
    }

    /// The parameter that it returns, where that is a buffer of known room and of the result's type, as `fgets` does: null, or
    /// that very buffer, filled. A small array of characters without a parameter for its size, or a string that the unit takes
    /// the result for a part of: null, or a place in it.
    pub fn gives_back(&self, types: &TypeTable) -> Option<u32> {
        if matches!(self.kind, StubKind::Library(_)) {
            return None;
        }
        let to = types.pointee(self.result)?;
        let is_it = |out: &&StubOut| {
            let buffer = types.pointee(self.params[out.position as usize].ty);
            let has_room = out.length.is_some() || out.count > 1 && types.is_char(to);
            has_room && buffer.is_some_and(|buffer| types.same_type(buffer, to))
        };
        self.outs.iter().find(is_it).map(|out| out.position).or(self.leads_into)
    }

    /// Where what it gives back may be any place in the argument: the array that it fills, or nothing for a string, which
    /// ends where it ends.
    pub fn gives_place(&self, types: &TypeTable) -> Option<(u32, Option<&StubOut>)> {
        let position = self.gives_back(types)?;
        let filled = self.outs.iter().find(|out| out.position == position);
        filled.is_none_or(|out| out.length.is_none()).then_some((position, filled))
    }

    /// What a library function may answer.
    pub fn answers(&self) -> Option<&'static Answers> {
        matches!(self.kind, StubKind::Library(_)).then(|| tarka_library::answers(&self.name)).flatten()
    }

    /// First and last of the numbers that a library function may give, where they are fewer than their type has. What a
    /// parameter limits is not limited here.
    pub fn numbers(&self, types: &TypeTable, part: StubPart) -> Option<Fact<(i64, i64)>> {
        let answers = self.answers()?;
        match part {
            StubPart::Errno => Some(Errno::VALUES),
            StubPart::Out(_) => None,
            StubPart::Result => {
                let (least, most) = types.limits(self.value_type(types)?)?;
                answers.result.numbers()?.within(least, most)
            }
        }
    }

    /// How much of what it could write behind its parameters is input; `None` if all.
    pub fn bound(&self) -> Option<Bound> {
        if !self.allocates.is_empty() {
            return Some(Bound { does: "fills", most: 0, of: "bytes" });
        }
        let counted = || self.outs.iter().find(|out| out.length.is_some());
        let elements = || Some(Bound { does: "fills", most: counted()?.count, of: "elements" });
        self.answers().and_then(|answers| answers.delivers).or_else(elements)
    }
}

/// A stub for a function that the sources mention and nobody defines; else why there can be none.
pub fn plan_undefined(model: &SourceModel, function: &DeclaredFunction) -> Result<Stub, String> {
    let mut stub = Stub {
        name: function.name.clone(),
        kind: StubKind::Undefined,
        ty: function.ty,
        result: function.result,
        params: function.params.clone(),
        is_variadic: function.is_variadic,
        is_noreturn: function.is_noreturn,
        outs: Vec::new(),
        sets_errno: model.mentions_errno && !function.is_noreturn && function.allocates.is_empty(),
        allocates: function.allocates.clone(),
        leads_into: None,
    };
    check(model, &stub)?;
    if !stub.is_noreturn && stub.allocates.is_empty() {
        add_outs(model, &mut stub);
        stub.leads_into = leads_into(model, &stub);
    }
    Ok(stub)
}

/// A stub for pointers of a function type (or of a pointer to one) to point to; else why there can be none.
pub fn plan_pointer(model: &SourceModel, function_type: TypeId, name: String) -> Result<Stub, String> {
    let types = &model.types;
    let ty = types.pointee(function_type).unwrap_or(function_type);
    let TypeKind::Function { result, params, is_variadic } = &types.get(ty).kind else {
        return Err(format!("{} is no function type", types.describe(function_type)));
    };
    let param =
        |(number, ty): (usize, &TypeId)| Param { name: format!("arg{number}"), ty: *ty, ..Param::default() };
    let mut stub = Stub {
        name,
        kind: StubKind::Pointer,
        ty,
        result: *result,
        params: params.iter().enumerate().map(param).collect(),
        // Without a named parameter it was declared `f()`, which C defines without `...`.
        is_variadic: *is_variadic && !params.is_empty(),
        is_noreturn: types.get(ty).spelling.contains("noreturn"),
        outs: Vec::new(),
        sets_errno: model.mentions_errno,
        allocates: Vec::new(),
        leads_into: None,
    };
    check(model, &stub)?;
    stub.allocates = sizes_by_name(types, &stub);
    if stub.is_noreturn {
        stub.sets_errno = false;
    } else if stub.allocates.is_empty() {
        add_outs(model, &mut stub);
        stub.leads_into = leads_into(model, &stub);
    }
    Ok(stub)
}

/// The parameters whose product is the size of what a function gives that is called an allocator (`allocate`, `malloc_fcn`,
/// `zalloc`): the integers of one that takes them and perhaps something of the caller's, and gives raw memory. Not one
/// that moves memory: what was there before would be gone.
fn sizes_by_name(types: &TypeTable, stub: &Stub) -> Vec<u32> {
    let name = stub.name.to_lowercase();
    let gives_memory = types.pointee(stub.result).is_some_and(|to| types.is_void(to));
    let is_other = |param: &&Param| {
        !types.is_integer(param.ty) && types.pointee(param.ty).is_none_or(|to| !types.is_void(to))
    };
    let is_called_so = name.contains("alloc") && !name.contains("realloc");
    let integers = (0..).zip(&stub.params).filter(|(_, param)| types.is_integer(param.ty));
    let sizes: Vec<u32> = integers.map(|(position, _)| position).collect();
    let is_one = gives_memory && is_called_so && !stub.is_variadic && !stub.is_noreturn;
    let fits = matches!(sizes.len(), 1 | 2) && stub.params.iter().find(is_other).is_none();
    if is_one && fits { sizes } else { Vec::new() }
}

/// A stub for a library function whose answers are inputs; `None` where it does not belong to `input`, or where the
/// file declares something else under its name.
pub fn plan_library(model: &SourceModel, function: &DeclaredFunction, input: LibraryInput) -> Option<Stub> {
    let answers = tarka_library::answers(&function.name).filter(|answers| answers.input == input)?;
    let outs = library::outs(&model.types, function, answers)?;
    Some(Stub {
        name: function.name.clone(),
        kind: StubKind::Library(input),
        ty: function.ty,
        result: function.result,
        params: function.params.clone(),
        is_variadic: function.is_variadic,
        is_noreturn: false,
        outs,
        sets_errno: model.mentions_errno && answers.errno.get() != Errno::Untouched,
        allocates: Vec::new(),
        leads_into: None,
    })
}

/// Which input the answers of a library function belong to.
pub fn library_input_of(function_name: &str) -> Option<LibraryInput> {
    tarka_library::answers(function_name).map(|answers| answers.input)
}

/// Numbers of a type that end loops.
fn ending(types: &TypeTable, ty: TypeId) -> Afterwards {
    match &types.get(ty).kind {
        TypeKind::Bool => Afterwards::Cycle(vec![0, 1]),
        TypeKind::Enum { enumerators, .. } if !enumerators.is_empty() => {
            let values = enumerators.iter().take(MOST_ENUMERATORS).map(|(_, value)| *value);
            Afterwards::Cycle(values.collect())
        }
        TypeKind::Int { .. } | TypeKind::Float { .. } => Afterwards::Cycle(ENDING.to_vec()),
        _ => Afterwards::Zero,
    }
}

/// C must be able to define the function, and there must be a result to give.
fn check(model: &SourceModel, stub: &Stub) -> Result<(), String> {
    let types = &model.types;
    if !types.is_void(stub.result) {
        if !types.is_object(stub.result) {
            let shown = types.describe(stub.result);
            let why = match types.get(stub.result).kind {
                TypeKind::Incomplete => "which is declared but not defined here",
                _ => "which Tarka cannot make values of",
            };
            return Err(format!("{} returns {shown}, {why}", stub.name));
        }
        if declare(types, stub.result, "x").is_none() {
            return Err(format!("{} returns a type without a name", stub.name));
        }
    }
    for (number, param) in stub.params.iter().enumerate() {
        if declare(types, param.ty, &param.name).is_none() {
            let number = number + 1;
            return Err(format!("parameter {number} of {} has a type that C cannot name here", stub.name));
        }
    }
    Ok(())
}

/// A pointer to one number that is not `const` is there to be written through. A record, a pointer or a buffer belongs to
/// the caller, who may have put into it what must stay: such is written only where some call hands over one that is fresh.
fn add_outs(model: &SourceModel, stub: &mut Stub) {
    let types = &model.types;
    for (position, param) in stub.params.iter().enumerate() {
        let TypeKind::Pointer { to, to_const: false } = types.get(param.ty).kind else { continue };
        let is_untyped = types.is_void(to);
        let element = if is_untyped { types.byte() } else { Some(to) };
        let Some(element) = element else { continue };
        if !types.is_object(element) {
            continue;
        }
        let size = types.get(element).size;
        let length = length_of(types, &stub.params, position)
            .or_else(|| handed_fresh(model, stub, position as u32).find_map(|handed| handed.room));
        let count = match (length, param.array_len) {
            (Some(_), _) => MOST_ELEMENTS.min(MOST_BYTES / size),
            (None, Some(len)) => len.min(MOST_BYTES / size),
            (None, None) if types.is_char(to) => array_given_back(model, stub, position as u32).unwrap_or(0),
            // Text or raw memory of unknown size: anything written may be too much.
            (None, None) if is_untyped || types.is_char(to) => 0,
            (None, None) => 1.min(MOST_BYTES / size),
        };
        let is_number = length.is_none()
            && param.array_len.is_none()
            && !matches!(
                types.get(element).kind,
                TypeKind::Record { .. } | TypeKind::Array { .. } | TypeKind::Pointer { .. }
            );
        let is_handed_fresh = || handed_fresh(model, stub, position as u32).next().is_some();
        if count > 0 && (is_number || is_handed_fresh()) {
            stub.outs.push(StubOut { position: position as u32, ty: element, count, length });
        }
    }
}

/// Elements of the smallest array that is handed over there, if every call hands over one, some a fresh one, and the result may
/// be a place in it: what writes a number from its last digit on. Larger ones hold more than such a function writes.
fn array_given_back(model: &SourceModel, stub: &Stub, position: u32) -> Option<u64> {
    let types = &model.types;
    let (result, to) = (types.pointee(stub.result)?, types.pointee(stub.params[position as usize].ty)?);
    let least = handed_fresh(model, stub, position).find_map(|handed| handed.elements)?;
    (stub.kind == StubKind::Undefined && types.same_type(result, to) && (2..=MOST_ELEMENTS).contains(&least))
        .then_some(least)
}

/// The string parameter that the result leads into, as the unit uses it. What copies is called so; one that promises not to
/// write the string and gives one that may be written copies it, unless the unit measures one by the other.
fn leads_into(model: &SourceModel, stub: &Stub) -> Option<u32> {
    let types = &model.types;
    let name = stub.name.to_lowercase();
    if COPYING.iter().any(|part| name.contains(part)) {
        return None;
    }
    let TypeKind::Pointer { to: result, to_const: result_const } = types.get(stub.result).kind else {
        return None;
    };
    let is_it = |led: &&LedInto| {
        let is_meant = match &led.callee {
            Some(name) => stub.kind == StubKind::Undefined && *name == stub.name,
            None => stub.kind == StubKind::Pointer && types.same_type(led.ty, stub.ty),
        };
        let param = stub.params.get(led.position as usize).map(|param| &types.get(param.ty).kind);
        let Some(&TypeKind::Pointer { to, to_const }) = param else { return false };
        let is_string = types.is_char(to) && types.same_type(to, result);
        let may_copy = led.by_assignment && to_const && !result_const;
        is_meant && is_string && !may_copy && !stub.outs.iter().any(|out| out.position == led.position)
    };
    model.led_into.iter().find(is_it).map(|led| led.position)
}

/// The calls that hand over uninitialised memory there.
fn handed_fresh<'m>(
    model: &'m SourceModel,
    stub: &'m Stub,
    position: u32,
) -> impl Iterator<Item = &'m HandedFresh> {
    let is_meant = move |handed: &&HandedFresh| match &handed.callee {
        _ if handed.position != position => false,
        Some(name) => stub.kind == StubKind::Undefined && *name == stub.name,
        None => stub.kind == StubKind::Pointer && model.types.same_type(handed.ty, stub.ty),
    };
    model.handed_fresh.iter().filter(is_meant)
}

/// The parameter that says how many elements there is room for: declared so, or named so and beside the pointer.
fn length_of(types: &TypeTable, params: &[Param], position: usize) -> Option<u32> {
    let param = &params[position];
    if param.length.is_some() {
        return param.length;
    }
    let to = types.pointee(param.ty)?;
    let is_bytes = types.is_void(to) || types.get(to).size == 1;
    let counts = |beside: usize| {
        let Some(count) = params.get(beside).filter(|count| types.is_integer(count.ty)) else { return false };
        // A size in bytes says little about elements of another size.
        let is_named = is_count_name(&count.name) && (is_bytes || !counts_bytes(&count.name));
        let is_unnamed_size =
            count.name == format!("arg{beside}") && types.get(count.ty).spelling == "size_t";
        is_named || is_bytes && is_unnamed_size
    };
    let after = position + 1;
    let before = position.checked_sub(1);
    [Some(after), before].into_iter().flatten().find(|&beside| counts(beside)).map(|beside| beside as u32)
}
