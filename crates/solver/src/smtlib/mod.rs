//! Questions as SMT-LIB 2 text: what any other solver reads, and what is asked again later.
//!
//! [`write()`] takes a question and gives one block of a file that begins with [`HEADER`]; [`read()`] takes such a file and
//! gives the questions. A block stands between `(push 1)` and `(pop 1)` and needs nothing from the others:
//!
//! ```text
//! (push 1)
//! (set-info :source |parse_number, question 7|)
//! (set-info :input |0:2d 1:00|)                    the bytes of the current input
//! (declare-const in0 (_ BitVec 8))                 input bytes
//! (define-fun t0 () (_ BitVec 16) (concat in1 in0))
//! (assert (bvult t0 #x0010))                       one for each clause
//! ; flipped
//! (assert (= in0 #x2b))                            the last one must hold now, the others hold already
//! (set-info :status sat)                           our answer
//! (check-sat)
//! (pop 1)
//! ```
//!
//! One bit is a `Bool`. Floats are values of the floating-point theory; the bits of a computed one are a constant that is
//! declared and said to read back as it (the theory has one NaN, so which bits that has is left open). What is said in
//! other words than the theory's own has a name that both sides know: `long_double` (the value of 80 bits, of which one
//! follows from the others), `is_long_double` (that bit is in order), `table3_8` (a table with an index of 8 bits),
//! `f64_to_s32` (C's conversion as x86-64 does it). An operation without an exact translation is a function of which
//! nothing is known, and `(set-info :approximated …)` says so: of such a question only "unsat" is an answer.
//!
//! Never touches a file.

mod names;
mod read;
mod sexpr;
#[cfg(test)]
mod tests;
mod write;

pub use read::{ReadError, Recorded, blocks, read};
pub use write::{Asked, write};

/// What a file begins with.
pub const HEADER: &str = "\
(set-logic QF_UFBVFP)
(define-fun long_double ((x (_ BitVec 80))) (_ FloatingPoint 15 64)
  ((_ to_fp 15 64) (concat ((_ extract 79 64) x) ((_ extract 62 0) x))))
(define-fun is_long_double ((x (_ BitVec 80))) Bool
  (= (= ((_ extract 63 63) x) #b0) (= ((_ extract 78 64) x) #b000000000000000)))
";

/// What is known of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It has a model.
    Sat,
    /// It has none.
    Unsat,
    /// Nobody knows.
    Unknown,
}

impl Status {
    /// As SMT-LIB says it.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Sat => "sat",
            Status::Unsat => "unsat",
            Status::Unknown => "unknown",
        }
    }

    /// What a solver said, if it is one of the three.
    pub fn by_name(name: &str) -> Option<Status> {
        [Status::Sat, Status::Unsat, Status::Unknown].into_iter().find(|status| status.name() == name)
    }
}

impl From<&crate::Answer> for Status {
    fn from(answer: &crate::Answer) -> Status {
        match answer {
            crate::Answer::Sat(_) => Status::Sat,
            crate::Answer::Unsat => Status::Unsat,
            crate::Answer::Unknown(_) | crate::Answer::Optimistic(..) => Status::Unknown,
        }
    }
}

/// Exponent and significand bits of a float of so many bits, as SMT-LIB counts them.
const fn float_format(width: u16) -> (u16, u16) {
    match width {
        32 => (8, 24),
        64 => (11, 53),
        _ => (15, 64),
    }
}
