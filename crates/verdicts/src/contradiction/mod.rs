//! Branches that no input takes, whatever happens on the way there.
//!
//! Takes the stable conditions that runs have evaluated and the control-flow graph. On every way to a condition some
//! others must have gone a certain way; they are stable, so all of that holds at once, and the solver is asked whether
//! the condition can then go the way that nobody has seen. "No" is a proof, also where the paths have no end. What is
//! behind branches without an input is infeasible as well.
//!
//! Bounds on inputs and preconditions have no part in it.

mod derive;
mod flow;
mod stable;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Duration;

use tarka_solver::{Answer, Query, Solver};
use tarka_source::cfg::Icfg;
use tarka_source::{FunctionId, SiteId, SiteKind, SourceModel};
use tarka_terms::{BinaryOp, Term, Terms};

pub use derive::Derived;
pub(crate) use flow::Flow;
use flow::Reached;
pub use stable::Stable;

/// How long one question may take.
const LONGEST_QUESTION: Duration = Duration::from_millis(500);

/// Questions without an answer after which no more are asked.
const MOST_UNANSWERED: u32 = 4;

/// Conditions of a proof that are looked at one by one for those it needs.
const LONGEST_CORE: usize = 24;

/// The branches that are proved infeasible.
pub struct Contradictions {
    function: FunctionId,
    proved: BTreeMap<(SiteId, u32), String>,
    /// Branches that do not contradict what holds on every way to them.
    consistent: BTreeSet<(SiteId, u32)>,
    /// Questions that were not answered with "no".
    asked: HashSet<(Vec<Term>, Term)>,
    unanswered: u32,
}

/// What the proofs are made with.
pub struct Means<'a> {
    /// The program.
    pub model: &'a SourceModel,
    /// The ways through it.
    pub icfg: &'a Icfg,
    /// What stable conditions require of the inputs.
    pub stable: &'a Stable,
    /// Where terms are made.
    pub terms: &'a mut Terms,
    /// Who is asked.
    pub solver: &'a mut (dyn Solver + Send),
}

/// What one stable condition must have done on the way to others.
struct Passed {
    site: SiteId,
    /// What is reached without passing it.
    around: Reached,
    /// What is reached if it always has this outcome.
    with: Vec<Reached>,
}

/// A condition with the outcomes that it must have had.
struct Needed {
    site: SiteId,
    outcomes: Vec<u32>,
    clause: Term,
}

impl Contradictions {
    /// Nothing is proved yet.
    pub fn new(function: FunctionId) -> Contradictions {
        let (proved, consistent) = (BTreeMap::new(), BTreeSet::new());
        Contradictions { function, proved, consistent, asked: HashSet::new(), unanswered: 0 }
    }

    /// The branches that are proved infeasible, each with the proof in words.
    pub fn proved(&self) -> &BTreeMap<(SiteId, u32), String> {
        &self.proved
    }

    /// True if what holds on every way to a branch leaves it possible, as far as it was asked.
    pub(crate) fn is_consistent(&self, site: SiteId, outcome: u32) -> bool {
        self.consistent.contains(&(site, outcome))
    }

    /// Proves what can be proved of the branches for which `is_open` holds; true if there is something new.
    pub fn prove(&mut self, means: &mut Means, is_open: impl Fn(SiteId, u32) -> bool) -> bool {
        let Some(flow) = Flow::new(means.icfg, self.function) else { return false };
        let known = means.stable.known();
        let before = self.proved.len();
        // What is proved takes branches away, which may be what another proof needs.
        loop {
            let round = self.proved.len();
            let passed = self.passed(means.model, &flow, &known);
            let reached = flow.reached(means.model, |site, outcome| !self.is_proved(site, outcome));
            for &site in &known {
                if !flow.point(site).is_some_and(|point| reached.point(point)) {
                    continue;
                }
                for outcome in 0..means.model.site(site).outcomes() {
                    if is_open(site, outcome) && !self.is_proved(site, outcome) {
                        self.try_to_prove(means, &flow, &passed, (site, outcome));
                    }
                }
            }
            if self.proved.len() == round {
                return self.proved.len() > before;
            }
        }
    }

    fn is_proved(&self, site: SiteId, outcome: u32) -> bool {
        self.proved.contains_key(&(site, outcome))
    }

