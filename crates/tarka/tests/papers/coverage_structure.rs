//! Paper 2: predictive path search on `bubble`, and `loop`, where it needs the help of fitness.

use serde_json::Value;

use crate::tarka;

const LAST_SEED: u64 = 10;

/// The figures of each strategy on the one function of an example, with the seeds 1 to 10.
fn compared(file: &str, strategies: &str) -> Vec<Value> {
    let trials = LAST_SEED.to_string();
    let args =
        ["compare", file, "--strategies", strategies, "--repeat", &trials, "--runs", "1000", "-t", "0"];
    let comparison = tarka(&args, "compare.json");
    comparison["units"][0]["strategies"].as_array().expect("a list").clone()
}

#[test]
fn pps_covers_bubble_with_four_runs() {
    let pps = &compared("examples/bubble.c", "pps,bfs")[0];
    assert_eq!(pps["covered"]["least"], 8.0);
    assert_eq!(pps["runs_to_last"]["most"], 4.0, "with every seed");
}

#[test]
fn pps_in_turn_with_fitness_needs_a_third_of_the_runs_of_pps_alone() {
    let of_strategies = compared("examples/loop_count.c", "pps,pps+fitness,fitness+pps");
    let runs = |index: usize| {
        assert_eq!(of_strategies[index]["covered"]["least"], 8.0, "every trial gets there");
        of_strategies[index]["runs_to_last"]["mean"].as_f64().expect("a mean")
    };
    for in_turn in 1..3 {
        let name = &of_strategies[in_turn]["strategy"];
        assert!(3.0 * runs(in_turn) <= runs(0), "{name}: {} runs, {} alone", runs(in_turn), runs(0));
    }
}
