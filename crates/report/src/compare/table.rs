//! A comparison as rows of words, for the terminal and the page alike.

use super::figures::ranked;
use super::json::*;

/// Rows of as many cells as the header has; the first cell of each is a name, the others are figures.
pub struct Table {
    /// Titles.
    pub header: Vec<String>,
    /// The strategies, the best one first.
    pub rows: Vec<Vec<String>>,
}

/// What a unit's table is about, in one sentence.
pub fn headline(comparison: &Comparison, unit: &ComparedUnit) -> String {
    let infeasible = match unit.infeasible {
        0 => String::new(),
        count => format!(" ({count} proved infeasible)"),
    };
    format!(
        "{}{infeasible}; {} of each strategy with at most {}; every trial covered {}, the best one {}",
        count(unit.goals, "goal"),
        count(comparison.repeat, "trial"),
        count(comparison.runs, "run"),
        unit.common,
        unit.most
    )
}

/// The table of one unit.
pub fn unit_table(comparison: &Comparison, unit: &ComparedUnit) -> Table {
    let has_times = has_times(comparison);
    let ranked = ranked(unit);
    let mut header = words(["strategy", "goals", "p goals"]);
    if let Some(first) = ranked.first() {
        header.extend(first.goals_at.iter().map(|at| format!("at {}", at.runs)));
        let to = |to: &RunsTo| match to.name.as_str() {
            "common" => format!("runs to {}", to.goals),
            part => format!("{part} ({})", to.goals),
        };
        header.extend(first.runs_to.iter().map(to));
        // The p of the runs stands behind what it is about.
        header.insert(header.len() + 1 - first.runs_to.len(), "p runs".to_string());
    }
    header.extend(words(["only", "missed", "queries"]));
    header.extend(has_times.then(|| "time".to_string()));
    let rows =
        ranked.into_iter().map(|figures| row(comparison, figures, figures.strategy == unit.best, has_times));
    Table { header, rows: rows.collect() }
}

fn row(comparison: &Comparison, figures: &Figures, is_best: bool, has_times: bool) -> Vec<String> {
    let p = |p: Option<f64>| if is_best { "best".to_string() } else { p_words(p) };
    let mut cells = vec![figures.strategy.clone(), spread(&figures.covered), p(figures.covered_p)];
    cells.extend(figures.goals_at.iter().map(|at| number(at.goals.mean)));
    for to in &figures.runs_to {
        let mean = |runs: Spread| if to.name == "common" { spread(&runs) } else { number(runs.mean) };
        cells.push(match to.runs {
            None => "-".to_string(),
            Some(runs) if to.reached < comparison.repeat => {
                format!("{} ({}/{})", mean(runs), to.reached, comparison.repeat)
            }
            Some(runs) => mean(runs),
        });
        if to.name == "common" {
            cells.push(p(figures.runs_p));
        }
    }
    cells.extend([figures.only.len().to_string(), figures.missed.len().to_string()]);
    cells.push(number(figures.queries.mean));
    cells.extend(has_times.then(|| seconds(figures.ms.mean)));
    cells
}

/// The sums over all units; `None` where there are not several.
pub fn total_table(comparison: &Comparison) -> Option<Table> {
    let compared = comparison.units.iter().filter(|unit| unit.message.is_empty()).count();
    let first = comparison.total.first().filter(|_| compared > 1)?;
    let has_times = has_times(comparison);
    let mut header = words(["strategy", "goals"]);
    header.extend(first.goals_at.iter().map(|(runs, _)| format!("at {runs}")));
    header.extend(words(["runs to common", "first on", "behind on", "queries"]));
    header.extend(has_times.then(|| "time".to_string()));
    let mut totals: Vec<&Total> = comparison.total.iter().collect();
    totals.sort_by(|one, other| {
        let more_goals = other.covered.total_cmp(&one.covered);
        more_goals.then(one.runs_to_common.total_cmp(&other.runs_to_common))
    });
    let row = |total: &Total| {
        let mut cells = vec![total.strategy.clone(), number(total.covered)];
        cells.extend(total.goals_at.iter().map(|(_, goals)| number(*goals)));
        cells.push(number(total.runs_to_common));
        cells.extend([total.first_on, total.behind_on].map(|units| format!("{units}/{compared}")));
        cells.push(number(total.queries));
        cells.extend(has_times.then(|| seconds(total.ms)));
        cells
    };
    Some(Table { header, rows: totals.into_iter().map(row).collect() })
}

/// Goals that not every strategy covered, each with the strategies that did, in words: place and goal, then who.
pub fn difference_words(comparison: &Comparison, unit: &ComparedUnit) -> Vec<(String, String)> {
    let differs =
        |goal: &&ComparedGoal| goal.covered.contains(&0) && goal.covered.iter().any(|&count| count > 0);
    let sentence = |goal: &ComparedGoal| {
        let asked = match goal.outcome.as_str() {
            "independent" => "decides alone".to_string(),
            outcome => format!("is {}", outcome.replace('-', " ")),
        };
        format!("{}:{}: `{}` {asked}", goal.file, goal.line, goal.text)
    };
    let who = |goal: &ComparedGoal| {
        let named = goal.covered.iter().zip(&comparison.strategies).filter(|(count, _)| **count > 0);
        let named: Vec<String> = named
            .map(|(count, strategy)| match *count == comparison.repeat {
                true => strategy.clone(),
                false => format!("{strategy} ({count}/{})", comparison.repeat),
            })
            .collect();
        let only = if named.len() == 1 { "only " } else { "" };
        format!("{only}{}", named.join(", "))
    };
    unit.goal_list.iter().filter(differs).map(|goal| (sentence(goal), who(goal))).collect()
}

/// Times are left out of a comparison that is to be the same every time.
fn has_times(comparison: &Comparison) -> bool {
    comparison.total.iter().any(|total| total.ms > 0.0)
}

fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(String::from).to_vec()
}

/// `1 run`, `2 runs`.
fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Mean and deviation, the latter where there is any.
fn spread(spread: &Spread) -> String {
    match spread.deviation {
        Some(deviation) if deviation > 0.0 => format!("{} ± {}", number(spread.mean), number(deviation)),
        _ => number(spread.mean),
    }
}

/// With one decimal, unless it is whole.
fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

fn seconds(ms: f64) -> String {
    format!("{:.2} s", ms / 1000.0)
}

fn p_words(p: Option<f64>) -> String {
    match p {
        None => "-".to_string(),
        Some(p) if p < 0.001 => "<0.001".to_string(),
        Some(p) if p >= 0.9995 => "1".to_string(),
        Some(p) => format!("{p:.3}"),
    }
}
