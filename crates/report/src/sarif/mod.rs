//! `faults.sarif`: the faults of a report in SARIF 2.1.0, for code hosts, editors and other tools.
//!
//! Takes the same data as `report.json` and the folder that paths are meant from; gives the document. `model` is its
//! structure, `rules` describes the kinds of fault, `uri` writes paths.
//! Never: the absolute path of files below that folder, times.

mod model;
mod rules;
pub(crate) mod uri;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use tarka_events::FaultClass;
use tarka_suite::step_sentence;

use crate::baseline::EarlierFault;
use crate::fault::{ExcerptLine, Fault, Silenced};
use crate::fingerprint::RECIPE;
use crate::json::{Report, Unit};
use model::*;

/// The tool's name in the document.
pub(crate) const TOOL: &str = "Tarka";
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The folder that paths of sources are meant from.
const SOURCES: &str = "SRCROOT";
/// The folder of the document.
const OUTPUT: &str = "TARKAOUT";

/// The document. `root` is the folder that the report's paths of sources are meant from.
pub fn sarif(report: &Report, root: &Path) -> Sarif {
    let writer = Writer { root };
    let mut faults: Vec<(&Unit, &Fault)> =
        report.units.iter().flat_map(|unit| unit.faults.iter().map(move |fault| (unit, fault))).collect();
    // A limit of ours is no result about the program.
    faults.retain(|(_, fault)| fault.class() != FaultClass::Limit);
    faults.sort_by_key(|(_, fault)| fault.rank);
    let gone = report.baseline.iter().flat_map(|compared| &compared.absent);
    let mut rules: Vec<String> = Vec::new();
    let mut rule_index = |kind: &str| match rules.iter().position(|known| known == kind) {
        Some(index) => index,
        None => {
            rules.push(kind.to_string());
            rules.len() - 1
        }
    };
    let mut results: Vec<Finding> =
        faults.iter().map(|(unit, fault)| writer.finding(unit, fault, rule_index(&fault.kind))).collect();
    results.extend(gone.map(|fault| writer.absent(fault, rule_index(&fault.kind))));
    let base = |text: &str| UriBase { description: message(text) };
    // `tarka 0.1.0`
    let version = report.tool.rsplit(' ').next().unwrap_or(&report.tool);
    Sarif {
        schema: SCHEMA,
        version: "2.1.0",
        runs: vec![Run {
            tool: Tool {
                driver: Driver {
                    name: TOOL,
                    version: version.to_string(),
                    short_description: message(
                        "Generates unit tests for C by concolic execution and reports the faults it meets.",
                    ),
                    rules: rules.iter().map(|kind| rules::rule(kind)).collect(),
                },
            },
            invocations: vec![invocation(report)],
            original_uri_base_ids: BTreeMap::from([
                (SOURCES, base("The folder in which tarka was called.")),
                (OUTPUT, base("The folder of this file.")),
            ]),
            column_kind: "unicodeCodePoints",
            results,
        }],
    }
}

/// A unit that could not be tested is said here: without it, no result would look like no fault.
fn invocation(report: &Report) -> Invocation {
    let failed = |unit: &&Unit| unit.status == "error";
    let notification = |unit: &Unit| Notification {
        level: if unit.skipped { "warning" } else { "error" },
        message: message(&format!("{} of {} was not tested: {}", unit.function, unit.file, unit.message)),
    };
    Invocation {
        command_line: report.command.clone(),
        execution_successful: !report.units.iter().any(|unit| failed(&unit) && !unit.skipped),
        tool_execution_notifications: report.units.iter().filter(failed).map(notification).collect(),
    }
}

struct Writer<'a> {
    root: &'a Path,
}

