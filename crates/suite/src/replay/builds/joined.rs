//! Several emitted files as one program: the unit stands in it once, and an argument says whose `main` is meant.
//!
//! Takes files that include the same unit in the same way; gives one C text. What follows the unit in each of them stays as it
//! is: names that every file has are told apart by macros, and lines count as in the file. Never: compiling.

use std::fmt::Write as _;

use crate::names;

/// A file that is joined with others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    /// What it is called in what compilers and programs say.
    pub name: &'a str,
    /// What follows the unit.
    pub tail: &'a str,
    /// The number of its first line in the file.
    pub line: u32,
    /// Its `main` takes arguments.
    pub takes_arguments: bool,
}

/// What only one of them may define: all have the same.
const OPTIONS: &str = "__asan_default_options";

/// What follows the unit in the program of all these files.
pub(crate) fn tail(parts: &[Part]) -> String {
    let mut text = String::new();
    for (number, part) in parts.iter().enumerate() {
        let parameters = if part.takes_arguments { "int, char **" } else { "void" };
        let _ = writeln!(text, "int tarka_main_of_{number}({parameters});");
        for name in own_names(number) {
            let renamed = if name == "main" { "tarka_main" } else { name };
            let _ = writeln!(text, "#define {name} {renamed}_of_{number}");
        }
        let shown = part.name.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "#line {} \"{shown}\"\n{}", part.line, part.tail);
        for name in own_names(number) {
            let _ = writeln!(text, "#undef {name}");
        }
        let _ = writeln!(text, "#line 1 \"joined\"");
    }
    text.push_str("int main(int argc, char **argv)\n{\n");
    text.push_str("    char *program = argv[0];\n    int part = 0;\n    const char *digit;\n\n");
    text.push_str("    for (digit = argc > 1 ? argv[1] : \"\"; *digit; digit++)\n        part = part * 10 + (*digit - '0');\n");
    text.push_str("    argc--, argv++;\n    argv[0] = program;\n    switch (part) {\n");
    for (number, part) in parts.iter().enumerate() {
        let arguments = if part.takes_arguments { "argc, argv" } else { "" };
        let _ = writeln!(text, "    case {number}:\n        return tarka_main_of_{number}({arguments});");
    }
    text.push_str("    default:\n        return 2;\n    }\n}\n");
    text
}

fn own_names(number: usize) -> impl Iterator<Item = &'static str> {
    ["main"].into_iter().chain(names::DEFINED).chain((number > 0).then_some(OPTIONS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn each_file_is_itself_in_the_program_of_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let tail_of = |name: &str| {
            format!(
                "#include <stdio.h>\nstatic int tarka_run(void) {{ return limit(9); }}\nint main(int argc, char **argv)\n{{\n    \
                 printf(\"{name} %s:%d %d %d %s\\n\", __FILE__, __LINE__, tarka_run(), argc, argc > 1 ? argv[1] : \"-\");\n    \
                 return 0;\n}}\n"
            )
        };
        let tails = ["first", "second"].map(tail_of);
        let parts: Vec<Part> = (tails.iter().zip(["test_a.c", "test_b.c"]))
            .map(|(tail, name)| Part { name, tail, line: 40, takes_arguments: true })
            .collect();
        let text = format!("static int limit(int n) {{ return n > 5 ? 5 : n; }}\n{}", tail(&parts));
        let (source, program) = (folder.path().join("joined.c"), folder.path().join("joined"));
        std::fs::write(&source, text).expect("written");
        let mut compiler = Command::new("clang-19");
        let status = compiler
            .args(["-std=c99", "-Wall", "-Wextra", "-Werror"])
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .status();
        assert!(status.expect("clang runs").success());
        let said = |arguments: &[&str]| {
            let output = Command::new(&program).args(arguments).output().expect("it runs");
            (String::from_utf8(output.stdout).expect("text"), output.status.code())
        };
        assert_eq!(said(&["0", "one"]), ("first test_a.c:44 5 2 one\n".to_string(), Some(0)));
        assert_eq!(said(&["1"]), ("second test_b.c:44 5 1 -\n".to_string(), Some(0)));
        assert_eq!(said(&["2"]).1, Some(2));
    }
}
