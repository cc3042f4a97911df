//! What it would bring to keep a Z3 solver from one recorded question to the next, and what unsatisfiable cores cost.
//!
//! `cargo run --release -p tarka-solver --example keeping -- FILE.smt2…`
//!
//! Each file's questions are asked in their order, several ways in one run: with a solver made for each question, with one
//! solver that is kept (clauses that a question shares with the one before stay asserted, by push and pop), and with every
//! clause tracked, so that Z3 can say which of them have no model together. Z3's own parser makes the formulas, which are
//! then shared by all questions of a file; that is not timed. Questions with floats are left out: the SMT core is not asked
//! them. Times are processor times.

#![allow(clippy::disallowed_macros)] // an example prints

use std::ffi::{CStr, CString};
use std::process::ExitCode;
use std::time::Duration;
use tarka_solver::smtlib;
use z3_sys::*;

/// What a question may take, in Z3's resource units: 2 s as the chain counts them.
const RESOURCES: u32 = 2_000_000;

#[derive(Clone, Copy, PartialEq)]
enum Engine {
    /// The SMT core.
    Smt,
    /// Simplify, solve equations, then the SMT core.
    Equations,
    /// Z3's own choice for bit vectors.
    BitVectors,
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Fresh,
    Kept,
    Tracked,
}

const WAYS: [(&str, Engine, Way); 7] = [
    ("smt, a solver for each", Engine::Smt, Way::Fresh),
    ("smt, one solver kept", Engine::Smt, Way::Kept),
    ("smt, a solver for each, tracked", Engine::Smt, Way::Tracked),
    ("equations, a solver for each", Engine::Equations, Way::Fresh),
    ("equations, a solver for each, tracked", Engine::Equations, Way::Tracked),
    ("bit vectors, a solver for each", Engine::BitVectors, Way::Fresh),
    ("bit vectors, one solver kept", Engine::BitVectors, Way::Kept),
];

#[derive(Default)]
struct Totals {
    time: Duration,
    time_of_unsat: Duration,
    sat: usize,
    unsat: usize,
    unknown: usize,
    /// Clauses of all questions, and those that were asserted anew for them.
    clauses: usize,
    asserted: usize,
    clauses_of_unsat: usize,
    clauses_of_cores: usize,
}

fn main() -> ExitCode {
    let mut totals: Vec<Totals> = WAYS.iter().map(|_| Totals::default()).collect();
    let (mut questions, mut with_floats) = (0, 0);
    for path in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::from(2);
            }
        };
        let (floats, blocks): (Vec<&str>, Vec<&str>) =
            smtlib::blocks(&text).partition(|block| block.contains("fp") || block.contains("long_double"));
        questions += blocks.len();
        with_floats += floats.len();
        for ((_, engine, way), totals) in WAYS.iter().zip(&mut totals) {
            ask_all(&blocks, *engine, *way, totals);
        }
    }
    println!("{questions} questions ({with_floats} with floats left out)");
    for ((name, ..), of) in WAYS.iter().zip(&totals) {
        println!(
            "{name:<38} {:>8.0} ms, {} sat, {} unsat ({:.0} ms), {} unknown; {} of {} clauses asserted",
            of.time.as_secs_f64() * 1e3,
            of.sat,
            of.unsat,
            of.time_of_unsat.as_secs_f64() * 1e3,
            of.unknown,
            of.asserted,
            of.clauses,
        );
        if of.clauses_of_cores > 0 {
            println!("{:<38} cores have {} of {} clauses", "", of.clauses_of_cores, of.clauses_of_unsat);
        }
    }
    ExitCode::SUCCESS
}

