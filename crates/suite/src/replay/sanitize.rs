//! What the sanitizers say of a run, in Tarka's words: those for addresses, undefined behaviour, leaks and
//! uninitialised memory.
//!
//! Takes the output of a program, gives what they object to, in order. Never runs anything, and never decides which
//! report matters.

use std::collections::BTreeSet;
use std::path::Path;

use tarka_events::FaultKind;
use tarka_source::Place;

/// What makes a compiler watch every address and every operation whose result may be undefined.
pub const SANITIZERS: &str = "-fsanitize=address,undefined";
/// What makes undefined behaviour end the program, as a wrong address does.
pub const NO_RECOVERY: &str = "-fno-sanitize-recover=undefined";
/// After what is harmless, a program goes on. clang has no finer names for it.
pub const BUT_FOR_HARMLESS: &str = "-fsanitize-recover=pointer-overflow,nonnull-attribute";

/// What makes clang look at the bounds of an array that is the last member of a record. Without it any such array may stand
/// for a longer one; with it, one of no or one element still may.
const TRAILING_ARRAYS: &str = "-fstrict-flex-arrays=1";
/// How the user's flags say something else about them.
const ABOUT_TRAILING_ARRAYS: &str = "-fstrict-flex-arrays";

/// What a build that looks at bounds takes besides, unless the user's flags have their own.
pub(crate) fn trailing_arrays(user: &[String], extra: &[&str]) -> Option<&'static str> {
    let looks_at_bounds = |flag: &&str| {
        let names = flag.strip_prefix("-fsanitize=").unwrap_or_default();
        names.split(',').any(|name| matches!(name, "undefined" | "bounds"))
    };
    let is_settled = user.iter().any(|flag| flag.starts_with(ABOUT_TRAILING_ARRAYS));
    (extra.iter().any(looks_at_bounds) && !is_settled).then_some(TRAILING_ARRAYS)
}

/// Whether the user's own flags ask for sanitizers: such programs reserve terabytes of address space.
pub fn asks_for_sanitizers(flags: &[String]) -> bool {
    flags.iter().any(|flag| flag.starts_with("-fsanitize="))
}

/// What a sanitizer objected to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SanitizerReport {
    /// The kind of fault.
    pub kind: FaultKind,
    /// One sentence.
    pub message: String,
    /// The file as the debug information names it; empty if unknown.
    pub file: String,
    /// Line, 0 if unknown.
    pub line: u32,
    /// Column, 0 if unknown.
    pub column: u32,
    /// Functions from there outwards and where each stands, as far as they have a place in a file; empty if unknown.
    pub stack: Vec<(String, Place)>,
}

/// The reports of sanitizers in a program's output, in order. `assert` is one of those who object. A sanitizer report is never placed in one of
/// `stand_ins`, functions that stand for library functions.
pub fn sanitizer_reports(output: &str, stand_ins: &BTreeSet<String>) -> Vec<SanitizerReport> {
    let mut found = Vec::new();
    let mut lines = output.lines();
    while let Some(line) = lines.next() {
        if let Some((place, message)) = line.split_once(": runtime error: ") {
            let (file, line, column) = place_of(place).unwrap_or_default();
            let message = message.trim().to_string();
            let kind = undefined_kind(&message, lines.clone().next().unwrap_or_default());
            found.push(SanitizerReport { kind, message, file, line, column, stack: Vec::new() });
        } else if let Some((before, text)) = line.split_once(": Assertion `") {
            let place = before.split(": ").find_map(place_of);
            let (file, line, column) = place.unwrap_or_default();
            let message = format!("assertion `{}", text.trim_end_matches('.'));
            let stack = Vec::new();
            found.push(SanitizerReport { kind: FaultKind::Assertion, message, file, line, column, stack });
        } else if let Some((_, what)) = line.split_once("ERROR: AddressSanitizer: ") {
            found.push(reported(lines.clone(), stand_ins, |access| address_kind(what, access)));
        } else if let Some(what) = line.trim().strip_prefix("Direct leak of ") {
            let bytes = what.split(' ').next().unwrap_or_default();
            let message = format!("{bytes} bytes allocated here are lost");
            found.push(reported(lines.clone(), stand_ins, |_| (FaultKind::Leak, message)));
        } else if line.contains("WARNING: MemorySanitizer: use-of-uninitialized-value") {
            let words = FaultKind::Uninitialised.words().to_string();
            found.push(reported(lines.clone(), stand_ins, |_| (FaultKind::Uninitialised, words)));
        }
    }
    found
}

