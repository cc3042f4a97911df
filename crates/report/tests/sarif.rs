//! `faults.sarif` from hand-made results, judged by the schema of SARIF 2.1.0.

use std::path::Path;

use crate::made::{self, SOURCE, report, report_of, result, run};
use crate::schema;
use serde_json::{Value, json};
use tarka_events::{Fault, FaultClass, FaultKind, Status};
use tarka_report::{Report, Run, sarif};

fn document(report: &Report) -> Value {
    serde_json::to_value(sarif(report, Path::new("/home/me/project"))).expect("JSON")
}

fn results(document: &Value) -> &Vec<Value> {
    document["runs"][0]["results"].as_array().expect("results")
}

#[test]
fn the_schema_accepts_documents_with_and_without_faults() {
    let plain = report(SOURCE);
    let baseline = made::baseline_of(&plain);
    let nothing = report_of(&run(), &[result(Vec::new())], SOURCE);
    let compared = Run { baseline: Some(("old.json", &baseline)), ..run() };
    let gone = report_of(&compared, &[result(Vec::new())], SOURCE);
    let same = report_of(&compared, &[result(made::faults(SOURCE))], SOURCE);
    let mut failed = result(Vec::new());
    failed.status = Status::Error("clang says no {0} [here](1)".into());
    let failed = report_of(&run(), &[failed], SOURCE);
    let empty = report_of(&run(), &[], SOURCE);
    for report in [&plain, &nothing, &gone, &same, &failed, &empty] {
        let document = document(report);
        assert_eq!(schema::objections(&document), [""; 0], "{document:#}");
    }
}

#[test]
fn the_schema_would_say_what_is_wrong() {
    let broken = |change: fn(&mut Value)| {
        let mut document = document(&report(SOURCE));
        change(&mut document["runs"][0]);
        schema::objections(&document)
    };
    assert!(!broken(|run| run["results"][0]["level"] = json!("fatal")).is_empty());
    assert!(!broken(|run| run["results"][0]["message"] = json!("words")).is_empty());
    assert!(!broken(|run| run["tool"]["driver"]["name"] = Value::Null).is_empty());
    assert!(!broken(|run| run["results"][0]["baselineState"] = json!("gone")).is_empty());
    assert!(!broken(|run| run["results"][0]["partial"] = json!({})).is_empty());
    let place = |run: &mut Value| {
        run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = json!(0)
    };
    let said = broken(place);
    assert!(said.iter().any(|said| said.contains("startLine")), "{said:?}");
}

#[test]
fn a_result_has_what_a_reader_needs() {
    let document = document(&report(SOURCE));
    let rules = document["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    let ids: Vec<&str> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
    assert_eq!(ids, ["division-by-zero", "use-after-free", "null-dereference"]);
    for (rank, result) in (1..).zip(results(&document)) {
        assert_eq!(result["ruleId"], rules[result["ruleIndex"].as_u64().expect("a number") as usize]["id"]);
        assert_eq!(result["properties"]["rank"], rank);
        assert_eq!(result["partialFingerprints"]["tarkaFault/v2"].as_str().map(str::len), Some(32));
        assert_eq!(result.get("baselineState"), None);
    }
    let [divided, used, contract] = &results(&document)[..] else { panic!("three results") };
    let levels = [divided, used, contract].map(|result| result["level"].as_str().expect("a level"));
    assert_eq!(levels, ["error", "error", "note"]);
    let place = &divided["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"], json!({"uri": "src/unit.c", "uriBaseId": "SRCROOT"}));
    assert_eq!((&place["region"]["startLine"], &place["region"]["startColumn"]), (&json!(13), &json!(32)));
    assert_eq!(place["region"]["snippet"]["text"], "            total += helper(p) / (n - 7);");
    assert_eq!(
        (&place["contextRegion"]["startLine"], &place["contextRegion"]["endLine"]),
        (&json!(11), &json!(15))
    );
    let flow = divided["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a flow");
    let said: Vec<&str> =
        flow.iter().filter_map(|step| step["location"]["message"]["text"].as_str()).collect();
    assert_eq!(
        said,
        ["`i < n` is true, 7 times in a row", "`n > 5` is true", "an integer is divided by zero"]
    );
    let related: Vec<&str> = used["relatedLocations"]
        .as_array()
        .expect("related")
        .iter()
        .filter_map(|location| location["message"]["text"].as_str())
        .collect();
    assert_eq!(related, ["allocated", "freed"]);
    assert_eq!(contract["message"]["text"], "a null pointer is dereferenced (parse needs p != NULL)");
    assert_eq!(contract["properties"]["precondition"]["expression"], "p != NULL");
    let frames = contract["stacks"][0]["frames"].as_array().expect("frames");
    let functions: Vec<&str> =
        frames.iter().filter_map(|frame| frame["location"]["logicalLocations"][0]["name"].as_str()).collect();
    assert_eq!(functions, ["helper", "parse"]);
    assert_eq!(
        contract["attachments"][0]["artifactLocation"],
        json!({"uri": "parse/fault_parse_1.c", "uriBaseId": "TARKAOUT"})
    );
}

