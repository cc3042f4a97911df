//! The words of a command: without what starts the compiler, and with what it reads from response files.
//!
//! Takes an entry of a compilation database; gives the compiler and its arguments. Never: what an argument means.

use std::fs;
use std::path::Path;

use super::Entry;
use super::database::Said;

/// Programs that start the compiler named behind them.
const LAUNCHERS: &[&str] =
    &["ccache", "sccache", "distcc", "icecc", "gomacc", "buildcache", "nice", "nohup", "time"];
const SHELLS: &[&str] = &["sh", "bash", "dash", "ksh"];

/// How deep response files may name others, and how many words they may come to.
const DEEPEST: usize = 16;
const MOST_WORDS: usize = 200_000;

/// A command, understood as far as its words go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The compiler's name, without its folder; empty if the launcher chooses it.
    pub compiler: String,
    /// What it is told.
    pub arguments: Vec<String>,
}

/// Why a command cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordsError {
    /// A quotation has no end.
    Quotation,
    /// Response files name each other without end, or hold too much.
    TooDeep,
    /// There is none.
    Nothing,
}

impl WordsError {
    /// What is wrong with the command of a file.
    pub fn words(self) -> &'static str {
        match self {
            WordsError::Quotation => "ends inside a quotation",
            WordsError::TooDeep => "reads response files (@file) that name each other without end",
            WordsError::Nothing => "is missing",
        }
    }
}

impl Command {
    /// The command of an entry.
    pub fn of(entry: &Entry) -> Result<Command, WordsError> {
        let words = match &entry.said {
            Said::Arguments(words) => words.clone(),
            Said::Command(command) => shlex::split(command).ok_or(WordsError::Quotation)?,
            Said::Nothing => return Err(WordsError::Nothing),
        };
        let mut all = Vec::new();
        expand(&words, &entry.folder, DEEPEST, &mut all)?;
        Ok(without_launchers(&all))
    }
}

/// Puts the words of response files in their place. One that does not exist is an ordinary word, as compilers take it.
fn expand(words: &[String], folder: &Path, depth: usize, all: &mut Vec<String>) -> Result<(), WordsError> {
    for word in words {
        let file = word.strip_prefix('@').map(|name| folder.join(name)).filter(|file| file.is_file());
        match file.map(fs::read) {
            Some(Ok(bytes)) => {
                let depth = depth.checked_sub(1).ok_or(WordsError::TooDeep)?;
                let inner = shlex::split(&String::from_utf8_lossy(&bytes)).ok_or(WordsError::Quotation)?;
                expand(&inner, folder, depth, all)?;
            }
            _ => all.push(word.clone()),
        }
        if all.len() > MOST_WORDS {
            return Err(WordsError::TooDeep);
        }
    }
    Ok(())
}

/// `ccache`, `env A=B`, `libtool --mode=compile` and the like, in any order, stand before the compiler.
fn without_launchers(words: &[String]) -> Command {
    let mut rest = words;
    while let [first, after @ ..] = rest {
        let name = base(first);
        let second = after.first().map(|word| base(word));
        rest = if LAUNCHERS.contains(&name) {
            behind(after, name == "nice")
        } else if name == "env" {
            behind(after, true)
        } else if SHELLS.contains(&name) && second.is_some_and(is_libtool) {
            after
        } else if is_libtool(name) {
            behind_options(after)
        } else if name == "cmake" && after.first().is_some_and(|word| word == "-E") {
            behind_cmake(after)
        } else {
            break;
        };
    }
    match rest {
        // The launcher knows the compiler by itself.
        [first, ..] if first.starts_with('-') => {
            Command { compiler: String::new(), arguments: rest.to_vec() }
        }
        [first, arguments @ ..] => {
            Command { compiler: base(first).to_string(), arguments: arguments.to_vec() }
        }
        [] => Command { compiler: String::new(), arguments: Vec::new() },
    }
}

fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

fn is_libtool(name: &str) -> bool {
    name == "libtool" || name.ends_with("-libtool")
}

/// What stands behind a launcher's settings, such as `A=B`, and, if it has some, its options.
fn behind(mut words: &[String], has_options: bool) -> &[String] {
    while let [first, after @ ..] = words {
        words = match first.as_str() {
            "-u" | "-n" | "-C" if has_options => after.get(1..).unwrap_or_default(),
            option if has_options && option.starts_with('-') => after,
            setting if setting.contains('=') && !setting.starts_with('-') => after,
            _ => break,
        };
    }
    words
}

fn behind_options(words: &[String]) -> &[String] {
    match words {
        [tag, _, after @ ..] if tag == "--tag" || tag == "--mode" => behind_options(after),
        [option, after @ ..] if option.starts_with('-') => behind_options(after),
        _ => words,
    }
}

/// `cmake -E env A=B cc`, `cmake -E time cc`, `cmake -E __run_co_compile … -- cc`.
fn behind_cmake(words: &[String]) -> &[String] {
    if let Some(dashes) = words.iter().position(|word| word == "--") {
        return &words[dashes + 1..];
    }
    behind(words.get(2..).unwrap_or_default(), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str) -> String {
        let words = shlex::split(text).unwrap();
        let Command { compiler, arguments } = without_launchers(&words);
        format!("{compiler}: {}", arguments.join(" "))
    }

    #[test]
    fn what_starts_the_compiler_is_no_part_of_its_call() {
        for (text, expected) in [
            ("cc -c a.c", "cc: -c a.c"),
            ("/usr/bin/ccache /opt/arm/bin/arm-none-eabi-gcc -c a.c", "arm-none-eabi-gcc: -c a.c"),
            ("ccache compiler_check=content distcc gcc-12 -O2 a.c", "gcc-12: -O2 a.c"),
            ("distcc -c a.c", ": -c a.c"),
            ("env -u LANG -i A=B C= sccache clang -c a.c", "clang: -c a.c"),
            ("/bin/bash ../libtool --tag=CC --silent --mode=compile cc -DX=1 a.c", "cc: -DX=1 a.c"),
            ("x86_64-linux-gnu-libtool --tag CC cc a.c", "cc: a.c"),
            ("cmake -E env A=B -- cc a.c", "cc: a.c"),
            ("cmake -E env A=B cc a.c", "cc: a.c"),
            (
                "/usr/bin/cmake -E __run_co_compile --source=a.c --tidy=x -- /usr/bin/cc -Ix a.c",
                "cc: -Ix a.c",
            ),
            ("nice -n 5 cc a.c", "cc: a.c"),
            ("ccache", ": "),
            ("", ": "),
        ] {
            assert_eq!(command(text), expected, "{text}");
        }
    }

    #[test]
    fn response_files_are_read_and_end() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::write(root.join("a.rsp"), "-DA='x y'\n@b.rsp -O2 @nowhere").unwrap();
        fs::write(root.join("b.rsp"), "-Iinc\n").unwrap();
        fs::write(root.join("round.rsp"), "-DR @round.rsp").unwrap();
        fs::write(root.join("twice.rsp"), "@twice.rsp @twice.rsp").unwrap();
        fs::write(root.join("open.rsp"), "-DA='x").unwrap();
        let expanded = |word: &str| {
            let mut all = Vec::new();
            expand(&[word.to_string()], root, DEEPEST, &mut all).map(|()| all)
        };
        assert_eq!(expanded("@a.rsp").unwrap(), ["-DA=x y", "-Iinc", "-O2", "@nowhere"]);
        assert_eq!(expanded("@round.rsp"), Err(WordsError::TooDeep));
        assert_eq!(expanded("@twice.rsp"), Err(WordsError::TooDeep));
        assert_eq!(expanded("@open.rsp"), Err(WordsError::Quotation));
    }
}
