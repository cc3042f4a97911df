//! What a value consists of: its leaves.
//!
//! Takes an IR type, gives its scalar leaves in memory order. A scalar is one leaf; a struct, array or vector is the
//! leaves of its elements. Every leaf has one label beside it, so an aggregate of n leaves travels with n labels.

use super::Pass;
use crate::ir::{LLVMTypeKind, Type};

/// One scalar of a value.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// Its type.
    pub ty: Type,
    /// Bytes from the start of the whole value in memory.
    pub offset: u64,
    /// How `extractvalue` reaches it (empty for a scalar or the lane of a plain vector).
    pub path: Vec<u32>,
    /// The lane, if the last step is into a vector.
    pub lane: Option<u32>,
}

/// How a scalar is represented in nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scalar {
    /// Integer of 1 to 128 bits.
    Int(u32),
    /// `float`, `double` or `long double` (80 bits, the x87 format).
    Float(u32),
    /// Pointer, 64 bits.
    Pointer,
    /// Anything else: never labelled.
    Opaque,
}

impl Scalar {
    /// Width of its bit pattern in nodes; 0 for what has none.
    pub(crate) fn width(self) -> u32 {
        match self {
            Scalar::Int(bits) | Scalar::Float(bits) => bits,
            Scalar::Pointer => 64,
            Scalar::Opaque => 0,
        }
    }
}

/// Classifies a type that is not an aggregate.
pub(crate) fn scalar(ty: Type) -> Scalar {
    use LLVMTypeKind::*;
    match ty.kind() {
        LLVMIntegerTypeKind => match ty.int_bits() {
            Some(bits) if bits <= 128 => Scalar::Int(bits),
            _ => Scalar::Opaque,
        },
        LLVMFloatTypeKind => Scalar::Float(32),
        LLVMDoubleTypeKind => Scalar::Float(64),
        LLVMX86_FP80TypeKind => Scalar::Float(80),
        LLVMPointerTypeKind => Scalar::Pointer,
        _ => Scalar::Opaque,
    }
}

/// How many leaves a type has.
pub(crate) fn leaf_count(ty: Type) -> usize {
    use LLVMTypeKind::*;
    match ty.kind() {
        LLVMStructTypeKind => ty.struct_fields().into_iter().map(leaf_count).sum(),
        LLVMArrayTypeKind => ty.array_length() as usize * leaf_count(ty.element()),
        LLVMVectorTypeKind => ty.vector_length() as usize,
        LLVMVoidTypeKind | LLVMLabelTypeKind | LLVMMetadataTypeKind | LLVMTokenTypeKind
        | LLVMFunctionTypeKind => 0,
        _ => 1,
    }
}

/// Index of the first leaf, and number of leaves, of the part of `ty` that `indices` select.
pub(crate) fn leaf_range(mut ty: Type, indices: &[u32]) -> (usize, usize) {
    let mut first = 0;
    for &index in indices {
        if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
            let fields = ty.struct_fields();
            first += fields[..index as usize].iter().map(|field| leaf_count(*field)).sum::<usize>();
            ty = fields[index as usize];
        } else {
            ty = ty.element();
            first += index as usize * leaf_count(ty);
        }
    }
    (first, leaf_count(ty))
}

impl Pass<'_> {
    /// The leaves of a type, in memory order.
    pub(crate) fn leaves(&self, ty: Type) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect_leaves(ty, 0, &mut Vec::new(), &mut leaves);
        leaves
    }

    fn collect_leaves(&self, ty: Type, offset: u64, path: &mut Vec<u32>, leaves: &mut Vec<Leaf>) {
        use LLVMTypeKind::*;
        match ty.kind() {
            LLVMStructTypeKind => {
                for (index, field) in ty.struct_fields().into_iter().enumerate() {
                    path.push(index as u32);
                    let field_offset = self.layout.field_offset(ty, index as u32);
                    self.collect_leaves(field, offset + field_offset, path, leaves);
                    path.pop();
                }
            }
            LLVMArrayTypeKind => {
                let step = self.layout.alloc_size(ty.element());
                for index in 0..ty.array_length() {
                    path.push(index as u32);
                    self.collect_leaves(ty.element(), offset + index * step, path, leaves);
                    path.pop();
                }
            }
            LLVMVectorTypeKind => {
                let step = self.layout.store_size(ty.element());
                for lane in 0..ty.vector_length() {
                    leaves.push(Leaf {
                        ty: ty.element(),
                        offset: offset + u64::from(lane) * step,
                        path: path.clone(),
                        lane: Some(lane),
                    });
                }
            }
            _ if ty.is_value() => leaves.push(Leaf { ty, offset, path: path.clone(), lane: None }),
            _ => {}
        }
    }
}
