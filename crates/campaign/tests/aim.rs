//! Aiming at a part of a function: which goals a line asks for, and what is left of search and result.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use tarka_campaign::{Aim, Options, goal_place};
use tarka_events::Status;
use tarka_source::{Criterion, FunctionId, goals_of};

use crate::c::{Unit, covered};

const HEADS: &str = "int heads(int a, int b, int n)\n\
{\n\
\x20   int sum = 0;\n\
\x20   if (a > 3 &&\n\
\x20       b *\n\
\x20           2 == 14)\n\
\x20       sum = 1;\n\
\x20   for (int i = 0;\n\
\x20        i < n && i < 3;\n\
\x20        i++)\n\
\x20       sum +=\n\
\x20           i;\n\
\x20   switch (sum) {\n\
\x20   case 3:\n\
\x20       return 9;\n\
\x20   default:\n\
\x20       break;\n\
\x20   }\n\
\x20   do {\n\
\x20       sum--;\n\
\x20   } while (sum > 0);\n\
\x20   return sum;\n\
}\n";

fn lines(unit: &Unit, lines: RangeInclusive<u32>) -> Aim {
    let file = unit.model.file.display().to_string();
    Aim { lines: BTreeMap::from([(file, vec![lines])]), places: BTreeSet::new() }
}

/// The lines at which the report would name the goals asked for, each once.
fn asked(unit: &Unit, aim: &Aim, criterion: Criterion) -> Vec<u32> {
    let (model, function) = (&unit.model, FunctionId(0));
    let goals = goals_of(model, function, criterion).into_iter();
    let places = goals.filter(|goal| aim.asks(model, *goal)).map(|goal| goal_place(model, goal).line);
    places.collect::<BTreeSet<u32>>().into_iter().collect()
}

#[test]
fn a_line_asks_for_the_conditions_that_stand_on_it() {
    let unit = Unit::new(HEADS);
    let branch = |line: u32| asked(&unit, &lines(&unit, line..=line), Criterion::Branch);
    assert_eq!(branch(4), [4]);
    assert_eq!((branch(5), branch(6)), (vec![5], vec![5]), "a condition of two lines");
    assert_eq!((branch(8), branch(10)), (vec![9], vec![9]), "every line of the head of a `for`");
    assert_eq!(branch(13), [14, 16], "the operand of a switch asks for all of its cases");
    assert_eq!((branch(14), branch(16)), (vec![14], vec![16]));
    assert_eq!((branch(19), branch(21)), (vec![], vec![21]));
    assert_eq!((branch(7), branch(11), branch(23)), (vec![], vec![], vec![]));
}

#[test]
fn a_line_asks_for_the_statements_and_decisions_that_stand_on_it() {
    let unit = Unit::new(HEADS);
    let statement = |line: u32| asked(&unit, &lines(&unit, line..=line), Criterion::Statement);
    assert_eq!((statement(11), statement(12)), (vec![11], vec![11]), "a statement of two lines");
    assert_eq!(
        (statement(5), statement(6), statement(7)),
        (vec![4], vec![4], vec![7]),
        "an `if` by its head"
    );
    assert_eq!((statement(19), statement(20), statement(21)), (vec![19], vec![20], vec![]));
    // What a condition decides alone depends on all of the decision.
    assert_eq!(asked(&unit, &lines(&unit, 6..=6), Criterion::Mcdc), [4, 5]);
    assert_eq!(asked(&unit, &lines(&unit, 1..=23), Criterion::Mcdc), [4, 5, 9, 14, 16, 21]);
}

#[test]
fn a_place_asks_for_what_is_reported_there() {
    let unit = Unit::new(HEADS);
    let file = unit.model.file.display().to_string();
    let at = |line, column| Aim { places: [(file.clone(), line, column)].into(), ..Aim::default() };
    assert_eq!(asked(&unit, &at(5, None), Criterion::Branch), [5]);
    assert_eq!(asked(&unit, &at(6, None), Criterion::Branch), Vec::<u32>::new());
    let one = goals_of(&unit.model, FunctionId(0), Criterion::Branch).into_iter();
    let one = one.filter(|goal| at(9, Some(10)).asks(&unit.model, *goal));
    assert_eq!(one.count(), 2, "`i < n`, not `i < 3` beside it");
}

#[test]
fn only_what_is_asked_for_is_searched_and_counted() {
    let unit = Unit::new(HEADS);
    let options = Options { time: None, ..Options::default() };
    let whole = unit.test_all(&options).pop().expect("a result");
    let aimed = Options { aim: Some(lines(&unit, 4..=6)), ..options };
    let aimed = unit.test_all(&aimed).pop().expect("a result");
    assert_eq!((covered(&aimed), &aimed.status), ((4, 4), &Status::Complete));
    assert!(aimed.goals.iter().all(|goal| (4..=5).contains(&goal.place.line)), "{:?}", aimed.goals);
    assert!(aimed.runs < whole.runs, "{} runs against {} of the whole", aimed.runs, whole.runs);
    for kept in &aimed.kept_runs {
        assert!(kept.covers.iter().all(|goal| (*goal as usize) < aimed.goals.len()), "{:?}", kept.covers);
    }
}
