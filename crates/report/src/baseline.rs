//! `--baseline`: the faults of an earlier run, and what is new and what is gone since.
//!
//! Takes the text of an earlier `report.json` or `faults.sarif`; gives the faults in it by fingerprint, and marks those of a
//! report. A fault counts as gone only where this run looked for it: its function was tested, whole, and its kind asked for.
//! Never reads a file.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tarka_events::{FaultClass, FaultKind, FaultSet};

use crate::fingerprint::{RECIPE, file_name};
use crate::json::{Report, Unit, VERSION};
use crate::sarif::uri::path_of;

/// The faults of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    faults: Vec<EarlierFault>,
}

/// A fault of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EarlierFault {
    /// The file of the function under test.
    pub unit_file: String,
    /// The function under test.
    pub unit: String,
    /// Kind.
    pub kind: String,
    /// `bug`, `unchecked`, `contract` or `limit`.
    pub class: String,
    /// File.
    pub file: String,
    /// Line, as it was then.
    pub line: u32,
    /// Function the place is in.
    pub function: String,
    /// One sentence.
    pub message: String,
    /// Its fingerprint.
    pub fingerprint: String,
}

/// How a run compares with its baseline.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// The baseline as the user named it.
    pub file: String,
    /// Faults of this run that are in it.
    pub known: u64,
    /// Faults of this run that are not.
    pub new: u64,
    /// Faults of this run that were of another class then.
    #[serde(default)]
    pub changed: Vec<ClassChange>,
    /// Faults of the baseline that were looked for and not found any more.
    pub absent: Vec<EarlierFault>,
    /// Faults of the baseline that this run did not look for.
    pub not_looked_for: u64,
}

/// A known fault of another class than before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassChange {
    /// Its fingerprint.
    pub fingerprint: String,
    /// Kind.
    pub kind: String,
    /// File.
    pub file: String,
    /// Line, now.
    pub line: u32,
    /// Its class then.
    pub from: String,
    /// Its class now.
    pub to: String,
    /// Why it is of that class now.
    pub why: String,
}

impl ClassChange {
    /// It has become more serious.
    pub fn is_worse(&self) -> bool {
        FaultClass::from_name(&self.to) < FaultClass::from_name(&self.from)
    }
}

impl Baseline {
    /// Reads an earlier `report.json` or `faults.sarif`. The error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Baseline, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value: Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
        let faults = match &value {
            _ if value["runs"].is_array() => of_sarif(&value)?,
            _ if value["units"].is_array() && value["tool"].is_string() => of_report(value)?,
            _ => return Err("it is neither a report.json nor a faults.sarif of Tarka".to_string()),
        };
        Ok(Baseline { faults })
    }

    /// Marks the faults of a report as new or known, and says what is gone. `looked_for`: the kinds this run asked for.
    pub(crate) fn compare(&self, file: &str, units: &mut [Unit], looked_for: FaultSet) -> Compared {
        let earlier: BTreeMap<&str, &str> =
            self.faults.iter().map(|fault| (fault.fingerprint.as_str(), fault.class.as_str())).collect();
        let (mut known, mut new) = (0, 0);
        let mut changed = Vec::new();
        let mut found: BTreeSet<String> = BTreeSet::new();
        for fault in units.iter_mut().flat_map(|unit| &mut unit.faults) {
            found.insert(fault.fingerprint.clone());
            let then = earlier.get(fault.fingerprint.as_str());
            fault.new = Some(then.is_none());
            if fault.class() == FaultClass::Limit {
                continue;
            }
            *(if then.is_none() { &mut new } else { &mut known }) += 1;
            let other_class = then.filter(|then| **then != fault.class);
            changed.extend(other_class.map(|then| ClassChange {
                fingerprint: fault.fingerprint.clone(),
                kind: fault.kind.clone(),
                file: fault.file.clone(),
                line: fault.line,
                from: then.to_string(),
                to: fault.class.clone(),
                why: fault.why.clone(),
            }));
        }
        let left = self.faults.iter().filter(|fault| !found.contains(&fault.fingerprint));
        let (absent, others): (Vec<&EarlierFault>, Vec<_>) =
            left.partition(|fault| was_looked_for(fault, units, looked_for));
        Compared {
            file: file.to_string(),
            known,
            new,
            changed,
            absent: absent.into_iter().cloned().collect(),
            not_looked_for: others.len() as u64,
        }
    }
}

