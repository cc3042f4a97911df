//! The integration tests of this crate in one program, so that it is linked once.

mod c;
mod random;

mod advice;
mod aim;
mod attack;
mod classes;
mod classes_kept;
mod classes_looks;
mod coverage;
mod defects;
mod environment;
mod faults;
mod faults_life;
mod faults_memory;
mod growth;
mod infeasible;
mod long_runs;
mod optimistic;
mod preconditions;
mod self_check;
mod simplest;
