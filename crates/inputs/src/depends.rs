//! Which clauses of a path a question is about: those that share input bytes with it, directly or through others.
//!
//! Takes terms, gives some of them. Never: what they mean.

use std::collections::HashSet;

use tarka_terms::{Term, Terms};

/// Prefixes longer than this are not sliced; all of them count.
const LONGEST_SLICED: usize = 2000;

/// The clauses of a prefix that share input bytes with the flipped one, directly or through others.
pub fn depends_on(terms: &Terms, prefix: &[Term], flipped: Term) -> Vec<Term> {
    if prefix.len() > LONGEST_SLICED {
        return prefix.to_vec();
    }
    let mut bytes: HashSet<u32> = terms.inputs(flipped).iter().copied().collect();
    let mut outside: Vec<Term> = prefix.to_vec();
    let mut inside = Vec::new();
    loop {
        let touches = |clause: &Term| terms.inputs(*clause).iter().any(|byte| bytes.contains(byte));
        let (more, rest): (Vec<Term>, Vec<Term>) = outside.into_iter().partition(touches);
        if more.is_empty() {
            return inside;
        }
        for clause in &more {
            bytes.extend(terms.inputs(*clause));
        }
        inside.extend(more);
        outside = rest;
    }
}
