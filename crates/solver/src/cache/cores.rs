//! Remembers sets of clauses that have no model: a question with all clauses of such a set has none either.
//!
//! Each set is watched through the one of its clauses that the fewest questions had, so that a question is compared with
//! few sets. A set is what the layer that answered named as the reason, otherwise the whole question.

use crate::Answer;
use crate::layer::{Layer, Question};
use rustc_hash::FxHashMap;
use tarka_terms::{Term, Terms};

/// Clauses of all remembered sets together; beyond that the layer starts anew.
const CAPACITY: usize = 1_000_000;
/// A larger set is not likely to be met again.
const MAX_CLAUSES: usize = 4_000;
/// Clauses of sets that are looked up for each clause of the question, on average.
const LOOKUPS_PER_CLAUSE: usize = 64;

/// The layer of known contradictions.
#[derive(Default)]
pub(crate) struct Cores {
    /// Whose terms the sets are made of.
    store: u64,
    /// Sets by the clause they are watched through.
    watched: FxHashMap<Term, Vec<Box<[Term]>>>,
    /// Clauses in all sets.
    size: usize,
    /// For each term in how many questions it was a clause, and the last of them.
    met: Vec<(u32, u32)>,
    /// The present question's number.
    round: u32,
}

impl Cores {
    /// Notes the clauses of a question, so that they can be looked up.
    fn enter(&mut self, terms: &Terms, question: &Question) {
        if self.store != terms.identity() || self.size >= CAPACITY || self.round == u32::MAX {
            *self = Cores { store: terms.identity(), ..Cores::default() };
        }
        if self.met.len() < terms.len() {
            self.met.resize(terms.len(), (0, 0));
        }
        self.round += 1;
        for clause in question.clauses() {
            let (times, last) = &mut self.met[clause.index()];
            if *last != self.round {
                (*times, *last) = (*times + 1, self.round);
            }
        }
    }

    /// A known set that the question entered last has all clauses of.
    fn known(&self, question: &Question) -> Option<&[Term]> {
        let mut lookups = LOOKUPS_PER_CLAUSE * (1 + question.prefix.len());
        for clause in question.clauses() {
            for core in self.watched.get(&clause).into_iter().flatten() {
                let found = core.iter().take_while(|clause| self.met[clause.index()].1 == self.round).count();
                if found == core.len() {
                    return Some(core);
                }
                lookups = lookups.checked_sub(1 + found)?;
            }
        }
        None
    }

    fn learn(&mut self, core: Vec<Term>) {
        let times = |clause: &Term| self.met.get(clause.index()).map_or(0, |(times, _)| *times);
        // Of clauses met equally often the younger one is likelier to be special.
        let Some(rarest) =
            core.iter().copied().min_by_key(|clause| (times(clause), u32::MAX - clause.index() as u32))
        else {
            return;
        };
        if core.len() > MAX_CLAUSES {
            return;
        }
        self.size += core.len();
        self.watched.entry(rarest).or_default().push(core.into_boxed_slice());
    }
}

impl Layer for Cores {
    fn name(&self) -> &'static str {
        "cores"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        self.enter(terms, question);
        let core = self.known(question)?.to_vec();
        question.core = Some(core);
        Some(Answer::Unsat)
    }

    fn answered(&mut self, _: &mut Terms, question: &Question, answer: &mut Answer) {
        if *answer == Answer::Unsat {
            let mut core = question.core.clone().unwrap_or_else(|| question.clauses().collect());
            core.sort_unstable();
            core.dedup();
            self.learn(core);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::testing::question;

    fn bits(terms: &mut Terms) -> [Term; 4] {
        let input = terms.input(0);
        [0, 1, 2, 3].map(|bit| terms.extract(input, bit, 1))
    }

    fn tell(cores: &mut Cores, terms: &mut Terms, mut asked: Question, core: Option<Vec<Term>>) {
        assert_eq!(cores.ask(terms, &mut asked), None);
        asked.core = core;
        cores.answered(terms, &asked, &mut Answer::Unsat);
    }

    #[test]
    fn more_clauses_do_not_make_a_contradiction_go_away() {
        let mut terms = Terms::new();
        let [a, b, c, d] = bits(&mut terms);
        let mut cores = Cores::default();
        tell(&mut cores, &mut terms, question(&[a], b), None);
        assert_eq!(cores.ask(&mut terms, &mut question(&[c, b, d], a)), Some(Answer::Unsat));
        assert_eq!(cores.ask(&mut terms, &mut question(&[c, d], a)), None);
    }

    #[test]
    fn what_was_named_as_the_reason_is_enough() {
        let mut terms = Terms::new();
        let [a, b, c, d] = bits(&mut terms);
        let mut cores = Cores::default();
        tell(&mut cores, &mut terms, question(&[a, c], b), Some(vec![b, a]));
        assert_eq!(cores.ask(&mut terms, &mut question(&[a], d)), None);
        let mut asked = question(&[a, d], b);
        assert_eq!(cores.ask(&mut terms, &mut asked), Some(Answer::Unsat));
        assert_eq!(asked.core, Some(vec![a, b]), "and it is told further");
    }

    #[test]
    fn models_and_failures_are_no_contradictions() {
        let mut terms = Terms::new();
        let [a, b, ..] = bits(&mut terms);
        let mut cores = Cores::default();
        for mut answer in [Answer::Sat(crate::Model::default()), Answer::Unknown(crate::Reason::TimeLimit)] {
            let mut asked = question(&[a], b);
            assert_eq!(cores.ask(&mut terms, &mut asked), None);
            cores.answered(&mut terms, &asked, &mut answer);
        }
    }

    #[test]
    fn another_store_has_other_terms() {
        let (mut one, mut two) = (Terms::new(), Terms::new());
        let [a, b, ..] = bits(&mut one);
        bits(&mut two);
        let mut cores = Cores::default();
        tell(&mut cores, &mut one, question(&[a], b), None);
        assert_eq!(cores.ask(&mut two, &mut question(&[a], b)), None);
    }
}
