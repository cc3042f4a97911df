//! All about one function: what is left open and what to do about it, what only fault programs show, what can never be covered and
//! why, every goal by line, truth tables, tests, and what limits the result.
//!
//! Takes a unit, gives markup: the whole truth without script and on paper; with script the parts beside the source.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::names::Names;
use super::{STANDINGS, overview, standing};
use crate::json::{Decision, Goal, INFEASIBLE, INFEASIBLE_FROM_UNIT, Unit};
use crate::sources::Sources;

/// Tests named in one place before the others fold.
const FEW: usize = 4;

/// A unit with its index and the names of links.
struct Shown<'a> {
    unit: &'a Unit,
    index: usize,
    names: &'a Names,
}

/// The section of a unit.
pub(super) fn listing(unit: &Unit, index: usize, names: &Names, sources: &Sources) -> Markup {
    let shown = Shown { unit, index, names };
    let status = overview::status(unit);
    html! {
        section.unit id=(names.function(index)) {
            h2 tabindex="-1" { (unit.function) " " span.tag.(status) { (status) } }
            p.quiet { (unit.file) " · criterion " (unit.criterion) " · strategy " (unit.strategy) " · " (unit.runs) " runs" }
            @if !unit.message.is_empty() { p.note { (unit.message) } }
            @if let Some(aim) = &unit.aim { p.quiet { "Only goals asked for: " (aim) } }
            @if let Some(scope) = &unit.goals_scope { p.quiet { "Goals: " (whose(scope)) } }
            @if !unit.goal_list.is_empty() { (overview::bar(super::counts(&unit.goals))) }
            (overview::coverage(&unit.coverage))
            (shown.faults())
            div.source-view {}
            @let from_unit = format!("Proved infeasible from {}()", unit.function);
            @for (position, title) in [(3, "Not covered"), (1, "Shown only by fault programs"), (2, "Proved infeasible"), (4, &from_unit)] {
                (shown.not_covered(position, title))
            }
            (shown.by_line(sources))
            (shown.decisions())
            (shown.tests())
            div.pictures {}
            (list("Where values became concrete", unit.concretisations
                .iter()
                .map(|found| format!("{}:{}: {} ({}×)", found.file, found.line, found.what, found.count))))
            (list("Limits met", unit.limits.iter().cloned()))
            (list("Notes of the replay", unit.notes.iter().cloned()))
        }
    }
}

/// How the status of a goal looks.
fn status_class(goal: &Goal) -> &str {
    if goal.status == INFEASIBLE_FROM_UNIT { INFEASIBLE } else { &goal.status }
}

/// Whose goals a unit has that has not only its own.
fn whose(scope: &str) -> &'static str {
    match scope {
        "callees" => "it has no branch of its own: its goals are those of its callees in the file",
        "file" => "its goals, and those of every function of the file that it reaches",
        _ => "its goals, and those of every function of the program that it reaches",
    }
}

