//! Faults of a report: class, rank, fingerprint, and how they compare with a baseline.

use std::collections::BTreeMap;
use std::path::Path;

use crate::made::{self, SOURCE, baseline_of, fault, faults, report, report_of, result, run};
use tarka_events::{Fault, FaultClass, FaultKind, FaultSet, Need};
use tarka_report::{Baseline, Report, Run, page, sarif};

fn prints(report: &Report) -> Vec<String> {
    let faults = report.units.iter().flat_map(|unit| &unit.faults);
    faults.map(|fault| fault.fingerprint.clone()).collect()
}

#[test]
fn bugs_come_first_and_contracts_say_what_they_need() {
    let report = report(SOURCE);
    let unit = &report.units[0];
    let told: Vec<(u32, &str, &str)> =
        unit.faults.iter().map(|fault| (fault.rank, fault.class.as_str(), fault.kind.as_str())).collect();
    assert_eq!(
        told,
        [(1, "bug", "division-by-zero"), (2, "bug", "use-after-free"), (3, "contract", "null-dereference")]
    );
    // The fault file is that of the fault, wherever it is listed.
    assert_eq!(unit.faults[2].test.as_deref(), Some("parse/fault_parse_1.c"));
    let need = unit.faults[2].precondition.as_ref().expect("a need");
    assert_eq!((need.words.as_str(), need.expression.as_deref()), ("needs p != NULL", Some("p != NULL")));
    assert_eq!(unit.tarka_toml, "[function.parse]\nassume = [\"p != NULL\"]\n");
    assert!(unit.faults[0].precondition.is_none() && unit.faults[0].fails(FaultClass::Bug, None));
}

#[test]
fn ranks_count_through_all_functions() {
    let other = |name: &str| {
        let mut other = result(faults(SOURCE));
        other.function = name.into();
        other
    };
    let report = report_of(&run(), &[other("first"), other("second")], SOURCE);
    let ranks: Vec<Vec<u32>> =
        report.units.iter().map(|unit| unit.faults.iter().map(|fault| fault.rank).collect()).collect();
    assert_eq!(ranks, [[1, 2, 5], [3, 4, 6]]);
}

#[test]
fn a_need_of_several_faults_is_listed_once() {
    let need = |line: &str, words: &str, expression: Option<&str>| Fault {
        class: FaultClass::Contract,
        need: Some(Need { words: words.into(), expression: expression.map(str::to_string) }),
        ..fault(SOURCE, FaultKind::NullDereference, line)
    };
    let faults = vec![
        need("*p;", "needs p != NULL", Some("p != NULL")),
        need("helper(p) /", "needs p != NULL", Some("p != NULL")),
        need("n > 5", "needs a list without a cycle", None),
        need("i < n", "needs n < 6", Some("n < 6")),
    ];
    let report = report_of(&run(), &[result(faults)], SOURCE);
    let unit = &report.units[0];
    let words: Vec<&str> = unit.preconditions.iter().map(|need| need.words.as_str()).collect();
    assert_eq!(words, ["needs p != NULL", "needs a list without a cycle", "needs n < 6"]);
    let mut settings = tarka_settings::Settings::default();
    settings.add_file(Path::new("tarka.toml"), &unit.tarka_toml).expect("lines that tarka.toml takes");
    let read = settings.assumes_of("parse").iter().map(|assume| assume.expression.as_str());
    assert_eq!(read.collect::<Vec<_>>(), ["p != NULL", "n < 6"]);
}

