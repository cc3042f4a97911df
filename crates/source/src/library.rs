//! Library functions whose answers can be inputs: what they fill and what they may return.
//!
//! Takes names and declarations; gives the parts of a [`crate::Stub`]. Never: what the user's own functions do.

use crate::{DeclaredFunction, LibraryInput, StubOut, TypeKind, TypeTable};

/// Most bytes that one call of a reading function delivers.
const MOST_BYTES: u64 = 32;

/// A buffer that a function fills.
#[derive(Clone, Copy)]
enum Fills {
    /// Nothing, or only what follows from its result (`time`).
    Nothing,
    /// A single object behind the parameter at this position.
    One(u32),
    /// Bytes behind the first position, at most as many as the parameter at the second says.
    Bytes(u32, u32),
}

/// One function.
struct Known {
    name: &'static str,
    input: LibraryInput,
    /// How many parameters it has.
    params: usize,
    fills: Fills,
    /// Smallest and largest result, where that is not the whole type.
    range: Option<(i128, i128)>,
    sets_errno: bool,
}

const fn known(name: &'static str, input: LibraryInput, params: usize) -> Known {
    Known { name, input, params, fills: Fills::Nothing, range: None, sets_errno: false }
}

const fn reads(name: &'static str, params: usize, buffer: u32, length: u32, sets_errno: bool) -> Known {
    let range = Some((if sets_errno { -1 } else { 0 }, i64::MAX as i128));
    Known {
        fills: Fills::Bytes(buffer, length),
        range,
        sets_errno,
        ..known(name, LibraryInput::Read, params)
    }
}

const fn character(name: &'static str, params: usize) -> Known {
    Known { range: Some((-1, 255)), ..known(name, LibraryInput::Read, params) }
}

const fn random(name: &'static str, params: usize, low: i128) -> Known {
    Known { range: Some((low, i32::MAX as i128)), ..known(name, LibraryInput::Rand, params) }
}

const fn fails_or_fills(name: &'static str, params: usize, position: u32) -> Known {
    Known {
        fills: Fills::One(position),
        range: Some((-1, 0)),
        sets_errno: true,
        ..known(name, LibraryInput::Time, params)
    }
}

/// Every function there is a stub for.
static KNOWN: &[Known] = &[
    known("time", LibraryInput::Time, 1),
    known("clock", LibraryInput::Time, 0),
    fails_or_fills("gettimeofday", 2, 0),
    fails_or_fills("clock_gettime", 2, 1),
    random("rand", 0, 0),
    random("random", 0, 0),
    random("rand_r", 1, 0),
    random("lrand48", 0, 0),
    random("mrand48", 0, i32::MIN as i128),
    known("getenv", LibraryInput::Getenv, 1),
    known("secure_getenv", LibraryInput::Getenv, 1),
    known("malloc", LibraryInput::Alloc, 1),
    known("calloc", LibraryInput::Alloc, 2),
    known("realloc", LibraryInput::Alloc, 2),
    known("reallocarray", LibraryInput::Alloc, 3),
    known("aligned_alloc", LibraryInput::Alloc, 2),
    known("strdup", LibraryInput::Alloc, 1),
    known("strndup", LibraryInput::Alloc, 2),
    reads("read", 3, 1, 2, true),
    reads("pread", 4, 1, 2, true),
    reads("recv", 4, 1, 2, true),
    reads("recvfrom", 6, 1, 2, true),
    reads("fread", 4, 0, 2, false),
    // The number of characters; -1 at the end of the file.
    Known { range: Some((-1, i32::MAX as i128)), ..reads("fgets", 3, 0, 1, false) },
    character("fgetc", 1),
    character("getc", 1),
    character("getchar", 0),
];

fn find(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name)
}

/// Which input the function's answers belong to.
pub fn input_of(name: &str) -> Option<LibraryInput> {
    find(name).map(|known| known.input)
}

/// Smallest and largest result.
pub fn result_range(name: &str) -> Option<(i128, i128)> {
    find(name).and_then(|known| known.range)
}

/// It tells by `errno` why it failed.
pub fn sets_errno(name: &str) -> bool {
    find(name).is_some_and(|known| known.sets_errno)
}

/// What the function fills; `None` where its declaration is not that of the library.
pub fn outs(types: &TypeTable, function: &DeclaredFunction) -> Option<Vec<StubOut>> {
    let known = find(&function.name)?;
    if function.params.len() != known.params || !returns_as_expected(types, function, known) {
        return None;
    }
    let param = |position: u32| function.params.get(position as usize);
    let out = match known.fills {
        Fills::Nothing => return Some(Vec::new()),
        Fills::One(position) => {
            let ty = types.pointee(param(position)?.ty).filter(|to| types.is_object(*to))?;
            StubOut { position, ty, count: 1, length: None }
        }
        Fills::Bytes(position, length) => {
            types.pointee(param(position)?.ty)?;
            param(length).filter(|length| types.is_integer(length.ty))?;
            StubOut { position, ty: types.byte()?, count: MOST_BYTES, length: Some(length) }
        }
    };
    Some(vec![out])
}

fn returns_as_expected(types: &TypeTable, function: &DeclaredFunction, known: &Known) -> bool {
    let is_pointer = matches!(types.get(function.result).kind, TypeKind::Pointer { .. });
    let gives_pointer =
        matches!(known.input, LibraryInput::Alloc | LibraryInput::Getenv) || known.name == "fgets";
    if gives_pointer { is_pointer } else { types.is_integer(function.result) }
}
