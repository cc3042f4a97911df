//! `make bench`: what a whole call of `tarka gen` costs, beside what cannot be saved.
//!
//! Takes `examples/*.c`, C files that it makes itself, and the `tarka` that stands in the build folder; prints tables of processor
//! time and wall time with their ratios, all from one run. With names of parts (`files`, `first`, `growth`, `again`) it prints only those.
//! Never: calls the engine but by its command line, as a user does.
#![allow(clippy::disallowed_macros)] // a benchmark prints

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Prints one part.
type Print = fn(&Place) -> Outcome<()>;

/// The parts, in the order they are printed.
const PARTS: [(&str, Print); 4] = [("files", files), ("first", first), ("growth", growth), ("again", again)];

/// Functions of the files that grow.
const SIZES: [usize; 4] = [10, 50, 200, 1000];
/// Functions of the file that is tested again.
const AGAIN: usize = 200;
/// Times that what is short is done; the best counts.
const ROUNDS: usize = 3;

/// Where things are.
struct Place {
    root: PathBuf,
    tarka: PathBuf,
    clang: PathBuf,
    scratch: tempfile::TempDir,
}

/// What something took, in seconds.
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    /// Of all processes together.
    processor: f64,
}

impl Cost {
    /// Of a command that ends with 0 or 1.
    fn of(command: &mut Command) -> Outcome<Cost> {
        let (start, before) = (Instant::now(), children()?);
        let output = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output()?;
        if !matches!(output.status.code(), Some(0 | 1)) {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("{command:?} ended with {}: {said}", output.status).into());
        }
        Ok(Cost { wall: start.elapsed().as_secs_f64(), processor: children()? - before })
    }

    fn and(self, other: Cost) -> Cost {
        Cost { wall: self.wall + other.wall, processor: self.processor + other.processor }
    }

    fn best(self, other: Cost) -> Cost {
        Cost { wall: self.wall.min(other.wall), processor: self.processor.min(other.processor) }
    }
}

/// Processor time of all processes that were started and waited for, in seconds.
fn children() -> Outcome<f64> {
    const TICKS: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, after) = stat.rsplit_once(')').ok_or("no stat")?;
    let fields: Vec<&str> = after.split_whitespace().collect();
    Ok((fields[13].parse::<f64>()? + fields[14].parse::<f64>()?) / TICKS)
}

fn main() -> Outcome<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let here = std::env::current_exe()?;
    let tarka = here.parent().and_then(Path::parent).ok_or("a build folder")?.join("tarka");
    // An earlier build may be measured as well.
    let tarka = std::env::var_os("TARKA").map_or(tarka, PathBuf::from);
    let place = Place { root, tarka, clang: tarka_source::find_clang()?, scratch: tempfile::tempdir()? };
    let named: Vec<String> = std::env::args().skip(1).collect();
    for (_, print) in PARTS.iter().filter(|(name, _)| named.is_empty() || named.iter().any(|n| n == name)) {
        print(&place)?;
    }
    Ok(())
}

impl Place {
    /// A call that tests files from nothing, with whole seconds for none of them.
    fn generate(&self, files: &[PathBuf], out: &Path) -> Outcome<Cost> {
        let mut command = Command::new(&self.tarka);
        command.current_dir(&self.root).env("TARKA_CACHE", "");
        command.arg("gen").args(files).arg("-o").arg(out);
        Cost::of(&mut command)
    }

    /// A call that finds nothing of an earlier one.
    fn generate_anew(&self, files: &[PathBuf], out: &Path) -> Outcome<Cost> {
        if out.exists() {
            fs::remove_dir_all(out)?;
        }
        self.generate(files, out)
    }

    /// Each test file built once with clang, one after another.
    fn build(&self, tests: &[PathBuf]) -> Outcome<Cost> {
        let program = self.scratch.path().join("program");
        let mut all = Cost { wall: 0.0, processor: 0.0 };
        for test in tests {
            let mut command = Command::new(&self.clang);
            command.current_dir(&self.root).arg(test).arg("-lm").arg("-o").arg(&program);
            all = all.and(Cost::of(&mut command)?);
        }
        Ok(all)
    }

    fn examples(&self) -> Outcome<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(self.root.join("examples"))? {
            let path = entry?.path();
            if path.extension().is_some_and(|end| end == "c") {
                files.push(Path::new("examples").join(path.file_name().ok_or("a name")?));
            }
        }
        files.sort();
        Ok(files)
    }
}

/// The emitted test files in a folder and those below.
fn tests_in(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(tests_in(&path)?);
        } else if name.starts_with("test_") && name.ends_with(".c") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// All plain examples by one call, beside building what it wrote.
fn files(place: &Place) -> Outcome<()> {
    let (examples, out) = (place.examples()?, place.scratch.path().join("files"));
    let mut whole = place.generate_anew(&examples, &out)?;
    let tests = tests_in(&out)?;
    let mut built = place.build(&tests)?;
    for _ in 1..ROUNDS {
        whole = whole.best(place.generate_anew(&examples, &out)?);
        built = built.best(place.build(&tests)?);
    }
    println!(
        "One call for the {} plain examples, beside building its {} test files once",
        examples.len(),
        tests.len()
    );
    println!("                          wall    processor");
    println!("tarka gen              {:6.2} s     {:6.2} s", whole.wall, whole.processor);
    println!("clang, one by one      {:6.2} s     {:6.2} s", built.wall, built.processor);
    println!(
        "times as much           {:6.2}       {:6.2}     (asked by wall time: at most 3)\n",
        whole.wall / built.wall,
        whole.processor / built.processor
    );
    Ok(())
}