#[test]
fn a_fingerprint_stays_when_the_code_around_it_changes() {
    let before = prints(&report(SOURCE));
    assert!(before.iter().all(|print| print.len() == 32 && print.chars().all(|c| c.is_ascii_hexdigit())));
    assert_eq!(before.iter().collect::<std::collections::BTreeSet<_>>().len(), 3);
    let function = "int unrelated(int *p)\n{\n    return *p;\n}\n";
    let above = SOURCE.replace("int parse(", &format!("/* more */\n\n{function}\nint parse("));
    let indented = SOURCE.replace("    return total", "\t\treturn   total");
    let elsewhere = SOURCE.replace("int total = 0;", "int total = 0;\n    (void)n;");
    for changed in [&above, &indented, &elsewhere] {
        assert_ne!(changed, SOURCE);
        assert_eq!(prints(&report(changed)), before, "{changed}");
    }
    // Nor do the folder, the seed, the run, the input and the message matter.
    let moved = |fault: Fault| Fault { run: 99, message: "other words".into(), ..fault };
    let moved = result(faults(SOURCE).into_iter().map(moved).collect());
    assert_eq!(prints(&report_of(&Run { seed: 7, ..run() }, &[moved], SOURCE)), before);
}

#[test]
fn an_edit_of_the_line_is_another_fault() {
    let before = prints(&report(SOURCE));
    let edited = SOURCE.replace("helper(p) / (n - 7)", "2 * helper(p) / (n - 7)");
    let after = prints(&report(&edited.replace("2 * helper(p) /", "2 + helper(p) /")));
    assert_ne!(before[0], after[0]);
    assert_eq!(before[1..], after[1..]);
}

#[test]
fn the_way_of_calls_to_a_fault_does_not_matter() {
    let calls = |names: &[&str]| {
        let stack = names.iter().map(|name| (name.to_string(), made::at(5, 12))).collect();
        let fault = Fault { stack, ..fault(SOURCE, FaultKind::NullDereference, "*p;") };
        prints(&report_of(&run(), &[result(vec![fault])], SOURCE)).remove(0)
    };
    assert_eq!(calls(&["helper", "parse"]), calls(&["helper", "walk", "parse"]));
    assert_eq!(calls(&["walk", "walk", "parse"]), calls(&["walk", "walk", "walk", "parse"]));
}

#[test]
fn a_recursion_is_told_once() {
    let frame = |function: &str, line: u32| (function.to_string(), made::at(line, 1));
    let stack =
        vec![frame("walk", 5), frame("walk", 6), frame("walk", 6), frame("walk", 6), frame("parse", 9)];
    let fault = Fault { stack, ..fault(SOURCE, FaultKind::StackOverflow, "*p;") };
    let report = report_of(&run(), &[result(vec![fault])], SOURCE);
    assert_eq!(
        report.units[0].faults[0].calls(),
        ["walk() at src/unit.c:5", "walk() at src/unit.c:6 (3 times)", "parse() at src/unit.c:9"]
    );
}

#[test]
fn equal_faults_are_numbered_by_place_whatever_order_they_are_found_in() {
    let text = "int f(int *p)\n{\n    if (*p)\n        p = 0;\n    *p = 1;\n    p++;\n    *p = 1;\n    return 0;\n}\n";
    let here = |line: u32| {
        let mut fault = fault(text, FaultKind::NullDereference, "*p = 1;");
        fault.place.line = line;
        fault
    };
    let one = prints(&report_of(&run(), &[result(vec![here(5), here(7)])], text));
    let other = prints(&report_of(&run(), &[result(vec![here(7), here(5)])], text));
    assert_ne!(one[0], one[1]);
    assert_eq!(one, [other[1].clone(), other[0].clone()]);
}

/// The report on some faults, compared with a baseline.
fn compared(baseline: &Baseline, faults: Vec<Fault>) -> Report {
    report_of(&Run { baseline: Some(("old/report.json", baseline)), ..run() }, &[result(faults)], SOURCE)
}

