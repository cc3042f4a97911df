//! `index.html`: the report for people. One file, nothing fetched, readable without script, on a narrow screen and on paper.
//!
//! Takes the same data as `report.json`, gives the page. `overview` and `faults` write what everybody sees first; `listing` writes
//! all about one function, which is shown as it is without script and on paper, and with script when it is asked for. `data` is
//! what the script draws pictures and marks sources from, `lines` says which lines of the sources are in it, `names` what links
//! lead to. Style and script are `page/*.css` and `page/page.js`.

mod data;
mod faults;
mod lines;
mod listing;
mod names;
mod overview;

use std::collections::BTreeMap;

use maud::{DOCTYPE, PreEscaped, html};

use crate::json::{Goal, GoalCounts, INFEASIBLE, INFEASIBLE_FROM_UNIT, Report};
use crate::sources::Sources;
use names::Names;

/// Colours, text and tables: the style of every page.
pub(crate) const BASE: &str = include_str!("../../page/base.css");
const STYLE: &str = include_str!("../../page/page.css");
/// What the pages do with script, and the pictures they draw.
const SCRIPTS: [&str; 2] = [include_str!("../../page/page.js"), include_str!("../../page/pictures.js")];

/// Nothing is loaded, from anywhere, whatever a source file says.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The page. `sources` holds the text of the C files by name, for excerpts; missing ones are left out.
pub fn page(report: &Report, sources: &BTreeMap<String, String>) -> String {
    let sources = Sources(sources);
    let names = Names::of(report);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { "Tarka report" }
                style { (PreEscaped(BASE)) (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the report" }
                header.bar {
                    h1 { a href="#" { "Tarka report" } }
                    div.tools hidden {
                        input #search type="search" placeholder="Function or file  ( / )" aria-label="Search functions and files" autocomplete="off" spellcheck="false";
                        button #next type="button" title="Next goal that no test covers (n)" { "Next uncovered" }
                        button #theme type="button" title="Light, dark or as the system (d)" { "Theme: auto" }
                        button #keys type="button" aria-expanded="false" aria-controls="help" { "Keys" }
                    }
                }
                (help())
                main #main tabindex="-1" {
                    div #overview {
                        (overview::overview(report, &names))
                        (faults::compared(report))
                        (faults::faults(report, &names))
                        (overview::functions(report, &names))
                        section #calls hidden {
                            h2 { "Calls" }
                            div.picture {}
                        }
                        (overview::made_by(report))
                    }
                    div #unit hidden {}
                    div #everything {}
                    @for (index, unit) in report.units.iter().enumerate() {
                        // Text to a browser that runs scripts, so 200 functions cost it nothing until one is asked for.
                        noscript data-function=(names.slug(index)) { (listing::listing(unit, index, &names, &sources)) }
                    }
                }
                script #data type="application/json" { (PreEscaped(data::embedded(report, &names, &sources))) }
                svg #drawing hidden {}
                @for script in SCRIPTS { script { (PreEscaped(script)) } }
            }
        }
    };
    markup.into_string()
}

fn help() -> maud::Markup {
    const KEYS: [(&str, &str); 6] = [
        ("/", "search functions and files; Enter opens the first"),
        ("n", "next goal that no test covers"),
        ("p", "the one before"),
        ("o or Esc", "overview"),
        ("d", "light, dark, as the system"),
        ("+ − 0 and arrows", "zoom and move a picture that has the focus"),
    ];
    html! {
        div #help hidden {
            dl { @for (key, meaning) in KEYS { div { dt { kbd { (key) } } dd { (meaning) } } } }
        }
    }
}

/// What is known of a goal, as the page tells it apart: by word, by sign and only then by colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Standing {
    /// Class of the style.
    pub class: &'static str,
    /// One word or two.
    pub words: &'static str,
    /// One character.
    pub sign: &'static str,
}

/// Every standing, in the order of a bar.
pub(crate) const STANDINGS: [Standing; 5] = [
    Standing { class: "covered", words: "covered", sign: "✓" },
    Standing { class: "by-faults", words: "only by fault programs", sign: "!" },
    Standing { class: "infeasible", words: "infeasible", sign: "∅" },
    Standing { class: "open", words: "open", sign: "○" },
    // Of a callee's goal: another caller may come there.
    Standing { class: "infeasible", words: "infeasible from this function", sign: "∅" },
];

/// The index in [`STANDINGS`] of a goal's.
pub(crate) fn standing(goal: &Goal) -> usize {
    match goal.status.as_str() {
        "covered" => 0,
        INFEASIBLE => 2,
        INFEASIBLE_FROM_UNIT => 4,
        _ if goal.covered_by_faults_only => 1,
        _ => 3,
    }
}

/// How many goals have each standing.
pub(crate) fn counts(goals: &GoalCounts) -> [u64; 5] {
    let (by_faults, from_unit) = (goals.covered_by_faults_only, goals.infeasible_from_unit);
    let open = goals.unknown.saturating_sub(by_faults);
    [goals.covered, by_faults, goals.infeasible.saturating_sub(from_unit), open, from_unit]
}

/// The same of a whole report, in which a goal of several units counts once.
pub(crate) fn counts_of_all(report: &Report) -> [u64; 5] {
    if let Some(goals) = &report.goals {
        return counts(goals);
    }
    let mut sums = [0; 5];
    for unit in &report.units {
        sums.iter_mut().zip(counts(&unit.goals)).for_each(|(sum, one)| *sum += one);
    }
    sums
}
