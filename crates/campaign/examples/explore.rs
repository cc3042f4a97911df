//! scratch
use std::time::Duration;
use tarka_campaign::*;
use tarka_events::*;
use tarka_source::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let clang = find_clang().unwrap();
    let file = std::path::PathBuf::from(&args[1]);
    let model = analyse(&SourceRequest { file: &file, flags: &[], clang: &clang }).unwrap();
    let strategy = args.get(2).cloned().unwrap_or("auto".into());
    let runs = args.get(3).and_then(|n| n.parse().ok());
    let only = args.get(4);
    let units: Vec<FunctionId> = (0..model.functions.len() as u32)
        .map(FunctionId)
        .filter(|f| only.is_none_or(|o| &model.function(*f).name == o))
        .collect();
    let work = tempfile::tempdir().unwrap();
    let options = Options {
        strategy,
        runs,
        time: Some(Duration::from_secs(10)),
        filter: std::env::var("NOFILTER").is_err(),
        ..Options::default()
    };
    for r in run_file(&model, &units, &options, &clang, work.path(), &|_| {}).unwrap() {
        let cov = r.goals.iter().filter(|g| matches!(g.verdict, Verdict::Covered { .. })).count();
        let inf = r.goals.iter().filter(|g| matches!(g.verdict, Verdict::Infeasible(_))).count();
        let engine = r.total_ms as i64 - r.execute_ms as i64 - r.solver.ms as i64;
        println!(
            "{:<22} {:?} goals {cov}+{inf}/{} runs {} div {} kept {} faults {} | total {} exec {} solver {} ({:?}) engine/run {:.1} us",
            r.function,
            r.status,
            r.goals.len(),
            r.runs,
            r.divergences,
            r.kept_runs.len(),
            r.faults.len(),
            r.total_ms,
            r.execute_ms,
            r.solver.ms,
            (r.solver.queries, r.solver.sat, r.solver.unsat, r.solver.unknown, r.solver.cached),
            engine as f64 * 1000.0 / r.runs.max(1) as f64
        );
        for g in &r.goals {
            match &g.verdict {
                Verdict::Unknown(w) => println!("   ? {} {} -> {}: {w}", g.place, g.text, g.outcome),
                Verdict::Infeasible(w) => println!("   x {} {} -> {}: {w}", g.place, g.text, g.outcome),
                _ => {}
            }
        }
        for f in &r.faults {
            println!("   ! {} {} run {}: {}", f.kind, f.place, f.run, f.message)
        }
        for l in &r.limits {
            println!("   ~ {l}")
        }
        for l in &r.concretisations {
            println!("   # {} {} {}", l.place, l.what, l.count)
        }
    }
}
