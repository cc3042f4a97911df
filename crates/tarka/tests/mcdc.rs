//! Every example under MC/DC, before `llvm-cov`.
//!
//! For each C file of `examples/` and `examples/inputs/`: what `report.json` says of statements, branch sides and MC/DC
//! after a short search is what `llvm-cov` counts when it runs the emitted tests. How far the search comes
//! does not matter here: `examples.rs` and `inputs.rs` ask for that.

use rayon::prelude::*;

use crate::judges::agreement::{self, Comparison};
use crate::judges::{example, flags_of, root};

/// A short search. Programs that show faults take no part in coverage, and each takes a compiler.
const OPTIONS: [&str; 8] = ["-c", "mcdc", "--time", "60", "--runs", "40", "--faults", "none"];

#[test]
fn figures_of_every_example_are_those_of_llvm_cov() {
    let mut sources = Vec::new();
    for folder in ["examples", "examples/inputs"] {
        sources.extend(example::c_files(folder).into_iter().map(|file| root().join(folder).join(file)));
    }
    let judged: Vec<Comparison> = sources
        .par_iter()
        .map(|source| {
            let scratch = tempfile::tempdir().expect("scratch folder");
            let out = scratch.path().join("out");
            let report = example::generate(source, &out, &OPTIONS);
            agreement::judge_file(&report, source, &flags_of(source), &out, scratch.path())
        })
        .collect();
    let sum = |figure: fn(&Comparison) -> usize| judged.iter().map(figure).sum::<usize>();
    let (exact, ended) = (sum(|judged| judged.exact), sum(|judged| judged.ended));
    let untested = sum(|judged| judged.untested);
    println!("{exact} units equal, {ended} with runs that ended inside, {untested} without tests");
    let named = sources.iter().zip(&judged);
    let wrong: Vec<String> = named
        .flat_map(|(source, judged)| judged.wrong.iter().map(|line| format!("{}: {line}", source.display())))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let files = sources.len();
    assert!(exact > 2 * files, "{exact} units of {files} files had to be equal");
}
