//! A sketch of a unit's paths, for people to look at: the part of the path tree next to its root.
//!
//! Plain data. Never: what verdicts or tests rest on.

use serde::{Deserialize, Serialize};
use tarka_source::Place;

/// Most decisions of a sketch.
pub const SKETCH_NODES: usize = 400;

/// The first decisions of the last round of a search: those nearest to the start of the unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathSketch {
    /// The places that decide, each once.
    pub sites: Vec<SketchSite>,
    /// The decisions, those above before those below; the first is the first of every run, or one of several.
    pub nodes: Vec<SketchNode>,
    /// The decisions with nothing above them, by index.
    pub roots: Vec<u32>,
    /// Decisions of the search that are not among these.
    pub left_out: u64,
}

/// A place that decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SketchSite {
    /// Where, if it has a place.
    pub place: Option<Place>,
    /// Source text, or what it is in words.
    pub text: String,
}

/// A decision after one particular prefix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SketchNode {
    /// Index in [`PathSketch::sites`].
    pub site: u32,
    /// The ways on from here.
    pub ways: Vec<SketchWay>,
}

/// A way on from a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SketchWay {
    /// `true`, `false`, `holds`, `fails`, a case as the source writes it, or a value.
    pub outcome: String,
    /// Where it leads.
    pub to: SketchEnd,
}

/// Where a way leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SketchEnd {
    /// To the decision at this index.
    Node(u32),
    /// To decisions that are left out of the sketch.
    LeftOut,
    /// A run went this way, and the input decided nothing more.
    End,
    /// No run went this way, and none was tried.
    Untried,
    /// The solver says that no input of this round goes this way.
    Infeasible,
    /// The solver could not tell.
    Unknown,
    /// There was an input, but its run went elsewhere.
    Elsewhere,
    /// Nothing that was still wanted can follow.
    NotWanted,
}