#[test]
fn the_class_is_the_level_and_a_limit_is_no_result() {
    let levels = |class| {
        let fault = Fault { class, ..made::fault(SOURCE, FaultKind::NullDereference, "*p;") };
        let document = document(&made::report_of(&made::run(), &[made::result(vec![fault])], SOURCE));
        let levels =
            results(&document).iter().map(|result| result["level"].as_str().expect("a level").to_string());
        levels.collect::<Vec<_>>()
    };
    assert_eq!(levels(FaultClass::Bug), ["error"]);
    assert_eq!(levels(FaultClass::Unchecked), ["warning"]);
    assert_eq!(levels(FaultClass::Contract), ["note"]);
    assert!(levels(FaultClass::Limit).is_empty());
}

#[test]
fn the_document_names_no_folder_of_this_machine() {
    assert!(!document(&report(SOURCE)).to_string().contains("/home/me"));
}

#[test]
fn columns_count_characters_and_messages_are_no_templates() {
    let text = "int f(int a)\n{\n    const char *s = \"größe\"; return 1 / a;\n}\n";
    let mut fault = made::fault(text, FaultKind::DivisionByZero, "/ a");
    fault.message = "an integer is divided by zero: `int t[1] = {0}; x[0](1)`".into();
    let document = document(&report_of(&run(), &[result(vec![fault])], text));
    let result = &results(&document)[0];
    let column =
        text.lines().nth(2).and_then(|line| line.split("/ a").next()).expect("text").chars().count() + 1;
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startColumn"], column);
    assert_eq!(
        result["message"]["text"],
        "an integer is divided by zero: `int t\\[1\\] = {{0}}; x\\[0\\](1)`"
    );
}

#[test]
fn a_fault_without_a_place_is_in_the_file() {
    let mut fault = made::fault(SOURCE, FaultKind::StackOverflow, "int parse");
    fault.place.line = 0;
    fault.place.column = 0;
    let document = document(&report_of(&run(), &[result(vec![fault])], SOURCE));
    assert_eq!(results(&document)[0]["locations"][0]["physicalLocation"].get("region"), None);
    assert_eq!(schema::objections(&document), [""; 0]);
}

#[test]
fn a_function_that_was_not_tested_is_told_of() {
    let mut failed = result(Vec::new());
    failed.status = Status::Error("the file cannot be built".into());
    let document = document(&report_of(&run(), &[failed], SOURCE));
    let invocation = &document["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let said = invocation["toolExecutionNotifications"][0]["message"]["text"].as_str().expect("text");
    assert!(said.contains("parse") && said.contains("the file cannot be built"), "{said}");
}
