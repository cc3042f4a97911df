//! Branch goals follow llvm-cov's definition.

mod toy;

use tarka_search::{BranchGoals, SiteTable};
use tarka_source::{Context, FunctionId, SiteKind};
use toy::{model, switch};

#[test]
fn a_condition_has_two_goals_and_a_switch_two_for_each_arm() {
    let model = model(vec![SiteKind::Condition { context: Context::If }, switch(&[(1, 1), (2, 2)], true)]);
    let sites = SiteTable::new(&model);
    let mut goals = BranchGoals::new(&model, &sites, FunctionId(0));
    let names: Vec<_> = goals.goals().iter().map(|goal| (goal.site.0, goal.outcome, goal.taken)).collect();
    assert_eq!(
        names,
        [
            (0, 0, true),
            (0, 1, true),
            (1, 0, true),
            (1, 0, false),
            (1, 1, true),
            (1, 1, false),
            (1, 2, true),
            (1, 2, false)
        ]
    );
    // Condition true; the switch took its second arm: that arm is taken, the two others are not taken.
    let first = goals.absorb(&[0, 1, 0, 1, 0], 1);
    assert_eq!(first.new, [1, 3, 4, 7]);
    assert!(goals.is_open_outcome(&sites, 1, 0) && !goals.is_open_outcome(&sites, 1, 1));
    // The default is taken too: only now was the second arm not taken.
    let second = goals.absorb(&[0, 1, 0, 0, 1], 2);
    assert_eq!(second.covers, [1, 3, 5, 6]);
    assert_eq!(second.new, [5, 6]);
    assert_eq!((goals.covered(), goals.open()), (6, 2));
    assert_eq!((goals.first_run(1), goals.first_run(6), goals.first_run(0)), (Some(1), Some(2), None));
}

#[test]
fn a_site_that_was_not_reached_covers_nothing() {
    let model = model(vec![switch(&[(1, 1)], true)]);
    let sites = SiteTable::new(&model);
    let mut goals = BranchGoals::new(&model, &sites, FunctionId(0));
    assert!(goals.absorb(&[0, 0], 1).covers.is_empty());
}
