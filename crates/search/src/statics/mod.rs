//! What the text of a unit says before any run, for the strategies that ask: one subject a file.
//!
//! Takes the source model and the inter-procedural control-flow graph, once; what depends on coverage is kept up to date
//! as goals are covered. Never: the path tree, candidates.
