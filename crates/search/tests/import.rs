//! Labels become terms.

use crate::toy::Recorder;
use tarka_search::{Importer, Imports, Snapshot};
use tarka_terms::{Evaluator, Terms};
use tarka_trace::{Node, Op, input_label, node_label};

fn value(run: &Recorder, label: u32, input: &[u8]) -> u128 {
    let mut terms = Terms::new();
    let trace = run.trace();
    let term = Importer::new(&terms, &trace).import(&mut terms, label).expect("the label has a term");
    Evaluator::new().eval(&terms, term, &input)
}

#[test]
fn every_operation_of_the_trace_has_a_term_of_the_right_width() {
    for &op in Op::ALL {
        let mut run = Recorder::new(&[1, 2]);
        let byte = input_label(0);
        let word = run.node(Op::ZExt, 32, [byte, 0, 0]);
        let bit = run.node(Op::Extract, 1, [byte, 0, 0]);
        let long = run.node(Op::ZExt, 64, [byte, 0, 0]);
        let (width, operands) = match op {
            Op::Const => (32, [0, 5, 0]),
            Op::Concat => (40, [byte, word, 0]),
            Op::Extract => (8, [word, 8, 0]),
            Op::ZExt | Op::SExt => (64, [word, 0, 0]),
            Op::Ite => (32, [bit, word, word]),
            Op::Read => (16, [long, 0, 0]),
            Op::FToSi | Op::FToUi | Op::SiToF | Op::UiToF | Op::FToF => (64, [word, 0, 0]),
            Op::FCmp => (1, [word, word, 4]),
            Op::Eq | Op::Ne | Op::Ult | Op::Ule | Op::Slt | Op::Sle => (1, [word, word, 0]),
            Op::SAddO | Op::UAddO | Op::SSubO | Op::USubO | Op::SMulO | Op::UMulO => (1, [word, word, 0]),
            _ if op.arity() == 3 => (32, [word, word, word]),
            _ => (32, [word, word, 0]),
        };
        run.tables.push(Snapshot { base: 0, bytes: &[0; 4], shadow: &[0; 4] });
        let label = run.node(op, width, operands);
        let mut terms = Terms::new();
        let trace = run.trace();
        let term = Importer::new(&terms, &trace).import(&mut terms, label);
        assert_eq!(term.map(|term| terms.width(term)), Some(width), "{op:?}");
    }
}

#[test]
fn long_doubles_are_computed_with_their_80_bits() {
    // (int) (x * 3.0L), x in ten bytes of the input.
    let mut run = Recorder::new(&[]);
    let bytes = (1..10).fold(input_label(0), |low, byte| {
        run.node(Op::Concat, 8 * (byte as u16 + 1), [input_label(byte), low, 0])
    });
    let (high, low) = (run.constant(16, 0x4000), run.constant(64, 0xc000_0000_0000_0000));
    let three = run.node(Op::Concat, 80, [high, low, 0]);
    let product = run.node(Op::FMul, 80, [bytes, three, 0]);
    let integer = run.node(Op::FToSi, 32, [product, 0, 0]);
    // 1.5L has the bits 3fff c000000000000000.
    assert_eq!(value(&run, integer, &[0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0x3f]), 4);
}

#[test]
fn a_chain_of_a_million_nodes_needs_no_deep_stack() {
    let mut run = Recorder::new(&[1, 2]);
    let mut last = input_label(0);
    for index in 0..1_000_000 {
        let (op, b) = if index % 2 == 0 { (Op::Mul, input_label(1)) } else { (Op::Xor, input_label(0)) };
        run.nodes.push(Node { op: op as u8, pad: 0, width: 8, a: last, b, c: 0 });
        last = node_label(index);
    }
    let expected = (0..500_000).fold(3u8, |value, _| value.wrapping_mul(5) ^ 3);
    assert_eq!(value(&run, last, &[3, 5]), expected as u128);
}

