//! The live line while functions are tested; nothing at all when standard error is no terminal.
//!
//! Takes notices of the work; shows where it is. Never: results.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tarka_events::Event;
use tarka_jobs::Notice;

/// The line.
pub struct Live {
    bar: ProgressBar,
}

impl Live {
    /// Starts the line.
    pub fn new() -> Live {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Live { bar }
    }

    /// Shows what the jobs are at.
    pub fn show(&self, notice: Notice) {
        match notice {
            Notice::Building(file) => self.say(format!("building {}", file.display())),
            Notice::Alone { file, reason } => {
                let file = file.display();
                let why = reason.lines().next().unwrap_or_default();
                self.print(&format!("tarka: {file} is tested without the other files, with stubs: {why}"));
            }
            Notice::Replaying(function) => self.say(format!("replaying the tests of {function}")),
            Notice::Search(event) => self.show_search(&event),
        }
    }

    fn show_search(&self, event: &Event) {
        match event {
            Event::UnitStarted { function, goals } => {
                self.bar.set_message(format!("{function}  0/{goals} goals"))
            }
            Event::Progress { function, covered, goals, runs, faults } => {
                let faults = match faults {
                    0 => String::new(),
                    1 => "  1 fault".to_string(),
                    many => format!("  {many} faults"),
                };
                self.bar.set_message(format!("{function}  {covered}/{goals} goals  {runs} runs{faults}"));
            }
            Event::UnitFinished(_) => {}
        }
    }

    /// Shows what is being done between events.
    pub fn say(&self, text: String) {
        self.bar.set_message(text);
    }

    /// Prints a line that stays, above the live one.
    pub fn print(&self, text: &str) {
        self.bar.suspend(|| eprintln!("{text}"));
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
