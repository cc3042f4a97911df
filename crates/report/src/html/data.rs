//! What the script draws from: sources, goals, calls and paths, as one JSON text inside the page.
//!
//! Takes the report and the sources; gives the text, safe inside a script element. Names are short and what is empty is left
//! out, because a report may have ten thousand goals. Never: markup.

use std::collections::BTreeMap;

use serde::Serialize;
use tarka_events::{PathSketch, SketchEnd};

use super::lines::{self, Range};
use super::names::Names;
use super::{STANDINGS, standing};
use crate::json::{Goal, Report, Unit};
use crate::sources::{Sources, shortened};

#[derive(Serialize)]
struct Data<'a> {
    /// Class, words and sign of each standing.
    standings: Vec<[&'static str; 3]>,
    files: Vec<File<'a>>,
    units: Vec<UnitData<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    name: &'a str,
    /// Number of the first line, and the lines.
    parts: Vec<(u32, Vec<String>)>,
}

#[derive(Serialize)]
struct UnitData<'a> {
    slug: &'a str,
    name: &'a str,
    file: &'a str,
    runs: u64,
    /// Names of tests and fault files, which goals number.
    shown: Vec<&'a str>,
    goals: Vec<GoalData<'a>>,
    /// File, first and last line of what is shown.
    ranges: Vec<(usize, u32, u32)>,
    /// File, line, class, kind and link.
    faults: Vec<(usize, u32, &'a str, &'a str, String)>,
    /// Functions it may call: the slug of those with a section, else the name.
    calls: Vec<Called<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paths: Option<Paths<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Called<'a> {
    Unit(usize),
    Other(&'a str),
}

#[derive(Serialize)]
struct GoalData<'a> {
    id: String,
    /// File.
    f: usize,
    /// Line.
    l: u32,
    /// Column, counted as the script counts characters.
    c: u32,
    /// Kind.
    k: &'a str,
    /// Text.
    t: &'a str,
    /// Outcome.
    o: &'a str,
    /// Standing.
    s: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    cause: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    why: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tests: Vec<usize>,
    #[serde(skip_serializing_if = "is_zero")]
    attacks: u64,
    /// Two tests show it together.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pair: bool,
}

#[derive(Serialize)]
struct Paths<'a> {
    /// File, line and text.
    sites: Vec<(&'a str, u32, &'a str)>,
    /// Site, and for each way its outcome and where it leads: a number, or a word.
    nodes: Vec<(u32, Vec<(&'a str, Way)>)>,
    roots: &'a [u32],
    left: u64,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Way {
    Node(u32),
    End(&'static str),
}

/// The text.
pub(super) fn embedded(report: &Report, names: &Names, sources: &Sources) -> String {
    let mut files = Files::default();
    let units = report.units.iter().enumerate();
    let units: Vec<UnitData> =
        units.map(|(index, unit)| unit_data(report, (index, unit), names, sources, &mut files)).collect();
    let data = Data {
        standings: STANDINGS.iter().map(|standing| [standing.class, standing.words, standing.sign]).collect(),
        files: files.texts(sources),
        units,
    };
    // Nothing in here can end the element, whatever a source file says; such letters stand in strings only.
    let text = serde_json::to_string(&data).expect("text keys only");
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// The files by index, with the lines that some function wants.
#[derive(Default)]
struct Files<'a> {
    names: Vec<&'a str>,
    wanted: Vec<Vec<Range>>,
}

impl<'a> Files<'a> {
    fn index(&mut self, name: &'a str) -> usize {
        self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.names.push(name);
            self.wanted.push(Vec::new());
            self.names.len() - 1
        })
    }

    fn texts(self, sources: &Sources) -> Vec<File<'a>> {
        let all = self.names.into_iter().zip(self.wanted);
        all.map(|(name, wanted)| {
            let text: Vec<&str> = sources.0.get(name).map(|text| text.lines().collect()).unwrap_or_default();
            let part = |(first, last): Range| {
                let lines = text.get(first as usize - 1..last as usize).unwrap_or_default();
                (first, lines.iter().map(|line| shortened(line)).collect())
            };
            File { name, parts: lines::joined(wanted).into_iter().map(part).collect() }
        })
        .collect()
    }
}

