//! Every rewrite rule against evaluation: a rule at work is logged with the node it was tried on and what it made of it,
//! and both must have the same value, bit for bit, on every input of the test.
//!
//! Terms are made at random from fixed seeds, of every operation and of widths down to one bit; what random terms hardly
//! ever reach is made on purpose (`maker.rs`). A rule that was not at work often enough on different nodes fails
//! the test, and so does one that is in no register.

mod maker;

use super::{RuleName, rule_names};
use crate::{BinaryOp, Evaluator, Node, Term, Terms};
use maker::{INPUTS, Maker, Random};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Different nodes a rule must have been at work on.
const LEAST_NODES: usize = 30;
/// Programs of terms, each in a store of its own.
const PROGRAMS: u64 = 2_000;
/// Terms of a program.
const STEPS: u32 = 120;
/// Inputs that the values are compared on.
const ASSIGNMENTS: u64 = 12;

/// A rule at work: the node it was tried on, the node's width, and the term it gave.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Firing {
    rule: RuleName,
    node: Node,
    width: u16,
    result: Term,
}

thread_local! {
    static LOG: RefCell<Option<Vec<Firing>>> = const { RefCell::new(None) };
}

/// Called by every rule that applies; does nothing unless a test of this file listens.
pub(super) fn fired(rule: RuleName, node: Node, width: u16, result: Term) {
    LOG.with_borrow_mut(|log| log.iter_mut().for_each(|log| log.push(Firing { rule, node, width, result })));
}

/// What rules did while `work` ran.
fn watched(work: impl FnOnce()) -> Vec<Firing> {
    LOG.set(Some(Vec::new()));
    work();
    LOG.take().unwrap_or_default()
}

/// The input bytes of a comparison: zeros, ones, signs, and random bytes with many of these between them.
fn input(seed: u64) -> [u8; INPUTS as usize] {
    let mut random = Random(seed);
    let edges = [0x00, 0xff, 0x80, 0x7f, 0x01];
    match edges.get(seed as usize) {
        Some(edge) => [*edge; INPUTS as usize],
        None => {
            std::array::from_fn(|_| if random.one_in(2) { random.pick(&edges) } else { random.next() as u8 })
        }
    }
}

/// The firings whose node and result have different values on some input, in words.
fn broken(terms: &mut Terms, firings: &[Firing]) -> Vec<String> {
    let pairs: Vec<(Firing, Term)> =
        firings.iter().map(|firing| (*firing, terms.intern(firing.node, firing.width))).collect();
    let (mut wrong, mut evaluator) = (Vec::new(), Evaluator::new());
    for number in 0..ASSIGNMENTS {
        let bytes = input(number);
        evaluator.restart();
        for (Firing { rule, result, .. }, plain) in &pairs {
            let before = evaluator.eval_more(terms, *plain, &bytes.as_slice());
            let after = evaluator.eval_more(terms, *result, &bytes.as_slice());
            if before != after || terms.width(*plain) != terms.width(*result) {
                let (before_text, after_text) = (terms.display(*plain), terms.display(*result));
                wrong.push(format!(
                    "{}.{}: {before_text} is {before:#x}, {after_text} is {after:#x}, on {bytes:02x?}",
                    rule.operation, rule.name
                ));
            }
        }
    }
    wrong
}

/// What rules did in all programs, checked: how many different nodes each was at work on.
fn checked_programs() -> BTreeMap<RuleName, usize> {
    let mut counts = BTreeMap::new();
    for seed in 0..PROGRAMS {
        let mut maker = Maker::new(seed);
        let firings = watched(|| (0..STEPS).for_each(|_| maker.step()));
        let mut seen = FxHashSet::default();
        let firings: Vec<Firing> = firings.into_iter().filter(|firing| seen.insert(*firing)).collect();
        let wrong = broken(&mut maker.terms, &firings);
        assert!(wrong.is_empty(), "program {seed}:\n{}", wrong.join("\n"));
        for firing in firings {
            *counts.entry(firing.rule).or_default() += 1;
        }
    }
    counts
}

