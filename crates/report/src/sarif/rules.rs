//! The kinds of fault as rules: what each means and what to do about it.

use tarka_events::FaultKind;

use super::model::{Configuration, Rule, Text};

/// The rule of a kind, by the kind's name in reports.
pub(super) fn rule(name: &str) -> Rule {
    let kind = FaultKind::from_name(name);
    // A baseline may speak of a kind that this version does not know.
    let (words, full, help) = match kind {
        Some(kind) => (kind.words(), meaning(kind), advice(kind)),
        None => ("a fault of a kind that this version does not know", "See the message.", "See the message."),
    };
    let text = |text: &str| Text { text: text.to_string() };
    Rule {
        id: name.to_string(),
        name: kind.map_or_else(|| "Other".to_string(), |kind| format!("{kind:?}")),
        short_description: text(&sentence(words)),
        full_description: text(full),
        help: text(help),
        default_configuration: Configuration { level: "error" },
    }
}

/// A phrase as a sentence.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// What happens, and what C says about it.
fn meaning(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::NullDereference => {
            "Memory is read or written through a null pointer, or at a small offset from one. C leaves the behaviour \
             undefined; most systems end the program."
        }
        FaultKind::WildDereference => {
            "Memory is read or written at an address that belongs to no object: a pointer that was never set, made from an \
             integer, or moved far away."
        }
        FaultKind::Misaligned => {
            "An object is accessed at an address that is not a multiple of what its type asks for. C leaves the behaviour \
             undefined; some processors end the program, and compilers rely on it not happening."
        }
        FaultKind::OutOfBounds => {
            "Memory before or after an object is read or written. What is there belongs to something else, or to nothing."
        }
        FaultKind::UseAfterFree => {
            "An allocated object is read or written after it was freed. Its memory may already belong to another object."
        }
        FaultKind::DoubleFree => {
            "The same allocation is freed twice, which damages the allocator's own data."
        }
        FaultKind::InvalidFree => {
            "Something is freed that is not the start of an allocated object: a local or global object, or the middle of one."
        }
        FaultKind::UseAfterReturn => {
            "A local object is read or written after its function returned or its block ended, when its memory may hold \
             something else."
        }
        FaultKind::Uninitialised => {
            "What the program does depends on memory that nothing was written to. It can be anything, and differ from run to \
             run."
        }
        FaultKind::SignedOverflow => {
            "The mathematical result of signed integer arithmetic does not fit the type. C leaves the behaviour undefined; \
             compilers rely on it not happening."
        }
        FaultKind::Shift => {
            "The distance of a shift is negative or not less than the width of the type, or a left shift moves bits out of a \
             signed type. C leaves the behaviour undefined."
        }
        FaultKind::DivisionByZero => {
            "The right operand of an integer / or % is zero. C leaves the behaviour undefined."
        }
        FaultKind::DivisionOverflow => {
            "The smallest value of a signed type is divided by -1 with / or %; the quotient does not fit the type. C leaves \
             the behaviour undefined."
        }
        FaultKind::FloatConversion => {
            "A floating-point value, without its fraction, is outside the range of the integer type it is converted to. C \
             leaves the behaviour undefined."
        }
        FaultKind::PointerArithmetic => {
            "Pointer arithmetic gives an address that its object does not have, wraps around, or starts from null. C leaves \
             the behaviour undefined even if nothing is accessed there."
        }
        FaultKind::Assertion => "The condition of an assert is false.",
        FaultKind::Abort => "The program ends itself with abort().",
        FaultKind::StackOverflow => "The call stack is full, mostly because a recursion does not end.",
        FaultKind::Leak => "An allocated object was not freed, and no pointer to it is left.",
        FaultKind::Timeout => {
            "The function does not return within the time limit of a run, mostly because a loop does not end."
        }
        FaultKind::OutOfMemory => "The function asks for more memory than the limit of a run allows.",
        FaultKind::Undefined => {
            "The program does something that C leaves undefined, and that has no kind of its own here."
        }
        FaultKind::Signal => "A signal that has no kind of its own here ends the program.",
        FaultKind::UnsignedOverflow => {
            "The mathematical result of unsigned arithmetic does not fit the type and wraps around. C defines the result; it is \
             often not the one that was meant."
        }
        FaultKind::ImplicitConversion => {
            "An implicit conversion changes the value or its sign. C defines the result or leaves it to the \
             implementation; it is often not the one that was meant."
        }
        FaultKind::FloatDivision => {
            "A floating-point number is divided by zero. IEEE 754 defines the result as infinite or not a number; it is often \
             not expected."
        }
        FaultKind::NullWithZero => {
            "0 is added to a null pointer, or a library function is given a null pointer and the length 0. C17 leaves that \
             undefined; machines do nothing, but a compiler may conclude that the pointer is not null."
        }
        FaultKind::OutsideEffect => {
            "The function changes or reaches something outside the test's own folder and process: a file, a program, the \
             network, another process. It was refused, and the function went on with the error."
        }
    }
}