#[test]
fn a_wide_constant_is_two_halves() {
    let mut run = Recorder::new(&[]);
    let (high, low) = (run.constant(64, 0x0123_4567_89ab_cdef), run.constant(64, u64::MAX));
    let label = run.node(Op::Concat, 128, [high, low, 0]);
    assert_eq!(value(&run, label, &[]), 0x0123_4567_89ab_cdef_ffff_ffff_ffff_ffff);
}

#[test]
fn a_read_at_a_symbolic_address_sees_concrete_and_symbolic_bytes() {
    // A table at address 0x1000: 10, 11, input[1], low byte of (input[0] + 100).
    let mut run = Recorder::new(&[]);
    let hundred = run.constant(8, 100);
    let sum = run.node(Op::Add, 8, [input_label(0), hundred, 0]);
    let shadow = Box::leak(Box::new([0, 0, input_label(1) << 4, sum << 4]));
    run.tables.push(Snapshot { base: 0x1000, bytes: &[10, 11, 0, 0], shadow });
    let base = run.constant(64, 0x1000);
    let index = run.node(Op::ZExt, 64, [input_label(0), 0, 0]);
    let address = run.node(Op::Add, 64, [base, index, 0]);
    let byte = run.node(Op::Read, 8, [address, 0, 0]);
    let pair = run.node(Op::Read, 16, [address, 0, 0]);
    assert_eq!(value(&run, byte, &[1, 77]), 11);
    assert_eq!(value(&run, byte, &[3, 77]), 103);
    assert_eq!(value(&run, pair, &[1, 77]), 77 << 8 | 11);
}

#[test]
fn a_node_that_makes_no_sense_has_no_term() {
    let mut run = Recorder::new(&[]);
    let word = run.node(Op::ZExt, 32, [input_label(0), 0, 0]);
    let mixed = run.node(Op::Add, 32, [word, input_label(1), 0]);
    let above = run.node(Op::Xor, 32, [mixed, word, 0]);
    let own = run.nodes.len() as u32;
    run.nodes.push(Node { op: Op::Add as u8, pad: 0, width: 32, a: node_label(own), b: word, c: 0 });
    run.nodes.push(Node { op: 255, pad: 0, width: 32, a: word, b: word, c: 0 });
    let trace = run.trace();
    let mut terms = Terms::new();
    let mut importer = Importer::new(&terms, &trace);
    for label in [0, mixed, above, node_label(own), node_label(own + 1), node_label(own + 99)] {
        assert_eq!(importer.import(&mut terms, label), None);
    }
}

/// A run that mixes bytes in a chain, and reads a table at the end; one constant of the chain and the table may differ.
fn chain(constant: u64, at: usize, table: &'static [u8]) -> (Recorder, u32) {
    let mut run = Recorder::new(&[]);
    let mut value = run.node(Op::ZExt, 64, [input_label(0), 0, 0]);
    for step in 0..40 {
        let number = run.constant(64, if step == at { constant } else { 3 + step as u64 });
        value = run.node(Op::Mul, 64, [value, number, 0]);
        let byte = run.node(Op::ZExt, 64, [input_label(step as u32 % 5), 0, 0]);
        value = run.node(Op::Add, 64, [value, byte, 0]);
        if step % 10 == 9 {
            let low = run.node(Op::Extract, 3, [value, 0, 0]);
            let index = run.node(Op::ZExt, 64, [low, 0, 0]);
            let entry = run.node(Op::Read, 8, [index, 0, 0]);
            let entry = run.node(Op::ZExt, 64, [entry, 0, 0]);
            value = run.node(Op::Xor, 64, [value, entry, 0]);
        }
    }
    run.tables.push(Snapshot { base: 0, bytes: table, shadow: &[0; 8] });
    (run, value)
}

