//! Goals behind counters and flags: what `auto` climbs to, and the climbing alone.

use tarka_search::Search;
use tarka_search::strategy::{Counts, Strategy, by_name};
use tarka_source::cfg::Icfg;
use tarka_source::{Criterion, FunctionId};
use tarka_trace::{Op, input_label};

use crate::toy::{Recorder, Story, conditions, drive};

/// Whether bit `bit` of byte 0 is set, as a condition of the input.
fn bit_is_set(run: &mut Recorder, site: u32, bit: u32) -> bool {
    let (mask, zero) = (run.constant(8, 1 << bit), run.constant(8, 0));
    let masked = run.node(Op::And, 8, [input_label(0), mask, 0]);
    let label = run.node(Op::Ne, 1, [masked, zero, 0]);
    run.condition(site, run.input[0] >> bit & 1 == 1, label)
}

/// After paper 4's array class: a flag that falls unless all eight elements pass, and a condition on the flag alone.
fn all_pass(run: &mut Recorder) {
    let passed = (0..8).filter(|&bit| bit_is_set(run, 0, bit)).count();
    run.condition(1, passed == 8, 0);
}

/// A counter that must come to five, with a way out of the loop that never comes by the goal.
fn five_without_exit(run: &mut Recorder) {
    let mut count = 0;
    for bit in 0..8 {
        if run.less(2, 1, 3 + bit as u8) && bit > 0 {
            return;
        }
        count += u32::from(bit_is_set(run, 0, bit));
    }
    run.condition(1, count == 5, 0);
}

fn search(strategy: Box<dyn Strategy>, seed: u64, program: fn(&mut Recorder)) -> Story {
    let model = conditions(3);
    let search = Search::new(&model, &Icfg::default(), (&[FunctionId(0)], Criterion::Branch), strategy, seed);
    drive(&model, search, 300, program)
}

fn covers_goal(story: &Story) -> bool {
    let goals = story.search.goals();
    goals.is_open_outcome(1, 0) == goals.is_open_outcome(1, 1)
}

#[test]
fn a_flag_is_climbed_to_in_one_run_for_each_element() {
    let climbed = search(Box::new(Counts::default()), 1, all_pass);
    assert!(covers_goal(&climbed), "the flag stands when all eight elements pass");
    assert_eq!(climbed.inputs.iter().position(|input| input[0] == 0xff), Some(8), "{:?}", climbed.inputs);
}

#[test]
fn auto_comes_to_the_flag_in_a_fraction_of_the_paths() {
    let runs = |name: &str, seed| {
        let story = search(by_name(name).unwrap(), seed, all_pass);
        story.inputs.iter().position(|input| input[0] == 0xff).unwrap_or(300) as u32
    };
    // A quarter of the 256 paths: four strategies take turns with the climb.
    let auto: Vec<u32> = (1..9).map(|seed| runs("auto", seed)).collect();
    assert!(auto.iter().all(|&runs| runs <= 64), "{auto:?}");
    assert!(runs("bfs", 1) >= 200);
}

#[test]
fn runs_that_do_not_come_by_the_goal_are_no_way_to_it() {
    let climbed = search(Box::new(Counts::default()), 1, five_without_exit);
    assert!(covers_goal(&climbed), "{:?}", climbed.inputs);
}
