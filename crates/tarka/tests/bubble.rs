//! `bubble` needs at most five tests for all of its branches, whatever the strategy and the seed.

use std::fs;
use std::path::Path;
use std::process::Command;

use rayon::prelude::*;
use serde_json::Value;

fn tarka(args: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output =
        Command::new(env!("CARGO_BIN_EXE_tarka")).current_dir(root).args(args).output().expect("it starts");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Every strategy there is, as the tool lists them to someone who asks for one that is not.
fn strategies() -> Vec<String> {
    let answer = tarka(&["gen", "examples/bubble.c", "-s", "none-such"]);
    let list = answer.split("available: ").nth(1).and_then(|rest| rest.lines().next());
    let names = list.expect("the strategies are listed").split([',', ' ']).filter(|name| !name.is_empty());
    names.map(|name| name.trim_matches(|letter: char| !letter.is_alphanumeric()).to_string()).collect()
}

#[test]
fn five_tests_are_enough_for_bubble_under_every_strategy_and_seed() {
    let strategies = strategies();
    assert!(strategies.len() >= 4 && strategies.contains(&"dfs".to_string()), "{strategies:?}");
    let trials: Vec<(&str, &str)> = strategies
        .iter()
        .flat_map(|strategy| ["1", "2", "3"].map(|seed| (strategy.as_str(), seed)))
        .collect();
    trials.par_iter().for_each(|(strategy, seed)| check(strategy, seed));
}

fn check(strategy: &str, seed: &str) {
    let out = tempfile::tempdir().expect("scratch folder");
    let folder = out.path().display().to_string();
    // The tests are the subject here, and files of faults take most of the time.
    let asked =
        ["gen", "examples/bubble.c", "--faults", "none", "-s", strategy, "--seed", seed, "-o", &folder];
    let told = tarka(&asked);
    let report = fs::read_to_string(out.path().join("report.json")).unwrap_or_else(|_| panic!("{told}"));
    let report: Value = serde_json::from_str(&report).expect("valid JSON");
    let unit = &report["units"][0];
    let branches = &unit["coverage"]["branch"];
    assert_eq!((&branches["covered"], &branches["total"]), (&8.into(), &8.into()), "{strategy} {seed}");
    let tests = unit["tests"].as_u64().expect("a number");
    assert!((1..=5).contains(&tests), "{strategy} with seed {seed}: {tests} tests");
}
