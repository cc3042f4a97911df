//! Which flags this clang takes on this machine: asked of clang itself.
//!
//! Takes flags of all files at once; gives the reason for each that cannot be used. Never: a list of what clang knows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use tarka_compilers::{Answer, Call};

use super::{Part, Reason};

/// Longest an answer may take.
const LIMIT: Duration = Duration::from_secs(60);

/// A program that says whether programs can be made at all.
const PROGRAM: &[u8] =
    b"#include <stdio.h>\n#include <stdlib.h>\nint main(void) { return puts(\"\") < 0; }\n";

/// What clang answered.
pub struct Judge<'a> {
    clang: &'a Path,
    refused: BTreeMap<Vec<String>, Reason>,
}

impl<'a> Judge<'a> {
    /// Asks about the parts of all files.
    pub fn new<'p>(clang: &'a Path, parts: impl Iterator<Item = &'p Part>) -> Judge<'a> {
        let mut judge = Judge { clang, refused: BTreeMap::new() };
        let (mut asked, mut linked) = (BTreeSet::new(), BTreeSet::new());
        for part in parts {
            match part {
                Part::Asked(words) => drop(asked.insert(words.clone())),
                Part::Linked(words, folders) => drop(linked.insert((words.clone(), folders.clone()))),
                Part::Kept(_) | Part::LeftOut(..) => {}
            }
        }
        let asked: Vec<Vec<String>> = asked.into_iter().collect();
        judge.narrow(&asked);
        for (words, folders) in linked {
            if !judge.links(&words, &folders) {
                let is_library = words.first().is_some_and(|word| word.starts_with("-l"));
                judge.refused.insert(words, if is_library { Reason::Linker } else { Reason::Library });
            }
        }
        judge
    }

    /// Why a flag cannot be used; `None` if it can.
    pub fn refusal(&self, words: &[String]) -> Option<Reason> {
        self.refused.get(words).copied()
    }

    /// All at once is one question in the common case; where clang refuses, halves of them tell which flag it is.
    fn narrow(&mut self, flags: &[Vec<String>]) {
        if flags.is_empty() {
            return;
        }
        let Some(answer) = self.compiles(flags) else { return };
        if answer.success() {
            return;
        }
        match flags {
            [flag] => drop(self.refused.insert(flag.clone(), reason(flag, &answer.message()))),
            _ => {
                let (left, right) = flags.split_at(flags.len() / 2);
                self.narrow(left);
                self.narrow(right);
            }
        }
    }

    /// `None` where clang cannot be called, which is told when a file is read.
    fn compiles(&self, flags: &[Vec<String>]) -> Option<Answer> {
        // What is not used is meant for another machine, or for the linker.
        let own = ["-fsyntax-only", "-x", "c", "-Werror=unused-command-line-argument", "-"];
        Call::new(self.clang).args(flags.concat()).args(own).limit(LIMIT).run().ok()
    }

    fn links(&self, flag: &[String], folders: &[String]) -> bool {
        let own = ["-w", "-x", "c", "-", "-x", "none", "-o", "/dev/null"];
        let call = Call::new(self.clang).args(own).args(folders).args(flag).input(PROGRAM).limit(LIMIT);
        call.run().is_ok_and(|answer| answer.success())
    }
}

fn reason(flag: &[String], message: &str) -> Reason {
    let first = flag.first().map(String::as_str).unwrap_or_default();
    if first.starts_with("-m") || first.starts_with("-G") {
        Reason::Machine
    } else if message.contains("unused") {
        Reason::Linker
    } else {
        Reason::Unknown
    }
}
