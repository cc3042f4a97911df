//! From the chosen candidate to the next input: the question to the solver, asked again where aliases may help.
//!
//! Pointers are first tried as null or leading to an object of their own. Only when that has no answer, and the
//! question relates pointers to each other or to something with a name, they may also lead to what exists already: so a
//! plain null check never ties a list into a ring. Pointers that the path has followed stay as they are in all this;
//! when even that has no answer they may move, and the run shows where that leads.

use std::collections::{BTreeSet, HashSet};

use tarka_inputs::{DomainWidth, InputBytes, Shape, depends_on, stays};
use tarka_search::{CandidateId, CandidateState, NodeId, Search};
use tarka_solver::{Answer, Query, Reason};
use tarka_source::SourceModel;
use tarka_terms::{BinaryOp, Term, Terms};
use tarka_trace::EventKind;
use tarka_verdicts::{Ending, Losses, Refused, Since};

use super::UnitLoop;
use super::explorer::Explorer;
use super::input_pool::InputPool;
use super::next::{Aliasing, Next};
use crate::budget::Budget;
use crate::clock::Until;

/// Checks, and ways to where a called function fails, that are asked about once more with more time.
const MOST_HARD_FAULTS: u32 = 3;

/// Refused candidates that are asked about once more.
const MOST_SETTLED: usize = 1000;

/// What is asked: keep the path, and turn its last decision.
pub(super) struct Question<'a> {
    pub prefix: &'a [Term],
    pub flipped: Term,
    pub current: &'a InputBytes,
    /// How pointers of the current input share objects.
    pub aliasing: Aliasing,
    /// Asked before in vain, so it gets more time.
    pub again: bool,
    /// A loop is to go on that has gone on for some rounds.
    pub doubles_loop: bool,
    /// Where in the tree it is asked, if there.
    pub node: Option<NodeId>,
}

/// What questions are asked within: the inputs that there may be, and the time that there is.
#[derive(Clone, Copy)]
pub(super) struct Within<'w, 'a> {
    pub input_pool: &'w InputPool<'a>,
    pub budget: &'w Budget,
}

impl UnitLoop<'_> {
    /// The next input and the candidate it is for, or why there is none.
    pub(super) fn next_input(&mut self) -> Result<Next, Ending> {
        loop {
            let (candidate, again) = match self.explorer.search.choose() {
                Ok(candidate) => (candidate, false),
                Err(_) => {
                    let is_unfinished = self.is_unfinished();
                    (self.explorer.next_postponed(is_unfinished).ok_or(Ending::NothingLeft)?, true)
                }
            };
            let UnitLoop { explorer, executor, records, budget, .. } = self;
            // Questions that have no answer make terms, too.
            let used_up = budget.used_up(records.runs).or_else(|| budget.is_full(explorer.bytes()));
            if let Some(used_up) = used_up {
                explorer.search.give_back(candidate);
                return Err(Ending::Budget(used_up));
            }
            let within = Within { input_pool: &executor.input_pool, budget };
            if let Some(next) =
                explorer.input_for(within, self.job.model, &mut records.losses, (candidate, again))
            {
                return Ok(next);
            }
        }
    }

    /// Finds out of the candidates without an input for how many of them only we say so. It takes one part in so many of the
    /// unit's time at most.
    pub(super) fn settle_refused(&mut self, part_of_time: u32) {
        let until = self.budget.part_from_now(part_of_time);
        let within = Within { input_pool: &self.executor.input_pool, budget: &self.budget };
        self.explorer.settle_refused(within, self.job.model, &mut self.records.losses, until);
    }
}

impl Explorer {
    /// An input for a candidate; without one, what is known of it is noted.
    fn input_for(
        &mut self,
        within: Within,
        model: &SourceModel,
        losses: &mut Losses,
        (candidate, again): (CandidateId, bool),
    ) -> Option<Next> {
        let (prefix, flipped) = self.search.constraints(&mut self.terms, candidate);
        let (current, aliasing) = self.input_of(candidate).expect("a run with new decisions is remembered");
        let doubles_loop = self.long_loops.wanted(self.search.tree(), candidate);
        let node = Some(self.search.node_of(candidate));
        let question =
            Question { prefix: &prefix, flipped, current: &current, aliasing, again, doubles_loop, node };
        let (answer, aliasing) = self.answer_close_by(within, candidate, &question);
        let (found, optimistic) = match answer {
            Answer::Sat(found) => (found, None),
            Answer::Optimistic(found, reason) => (found, Some(reason)),
            Answer::Unsat => {
                self.refused(within, model, losses, candidate, &question);
                return None;
            }
            Answer::Unknown(Reason::TimeLimit) if !again => {
                self.postponed.push_back(candidate);
                self.search.learn(candidate, CandidateState::Unknown);
                return None;
            }
            Answer::Unknown(reason) => {
                unanswered(&mut self.search, losses, candidate, &reason);
                return None;
            }
        };
        let input = self.completed(within, &question, current.with(&found.bytes));
        Some(Next { input, aim: Some(candidate), aliasing, optimistic, is_retry: false })
    }

