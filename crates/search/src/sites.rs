//! What the search needs to know of each source site: where its outcomes are in the coverage map, which values lead to
//! which arm of a switch, and which decision a condition is part of.
//!
//! Takes the source model; gives these by site. Never: runs.

use std::collections::HashMap;

use tarka_source::{BoolShape, DecisionId, FunctionId, SiteKind, SourceModel};
use tarka_terms::{BinaryOp, Term, Terms};

/// Facts about the source sites, by site number.
#[derive(Clone, Debug, Default)]
pub struct SiteTable {
    sites: Vec<SiteFacts>,
    /// Conditions of the decisions whose evaluations are followed.
    conditions: HashMap<u32, ConditionFacts>,
    decisions: Vec<DecisionFacts>,
}

#[derive(Clone, Copy, Debug)]
struct ConditionFacts {
    decision: usize,
    position: u32,
}

/// A decision whose evaluations are followed along every path.
#[derive(Clone, Debug)]
pub(crate) struct DecisionFacts {
    pub(crate) id: DecisionId,
    pub(crate) shape: BoolShape,
    pub(crate) conditions: u32,
}

#[derive(Clone, Debug)]
struct SiteFacts {
    coverage_base: u32,
    outcomes: u32,
    switch: Option<SwitchFacts>,
}

#[derive(Clone, Debug)]
struct SwitchFacts {
    signed: bool,
    /// Value ranges of the arms; the default, which has none, is last.
    arms: Vec<Option<(i128, i128)>>,
}

impl SiteTable {
    /// The facts of a source model.
    pub fn new(model: &SourceModel) -> SiteTable {
        let mut coverage_base = 0;
        let sites = model
            .sites
            .iter()
            .map(|site| {
                let facts = SiteFacts {
                    coverage_base,
                    outcomes: site.outcomes(),
                    switch: match &site.kind {
                        SiteKind::Condition { .. } => None,
                        SiteKind::Switch { arms, signed, .. } => Some(SwitchFacts {
                            signed: *signed,
                            arms: arms.iter().map(|arm| arm.values).collect(),
                        }),
                    },
                };
                coverage_base += site.outcomes();
                facts
            })
            .collect();
        SiteTable { sites, ..SiteTable::default() }
    }

    /// Also follows the evaluations of the functions' decisions with `&&` or `||`.
    pub(crate) fn following(mut self, model: &SourceModel, functions: &[FunctionId]) -> SiteTable {
        let decisions = functions.iter().flat_map(|&function| model.decisions_of(function));
        for decision in decisions.filter(|decision| decision.is_compound()) {
            for (position, site) in decision.conditions.iter().enumerate() {
                let facts = ConditionFacts { decision: self.decisions.len(), position: position as u32 };
                self.conditions.insert(site.0, facts);
            }
            self.decisions.push(DecisionFacts {
                id: decision.id,
                shape: decision.shape.clone(),
                conditions: decision.conditions.len() as u32,
            });
        }
        self
    }

    /// The decisions whose evaluations are followed.
    pub(crate) fn decisions(&self) -> &[DecisionFacts] {
        &self.decisions
    }

    /// The followed decision that a site is a condition of, by index, and the position in it.
    pub(crate) fn condition(&self, site: u32) -> Option<(usize, u32)> {
        self.conditions.get(&site).map(|facts| (facts.decision, facts.position))
    }

    /// Number of outcomes of all source sites.
    pub(crate) fn branch_count(&self) -> usize {
        self.sites.last().map_or(0, |last| (last.coverage_base + last.outcomes) as usize)
    }

    /// Number of outcomes of a source site; 0 if the site is not a source site.
    pub fn outcomes(&self, site: u32) -> u32 {
        self.sites.get(site as usize).map_or(0, |facts| facts.outcomes)
    }

    /// Index in the coverage map of an outcome of a source site.
    pub fn coverage_index(&self, site: u32, outcome: u32) -> Option<u32> {
        let facts = self.sites.get(site as usize)?;
        (outcome < facts.outcomes).then_some(facts.coverage_base + outcome)
    }

    /// The values that lead to an arm of a switch, none for the default, and whether they are signed.
    pub(crate) fn arm_values(&self, site: u32, arm: u32) -> Option<(Option<(i128, i128)>, bool)> {
        let switch = self.sites.get(site as usize)?.switch.as_ref()?;
        Some((*switch.arms.get(arm as usize)?, switch.signed))
    }

    /// "The switch at `site` goes to `arm`" as a one-bit term over its operand.
    pub(crate) fn arm_constraint(
        &self,
        terms: &mut Terms,
        operand: Term,
        site: u32,
        arm: u32,
    ) -> Option<Term> {
        let switch = self.sites.get(site as usize)?.switch.as_ref()?;
        if let Some(range) = switch.arms.get(arm as usize)? {
            return Some(within(terms, operand, *range, switch.signed));
        }
        let mut elsewhere = terms.constant(1, 1);
        for &range in switch.arms.iter().flatten() {
            let inside = within(terms, operand, range, switch.signed);
            let outside = terms.not(inside);
            elsewhere = terms.binary(BinaryOp::And, elsewhere, outside);
        }
        Some(elsewhere)
    }
}

/// `first <= operand <= last`. The operand may be wider than the promoted type: it was extended by that type's sign,
/// and the bounds are cut from the same mathematical values, so the comparison is the same.
fn within(terms: &mut Terms, operand: Term, (first, last): (i128, i128), signed: bool) -> Term {
    let width = terms.width(operand);
    let (low, high) = (constant(terms, width, first), constant(terms, width, last));
    if first == last {
        return terms.binary(BinaryOp::Eq, operand, low);
    }
    let below = if signed { BinaryOp::Sle } else { BinaryOp::Ule };
    let from = terms.binary(below, low, operand);
    let to = terms.binary(below, operand, high);
    terms.binary(BinaryOp::And, from, to)
}

fn constant(terms: &mut Terms, width: u16, value: i128) -> Term {
    let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
    terms.constant(width, value as u128 & mask)
}
