//! The first screen: what all functions came to, and a row for each of them.
//!
//! Takes the report, gives markup. Never: what is inside a function.

use maud::{Markup, html};
use tarka_events::FaultClass;

use super::names::Names;
use super::{STANDINGS, counts, counts_of_all};
use crate::json::{Coverage, Report, Share, Unit};

/// Totals of goals, faults and coverage.
pub(super) fn overview(report: &Report, names: &Names) -> Markup {
    let goals = counts_of_all(report);
    let of_class = |class| report.units.iter().map(|unit| faults_of(unit, class)).sum::<u64>();
    let untested: Vec<usize> =
        (0..report.units.len()).filter(|&index| report.units[index].status == "error").collect();
    html! {
        section #totals aria-label="Totals" {
            div.figures {
                @for (class, one, many) in CLASSES {
                    @let number = of_class(class);
                    a.figure.(class.name()) href="#faults" {
                        b { (number) } " " (if number == 1 { one } else { many })
                    }
                }
                a.figure href="#functions" { b { (report.units.len()) } " " (if report.units.len() == 1 { "function" } else { "functions" }) }
                span.figure { b { (report.units.iter().map(|unit| unit.tests).sum::<u64>()) } " tests" }
            }
            (bar(goals))
            (coverage(&report.coverage))
            @if !untested.is_empty() {
                p.note {
                    "Not tested: "
                    @for (position, &index) in untested.iter().enumerate() {
                        @if position > 0 { ", " }
                        a href={ "#" (names.function(index)) } { (report.units[index].function) }
                    }
                    ". The reason stands with each."
                }
            }
        }
    }
}

/// The classes that are counted, in words for one and for many.
const CLASSES: [(FaultClass, &str, &str); 3] = [
    (FaultClass::Bug, "bug", "bugs"),
    (FaultClass::Unchecked, "unchecked input", "unchecked inputs"),
    (FaultClass::Contract, "contract", "contracts"),
];

fn faults_of(unit: &Unit, class: FaultClass) -> u64 {
    unit.faults.iter().filter(|fault| fault.counts() && fault.class() == class).count() as u64
}

/// Goals as a bar, with its figures in words below.
pub(super) fn bar(goals: [u64; 5]) -> Markup {
    let total: u64 = goals.iter().sum();
    html! {
        div.goals-bar aria-hidden="true" {
            @for (standing, count) in STANDINGS.iter().zip(goals) {
                @if count > 0 { i class=(standing.class) style={ "flex-grow:" (count) } {} }
            }
        }
        p.legend {
            span { b { (goals[0]) " of " (total) } " goals covered by tests" }
            @for (standing, count) in STANDINGS.iter().zip(goals).skip(1) {
                @if count > 0 { span.(standing.class) { span.sign aria-hidden="true" { (standing.sign) } " " (count) " " (standing.words) } }
            }
        }
    }
}

/// Coverage of the plain program under every criterion.
pub(super) fn coverage(coverage: &Coverage) -> Markup {
    html! {
        dl.meters {
            @for (title, share) in shares(coverage) {
                div {
                    dt { (title) }
                    dd {
                        span class=(extent(share)) { (fraction(share)) }
                        @if share.total > 0 {
                            i.meter aria-hidden="true" { i style={ "width:" (percent(share)) "%" } {} }
                        }
                    }
                }
            }
        }
    }
}

/// One row for each unit: status, goals, coverage, faults. The script sorts and filters it.
pub(super) fn functions(report: &Report, names: &Names) -> Markup {
    let folder = common_folder(report);
    html! {
        section #functions {
            h2 { "Functions" }
            @if !folder.is_empty() { p.quiet { "In " (folder) } }
            div.controls hidden {
                label { "Show " select #filter {
                    option value="" { "all" }
                    option value="open" { "with open goals" }
                    option value="faults" { "with bugs or unchecked input" }
                    option value="contracts" { "with contracts" }
                    option value="complete" { "complete" }
                    option value="error" { "not tested" }
                } }
                label { input #by-file type="checkbox"; " by file" }
                span #shown role="status" {}
            }
            div.wide {
                table.cards #function-table {
                    thead { tr {
                        th data-key="name" { "Function" }
                        th data-key="status" { "Status" }
                        @for title in COLUMNS { th.number data-key=(title.to_lowercase()) { (title) } }
                    } }
                    tbody { @for (index, unit) in report.units.iter().enumerate() { (row(index, unit, names, &folder)) } }
                    @if report.units.len() > 1 { tfoot { (total(report)) } }
                }
            }
        }
    }
}

/// The folder that all files are in, with its last `/`; empty if there is none.
fn common_folder(report: &Report) -> String {
    let mut files = report.units.iter().map(|unit| unit.file.as_str());
    let first = files.next().unwrap_or_default();
    let alike = |one: &str, other: &str| one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let common = files.fold(first.len(), |common, file| common.min(alike(first, file)));
    let end = first.as_bytes()[..common].iter().rposition(|byte| *byte == b'/');
    end.map_or("", |end| &first[..=end]).to_string()
}