    /// The input that an answer makes: without what no pointer leads to, and with what runs died for want of, where the
    /// question leaves that open.
    fn completed(&mut self, within: Within, question: &Question, input: InputBytes) -> InputBytes {
        let (terms, shape) = (&self.terms, &within.input_pool.shape);
        if within.input_pool.needed.is_empty() {
            return shape.reachable(&input);
        }
        let mut asked: HashSet<u32> = HashSet::new();
        for &clause in question.prefix.iter().chain([&question.flipped]) {
            asked.extend(self.aliases.pointers(terms, shape, clause));
        }
        let input = shape
            .with_needed(&within.input_pool.needed, shape.reachable(&input), |slot| !asked.contains(&slot));
        shape.reachable(&input)
    }

    /// A candidate whose question was too hard for a short look, while there is something left to find.
    fn next_postponed(&mut self, is_unfinished: bool) -> Option<CandidateId> {
        let tree = self.search.tree();
        let open = |candidate: &CandidateId| tree.candidate(*candidate).state == CandidateState::Unknown;
        self.postponed.retain(open);
        let may_fail = |candidate: &CandidateId| self.search.may_fail(*candidate);
        let position = if is_unfinished { Some(0) } else { self.postponed.iter().position(may_fail) };
        let next = self.postponed.remove(position?)?;
        let is_fault = !is_unfinished || tree.candidate(next).is_fault;
        self.hard_faults += u32::from(is_fault);
        (!is_fault || self.hard_faults <= MOST_HARD_FAULTS).then_some(next)
    }

    /// What was postponed and never asked again has no answer.
    pub(super) fn give_up_postponed(&mut self, losses: &mut Losses) {
        for candidate in std::mem::take(&mut self.postponed) {
            if self.search.tree().candidate(candidate).state == CandidateState::Unknown {
                unanswered(&mut self.search, losses, candidate, &Reason::TimeLimit);
            }
        }
    }

    /// The answer for a candidate: where a bound is to be broken, one that stays beside it is asked for first.
    fn answer_close_by(
        &mut self,
        within: Within,
        candidate: CandidateId,
        question: &Question,
    ) -> (Answer, Aliasing) {
        if let Some(close_by) = self.search.close_by(&mut self.terms, candidate, question.flipped) {
            let flipped = self.terms.binary(BinaryOp::And, question.flipped, close_by);
            let (answer, aliasing) = self.answer_modestly(within, &Question { flipped, ..*question });
            if let Answer::Sat(_) = answer {
                return (answer, aliasing);
            }
        }
        self.answer_modestly(within, question)
    }

    /// The answer, if possible with lengths that objects can have, with ends that do not lie before beginnings, and with
    /// pointers there that the code adds numbers to.
    fn answer_modestly(&mut self, within: Within, question: &Question) -> (Answer, Aliasing) {
        let (terms, shape) = (&mut self.terms, &within.input_pool.shape);
        let mut modest = shape.modest(terms, question.flipped);
        let pointers = self.aliases.pointers(terms, shape, question.flipped).iter();
        for slot in pointers.copied().filter(|&slot| shape.is_moved(slot)) {
            let is_there = shape.is_there(terms, slot);
            modest = Some(modest.map_or(is_there, |all| terms.binary(BinaryOp::And, all, is_there)));
        }
        if within.input_pool.ranges.any() {
            for (end, position) in self.aliases.differences(terms, shape, question.flipped) {
                let null = terms.constant(64, 0);
                let [first, last] = [position, end].map(|side| terms.binary(BinaryOp::Eq, side, null));
                let together = terms.binary(BinaryOp::Eq, first, last);
                let ahead = terms.binary(BinaryOp::Ule, position, end);
                let ahead = terms.binary(BinaryOp::And, ahead, together);
                modest = Some(modest.map_or(ahead, |all| terms.binary(BinaryOp::And, all, ahead)));
            }
        }
        if let Some(modest) = modest {
            let flipped = terms.binary(BinaryOp::And, question.flipped, modest);
            let (answer, aliasing) = self.answer(within, &Question { flipped, ..*question });
            if let Answer::Sat(_) = answer {
                return (answer, aliasing);
            }
        }
        self.answer(within, question)
    }

