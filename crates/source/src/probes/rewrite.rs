//! Puts probes into the preprocessed text.
//!
//! Takes the text and the sites found in it; gives the text to compile. Line markers and line numbers stay as they are.

use crate::probes::statement_probe::ProbePlace;
use crate::probes::walk::{FoundKind, FoundSite};
use crate::syntax::text;
use crate::syntax::tree::Tree;

/// Declares the probes; its own line before the first line marker.
const DECLARATIONS: &str = "int __tk_cond(unsigned, int); \
                            unsigned long long __tk_switch(unsigned, unsigned long long); \
                            int __tk_begin(unsigned); int __tk_decision(unsigned, int); \
                            void __tk_stmt(unsigned);\n";

/// What the probes are called; `analyse` refuses a file that has such a name itself.
pub const NAMES: [&str; 5] = ["__tk_cond", "__tk_switch", "__tk_begin", "__tk_decision", "__tk_stmt"];

/// Collects the changes of all functions and applies them at once.
#[derive(Default)]
pub struct Rewriter {
    insertions: Vec<Insertion>,
    /// Characters to blank out.
    blanks: Vec<usize>,
}

/// A text to put in front of the byte at `at`.
struct Insertion {
    at: usize,
    /// Order among insertions at the same byte: what ends there goes before what starts there; of several ends the
    /// innermost comes first, of several starts the outermost, and a statement starts before its expressions.
    order: (u8, i64, i64),
    text: String,
}

impl Rewriter {
    /// Adds the probe of one site. Sites must come outer before inner.
    pub fn add(&mut self, number: u32, site: &FoundSite, tree: &Tree, source: &str) {
        let (start, end) = site.range;
        match &site.kind {
            FoundKind::Condition(_) => {
                self.open(start, end, format!("__tk_cond({number}, !!("));
                self.close(start, end, "))".into());
            }
            FoundKind::Switch(switch) => {
                let cast = &switch.spelling;
                self.open(start, end, format!("({cast})__tk_switch({number}, (unsigned long long)("));
                self.close(start, end, "))".into());
            }
            // `a ?: b` yields the value of `a`, not its truth, and must evaluate it once. The comma takes away what
            // `__auto_type` does not accept: bit fields and arrays.
            FoundKind::BinaryConditional(whole) => {
                let (whole_start, whole_end) = tree.range(*whole);
                let held = format!("__tk_held_{number}");
                self.open(whole_start, whole_end, format!("(__extension__ ({{ __auto_type {held} = (0, ("));
                self.close(start, end, format!(")); __tk_cond({number}, !!({held})) ? {held} : ("));
                self.close(whole_start, whole_end, "); }))".into());
                let children = tree.children(*whole);
                let other_start = children.last().map_or(whole_end, |&other| tree.range(other).0);
                self.blanks.extend(
                    text::question_and_colon(&source[end..other_start])
                        .into_iter()
                        .map(|offset| end + offset),
                );
            }
        }
    }

    /// Adds the probes of a compound decision. To be called after [`Self::add`] of a condition with the same range.
    pub fn add_decision(&mut self, number: u32, (start, end): (usize, usize)) {
        self.open(start, end, format!("__tk_decision({number}, (__tk_begin({number}), ("));
        self.close(start, end, ")))".into());
    }

    /// Adds the probe of a statement.
    pub fn add_statement(&mut self, number: u32, place: ProbePlace) {
        let (at, text) = match place {
            // The blank keeps what stands before at the end of a line apart.
            ProbePlace::Before { at } => (at, format!(" __tk_stmt({number}); ")),
            ProbePlace::Comma { at } => (at, format!("__tk_stmt({number}), ")),
            ProbePlace::Braces { at, end } => {
                self.close(at, end, " }".into());
                (at, format!(" {{ __tk_stmt({number}); "))
            }
        };
        let order = (1, 0, self.insertions.len() as i64);
        self.insertions.push(Insertion { at, order, text });
    }

    fn open(&mut self, start: usize, end: usize, text: String) {
        let order = (2, -((end - start) as i64), self.insertions.len() as i64);
        self.insertions.push(Insertion { at: start, order, text });
    }

    fn close(&mut self, start: usize, end: usize, text: String) {
        let order = (0, (end - start) as i64, -(self.insertions.len() as i64));
        self.insertions.push(Insertion { at: end, order, text });
    }

    /// The text with all probes.
    pub fn apply(mut self, source: &str) -> String {
        let mut bytes = source.as_bytes().to_vec();
        for offset in self.blanks {
            bytes[offset] = b' ';
        }
        // Only the ASCII characters `?` and `:` were blanked, so the text stays valid.
        let source = String::from_utf8_lossy(&bytes);
        self.insertions.sort_by_key(|insertion| (insertion.at, insertion.order));
        let added: usize = self.insertions.iter().map(|insertion| insertion.text.len()).sum();
        let mut probed = String::with_capacity(DECLARATIONS.len() + source.len() + added);
        probed.push_str(DECLARATIONS);
        let mut copied = 0;
        for insertion in &self.insertions {
            probed.push_str(&source[copied..insertion.at]);
            probed.push_str(&insertion.text);
            copied = insertion.at;
        }
        probed.push_str(&source[copied..]);
        probed
    }
}
