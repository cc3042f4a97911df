//! What the papers behind the strategies say of their own examples, shown on C files with the real solver: one file for
//! each paper.

mod context_guided;
mod coverage_structure;
mod fault_guided;
mod learned_feasibility;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Runs the tool at the top of the project with an output folder of its own; gives the JSON file it wrote there.
fn tarka(args: &[&str], file: &str) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = tempfile::tempdir().expect("scratch folder");
    let output = Command::new(env!("CARGO_BIN_EXE_tarka"))
        .current_dir(root)
        .args(args)
        .arg("-o")
        .arg(out.path())
        .output()
        .expect("it starts");
    let told = String::from_utf8_lossy(&output.stderr);
    let written = std::fs::read_to_string(out.path().join(file)).unwrap_or_else(|_| panic!("{told}"));
    serde_json::from_str(&written).expect("valid JSON")
}
