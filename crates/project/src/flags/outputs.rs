//! Flags that say what a compiler is to produce and where: here, that is decided elsewhere.
//!
//! Takes flags; gives the others. Never: looks at the files they name.

/// Flags that take the next word and say what to produce: dropped with it.
const DROPPED_PAIRS: &[&str] = &["-o", "-MF", "-MT", "-MQ", "-MJ", "-x"];
/// Flags that say what to produce.
const DROPPED: &[&str] = &["-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "--"];

/// Flags without those that say what to produce and where.
pub fn without_outputs(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if DROPPED_PAIRS.contains(&word.as_str()) {
            words.next();
        } else if !DROPPED.contains(&word.as_str()) {
            kept.push(word.clone());
        }
    }
    kept
}

/// Whether a flag of a build writes a file beside the object: dependencies, listings, dumps, counters.
pub fn writes_beside(word: &str) -> bool {
    const EXACT: &[&str] = &["-pg", "-save-temps", "--save-temps", "-fstack-usage", "-p", "-P", "-C", "-CC"];
    const JOINED: &[&str] = &[
        "-MF",
        "-MT",
        "-MQ",
        "-MJ",
        "-Wp,-M",
        "-fdump-",
        "-fcallgraph-info",
        "-save-temps=",
        "--save-temps=",
        "-frandom-seed",
        "--coverage",
        "-coverage",
        "-ftest-coverage",
        "-fprofile-",
        "-fcoverage-",
        "-ftime-",
        "-dumpbase",
        "-dumpdir",
        "-serialize-diagnostics",
        "--serialize-diagnostics",
        "-fsave-optimization-record",
    ];
    let is_output = word.len() > 2 && (word.starts_with("-o") || word.starts_with("-x"));
    is_output || EXACT.contains(&word) || JOINED.iter().any(|start| word.starts_with(start))
}
