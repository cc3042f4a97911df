//! From runs to the next question: path tree, coverage, candidates, the filter that drops those of no use and the
//! strategies that choose among the rest.
//!
//! Takes traces of runs (labels are turned into terms here) and the source model; gives candidates, each with the
//! constraint an input must satisfy to go that way, and which goals are covered.
//!
//! Never: clock, files, threads, unseeded randomness, solver. The loop that runs targets and asks the solver is
//! `campaign`'s.

mod faults;
mod goals;
mod import;
mod objects;
mod paths;
mod relevance;
mod rng;
mod session;
mod sites;
mod statics;
pub mod strategy;
mod trace_view;

pub use faults::violation::{Arithmetic, Equality, InputDecision, Violation, input_decisions, violation};
pub use goals::coverage::{Coverage, Goals, HowEnded};
pub use import::{Importer, Imports};
pub use paths::candidate::{Candidate, CandidateId, CandidateState};
pub use paths::constraint::{OTHER_VALUE, Outcome};
pub use paths::path::{failed_checks, fault_free_clauses, outcome_clauses, path_clauses, sums};
pub use paths::sketch::{SketchedNode, SketchedTree, SketchedWay};
pub use paths::tree::{Absorbed, MAX_DEPTH, MAX_TREE, NodeId, PathNode, PathTree};
pub use relevance::{Filter, Relevance, WaysLeft};
pub use rng::Rng;
pub use session::{FaultGoalsLeft, FilterFigures, Finished, RunOutcome, Search};
pub use sites::SiteTable;
pub use trace_view::{RunTrace, Snapshot};
