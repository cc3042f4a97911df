//! What an entry of the table says, with facts and bounds as types of their own.
//!
//! Takes nothing; gives the types. A [`Fact`] is made in this crate only, and a [`Bound`] has no way to become one.
//! Never: which functions there are (see the table).

use std::fmt;

use crate::LibraryInput;

/// What C, POSIX or Linux promise of a function. A proof may rest on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact<T>(T);

impl<T: Copy> Fact<T> {
    pub(crate) const fn new(what: T) -> Fact<T> {
        Fact(what)
    }

    /// What is promised.
    pub const fn get(self) -> T {
        self.0
    }
}

/// Something the function can do and Tarka does not try. No proof may rest on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// What one call does at most: `delivers`.
    pub does: &'static str,
    /// How much of it is tried.
    pub most: u64,
    /// What is counted: `bytes`.
    pub of: &'static str,
}

impl Bound {
    /// The bound of a function, in words.
    pub fn words(&self, function: &str) -> String {
        format!("one call of `{function}` {self}")
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} at most {} {}", self.does, self.most, self.of)
    }
}

/// One function.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What it is called in C.
    pub name: &'static str,
    /// What instrumented code calls instead. `tkm_*` are models: instrumented C that computes the same. `tkw_*` are
    /// wrappers in the runtime object: not instrumented, they keep the books of the heap or end the run.
    pub instead: Option<&'static str>,
    /// It prints, releases or ends, or its answer follows from its arguments: nothing of it can decide a condition that
    /// depends on no input.
    pub gives_nothing: bool,
    /// The parameters that must not be null, whatever the others are. Positions are from 0 on.
    pub needs: Fact<&'static [u32]>,
    /// What it may answer, where `--env` can make that an input.
    pub answers: Option<Answers>,
}

/// What a function may answer.
#[derive(Clone, Copy, Debug)]
pub struct Answers {
    /// What the user calls these answers.
    pub input: LibraryInput,
    /// How many parameters it has. Another number: it is something else under the same name.
    pub params: usize,
    /// What it returns.
    pub result: Fact<Results>,
    /// What it writes behind its parameters.
    pub fills: Fact<Fills>,
    /// What it does to `errno`.
    pub errno: Fact<Errno>,
    /// How many of the bytes that it delivers are inputs; what comes behind them is zero.
    pub delivers: Option<Bound>,
    /// They are inputs even if nobody asks: no call of the function is safe, whatever the program does.
    pub unasked: bool,
}

/// What a function returns. Positions are those of parameters, from 0 on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Results {
    /// Any value of its type.
    Any,
    /// A number from the first to the second.
    Between(i64, i64),
    /// A floating-point number `0 <= x < 1`.
    Fraction,
    /// How much arrived: from `least` to what the parameter at `most` says.
    UpTo {
        /// What it gives when it fails.
        least: i64,
        /// The parameter that says how much is asked for.
        most: u32,
        /// A parameter and a flag in it with which the result may be more than what is asked for and arrives.
        beyond: Option<(u32, u64)>,
    },
    /// How many items arrived: from 0 to what the parameter at `most` says; none if items have no `size`.
    Items {
        /// The parameter that says how many bytes an item has.
        size: u32,
        /// The parameter that says how many items are asked for.
        most: u32,
    },
    /// The buffer with a line of fewer characters than the parameter at `room` says, whose only newline is its last
    /// character; or null. A line has at least one character, if there is room for one.
    ///
    /// `gets` has no such parameter: any line, without its newline, and an empty one is one as well.
    Line {
        /// The parameter that says how many bytes the buffer has.
        room: Option<u32>,
    },
    /// A string, or null.
    Text,
    /// A block of memory, or null if there is none.
    Memory,
}

/// What a function writes behind its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fills {
    /// Nothing.
    Nothing,
    /// Its result, too, behind the parameter at this position, if that is not null.
    Result(u32),
    /// Objects behind the parameter at this position, unless it fails: so many.
    Objects(u32, u64),
    /// What arrives, behind the parameter at this position.
    Arriving(u32),
}

/// What a function does to `errno`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Errno {
    /// It leaves it alone.
    Untouched,
    /// It may set it to a positive number.
    MayBeSet,
    /// It may set it to a positive number, and does so where the result is negative.
    SetOnFailure,
}

impl Errno {
    /// What it may be set to; 0 stands for leaving it alone. POSIX: numbers of errors are positive. The largest one
    /// that Linux documents is 133, but file systems and drivers hand out others.
    pub const VALUES: Fact<(i64, i64)> = Fact::new((0, i32::MAX as i64));
}

impl Fact<Results> {
    /// First and last of the numbers that stand for a result in an input. Memory is 0 (works as always) or 1 (fails), a
    /// line its number of characters (0: null), one more where a line may be empty; what a parameter limits is open to the end of its type.
    pub fn numbers(self) -> Option<Fact<(i64, i64)>> {
        let numbers = match self.get() {
            Results::Any | Results::Items { .. } | Results::Fraction | Results::Text => return None,
            Results::Between(first, last) => (first, last),
            Results::UpTo { least, .. } => (least, i64::MAX),
            Results::Line { .. } => (0, i32::MAX as i64),
            Results::Memory => (0, 1),
        };
        Some(Fact(numbers))
    }
}

impl Fact<(i64, i64)> {
    /// What of the numbers a type with these limits has; `None` if that is all that the type has.
    pub fn within(self, least: i128, most: i128) -> Option<Fact<(i64, i64)>> {
        let (first, last) = self.get();
        let clip = |number: i64| i128::from(number).clamp(least, most) as i64;
        let is_whole = i128::from(first) <= least && i128::from(last) >= most;
        (!is_whole).then(|| Fact((clip(first), clip(last))))
    }
}

impl Results {
    /// True if it returns a pointer.
    pub fn is_pointer(self) -> bool {
        matches!(self, Results::Line { .. } | Results::Text | Results::Memory)
    }
}
