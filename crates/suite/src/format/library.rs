//! The library functions an emitted file uses: by their headers, or declared one by one.
//!
//! Takes the file's text, gives the lines that declare what it calls. A unit may use a name of a header it does not
//! include (`link`, `index`, `select` …) for something of its own; then that header must stay out, and only the names
//! the file really uses are declared. Never: the unit's own includes.

use std::collections::BTreeSet;

use crate::format::unit::Preamble;
use crate::names;

/// How library functions are declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Library {
    /// By including headers. They stand after the unit, which may have set feature macros.
    Headers,
    /// One by one, except for these headers, which the unit includes itself.
    OneByOne(Vec<&'static str>),
}

/// A header with the names of it that emitted files use, and their declarations.
struct Header {
    name: &'static str,
    uses: &'static [(&'static str, &'static str)],
}

const HEADERS: &[Header] = &[
    Header {
        name: "errno.h",
        // Only names that begin with E: it conflicts with nobody.
        uses: &[("errno", "")],
    },
    Header {
        name: "limits.h",
        uses: &[
            ("INT_MIN", "#ifndef INT_MIN\n#define INT_MIN (-__INT_MAX__ - 1)\n#endif"),
            ("INT_MAX", "#ifndef INT_MAX\n#define INT_MAX __INT_MAX__\n#endif"),
            ("LONG_MIN", "#ifndef LONG_MIN\n#define LONG_MIN (-__LONG_MAX__ - 1L)\n#endif"),
            ("LONG_MAX", "#ifndef LONG_MAX\n#define LONG_MAX __LONG_MAX__\n#endif"),
        ],
    },
    Header {
        name: "math.h",
        // The compiler's own, because a C library for another system has functions behind its macros.
        uses: &[
            ("NAN", "#undef NAN\n#define NAN __builtin_nanf(\"\")"),
            ("INFINITY", "#undef INFINITY\n#define INFINITY __builtin_inff()"),
            ("isnan(", "#undef isnan\n#define isnan(x) __builtin_isnan(x)"),
            ("signbit(", "#undef signbit\n#define signbit(x) __builtin_signbit(x)"),
        ],
    },
    Header {
        name: "stdio.h",
        uses: &[
            ("NULL", "#ifndef NULL\n#define NULL ((void *)0)\n#endif"),
            ("printf(", "int printf(const char *, ...);"),
            ("puts(", "int puts(const char *);"),
            ("perror(", "void perror(const char *);"),
            ("fflush(", "struct _IO_FILE;\nint fflush(struct _IO_FILE *);"),
        ],
    },
    Header {
        name: "stdlib.h",
        uses: &[
            ("calloc(", "void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);"),
            ("exit(", "__attribute__((noreturn)) void exit(int);"),
            ("mkdtemp(", "char *mkdtemp(char *);"),
        ],
    },
    Header {
        name: "string.h",
        uses: &[
            ("memcpy(", "void *memcpy(void *, const void *, __SIZE_TYPE__);"),
            ("memset(", "void *memset(void *, int, __SIZE_TYPE__);"),
            ("memcmp(", "int memcmp(const void *, const void *, __SIZE_TYPE__);"),
            ("strcmp(", "int strcmp(const char *, const char *);"),
            ("strcpy(", "char *strcpy(char *, const char *);"),
            ("strncpy(", "char *strncpy(char *, const char *, __SIZE_TYPE__);"),
        ],
    },
    Header {
        name: "sys/wait.h",
        uses: &[
            ("waitpid(", "int waitpid(int, int *, int);"),
            ("WIFEXITED(", "#ifndef WIFEXITED\n#define WIFEXITED(status) (((status) & 0x7f) == 0)\n#endif"),
            (
                "WEXITSTATUS(",
                "#ifndef WEXITSTATUS\n#define WEXITSTATUS(status) ((status) >> 8 & 0xff)\n#endif",
            ),
            (
                "WIFSIGNALED(",
                "#ifndef WIFSIGNALED\n#define WIFSIGNALED(status) (((status) & 0x7f) != 0)\n#endif",
            ),
            ("WTERMSIG(", "#ifndef WTERMSIG\n#define WTERMSIG(status) ((status) & 0x7f)\n#endif"),
        ],
    },
    Header {
        name: "unistd.h",
        uses: &[
            ("fork(", "int fork(void);"),
            ("alarm(", "unsigned alarm(unsigned);"),
            ("rmdir(", "int rmdir(const char *);"),
        ],
    },
];