/// `path:line:column`, or `path:line`.
fn place_of(text: &str) -> Option<(String, u32, u32)> {
    let (rest, last) = text.trim().rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    match rest.rsplit_once(':').map(|(file, line)| (file, line.parse::<u32>())) {
        Some((file, Ok(line))) => Some((file.to_string(), line, last)),
        _ => Some((rest.to_string(), last, 0)),
    }
}

/// The kind of what is reported, and of which the next line may say more.
fn undefined_kind(message: &str, next: &str) -> FaultKind {
    let has = |text: &str| message.contains(text);
    let starts = |texts: &[&str]| texts.iter().any(|text| message.starts_with(text));
    match () {
        _ if starts(&["signed integer overflow"]) => FaultKind::SignedOverflow,
        _ if starts(&["negation of"]) && has("'unsigned") => FaultKind::UnsignedOverflow,
        _ if starts(&["negation of"]) => FaultKind::SignedOverflow,
        _ if starts(&["unsigned integer overflow"]) => FaultKind::UnsignedOverflow,
        _ if starts(&["implicit conversion from type"]) => FaultKind::ImplicitConversion,
        _ if starts(&["division of"]) && has("cannot be represented") => FaultKind::DivisionOverflow,
        _ if starts(&["division by zero"]) => FaultKind::DivisionByZero,
        _ if starts(&["shift exponent", "left shift of"]) => FaultKind::Shift,
        _ if starts(&["index "]) || has("insufficient space for an object") => FaultKind::OutOfBounds,
        _ if has("outside the range of representable values") => FaultKind::FloatConversion,
        _ if starts(&["load of null", "store to null", "member access within null"]) => {
            FaultKind::NullDereference
        }
        _ if starts(&["applying zero offset to null pointer"]) => FaultKind::NullWithZero,
        // A null pointer that a library function looks at is a bad address as well; what is left has the length 0.
        _ if starts(&["null pointer passed as argument"]) && is_in_library(next) => FaultKind::NullWithZero,
        _ if starts(&[
            "applying ",
            "addition of unsigned offset",
            "subtraction of unsigned offset",
            "pointer index expression",
        ]) =>
        {
            FaultKind::PointerArithmetic
        }
        _ if has("misaligned address") => FaultKind::Misaligned,
        _ => FaultKind::Undefined,
    }
}

/// `/usr/include/string.h:43:28: note: nonnull attribute specified here`.
fn is_in_library(note: &str) -> bool {
    note.starts_with("/usr/") && note.contains("note: nonnull attribute specified here")
}

/// A sanitizer report that a stack follows.
fn reported<'a>(
    lines: impl Iterator<Item = &'a str>,
    stand_ins: &BTreeSet<String>,
    what: impl FnOnce(&str) -> (FaultKind, String),
) -> SanitizerReport {
    let mut access = "accessed";
    let mut stack = Vec::new();
    let mut in_stack = false;
    for line in lines.map(str::trim) {
        if line.starts_with("READ of size") {
            access = "read";
        } else if line.starts_with("WRITE of size") {
            access = "written";
        } else if line.starts_with('#') {
            in_stack = true;
            // `#0 0x55 in name path:line:column`; functions of the sanitizer and the library have no file here.
            let Some((function, place)) = line.split_once(" in ").and_then(|(_, rest)| rest.split_once(' '))
            else {
                continue;
            };
            let place =
                place_of(place).filter(|(file, ..)| !file.starts_with("/usr/") && Path::new(file).is_file());
            let place = place.filter(|_| !stand_ins.contains(function));
            stack.extend(
                place.map(|(file, line, column)| (function.to_string(), Place { file, line, column })),
            );
        } else if in_stack {
            // What follows is another stack: where the object came from.
            break;
        }
    }
    let first = stack.first().map(|(_, place)| (place.file.clone(), place.line, place.column));
    let (file, line, column) = first.unwrap_or_default();
    let (kind, message) = what(access);
    SanitizerReport { kind, message, file, line, column, stack }
}

