//! Strategies on hand-made programs, trees and graphs with known right choices: one file a strategy.

mod auto;
mod carfast;
mod cfg;
mod cgs;
mod counts;
mod dfs;
mod every;
mod expectation;
mod fitness;
mod generational;
mod graphs;
mod interleave;
mod knn;
mod pps;
mod random_branch;
mod restart;
mod session;
mod tabu;
mod uniform_random;

use crate::toy::Recorder;

/// Two nested conditions and one behind them: five paths, six branches.
fn nested(run: &mut Recorder) {
    if run.less(0, 0, 10) {
        run.less(1, 0, 5);
    }
    run.less(2, 1, 100);
}
