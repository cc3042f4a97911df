//! What is left out of a build's flags, and why: told once for all files.
//!
//! Takes flag after flag; gives a sentence for each reason. Never: decides what is left out.

use std::collections::{BTreeMap, BTreeSet};

/// Why a flag of the build is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// For another machine.
    Machine,
    /// clang has no such flag, or not for C.
    Unknown,
    /// For the linker or the assembler.
    Linker,
    /// The C library of another machine or program.
    Library,
    /// Code that the compiler would load.
    Plugin,
}

impl Reason {
    fn words(self) -> &'static str {
        match self {
            Reason::Machine => "for another machine; tests run on this one, with its sizes of types",
            Reason::Unknown => "this clang cannot use them here",
            Reason::Linker => "they tell linker and assembler how to make the whole program",
            Reason::Library => "tests use this machine's C library",
            Reason::Plugin => "they load code into the compiler",
        }
    }
}

/// What was left out of the flags of all files.
#[derive(Debug, Default)]
pub struct LeftOut {
    reasons: BTreeMap<Reason, Stems>,
}

/// Flags by their beginning; in the order in which they were met.
#[derive(Debug, Default)]
struct Stems {
    order: Vec<String>,
    flags: BTreeMap<String, BTreeSet<String>>,
}

impl LeftOut {
    /// Notes a flag with its value.
    pub fn add(&mut self, flag: &[String], reason: Reason) {
        let flag = flag.join(" ");
        // `-Wa,-alh=a.lst` of one file is `-Wa,-alh=b.lst` of the next.
        let stem = flag.split(['=', ',', ' ']).next().unwrap_or_default().to_string();
        let stems = self.reasons.entry(reason).or_default();
        if !stems.flags.contains_key(&stem) {
            stems.order.push(stem.clone());
        }
        stems.flags.entry(stem).or_default().insert(flag);
    }

    /// A sentence for each reason.
    pub fn notes(&self) -> Vec<String> {
        let note = |(reason, stems): (&Reason, &Stems)| {
            let named = stems.order.iter().map(|stem| shown(&stems.flags[stem]));
            let named: Vec<String> = named.collect();
            format!("left out of the build's flags: {} ({})", named.join(", "), reason.words())
        };
        self.reasons.iter().map(note).collect()
    }
}

/// The first of flags that begin alike, and how many others there are.
fn shown(flags: &BTreeSet<String>) -> String {
    let first = flags.first().map(String::as_str).unwrap_or_default();
    match flags.len() {
        0 | 1 => first.to_string(),
        many => format!("{first} and {} like it", many - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_told_once() {
        let mut left_out = LeftOut::default();
        for file in ["a", "b", "c"] {
            left_out.add(&["-mthumb".into()], Reason::Machine);
            left_out.add(&[format!("-Wa,-alh={file}.lst")], Reason::Linker);
            left_out.add(&["-mcpu=cortex-m4".into()], Reason::Machine);
        }
        assert_eq!(
            left_out.notes(),
            [
                "left out of the build's flags: -mthumb, -mcpu=cortex-m4 (for another machine; tests run on this one, with its sizes of types)",
                "left out of the build's flags: -Wa,-alh=a.lst and 2 like it (they tell linker and assembler how to make the whole program)",
            ]
        );
    }
}
