//! The chain of layers, outermost first.
//!
//! | layer | does |
//! |---|---|
//! | `meter` | counts questions and answers |
//! | `slice` | keeps the clauses that share input bytes with the flipped one, adds the domains of those bytes |
//! | `encoding` | adds which patterns of a long double are numbers |
//! | `check` | evaluates every model on the sliced query before it is believed |
//! | `simplify` | drops clauses that hold anyway, puts in bytes whose value is fixed |
//! | `cache` | answers the same sliced query from memory |
//! | `direct` | tries to give the compared bytes the value they are compared with |
//! | `finite` | tries the values of pointers and other parts that may only have a few |
//! | `guess` | tries values for the inputs of floating-point and other hard arithmetic |
//! | `near` | gives bytes of a model that need not change their current value back, and small values to others |
//! | `z3` | decides |

use crate::Solver;
use crate::cache::Cache;
use crate::check::Check;
use crate::direct::Direct;
use crate::encoding::Encoding;
use crate::finite::Finite;
use crate::guess::Guess;
use crate::meter::Meter;
use crate::near::Near;
use crate::simplify::Simplify;
use crate::slice::Slice;
use crate::z3::Z3;

/// The solver Tarka uses.
pub fn standard() -> Box<dyn Solver + Send> {
    let deciding = Guess::new(Near::new(Z3::new()));
    let trying = Direct::new(Finite::new(deciding));
    let answering = Simplify::new(Cache::new(trying));
    Box::new(Meter::new(Slice::new(Encoding::new(Check::new(answering)))))
}
