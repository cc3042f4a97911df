//! What is written is read back as the same question, and text that is not ours is refused with its line.

use super::*;
use tarka_terms::{BinaryOp::*, ConvertOp, Evaluator, Term, Terms, UnaryOp, predicate};

fn text_of(terms: &Terms, prefix: &[Term], flipped: Term) -> String {
    let asked = Asked { source: "here", prefix, flipped, current: &|_| 7, status: Status::Sat };
    let block = write(terms, &asked, usize::MAX).expect("small enough");
    format!("{HEADER}{block}")
}

/// Writes and reads a question; both are the same on many inputs.
fn there_and_back(terms: &Terms, clause: Term) -> Recorded {
    let text = text_of(terms, &[], clause);
    let mut again = Terms::new();
    let mut questions = read(&mut again, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(questions.len(), 1, "{text}");
    let question = questions.remove(0);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..400 {
        let mut bytes = [0u8; 40];
        for byte in &mut bytes {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Small, large and all kinds of bytes.
            *byte = [(state >> 60) as u8, (state >> 56) as u8, 0, 0xff][round % 4];
        }
        // The integer bits of long doubles at 0 and 10 are in order.
        for at in [0, 10] {
            let is_normal = bytes[at + 9] & 0x7f != 0 || bytes[at + 8] != 0;
            bytes[at + 7] = bytes[at + 7] & 0x7f | u8::from(is_normal) << 7;
        }
        let bytes = bytes.as_slice();
        let (before, after) = (
            Evaluator::new().eval(terms, clause, &bytes),
            Evaluator::new().eval(&again, question.flipped, &bytes),
        );
        assert_eq!(before, after, "{bytes:x?}\n{text}");
    }
    question
}

#[test]
fn a_question_reads_as_it_stands_in_the_description() {
    let mut t = Terms::new();
    let (low, both) = (t.input(0), t.word(0, 2));
    let (limit, plus) = (t.constant(16, 16), t.constant(8, 0x2b));
    let (prefix, flipped) = (t.binary(Ult, both, limit), t.binary(Eq, low, plus));
    let text = text_of(&t, &[prefix], flipped);
    let expected = "\
(push 1)
(set-info :source |here|)
(set-info :input |0:07 1:07|)
(declare-const in0 (_ BitVec 8))
(declare-const in1 (_ BitVec 8))
(assert (bvult (concat in1 in0) #x0010))
; flipped
(assert (= in0 #x2b))
(set-info :status sat)
(check-sat)
(pop 1)
";
    assert_eq!(text.strip_prefix(HEADER), Some(expected));
    let mut again = Terms::new();
    let question = &read(&mut again, &text).unwrap()[0];
    assert_eq!((question.source.as_str(), question.status), ("here", Status::Sat));
    assert_eq!(question.input, [(0, 7), (1, 7)]);
    assert_eq!(again.display(question.prefix[0]).to_string(), "(ult (concat in[1] in[0]) 0x10:16)");
    assert_eq!(again.display(question.flipped).to_string(), "(eq in[0] 0x2b:8)");
    assert_eq!(blocks(&text).collect::<Vec<_>>(), [expected]);
}

#[test]
fn every_operation_on_bits_comes_back() {
    let mut t = Terms::new();
    for bytes in [1, 2, 4, 8, 16] {
        let (a, b) = (t.word(0, bytes), t.word(20, bytes));
        for op in [Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr] {
            let result = t.binary(op, a, b);
            let clause = t.binary(Slt, result, b);
            there_and_back(&t, clause);
        }
        for op in [Eq, Ult, Ule, Slt, Sle] {
            let clause = t.binary(op, a, b);
            there_and_back(&t, clause);
        }
        for op in [UnaryOp::Not, UnaryOp::Neg] {
            let result = t.unary(op, a);
            let clause = t.binary(Ult, result, b);
            there_and_back(&t, clause);
        }
    }
    let a = t.input(0);
    for low in 0..5 {
        let odd = t.extract(a, low, 3);
        for shift in [Shl, LShr, AShr, Mul] {
            let shifted = t.binary(shift, odd, odd);
            let (wide, signed) = (t.zext(shifted, 17), t.sext(shifted, 17));
            let clause = t.binary(Slt, signed, wide);
            there_and_back(&t, clause);
            let bit = t.extract(a, 7, 1);
            let chosen = t.ite(bit, shifted, odd);
            let clause = t.binary(Eq, chosen, odd);
            there_and_back(&t, clause);
        }
    }
}

/// All of these, and a compiler error when one is missing.
macro_rules! every {
    ($type:ident: $($op:ident),* $(,)?) => {{
        let _all_there = |op: $type| match op {
            $($type::$op)|* => {}
        };
        [$($type::$op),*]
    }};
}

/// What is written of a term is read as that term, when it is read into the same store.
fn is_the_same_term_again(terms: &mut Terms, clause: Term) {
    let text = text_of(terms, &[], clause);
    let questions = read(terms, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let again = questions[0].flipped;
    assert_eq!(again, clause, "{} is read as {}\n{text}", terms.display(clause), terms.display(again));
}

#[test]
fn every_operation_there_is_comes_back_as_the_same_term() {
    use tarka_terms::{BinaryOp, UnaryOp};
    let unary = every!(
        UnaryOp: Not, Neg, CtPop, Ctlz, Cttz, BSwap, FNeg, FAbs, FSqrt, FFloor, FCeil, FTrunc, FRint, FRound, FSin,
        FCos, FTan, FAsin, FAcos, FAtan, FSinh, FCosh, FTanh, FAsinh, FAcosh, FAtanh, FExp, FExp2, FExpm1, FLog, FLog2,
        FLog10, FLog1p, FCbrt
    );
    let binary = every!(
        BinaryOp: Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, Ne, Ult, Ule, Slt, Sle,
        SAddO, UAddO, SSubO, USubO, SMulO, UMulO, FAdd, FSub, FMul, FDiv, FRem, FCopySign, FMin, FMax, FPow, FAtan2,
        FHypot, FRemainder
    );
    let convert = every!(ConvertOp: FToSi, FToUi, SiToF, UiToF, FToF);
    let mut t = Terms::new();
    for bytes in [4, 8, 10] {
        let (a, b, limit) = (t.word(0, bytes), t.word(10, bytes), t.word(20, bytes));
        let width = t.width(a);
        let mut results: Vec<(Term, bool)> =
            unary.into_iter().map(|op| (t.unary(op, a), op.is_float())).collect();
        results.extend(binary.into_iter().map(|op| (t.binary(op, a, b), op.is_float())));
        for op in convert {
            let from_float = matches!(op, ConvertOp::FToSi | ConvertOp::FToUi);
            for to in [32, 64, 80].into_iter().filter(|to| op != ConvertOp::FToF || *to != width) {
                results.push((t.convert(op, a, to), !from_float));
            }
        }
        for (result, is_float) in results {
            let clause = match t.width(result) {
                1 => result,
                to if is_float => {
                    let limit = t.constant(to, 1);
                    t.fcmp(predicate::LESS, result, limit)
                }
                to if to == width => t.binary(Ult, result, limit),
                to => {
                    let limit = t.constant(to, 12_345);
                    t.binary(Ult, result, limit)
                }
            };
            is_the_same_term_again(&mut t, clause);
        }
    }
}

#[test]
fn tables_come_back_with_zeros_beyond_their_end() {
    let mut t = Terms::new();
    let (index, entry, wide) = (t.input(0), t.input(1), t.word(0, 2));
    for length in [1, 2, 3, 200, 256] {
        let entries = (0..length).map(|i| t.constant(8, i / 3 * 37)).chain([entry]).collect();
        let table = t.table(entries);
        for index in [index, wide] {
            let read = t.read(table, index);
            let clause = t.binary(Ult, entry, read);
            there_and_back(&t, clause);
        }
        let ones = (0..length).map(|_| entry).collect();
        let ones = t.table(ones);
        let read = t.read(ones, wide);
        let clause = t.binary(Ule, entry, read);
        there_and_back(&t, clause);
    }
}

#[test]
fn every_operation_on_floats_comes_back() {
    let mut t = Terms::new();
    for bytes in [4, 8, 10] {
        let (a, b) = (t.word(0, bytes), t.word(10, bytes));
        let width = t.width(a);
        let mut results = vec![t.fma(a, b, a)];
        for op in [FAdd, FSub, FMul, FDiv, FRem] {
            results.push(t.binary(op, a, b));
        }
        use UnaryOp::*;
        for op in [FNeg, FAbs, FSqrt, FFloor, FCeil, FTrunc, FRint, FRound] {
            results.push(t.unary(op, a));
        }
        let magnitude = t.unary(FAbs, a);
        results.push(t.unary(FNeg, magnitude));
        for to in [32, 64, 80].into_iter().filter(|to| *to != width) {
            let other = t.convert(ConvertOp::FToF, a, to);
            results.push(t.convert(ConvertOp::FToF, other, width));
        }
        for from in [1, 4, 8] {
            let number = t.word(20, from);
            results.push(t.convert(ConvertOp::SiToF, number, width));
            results.push(t.convert(ConvertOp::UiToF, number, width));
        }
        for result in results {
            for found in 1..predicate::ALWAYS {
                let clause = t.fcmp(found, result, b);
                there_and_back(&t, clause);
            }
            // As bits, of which one NaN is like another.
            let (is_number, low) = (t.fcmp(predicate::EQUAL, result, result), t.extract(result, 3, 5));
            let five = t.constant(5, 5);
            let bits = t.binary(Ult, low, five);
            let clause = t.binary(And, is_number, bits);
            there_and_back(&t, clause);
        }
        for to in [8, 32, 64, 128] {
            for op in [ConvertOp::FToSi, ConvertOp::FToUi] {
                let number = t.convert(op, a, to);
                let limit = t.constant(to, 100);
                let clause = t.binary(Slt, number, limit);
                there_and_back(&t, clause);
            }
        }
    }
}

#[test]
fn what_has_no_exact_translation_is_marked() {
    let mut t = Terms::new();
    let (a, b) = (t.word(0, 8), t.word(10, 8));
    let (rest, sum) = (t.binary(FRem, a, b), t.binary(FAdd, a, b));
    let (marked, exact) = (t.fcmp(predicate::LESS, rest, b), t.fcmp(predicate::LESS, sum, b));
    assert!(there_and_back(&t, marked).approximated);
    assert!(!there_and_back(&t, exact).approximated);
    assert!(text_of(&t, &[], marked).contains("(set-info :approximated |frem_64|)"));
}

#[test]
fn a_question_that_is_too_large_is_not_written() {
    let mut t = Terms::new();
    let clause = {
        let word = t.word(0, 8);
        t.binary(Ult, word, word);
        let square = t.binary(Mul, word, word);
        t.binary(Eq, square, word)
    };
    let asked = Asked { source: "", prefix: &[], flipped: clause, current: &|_| 0, status: Status::Unknown };
    assert!(write(&t, &asked, 10).is_none() && write(&t, &asked, 30).is_some());
}

#[test]
fn text_that_is_not_ours_is_refused_with_its_line() {
    let block = |line: &str| format!("{HEADER}(push 1)\n(declare-const in0 (_ BitVec 8))\n{line}\n(pop 1)\n");
    for wrong in [
        "(assert (bvult in0 #x0000))",
        "(assert (bvult in0 in1))",
        "(assert in0)",
        "(assert (fp.lt in0 in0))",
        "(assert (= ((_ extract 9 0) in0) #b0000000000))",
        "(assert (forall ((x Int)) true))",
        "(set-info :input |x|)",
        "(define-fun sin ((x Real)) Real x)",
        "(assert ((_ to_fp 5 11) in0))",
        "(assert ())",
        "(maximize in0)",
        "(assert (concat in0))",
    ] {
        let error = read(&mut Terms::new(), &block(wrong)).expect_err(wrong).to_string();
        assert!(error.starts_with("line 8: "), "{wrong}: {error}");
    }
    for wrong in ["(assert", ")", "(push 1) |", &"(".repeat(100_000)] {
        assert!(read(&mut Terms::new(), wrong).is_err(), "{wrong}");
    }
    assert_eq!(read(&mut Terms::new(), HEADER), Ok(vec![]));
}
