//! Stubs of library functions whose answers can be inputs: what the table says, in the types of a program.
//!
//! Takes declarations; gives the parts of a [`crate::Stub`]. Never: what the functions do (the table says it), what the
//! user's own functions do.

use tarka_library::{Answers, Fills, Results};

use crate::{DeclaredFunction, StubOut, TypeKind, TypeTable};

/// What the function fills; `None` where its declaration is not that of the library.
pub fn outs(types: &TypeTable, function: &DeclaredFunction, answers: &Answers) -> Option<Vec<StubOut>> {
    let result = answers.result.get();
    if function.params.len() != answers.params || !returns(types, function, result) {
        return None;
    }
    let param = |position: u32| function.params.get(position as usize);
    for position in numbers_among_parameters(result) {
        param(position).filter(|number| types.is_integer(number.ty))?;
    }
    let out = match answers.fills.get() {
        Fills::Nothing => return Some(Vec::new()),
        Fills::Result(position) => {
            types.pointee(param(position)?.ty)?;
            return Some(Vec::new());
        }
        Fills::Objects(position, count) => {
            let ty = types.pointee(param(position)?.ty).filter(|to| types.is_object(*to))?;
            StubOut { position, ty, count, length: None }
        }
        Fills::Arriving(position) => {
            types.pointee(param(position)?.ty)?;
            let count = answers.delivers.map_or(0, |bound| bound.most);
            StubOut { position, ty: types.byte()?, count, length: room(result) }
        }
    };
    Some(vec![out])
}

fn returns(types: &TypeTable, function: &DeclaredFunction, result: Results) -> bool {
    match types.get(function.result).kind {
        TypeKind::Pointer { .. } => result.is_pointer(),
        TypeKind::Float { .. } => result == Results::Fraction,
        _ => types.is_integer(function.result) && !result.is_pointer() && result != Results::Fraction,
    }
}

/// The parameter that says how much there is room for.
fn room(result: Results) -> Option<u32> {
    match result {
        Results::UpTo { most, .. } | Results::Items { most, .. } => Some(most),
        Results::Line { room } => room,
        _ => None,
    }
}

fn numbers_among_parameters(result: Results) -> Vec<u32> {
    let more = match result {
        Results::UpTo { beyond, .. } => beyond.map(|(flags, _)| flags),
        Results::Items { size, .. } => Some(size),
        _ => None,
    };
    room(result).into_iter().chain(more).collect()
}
