//! The chain of layers, in the order in which they are asked.
//!
//! | layer | asked | hears an answer |
//! |---|---|---|
//! | `slice` | keeps the clauses that share input bytes with the flipped one, adds the domains of those bytes | |
//! | `encoding` | adds which patterns of a long double are numbers | |
//! | `recorder` | (only where questions are recorded) | writes the question and its answer |
//! | `check` | | evaluates every model on the sliced question before it is believed |
//! | `simplify` | drops clauses that hold anyway, puts in bytes whose value is fixed | adds those bytes |
//! | `doubling` | where a loop goes on and on, tries a few more rounds at once | |
//! | `exact` | answers the same sliced question from memory | remembers it |
//! | `cores` | knows clauses that have no model together | remembers them |
//! | `models` | tries models of earlier questions | remembers them |
//! | `runs` | tries the inputs of earlier runs | |
//! | `intervals` | contradicts by ranges, bits, values of bytes and distances; tries the ends of what is left | |
//! | `few` | tries all combinations of the values that ranges leave to bytes, if they are few | |
//! | `finite` | tries the values of pointers and other parts that may only have a few | |
//! | `cases` | simplifies and narrows anew for each value of such a part | |
//! | `search` | runs the question as a program on inputs near the current one | |
//! | `many` | the same as `few`, if they are more | |
//! | `near` | | gives bytes of a model that need not change their current value back, and small values to others |
//! | `smt` | decides | |
//!
//! Between `simplify` and the last layer no clause is changed: what is remembered there is what is asked again.

use crate::cache::{Cores, Exact, Models, Runs};
use crate::cases::Cases;
use crate::check::Check;
use crate::doubling::Doubling;
use crate::encoding::Encoding;
use crate::few::Few;
use crate::finite::Finite;
use crate::intervals::{Intervals, SharedAnalysis};
use crate::layer::{Layer, Question};
use crate::near::Near;
use crate::recorder::Recorder;
use crate::search::SearchLayer;
use crate::simplify::Simplify;
use crate::slice::Slice;
use crate::smt::Smt;
use crate::z3::Z3;
use crate::{Answer, Figures, LayerFigures, Query, Reason, RunInput, Solver};
use std::time::Instant;
use tarka_terms::Terms;

/// The solver Tarka uses.
pub fn standard() -> Box<dyn Solver + Send> {
    Box::new(Chain::new(layers()))
}

/// The solver Tarka uses, which also tells each sliced question with its answer as a block of SMT-LIB text, equal ones
/// once.
pub fn recorded(unit: &str, tell: Box<dyn FnMut(&str) + Send>) -> Box<dyn Solver + Send> {
    let mut layers = layers();
    let after_encoding =
        layers.iter().position(|layer| layer.name() == Encoding.name()).map_or(0, |at| at + 1);
    layers.insert(after_encoding, Box::new(Recorder::new(unit, tell)));
    Box::new(Chain::new(layers))
}

fn layers() -> Vec<Box<dyn Layer>> {
    let analysis = SharedAnalysis::default();
    vec![
        Box::new(Slice::default()),
        Box::new(Encoding),
        Box::new(Check::default()),
        Box::new(Simplify::with(analysis.clone())),
        Box::new(Doubling::default()),
        Box::new(Exact::default()),
        Box::new(Cores::default()),
        Box::new(Models::default()),
        Box::new(Runs::default()),
        Box::new(Intervals::with(analysis)),
        Box::new(Few::little()),
        Box::new(Finite::default()),
        Box::new(Cases::default()),
        Box::new(SearchLayer::default()),
        Box::new(Few::much()),
        Box::new(Near::default()),
        Box::new(Smt::new(Z3::new())),
    ]
}

/// Nothing but slicing and Z3: what the chain is measured against.
pub fn plain() -> Box<dyn Solver + Send> {
    Box::new(Chain::new(vec![
        Box::new(Slice::default()),
        Box::new(Encoding),
        Box::new(Check::default()),
        Box::new(Smt::new(Z3::new())),
    ]))
}

/// Layers, one after the other, with what each of them did.
pub(crate) struct Chain {
    layers: Vec<(Box<dyn Layer>, LayerFigures)>,
    figures: Figures,
}