fn was_looked_for(fault: &EarlierFault, units: &[Unit], kinds: FaultSet) -> bool {
    let is_same =
        |unit: &&Unit| unit.function == fault.unit && file_name(&unit.file) == file_name(&fault.unit_file);
    let is_tested = |unit: &Unit| unit.status != "error" && unit.aim.is_none();
    // A kind that this Tarka does not know cannot be looked for.
    let is_asked_for = FaultKind::from_name(&fault.kind).is_some_and(|kind| kinds.has(kind));
    is_asked_for && units.iter().find(is_same).is_some_and(is_tested)
}

fn of_report(value: Value) -> Result<Vec<EarlierFault>, String> {
    let report: Report = serde_json::from_value(value)
        .map_err(|error| format!("it is not a report.json that this Tarka can read: {error}"))?;
    if report.version != VERSION {
        return Err(format!(
            "it is a report.json of version {}, and this Tarka reads {VERSION}",
            report.version
        ));
    }
    if report.fingerprints != RECIPE {
        let told = "its faults are named in another way than today: make a new one with this Tarka";
        return Err(told.to_string());
    }
    let mut faults = Vec::new();
    for unit in &report.units {
        for fault in &unit.faults {
            if fault.class() == FaultClass::Limit {
                continue;
            }
            faults.push(EarlierFault {
                unit_file: unit.file.clone(),
                unit: unit.function.clone(),
                kind: fault.kind.clone(),
                class: fault.class.clone(),
                file: fault.file.clone(),
                line: fault.line,
                function: fault.function.clone(),
                message: fault.message.clone(),
                fingerprint: fault.fingerprint.clone(),
            });
        }
    }
    faults.sort();
    Ok(faults)
}

fn of_sarif(value: &Value) -> Result<Vec<EarlierFault>, String> {
    if value["version"] != "2.1.0" {
        return Err(format!("it is SARIF of version {}, not 2.1.0", value["version"]));
    }
    let mut faults = Vec::new();
    for run in value["runs"].as_array().into_iter().flatten() {
        let tool = &run["tool"]["driver"]["name"];
        if tool != crate::sarif::TOOL {
            return Err(format!(
                "it is SARIF of another tool: {}",
                tool.as_str().unwrap_or("one without a name")
            ));
        }
        // What was already gone then is not known now.
        let present = |result: &&Value| result["baselineState"] != "absent";
        for result in run["results"].as_array().into_iter().flatten().filter(present) {
            let without = "a result in it has no fingerprint of this Tarka: make a new one with it";
            faults.push(of_result(result).ok_or(without)?);
        }
    }
    faults.sort();
    Ok(faults)
}

fn of_result(result: &Value) -> Option<EarlierFault> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let place = &result["locations"][0]["physicalLocation"];
    let properties = &result["properties"];
    let class = properties["class"].as_str().and_then(FaultClass::from_name).unwrap_or(FaultClass::Bug);
    Some(EarlierFault {
        unit_file: text(&properties["unitFile"]),
        unit: text(&properties["unit"]),
        kind: text(&result["ruleId"]),
        class: class.name().to_string(),
        file: path_of(place["artifactLocation"]["uri"].as_str().unwrap_or_default()),
        line: place["region"]["startLine"].as_u64().and_then(|line| line.try_into().ok()).unwrap_or(0),
        function: text(&properties["function"]),
        message: text(&result["message"]["text"]),
        fingerprint: result["partialFingerprints"][RECIPE].as_str()?.to_string(),
    })
}
