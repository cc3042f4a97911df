//! What AddressSanitizer and UndefinedBehaviorSanitizer say of a run, in Tarka's words.
//!
//! Takes the output of a program built with [`SANITIZERS`], gives the first thing they object to. Never runs anything.

use std::path::Path;

use tarka_events::FaultKind;

/// What makes a compiler watch every address and every operation whose result may be undefined.
pub const SANITIZERS: &str = "-fsanitize=address,undefined";
/// What makes undefined behaviour end the program, as a wrong address does.
pub const NO_RECOVERY: &str = "-fno-sanitize-recover=undefined";

/// Whether the user's own flags ask for sanitizers: such programs reserve terabytes of address space.
pub fn asks_for_sanitizers(flags: &[String]) -> bool {
    flags.iter().any(|flag| flag.starts_with("-fsanitize="))
}

/// What a sanitizer objected to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
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
}

/// The objections in a program's output, in order; one to an address ends the program.
pub fn objections(output: &str) -> Vec<Objection> {
    let mut found = Vec::new();
    let mut lines = output.lines();
    while let Some(line) = lines.next() {
        if let Some((place, message)) = line.split_once(": runtime error: ") {
            let (file, line, column) = place_of(place).unwrap_or_default();
            let message = message.trim().to_string();
            found.push(Objection { kind: undefined_kind(&message), message, file, line, column });
        }
        if let Some((_, what)) = line.split_once("ERROR: AddressSanitizer: ") {
            found.push(address_objection(what, lines));
            break;
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

fn undefined_kind(message: &str) -> FaultKind {
    let has = |text: &str| message.contains(text);
    let starts = |texts: &[&str]| texts.iter().any(|text| message.starts_with(text));
    match () {
        _ if starts(&["signed integer overflow", "negation of"]) => FaultKind::SignedOverflow,
        _ if starts(&["division of"]) && has("cannot be represented") => FaultKind::DivisionOverflow,
        _ if starts(&["division by zero"]) => FaultKind::DivisionByZero,
        _ if starts(&["shift exponent", "left shift of"]) => FaultKind::Shift,
        _ if starts(&["index "]) || has("insufficient space for an object") => FaultKind::OutOfBounds,
        _ if has("outside the range of representable values") => FaultKind::FloatConversion,
        _ if starts(&["load of null", "store to null", "member access within null"]) => {
            FaultKind::NullDereference
        }
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

fn address_objection<'a>(what: &str, lines: impl Iterator<Item = &'a str>) -> Objection {
    let mut access = "accessed";
    let mut found = None;
    for line in lines {
        let line = line.trim();
        if line.starts_with("READ of size") {
            access = "read";
        } else if line.starts_with("WRITE of size") {
            access = "written";
        } else if line.starts_with('#') {
            // `#0 0x55 in name path:line:column`; functions of the sanitizer and the library have no file here.
            let place = line.split_once(" in ").and_then(|(_, rest)| place_of(rest.split_once(' ')?.1));
            found = place.filter(|(file, ..)| !file.starts_with("/usr/") && Path::new(file).is_file());
            if found.is_some() {
                break;
            }
        }
    }
    let (file, line, column) = found.unwrap_or_default();
    let (kind, message) = address_kind(what, access);
    Objection { kind, message, file, line, column }
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

    fn first(output: &str) -> Option<Objection> {
        objections(output).into_iter().next()
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
            ("load of value 3, which is not a valid value for type '_Bool'", FaultKind::Undefined),
        ] {
            assert_eq!(undefined_kind(message), kind, "{message}");
        }
    }

    #[test]
    fn address_reports_are_placed_at_the_first_frame_of_a_file() {
        let file = file!();
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sanitize.rs");
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
    fn a_leak_is_no_objection_and_a_low_address_is_null() {
        assert_eq!(
            first(
                "==7==ERROR: LeakSanitizer: detected memory leaks\nSUMMARY: AddressSanitizer: 4 byte(s) leaked\n"
            ),
            None
        );
        let segv = |address: &str| {
            first(&format!("==7==ERROR: AddressSanitizer: SEGV on unknown address {address} (pc 0x1)\n"))
                .unwrap()
                .kind
        };
        assert_eq!(segv("0x000000000008"), FaultKind::NullDereference);
        assert_eq!(segv("0x7ff000000008"), FaultKind::WildDereference);
    }
}