#[test]
fn against_a_baseline_faults_are_new_known_or_gone() {
    let mut then = faults(SOURCE);
    let fresh = then.remove(1);
    let baseline = baseline_of(&report_of(&run(), &[result(then.clone())], SOURCE));
    let report = compared(&baseline, vec![then[0].clone(), fresh]);
    let news: Vec<Option<bool>> = report.units[0].faults.iter().map(|fault| fault.new).collect();
    assert_eq!(news, [Some(true), Some(false)]);
    let compared = report.baseline.as_ref().expect("compared");
    assert_eq!((compared.new, compared.known, compared.not_looked_for), (1, 1, 0));
    let gone: Vec<&str> = compared.absent.iter().map(|fault| fault.kind.as_str()).collect();
    assert_eq!(gone, ["use-after-free"]);
    let html = page(&report, &BTreeMap::new());
    assert!(
        html.contains("1 new, 1 known, 1 gone") && html.contains("gone: use-after-free in parse()"),
        "{html}"
    );
}

#[test]
fn what_was_not_looked_for_is_not_gone() {
    let baseline = baseline_of(&report(SOURCE));
    let compared = Run { baseline: Some(("old", &baseline)), ..run() };
    let counts = |run: &Run, units: &[tarka_events::UnitResult]| {
        let report = report_of(run, units, SOURCE);
        let compared = report.baseline.expect("compared");
        (compared.absent.len(), compared.not_looked_for)
    };
    assert_eq!(counts(&compared, &[result(Vec::new())]), (3, 0));
    let mut other = result(Vec::new());
    other.function = "another".into();
    assert_eq!(counts(&compared, &[other]), (0, 3));
    let mut failed = result(Vec::new());
    failed.status = tarka_events::Status::Error("no".into());
    assert_eq!(counts(&compared, &[failed]), (0, 3));
    let few = Run { looked_for: FaultSet::NONE.with(FaultKind::DivisionByZero), ..compared };
    assert_eq!(counts(&few, &[result(Vec::new())]), (1, 2));
    let aimed = Run { aim: Some("lines 3-4"), looked_for: FaultSet::default(), ..few };
    assert_eq!(counts(&aimed, &[result(Vec::new())]), (0, 3));
}

#[test]
fn both_files_of_a_run_are_the_same_baseline() {
    let report = report(SOURCE);
    let text = serde_json::to_string_pretty(&sarif(&report, Path::new("/p"))).expect("JSON");
    let of_sarif = Baseline::parse(&text).expect("a baseline");
    for baseline in [of_sarif, baseline_of(&report)] {
        let known = compared(&baseline, faults(SOURCE));
        assert!(known.units[0].faults.iter().all(|fault| fault.new == Some(false)));
        let gone = compared(&baseline, Vec::new()).baseline.expect("compared").absent;
        let told: Vec<(&str, &str, u32, &str)> = gone
            .iter()
            .map(|fault| (fault.class.as_str(), fault.file.as_str(), fault.line, fault.function.as_str()))
            .collect();
        let places = [
            ("bug", "src/unit.c", 13, "parse"),
            ("contract", "src/unit.c", 5, "helper"),
            ("bug", "src/unit.c", 17, "parse"),
        ];
        assert_eq!(told, places);
    }
}

#[test]
fn what_was_gone_already_is_not_known() {
    let baseline = baseline_of(&report(SOURCE));
    let later = compared(&baseline, Vec::new());
    let text = serde_json::to_string(&sarif(&later, Path::new("/p"))).expect("JSON");
    let back = compared(&Baseline::parse(&text).expect("a baseline"), faults(SOURCE));
    assert!(back.units[0].faults.iter().all(|fault| fault.new == Some(true)));
}

#[test]
fn what_is_no_baseline_says_why() {
    let old = |report: &Report| {
        let mut value = serde_json::to_value(report).expect("JSON");
        value.as_object_mut().expect("a report").remove("fingerprints");
        value.to_string()
    };
    let other_tool =
        r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "Other"}}, "results": []}]}"#;
    let no_print =
        r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "Tarka"}}, "results": [{}]}]}"#;
    for (text, reason) in [
        ("", "it is not JSON"),
        ("{\"units\": [", "it is not JSON"),
        ("[]", "neither a report.json nor a faults.sarif"),
        ("{\"strategies\": []}", "neither a report.json nor a faults.sarif"),
        ("{\"tool\": \"tarka 9\", \"units\": [{}]}", "not a report.json that this Tarka can read"),
        ("{\"version\": \"2.0.0\", \"runs\": []}", "SARIF of version \"2.0.0\", not 2.1.0"),
        (other_tool, "SARIF of another tool: Other"),
        (no_print, "no fingerprint of this Tarka"),
        (&old(&report(SOURCE)), "its faults are named in another way than today"),
    ] {
        let said = Baseline::parse(text).expect_err("no baseline");
        assert!(said.contains(reason), "`{said}` for {text}");
    }
}

