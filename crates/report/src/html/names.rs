//! Where links of the page lead: names of functions, goals, tests and faults that stay the same from run to run.
//!
//! Takes the report, gives the ids. A function has its own name, with its file's where two have the same one. Never: markup.

use std::collections::BTreeSet;
use std::path::Path;

use crate::fault::Fault;
use crate::json::{Goal, Report};

/// Characters of a fingerprint that are enough to tell the faults of one report apart.
const FINGERPRINT: usize = 12;

/// The names of a report's functions.
pub(crate) struct Names {
    slugs: Vec<String>,
}

impl Names {
    pub(crate) fn of(report: &Report) -> Names {
        let mut taken = BTreeSet::new();
        let slug = |(function, file): (&str, &str)| {
            let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
            let alone = [function.to_string(), format!("{function}.{stem}")];
            let numbered = (2..).map(|number| format!("{function}.{stem}.{number}"));
            let mut names = alone.into_iter().chain(numbered);
            names.find(|name| taken.insert(name.clone())).unwrap_or_default()
        };
        let units = report.units.iter().map(|unit| (unit.function.as_str(), unit.file.as_str()));
        Names { slugs: units.map(slug).collect() }
    }

    /// The name of the function at this index.
    pub(crate) fn slug(&self, unit: usize) -> &str {
        &self.slugs[unit]
    }

    pub(crate) fn function(&self, unit: usize) -> String {
        format!("fn-{}", self.slug(unit))
    }

    pub(crate) fn goal(&self, unit: usize, goal: &Goal) -> String {
        let number = goal.id.split_once(':').map_or(goal.id.as_str(), |(_, number)| number);
        format!("goal-{}:{number}", self.slug(unit))
    }

    /// A test or a fault file.
    pub(crate) fn test(&self, unit: usize, name: &str) -> String {
        format!("test-{}:{name}", self.slug(unit))
    }

    pub(crate) fn fault(&self, fault: &Fault) -> String {
        match fault.fingerprint.get(..FINGERPRINT) {
            Some(print) => format!("fault-{print}"),
            None => format!("fault-{}", fault.rank),
        }
    }
}

/// The name of a fault's file without folder and ending.
pub(crate) fn fault_file(fault: &Fault) -> Option<&str> {
    fault.test.as_deref()?.rsplit('/').next()?.strip_suffix(".c")
}
