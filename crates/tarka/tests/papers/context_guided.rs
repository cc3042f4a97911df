//! Paper 3: `total`, where the context tells which flips are in vain.

use serde_json::Value;

use super::tarka;

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

#[test]
fn cgs_covers_the_dependent_branch_with_fewer_questions_than_cfg() {
    let args = "compare examples/total.c --strategies cgs,cfg --repeat 10 --runs 1000 -t 0";
    let comparison = tarka(&args.split(' ').collect::<Vec<_>>(), "compare.json");
    let goals = list(&comparison["units"][0]["goal_list"]);
    let is_b5 = |goal: &&Value| goal["text"] == "orders[i].total >= 200" && goal["outcome"] == "true";
    let b5 = goals.iter().find(is_b5).expect("the branch is a goal");
    let questions = list(&b5["queries"]).iter().map(|trials| {
        let count = |trial: &Value| trial.as_u64().expect("every trial covers it");
        list(trials).iter().map(count).collect::<Vec<u64>>()
    });
    let [cgs, cfg] = questions.collect::<Vec<_>>().try_into().expect("two strategies");
    let fewer = cgs.iter().zip(&cfg).filter(|(cgs, cfg)| cgs < cfg).count();
    let more = cgs.iter().zip(&cfg).filter(|(cgs, cfg)| cgs > cfg).count();
    assert!(3 * cgs.iter().sum::<u64>() <= 2 * cfg.iter().sum::<u64>(), "in the mean: {cgs:?} {cfg:?}");
    assert!(fewer > 2 * more, "with nearly every seed: {cgs:?} {cfg:?}");
}
