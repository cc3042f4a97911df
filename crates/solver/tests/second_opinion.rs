//! A second judge: cvc5 answers the recorded questions of `corpus/`, and so does the chain that Tarka uses.
//!
//! Where both decide they agree, and each one's model satisfies the question when it is evaluated. The corpus is made by
//! `scripts/corpus`.

#![allow(clippy::disallowed_macros)] // figures are printed for whoever looks

use std::path::PathBuf;
use std::time::Duration;
use tarka_solver::smt::process::Process;
use tarka_solver::smt::{Backend, Limits, Verdict};
use tarka_solver::smtlib::{self, Recorded, Status};
use tarka_solver::{Answer, Deadline, Query, Solver, standard};
use tarka_terms::{Evaluator, Term, Terms};

/// What a question may take of each.
const LIMIT: Duration = Duration::from_secs(2);

/// At least so many must be decided by both.
const ENOUGH: usize = 2_000;

fn cvc5() -> Process {
    Process::new(&["cvc5", "--incremental", "--fp-exp", "--lang=smt2", "--tlimit-per=1000", "-"])
}

fn corpus() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");
    let files = std::fs::read_dir(folder).expect("the corpus").map(|file| file.expect("a file").path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "smt2")).collect();
    files.sort();
    files
}

/// The bytes of the input that a question was asked for.
fn current(question: &Recorded) -> impl Fn(u32) -> u8 + '_ {
    |input| {
        let at = question.input.binary_search_by_key(&input, |(byte, _)| *byte);
        at.map_or(0, |at| question.input[at].1)
    }
}

fn ours(solver: &mut dyn Solver, terms: &mut Terms, question: &Recorded) -> Answer {
    let current = current(question);
    let query = Query {
        prefix: &question.prefix,
        flipped: question.flipped,
        domain: &|_, _| None,
        current: &current,
        time_limit: LIMIT,
        doubles_loop: false,
    };
    solver.solve(terms, &query)
}

fn theirs(cvc5: &mut Process, terms: &Terms, clauses: &[Term]) -> Verdict {
    cvc5.decide(terms, clauses, &Limits { time: LIMIT, deadline: Deadline::after(LIMIT), memory: u64::MAX })
}

/// Why two answers to one question cannot both be right, if so.
fn conflict(terms: &Terms, question: &Recorded, ours: &Answer, theirs: &Verdict) -> Option<String> {
    let holds = |bytes: &[(u32, u8)]| {
        let current = current(question);
        let value = |input: u32| match bytes.binary_search_by_key(&input, |(byte, _)| *byte) {
            Ok(at) => bytes[at].1,
            Err(_) => current(input),
        };
        let clauses = question.prefix.iter().copied().chain([question.flipped]);
        Evaluator::new().first_false(terms, clauses, &value).is_none()
    };
    if let Answer::Sat(model) = ours
        && !holds(&model.bytes)
    {
        return Some("our model is none".into());
    }
    match (ours, theirs) {
        (Answer::Sat(_), Verdict::Unsat) => Some("we have a model, cvc5 says there is none".into()),
        (Answer::Unsat, Verdict::Sat { bytes, .. }) if holds(bytes) => {
            Some("cvc5 has a model, we say there is none".into())
        }
        (Answer::Unsat, Verdict::Sat { approximated: None, .. }) => {
            Some("cvc5 says there is a model, and we say there is none".into())
        }
        (_, Verdict::Sat { bytes, approximated: None }) if !holds(bytes) => {
            Some("cvc5's model of our text does not hold in our terms".into())
        }
        _ => None,
    }
}

#[test]
fn both_agree_on_the_recorded_questions() {
    let (mut both, mut sat, mut floats) = (0, 0, 0);
    let (mut undecided, mut conflicts) = (Vec::new(), Vec::new());
    for path in corpus() {
        let text = std::fs::read_to_string(&path).expect("readable");
        let mut terms = Terms::new();
        let questions =
            smtlib::read(&mut terms, &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let texts: Vec<&str> = smtlib::blocks(&text).collect();
        assert_eq!(questions.len(), texts.len(), "{}", path.display());
        let (mut solver, mut cvc5) = (standard(), cvc5());
        for (question, text) in questions.iter().zip(texts) {
            let answer = ours(&mut *solver, &mut terms, question);
            let clauses: Vec<Term> =
                [question.flipped].into_iter().chain(question.prefix.iter().copied()).collect();
            let verdict = theirs(&mut cvc5, &terms, &clauses);
            if let Some(what) = conflict(&terms, question, &answer, &verdict) {
                conflicts.push(format!("{}: {what}\n{text}", question.source));
            }
            let is_decided = match verdict {
                Verdict::Sat { approximated: None, .. } | Verdict::Unsat => true,
                Verdict::Sat { .. } | Verdict::Unknown(_) => false,
            };
            if !is_decided || Status::from(&answer) == Status::Unknown {
                undecided.push(format!("{} (we: {})", question.source, Status::from(&answer).name()));
                continue;
            }
            both += 1;
            sat += usize::from(answer != Answer::Unsat);
            floats += usize::from(text.contains("(fp."));
        }
    }
    println!("{both} decided by both, {sat} of them sat, {floats} with floats; not by both: {undecided:#?}");
    assert!(conflicts.is_empty(), "{}", conflicts.join("\n"));
    assert!(both >= ENOUGH, "only {both}");
    assert!(floats > 30 && sat > ENOUGH / 10 && both - sat > ENOUGH / 10, "all kinds are there");
}

#[test]
fn a_wrong_answer_is_noticed() {
    let path =
        corpus().into_iter().find(|path| path.ends_with("triangle.triangle.smt2")).expect("an example");
    let text = std::fs::read_to_string(path).expect("readable");
    let mut terms = Terms::new();
    let questions = smtlib::read(&mut terms, &text).expect("questions");
    let (mut solver, mut cvc5) = (standard(), cvc5());
    let mut noticed = 0;
    for question in &questions {
        let answer = ours(&mut *solver, &mut terms, question);
        // A clause is turned: what cvc5 truly answers to that is a wrong answer to the question.
        let opposite = terms.not(question.flipped);
        let turned = theirs(&mut cvc5, &terms, &[question.flipped, opposite]);
        assert!(matches!(turned, Verdict::Unsat));
        if matches!(answer, Answer::Sat(_)) {
            assert!(conflict(&terms, question, &answer, &turned).is_some(), "{}", question.source);
        }
        let wrong = match answer {
            Answer::Sat(_) => Verdict::Unsat,
            _ => Verdict::Sat { bytes: Vec::new(), approximated: None },
        };
        assert!(conflict(&terms, question, &answer, &wrong).is_some(), "{}", question.source);
        let model = Answer::Sat(tarka_solver::Model { bytes: question.input.clone() });
        let right = theirs(&mut cvc5, &terms, &[question.flipped]);
        assert!(conflict(&terms, question, &model, &right).is_some(), "the current input is no model");
        noticed += 1;
    }
    assert!(noticed > 5);
}