#[test]
fn the_page_keeps_contracts_apart_and_tells_the_way() {
    let html = page(&report(SOURCE), &BTreeMap::new()).replace('\n', " ");
    for part in [
        "<h3>Bugs (2)</h3>",
        "<h3>Contracts (1)</h3>",
        "<strong>parse needs p != NULL</strong>",
        "▸   13              total += helper(p) / (n - 7);",
        "<span class=\"quiet\">src/unit.c:11: </span>`i &lt; n` is true, 7 times in a row</li>",
        "<span class=\"quiet\">src/unit.c:12: </span>`n &gt; 5` is true</li></ol>",
        "<li>allocated at src/unit.c:15</li><li>freed at src/unit.c:16</li>",
        "<li>helper() at src/unit.c:5</li><li>parse() at src/unit.c:13</li>",
        "<pre>[function.parse] assume = [&quot;p != NULL&quot;] </pre>",
    ] {
        assert!(html.contains(part), "no `{part}` in:\n{html}");
    }
    let (faults, contracts) = (html.find("<h3>Bugs"), html.find("<h3>Contracts"));
    assert!(faults < contracts, "faults first");
}

/// A report on these faults, of which the plain program showed none.
fn unconfirmed(faults: Vec<Fault>) -> Report {
    let (result, mut suite) = (result(faults), made::suite(3));
    suite.faults.iter_mut().for_each(|fault| fault.confirmed = false);
    let unit = tarka_report::ReportedUnit { result: &result, suite: &suite, flags: &[], linked: &[] };
    tarka_report::build(&run(), &[unit], &BTreeMap::from([("src/unit.c".to_string(), SOURCE.to_string())]))
}

#[test]
fn a_fault_without_a_file_was_not_replayed() {
    let mut report = unconfirmed(faults(SOURCE));
    let fault = &mut report.units[0].faults[0];
    fault.test = None;
    assert_eq!(fault.doubt(), Some("not replayed"));
    fault.test = Some("unit/fault_unit_1.c".to_string());
    assert_eq!(fault.doubt(), Some("not confirmed"));
    fault.confirmed = true;
    assert_eq!(fault.doubt(), None);
}

#[test]
fn what_the_plain_program_did_not_show_is_no_bug() {
    let report = unconfirmed(faults(SOURCE));
    let classes: Vec<&str> = report.units[0].faults.iter().map(|fault| fault.class.as_str()).collect();
    assert_eq!(classes, ["contract", "limit", "limit"]);
    assert!(report.units[0].faults[1].why.contains("not seen on the plain program, else bug"));
    assert!(!report.units[0].faults.iter().any(|fault| fault.fails(FaultClass::Unchecked, None)));
    let html = page(&report, &BTreeMap::new());
    assert!(html.contains("<h3>Limits (2)</h3>") && html.contains("not confirmed"));
}

#[test]
fn a_run_fails_on_its_class_and_on_more_serious_ones() {
    let of_class = |class| Fault { class, ..fault(SOURCE, FaultKind::NullDereference, "*p;") };
    for (class, fails) in [
        (FaultClass::Bug, [true, true, true]),
        (FaultClass::Unchecked, [false, true, true]),
        (FaultClass::Contract, [false, false, true]),
        (FaultClass::Limit, [false, false, false]),
    ] {
        let report = report_of(&run(), &[result(vec![of_class(class)])], SOURCE);
        let fault = &report.units[0].faults[0];
        let limits = [FaultClass::Bug, FaultClass::Unchecked, FaultClass::Contract];
        assert_eq!(limits.map(|limit| fault.fails(limit, None)), fails, "{class:?}");
    }
}

