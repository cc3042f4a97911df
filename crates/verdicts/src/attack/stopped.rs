//! Why the target did not follow the plain program.
//!
//! Takes how the target's run ended; gives the doubt that this leaves, or none if nothing is to blame. Never: running anything.

use tarka_events::Cause;
use tarka_runner::End;
use tarka_source::Place;
use tarka_trace::FaultKind;

use crate::doubt::Doubt;

/// Why the target stopped before the plain program did, or what the plain program went on through; `None` if nothing is to blame.
pub fn stopped(
    end: End,
    stack_overflow: bool,
    place: Option<Place>,
    fault: Option<(FaultKind, Option<Place>)>,
    stub_exhausted: bool,
) -> Option<Doubt> {
    let doubt = |cause, what: String, place: Option<Place>, advice: &str| {
        let at = place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
        let reason = format!("an input takes it on the plain program, {what}{at}");
        Some(Doubt { place, ..Doubt::new(cause, reason).advising(advice) })
    };
    let undefined = |what: String, place| {
        let advice = "fix that first, or rule such inputs out with `--assume`";
        doubt(Cause::Fault, what, place, advice)
    };
    let too_long = |what: &str, place| {
        doubt(Cause::Stopped, what.to_string(), place, "bound the input with `--assume`, so that runs end")
    };
    match end {
        _ if stack_overflow => too_long("where the run ends here with a full stack", place),
        End::Timeout | End::Memory => too_long("where the run takes too much time or memory here", place),
        End::InputBound => {
            let what = "after the end of an object whose size is a guess".to_string();
            doubt(Cause::Bound, what, place, "raise `elements` or `string` in tarka.toml")
        }
        // These are what the program does, and nothing is undefined about them.
        End::Fault(FaultKind::Abort | FaultKind::Assertion) => None,
        End::Fault(kind) => undefined(format!("after a fault ({})", kind.name()), place),
        End::Signal { .. } => undefined("after a crash".to_string(), place),
        _ if stub_exhausted => {
            let what = "after a stub was called more often than it has values".to_string();
            doubt(Cause::Stub, what, None, "raise `stub_calls` in tarka.toml")
        }
        _ => {
            let (kind, place) = fault?;
            undefined(format!("after a fault ({})", kind.name()), place)
        }
    }
}
