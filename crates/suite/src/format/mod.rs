//! The files: the tree of a test in, C text, the way to build it and a reader of what it prints out.
//!
//! A format of tests is one file behind the trait [`Format`]: `plain` is C without a framework. `program` writes the programs that
//! show faults, which need none. All of them share the unit at the head of the file (`unit`), the functions that the sources
//! lack (`stubs`, `stub_text`, `library_stubs`), the declarations of library functions (`library`), and how statements look
//! (`layout`, `text`). Never: compiling, running.

pub(crate) mod harness;
pub(crate) mod layout;
pub(crate) mod library;
pub(crate) mod library_stubs;
pub(crate) mod plain;
pub(crate) mod program;
pub(crate) mod stub_text;
pub(crate) mod stubs;
pub(crate) mod text;
pub(crate) mod unit;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tarka_events::Goal;

use crate::format::unit::{Preamble, UnitPart};
use crate::render::tree::Test;
use crate::replay::linked::LinkedObjects;

/// A way to write tests.
pub(crate) trait Format {
    /// The names of the files that hold the tests of a function, the one that includes the unit first.
    fn files(&self, function: &str) -> Vec<String>;

    /// Writes the tests of a function.
    fn write(&self, function: &str, preamble: &Preamble, tests: &[NewTest]) -> TestFiles;

    /// What a compiler takes after the files, to make one program of them.
    fn libraries(&self) -> &'static [&'static str];

    /// What each test printed and whether it passed, where the program ran all of them and its output says so of every one.
    fn each<'o>(&self, files: &TestFiles, output: &'o str) -> Option<Vec<EndedTest<'o>>>;

    /// What the output of one test alone says of it.
    fn read(&self, files: &TestFiles, test: usize, output: &str) -> Reading;
}

/// A test with what it adds to those before it.
pub(crate) struct NewTest<'a> {
    /// The test.
    pub test: &'a Test,
    /// The goals that it is the first to cover.
    pub goals: Vec<&'a Goal>,
}

/// The written tests of a function.
#[derive(Clone, Debug)]
pub(crate) struct TestFiles {
    /// A text for each name of [`Format::files`].
    pub texts: Vec<String>,
    /// The tests, in order.
    pub tests: Vec<EmittedTest>,
    /// Where the unit stands in the first file.
    pub unit: UnitPart,
    /// Which check of which test stands on a line of the first file.
    pub checks: BTreeMap<u32, (usize, usize)>,
}

/// A test in a file.
#[derive(Clone, Debug)]
pub(crate) struct EmittedTest {
    /// Its name.
    pub name: String,
    /// What makes the program run it alone.
    pub arguments: Vec<String>,
    /// What it does before its calls, line by line.
    pub setup: Vec<String>,
}

/// A test in the output of a program that ran several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EndedTest<'o> {
    /// It passed.
    pub passed: bool,
    /// What was printed while it ran, and how it ended.
    pub output: &'o str,
}

/// What the output of a test says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The checks of the test that did not hold.
    pub failed: BTreeSet<usize>,
    /// How it ended, if that was neither passing nor failing.
    pub end: Option<String>,
}

/// The files of one program.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    /// C files.
    pub files: Vec<PathBuf>,
    /// What follows them on the command line.
    pub libraries: &'static [&'static str],
    /// What they are linked with.
    pub linked: LinkedObjects,
}

impl Sources {
    /// A program of one file, as fault programs are.
    pub(crate) fn of_program(file: &Path) -> Sources {
        let linked = LinkedObjects::default();
        Sources { files: vec![file.to_path_buf()], libraries: program::LIBRARIES, linked }
    }
}