#[test]
fn a_known_fault_that_became_worse_is_explained_and_counts_as_new() {
    let of_class = |class, why: &str| Fault {
        class,
        why: why.to_string(),
        ..fault(SOURCE, FaultKind::NullDereference, "*p;")
    };
    let contract = vec![of_class(FaultClass::Contract, "the unit does not look at p")];
    let bug = vec![of_class(FaultClass::Bug, "the unit looks at p, and lets this pass")];
    let baseline = baseline_of(&report_of(&run(), &[result(contract.clone())], SOURCE));
    let worse = compared(&baseline, bug.clone());
    let changed = &worse.baseline.as_ref().expect("compared").changed;
    assert_eq!((changed[0].from.as_str(), changed[0].to.as_str()), ("contract", "bug"));
    assert_eq!(changed[0].why, "the unit looks at p, and lets this pass");
    assert!(worse.units[0].faults[0].fails(FaultClass::Bug, worse.baseline.as_ref()));
    let html = page(&worse, &BTreeMap::new());
    assert!(html.contains("was contract, is bug: the unit looks at p"));
    let baseline = baseline_of(&report_of(&run(), &[result(bug)], SOURCE));
    let better = compared(&baseline, contract);
    assert!(!better.units[0].faults[0].fails(FaultClass::Contract, better.baseline.as_ref()));
}

#[test]
fn a_judged_fault_is_listed_last_and_fails_nothing() {
    let silence = |function: Option<&str>, line: Option<&str>| tarka_settings::Silence {
        kind: "division-by-zero".into(),
        function: function.map(str::to_string),
        line: line.map(str::to_string),
        reason: "n is never 7".into(),
        origin: tarka_settings::Origin::File { file: "tarka.toml".into(), line: 4, column: 1 },
    };
    let is_silenced = |silences: &[tarka_settings::Silence]| {
        let run = Run { silences, ..run() };
        let report = report_of(&run, &[result(faults(SOURCE))], SOURCE);
        let fault = report.units[0].faults.iter().find(|fault| fault.kind == "division-by-zero");
        let fault = fault.expect("it is still listed");
        assert_eq!(fault.silenced.is_some(), !fault.fails(FaultClass::Bug, None));
        assert!(fault.silenced.is_none() || fault.rank == 3, "{}", fault.rank);
        fault.silenced.as_ref().map(|silenced| silenced.at.clone())
    };
    assert_eq!(is_silenced(&[]), None);
    assert_eq!(is_silenced(&[silence(None, None)]).as_deref(), Some("tarka.toml:4:1"));
    assert_eq!(is_silenced(&[silence(Some("other"), None)]), None);
    assert!(is_silenced(&[silence(Some("parse"), Some("/ (n - 7)"))]).is_some());
    assert_eq!(is_silenced(&[silence(Some("parse"), Some("another line"))]), None);
    // A comment at the place does as well.
    let mark = "/* tarka: silence division-by-zero: n is never 7 */";
    let text = SOURCE
        .replace("            total += helper", &format!("            {mark}\n            total += helper"));
    let report = report(&text);
    let silenced = report.units[0].faults.iter().filter_map(|fault| fault.silenced.as_ref());
    assert_eq!(silenced.map(|silenced| silenced.reason.as_str()).collect::<Vec<_>>(), ["n is never 7"]);
    let document = serde_json::to_value(sarif(&report, Path::new("/p"))).expect("JSON");
    let results = document["runs"][0]["results"].as_array().expect("results");
    let suppressed: Vec<&str> =
        results.iter().filter_map(|result| result["suppressions"][0]["kind"].as_str()).collect();
    assert_eq!(suppressed, ["inSource"]);
}
