//! The table of `-v`: what each layer of the solver did, all units together.
//!
//! Takes the logs; gives text. Never: what an answer means.

use tarka_events::SolverLayer;

use tarka_events::UnitLog;

/// The table as text; empty if nothing was asked.
pub fn table(units: &[UnitLog]) -> String {
    let mut layers: Vec<SolverLayer> = Vec::new();
    for layer in units.iter().flat_map(|unit| &unit.result().solver.layers) {
        match layers.iter_mut().find(|known| known.name == layer.name) {
            Some(known) => {
                known.asked += layer.asked;
                known.answered += layer.answered;
                known.us += layer.us;
            }
            None => layers.push(layer.clone()),
        }
    }
    let sum = |of: fn(&tarka_events::SolverFigures) -> u64| -> u64 {
        units.iter().map(|unit| of(&unit.result().solver)).sum()
    };
    let queries = sum(|solver| solver.queries);
    if queries == 0 {
        return String::new();
    }
    let mut text = format!(
        "\nsolver: {queries} questions, {} with a model, {} without, {} not answered; {:.1} % without the SMT solver\n",
        sum(|solver| solver.sat),
        sum(|solver| solver.unsat),
        sum(|solver| solver.unknown),
        100.0 * sum(|solver| solver.cached) as f64 / queries as f64,
    );
    text += &format!("{:<12}{:>10}{:>10}{:>10}{:>12}\n", "layer", "asked", "hits", "misses", "time");
    for SolverLayer { name, asked, answered, us } in &layers {
        let (misses, ms) = (asked - answered, *us as f64 / 1000.0);
        text += &format!("{name:<12}{asked:>10}{answered:>10}{misses:>10}{ms:>9.1} ms\n");
    }
    let optimistic = sum(|solver| solver.optimistic);
    if optimistic > 0 {
        let hits = sum(|solver| solver.optimistic_hits);
        text +=
            &format!("optimistic: {optimistic} inputs tried for a branch alone, {hits} of them got there\n");
    }
    text
}
