//! How a run ended.

macro_rules! numbered {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $number:literal $c_name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        #[repr(u32)]
        pub enum $name { $($(#[$doc])* $variant = $number,)* }

        impl $name {
            /// Every variant, in numeric order.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];
            /// The variant with this number.
            pub fn from_u32(number: u32) -> Option<$name> {
                Self::ALL.iter().copied().find(|kind| *kind as u32 == number)
            }
            /// The name of the C constant after its prefix.
            pub const fn c_name(self) -> &'static str { match self { $($name::$variant => $c_name,)* } }
        }
    };
}

numbered! {
    /// Why a run is over. The number 0 in the header means it never said.
    EndKind {
        /// The unit returned.
        Returned = 1 "RETURNED",
        /// The unit called `exit` or the like; code = status.
        Exited = 2 "EXITED",
        /// A signal; code = its number, `fault_address` = where it pointed.
        Signal = 3 "SIGNAL",
        /// A fault seen by the runtime; code = [`crate::FaultKind`].
        Fault = 4 "FAULT",
        /// The time limit was reached; code = 1 if only by the clock, without using the processor for as
        /// long; 2 if a stub without answers was asked again and again.
        Timeout = 5 "TIMEOUT",
        /// The memory limit was reached.
        Memory = 6 "MEMORY",
        /// The unit went past the end of an input object whose size was our guess: not a fault, an input bound.
        InputBound = 7 "INPUT_BOUND",
        /// The target ended before the unit was called.
        BeforeUnit = 8 "BEFORE_UNIT",
        /// The input does not meet a precondition; code = its number in the unit, -1 for an assumption of the unit
        /// itself, -2 if it makes a library function answer what that never answers.
        Assumption = 9 "ASSUMPTION",
    }
}