/// What to do about it.
fn advice(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::NullDereference => {
            "Check the pointer before it is used, or state that callers must not pass null."
        }
        FaultKind::WildDereference => {
            "Find where the pointer gets its value: it must point to an object when it is used."
        }
        FaultKind::Misaligned => {
            "Copy the bytes with memcpy, or see that the object is aligned for its type."
        }
        FaultKind::OutOfBounds => {
            "Compare the index or length with the size of the object before the access."
        }
        FaultKind::UseAfterFree => {
            "Use the object before it is freed, and set pointers to it to null afterwards."
        }
        FaultKind::DoubleFree => "Free it in one place only, or set the pointer to null after it is freed.",
        FaultKind::InvalidFree => "Free exactly what malloc, calloc, realloc or strdup returned.",
        FaultKind::UseAfterReturn => "Return a copy, let the caller give the object, or allocate it.",
        FaultKind::Uninitialised => "Give the object a value on every path to the place where it is read.",
        FaultKind::SignedOverflow => {
            "Check the operands first, use a wider type, or __builtin_add_overflow and its kin."
        }
        FaultKind::Shift => "Check the distance against the width of the type, and shift unsigned values.",
        FaultKind::DivisionByZero => "Check that the divisor is not zero.",
        FaultKind::DivisionOverflow => "Treat a divisor of -1 apart, or check for the smallest value first.",
        FaultKind::FloatConversion => {
            "Compare the value with the limits of the integer type first, and mind NaN."
        }
        FaultKind::PointerArithmetic => "Compare indices and lengths instead of pointers outside the object.",
        FaultKind::Assertion => {
            "Either the condition can be false and must be handled, or what leads there is wrong."
        }
        FaultKind::Abort => "Handle the case that leads there, or keep callers from it.",
        FaultKind::StackOverflow => "Bound the depth of the recursion, or write it as a loop.",
        FaultKind::Leak => "Free the object on every path, early returns included, or hand it to the caller.",
        FaultKind::Timeout => {
            "See that every turn of the loop comes closer to its end, also for the smallest and largest input."
        }
        FaultKind::OutOfMemory => "Bound the size before it is allocated.",
        FaultKind::Undefined => "The message says what the sanitizers of clang saw; the fault file shows it.",
        FaultKind::Signal => "Open the fault file in a debugger: tarka replay DIR NAME --gdb.",
        FaultKind::UnsignedOverflow => {
            "If wrapping is meant, leave this kind out of --faults; else check the operands first."
        }
        FaultKind::ImplicitConversion => {
            "If the change is meant, write a cast; else use a type that holds every value."
        }
        FaultKind::FloatDivision => "Check the divisor, or the result with isfinite.",
        FaultKind::NullWithZero => "Check the length first, or leave this kind out of --faults.",
        FaultKind::OutsideEffect => {
            "If the function shall do this in tests, say so: --allow write=DIR, net or exec; else put the call into a function \
             of its own, which a test can replace."
        }
    }
}
