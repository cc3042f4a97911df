//! What each call of a stub takes from the input, and where it lies.
//!
//! Takes the stubs of a build; gives one frame that holds the values of one call of every stub. The frames of later
//! calls follow at a fixed stride, so the address of any value is `base + call * stride + offset`.

use tarka_source::{SourceModel, Stub, StubPart, TypeId};

use super::layout::ALIGNMENT;

/// One value of a stub's call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StubValue {
    pub(crate) part: StubPart,
    /// Type of the value, or of one element of it.
    pub(crate) ty: TypeId,
    /// Bytes of all elements.
    pub(crate) size: u64,
    /// Offset in the frame.
    pub(crate) offset: u32,
}

/// The values of one call of every stub.
#[derive(Clone, Default, Debug)]
pub(crate) struct StubFrame {
    /// By stub.
    pub(crate) values: Vec<Vec<StubValue>>,
    /// Bytes of the frame.
    pub(crate) stride: u32,
}

impl StubFrame {
    pub(crate) fn of(model: &SourceModel, stubs: &[Stub]) -> StubFrame {
        let mut next = 0_u64;
        let values = stubs
            .iter()
            .map(|stub| {
                parts(model, stub)
                    .into_iter()
                    .map(|(part, ty, count)| {
                        let size = model.types.get(ty).size * count;
                        let offset = next as u32;
                        next = (next + size.max(1)).next_multiple_of(ALIGNMENT);
                        StubValue { part, ty, size, offset }
                    })
                    .collect()
            })
            .collect();
        StubFrame { values, stride: next as u32 }
    }
}

/// The parts of a stub's call with their type and number of elements.
fn parts(model: &SourceModel, stub: &Stub) -> Vec<(StubPart, TypeId, u64)> {
    let mut parts = Vec::new();
    if let Some(ty) = stub.value_type(&model.types) {
        parts.push((StubPart::Result, ty, 1));
    }
    for out in &stub.outs {
        parts.push((StubPart::Out(out.position), out.ty, out.count));
    }
    if stub.sets_errno {
        parts.extend(model.types.int().map(|int| (StubPart::Errno, int, 1)));
    }
    parts
}
