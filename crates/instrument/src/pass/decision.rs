//! Probes of decisions and statements.
//!
//! ```text
//! %b = call i32 @__tk_begin(i32 5)
//! %c = call i32 @__tk_cond(i32 3, i32 %v)            ; second condition of decision 5
//! %d = call i32 @__tk_decision(i32 5, i32 %r)
//! call void @__tk_stmt(i32 7)
//! ```
//! becomes
//! ```text
//! %values = alloca i32                               ; in the entry block, soon a register
//! %evaluated = alloca i32
//! store i32 0, ptr %values
//! store i32 0, ptr %evaluated
//! %values |= %v << 1                                 ; after what the condition itself becomes
//! %evaluated |= 1 << 1
//! call void @tkf_evaluation(i32 5, i32 %values, i32 %evaluated, i32 %r != 0)
//! call void @tkf_statement(i32 COVERAGE)
//! ```
//! An evaluation lives in the frame of the function that evaluates: recursion has another frame, and what `longjmp` leaves
//! is gone with its frame. More than 32 conditions take several words, in an array that the runtime reads.

use super::{Body, LLVMOpcode, Value};
use crate::ir::LLVMIntPredicate;

/// Conditions that one record speaks of.
const CHUNK: u32 = 32;

/// Where the evaluation of one decision is kept.
pub(super) struct Evaluation {
    /// Values and evaluated bits of each chunk of conditions.
    words: Vec<[Value; 2]>,
}

impl Body<'_, '_> {
    /// `__tk_begin(decision)`.
    pub(super) fn begin_probe(&mut self, call: Value) {
        let decision = number(call);
        let chunks = self.pass.sites.condition_count(decision).div_ceil(CHUNK);
        if !self.evaluations.contains_key(&decision) {
            let evaluation = self.new_evaluation(chunks);
            self.evaluations.insert(decision, evaluation);
            self.before(call);
        }
        let pass = &*self.pass;
        for word in self.evaluations[&decision].words.iter().flatten() {
            pass.store(pass.u32(0), *word);
        }
        call.replace_uses(pass.u32(0));
        self.dead.push(call);
    }

    /// Room in the frame: of a long decision one array, so that the words lie in a row.
    fn new_evaluation(&self, chunks: u32) -> Evaluation {
        let entry = self.function.reverse_post_order().into_iter().next();
        if let Some(first) = entry.and_then(|block| block.instructions().into_iter().next()) {
            self.before(first);
        }
        let pass = &*self.pass;
        let word = pass.types.i32;
        let words = if chunks <= 1 {
            vec![[pass.alloca(word), pass.alloca(word)]]
        } else {
            let array = pass.alloca(word.array(2 * chunks));
            let at = |index: u32| pass.offset(array, 4 * u64::from(index));
            (0..chunks).map(|chunk| [at(2 * chunk), at(2 * chunk + 1)]).collect()
        };
        Evaluation { words }
    }

    /// Notes the value of a condition in the evaluation of its decision.
    pub(super) fn note_condition(&self, site: u32, value: Value) {
        let Some((decision, position)) = self.pass.sites.condition(site) else { return };
        let words = self.evaluations.get(&decision).map(|evaluation| &evaluation.words);
        let Some([values, evaluated]) = words.and_then(|words| words.get((position / CHUNK) as usize)) else {
            return;
        };
        let bit = position % CHUNK;
        let shifted = self.pass.op(LLVMOpcode::LLVMShl, value, self.pass.u32(bit));
        self.add_bits(*values, shifted);
        self.add_bits(*evaluated, self.pass.u32(1 << bit));
    }

    fn add_bits(&self, word: Value, bits: Value) {
        let pass = &*self.pass;
        let known = pass.load(pass.types.i32, word);
        pass.store(pass.op(LLVMOpcode::LLVMOr, known, bits), word);
    }

    /// `__tk_decision(decision, result)`.
    pub(super) fn decision_probe(&mut self, call: Value) {
        let (decision, result) = (number(call), call.operand(1));
        if let Some(evaluation) = self.evaluations.get(&decision) {
            let pass = &*self.pass;
            let truth = pass.compare(LLVMIntPredicate::LLVMIntNE, result, result.ty().null());
            let truth = pass.resize(truth, pass.types.i32);
            match evaluation.words.as_slice() {
                [[values, evaluated]] => {
                    let [values, evaluated] =
                        [values, evaluated].map(|word| pass.load(pass.types.i32, *word));
                    pass.hook("tkf_evaluation", &[pass.u32(decision), values, evaluated, truth]);
                }
                words => {
                    let (decision, chunks) = (pass.u32(decision), pass.u32(words.len() as u32));
                    pass.hook("tk_long_evaluation", &[decision, chunks, words[0][0], truth]);
                }
            }
        }
        // What the conditions pinned needs no copy, and what they did not pin keeps its label.
        call.replace_uses(result);
        self.dead.push(call);
    }

    /// `__tk_stmt(statement)`.
    pub(super) fn statement_probe(&mut self, call: Value) {
        if let Some(index) = self.pass.sites.statement(number(call)) {
            self.pass.hook("tkf_statement", &[self.pass.u32(index)]);
        }
        self.dead.push(call);
    }
}

/// The number a probe is given.
fn number(call: Value) -> u32 {
    call.operand(0).constant_u64().unwrap_or(u64::MAX) as u32
}