/// Asks the questions of one file in a context of their own.
fn ask_all(blocks: &[&str], engine: Engine, way: Way, totals: &mut Totals) {
    // SAFETY: everything made here is counted as Z3 asks for, and dies with the context at the end.
    unsafe {
        let config = Z3_mk_config().expect("a configuration");
        let c = Z3_mk_context_rc(config).expect("a context");
        Z3_del_config(config);
        Z3_set_error_handler(c, None);
        let questions: Vec<Vec<Z3_ast>> = blocks.iter().map(|block| parsed(c, block)).collect();
        let mut kept: Option<(Z3_solver, Vec<Z3_ast>)> = None;
        for clauses in &questions {
            let start = processor_time();
            let (solver, mut asserted) =
                kept.take().unwrap_or_else(|| (new_solver(c, engine, way), Vec::new()));
            let shared = asserted.iter().zip(clauses).take_while(|(old, new)| old == new).count();
            if asserted.len() > shared {
                Z3_solver_pop(c, solver, (asserted.len() - shared) as u32);
                asserted.truncate(shared);
            }
            for &clause in &clauses[shared..] {
                match way {
                    Way::Fresh => Z3_solver_assert(c, solver, clause),
                    Way::Kept => {
                        Z3_solver_push(c, solver);
                        Z3_solver_assert(c, solver, clause);
                    }
                    Way::Tracked => {
                        let name =
                            Z3_mk_fresh_const(c, c"clause".as_ptr(), Z3_mk_bool_sort(c).expect("a sort"));
                        Z3_solver_assert_and_track(c, solver, clause, name.expect("a constant"));
                    }
                }
                asserted.push(clause);
            }
            let decision = Z3_solver_check(c, solver);
            let mut core = 0;
            if decision == Z3_L_TRUE {
                let model = Z3_solver_get_model(c, solver).expect("a model");
                Z3_model_inc_ref(c, model);
                Z3_model_dec_ref(c, model);
            } else if decision == Z3_L_FALSE && way == Way::Tracked {
                let named = Z3_solver_get_unsat_core(c, solver).expect("a core");
                Z3_ast_vector_inc_ref(c, named);
                core = Z3_ast_vector_size(c, named) as usize;
                Z3_ast_vector_dec_ref(c, named);
            }
            if way == Way::Kept {
                kept = Some((solver, asserted));
            } else {
                Z3_solver_dec_ref(c, solver);
            }
            let took = processor_time() - start;
            totals.time += took;
            totals.clauses += clauses.len();
            totals.asserted += clauses.len() - shared;
            match decision {
                Z3_L_TRUE => totals.sat += 1,
                Z3_L_FALSE => {
                    totals.unsat += 1;
                    totals.time_of_unsat += took;
                    totals.clauses_of_unsat += clauses.len();
                    totals.clauses_of_cores += core;
                }
                _ => totals.unknown += 1,
            }
        }
        if let Some((solver, _)) = kept {
            Z3_solver_dec_ref(c, solver);
        }
        for clause in questions.into_iter().flatten() {
            Z3_dec_ref(c, clause);
        }
        Z3_del_context(c);
    }
}

/// The clauses of a block, each counted once.
///
/// # Safety
/// The context is alive.
unsafe fn parsed(c: Z3_context, block: &str) -> Vec<Z3_ast> {
    let said = block.lines().filter(|line| {
        !["(push", "(pop", "(check-sat", "(set-info"].iter().any(|command| line.starts_with(command))
    });
    let text = CString::new(said.collect::<Vec<&str>>().join("\n")).expect("text without a zero");
    use std::ptr::null;
    // SAFETY: see above.
    unsafe {
        let read = Z3_parse_smtlib2_string(c, text.as_ptr(), 0, null(), null(), 0, null(), null());
        let Some(read) = read.filter(|_| Z3_get_error_code(c) == ErrorCode::Ok) else {
            let error = CStr::from_ptr(Z3_get_error_msg(c, Z3_get_error_code(c)));
            panic!("{}\n{block}", error.to_string_lossy());
        };
        Z3_ast_vector_inc_ref(c, read);
        let clauses = (0..Z3_ast_vector_size(c, read)).filter_map(|at| Z3_ast_vector_get(c, read, at));
        let clauses: Vec<Z3_ast> = clauses.inspect(|clause| Z3_inc_ref(c, *clause)).collect();
        Z3_ast_vector_dec_ref(c, read);
        clauses
    }
}

/// A solver, counted once.
///
/// # Safety
/// The context is alive.
unsafe fn new_solver(c: Z3_context, engine: Engine, way: Way) -> Z3_solver {
    // SAFETY: see above.
    unsafe {
        let symbol = |name: &CStr| Z3_mk_string_symbol(c, name.as_ptr()).expect("a symbol");
        let solver = match engine {
            Engine::Smt => Z3_mk_simple_solver(c),
            Engine::BitVectors => Z3_mk_solver_for_logic(c, symbol(c"QF_BV")),
            Engine::Equations => {
                let tactic = |name: &CStr| {
                    let tactic = Z3_mk_tactic(c, name.as_ptr()).expect("a tactic");
                    Z3_tactic_inc_ref(c, tactic);
                    tactic
                };
                let steps = [c"simplify", c"solve-eqs", c"smt"].map(tactic);
                let then = |first, next| {
                    let both = Z3_tactic_and_then(c, first, next).expect("a tactic");
                    Z3_tactic_inc_ref(c, both);
                    both
                };
                let two = then(steps[0], steps[1]);
                let all = then(two, steps[2]);
                let solver = Z3_mk_solver_from_tactic(c, all);
                steps.into_iter().chain([two, all]).for_each(|tactic| Z3_tactic_dec_ref(c, tactic));
                solver
            }
        }
        .expect("a solver");
        Z3_solver_inc_ref(c, solver);
        let params = Z3_mk_params(c).expect("parameters");
        Z3_params_inc_ref(c, params);
        Z3_params_set_uint(c, params, symbol(c"rlimit"), RESOURCES);
        Z3_params_set_uint(c, params, symbol(c"random_seed"), 1);
        if way == Way::Tracked {
            Z3_params_set_bool(c, params, symbol(c"unsat_core"), true);
        }
        Z3_solver_set_params(c, solver, params);
        Z3_params_dec_ref(c, params);
        solver
    }
}

/// Time this process spent on a processor, which other load on the machine changes little.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes the structure it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
