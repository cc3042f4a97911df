//! The numbering of sites.
//!
//! Takes the source sites of the model and, from the pass, one request per internal branch, check or possible
//! concretisation; gives the table that turns a site number of a trace back into words and a place. Numbers follow the
//! order of the requests, which is function and instruction order, so two builds of one text number alike.

use tarka_source::{Place, SiteId, SiteKind, SourceModel};
use tarka_trace::FaultKind;

use crate::ir::Value;

/// What a site number stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteInfo {
    /// What kind of site.
    pub kind: SiteInfoKind,
    /// The function the instruction belongs to.
    pub function: String,
    /// Where, if known. The column is always 1 for sites without a source condition: the columns of the compiled text
    /// are not the user's.
    pub place: Option<Place>,
    /// Words for a report: "call to printf", "store at a symbolic address", "division" …
    pub what: String,
}

/// What a site is called at which a function is called through a symbolic pointer.
pub const THROUGH_POINTER: &str = "call through a function pointer";

/// The kinds of sites.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteInfoKind {
    /// A condition or switch of the source.
    Source {
        /// Its number in the model.
        site: SiteId,
        /// Index of its first outcome in the coverage map.
        coverage: u32,
    },
    /// A branch or switch of the IR without a source condition.
    Internal,
    /// A condition that holds unless there is a fault.
    Check(CheckKind),
    /// A place where a symbolic value may have to become concrete.
    Concretising,
}

/// What a check is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckKind {
    /// An access at a symbolic address.
    Memory,
    /// A division by a symbolic divisor.
    Division,
    /// A check the compiler made.
    Compiler(FaultKind),
}

/// The table while it grows.
pub(crate) struct SiteTable {
    sites: Vec<SiteInfo>,
    coverage_len: u32,
    /// Width of the operand of each source switch, 0 for conditions.
    switch_bits: Vec<u32>,
    /// Of each source site that is a condition of a compound decision: the decision and the position in it.
    conditions: Vec<Option<(u32, u32)>>,
    /// Number of conditions of each decision.
    condition_counts: Vec<u32>,
    /// Index of the first statement in the coverage map.
    first_statement: u32,
}

impl SiteTable {
    /// The table with the source sites in it.
    pub(crate) fn of(model: &SourceModel) -> SiteTable {
        let mut coverage_len = 0;
        let sites = model
            .sites
            .iter()
            .map(|site| {
                let coverage = coverage_len;
                coverage_len += site.outcomes();
                SiteInfo {
                    kind: SiteInfoKind::Source { site: site.id, coverage },
                    function: model.function(site.function).name.clone(),
                    place: Some(site.place.clone()),
                    what: site.text.clone(),
                }
            })
            .collect();
        let switch_bits = model
            .sites
            .iter()
            .map(|site| match site.kind {
                SiteKind::Switch { bits, .. } => u32::from(bits),
                SiteKind::Condition { .. } => 0,
            })
            .collect();
        let mut conditions = vec![None; model.sites.len()];
        for decision in model.decisions.iter().filter(|decision| decision.is_compound()) {
            for (position, site) in decision.conditions.iter().enumerate() {
                conditions[site.0 as usize] = Some((decision.id.0, position as u32));
            }
        }
        SiteTable {
            sites,
            coverage_len: coverage_len + model.statement_count(),
            switch_bits,
            conditions,
            condition_counts: model
                .decisions
                .iter()
                .map(|decision| decision.conditions.len() as u32)
                .collect(),
            first_statement: coverage_len,
        }
    }

    /// A table without source sites, for IR that has no model.
    pub(crate) fn empty() -> SiteTable {
        SiteTable {
            sites: Vec::new(),
            coverage_len: 0,
            switch_bits: Vec::new(),
            conditions: Vec::new(),
            condition_counts: Vec::new(),
            first_statement: 0,
        }
    }

    /// Length of the coverage map.
    pub(crate) fn coverage_len(&self) -> u32 {
        self.coverage_len
    }

    /// Index of a source site's first outcome in the coverage map.
    pub(crate) fn coverage_of(&self, site: u32) -> Option<u32> {
        match self.sites.get(site as usize)?.kind {
            SiteInfoKind::Source { coverage, .. } => Some(coverage),
            _ => None,
        }
    }

    /// Decision and position of a source site that is a condition of a compound decision.
    pub(crate) fn condition(&self, site: u32) -> Option<(u32, u32)> {
        self.conditions.get(site as usize).copied().flatten()
    }

    /// Number of conditions of a decision; 0 if there is no such decision.
    pub(crate) fn condition_count(&self, decision: u32) -> u32 {
        self.condition_counts.get(decision as usize).copied().unwrap_or(0)
    }

    /// Index of a statement in the coverage map.
    pub(crate) fn statement(&self, number: u32) -> Option<u32> {
        self.first_statement.checked_add(number).filter(|index| *index < self.coverage_len)
    }

    /// Width of the operand of a source switch.
    pub(crate) fn switch_bits(&self, site: u32) -> u32 {
        self.switch_bits.get(site as usize).copied().filter(|bits| *bits > 0).unwrap_or(64)
    }

    /// A new site for an instruction of a function.
    pub(crate) fn add(
        &mut self,
        kind: SiteInfoKind,
        function: &str,
        at: Value,
        what: impl Into<String>,
    ) -> u32 {
        let place = at.is_instruction().then(|| at.place()).flatten().map(|debug| Place {
            file: debug.file,
            line: debug.line,
            column: 1,
        });
        self.sites.push(SiteInfo { kind, function: function.to_owned(), place, what: what.into() });
        self.sites.len() as u32 - 1
    }

    /// The finished table.
    pub(crate) fn finish(self) -> Vec<SiteInfo> {
        self.sites
    }
}