impl Chain {
    pub(crate) fn new(layers: Vec<Box<dyn Layer>>) -> Chain {
        let named = |layer: Box<dyn Layer>| {
            let figures = LayerFigures { name: layer.name(), ..LayerFigures::default() };
            (layer, figures)
        };
        Chain { layers: layers.into_iter().map(named).collect(), figures: Figures::default() }
    }

    fn answer(&mut self, terms: &mut Terms, question: &mut Question) -> Answer {
        let mut clock = Instant::now();
        let mut lap = || {
            let now = Instant::now();
            now - std::mem::replace(&mut clock, now)
        };
        let mut found = None;
        let mut passed = 0;
        for (layer, figures) in &mut self.layers {
            let answer = layer.ask(terms, question);
            figures.asked += 1;
            figures.answered += u64::from(matches!(answer, Some(Answer::Sat(_) | Answer::Unsat)));
            figures.time += lap();
            if answer.is_some() {
                found = answer;
                break;
            }
            passed += 1;
        }
        let mut answer = found.unwrap_or(Answer::Unknown(Reason::TimeLimit));
        for (layer, figures) in self.layers[..passed].iter_mut().rev() {
            layer.answered(terms, question, &mut answer);
            figures.time += lap();
        }
        answer
    }
}

impl Solver for Chain {
    fn solve(&mut self, terms: &mut Terms, query: &Query) -> Answer {
        let start = Instant::now();
        let answer = self.answer(terms, &mut Question::new(query));
        self.figures.time += start.elapsed();
        self.figures.queries += 1;
        match answer {
            Answer::Sat(_) => self.figures.sat += 1,
            Answer::Unsat => self.figures.unsat += 1,
            Answer::Unknown(Reason::WrongModel) => {
                self.figures.unknown += 1;
                self.figures.wrong_models += 1;
            }
            Answer::Unknown(_) | Answer::Optimistic(..) => self.figures.unknown += 1,
        }
        answer
    }

    fn ran(&mut self, input: RunInput) {
        self.layers.iter_mut().for_each(|(layer, _)| layer.ran(&input));
    }

    fn figures(&self) -> Figures {
        Figures { layers: self.layers.iter().map(|(_, figures)| *figures).collect(), ..self.figures.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    /// Answers what it was made with, or passes on; notes what it hears.
    struct Fixed(&'static str, Option<Answer>);

    impl Layer for Fixed {
        fn name(&self) -> &'static str {
            self.0
        }

        fn ask(&mut self, _: &mut Terms, _: &mut Question) -> Option<Answer> {
            self.1.clone()
        }

        fn answered(&mut self, _: &mut Terms, _: &Question, answer: &mut Answer) {
            if let Answer::Sat(model) = answer {
                model.bytes.push((model.bytes.len() as u32, self.0.len() as u8));
            }
        }
    }

    #[test]
    fn layers_are_asked_in_order_and_those_before_the_answer_hear_it_last_one_first() {
        let mut terms = Terms::new();
        let flipped = terms.constant(1, 1);
        let sat = Answer::Sat(Model::default());
        let layers = [("a", None), ("bbb", None), ("c", Some(sat)), ("never asked", Some(Answer::Unsat))];
        let mut chain = Chain::new(
            layers
                .into_iter()
                .map(|(name, answer)| Box::new(Fixed(name, answer)) as Box<dyn Layer>)
                .collect(),
        );
        let query = Query {
            prefix: &[],
            flipped,
            domain: &crate::no_domain,
            current: &|_| 0,
            time_limit: std::time::Duration::from_secs(1),
            doubles_loop: false,
        };
        assert_eq!(chain.solve(&mut terms, &query), Answer::Sat(Model { bytes: vec![(0, 3), (1, 1)] }));
        let figures = chain.figures();
        let counts: Vec<(u64, u64)> =
            figures.layers.iter().map(|layer| (layer.asked, layer.answered)).collect();
        assert_eq!(counts, [(1, 0), (1, 0), (1, 1), (0, 0)]);
        assert_eq!((figures.queries, figures.sat), (1, 1));
    }
}