impl Shown<'_> {
    /// Its faults, which stand in full on the first screen.
    fn faults(&self) -> Markup {
        html! {
            @if !self.unit.faults.is_empty() {
                h3 { "Faults (" (self.unit.faults.len()) ")" }
                ul.faults { @for fault in &self.unit.faults {
                    li {
                        span.tag.(fault.class) { (fault.class) } " "
                        a href={ "#" (self.names.fault(fault)) } { (fault.kind) " at line " (fault.line) } ": " (fault.message)
                        @if let Some(need) = &fault.precondition { " " span.quiet { (need.words) } }
                    }
                } }
            }
        }
    }

    /// The goals of a standing, with reason, cause and advice.
    fn not_covered(&self, position: usize, title: &str) -> Markup {
        let goals: Vec<&Goal> =
            self.unit.goal_list.iter().filter(|goal| standing(goal) == position).collect();
        let kind = STANDINGS[position];
        html! {
            @if !goals.is_empty() {
                h3 { (title) " (" (goals.len()) ")" }
                @for goal in goals {
                    article.(kind.class) {
                        p {
                            span.sign aria-hidden="true" { (kind.sign) } " "
                            a.quiet href={ "#" (self.names.goal(self.index, goal)) } { (goal.file) ":" (goal.line) } " "
                            @if let Some(function) = &goal.function { "in " code { (function) "()" } ": " }
                            (sentence(goal))
                            @if !goal.cause.is_empty() { " " span.tag.(status_class(goal)) { (goal.cause) } }
                        }
                        p.quiet {
                            (goal.reason)
                            @if let Some(at) = &goal.cause_at { " (" (at) ")" }
                        }
                        @if let Some(advice) = &goal.advice { p { "→ " (advice) } }
                    }
                }
            }
        }
    }

    /// Every goal at its line; the script shows the source instead.
    fn by_line(&self, sources: &Sources) -> Markup {
        // The unit's own first, then function by function.
        let mut lines: BTreeMap<(Option<&str>, &str, u32), Vec<&Goal>> = BTreeMap::new();
        for goal in &self.unit.goal_list {
            lines.entry((goal.function.as_deref(), &goal.file, goal.line)).or_default().push(goal);
        }
        html! {
            @if !lines.is_empty() {
                div.by-line {
                    h3 { "Goals by line" }
                    @for ((function, file, line), goals) in lines {
                        div {
                            p { span.quiet { (line) } " " @if let Some(function) = function { "In " code { (function) "()" } " " } code { (sources.line(file, line).unwrap_or(&goals[0].text).trim()) } }
                            ul { @for goal in goals {
                                @let kind = STANDINGS[standing(goal)];
                                li id=(self.names.goal(self.index, goal)) class=(kind.class) {
                                    span.sign { (kind.sign) } " " (outcome(goal)) ": " (kind.words) " "
                                    span.quiet { (self.few_links(&goal.tests)) }
                                }
                            } }
                        }
                    }
                }
            }
        }
    }

    /// Every decision for which MC/DC is asked: a truth table of what was evaluated, and for each condition the pair of
    /// tests that shows it to decide alone.
    fn decisions(&self) -> Markup {
        html! {
            @if !self.unit.decisions.is_empty() {
                h3 { "Decisions (MC/DC)" }
                p.quiet { "T true, F false, - not evaluated: it does not matter." }
                @for decision in &self.unit.decisions { (self.decision(decision)) }
            }
        }
    }

    fn decision(&self, decision: &Decision) -> Markup {
        let shown = decision.conditions.iter().filter(|condition| condition.pair.is_some()).count();
        let all = decision.conditions.len();
        let extent = if shown == all { "all" } else { "part" };
        html! {
            div.decision {
                h4 {
                    span.quiet { (decision.file) ":" (decision.line) } " " code { (decision.text) } " "
                    span.tag.(extent) { (shown) "/" (all) " decide alone" }
                }
                ol { @for condition in &decision.conditions {
                    li {
                        code { (condition.text) } " "
                        span.quiet { @match &condition.pair {
                            Some(pair) if pair[0] == pair[1] => { "decides alone within " (self.links(&pair[..1])) }
                            Some(pair) => { "decides alone: " (self.links(pair)) }
                            None => { span.part { "not shown to decide alone" } }
                        } }
                    }
                } }
                @if !decision.counted { p.quiet { "llvm-cov has no MC/DC figure for this decision." } }
                @if decision.evaluations.is_empty() { p.quiet { "No test evaluates it." } }
                @else { (self.truth_table(decision)) }
            }
        }
    }

    fn truth_table(&self, decision: &Decision) -> Markup {
        html! {
            div.wide tabindex="0" role="region" aria-label={ "Truth table of " (decision.text) } {
                table.truth {
                    thead { tr {
                        @for (number, condition) in (1..).zip(&decision.conditions) { th title=(condition.text) { (number) } }
                        th { "Result" }
                        th { "Tests" }
                    } }
                    tbody { @for evaluation in &decision.evaluations {
                        tr {
                            @for value in evaluation.values.chars() { (cell(value)) }
                            (cell(if evaluation.result { 'T' } else { 'F' }))
                            td.quiet { (self.few_links(&evaluation.tests)) }
                        }
                    } }
                }
            }
        }
    }

    fn tests(&self) -> Markup {
        let Some(first) = self.unit.tests_list.first() else { return html! {} };
        let suite = &self.unit.suite;
        let goals: BTreeMap<&str, &Goal> =
            self.unit.goal_list.iter().map(|goal| (goal.id.as_str(), goal)).collect();
        html! {
            h3 { "Tests (" (self.unit.tests_list.len()) ")" }
            p { a href=(first.path) { (first.path) } }
            p.quiet {
                (suite.tests) " of the " (suite.kept_runs) " runs that can be a test"
                (if suite.smallest { ": no smaller choice of these covers as much." } else { "." })
            }
            @for test in &self.unit.tests_list {
                article.test id=(self.names.test(self.index, &test.name)) {
                    h4 { code { (test.name) } " " span.quiet { "adds " (test.new_goals.len()) " of the goals, from run " (test.run) } }
                    pre {
                        @for line in &test.setup { (line) "\n" }
                        (test.inputs.iter().map(|input| format!("{} = {}", input.name, input.value)).collect::<Vec<_>>().join(", "))
                    }
                    @if !test.new_goals.is_empty() {
                        details {
                            summary { "What it adds" }
                            ul { @for goal in test.new_goals.iter().filter_map(|id| goals.get(id.as_str())) {
                                li { a.quiet href={ "#" (self.names.goal(self.index, goal)) } { (goal.file) ":" (goal.line) } " " (sentence(goal)) }
                            } }
                        }
                    }
                }
            }
        }
    }

    /// The first of many names; the others unfold.
    fn few_links(&self, names: &[String]) -> Markup {
        let (first, others) = names.split_at(names.len().min(FEW));
        html! {
            (self.links(first))
            @if !others.is_empty() { " " details { summary { "and " (others.len()) " more" } div { (self.links(others)) } } }
        }
    }

    /// Names of tests and fault files, each a link to where the page shows it.
    fn links(&self, names: &[String]) -> Markup {
        html! {
            @for (position, name) in names.iter().enumerate() {
                @if position > 0 { ", " }
                a href={ "#" (self.names.test(self.index, name)) } { (name) }
            }
        }
    }
}

fn cell(value: char) -> Markup {
    let class = match value {
        'T' => "t",
        'F' => "f",
        _ => "d",
    };
    html! { td class=(class) { (value) } }
}

/// What is asked for, in words.
fn sentence(goal: &Goal) -> Markup {
    html! { code { (goal.text) } " " (outcome(goal)) }
}

fn outcome(goal: &Goal) -> String {
    match goal.outcome.as_str() {
        "independent" => "decides alone".to_string(),
        outcome => format!("is {}", outcome.replace('-', " ")),
    }
}

fn list(title: &str, lines: impl Iterator<Item = String>) -> Markup {
    let lines: Vec<String> = lines.collect();
    html! {
        @if !lines.is_empty() {
            h3 { (title) }
            ul { @for line in lines { li { (line) } } }
        }
    }
}