fn address_kind(what: &str, access: &str) -> (FaultKind, String) {
    let name = what.split([' ', ':', '(']).next().unwrap_or_default();
    let outside = |object: &str| (FaultKind::OutOfBounds, format!("memory outside {object} is {access}"));
    match name {
        "heap-buffer-overflow" => outside("an allocated object"),
        "stack-buffer-overflow" | "stack-buffer-underflow" | "dynamic-stack-buffer-overflow" => {
            outside("a local object")
        }
        "global-buffer-overflow" => outside("a global object"),
        "negative-size-param" => {
            (FaultKind::OutOfBounds, "a negative size is passed to a library function".into())
        }
        "heap-use-after-free" => (FaultKind::UseAfterFree, "an object is used after it was freed".into()),
        "stack-use-after-return" | "stack-use-after-scope" => {
            (FaultKind::UseAfterReturn, "a local object is used after its end".into())
        }
        "attempting" if what.contains("double-free") => {
            (FaultKind::DoubleFree, FaultKind::DoubleFree.words().into())
        }
        "attempting" | "alloc-dealloc-mismatch" => {
            (FaultKind::InvalidFree, FaultKind::InvalidFree.words().into())
        }
        "stack-overflow" => (FaultKind::StackOverflow, "the stack is full: endless recursion?".into()),
        "FPE" => {
            (FaultKind::DivisionByZero, "an integer is divided by zero, or the quotient does not fit".into())
        }
        "SEGV" | "BUS" if is_null(what) => {
            (FaultKind::NullDereference, "a null pointer is dereferenced".into())
        }
        "ABRT" => (FaultKind::Abort, FaultKind::Abort.words().into()),
        "ILL" | "TRAP" => (FaultKind::Signal, FaultKind::Signal.words().into()),
        "requested" | "allocation-size-too-big" | "out-of-memory" | "rss-limit-exceeded" => {
            (FaultKind::OutOfMemory, FaultKind::OutOfMemory.words().into())
        }
        "SEGV" | "BUS" => (FaultKind::WildDereference, "an invalid address is accessed".into()),
        _ => (FaultKind::Undefined, format!("AddressSanitizer reports {name}")),
    }
}

