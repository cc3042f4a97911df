//! `tarka compare` from end to end: every figure agrees with the trials it is made of, and with `tarka gen`.

use std::fs;
use std::path::Path;

use crate::judges;
use serde_json::Value;
use tarka_campaign::STRATEGIES;

/// Runs `tarka` in the repository's root; gives exit status, standard output and standard error.
fn tarka(args: &[&str]) -> (Option<i32>, String, String) {
    let output = judges::output(judges::tarka().current_dir(judges::root()).args(args));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Compares, and gives `compare.json` and what was said.
fn compared(args: &[&str], out: &Path) -> (Value, String) {
    let out_text = out.display().to_string();
    let (status, stdout, said) = tarka(&[&["compare", "-o", &out_text], args].concat());
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(stdout, "", "nothing here is for machines");
    let json = fs::read_to_string(out.join("compare.json")).expect("compare.json");
    (serde_json::from_str(&json).expect("JSON"), said)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn numbers(values: &[Value], field: &str) -> Vec<f64> {
    values.iter().map(|value| value[field].as_f64().expect("a number")).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn every_strategy_covers_bubble() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let (json, said) = compared(&["examples/bubble.c", "--repeat", "2", "--runs", "50"], scratch.path());
    let unit = &json["units"][0];
    assert_eq!(list(&json["strategies"]).len(), STRATEGIES.len());
    assert_eq!(
        (&unit["function"], &unit["goals"], &unit["common"]),
        (&"bubble".into(), &8.into(), &8.into())
    );
    for (figures, strategy) in list(&unit["strategies"]).iter().zip(STRATEGIES) {
        assert_eq!(figures["strategy"], *strategy);
        assert_eq!(figures["covered"]["mean"], 8.0);
        let row = said.lines().find(|line| line.split_whitespace().next() == Some(strategy));
        assert!(row.is_some_and(|row| row.contains("  8  ")), "no row for {strategy}:\n{said}");
    }
    let page = fs::read_to_string(scratch.path().join("compare.html")).expect("compare.html");
    assert_eq!(page.matches("<path class=\"curve ").count(), STRATEGIES.len());
    assert!(said.contains("compare.json") && said.contains("compare.html"), "{said}");
    let files: Vec<_> = fs::read_dir(scratch.path()).expect("folder").collect();
    assert_eq!(files.len(), 2, "no suite is written: {files:?}");
}

#[test]
fn a_trial_is_the_same_alone_and_among_others() {
    // Also where it is not made anew: a strategy that draws nothing is run for its first seed only.
    let scratch = tempfile::tempdir().expect("scratch folder");
    let args = ["examples/tokenizer.c", "-f", "next_token", "--strategies", "dfs,pps,cgs", "--runs", "60"];
    let trials = |seed: &str, repeat: &str| {
        let (json, _) =
            compared(&[&args[..], &["--seed", seed, "--repeat", repeat]].concat(), scratch.path());
        let strategies = list(&json["units"][0]["strategies"]).iter();
        strategies.map(|figures| list(&figures["trials"]).last().unwrap().clone()).collect::<Vec<_>>()
    };
    assert_eq!(trials("1", "3"), trials("3", "1"));
}

#[test]
fn the_figures_of_the_tokenizer_follow_from_its_trials() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let args = ["examples/tokenizer.c", "-f", "next_token", "--strategies", "dfs,cgs,random-branch"];
    let (json, said) = compared(&[&args[..], &["--repeat", "3", "--runs", "120"]].concat(), scratch.path());
    let unit = &json["units"][0];
    let strategies = list(&unit["strategies"]);
    let means: Vec<f64> =
        strategies.iter().map(|figures| figures["covered"]["mean"].as_f64().unwrap()).collect();
    let all: Vec<f64> =
        strategies.iter().flat_map(|figures| numbers(list(&figures["trials"]), "covered")).collect();
    assert_eq!(unit["common"].as_u64().unwrap() as f64, all.iter().copied().fold(f64::INFINITY, f64::min));
    assert_eq!(unit["most"].as_u64().unwrap() as f64, all.iter().copied().fold(0.0, f64::max));
    let highest = means.iter().copied().fold(0.0, f64::max);
    for (index, figures) in strategies.iter().enumerate() {
        let trials = list(&figures["trials"]);
        assert_eq!(trials.iter().map(|trial| trial["seed"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3]);
        assert!((mean(&numbers(trials, "covered")) - means[index]).abs() < 0.001);
        assert!(
            (mean(&numbers(trials, "queries")) - figures["queries"]["mean"].as_f64().unwrap()).abs() < 0.001
        );
        let curve = list(&figures["curve"]);
        assert!(curve.windows(2).all(|two| two[0][1].as_f64() < two[1][1].as_f64()), "{curve:?}");
        assert_eq!(curve.last().unwrap()[1].as_f64(), Some(means[index]));
        let at_100 = curve.iter().rfind(|point| point[0].as_u64().unwrap() <= 100).unwrap();
        assert_eq!(figures["goals_at"][0]["goals"]["mean"], at_100[1]);
        assert_eq!(list(&figures["goals_at"]).len(), 1, "120 runs do not reach 1,000");
        let is_best = figures["strategy"] == unit["best"];
        assert_eq!(is_best, figures["covered_p"].is_null(), "{figures:#}");
        assert!(!is_best || means[index] == highest);
        let only = list(&unit["goal_list"]).iter().filter(|goal| {
            let mut counts = list(&goal["covered"]).iter().enumerate();
            counts.all(|(strategy, count)| (count.as_u64() != Some(0)) == (strategy == index))
        });
        assert_eq!(
            only.map(|goal| &goal["id"]).collect::<Vec<_>>(),
            list(&figures["only"]).iter().collect::<Vec<_>>()
        );
    }
    assert!(means[0] < means[1], "depth-first search stays in the first loop: {said}");
    assert_ne!(strategies[0]["missed"], Value::Array(Vec::new()), "{said}");
}

#[test]
fn a_trial_finds_what_gen_finds_and_stops_when_no_goal_is_open() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let file = "examples/bubble.c";
    let both = [file, "--seed", "2", "--no-filter"];
    let (json, _) = compared(
        &[&both[..], &["--strategies", "tabu,bfs", "--repeat", "1", "--runs", "300"]].concat(),
        scratch.path(),
    );
    for figures in list(&json["units"][0]["strategies"]) {
        let out = scratch.path().join("gen");
        let (out_text, strategy) = (out.display().to_string(), figures["strategy"].as_str().unwrap());
        tarka(&[&["gen", "-s", strategy, "-n", "300", "-o", &out_text], &both[..]].concat());
        let report = judges::report(&out);
        let unit = &report["units"][0];
        let mut first_runs: Vec<u64> =
            list(&unit["goal_list"]).iter().filter_map(|goal| goal["first_run"].as_u64()).collect();
        first_runs.sort_unstable();
        let curve: Vec<u64> =
            list(&figures["curve"]).iter().map(|point| point[0].as_u64().unwrap()).collect();
        assert_eq!(figures["covered"]["mean"], first_runs.len() as f64);
        first_runs.dedup();
        assert_eq!(curve, first_runs, "{strategy}");
        let last = *curve.last().unwrap();
        assert_eq!(figures["trials"][0]["runs"], last, "nothing is open after run {last}");
        assert!(unit["runs"].as_u64().unwrap() > last, "without the filter, gen goes on");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_however_many_workers() {
    let args =
        ["examples/tokenizer.c", "--strategies", "auto,random-branch,knn", "--repeat", "2", "--runs", "60"];
    let files: Vec<(String, String)> = ["1", "3"]
        .iter()
        .map(|jobs| {
            let scratch = tempfile::tempdir().expect("scratch folder");
            let (json, _) =
                compared(&[&args[..], &["-t", "0", "--seed", "5", "-j", jobs]].concat(), scratch.path());
            assert_eq!(json["units"][1]["strategies"][0]["ms"]["mean"], 0.0);
            let read = |name: &str| fs::read_to_string(scratch.path().join(name)).expect(name);
            (read("compare.json"), read("compare.html"))
        })
        .collect();
    assert_eq!(files[0], files[1]);
}

#[test]
fn several_files_have_a_sum() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let unit = scratch.path().join("unit.c");
    fs::write(&unit, "int f(int x) { return x == LIMIT ? 1 : 0; }\nint g(void) { return 3; }\n")
        .expect("written");
    let args = ["examples/bubble.c", &unit.display().to_string(), "--strategies", "bfs,dfs", "--repeat", "2"];
    let (json, said) =
        compared(&[&args[..], &["--runs", "150", "--", "-DLIMIT=77"]].concat(), &scratch.path().join("out"));
    assert!(said.contains("left out because they have no goals: 1"), "{said}");
    assert_eq!(list(&json["units"]).len(), 2);
    assert_eq!((&json["total"][0]["covered"], &json["total"][0]["first_on"]), (&10.0.into(), &2.into()));
    assert_eq!(json["total"][0]["goals_at"][0], serde_json::json!([100, 10.0]));
    assert!(said.contains("all functions: sums of the means"), "{said}");
}

#[test]
fn wrong_use_is_refused_with_the_next_step() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let plain = scratch.path().join("plain.c");
    fs::write(&plain, "int plain(void) { return 3; }\n").expect("written");
    let plain = plain.display().to_string();
    let out = scratch.path().join("out").display().to_string();
    let refused = |args: &[&str], words: &[&str]| {
        let (status, _, said) = tarka(&[&["compare", "-o", &out], args].concat());
        assert_eq!(status, Some(2), "{said}");
        words.iter().for_each(|word| assert!(said.contains(word), "no `{word}` in:\n{said}"));
    };
    let file = "examples/bubble.c";
    refused(&[file, "--strategies", "auto,tabo"], &["no strategy `tabo`", "did you mean tabu"]);
    refused(&[file, "--strategies", "auto,pps+restart:tabo"], &["no strategy `tabo`", "available: auto"]);
    refused(&[file, "--strategies", "tabu,auto,tabu"], &["`tabu` twice"]);
    refused(&[file, "--strategies", "tabu,"], &["no strategy ``", "available: "]);
    refused(&[file, "--repeat", "0"], &["--repeat takes at least 1"]);
    refused(&[file, "--runs", "0"], &["--runs takes at least 1"]);
    refused(&[file, "--seed", "18446744073709551615"], &["--seed", "take one below"]);
    refused(&[file, "--time=-1"], &["--time takes a number of seconds"]);
    refused(&[file, "-c", "lines"], &["no criterion `lines`"]);
    refused(&[file, "-f", "buble"], &["no function `buble`", "did you mean bubble?"]);
    refused(&[&plain], &["no goals of the criterion `branch`", "-c statement"]);
    refused(&[&plain, "-f", "plain"], &["`plain` has no goals"]);
    refused(&["nowhere.c"], &["nowhere.c", "does not exist"]);
}

#[test]
fn every_strategy_is_in_the_help_and_in_the_documentation() {
    let (_, help, _) = tarka(&["gen", "--help"]);
    let help =
        help.split("--strategy").nth(1).and_then(|rest| rest.split("--time").next()).expect("--strategy");
    let words: Vec<&str> = help.split([' ', ',', '\n', ';']).collect();
    let docs = fs::read_to_string(judges::root().join("docs/strategies.md")).expect("docs/strategies.md");
    for strategy in STRATEGIES {
        assert!(words.contains(strategy), "`tarka gen --help` does not name {strategy}");
        assert!(
            docs.contains(&format!("**`{strategy}`**")),
            "docs/strategies.md does not tell of {strategy}"
        );
    }
}
