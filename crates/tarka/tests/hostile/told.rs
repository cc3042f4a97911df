//! What a report says of attempts, against the table.
//!
//! Takes rows, a report and the sources; gives every difference as a line of text.

use std::ops::RangeInclusive;

use serde_json::Value;

/// The kind of a fault that is an attempt to reach outside.
const KIND: &str = "outside-effect";

/// One function of the table.
#[derive(Debug)]
pub struct Row {
    pub file: String,
    pub function: String,
    finding: String,
    is_visible: bool,
}

impl Row {
    pub fn is_harmless(&self) -> bool {
        self.finding == "none"
    }

    /// Whether something must be said of it.
    pub fn is_told(&self) -> bool {
        !self.is_harmless() && self.finding != "-"
    }

    /// Whether a message is the one of this row.
    fn is_in(&self, message: &str, canary: &str) -> bool {
        let finding = self.finding.replace("{canary}", canary);
        finding.split(' ').all(|word| word.split('|').any(|choice| message.contains(choice)))
    }
}

/// The rows of a table.
pub fn rows(text: &str) -> Vec<Row> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [file, function, tries, finding, visible] = cells[..] else { panic!("five cells in: {line}") };
        assert!(!tries.is_empty() && !finding.is_empty(), "nothing is empty in: {line}");
        assert!(matches!(visible, "yes" | "no"), "yes or no at the end of: {line}");
        Row {
            file: file.to_string(),
            function: function.to_string(),
            finding: finding.to_string(),
            is_visible: visible == "yes",
        }
    };
    lines.map(row).collect()
}

/// A side of a decision about whether an attempt worked.
#[derive(Debug, PartialEq, Eq)]
enum Side {
    Worked,
    Failed,
    /// Anything else.
    Other,
}

/// What a goal says about the attempt: from the line that it is on and the one below. Of the conditions on a line with
/// `WORKED`, the last one decides.
fn side(goal: &Value, source: &str, last: impl Fn(u64) -> Option<u64>) -> Side {
    let line = goal["line"].as_u64().unwrap_or_default();
    let text = |line: u64| source.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    let is_true = goal["outcome"] == "true";
    let is_last = goal["column"].as_u64() == last(line);
    let works_when = if text(line).contains("? WORKED :") {
        Some(true)
    } else if text(line).contains(": WORKED;") {
        Some(false)
    } else {
        None
    };
    match works_when {
        Some(outcome) if outcome != is_true => Side::Failed,
        Some(_) if is_last => Side::Worked,
        None if is_true && text(line + 1).trim() == "return -1;" => Side::Failed,
        _ => Side::Other,
    }
}

/// The lines of a function, from its name to the end.
fn lines_of(source: &str, function: &str) -> RangeInclusive<u64> {
    let is_head =
        |line: &str| line.contains(&format!("{function}(")) && line.ends_with(')') && !line.starts_with(' ');
    let head = source.lines().position(is_head).unwrap_or_else(|| panic!("no {function}")) as u64 + 1;
    let length = source.lines().skip(head as usize).position(|line| line == "}").expect("an end") as u64;
    head..=head + length + 1
}

fn of<'a>(unit: &'a Value, list: &str) -> impl Iterator<Item = &'a Value> {
    unit[list].as_array().into_iter().flatten()
}

/// What differs between a report and the rows.
pub fn differences(
    rows: &[Row],
    report: &Value,
    canary: &str,
    source: &dyn Fn(&str) -> String,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let units: Vec<&Value> = of(report, "units").collect();
    for row in rows {
        let unit = units.iter().find(|unit| {
            let file = unit["file"].as_str().unwrap_or_default();
            unit["function"] == row.function.as_str() && file.rsplit('/').next() == Some(&row.file)
        });
        match unit {
            None => wrong.push(format!("{} {}: no such unit", row.file, row.function)),
            Some(unit) => {
                let said = of_unit(row, unit, &units, canary, &source(&row.file));
                wrong.extend(said.into_iter().map(|said| format!("{} {}: {said}", row.file, row.function)));
            }
        }
    }
    wrong
}