/// The numbers of a row.
const COLUMNS: [&str; 12] = [
    "Covered",
    "Only by faults",
    "Infeasible",
    "Open",
    "Statement",
    "Branch",
    "MC/DC",
    "Tests",
    "Runs",
    "Bugs",
    "Unchecked",
    "Contracts",
];

fn row(index: usize, unit: &Unit, names: &Names, folder: &str) -> Markup {
    let status = status(unit);
    let [covered, by_faults, infeasible, open, from_unit] = counts(&unit.goals);
    let [bugs, unchecked, contracts] = CLASSES.map(|(class, ..)| faults_of(unit, class));
    let share = Share { covered, total: unit.goals.total };
    let plain = |number: u64| (number.to_string(), number as f64, "");
    let cells = [
        (format!("{covered}/{}", unit.goals.total), percent(share), extent(share)),
        plain(by_faults),
        plain(infeasible + from_unit),
        (open.to_string(), open as f64, if open > 0 { "part" } else { "" }),
        cell(unit.coverage.statement),
        cell(unit.coverage.branch),
        cell(unit.coverage.mcdc),
        plain(unit.tests),
        plain(unit.runs),
        (bugs.to_string(), bugs as f64, if bugs > 0 { "none" } else { "" }),
        plain(unchecked),
        plain(contracts),
    ];
    html! {
        tr data-function=(names.slug(index)) data-file=(unit.file) data-status=(status) {
            th data-value=(unit.function) { span { a href={ "#" (names.function(index)) } { (unit.function) } " " span.quiet title=(unit.file) { (unit.file.strip_prefix(folder).unwrap_or(&unit.file)) } } }
            td data-label="Status" data-value=(status) { span.tag.(status) { (status) } }
            @for (title, (text, value, class)) in COLUMNS.into_iter().zip(cells) {
                td.number data-label=(title) data-value=(value) { span class=(class) { (text) } }
            }
        }
    }
}

fn total(report: &Report) -> Markup {
    let goals = counts_of_all(report);
    let sum = |of: fn(&Unit) -> u64| report.units.iter().map(of).sum::<u64>().to_string();
    let [bugs, unchecked, contracts] =
        CLASSES.map(|(class, ..)| report.units.iter().map(|unit| faults_of(unit, class)).sum::<u64>());
    let cells = [
        format!("{}/{}", goals[0], goals.iter().sum::<u64>()),
        goals[1].to_string(),
        (goals[2] + goals[4]).to_string(),
        goals[3].to_string(),
        fraction(report.coverage.statement),
        fraction(report.coverage.branch),
        fraction(report.coverage.mcdc),
        sum(|unit| unit.tests),
        sum(|unit| unit.runs),
        bugs.to_string(),
        unchecked.to_string(),
        contracts.to_string(),
    ];
    html! {
        tr {
            th { "All" }
            td data-label="Status" {}
            @for (title, text) in COLUMNS.into_iter().zip(cells) { td.number data-label=(title) { span { (text) } } }
        }
    }
}

/// What made the report.
pub(super) fn made_by(report: &Report) -> Markup {
    html! {
        footer.quiet {
            p { (report.tool) " · seed " (report.seed) " · " code { (report.command) } }
            p { "Coverage speaks of the passing tests on the plain program, under every criterion, whichever was asked for." }
        }
    }
}

/// The status of a unit in one word. `budget` is said of a unit for which one ran out; otherwise goals are just open.
pub(super) fn status(unit: &Unit) -> &str {
    let ran_out = || unit.goal_list.iter().any(|goal| goal.cause == "budget");
    match unit.status.as_str() {
        _ if unit.skipped => "skipped",
        "budget" if !ran_out() => "open",
        status => status,
    }
}

fn cell(share: Share) -> (String, f64, &'static str) {
    // What has nothing to cover stands before what has, and is no failure.
    (fraction(share), if share.total == 0 { -1.0 } else { percent(share) }, extent(share))
}

fn fraction(share: Share) -> String {
    if share.total == 0 { "–".to_string() } else { format!("{}/{}", share.covered, share.total) }
}

/// With one digit, rounded down: 100 is all of them.
fn percent(share: Share) -> f64 {
    (share.covered * 1000).checked_div(share.total).unwrap_or(1000) as f64 / 10.0
}

fn extent(share: Share) -> &'static str {
    match share {
        Share { total: 0, .. } => "quiet",
        Share { covered, total } if covered == total => "all",
        Share { covered: 0, .. } => "none",
        _ => "part",
    }
}

fn shares(coverage: &Coverage) -> [(&'static str, Share); 7] {
    [
        ("Function", coverage.function),
        ("Statement", coverage.statement),
        ("Branch", coverage.branch),
        ("Condition", coverage.condition),
        ("Decision", coverage.decision),
        ("MC/DC", coverage.mcdc),
        ("Switch", coverage.switch),
    ]
}
