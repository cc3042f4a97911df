//! How a fault is shown on the plain program: what the compiler must watch, and what of it is this fault.
//!
//! Takes a kind of fault; gives flags, options of the sanitizers, the signals that mean it without them, and whether an
//! sanitizer report is the same thing. Never: compiling, running.

use tarka_events::FaultKind;

use crate::replay::sanitize::{NO_RECOVERY, SANITIZERS};

/// The flags that make the sanitizers report a kind of fault; none if they cannot. A program that `goes_on` after what
/// they object to shows what comes later, too.
pub(crate) fn sanitizers(kind: FaultKind, goes_on: bool) -> &'static [&'static str] {
    match (kind, goes_on) {
        (FaultKind::Timeout | FaultKind::OutsideEffect, _) => &[],
        (FaultKind::Uninitialised, false) => &["-fsanitize=memory"],
        (FaultKind::Uninitialised, true) => &["-fsanitize=memory", "-fsanitize-recover=memory"],
        // Part of clang's `undefined`, not of gcc's.
        (FaultKind::FloatConversion, false) => {
            &["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"]
        }
        (FaultKind::FloatConversion, true) => {
            &["-fsanitize=address,undefined,float-cast-overflow", "-fsanitize-recover=all"]
        }
        (FaultKind::UnsignedOverflow, false) => {
            &["-fsanitize=address,undefined,unsigned-integer-overflow", "-fno-sanitize-recover=all"]
        }
        (FaultKind::UnsignedOverflow, true) => {
            &["-fsanitize=address,undefined,unsigned-integer-overflow", "-fsanitize-recover=all"]
        }
        (FaultKind::ImplicitConversion, false) => {
            &["-fsanitize=address,undefined,implicit-conversion", "-fno-sanitize-recover=all"]
        }
        (FaultKind::ImplicitConversion, true) => {
            &["-fsanitize=address,undefined,implicit-conversion", "-fsanitize-recover=all"]
        }
        (FaultKind::FloatDivision, false) => {
            &["-fsanitize=address,undefined,float-divide-by-zero", "-fno-sanitize-recover=all"]
        }
        (FaultKind::FloatDivision, true) => {
            &["-fsanitize=address,undefined,float-divide-by-zero", "-fsanitize-recover=all"]
        }
        (_, false) => &[SANITIZERS, NO_RECOVERY],
        (_, true) => &[SANITIZERS, "-fsanitize-recover=address"],
    }
}

/// What AddressSanitizer is asked for at run time; empty if its usual ways do.
pub(crate) fn address_options(kind: FaultKind, goes_on: bool) -> String {
    let own = match kind {
        FaultKind::Leak => "detect_leaks=1:detect_stack_use_after_return=0",
        FaultKind::UseAfterReturn => "detect_stack_use_after_return=1:detect_leaks=0",
        FaultKind::Assertion | FaultKind::Abort => "handle_abort=1:detect_leaks=0",
        FaultKind::OutOfMemory => "max_allocation_size_mb=1024:detect_leaks=0",
        _ if goes_on => "detect_leaks=0",
        _ => return String::new(),
    };
    let null = if kind == FaultKind::OutOfMemory { "" } else { ":allocator_may_return_null=1" };
    if goes_on { format!("{own}:halt_on_error=0{null}") } else { own.to_string() }
}

/// Who reports it, and why not the usual two.
pub(crate) fn reporter(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Uninitialised => "MemorySanitizer report it; -fsanitize=address,undefined cannot show it",
        FaultKind::Leak => "LeakSanitizer, a part of AddressSanitizer, report it",
        _ => "the sanitizers report it",
    }
}

/// The signals that confirm a kind of fault without sanitizers.
pub(crate) fn signals(kind: FaultKind) -> &'static [i32] {
    match kind {
        FaultKind::NullDereference | FaultKind::WildDereference | FaultKind::StackOverflow => {
            &[libc::SIGSEGV, libc::SIGBUS]
        }
        FaultKind::DivisionByZero | FaultKind::DivisionOverflow => &[libc::SIGFPE],
        FaultKind::Assertion | FaultKind::Abort | FaultKind::DoubleFree | FaultKind::InvalidFree => {
            &[libc::SIGABRT]
        }
        FaultKind::Timeout => &[libc::SIGALRM],
        FaultKind::OutOfMemory => &[libc::SIGKILL, libc::SIGABRT],
        FaultKind::Signal => &[
            libc::SIGSEGV,
            libc::SIGBUS,
            libc::SIGABRT,
            libc::SIGFPE,
            libc::SIGILL,
            libc::SIGTRAP,
            libc::SIGSYS,
        ],
        _ => &[],
    }
}

/// Whether a sanitizer report of one kind can be a fault of another: the same thing, seen differently.
pub(crate) fn is_same(sanitizer_report: FaultKind, fault: FaultKind) -> bool {
    use FaultKind::*;
    sanitizer_report == fault
        || match fault {
            // An address outside its object may lie in no object at all, and a null pointer plus an index anywhere.
            NullDereference => sanitizer_report == WildDereference,
            WildDereference => matches!(sanitizer_report, NullDereference | OutOfBounds),
            OutOfBounds => matches!(sanitizer_report, WildDereference | NullDereference),
            UseAfterFree | UseAfterReturn => sanitizer_report == WildDereference,
            DivisionByZero => sanitizer_report == DivisionOverflow,
            // Both are reported in the same words.
            DivisionOverflow | FloatDivision => sanitizer_report == DivisionByZero,
            Assertion => sanitizer_report == Abort,
            // Where execution must not go, the compiler puts an instruction that ends the program.
            Signal => matches!(sanitizer_report, Undefined | Abort | WildDereference),
            Undefined => !matches!(sanitizer_report, Leak | Uninitialised | Timeout),
            _ => false,
        }
}

/// Kinds that are reported where they come to light, which need not be the line that is to blame.
pub(crate) fn is_placed_elsewhere(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::StackOverflow | FaultKind::OutOfMemory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_but_two_has_a_sanitizer() {
        for &kind in FaultKind::ALL {
            let has_none = matches!(kind, FaultKind::Timeout | FaultKind::OutsideEffect);
            assert_eq!(sanitizers(kind, false).is_empty(), has_none, "{kind:?}");
            assert!(is_same(kind, kind));
        }
    }

    #[test]
    fn undefined_arithmetic_is_no_bad_address() {
        assert!(!is_same(FaultKind::SignedOverflow, FaultKind::OutOfBounds));
        assert!(!is_same(FaultKind::OutOfBounds, FaultKind::SignedOverflow));
        assert!(!is_same(FaultKind::PointerArithmetic, FaultKind::NullDereference));
        assert!(is_same(FaultKind::WildDereference, FaultKind::OutOfBounds));
    }
}