impl Writer<'_> {
    fn finding(&self, unit: &Unit, fault: &Fault, rule_index: usize) -> Finding {
        let need = fault.precondition.as_ref().map(|need| format!(" ({} {})", unit.function, need.words));
        Finding {
            rule_id: fault.kind.clone(),
            rule_index,
            level: level(fault.class()),
            message: message(&format!("{}{}", fault.message, need.unwrap_or_default())),
            locations: vec![self.fault_location(fault)],
            related_locations: fault
                .related
                .iter()
                .map(|related| self.location(&related.file, related.line, None, None, Some(&related.what)))
                .collect(),
            stacks: self.stacks(fault),
            code_flows: self.code_flows(fault),
            attachments: fault.test.iter().map(|path| attachment(path, fault.confirmed)).collect(),
            partial_fingerprints: BTreeMap::from([(RECIPE, fault.fingerprint.clone())]),
            baseline_state: fault.new.map(|new| if new { "new" } else { "unchanged" }),
            suppressions: fault.silenced.iter().map(suppression).collect(),
            properties: properties(unit, fault),
        }
    }

    /// A fault of the baseline that is gone.
    fn absent(&self, fault: &EarlierFault, rule_index: usize) -> Finding {
        Finding {
            rule_id: fault.kind.clone(),
            rule_index,
            level: level(FaultClass::from_name(&fault.class).unwrap_or(FaultClass::Bug)),
            message: message(&fault.message),
            locations: vec![self.location(&fault.file, fault.line, None, Some(&fault.function), None)],
            related_locations: Vec::new(),
            stacks: Vec::new(),
            code_flows: Vec::new(),
            attachments: Vec::new(),
            partial_fingerprints: BTreeMap::from([(RECIPE, fault.fingerprint.clone())]),
            baseline_state: Some("absent"),
            suppressions: Vec::new(),
            properties: BTreeMap::from([
                ("class", json!(fault.class)),
                ("unit", json!(fault.unit)),
                ("unitFile", json!(fault.unit_file)),
                ("function", json!(fault.function)),
            ]),
        }
    }

    fn fault_location(&self, fault: &Fault) -> Location {
        let column = start_column(fault);
        let mut location = self.location(&fault.file, fault.line, column, Some(&fault.function), None);
        let place = &mut location.physical_location;
        if let Some(region) = &mut place.region {
            region.snippet = fault.line_text().map(literal);
        }
        if let (Some(first), Some(last)) = (fault.excerpt.first(), fault.excerpt.last()) {
            place.context_region = Some(Region {
                start_line: first.line,
                start_column: None,
                end_line: Some(last.line),
                snippet: Some(literal(&joined(&fault.excerpt))),
            });
        }
        location
    }

    fn location(
        &self,
        file: &str,
        line: u32,
        column: Option<u32>,
        function: Option<&str>,
        says: Option<&str>,
    ) -> Location {
        let (uri, is_relative) = uri::uri_of(self.root, file);
        let function = function.filter(|name| !name.is_empty());
        Location {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri, uri_base_id: is_relative.then_some(SOURCES) },
                // A place without a line is the whole file.
                region: (line > 0).then_some(Region {
                    start_line: line,
                    start_column: column,
                    end_line: None,
                    snippet: None,
                }),
                context_region: None,
            },
            logical_locations: function
                .map(|name| LogicalLocation { name: name.to_string(), kind: "function" })
                .into_iter()
                .collect(),
            message: says.map(message),
        }
    }

    fn stacks(&self, fault: &Fault) -> Vec<Stack> {
        if fault.stack.is_empty() {
            return Vec::new();
        }
        let frames = fault.stack.iter().map(|frame| StackFrame {
            location: self.location(&frame.file, frame.line, None, Some(&frame.function), None),
        });
        vec![Stack {
            message: message("The calls that lead there, the innermost first."),
            frames: frames.collect(),
        }]
    }

    /// The decisions on the way, and at their end the fault.
    fn code_flows(&self, fault: &Fault) -> Vec<CodeFlow> {
        if fault.history.is_empty() {
            return Vec::new();
        }
        let step = |location: Location, importance: &'static str| FlowLocation { location, importance };
        let mut locations: Vec<FlowLocation> = Vec::new();
        for decision in &fault.history {
            let says = step_sentence(&decision.text, &decision.outcome, decision.times);
            let location = self.location(&decision.file, decision.line, None, None, Some(&says));
            locations.push(step(location, "important"));
        }
        let end = self.location(&fault.file, fault.line, start_column(fault), None, Some(&fault.message));
        locations.push(step(end, "essential"));
        vec![CodeFlow {
            message: message("The decisions that lead there."),
            thread_flows: vec![ThreadFlow { locations }],
        }]
    }
}

/// How much a class asks of the reader.
fn level(class: FaultClass) -> &'static str {
    match class {
        FaultClass::Bug => "error",
        FaultClass::Unchecked => "warning",
        FaultClass::Contract | FaultClass::Limit => "note",
    }
}

fn suppression(silenced: &Silenced) -> Suppression {
    Suppression {
        kind: if silenced.in_source { "inSource" } else { "external" },
        justification: format!("{} ({})", silenced.reason, silenced.at),
    }
}

fn attachment(path: &str, is_confirmed: bool) -> Attachment {
    let what =
        if is_confirmed { "A program that shows the fault." } else { "A program made to show the fault." };
    let (uri, _) = uri::uri_of(Path::new("/"), path);
    Attachment {
        description: message(what),
        artifact_location: ArtifactLocation { uri, uri_base_id: Some(OUTPUT) },
    }
}

fn properties(unit: &Unit, fault: &Fault) -> BTreeMap<&'static str, Value> {
    let mut properties = BTreeMap::from([
        ("class", json!(fault.class)),
        ("confirmed", json!(fault.confirmed)),
        ("why", json!(fault.why)),
        ("callers", json!(fault.callers)),
        ("rank", json!(fault.rank)),
        ("unit", json!(unit.function)),
        ("unitFile", json!(unit.file)),
        ("function", json!(fault.function)),
        ("shown", json!(fault.shown)),
    ]);
    if let Some(test) = &fault.test {
        properties.insert("test", json!(test));
    }
    if let Some(need) = &fault.precondition {
        properties.insert("precondition", json!(need));
    }
    if let Some(reached) = &fault.reached {
        properties.insert("reached", json!(reached));
    }
    properties
}

/// Columns of a report count bytes, those of the document characters.
fn start_column(fault: &Fault) -> Option<u32> {
    let bytes = fault.column.checked_sub(1)? as usize;
    let before = fault.line_text().and_then(|text| text.get(..bytes));
    Some(before.map_or(bytes, |before| before.chars().count()) as u32 + 1)
}

fn joined(lines: &[ExcerptLine]) -> String {
    lines.iter().map(|line| format!("{}\n", line.text)).collect()
}

/// Source text, word for word.
fn literal(text: &str) -> Text {
    Text { text: text.to_string() }
}

/// A message. `{0}` in one stands for an argument and `[words](0)` for a link, so source text that looks like these is
/// escaped, as the standard asks for.
fn message(text: &str) -> Text {
    let mut text = text.to_string();
    let looks_like_argument =
        text.split('{').skip(1).any(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    if looks_like_argument {
        text = text.replace('{', "{{").replace('}', "}}");
    }
    if text.contains("](") {
        text = text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]");
    }
    Text { text }
}
