//! The integration tests of this crate in one program, so that it is linked once.

mod alone;
mod hanging;
mod random;

mod brute_force;
mod domains;
mod floats;
mod forks;
mod library;
mod limits;
mod queries;
mod second_opinion;
mod translation;
mod wide_integers;
