//! How a goal is named and described: id, place, kind and text, for reports and comments.
//!
//! Takes goals of the model, gives them as events speak of them. Reads the user's files for the text of statements.
//! Never: whether a goal is covered.

use std::collections::HashMap;

use tarka_events::{Goal, Verdict};
use tarka_source::{DecisionId, FunctionId, GoalKind, Place, SiteId, SiteKind, SourceModel, readable};

/// Longest text of a statement.
const QUOTED: usize = 80;

/// Where a goal stands for a user: the place that the report names.
pub fn goal_place(model: &SourceModel, goal: GoalKind) -> &Place {
    match goal {
        GoalKind::Statement(number) => {
            let function = model.function(goal.function(model));
            &function.statements[(number - function.first_statement) as usize].place
        }
        GoalKind::Outcome { site, outcome, .. } => match &model.site(site).kind {
            SiteKind::Condition { .. } => &model.site(site).place,
            SiteKind::Switch { arms, .. } => &arms[outcome as usize].place,
        },
        GoalKind::Decision { decision, .. } => &model.decision(decision).place,
        GoalKind::Independence { decision, position } => {
            let condition = model.decision(decision).conditions[position as usize];
            &model.site(condition).place
        }
    }
}

/// Describes the goals of one unit.
pub(crate) struct Descriptions<'a> {
    model: &'a SourceModel,
    unit: FunctionId,
    /// Lines of files read so far.
    lines: HashMap<String, Vec<Vec<u8>>>,
}

impl<'a> Descriptions<'a> {
    pub fn new(model: &'a SourceModel, unit: FunctionId) -> Descriptions<'a> {
        Descriptions { model, unit, lines: HashMap::new() }
    }

    /// A goal in full.
    pub fn goal(&mut self, what: GoalKind, verdict: Verdict) -> Goal {
        let function = what.function(self.model);
        let name = &self.model.function(function).name;
        let place = goal_place(self.model, what).clone();
        let (kind, id, text) = match what {
            GoalKind::Statement(statement) => self.statement(function, statement, &place),
            GoalKind::Outcome { site, outcome, taken } => self.outcome(site, outcome, taken),
            GoalKind::Decision { decision, outcome } => {
                let of = self.model.decision(decision);
                let id = format!("d{}:{}", self.ordinal(decision), u32::from(outcome));
                ("decision", id, of.text.clone())
            }
            GoalKind::Independence { decision, position } => {
                let of = self.model.decision(decision);
                let condition = self.model.site(of.conditions[position as usize]);
                let id = format!("d{}:c{position}", self.ordinal(decision));
                ("mcdc", id, format!("{} in {}", condition.text, of.text))
            }
        };
        let id = format!("{name}:{id}");
        let callee = (function != self.unit).then(|| name.clone());
        Goal { id, what, callee, place, kind: kind.into(), text, verdict, attacks: 0, refutations: 0 }
    }

    fn outcome(&self, site: SiteId, outcome: u32, taken: bool) -> (&'static str, String, String) {
        let function = self.model.function(self.model.site(site).function);
        let ordinal = function.sites.iter().position(|&id| id == site).unwrap_or(0);
        let site = self.model.site(site);
        let (kind, text, side) = match &site.kind {
            SiteKind::Condition { .. } => ("condition", site.text.clone(), ""),
            SiteKind::Switch { arms, .. } => {
                let arm = &arms[outcome as usize];
                let text = format!("switch ({}) {}", site.text, arm.text);
                ("switch-case", text, if taken { "" } else { ":not" })
            }
        };
        (kind, format!("{ordinal}:{outcome}{side}"), text)
    }

    fn statement(
        &mut self,
        function: FunctionId,
        number: u32,
        place: &Place,
    ) -> (&'static str, String, String) {
        let ordinal = number - self.model.function(function).first_statement;
        let text = self.text_at(place).unwrap_or_else(|| format!("statement {ordinal}"));
        ("statement", format!("s{ordinal}"), text)
    }

    /// Number of a decision among those of its function.
    fn ordinal(&self, decision: DecisionId) -> usize {
        let function = self.model.decision(decision).function;
        self.model.decisions_of(function).position(|of| of.id == decision).unwrap_or(0)
    }

    /// What the user wrote from a place to the end of its line, shortened; `None` if the file cannot be read.
    fn text_at(&mut self, place: &Place) -> Option<String> {
        let lines = self.lines.entry(place.file.clone()).or_insert_with(|| {
            let bytes = std::fs::read(&place.file).unwrap_or_default();
            bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
        });
        let line = lines.get(place.line.checked_sub(1)? as usize)?;
        // Columns count bytes.
        let text = readable(line.get(place.column.checked_sub(1)? as usize..)?);
        let text = text.trim();
        let mut short: String = text.chars().take(QUOTED).collect();
        if short.len() < text.len() {
            short.push('…');
        }
        (!short.is_empty()).then_some(short)
    }
}
