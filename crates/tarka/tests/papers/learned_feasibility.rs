//! Paper 4: the array class, whose ways are nearly all infeasible: 31 candidates lead somewhere, 429 do not.

use serde_json::Value;

use super::tarka;

/// The options for as many runs as so many feasible candidates give. The first object is not legal, and the second run,
/// which has one that is, has to be asked for as well.
fn options(feasible: u64) -> Vec<String> {
    let options = format!(
        "examples/arrays.c --assume arrays_check:IS_LEGAL(s) --no-filter -t 0 --runs {}",
        feasible + 2
    );
    options.split(' ').map(str::to_string).collect()
}

fn asked(command: &[&str], feasible: u64, file: &str) -> Value {
    let options = options(feasible);
    let args: Vec<&str> = command.iter().copied().chain(options.iter().map(String::as_str)).collect();
    tarka(&args, file)
}

/// Questions to the solver until so many feasible candidates were selected first in, first out.
fn in_order(feasible: u64) -> u64 {
    let report = asked(&["gen", "-s", "fifo"], feasible, "report.json");
    assert_eq!(report["units"][0]["runs"], feasible + 2);
    report["units"][0]["solver"]["queries"].as_u64().expect("a number")
}

/// The same as `knn` selects them, for each seed from 1 to 10.
fn learned(feasible: u64) -> Vec<u64> {
    let command = ["compare", "--strategies", "knn,fifo", "--repeat", "10"];
    let comparison = asked(&command, feasible, "compare.json");
    let trials = comparison["units"][0]["strategies"][0]["trials"].as_array().expect("a list");
    assert_eq!(trials.len(), 10);
    let of_trial = |trial: &Value| {
        assert_eq!(trial["runs"], feasible + 2);
        trial["queries"].as_u64().expect("a number")
    };
    trials.iter().map(of_trial).collect()
}

/// The paper's experiment has time for about 50 attempts in vain. There can be no such lead for much longer than here:
/// from 16 feasible candidates on, twice as many do not exist. Nor is it there from the start, before anything is learned.
#[test]
fn knn_selects_twice_the_feasible_candidates_of_first_in_first_out() {
    for (attempts, not_yet) in [(50, 10), (120, 16)] {
        let asked = in_order(not_yet);
        assert!(asked > attempts, "{not_yet} first in, first out after {asked}");
        let twice = 2 * (not_yet - 1);
        let learned = learned(twice);
        let sum: u64 = learned.iter().sum();
        assert!(sum <= attempts * learned.len() as u64, "{twice} learned after {learned:?}");
    }
}