/// One function from the command to its judged tests, beside one build of the file they stand in.
fn first(place: &Place) -> Outcome<()> {
    println!("From the command to a function's judged tests, beside building its test file once (wall time)");
    println!("file                gen       clang   times   asked");
    for file in ["triangle.c", "bubble.c", "calendar.c", "vending.c", "roots.c"] {
        let (file, out) = (Path::new("examples").join(file), place.scratch.path().join("first"));
        let mut whole = place.generate_anew(std::slice::from_ref(&file), &out)?;
        let tests = tests_in(&out)?;
        let one = tests.get(..1).ok_or("a test file")?;
        let mut built = place.build(one)?;
        for _ in 1..ROUNDS {
            whole = whole.best(place.generate_anew(std::slice::from_ref(&file), &out)?);
            built = built.best(place.build(one)?);
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let times = whole.wall / built.wall;
        println!("{name:<14} {:6.2} s   {:6.2} s   {times:5.1}       3", whole.wall, built.wall);
    }
    println!();
    Ok(())
}

/// Files with more and more small functions.
fn growth(place: &Place) -> Outcome<()> {
    println!("Small functions in one file");
    println!("functions    processor   a function       wall");
    let mut each = Vec::new();
    for size in SIZES {
        let (file, out) = (made(place, size)?, place.scratch.path().join("growth"));
        let cost = place.generate_anew(&[file], &out)?;
        each.push(cost.processor / size as f64);
        let milliseconds = 1000.0 * cost.processor / size as f64;
        let asked = if size == AGAIN { "   (asked: at most 20 s of processor time)" } else { "" };
        println!("{size:9}    {:7.2} s   {milliseconds:7.1} ms   {:6.2} s{asked}", cost.processor, cost.wall);
    }
    let (first, last) = (each.first().ok_or("a size")?, each.last().ok_or("a size")?);
    println!(
        "a function among {} takes {:.2} times what one among {} takes (asked: at most 1.3)\n",
        SIZES[3],
        last / first,
        SIZES[0]
    );
    Ok(())
}

/// The same call a second time, and after one function was changed.
fn again(place: &Place) -> Outcome<()> {
    let (file, out) = (made(place, AGAIN)?, place.scratch.path().join("again"));
    let files = [file.clone()];
    let cold = place.generate_anew(&files, &out)?;
    let warm = place.generate(&files, &out)?;
    let text = fs::read_to_string(&file)?;
    fs::write(&file, text.replacen("return 1;", "return 11;", 1))?;
    let touched = place.generate(&files, &out)?;
    let one = cold.processor / AGAIN as f64;
    println!("{AGAIN} small functions, called again (processor time)");
    println!("first call             {:7.2} s", cold.processor);
    println!(
        "nothing changed        {:7.2} s   {:5.1} % of it (asked: at most 5 %)",
        warm.processor,
        100.0 * warm.processor / cold.processor
    );
    println!(
        "one function changed   {:7.2} s   {:5.1} times what a function takes (asked: at most 5)\n",
        touched.processor,
        touched.processor / one
    );
    Ok(())
}

/// A C file with this many functions, each with a few branches.
fn made(place: &Place, size: usize) -> Outcome<PathBuf> {
    let mut text = String::from("struct point { int x, y; };\n\n");
    for number in 0..size {
        let (limit, name) = (number % 97 + 3, format!("f{number}"));
        let _ = match number % 4 {
            0 => writeln!(
                text,
                "int {name}(int a, int b)\n{{\n    if (a > {limit}) {{\n        if (b == a * 3)\n            return 1;\n        return 2;\n    }}\n    \
                 return b < -{limit} ? 3 : 4;\n}}\n"
            ),
            1 => writeln!(
                text,
                "int {name}(const struct point *p)\n{{\n    if (p->x == p->y)\n        return 0;\n    if (p->x - p->y == {limit})\n        \
                 return 1;\n    return 2;\n}}\n"
            ),
            2 => writeln!(
                text,
                "unsigned {name}(unsigned n)\n{{\n    switch (n % 5) {{\n    case 0:\n        return n / 5;\n    case 1:\n        return {limit};\n    \
                 default:\n        return n > {limit} ? n : 1;\n    }}\n}}\n"
            ),
            _ => writeln!(
                text,
                "int {name}(const char *s)\n{{\n    int sum = 0;\n    for (int i = 0; i < 4 && s[i]; i++)\n        sum += s[i] == 'a' ? {limit} : 1;\n    \
                 return sum > {limit};\n}}\n"
            ),
        };
    }
    let file = place.scratch.path().join(format!("small_{size}.c"));
    fs::write(&file, text)?;
    Ok(file)
}