fn of_unit(row: &Row, unit: &Value, units: &[&Value], canary: &str, source: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    // A fault is told once, by one of the functions that show it.
    let is_its_own = |fault: &Value| {
        fault["function"] == row.function.as_str()
            || of(unit, "faults").any(|own| own["fingerprint"] == fault["fingerprint"])
    };
    let faults = units.iter().flat_map(|unit| of(unit, "faults")).filter(|fault| fault["kind"] == KIND);
    let told: Vec<&Value> = faults.filter(|fault| is_its_own(fault)).collect();
    let messages: Vec<&str> = told.iter().filter_map(|fault| fault["message"].as_str()).collect();
    if row.is_harmless() {
        let goals = &unit["goals"];
        if unit["status"] != "complete" || goals["covered"] != goals["total"] || goals["total"] == 0 {
            wrong.push(format!("is harmless and not finished: {}, {goals}", unit["status"]));
        }
        if !messages.is_empty() {
            wrong.push(format!("is harmless and told of: {messages:?}"));
        }
    }
    if row.is_told() && !messages.iter().any(|message| row.is_in(message, canary)) {
        wrong.push(format!("nobody is told of {}: {messages:?}", row.finding));
    }
    wrong.extend(told.iter().filter(|fault| fault["class"] != "contract").map(|fault| {
        format!("an attempt is a contract, and told as {}: {}", fault["class"], fault["message"])
    }));
    let lines = lines_of(source, &row.function);
    let goals: Vec<&Value> = of(unit, "goal_list")
        .filter(|goal| goal["line"].as_u64().is_some_and(|line| lines.contains(&line)))
        .filter(|goal| goal["file"].as_str().and_then(|file| file.rsplit('/').next()) == Some(&row.file))
        .collect();
    let last = |line: u64| {
        goals.iter().filter(|goal| goal["line"] == line).filter_map(|goal| goal["column"].as_u64()).max()
    };
    let taken = |wanted: Side| {
        let mut taken = goals.iter().filter(|goal| !goal["first_run"].is_null());
        taken.find(|goal| side(goal, source, last) == wanted).copied()
    };
    if let Some(goal) = taken(Side::Worked) {
        wrong.push(format!("line {} has seen its attempt work", goal["line"]));
    }
    // No passing test shows what happens after an attempt; then the report says what was in the way.
    let is_explained = goals.iter().any(|goal| {
        let reason = goal["reason"].as_str().unwrap_or_default();
        side(goal, source, last) == Side::Failed && reason.contains("outside-effect")
    });
    if row.is_visible && taken(Side::Failed).is_none() && !is_explained {
        wrong.push("has not seen its attempt fail".to_string());
    }
    wrong
}

const SOURCE: &str = "int calm(int n)\n{\n    return n ? 1 : 0;\n}\n\nint wild(void)\n{\n    if (open() < 0)\n        \
                      return -1;\n    return a && b() ? WORKED : -1;\n}\n";

fn judged(change: impl Fn(&mut Value)) -> Vec<String> {
    let goal = |line: u64, column: u64, outcome: &str, run: Option<u64>| serde_json::json!({"file": "unit.c", "line": line, "column": column, "outcome": outcome, "first_run": run});
    let mut report = serde_json::json!({"units": [
        {"file": "unit.c", "function": "calm", "status": "complete", "goals": {"covered": 2, "total": 2}, "faults": [],
         "goal_list": [goal(3, 12, "true", Some(1)), goal(3, 12, "false", Some(2))]},
        {"file": "unit.c", "function": "wild", "status": "budget", "goals": {"covered": 1, "total": 6},
         "faults": [{"kind": KIND, "function": "wild", "message": "calls open(\"/c/x\", 65)", "class": "contract"}],
         "goal_list": [goal(8, 9, "true", None), goal(8, 9, "false", Some(1)), goal(10, 12, "true", Some(1)),
                       goal(10, 12, "false", None), goal(10, 17, "true", None), goal(10, 17, "false", Some(1))]},
    ]});
    change(&mut report);
    let table = "# a table\nunit.c\tcalm\tnothing\tnone\tno\nunit.c\twild\topens a file\topenat|open \"{canary}/x\"\tyes\n";
    differences(&rows(table), &report, "/c", &|_| SOURCE.to_string())
}

#[test]
fn a_report_that_is_as_it_must_be_differs_in_nothing() {
    assert_eq!(judged(|_| ()), Vec::<String>::new());
}

#[test]
fn whatever_a_report_lacks_is_told() {
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 9] = [
        (|report| drop(report["units"].as_array_mut().expect("units").pop()), "unit.c wild: no such unit"),
        (|report| report["units"][0]["status"] = "budget".into(), "calm: is harmless and not finished"),
        (|report| report["units"][0]["goals"]["covered"] = 1.into(), "calm: is harmless and not finished"),
        (
            |report| report["units"][1]["faults"][0]["function"] = "calm".into(),
            "calm: is harmless and told of",
        ),
        (|report| report["units"][1]["faults"] = Value::Null, "wild: nobody is told of"),
        (
            |report| report["units"][1]["faults"][0]["message"] = "calls open(\"/d/x\")".into(),
            "nobody is told of",
        ),
        (|report| report["units"][1]["faults"][0]["class"] = "bug".into(), "told as \"bug\""),
        (
            |report| report["units"][1]["goal_list"][4]["first_run"] = 3.into(),
            "line 10 has seen its attempt work",
        ),
        (
            |report| report["units"][1]["goal_list"][5]["first_run"] = Value::Null,
            "has not seen its attempt fail",
        ),
    ];
    for (change, expected) in cases {
        let wrong = judged(change).join("\n");
        assert!(wrong.contains(expected), "no `{expected}` in: {wrong}");
    }
}