    /// The answer, and how pointers of an input made from it share objects.
    pub(super) fn answer(&mut self, within: Within, question: &Question) -> (Answer, Aliasing) {
        let (free, parts) = (BTreeSet::new(), (question.prefix, question.flipped));
        let (shape, current) = (within.input_pool.shape.clone(), question.current);
        let pins = |this: &mut Self| {
            let followed = question.node.map(|node| this.followed(&shape, node));
            this.aliases.pinned(&this.terms, &shape, current, parts, followed.as_ref())
        };
        let pinned = match question.aliasing {
            Aliasing::None if !within.input_pool.ranges.any() => free.clone(),
            // Only pointers that may stand anywhere in their object need to be held.
            Aliasing::None => pins(self).into_iter().filter(|&slot| shape.is_in_range(slot)).collect(),
            _ => pins(self),
        };
        let answer = self.ask(within, question, &pinned, DomainWidth::Narrow);
        let (terms, evaluator) = (&mut self.terms, &mut self.evaluator);
        if answer != Answer::Unsat || !self.aliases.may_help(terms, evaluator, &shape, current, parts) {
            return (answer, question.aliasing);
        }
        let pinned = pins(self);
        let answer = self.ask(within, question, &pinned, DomainWidth::Wide);
        if answer != Answer::Unsat || pinned.is_empty() {
            return (answer, Aliasing::Some);
        }
        (self.ask(within, question, &free, DomainWidth::Wide), Aliasing::Moved)
    }

    /// The pointers through which the path to a node has looked into objects: each was checked not to be null.
    fn followed(&mut self, shape: &Shape, node: NodeId) -> BTreeSet<u32> {
        let tree = self.search.tree();
        let checks =
            tree.ancestors(node).into_iter().filter(|&(above, _)| tree.node(above).kind == EventKind::Check);
        let (terms, aliases) = (&self.terms, &mut self.aliases);
        checks.flat_map(|(_, constraint)| aliases.pointers(terms, shape, constraint).to_vec()).collect()
    }

    fn ask(
        &mut self,
        within: Within,
        question: &Question,
        pinned: &BTreeSet<u32>,
        width: DomainWidth,
    ) -> Answer {
        let (shape, current) = (&within.input_pool.shape, question.current);
        let mut ordered = BTreeSet::new();
        if within.input_pool.ranges.any() {
            for &clause in question.prefix.iter().chain([&question.flipped]) {
                let pairs = self.aliases.ordered(&self.terms, shape, clause);
                ordered.extend(pairs.iter().flat_map(|&(one, other)| [one, other]));
            }
        }
        let domain = |terms: &mut Terms, byte| match shape.pointer_slot(byte) {
            Some(slot) if pinned.contains(&slot) => Some(stays(terms, current, slot)),
            Some(slot) if ordered.contains(&slot) => {
                let alone = shape.domain(terms, byte, current, width);
                let together = shape.together(terms, slot, current);
                alone.into_iter().chain(together).reduce(|all, more| terms.binary(BinaryOp::And, all, more))
            }
            _ => shape.domain(terms, byte, current, width),
        };
        let query = Query {
            prefix: question.prefix,
            flipped: question.flipped,
            domain: &domain,
            current,
            time_limit: within.budget.question_limit(question.again),
            doubles_loop: question.doubles_loop,
        };
        self.solver.solve(&mut self.terms, &query)
    }

    /// A candidate has no input; notes whether only our own bounds on inputs say so.
    fn refused(
        &mut self,
        within: Within,
        model: &SourceModel,
        losses: &mut Losses,
        candidate: CandidateId,
        question: &Question,
    ) {
        let &Question { prefix, flipped, .. } = question;
        let tree = self.search.tree();
        // A way into a fault leads nowhere.
        let leads_on =
            tree.node_of(candidate).kind != EventKind::Check || tree.candidate(candidate).outcome == 1;
        if tree.candidate(candidate).is_plain() && leads_on {
            let since = Since::of_candidate(model, tree, candidate);
            let node = self.search.node_of(candidate);
            let refused = Refused { tree, node, prefix, flipped, since };
            self.refusals.note(losses, &self.terms, &within.input_pool.shape, &refused);
            if !within.input_pool.ranges.are_apart() {
                if tree.node(node).kind == EventKind::Check {
                    *losses.faulted.entry(since).or_default() += 1;
                }
                self.unsettled.push(candidate);
            }
        }
        self.search.learn(candidate, CandidateState::Infeasible);
    }

