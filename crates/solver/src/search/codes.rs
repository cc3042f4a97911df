//! Programs by their shape: questions that differ in constants and input bytes only share what was found out about one.

use super::program::{Code, Shape};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::Arc;

/// Instructions of all programs that are kept; beyond that the memory starts anew.
const CAPACITY: usize = 1_000_000;

/// The known programs.
#[derive(Debug, Default)]
pub(crate) struct Codes {
    by_shape: FxHashMap<u64, Arc<Code>>,
    instructions: usize,
}

impl Codes {
    /// The program of this shape, new or known.
    pub(crate) fn of(&mut self, shape: Shape) -> Arc<Code> {
        let key = FxBuildHasher.hash_one(&shape);
        if let Some(code) = self.by_shape.get(&key).filter(|code| code.shape == shape) {
            return code.clone();
        }
        self.instructions += shape.code.len();
        if self.instructions > CAPACITY {
            self.by_shape.clear();
            self.instructions = shape.code.len();
        }
        let code = Arc::new(Code::new(shape));
        self.by_shape.insert(key, code.clone());
        code
    }
}

#[cfg(test)]
mod tests {
    use super::super::compile::Compiler;
    use super::*;
    use tarka_terms::{BinaryOp, Terms};

    #[test]
    fn constants_and_byte_numbers_do_not_make_another_program() {
        let (mut t, mut compiler, mut codes) = (Terms::new(), Compiler::default(), Codes::default());
        let mut code = |byte: u32, op: BinaryOp, limit: u128| {
            let (low, high) = (t.input(byte), t.input(byte + 1));
            let (word, limit) = (t.concat(high, low), t.constant(16, limit));
            let clause = t.binary(op, word, limit);
            let (shape, data) = compiler.compile(&t, [clause].into_iter(), 100).unwrap();
            (codes.of(shape), data)
        };
        let ((one, data), (two, other_data)) = (code(0, BinaryOp::Ult, 77), code(40, BinaryOp::Ult, 1_000));
        assert!(Arc::ptr_eq(&one, &two));
        assert_eq!(one.shape.code.len(), 3, "a load, a constant and the comparison");
        assert_eq!((data.constants, data.inputs), (vec![77], vec![0, 1]));
        assert_eq!((other_data.constants, other_data.inputs), (vec![1_000], vec![40, 41]));
        let (signed, _) = code(0, BinaryOp::Slt, 77);
        assert!(!Arc::ptr_eq(&one, &signed));
    }
}
