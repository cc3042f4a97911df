//! What follows from infeasible branches for goals of every kind.
//!
//! Takes the branches that are proved infeasible; says which other goals can no longer be covered: what only they lead to,
//! and what decisions would need them for. Never: proving a branch infeasible itself.

use std::collections::BTreeMap;

use tarka_source::cfg::{Icfg, PointId};
use tarka_source::goals::EvaluationStep;
use tarka_source::{Decision, FunctionId, GoalKind, SiteId, SourceModel};

use super::flow::{Flow, Reached};

/// Steps spent on how one decision may be evaluated.
const MOST_STEPS: u32 = 4096;

/// Infeasible branches that are named as the reason for another goal.
const NAMED: usize = 3;

/// The consequences of infeasible branches.
pub struct Derived<'a> {
    model: &'a SourceModel,
    proved: &'a BTreeMap<(SiteId, u32), String>,
    flow: Flow<'a>,
    reached: Reached,
}

impl<'a> Derived<'a> {
    /// `None` if nothing is proved, or the graph does not know the function.
    pub fn new(
        model: &'a SourceModel,
        icfg: &'a Icfg,
        function: FunctionId,
        proved: &'a BTreeMap<(SiteId, u32), String>,
    ) -> Option<Derived<'a>> {
        let flow = Flow::new(icfg, function).filter(|_| !proved.is_empty())?;
        let reached = flow.reached(model, |site, outcome| !proved.contains_key(&(site, outcome)));
        Some(Derived { model, proved, flow, reached })
    }

    /// Why a goal is infeasible, if that follows.
    pub(crate) fn refutes(&self, goal: GoalKind) -> Option<String> {
        match goal {
            GoalKind::Outcome { site, outcome, taken: true } => self
                .proved
                .get(&(site, outcome))
                .cloned()
                .or_else(|| self.cut_off([self.flow.point(site)?])),
            GoalKind::Outcome { site, outcome, taken: false } => {
                let others = (0..self.model.site(site).outcomes()).filter(|&other| other != outcome);
                let only_this = others.clone().all(|other| self.proved.contains_key(&(site, other)));
                let only_this = only_this.then(|| "no other way on is feasible there".to_string());
                only_this.or_else(|| self.cut_off([self.flow.point(site)?]))
            }
            GoalKind::Statement(number) => {
                let ways: Vec<_> = self.flow.ways(number).collect();
                let is_dead = |&(point, site, outcome): &(PointId, Option<SiteId>, u32)| {
                    let is_proved = site.is_some_and(|site| self.proved.contains_key(&(site, outcome)));
                    !self.reached.point(point) || is_proved
                };
                if ways.is_empty() || !ways.iter().all(is_dead) {
                    return None;
                }
                let direct = ways.iter().filter_map(|&(_, site, outcome)| Some((site?, outcome)));
                let direct: Vec<_> = direct.filter(|branch| self.proved.contains_key(branch)).collect();
                if direct.len() == ways.len() {
                    return Some(self.only_through(&direct));
                }
                self.cut_off(ways.iter().map(|&(point, ..)| point)).or_else(|| {
                    let all: Vec<(SiteId, u32)> = self.proved.keys().copied().collect();
                    Some(self.only_through(&all))
                })
            }
            GoalKind::Decision { decision, outcome } => {
                let decision = self.model.decision(decision);
                let impossible = !self.results(decision)?.contains(&outcome);
                impossible.then(|| self.because_of(decision))
            }
            GoalKind::Independence { decision, position } => {
                let decision = self.model.decision(decision);
                let sides = self.sides(decision.conditions[position as usize]);
                let decides = sides.len() == 2 && self.results(decision)?.len() == 2;
                (!decides).then(|| self.because_of(decision))
            }
        }
    }

    /// The outcomes of a condition that are not proved infeasible.
    fn sides(&self, site: SiteId) -> Vec<bool> {
        let is_reached = self.flow.point(site).is_none_or(|point| self.reached.point(point));
        let is_open = |side: bool| is_reached && !self.proved.contains_key(&(site, side.into()));
        [false, true].into_iter().filter(|&side| is_open(side)).collect()
    }

    /// The results that a decision may still have; `None` if there are too many ways to evaluate it.
    fn results(&self, decision: &Decision) -> Option<Vec<bool>> {
        let mut found = Vec::new();
        let mut open: Vec<Vec<(u32, bool)>> = vec![Vec::new()];
        for _ in 0..MOST_STEPS {
            let Some(known) = open.pop() else { return Some(found) };
            let value = |at: u32| known.iter().find(|(known, _)| *known == at).map(|(_, value)| *value);
            match decision.shape.step(&value) {
                EvaluationStep::Result(result) if found.contains(&result) => {}
                EvaluationStep::Result(result) => found.push(result),
                EvaluationStep::Needs(at) => {
                    for side in self.sides(decision.conditions[at as usize]) {
                        let mut further = known.clone();
                        further.push((at, side));
                        open.push(further);
                    }
                }
            }
            if found.len() == 2 {
                return Some(found);
            }
        }
        None
    }

    fn because_of(&self, decision: &Decision) -> String {
        let dead = self.proved.keys().filter(|(site, _)| decision.conditions.contains(site));
        let dead: Vec<(SiteId, u32)> = dead.copied().collect();
        if dead.is_empty() {
            let points = decision.conditions.iter().filter_map(|&site| self.flow.point(site));
            return self.cut_off(points).unwrap_or_else(|| "its conditions are never evaluated".to_string());
        }
        let words: Vec<String> = dead.iter().take(NAMED).map(|&branch| self.branch_words(branch)).collect();
        format!("it needs {}, which is infeasible", words.join(" or "))
    }

    /// Why none of these points can be reached; `None` if one can.
    fn cut_off(&self, points: impl IntoIterator<Item = PointId>) -> Option<String> {
        let points: Vec<PointId> = points.into_iter().collect();
        if points.iter().any(|&point| self.reached.point(point)) {
            return None;
        }
        // Those are to blame that alone would open the way.
        let opens = |&branch: &(SiteId, u32)| {
            let reached = self.flow.reached(self.model, |site, outcome| {
                (site, outcome) == branch || !self.proved.contains_key(&(site, outcome))
            });
            points.iter().any(|&point| reached.point(point))
        };
        let all: Vec<(SiteId, u32)> = self.proved.keys().copied().collect();
        let alone: Vec<(SiteId, u32)> = all.iter().copied().filter(opens).collect();
        Some(self.only_through(if alone.is_empty() { &all } else { &alone }))
    }

    fn only_through(&self, branches: &[(SiteId, u32)]) -> String {
        let words: Vec<String> =
            branches.iter().take(NAMED).map(|&branch| self.branch_words(branch)).collect();
        format!("only {} leads there, which is infeasible", words.join(" or "))
    }

    fn branch_words(&self, (site, outcome): (SiteId, u32)) -> String {
        let site = self.model.site(site);
        let side = match &site.kind {
            tarka_source::SiteKind::Condition { .. } => {
                format!("`{}` {}", site.text, if outcome == 0 { "false" } else { "true" })
            }
            tarka_source::SiteKind::Switch { arms, .. } => {
                format!("`switch ({})` {}", site.text, arms[outcome as usize].text)
            }
        };
        format!("{side} (line {})", site.place.line)
    }
}