    fn passed(&self, model: &SourceModel, flow: &Flow, known: &[SiteId]) -> Vec<Passed> {
        let outcomes = |site: SiteId| model.site(site).outcomes();
        let usable = known.iter().copied().filter(|&site| flow.knows_outcomes(site, outcomes(site)));
        usable
            .map(|site| {
                let reached = |wanted: Option<u32>| {
                    flow.reached(model, |at, outcome| {
                        !self.is_proved(at, outcome) && (at != site || wanted == Some(outcome))
                    })
                };
                let with = (0..outcomes(site)).map(|outcome| reached(Some(outcome))).collect();
                Passed { site, around: reached(None), with }
            })
            .collect()
    }

    fn try_to_prove(&mut self, means: &mut Means, flow: &Flow, passed: &[Passed], goal: (SiteId, u32)) {
        let Some(point) = flow.point(goal.0) else { return };
        let mut needed = Vec::new();
        for other in passed.iter().filter(|other| other.site != goal.0 && !other.around.point(point)) {
            let outcomes: Vec<u32> =
                (0..).zip(&other.with).filter(|(_, with)| with.point(point)).map(|(at, _)| at).collect();
            let clause = means.stable.one_of(means.terms, other.site, &outcomes);
            needed.extend(clause.map(|clause| Needed { site: other.site, outcomes, clause }));
        }
        let Some(wanted) = means.stable.one_of(means.terms, goal.0, &[goal.1]) else { return };
        let mut clauses: Vec<Term> = needed.iter().map(|needed| needed.clause).collect();
        clauses.sort_unstable();
        if self.unanswered >= MOST_UNANSWERED || !self.asked.insert((clauses, wanted)) {
            return;
        }
        match ask(means, &needed, wanted) {
            Answer::Sat(_) => drop(self.consistent.insert(goal)),
            Answer::Unknown(_) | Answer::Optimistic(..) => self.unanswered += 1,
            Answer::Unsat => {
                keep_core(means, &mut needed, wanted);
                let reason = words(means, &needed, goal);
                self.proved.insert(goal, reason);
            }
        }
    }
}

/// Asks for all clauses at once: no input is known that meets some of them.
fn ask(means: &mut Means, needed: &[Needed], wanted: Term) -> Answer {
    let all = needed.iter().fold(wanted, |all, needed| means.terms.binary(BinaryOp::And, all, needed.clause));
    match means.terms.as_constant(all) {
        Some(0) => return Answer::Unsat,
        Some(_) => return Answer::Sat(Default::default()),
        None => {}
    }
    let query = Query {
        prefix: &[],
        flipped: all,
        domain: &|_, _| None,
        current: &|_: u32| 0,
        time_limit: LONGEST_QUESTION,
        doubles_loop: false,
    };
    means.solver.solve(means.terms, &query)
}

/// Leaves out what the proof does not need.
fn keep_core(means: &mut Means, needed: &mut Vec<Needed>, wanted: Term) {
    if needed.len() > LONGEST_CORE {
        return;
    }
    let mut at = needed.len();
    while at > 0 {
        at -= 1;
        let left_out = needed.remove(at);
        if ask(means, needed, wanted) != Answer::Unsat {
            needed.insert(at, left_out);
        }
    }
}

/// The proof in words.
fn words(means: &Means, needed: &[Needed], goal: (SiteId, u32)) -> String {
    if needed.is_empty() {
        return if means.stable.is_constant(goal.0) {
            "no input has a part in it: it always goes the other way".to_string()
        } else {
            "no value of the parameters goes this way".to_string()
        };
    }
    let each: Vec<String> = needed.iter().map(|needed| outcome_words(means.model, needed)).collect();
    format!("on every way there {}, which rules it out", each.join(" and "))
}

fn outcome_words(model: &SourceModel, needed: &Needed) -> String {
    let site = model.site(needed.site);
    let (text, line) = (&site.text, site.place.line);
    match &site.kind {
        SiteKind::Condition { .. } => {
            let value = needed.outcomes.contains(&1);
            format!("`{text}` is {value} (line {line})")
        }
        SiteKind::Switch { arms, .. } => {
            let arms: Vec<&str> =
                needed.outcomes.iter().map(|&arm| arms[arm as usize].text.as_str()).collect();
            format!("`switch ({text})` goes to {} (line {line})", arms.join(" or "))
        }
    }
}
