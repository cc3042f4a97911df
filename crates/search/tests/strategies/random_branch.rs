//! `random-branch`.

use std::collections::BTreeSet;

use super::nested;
use crate::toy::{conditions, explore};

#[test]
fn random_branch_depends_on_the_seed_only() {
    let tried = |seed| explore(&conditions(3), "random-branch", seed, 4, nested).inputs;
    assert_eq!(tried(3), tried(3));
    let different: BTreeSet<_> = (0..8).map(tried).collect();
    assert!(different.len() > 1);
}