#[test]
fn what_the_run_before_left_changes_no_term() {
    const TABLES: [&[u8]; 2] = [&[1, 2, 3, 4, 5, 6, 7, 8], &[1, 2, 3, 4, 5, 6, 7, 9]];
    let runs = [
        chain(100, 39, TABLES[0]),
        chain(100, 39, TABLES[0]), // the same again
        chain(101, 39, TABLES[0]), // other at the end
        chain(101, 39, TABLES[1]), // the same records, another table behind them
        chain(101, 5, TABLES[1]),  // other near the beginning
        chain(101, 0, TABLES[0]),
        chain(100, 39, TABLES[0]),
    ];
    let (mut terms, mut before) = (Terms::new(), Imports::default());
    for (number, (run, label)) in runs.iter().enumerate() {
        if number == 5 {
            // Another store: nothing of the old one may be used.
            terms = Terms::new();
        }
        let trace = run.trace();
        let mut importer = Importer::after(before, &terms, &trace);
        let shared = importer.import(&mut terms, *label);
        let alone = Importer::new(&terms, &trace).import(&mut terms, *label);
        assert!(shared.is_some() && shared == alone, "run {number}: {shared:?} is not {alone:?}");
        before = importer.into_imports();
    }
}

#[test]
fn a_table_is_made_again_when_the_records_behind_it_are_gone() {
    // The table holds a byte of a label that is another one in the second run, with the same number.
    let run = |constant| {
        let mut run = Recorder::new(&[]);
        let word = run.node(Op::ZExt, 32, [input_label(0), 0, 0]);
        let number = run.constant(32, constant);
        let sum = run.node(Op::Add, 32, [word, number, 0]);
        let index = run.node(Op::ZExt, 64, [input_label(1), 0, 0]);
        let entry = run.node(Op::Read, 8, [index, 0, 0]);
        let shadow: &'static [u32] = vec![sum << 4, 0].leak();
        run.tables.push(Snapshot { base: 0, bytes: &[0, 7], shadow });
        (run, entry)
    };
    let (mut terms, mut before) = (Terms::new(), Imports::default());
    for (constant, expected) in [(1, 6), (2, 7), (2, 7), (1, 6)] {
        let (run, label) = run(constant);
        let trace = run.trace();
        let mut importer = Importer::after(before, &terms, &trace);
        let term = importer.import(&mut terms, label).expect("a term");
        assert_eq!(Evaluator::new().eval(&terms, term, &[5, 0].as_slice()), expected);
        before = importer.into_imports();
    }
}

/// A target that writes over its own records: what makes no sense has no term, and nothing else happens.
#[test]
fn records_of_noise_have_terms_or_none() {
    let mut random = 11_u64;
    let mut next = |most: u32| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as u32 % most
    };
    let (mut imports, mut terms) = (Imports::default(), Terms::new());
    let mut with_term = 0;
    for _ in 0..300 {
        let mut run = Recorder::new(&[1, 2, 3]);
        let shadow: Vec<u32> = (0..9).map(|_| next(4) * next(u32::MAX)).collect();
        for size in [0, 1, 9] {
            run.tables.push(Snapshot {
                base: u64::from(next(4)),
                bytes: &[7; 9][..size],
                shadow: shadow[..size].to_vec().leak(),
            });
        }
        for _ in 0..60 {
            let mut operand = || match next(6) {
                0 => next(u32::MAX),
                1 => next(4),
                2 => u32::MAX,
                3 => input_label(next(4)),
                _ => node_label(next(60)),
            };
            let operands = [operand(), operand(), operand()];
            let op = *Op::ALL.get(next(Op::ALL.len() as u32) as usize).expect("an operation");
            let width = [0, 1, 8, 16, 32, 64, 80, 128, 129, next(65536) as u16][next(10) as usize];
            run.node(op, width, operands);
        }
        let trace = run.trace();
        let mut importer = Importer::after(std::mem::take(&mut imports), &terms, &trace);
        for index in 0..70 {
            with_term += u32::from(importer.import(&mut terms, node_label(index)).is_some());
        }
        imports = importer.into_imports();
    }
    assert!(with_term > 300, "only {with_term} of the records made sense");
}