#[test]
fn every_rule_keeps_every_value_and_is_seen_at_work() {
    let counts = checked_programs();
    let register = rule_names();
    let strangers: Vec<_> = counts.keys().filter(|rule| !register.contains(rule)).collect();
    assert!(strangers.is_empty(), "in no register: {strangers:?}");
    let rare: Vec<_> = register
        .iter()
        .map(|rule| ((rule.operation, rule.name), counts.get(rule).copied().unwrap_or(0)))
        .filter(|(_, count)| *count < LEAST_NODES)
        .collect();
    assert!(rare.is_empty(), "hardly seen at work: {rare:?}");
}

#[test]
fn names_of_rules_are_unique() {
    let mut counts: FxHashMap<RuleName, u32> = FxHashMap::default();
    rule_names().into_iter().for_each(|rule| *counts.entry(rule).or_default() += 1);
    counts.retain(|_, count| *count > 1);
    assert!(counts.is_empty(), "{counts:?}");
}

mod wrong {
    //! Laws that do not hold: the comparison must find each of them out.

    use super::super::{Law2, Rule, rewritten, rules};
    use super::*;
    use crate::rewrite::testing::two;

    /// `a + a = a << 1`: not in one bit, where the amount counts modulo the width
    fn doubled(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
        let one = terms.constant(terms.width(a), 1);
        (a == b).then(|| terms.binary(BinaryOp::Shl, a, one))
    }

    /// `a / 2^k = a >> k`: not of negative numbers
    fn signed_power_of_two(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
        let divisor = terms.as_constant(b).filter(|divisor| divisor.is_power_of_two())?;
        let amount = terms.constant(terms.width(a), divisor.trailing_zeros().into());
        Some(terms.binary(BinaryOp::AShr, a, amount))
    }

    /// Unsigned `a < max` is true: not for one value of all
    fn below_the_greatest(terms: &mut Terms, _: Term, b: Term) -> Option<Term> {
        terms.is_ones(b).then(|| terms.truth(true))
    }

    /// How often the comparison objects to a rule that is tried on pairs of random terms.
    fn objections(op: BinaryOp, rule: &'static [Rule<Law2>]) -> usize {
        (0..PROGRAMS / 10)
            .map(|seed| {
                let mut maker = Maker::new(seed);
                (0..STEPS).for_each(|_| maker.step());
                let firings = watched(|| {
                    for _ in 0..STEPS {
                        let width = maker.width();
                        let a = maker.operand(width);
                        let b = if maker.random.one_in(3) { a } else { maker.operand(width) };
                        let result_width = if op.is_predicate() { 1 } else { width };
                        let node = Node::Binary(op, a, b);
                        rewritten(&mut maker.terms, rule, node, result_width, |law, terms| law(terms, a, b));
                    }
                });
                let wrong = broken(&mut maker.terms, &firings);
                wrong.iter().filter(|text| text.starts_with("wrong.")).count()
            })
            .sum()
    }

    #[test]
    fn laws_that_do_not_hold_are_found_out() {
        const DOUBLED: &[Rule<Law2>] = rules!("wrong", doubled);
        const POWER: &[Rule<Law2>] = rules!("wrong", signed_power_of_two);
        const BELOW: &[Rule<Law2>] = rules!("wrong", below_the_greatest);
        for (op, rule) in [(BinaryOp::Add, DOUBLED), (BinaryOp::SDiv, POWER), (BinaryOp::Ult, BELOW)] {
            let objections = objections(op, rule);
            assert!(objections >= 5, "{} passed but for {objections} values", rule[0].name.name);
        }
    }

    #[test]
    fn a_wrong_law_is_blamed_by_its_name() {
        let (mut terms, x, _) = two(1);
        let node = Node::Binary(BinaryOp::Add, x, x);
        const RULE: &[Rule<Law2>] = rules!("wrong", doubled);
        let firings = watched(|| _ = rewritten(&mut terms, RULE, node, 1, |law, terms| law(terms, x, x)));
        let wrong = broken(&mut terms, &firings);
        assert!(wrong.iter().any(|text| text.starts_with("wrong.doubled: ")), "{wrong:?}");
    }
}
