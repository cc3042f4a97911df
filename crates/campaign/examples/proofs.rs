//! `make proofs`: every proof about real code that rests on no precondition, with its reason.
//!
//! Takes lines `file TAB units TAB flags` on standard input, as `scripts/subjects open-list.tsv` prints them (`*`: every
//! function), and as arguments the seconds for a function, how many proofs to draw for reading, and the seed of the draw. Gives
//! the proofs, those drawn, and what the attacks cost. Fails if an attack refuted a proof.
#![allow(clippy::disallowed_macros)] // a test bench prints

use std::error::Error;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tarka_campaign::{Options, run_file};
use tarka_events::{Proof, UnitLog, UnitResult, Verdict};
use tarka_search::Rng;
use tarka_source::{FunctionId, SourceModel, SourceRequest};

/// What is added up over all files.
#[derive(Default)]
struct Total {
    functions: usize,
    goals: usize,
    covered: usize,
    proofs: Vec<String>,
    refuted: Vec<String>,
    attack_ms: u64,
    all_ms: u64,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let numbers: Vec<u64> = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let number = |index: usize, otherwise: u64| numbers.get(index).copied().unwrap_or(otherwise);
    let (seconds, drawn, seed) = (number(0, 3), number(1, 40), number(2, 1));
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options { time: Some(Duration::from_secs(seconds)), jobs, ..Options::default() };
    let clang: PathBuf = std::env::var("TARKA_CLANG").unwrap_or_else(|_| "clang-19".into()).into();
    let mut list = String::new();
    std::io::stdin().read_to_string(&mut list)?;
    let mut total = Total::default();
    for line in list.lines() {
        let mut fields = line.split('\t');
        let file = Path::new(fields.next().unwrap_or_default());
        let units = fields.next().unwrap_or("*");
        let flags: Vec<String> =
            fields.next().unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        let request = SourceRequest { file, flags: &flags, clang: &clang };
        let began = Instant::now();
        let results = tarka_source::analyse(&request).map_err(Box::<dyn Error>::from).and_then(|model| {
            let scratch = tempfile::tempdir()?;
            let logs = run_file(&model, &chosen(&model, units), &options, &clang, scratch.path(), &|_| {})?;
            Ok(logs.into_iter().map(UnitLog::into_result).collect::<Vec<_>>())
        });
        match results {
            Ok(results) => total.add(file, &results, began.elapsed()),
            Err(error) => eprintln!("{}: {error}", file.display()),
        }
    }
    total.print(drawn as usize, seed, jobs);
    Ok(if total.refuted.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn chosen(model: &SourceModel, units: &str) -> Vec<FunctionId> {
    if units == "*" {
        return (0..model.functions.len() as u32).map(FunctionId).collect();
    }
    units.split(',').filter_map(|name| Some(model.function_named(name)?.0)).collect()
}

impl Total {
    fn add(&mut self, file: &Path, results: &[UnitResult], took: Duration) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let before = self.proofs.len();
        for result in results {
            self.functions += usize::from(result.runs > 0);
            self.goals += result.goals.len();
            self.attack_ms += result.attack.ms;
            for goal in &result.goals {
                self.covered += usize::from(matches!(goal.verdict, Verdict::Covered { .. }));
                let Verdict::Infeasible { proof, reason, .. } = &goal.verdict else { continue };
                if *proof != Proof::Precondition {
                    self.proofs.push(format!(
                        "{name}:{}\t{}\t{}\t{}\t{} attacks\t{reason}",
                        goal.place.line,
                        goal.id,
                        goal.text,
                        proof.name(),
                        goal.attacks
                    ));
                }
            }
            let refuted = result.refuted.iter();
            self.refuted
                .extend(refuted.map(|refuted| format!("{name}\t{}\t{}", refuted.goal, refuted.claim)));
        }
        self.all_ms += took.as_millis() as u64;
        let proofs = self.proofs.len() - before;
        eprintln!("{name}: {} functions, {proofs} proofs, {:.1} s", results.len(), took.as_secs_f64());
    }

    fn print(&self, drawn: usize, seed: u64, jobs: usize) {
        self.proofs.iter().for_each(|proof| println!("{proof}"));
        let mut rng = Rng::new(seed);
        let mut left: Vec<&String> = self.proofs.iter().collect();
        println!("\ndrawn with seed {seed}:");
        for _ in 0..drawn.min(left.len()) {
            println!("{}", left.swap_remove(rng.below(left.len())));
        }
        self.refuted.iter().for_each(|refuted| println!("refuted: {refuted}"));
        println!(
            "\n{} functions, {} goals, {} covered, {} proofs without a precondition, {} refuted",
            self.functions,
            self.goals,
            self.covered,
            self.proofs.len(),
            self.refuted.len()
        );
        let all_ms = self.all_ms * jobs as u64;
        let share = 100.0 * self.attack_ms as f64 / all_ms.max(1) as f64;
        println!("attacks: {} of {all_ms} ms of {jobs} workers ({share:.1} %)", self.attack_ms);
    }
}
