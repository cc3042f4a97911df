//! The sketch of a unit's paths: places and words instead of numbers.
//!
//! Takes the search at its end, gives the decisions nearest to the root. Never: judging what they mean.

use tarka_events::{PathSketch, SKETCH_NODES, SketchEnd, SketchNode, SketchSite, SketchWay};
use tarka_search::{CandidateState, OTHER_VALUE, Outcome, Search, SketchedNode, SketchedWay};
use tarka_source::SiteKind;
use tarka_trace::EventKind;

use super::Job;

/// The first decisions of the last round.
pub(super) fn sketch(job: Job, search: &Search) -> PathSketch {
    let tree = search.tree().sketch(SKETCH_NODES);
    let mut numbers: Vec<u32> = tree.nodes.iter().map(|node| node.site).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let node = |node: &SketchedNode| SketchNode {
        site: numbers.binary_search(&node.site).unwrap_or_default() as u32,
        ways: node.ways.iter().map(|&(outcome, way)| way_on(job, node, outcome, way)).collect(),
    };
    PathSketch {
        nodes: tree.nodes.iter().map(node).collect(),
        roots: tree.roots.iter().map(|&root| root as u32).collect(),
        left_out: tree.left_out as u64,
        sites: numbers.iter().map(|&number| site(job, number)).collect(),
    }
}

fn site(job: Job, number: u32) -> SketchSite {
    match job.build.sites.get(number as usize) {
        Some(site) => SketchSite { place: site.place.clone(), text: site.what.clone() },
        None => SketchSite { place: None, text: "a decision without a place".to_string() },
    }
}

fn way_on(job: Job, node: &SketchedNode, outcome: Outcome, way: SketchedWay) -> SketchWay {
    let to = match way {
        SketchedWay::Node(index) => SketchEnd::Node(index as u32),
        SketchedWay::LeftOut => SketchEnd::LeftOut,
        SketchedWay::End => SketchEnd::End,
        SketchedWay::NotTaken(state) => match state {
            CandidateState::Open | CandidateState::Running => SketchEnd::Untried,
            CandidateState::Infeasible => SketchEnd::Infeasible,
            CandidateState::Unknown => SketchEnd::Unknown,
            CandidateState::Diverged | CandidateState::Done => SketchEnd::Elsewhere,
            CandidateState::Irrelevant => SketchEnd::NotWanted,
        },
    };
    SketchWay { outcome: words(job, node, outcome), to }
}

fn words(job: Job, node: &SketchedNode, outcome: Outcome) -> String {
    let word = match (node.kind, outcome) {
        (EventKind::Condition | EventKind::Internal, 0) => "false",
        (EventKind::Condition | EventKind::Internal, _) => "true",
        (EventKind::Check | EventKind::Undefined, 0) => "fails",
        (EventKind::Check | EventKind::Undefined, _) => "holds",
        (EventKind::InternalSwitch, OTHER_VALUE) => "another value",
        (EventKind::InternalSwitch, value) => return value.to_string(),
        (EventKind::Switch, arm) => return arm_text(job, node.site, arm),
    };
    word.to_string()
}

/// A case as the source writes it.
fn arm_text(job: Job, site: u32, arm: Outcome) -> String {
    let arms = job.model.sites.get(site as usize).and_then(|site| match &site.kind {
        SiteKind::Switch { arms, .. } => Some(arms),
        SiteKind::Condition { .. } => None,
    });
    let text = arms.and_then(|arms| Some(arms.get(arm as usize)?.text.clone()));
    text.unwrap_or_else(|| format!("arm {arm}"))
}