/// `SEGV on unknown address 0x000000000008`: within the first page.
fn is_null(what: &str) -> bool {
    let digits = what.split("address 0x").nth(1).and_then(|rest| rest.split([' ', ':']).next());
    digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()).is_some_and(|address| address < 4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(output: &str) -> Option<SanitizerReport> {
        sanitizer_reports(output, &BTreeSet::new()).into_iter().next()
    }

    #[test]
    fn undefined_behaviour_has_kind_place_and_words() {
        let found = first("hello\nout/f/../../u.c:3:14: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'\nSUMMARY\n").unwrap();
        assert_eq!(
            (found.kind, found.file.as_str(), found.line, found.column),
            (FaultKind::SignedOverflow, "out/f/../../u.c", 3, 14)
        );
        assert_eq!(
            found.message,
            "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'"
        );
    }

    #[test]
    fn kinds_of_undefined_behaviour() {
        for (message, kind) in [
            (
                "negation of -2147483648 cannot be represented in type 'int'; cast to an unsigned type",
                FaultKind::SignedOverflow,
            ),
            (
                "division of -2147483648 by -1 cannot be represented in type 'int'",
                FaultKind::DivisionOverflow,
            ),
            ("division by zero", FaultKind::DivisionByZero),
            ("shift exponent 40 is too large for 32-bit type 'int'", FaultKind::Shift),
            ("left shift of negative value -1", FaultKind::Shift),
            ("index 12 out of bounds for type 'int[10]'", FaultKind::OutOfBounds),
            (
                "load of misaligned address 0x01 for type 'int', which requires 4 byte alignment",
                FaultKind::Misaligned,
            ),
            ("1e+20 is outside the range of representable values of type 'int'", FaultKind::FloatConversion),
            ("member access within null pointer of type 'struct node'", FaultKind::NullDereference),
            ("applying non-zero offset 4 to null pointer", FaultKind::PointerArithmetic),
            ("applying zero offset to null pointer", FaultKind::NullWithZero),
            ("negation of 1 cannot be represented in type 'unsigned int'", FaultKind::UnsignedOverflow),
            (
                "implicit conversion from type 'int' of value 300 (32-bit, signed) to type 'char' changed the value",
                FaultKind::ImplicitConversion,
            ),
            ("load of value 3, which is not a valid value for type '_Bool'", FaultKind::Undefined),
        ] {
            assert_eq!(undefined_kind(message, ""), kind, "{message}");
        }
    }

    #[test]
    fn a_library_function_may_get_null_with_the_length_0_and_a_function_of_the_user_may_not() {
        let message = "null pointer passed as argument 1, which is declared to never be null";
        let kind = |file: &str| {
            let output = format!(
                "u.c:3:14: runtime error: {message}\n{file}:43:28: note: nonnull attribute specified here\n"
            );
            first(&output).map(|sanitizer_report| sanitizer_report.kind)
        };
        assert_eq!(kind("/usr/include/string.h"), Some(FaultKind::NullWithZero));
        assert_eq!(kind("src/own.h"), Some(FaultKind::Undefined));
    }

    #[test]
    fn address_reports_are_placed_at_the_first_frame_of_a_file() {
        let file = file!();
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/replay/sanitize.rs");
        let report = format!(
            "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014 at pc 0x1\n\
             WRITE of size 4 at 0x602000000014 thread T0\n    #0 0x55 in __asan_memcpy (t+0x1)\n    \
             #1 0x56 in fill {}:9:5\n    #2 0x57 in main {file}:1:1\n",
            here.display()
        );
        let found = first(&report).unwrap();
        assert_eq!((found.kind, found.line, found.column), (FaultKind::OutOfBounds, 9, 5));
        assert_eq!(found.message, "memory outside an allocated object is written");
    }

    #[test]
    fn leaks_and_uninitialised_memory_are_placed_in_the_unit() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/replay/sanitize.rs");
        let here = here.display();
        let report = format!(
            "==7==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 40 byte(s) in 1 object(s) allocated \
             from:\n    #0 0x1 in malloc (t+0x1)\n    #1 0x2 in f {here}:3:26\n    #2 0x3 in main {here}:7:1\n\n\
             Indirect leak of 8 byte(s) in 1 object(s) allocated from:\n    #1 0x2 in g {here}:9:1\n"
        );
        let found = sanitizer_reports(&report, &BTreeSet::new());
        assert_eq!(found.len(), 1, "what only a lost block points to is part of that leak");
        assert_eq!((found[0].kind, found[0].line), (FaultKind::Leak, 3));
        let lines: Vec<(&str, u32)> =
            found[0].stack.iter().map(|(name, at)| (name.as_str(), at.line)).collect();
        assert_eq!(lines, [("f", 3), ("main", 7)]);
        let report = format!(
            "==7==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x1 in f {here}:2:45\n\n\
             SUMMARY: MemorySanitizer: use-of-uninitialized-value {here}:2:45 in f\n"
        );
        let found = sanitizer_reports(&report, &BTreeSet::new());
        assert_eq!((found.len(), found[0].kind, found[0].line), (1, FaultKind::Uninitialised, 2));
    }

    #[test]
    fn an_objection_does_not_hide_what_comes_after_it() {
        let output = "u.c:3:14: runtime error: division by zero\n==7==ERROR: AddressSanitizer: SEGV on unknown address \
                      0x000000000008 (pc 0x1)\n    #0 0x1 in f (t+0x1)\n\nt: u.c:6: int f(int): Assertion `n > 3' \
                      failed.\nu.c:9:1: runtime error: shift exponent 40 is too large\n";
        let found = sanitizer_reports(output, &BTreeSet::new());
        let kinds: Vec<FaultKind> = found.iter().map(|sanitizer_report| sanitizer_report.kind).collect();
        use FaultKind::{Assertion, DivisionByZero, NullDereference, Shift};
        assert_eq!(kinds, [DivisionByZero, NullDereference, Assertion, Shift]);
        assert_eq!((found[2].file.as_str(), found[2].line), ("u.c", 6));
    }

    #[test]
    fn bounds_are_looked_at_as_the_user_says_or_in_every_sized_array() {
        let own = ["-O1".to_string(), "-fstrict-flex-arrays=0".to_string()];
        assert_eq!(trailing_arrays(&own[..1], &["-g", SANITIZERS]), Some("-fstrict-flex-arrays=1"));
        assert_eq!(trailing_arrays(&own, &["-g", SANITIZERS]), None);
        assert_eq!(trailing_arrays(&[], &["-g", "-fsanitize=memory", "-fsanitize-trap=bounds"]), None);
    }

    #[test]
    fn a_low_address_is_null() {
        let segv = |address: &str| {
            first(&format!("==7==ERROR: AddressSanitizer: SEGV on unknown address {address} (pc 0x1)\n"))
                .unwrap()
                .kind
        };
        assert_eq!(segv("0x000000000008"), FaultKind::NullDereference);
        assert_eq!(segv("0x7ff000000008"), FaultKind::WildDereference);
    }
}