    /// Finds out of the candidates without an input for how many of them only we say so. Asked late, because the answers
    /// matter only where something would be proved or inputs could be larger. It takes one part in so many of the unit's time
    /// at most; of those that are left then only we say so, as far as anybody knows.
    fn settle_refused(
        &mut self,
        within: Within,
        model: &SourceModel,
        losses: &mut Losses,
        until: Option<Until>,
    ) {
        for (number, candidate) in std::mem::take(&mut self.unsettled).into_iter().enumerate() {
            let since = Since::of_candidate(model, self.search.tree(), candidate);
            let is_time = until.as_ref().is_none_or(|until| !until.is_over());
            let known = self.input_of(candidate).filter(|_| is_time && number < MOST_SETTLED);
            let Some((current, aliasing)) = known else {
                *losses.unshared.entry(since).or_default() += 1;
                continue;
            };
            let (prefix, flipped) = self.search.constraints(&mut self.terms, candidate);
            let node = Some(self.search.node_of(candidate));
            let (current, again, doubles_loop) = (&current, false, false);
            let question =
                Question { prefix: &prefix, flipped, current, aliasing, again, doubles_loop, node };
            self.refused_by_us(within, losses, &question, since);
        }
    }

    /// Asks once more with every pointer that a caller may have, and without the checks that ended no run so far: if there
    /// is an answer then, only the pointers that we make, or faults, say that there is none.
    fn refused_by_us(&mut self, within: Within, losses: &mut Losses, question: &Question, since: Since) {
        let &Question { prefix, flipped, .. } = question;
        let checks = question.node.map(|node| self.checks_before(node)).unwrap_or_default();
        let (mut slots, mut rests_on_checks) = (BTreeSet::new(), false);
        for clause in depends_on(&self.terms, prefix, flipped).into_iter().chain([flipped]) {
            slots
                .extend(self.aliases.pointers(&self.terms, &within.input_pool.shape, clause).iter().copied());
            rests_on_checks |= checks.contains(&clause);
        }
        let is_bounded = slots.iter().any(|&slot| within.input_pool.shape.only_null(slot).is_some());
        if is_bounded || slots.is_empty() && !rests_on_checks {
            return;
        }
        let unchecked: Vec<Term> = prefix.iter().copied().filter(|clause| !checks.contains(clause)).collect();
        let loose = Question { prefix: &unchecked, ..*question };
        if self.ask(within, &loose, &BTreeSet::new(), DomainWidth::Legal) == Answer::Unsat {
            return;
        }
        let is_fault = rests_on_checks
            && self.ask(within, question, &BTreeSet::new(), DomainWidth::Legal) == Answer::Unsat;
        let counts = if is_fault {
            &mut losses.faulted
        } else if slots.iter().any(|&slot| within.input_pool.shape.is_in_range(slot)) {
            &mut losses.guessed_size
        } else if slots.len() > 1 {
            &mut losses.unshared
        } else {
            &mut losses.addresses
        };
        *counts.entry(since).or_default() += 1;
    }

    /// What the checks above a node say, but for those that guard a size of ours: whoever breaks them is in a fault.
    fn checks_before(&self, node: NodeId) -> HashSet<Term> {
        let tree = self.search.tree();
        let is_check =
            |above: NodeId| tree.node(above).kind == EventKind::Check && !tree.node(above).guards_guess;
        let above = tree.ancestors(node).into_iter().filter(|&(above, _)| is_check(above));
        above.map(|(_, constraint)| constraint).collect()
    }
}

/// Nobody knows an input for a candidate.
fn unanswered(search: &mut Search, losses: &mut Losses, candidate: CandidateId, reason: &Reason) {
    let tree = search.tree();
    let (site, outcome) = (tree.node_of(candidate).site, tree.candidate(candidate).outcome);
    if tree.candidate(candidate).is_plain() {
        losses.unknown.insert((site, outcome), reason.to_string());
    }
    search.learn(candidate, CandidateState::Unknown);
}

/// An input made for the flipped branch alone was run; says whether it went where it should. If not, the candidate is as open as before.
pub(super) fn optimistic_hit(
    search: &mut Search,
    losses: &mut Losses,
    candidate: CandidateId,
    reason: &Reason,
) -> bool {
    let taken = search.tree().candidate(candidate).state == CandidateState::Done;
    if taken {
        search.learn(candidate, CandidateState::Done);
    } else {
        unanswered(search, losses, candidate, reason);
    }
    taken
}