fn unit_data<'a>(
    report: &'a Report,
    (index, unit): (usize, &'a Unit),
    names: &'a Names,
    sources: &Sources,
    files: &mut Files<'a>,
) -> UnitData<'a> {
    let mut wanted: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    unit.goal_list.iter().for_each(|goal| wanted.entry(&goal.file).or_default().push(goal.line));
    let mut ranges = Vec::new();
    for (file, lines) in wanted {
        let file_index = files.index(file);
        for (first, last) in lines::ranges(sources, file, lines) {
            ranges.push((file_index, first, last));
            files.wanted[file_index].push((first, last));
        }
    }
    let mut shown: Vec<&str> = Vec::new();
    let goals = unit.goal_list.iter().map(|goal| goal_data(goal, (index, names), sources, files, &mut shown));
    let goals = goals.collect();
    let fault = |fault: &'a crate::fault::Fault| {
        (files.index(&fault.file), fault.line, fault.class.as_str(), fault.kind.as_str(), names.fault(fault))
    };
    UnitData {
        slug: names.slug(index),
        name: &unit.function,
        file: &unit.file,
        runs: unit.runs,
        goals,
        shown,
        ranges,
        faults: unit.faults.iter().map(fault).collect(),
        calls: unit.calls.iter().map(|name| called(report, unit, name)).collect(),
        paths: (!unit.paths.nodes.is_empty()).then(|| paths(&unit.paths)),
    }
}

/// The function of this name, the one of the same file first.
fn called<'a>(report: &Report, caller: &Unit, name: &'a str) -> Called<'a> {
    let find = |in_file: bool| {
        let mut units = report.units.iter();
        units.position(|unit| unit.function == name && (!in_file || unit.file == caller.file))
    };
    find(true).or_else(|| find(false)).map_or(Called::Other(name), Called::Unit)
}

fn goal_data<'a>(
    goal: &'a Goal,
    (index, names): (usize, &Names),
    sources: &Sources,
    files: &mut Files<'a>,
    shown: &mut Vec<&'a str>,
) -> GoalData<'a> {
    let mut number = |name: &'a String| {
        shown.iter().position(|known| known == name).unwrap_or_else(|| {
            shown.push(name);
            shown.len() - 1
        })
    };
    let tests = goal.tests.iter().map(&mut number).collect();
    GoalData {
        id: names.goal(index, goal),
        f: files.index(&goal.file),
        l: goal.line,
        c: column(sources.line(&goal.file, goal.line), goal.column),
        k: &goal.kind,
        t: &goal.text,
        o: &goal.outcome,
        s: standing(goal),
        cause: &goal.cause,
        at: goal.cause_at.as_deref(),
        why: &goal.reason,
        advice: goal.advice.as_deref(),
        run: goal.first_run,
        tests,
        attacks: goal.attacks,
        pair: goal.pair.is_some(),
    }
}

fn paths(sketch: &PathSketch) -> Paths<'_> {
    let end = |to: SketchEnd| match to {
        SketchEnd::Node(index) => Way::Node(index),
        SketchEnd::LeftOut => Way::End("left out"),
        SketchEnd::End => Way::End("end"),
        SketchEnd::Untried => Way::End("untried"),
        SketchEnd::Infeasible => Way::End("infeasible"),
        SketchEnd::Unknown => Way::End("unknown"),
        SketchEnd::Elsewhere => Way::End("elsewhere"),
        SketchEnd::NotWanted => Way::End("not wanted"),
    };
    Paths {
        sites: sketch
            .sites
            .iter()
            .map(|site| match &site.place {
                Some(place) => (place.file.as_str(), place.line, site.text.as_str()),
                None => ("", 0, site.text.as_str()),
            })
            .collect(),
        nodes: sketch
            .nodes
            .iter()
            .map(|node| {
                (node.site, node.ways.iter().map(|way| (way.outcome.as_str(), end(way.to))).collect())
            })
            .collect(),
        roots: &sketch.roots,
        left: sketch.left_out,
    }
}

/// Columns count bytes, the script counts UTF-16 units.
fn column(line: Option<&str>, column: u32) -> u32 {
    let before = line.and_then(|line| line.get(..column.saturating_sub(1) as usize));
    before.map_or(column, |before| before.encode_utf16().count() as u32 + 1)
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
