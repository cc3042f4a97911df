//! What a run costs, in a process that is kept and in one of its own, beside a bare fork of the same process: `cargo run --release -p tarka-runner --example fork_cost`.
//!
//! The target is hand-written: it binds two inputs, walks a loop of symbolic conditions and returns.

#![expect(clippy::disallowed_macros, reason = "an example that shows a table")]

#[path = "../tests/common/mod.rs"]
#[allow(dead_code)] // the tests use all of it
mod common;

use std::time::Instant;

use common::{Target, address, pointee, root, run_with};
use tarka_runner::Processes;

const TARGET: &str = "
    uint32_t x; unsigned char *p;
    void __tk_drive(unsigned loops) {
      tk_bind(&x, 4, 0); tk_bind(&p, 8, 8);
      uint32_t l = tkf_load(0, &x, 0, 4);
      for (unsigned i = 0; i < loops; i++) {
        uint32_t b = tkf_unary(TK_OP_ZEXT, 32, tkf_load(1, p + i % 64, 0, 1));
        l = tkf_binary(TK_OP_ADD, 32, 32, l, b, x, 1);
        tkf_condition(2, 0, x > i, tkf_binary(TK_OP_ULT, 1, 32, 0, l, i, x));
      }
      tk_result(&x, 4, tk_bind);
    }";

fn main() {
    let target = Target::new(TARGET);
    let mut server = target.start();
    let input = [root(0, &[1, 0, 0, 0]), root(8, &address(64).to_le_bytes()), pointee(64, &[7; 64])];
    println!("{:>12} {:>12} {:>12} {:>12} {:>8}", "conditions", "kept µs", "forked µs", "bare µs", "ratio");
    for conditions in [0, 10, 100, 1_000, 10_000] {
        let (mut runs_us, mut bare_us) = ([f64::MAX; 2], f64::MAX);
        // The best of several rounds: the rest is other processes' noise.
        for _ in 0..200 {
            let count = 20;
            for (processes, run_us) in [Processes::Kept, Processes::Forked].into_iter().zip(&mut runs_us) {
                server.set_processes(processes);
                let begin = Instant::now();
                for _ in 0..count {
                    run_with(&mut server, &input, |request| request.unit = conditions);
                }
                *run_us = run_us.min(begin.elapsed().as_secs_f64() * 1e6 / f64::from(count));
            }
            let bare = server.bare_forks(count).expect("the server lives");
            bare_us = bare_us.min(bare.as_secs_f64() * 1e6 / f64::from(count));
        }
        let [kept_us, forked_us] = runs_us;
        let ratio = forked_us / kept_us;
        println!("{conditions:>12} {kept_us:>12.1} {forked_us:>12.1} {bare_us:>12.1} {ratio:>8.2}");
    }
}
