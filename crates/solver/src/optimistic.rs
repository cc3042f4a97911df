//! Optimistic solving: where the whole question has no answer, the flipped clause alone may have one.
//!
//! Takes a solver; gives one that asks again without the path when the answer is unknown, and marks a model it gets so as
//! [`Answer::Optimistic`]: the branch goes the other way under it if the run still gets there. Only a run can tell.
//!
//! Never makes an answer certain, and never answers that there is no model.

use crate::{Answer, Figures, Query, Solver};
use tarka_terms::Terms;

/// The optimistic solver.
pub struct Optimistic {
    inner: Box<dyn Solver + Send>,
    optimistic: u64,
}

impl Optimistic {
    /// Asks this solver, twice where it does not know.
    pub fn new(inner: Box<dyn Solver + Send>) -> Optimistic {
        Optimistic { inner, optimistic: 0 }
    }
}

impl Solver for Optimistic {
    fn solve(&mut self, terms: &mut Terms, query: &Query) -> Answer {
        match self.inner.solve(terms, query) {
            Answer::Unknown(reason) if !query.prefix.is_empty() => {
                match self.inner.solve(terms, &Query { prefix: &[], ..*query }) {
                    Answer::Sat(model) => {
                        self.optimistic += 1;
                        Answer::Optimistic(model, reason)
                    }
                    _ => Answer::Unknown(reason),
                }
            }
            answer => answer,
        }
    }

    /// The second questions are among those counted.
    fn figures(&self) -> Figures {
        let inner = self.inner.figures();
        Figures { optimistic: self.optimistic, ..inner }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, Reason, no_domain};
    use std::time::Duration;
    use tarka_terms::Term;

    /// Knows an answer only where there is no path.
    struct PathsAreHard(Answer);

    impl Solver for PathsAreHard {
        fn solve(&mut self, _: &mut Terms, query: &Query) -> Answer {
            if query.prefix.is_empty() { self.0.clone() } else { Answer::Unknown(Reason::TimeLimit) }
        }

        fn figures(&self) -> Figures {
            Figures::default()
        }
    }

    fn ask(alone: Answer, prefix: &[Term], terms: &mut Terms) -> Answer {
        let flipped = terms.constant(1, 1);
        let time_limit = Duration::from_secs(1);
        let query =
            Query { prefix, flipped, domain: &no_domain, current: &|_| 0, time_limit, doubles_loop: false };
        Optimistic::new(Box::new(PathsAreHard(alone))).solve(terms, &query)
    }

    #[test]
    fn a_model_without_the_path_is_only_hoped_for() {
        let mut terms = Terms::new();
        let input = terms.input(0);
        let path = [terms.extract(input, 0, 1)];
        let model = Model { bytes: vec![(0, 7)] };
        let sat = Answer::Sat(model.clone());
        assert_eq!(ask(sat.clone(), &path, &mut terms), Answer::Optimistic(model, Reason::TimeLimit));
        assert_eq!(ask(sat.clone(), &[], &mut terms), sat, "without a path nothing is left out");
        let unknown = Answer::Unknown(Reason::TimeLimit);
        assert_eq!(
            ask(Answer::Unsat, &path, &mut terms),
            unknown,
            "the reason is that of the whole question"
        );
    }
}
