//! Paper 2: predictive path search on `bubble`, and `loop`, where it needs the help of fitness.

use serde_json::Value;

use super::tarka;

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
    let runs = |figures: &Value| {
        assert_eq!(figures["covered"]["least"], 8.0, "every trial gets there");
        figures["runs_to_last"]["mean"].as_f64().expect("a mean")
    };
    let alone = runs(&of_strategies[0]);
    for figures in &of_strategies[1..] {
        let in_turn = runs(figures);
        assert!(3.0 * in_turn <= alone, "{}: {in_turn} runs, {alone} alone", figures["strategy"]);
    }
}

#[test]
fn auto_climbs_to_the_counter_of_loop_in_half_the_runs_of_pps() {
    let of_strategies = compared("examples/loop_count.c", "auto,pps");
    assert_eq!(of_strategies[0]["covered"]["least"], 8.0, "every trial gets there");
    let runs = |index: usize| of_strategies[index]["runs_to_last"]["mean"].as_f64().expect("a mean");
    assert!(2.0 * runs(0) <= runs(1), "auto: {} runs, pps: {}", runs(0), runs(1));
}
