//! The kinds of fault, each with its number (as a target writes it), its name (as users write it) and its words.

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $number:literal $c_name:literal $name:literal $words:literal,)*) => {
        /// What kind of fault.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        #[repr(u32)]
        pub enum FaultKind { $($(#[$doc])* $variant = $number,)* }

        impl FaultKind {
            /// Every kind, in numeric order.
            pub const ALL: &'static [FaultKind] = &[$(FaultKind::$variant,)*];
            /// The name of the C constant after its prefix.
            pub const fn c_name(self) -> &'static str { match self { $(FaultKind::$variant => $c_name,)* } }
            /// The name in reports and on the command line.
            pub const fn name(self) -> &'static str { match self { $(FaultKind::$variant => $name,)* } }
            /// What it is, in a phrase that begins with a small letter.
            pub const fn words(self) -> &'static str { match self { $(FaultKind::$variant => $words,)* } }
        }
    };
}

kinds! {
    /// A null pointer, or one near it, is dereferenced.
    NullDereference = 1 "NULL_DEREFERENCE" "null-dereference" "a null pointer is dereferenced",
    /// An address is accessed where there is nothing.
    WildDereference = 2 "WILD_DEREFERENCE" "wild-dereference" "an address is accessed that belongs to nothing",
    /// An address is not aligned as its type needs it.
    Misaligned = 3 "MISALIGNED" "misaligned" "an address is accessed that is not aligned for its type",
    /// An access outside the object it was meant for.
    OutOfBounds = 4 "OUT_OF_BOUNDS" "out-of-bounds" "memory outside the object is accessed",
    /// A heap or input object is used after it was freed.
    UseAfterFree = 5 "USE_AFTER_FREE" "use-after-free" "an object is used after it was freed",
    /// Freed twice.
    DoubleFree = 6 "DOUBLE_FREE" "double-free" "an object is freed twice",
    /// Freed without having been allocated.
    InvalidFree = 7 "INVALID_FREE" "invalid-free" "something is freed that was not allocated",
    /// A local object is used after its function returned.
    UseAfterReturn = 8 "USE_AFTER_RETURN" "use-after-return" "a local object is used after its function returned",
    /// An uninitialised value is used.
    Uninitialised = 9 "UNINITIALISED" "uninitialised-read" "memory is read that was never written",
    /// Signed arithmetic whose result does not fit.
    SignedOverflow = 10 "SIGNED_OVERFLOW" "signed-overflow" "the result of signed arithmetic does not fit its type",
    /// A shift by too much or by a negative amount, or a left shift of what does not fit.
    Shift = 11 "SHIFT" "shift" "a shift has no defined result",
    /// An integer is divided by zero.
    DivisionByZero = 12 "DIVISION_BY_ZERO" "division-by-zero" "an integer is divided by zero",
    /// The smallest integer is divided by -1.
    DivisionOverflow = 13 "DIVISION_OVERFLOW" "division-overflow" "the smallest integer is divided by -1",
    /// A floating-point number is converted to an integer type that cannot hold it.
    FloatConversion = 14 "FLOAT_CONVERSION" "float-conversion"
        "a floating-point number is converted to an integer type that cannot hold it",
    /// A pointer is moved past what it can point to.
    PointerArithmetic = 15 "POINTER_ARITHMETIC" "pointer-arithmetic" "pointer arithmetic has no defined result",
    /// `assert` failed.
    Assertion = 16 "ASSERTION" "assertion" "an assertion fails",
    /// `abort` was called.
    Abort = 17 "ABORT" "abort" "abort() is called",
    /// The stack is full.
    StackOverflow = 18 "STACK_OVERFLOW" "stack-overflow" "the stack is full",
    /// Memory was allocated that nothing points to any more.
    Leak = 19 "LEAK" "leak" "allocated memory is lost",
    /// The time limit of a run was reached.
    Timeout = 20 "TIMEOUT" "timeout" "the unit does not end in time",
    /// The memory limit of a run was reached.
    OutOfMemory = 21 "OUT_OF_MEMORY" "out-of-memory" "more memory is asked for than the limit allows",
    /// Undefined behaviour of a kind without a name of its own.
    Undefined = 22 "UNDEFINED" "undefined-behaviour" "the behaviour is undefined",
    /// A signal of another kind ended the unit.
    Signal = 23 "SIGNAL" "signal" "a signal ends the unit",
    /// Unsigned arithmetic that wraps around: defined, and often a mistake.
    UnsignedOverflow = 24 "UNSIGNED_OVERFLOW" "unsigned-overflow" "unsigned arithmetic wraps around",
    /// An implicit conversion that changes the value: defined or implementation-defined, and often a mistake.
    ImplicitConversion = 25 "IMPLICIT_CONVERSION" "implicit-conversion" "an implicit conversion changes the value",
    /// A floating-point number is divided by zero: defined by IEEE 754, and often a mistake.
    FloatDivision = 26 "FLOAT_DIVISION" "float-division" "a floating-point number is divided by zero",
    /// `NULL + 0`, or a library function that is given null and the length 0: undefined in C17, harmless on every machine
    /// there is, and defined from C2y on.
    NullWithZero = 27 "NULL_WITH_ZERO" "null-with-zero" "a null pointer is used with a length or an offset of 0",
    /// Something outside the unit's own folder and process is changed or reached: a file, a program, the network.
    OutsideEffect = 28 "OUTSIDE_EFFECT" "outside-effect" "something outside the test is reached for, and refused",
}

impl FaultKind {
    /// The kind with this number.
    pub fn from_u32(number: u32) -> Option<FaultKind> {
        Self::ALL.iter().copied().find(|kind| *kind as u32 == number)
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<FaultKind> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// Looked for unless the user says otherwise: what C leaves undefined and what ends a program. What C defines is a
    /// matter of taste, and so is what does no harm.
    pub const fn is_default(self) -> bool {
        !matches!(
            self,
            FaultKind::UnsignedOverflow
                | FaultKind::ImplicitConversion
                | FaultKind::FloatDivision
                | FaultKind::NullWithZero
        )
    }

    /// A run that shows it can still be a test: what happens next does not depend on it.
    pub const fn leaves_a_test(self) -> bool {
        matches!(self, FaultKind::Leak | FaultKind::NullWithZero)
    }
}

/// A set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FaultSet(u64);

impl FaultSet {
    /// None.
    pub const NONE: FaultSet = FaultSet(0);

    /// Every kind.
    pub fn all() -> FaultSet {
        FaultKind::ALL.iter().fold(FaultSet::NONE, |set, &kind| set.with(kind))
    }

    /// The set with a kind in it.
    pub const fn with(self, kind: FaultKind) -> FaultSet {
        FaultSet(self.0 | 1 << kind as u32)
    }

    /// The set without a kind.
    pub const fn without(self, kind: FaultKind) -> FaultSet {
        FaultSet(self.0 & !(1 << kind as u32))
    }

    /// Whether a kind is in it.
    pub const fn has(self, kind: FaultKind) -> bool {
        self.0 >> kind as u32 & 1 == 1
    }
}

impl Default for FaultSet {
    fn default() -> FaultSet {
        let kinds = FaultKind::ALL.iter().filter(|kind| kind.is_default());
        kinds.fold(FaultSet::NONE, |set, &kind| set.with(kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_find_their_kind() {
        for &kind in FaultKind::ALL {
            assert_eq!(FaultKind::from_u32(kind as u32), Some(kind));
            assert_eq!(FaultKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(FaultKind::from_name("segfault"), None);
    }

    #[test]
    fn what_c_defines_is_only_looked_for_on_request() {
        let usual = FaultSet::default();
        assert!(usual.has(FaultKind::SignedOverflow) && !usual.has(FaultKind::UnsignedOverflow));
        assert!(!usual.without(FaultKind::Leak).has(FaultKind::Leak));
        assert!(FaultSet::all().has(FaultKind::FloatDivision) && !FaultSet::NONE.has(FaultKind::Abort));
    }
}
