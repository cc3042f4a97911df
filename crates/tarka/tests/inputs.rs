//! Every kind of input a C function can take, end to end, before the outside judges.
//!
//! For each C file of `examples/inputs/`: `tarka gen` reaches every side that `examples/inputs/expected.tsv` calls
//! reachable, by hand; every emitted test compiles without a warning under gcc and clang, passes under both, with the
//! sanitizers too, and covers in `llvm-cov`'s eyes exactly what `report.json` claims.

mod judges;

use judges::example::{self, Expected, Table};

const FOLDER: &str = "examples/inputs";

fn expected(file: &str) -> Table {
    let mut table = Table::new();
    for row in example::rows(FOLDER).iter().filter(|row| row[0] == file) {
        let number = |index: usize| row[index].parse().unwrap_or_else(|_| panic!("a number in: {row:?}"));
        let line = Expected { sides: number(2), reached: number(3), faults: number(4) };
        assert!(line.reached <= line.sides, "in order: {row:?}");
        table.insert(row[1].clone(), line);
    }
    table
}

macro_rules! inputs {
    ($($name:ident)*) => {
        $(#[test] fn $name() {
            let file = concat!(stringify!($name), ".c");
            example::check(FOLDER, file, &expected(file));
        })*

        /// A new file without a test would go unnoticed.
        #[test]
        fn every_file_has_a_test() {
            let mut tested = vec![$(concat!(stringify!($name), ".c")),*];
            tested.sort_unstable();
            assert_eq!(example::c_files(FOLDER), tested);
        }
    };
}

inputs! {
    aggregates buffers callbacks floats integers library linked mixtures pointers preconditions state stubs
}
