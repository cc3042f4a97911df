//! The schema of SARIF 2.1.0 as OASIS publishes it, and what it says about a document.
//!
//! The schema is not in this repository: it is read from the sources of the crate `serde-sarif`, which Cargo.lock pins.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::Value;

/// Everything that the schema objects to in a document, one line each.
pub fn objections(document: &Value) -> Vec<String> {
    static SCHEMA: OnceLock<Validator> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| jsonschema::draft7::new(&schema()).expect("a schema"));
    schema.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

fn schema() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let asked = |offline: &[&str]| {
        let mut command = Command::new(&cargo);
        command.args(["metadata", "--format-version", "1", "--locked"]).args(offline);
        command.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo metadata")
    };
    // A build does not download what it does not build; then the network is asked once.
    let mut output = asked(&["--offline"]);
    if !output.status.success() {
        output = asked(&[]);
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").expect("serde-sarif");
    let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
    let text =
        std::fs::read_to_string(manifest.with_file_name("src").join("schema.json")).expect("its schema");
    // The published pattern of `language`, a field that Tarka does not write, has a bracket too many.
    let text = text.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(schema["title"], "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema");
    schema
}