impl Library {
    /// One by one, except for headers that this preprocessed text shows as included.
    pub fn one_by_one(preprocessed: &str) -> Library {
        let markers: Vec<&str> = preprocessed.lines().filter(|line| line.starts_with("# ")).collect();
        let included = |header: &&Header| {
            let end = format!("/{}\"", header.name);
            header.name == "errno.h"
                || header.name != "math.h" && markers.iter().any(|marker| marker.contains(&end))
        };
        Library::OneByOne(HEADERS.iter().filter(included).map(|header| header.name).collect())
    }
}

/// Whether files call a function of the library with this name.
pub fn has_function(name: &str) -> bool {
    let of_header = |header: &Header| {
        let functions = header.uses.iter().filter(|(_, declaration)| !declaration.starts_with('#'));
        functions.filter_map(|(used, _)| used.strip_suffix('(')).any(|used| used == name)
    };
    HEADERS.iter().any(of_header)
}

/// The lines that declare what `text` uses, behind the unit of a file.
pub fn declarations(text: &str, preamble: &Preamble) -> String {
    let hidden = names::hidden(text, preamble.file_stubs.model);
    let mut lines: Vec<String> = hidden.iter().map(|name| format!("#undef {name}")).collect();
    if !lines.is_empty() {
        lines.insert(0, "/* Macros of the unit that are none in the rest of this file. */".to_string());
    }
    let displaced: BTreeSet<String> = hidden.union(&preamble.unit.stepping_aside).cloned().collect();
    lines.extend(of_library(text, &preamble.unit.library, &displaced));
    lines.join("\n") + "\n"
}

/// The lines for the library. What was `displaced` has been taken out of the headers' hands by the unit.
fn of_library(text: &str, library: &Library, displaced: &BTreeSet<String>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut by_hand = Vec::new();
    for header in HEADERS {
        let used: Vec<_> = header.uses.iter().filter(|(name, _)| text.contains(name)).collect();
        let is_included = match library {
            _ if used.is_empty() => continue,
            Library::Headers => true,
            Library::OneByOne(included) => included.contains(&header.name),
        };
        if is_included {
            lines.push(format!("#include <{}>", header.name));
        }
        for (name, declaration) in used {
            let is_displaced = displaced.contains(name.trim_end_matches('('));
            if *library == Library::Headers && !is_displaced {
                continue;
            }
            // A header of the unit may have put a macro in the place of a library function.
            let is_function = name.ends_with('(') && !declaration.starts_with('#');
            by_hand.extend(is_function.then(|| format!("#undef {}", name.trim_end_matches('('))));
            by_hand.extend((!is_included || is_displaced).then(|| declaration.to_string()));
        }
    }
    if !by_hand.is_empty() {
        lines.push(
            "/* One by one: the unit has names of its own that are also in the headers. */".to_string(),
        );
        lines.extend(by_hand);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_by_what_is_used() {
        assert_eq!(
            of_library("x = INT_MIN; puts(\"\");", &Library::Headers, &BTreeSet::new()),
            ["#include <limits.h>", "#include <stdio.h>"]
        );
    }

    #[test]
    fn a_header_the_unit_includes_itself_is_harmless_and_others_are_avoided() {
        let library = Library::one_by_one("# 1 \"/usr/include/stdio.h\" 1 3 4\nint x;\n");
        assert_eq!(library, Library::OneByOne(vec!["errno.h", "stdio.h"]));
        let text = of_library("puts(\"\"); alarm(5);", &library, &BTreeSet::new()).join("\n");
        assert!(
            text.starts_with("#include <stdio.h>\n") && text.ends_with("unsigned alarm(unsigned);"),
            "{text}"
        );
        assert!(!text.contains("unistd"), "{text}");
        assert!(text.contains("#undef puts\n"), "a macro may stand for it: {text}");
    }
}
