//! Paper 1: `delete_from_table` (§2), the bucket allocator and containers with planted assertions (§5.2).
//!
//! The paper found the allocator's third fault at run 9 and never by depth-first search, whose lists had no bound. Ours have
//! one, so that depth-first search comes back from them: nothing is claimed of it here.

use serde_json::Value;

use super::tarka;

/// The faults of one function under a strategy: line and run of each.
fn faults(file: &str, function: &str, strategy: &str, seed: u64, runs: u32) -> Vec<(u64, u64)> {
    let (path, seed, runs) = (format!("examples/{file}"), seed.to_string(), runs.to_string());
    let args = ["gen", &path, "-f", function, "-s", strategy, "--seed", &seed, "-n", &runs, "-t", "0"];
    let report = tarka(&args, "report.json");
    let number = |fault: &Value, field: &str| fault[field].as_u64().expect("a number");
    let faults = report["units"][0]["faults"].as_array().expect("a list").iter();
    faults.map(|fault| (number(fault, "line"), number(fault, "run"))).collect()
}

/// The line of an example with this text.
fn line(file: &str, text: &str) -> u64 {
    let path = format!("{}/../../examples/{file}", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(path).expect("an example");
    source.lines().position(|line| line.contains(text)).expect("the text") as u64 + 1
}

#[test]
fn delete_from_table_fails_on_the_second_run() {
    let unlinks = line("delete_from_table.c", "second->next;");
    for seed in 1..=10 {
        let found = faults("delete_from_table.c", "delete_from_table", "tabu", seed, 2);
        assert_eq!(found, [(unlinks, 2)], "seed {seed}: the list has one element");
    }
    // Depth-first search goes on in the loop of the other branch until the loop ends.
    let found = faults("delete_from_table.c", "delete_from_table", "dfs", 1, 15);
    assert!(!found.iter().any(|&(line, _)| line == unlinks), "{found:?}");
}

#[test]
fn the_bucket_allocator_shows_all_three_planted_faults_within_twenty_runs() {
    let planted = [1, 2, 3].map(|number| line("kmalloc.c", &format!("planted {number}:")));
    for seed in 1..=10 {
        let found = faults("kmalloc.c", "kmalloc", "tabu", seed, 20);
        let missing: Vec<_> =
            planted.iter().filter(|&&line| !found.iter().any(|&(at, _)| at == line)).collect();
        assert!(missing.is_empty(), "seed {seed}: lines {missing:?} of {found:?}");
    }
}

/// The lines of so many planted assertions, in their order.
fn planted(file: &str, count: usize) -> Vec<u64> {
    (1..=count).map(|number| line(file, &format!("planted {number}:"))).collect()
}

#[test]
fn assertions_planted_in_containers_are_found_each_by_its_own_state_of_the_container() {
    let file = "faults/papers/containers.c";
    let units = ["sorted_add", "chain_remove", "tree_find", "heap_add"];
    for (unit, planted) in units.into_iter().zip(planted(file, units.len())) {
        let found = faults(file, unit, "auto", 1, 200);
        assert!(found.iter().any(|&(line, _)| line == planted), "{unit}: {found:?}");
    }
}

#[test]
fn assertions_planted_in_a_table_are_found_in_its_array_and_in_its_list() {
    let file = "faults/papers/table.c";
    let found = faults(file, "table_delete", "auto", 1, 200);
    let missing: Vec<u64> =
        planted(file, 3).into_iter().filter(|line| !found.iter().any(|(at, _)| at == line)).collect();
    assert!(missing.is_empty(), "lines {missing:?} of {found:?}");
}
