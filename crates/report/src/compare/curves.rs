//! Coverage curves of one unit as SVG: mean number of covered goals over runs, a line for each strategy.
//!
//! Runs are drawn on a logarithmic scale, because most goals fall early. Colours and dashes are classes of the page's
//! style, so that they suit light and dark.

use std::fmt::Write as _;

use super::json::{ComparedUnit, Comparison, Figures};
use super::page::escape;

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;

/// Most lines across.
const MOST_LINES: f64 = 6.0;

/// How much of the flat end is shown, as a factor of runs.
const BEYOND: f64 = 1.5;

/// What the axes span.
struct Axes {
    last_run: f64,
    fewest: f64,
    most: f64,
}

impl Axes {
    fn of(unit: &ComparedUnit, runs: u64) -> Axes {
        let points = || unit.strategies.iter().flat_map(|figures| &figures.curve);
        let last = points().map(|point| point.0).max().unwrap_or(1) as f64;
        let fewest = unit.strategies.iter().map(at_first_run).fold(f64::INFINITY, f64::min);
        let most = (unit.most as f64).max(1.0);
        Axes {
            last_run: (last * BEYOND).min(runs as f64).max(last).max(2.0),
            fewest: fewest.floor().min(most - 1.0).max(0.0),
            most,
        }
    }

    fn x(&self, run: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * run.max(1.0).ln() / self.last_run.ln()
    }

    fn y(&self, goals: f64) -> f64 {
        let height = HEIGHT - TOP - BOTTOM;
        TOP + height * (self.most - goals) / (self.most - self.fewest)
    }
}

fn at_first_run(figures: &Figures) -> f64 {
    figures.curve.first().filter(|point| point.0 <= 1).map_or(0.0, |point| point.1)
}

/// The drawing.
pub(super) fn curves(out: &mut String, comparison: &Comparison, unit: &ComparedUnit) {
    let axes = Axes::of(unit, comparison.runs);
    let _ = writeln!(
        out,
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Covered goals of {} over runs\">",
        escape(&unit.function)
    );
    goal_lines(out, &axes);
    run_lines(out, &axes);
    for (index, figures) in unit.strategies.iter().enumerate() {
        let _ = writeln!(
            out,
            "<path class=\"curve s{index}\" d=\"{}\"><title>{}</title></path>",
            steps(&axes, figures),
            escape(&figures.strategy)
        );
    }
    out.push_str("</svg>\n");
}

/// The line of one strategy: level until the next run that changes the mean.
fn steps(axes: &Axes, figures: &Figures) -> String {
    let mut path = format!("M{:.1} {:.1}", axes.x(1.0), axes.y(at_first_run(figures).max(axes.fewest)));
    for &(run, goals) in figures.curve.iter().filter(|point| point.0 > 1) {
        let _ = write!(path, "H{:.1}V{:.1}", axes.x(run as f64), axes.y(goals.max(axes.fewest)));
    }
    let _ = write!(path, "H{:.1}", axes.x(axes.last_run));
    path
}

/// Lines across, at whole numbers of goals.
fn goal_lines(out: &mut String, axes: &Axes) {
    let span = axes.most - axes.fewest;
    let step = steps_of_goals().find(|step| span / step <= MOST_LINES).unwrap_or(span);
    let mut goals = (axes.fewest / step).ceil() * step;
    while goals <= axes.most {
        let y = axes.y(goals);
        let _ = writeln!(
            out,
            "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{goals:.0}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            y + 4.0
        );
        goals += step;
    }
}

/// 1, 2, 5, 10, 20, 50 and so on.
fn steps_of_goals() -> impl Iterator<Item = f64> {
    (0..9).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(power)))
}

/// Lines down, at powers of ten, and at 2 and 5 between them where there are few.
fn run_lines(out: &mut String, axes: &Axes) {
    let is_short = axes.last_run <= 300.0;
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">runs</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 8.0
    );
    for run in steps_of_goals().take_while(|run| *run <= axes.last_run) {
        let is_power = run.log10().fract().abs() < 1e-9;
        if !is_power && !is_short {
            continue;
        }
        let _ = writeln!(
            out,
            "<path class=\"grid\" d=\"M{0:.1} {TOP}V{1:.1}\"/><text x=\"{0:.1}\" y=\"{2:.1}\" text-anchor=\"middle\">{run:.0}</text>",
            axes.x(run),
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 16.0
        );
    }
}
