//! From the chosen candidate to the next input: the question to the solver, asked twice where aliases may help.
//!
//! Pointers are first tried as null or leading to an object of their own. Only when that has no answer, and the
//! question relates pointers to each other or to something with a name, they may also lead to what exists already: so a
//! plain null check never ties a list into a ring.

use tarka_search::{CandidateId, CandidateState};
use tarka_solver::{Answer, Query};
use tarka_terms::{Term, Terms};

use super::{Next, UnitLoop};
use crate::refusal::Refused;
use crate::shape::{DomainWidth, InputBytes};
use crate::verdict::Ending;

impl UnitLoop<'_> {
    /// The next input and the candidate it is for, or why there is none.
    pub(super) fn next_input(&mut self) -> Result<Next, Ending> {
        loop {
            let candidate = self.search.choose().map_err(|_| Ending::NothingLeft)?;
            if let Some(what) = self.budget.used_up(self.runs) {
                self.search.give_back(candidate);
                return Err(Ending::Budget { what, open: self.search.tree().open_candidates() });
            }
            let (prefix, flipped) = self.search.constraints(&mut self.terms, candidate);
            let found_by = self.search.tree().node_of(candidate).run as usize;
            let (current, mut aliased) =
                self.inputs[found_by - 1].clone().expect("a run with new decisions is remembered");
            let mut answer = self.ask(&prefix, flipped, &current, DomainWidth::Narrow);
            if answer == Answer::Unsat && self.aliases_may_help(&prefix, flipped, &current) {
                answer = self.ask(&prefix, flipped, &current, DomainWidth::Wide);
                aliased = true;
            }
            match answer {
                Answer::Sat(model) => {
                    let input = self.shape.reachable(&current.with(&model.bytes));
                    return Ok(Next { input, aim: Some(candidate), aliased });
                }
                Answer::Unsat => self.refused(candidate, &prefix, flipped),
                Answer::Unknown(reason) => {
                    let tree = self.search.tree();
                    let (site, outcome) = (tree.node_of(candidate).site, tree.candidate(candidate).outcome);
                    if tree.candidate(candidate).is_plain() {
                        self.losses.unknown.insert((site, outcome), reason.to_string());
                    }
                    self.search.learn(candidate, CandidateState::Unknown);
                }
            }
        }
    }

    fn ask(&mut self, prefix: &[Term], flipped: Term, current: &InputBytes, width: DomainWidth) -> Answer {
        let shape = &self.shape;
        let query = Query {
            prefix,
            flipped,
            domain: &|terms: &mut Terms, byte| shape.domain(terms, byte, current, width),
            current,
            time_limit: self.budget.question_limit(),
        };
        self.solver.solve(&mut self.terms, &query)
    }

    fn aliases_may_help(&mut self, prefix: &[Term], flipped: Term, current: &InputBytes) -> bool {
        let named: Vec<u64> = self.job.build.addresses.iter().map(|named| named.address).collect();
        self.refusals.aliases_may_help(
            &mut self.terms,
            &mut self.evaluator,
            &self.shape,
            current,
            &named,
            (prefix, flipped),
        )
    }

    /// A candidate has no input; notes whether only our own bounds on inputs say so.
    fn refused(&mut self, candidate: CandidateId, prefix: &[Term], flipped: Term) {
        let tree = self.search.tree();
        if tree.candidate(candidate).is_plain() {
            let refused = Refused { tree, node: self.search.node_of(candidate), prefix, flipped };
            self.refusals.note(&mut self.losses, &self.terms, &self.shape, &refused);
        }
        self.search.learn(candidate, CandidateState::Infeasible);
    }
}
