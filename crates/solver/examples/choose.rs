//! A corpus from recorded questions: at most so many of each file, spread evenly over it, the long ones left out.
//!
//! `cargo run --release -p tarka-solver --example choose -- INTO MOST FILE.smt2…`; `scripts/corpus` calls it.

#![allow(clippy::disallowed_macros)] // an example prints

use std::path::Path;
use std::process::ExitCode;
use tarka_solver::smtlib;

/// Questions with longer texts are left out.
const LONGEST: usize = 3_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [into, most, files @ ..] = &arguments[..] else {
        eprintln!("usage: choose INTO MOST FILE.smt2…");
        return ExitCode::from(2);
    };
    let Ok(most) = most.parse::<usize>() else {
        eprintln!("`{most}` is no number");
        return ExitCode::from(2);
    };
    let (mut chosen, mut bytes) = (0, 0);
    for file in files {
        match choose(Path::new(into), Path::new(file), most) {
            Ok((more, size)) => (chosen, bytes) = (chosen + more, bytes + size),
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    println!("{chosen} questions, {} kB", bytes / 1000);
    ExitCode::SUCCESS
}

fn choose(into: &Path, file: &Path, most: usize) -> std::io::Result<(usize, usize)> {
    let text = std::fs::read_to_string(file)?;
    let short: Vec<&str> = smtlib::blocks(&text)
        .filter(|block| block.len() <= LONGEST && !block.contains(":status unknown"))
        .collect();
    let count = short.len().min(most);
    if count == 0 {
        return Ok((0, 0));
    }
    let spread = (0..count).map(|at| short[at * short.len() / count]);
    let chosen = format!("{}{}", smtlib::HEADER, spread.collect::<String>());
    let name = file.file_name().unwrap_or_default();
    std::fs::write(into.join(name), &chosen)?;
    Ok((count, chosen.len()))
}
