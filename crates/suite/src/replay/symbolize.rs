//! Addresses in what the sanitizers print become functions and lines.
//!
//! Takes a program's output and somebody who asks `llvm-symbolizer`; gives the output with a place in each frame of that
//! program. The program itself starts no other: it is confined. Never: what a report means.

use std::path::Path;

/// What keeps the sanitizers from starting a symbolizer, which a confined program cannot.
pub(crate) fn without_symbolizer() -> [(&'static str, &'static Path); 3] {
    ["ASAN_OPTIONS", "MSAN_OPTIONS", "UBSAN_OPTIONS"].map(|name| (name, Path::new("symbolize=0")))
}

/// A frame without a place: `    #1 0x55d0c1 (/tmp/program+0x10c1) (BuildId: 12)`.
struct Frame<'o> {
    /// Up to and with the address.
    head: &'o str,
    /// In the program's file.
    offset: &'o str,
}

impl<'o> Frame<'o> {
    fn of(line: &'o str, program: &str) -> Option<Frame<'o>> {
        let (head, rest) = line.split_once(" (")?;
        let (number, address) = head.trim_start().strip_prefix('#')?.split_once(' ')?;
        let is_frame = number.parse::<u32>().is_ok() && address.trim_start().starts_with("0x");
        let (module, offset) = rest.split_once(')')?.0.rsplit_once('+')?;
        let is_own = Path::new(module).file_name().is_some_and(|name| name == program);
        (is_frame && is_own && offset.starts_with("0x")).then_some(Frame { head: head.trim_end(), offset })
    }
}

/// The output with places.
pub(crate) fn with_places(
    output: &str,
    program: &Path,
    ask: impl FnOnce(&[String]) -> Option<String>,
) -> String {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let frames: Vec<Option<Frame>> = output.lines().map(|line| Frame::of(line, &name)).collect();
    let offsets = frames.iter().flatten().map(|frame| frame.offset.to_string());
    let args: Vec<String> = [format!("--obj={}", program.display())].into_iter().chain(offsets).collect();
    let answer = if args.len() > 1 { ask(&args) } else { None };
    let Some(answer) = answer else { return output.to_string() };
    // Of each address the functions there, the innermost first, a line for the name and one for the place; then a blank line.
    let mut places = answer.split("\n\n");
    let mut text = String::with_capacity(output.len() * 2);
    for (line, frame) in output.lines().zip(&frames) {
        let Some((frame, place)) = frame.as_ref().and_then(|frame| Some((frame, places.next()?))) else {
            text.push_str(line);
            text.push('\n');
            continue;
        };
        let lines: Vec<&str> = place.lines().collect();
        for pair in lines.chunks_exact(2) {
            text.push_str(&format!("{} in {} {}\n", frame.head, pair[0], pair[1]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "==1==ERROR: AddressSanitizer: heap-buffer-overflow
    #0 0x55aa  (/tmp/x/sanitized+0x12) (BuildId: 77)
    #1 0x7f00  (/lib/libc.so.6+0x99)
    #2 0x55bb  (/tmp/x/sanitized+0x34) (BuildId: 77)
SUMMARY: AddressSanitizer: heap-buffer-overflow (/tmp/x/sanitized+0x12)
";

    #[test]
    fn frames_of_the_program_get_their_places_and_others_stay() {
        let answer = "helper\na.c:1:2\nunit\na.c:5:6\n\nmain\na.c:9:1\n\n".to_string();
        let ask = |args: &[String]| {
            assert_eq!(args, ["--obj=/tmp/x/sanitized", "0x12", "0x34"]);
            Some(answer)
        };
        let text = with_places(OUTPUT, Path::new("/tmp/x/sanitized"), ask);
        let frames: Vec<&str> = text.lines().filter(|line| line.contains('#')).collect();
        assert_eq!(
            frames,
            [
                "    #0 0x55aa in helper a.c:1:2",
                "    #0 0x55aa in unit a.c:5:6",
                "    #1 0x7f00  (/lib/libc.so.6+0x99)",
                "    #2 0x55bb in main a.c:9:1"
            ]
        );
    }

    #[test]
    fn without_an_answer_or_frames_the_output_is_as_it_was() {
        assert_eq!(with_places(OUTPUT, Path::new("/tmp/x/sanitized"), |_| None), OUTPUT);
        let nobody = |_: &[String]| panic!("nothing to ask");
        assert_eq!(with_places("all is well\n", Path::new("sanitized"), nobody), "all is well\n");
    }
}
