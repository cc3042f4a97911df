//! Why something that no run did may still be possible, and what to change to find out.
//!
//! Takes what was lost on the way, and which of it matters for a goal; gives the first doubt that remains, or none.
//! Never: proofs.

use tarka_events::{Cause, FaultKind, Verdict};
use tarka_inputs::{OnlyNull, ShapeLimits};
use tarka_instrument::{Unowned, UnownedKind};
use tarka_source::{Place, Stub};

use crate::losses::{Counts, Losses};
use crate::obstacles::{Concretised, Obstacles};
use crate::since::Since;
use crate::words::count;

/// What keeps a goal from being proved infeasible, and what to change to get further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// What kind of thing stands in the way.
    pub cause: Cause,
    /// Where it stands.
    pub place: Option<Place>,
    /// What it is, in words.
    pub reason: String,
    /// What to change.
    pub advice: Option<String>,
}

impl Doubt {
    /// Without a place and advice.
    pub fn new(cause: Cause, reason: impl Into<String>) -> Doubt {
        Doubt { cause, place: None, reason: reason.into(), advice: None }
    }

    /// With the place of what stands in the way.
    pub fn at(self, place: &Place) -> Doubt {
        Doubt { place: Some(place.clone()), ..self }
    }

    /// With what to change to get further.
    pub(crate) fn advising(self, advice: impl Into<String>) -> Doubt {
        Doubt { advice: Some(advice.into()), ..self }
    }

    /// As the verdict on a goal.
    pub fn verdict(self) -> Verdict {
        let Doubt { cause, place, reason, advice } = self;
        Verdict::Unknown { cause, place, reason, advice }
    }
}

/// Everything that may leave a doubt.
pub struct Doubts<'a> {
    /// What was lost on the way.
    pub losses: &'a Losses,
    /// What blocks proofs whatever the size of inputs.
    pub obstacles: &'a Obstacles,
    /// The limits of the last epoch.
    pub limits: &'a ShapeLimits,
    /// How often a stub has a value.
    pub stub_calls: u32,
    /// What stands in for functions that nobody defines.
    pub stubs: &'a [Stub],
}

impl Doubts<'_> {
    /// The first doubt that `matters` says has a part in a goal.
    pub fn first(&self, matters: &dyn Fn(Since) -> bool) -> Option<Doubt> {
        self.concretised(matters)
            .or_else(|| self.stub_cut(matters))
            .or_else(|| self.unrepeatable(matters))
            .or_else(|| self.stub())
            .or_else(|| self.bound(matters))
            .or_else(|| self.fault(matters))
            .or_else(|| self.unowned(matters))
            .or_else(|| self.environment(matters))
            .or_else(|| self.answered(matters))
    }

    fn concretised(&self, matters: &dyn Fn(Since) -> bool) -> Option<Doubt> {
        let relevant = |at: &&Concretised| at.count > 0 && at.since.iter().any(|&since| matters(since));
        let found = self.obstacles.concretised.iter().filter(relevant).max_by_key(|at| at.count)?;
        let Concretised { place, what, .. } = found;
        let reason = format!("may be blocked by a concretisation at {place} ({what})");
        if let Some(callee) = what.strip_prefix("call to ") {
            return Some(Doubt::new(Cause::Model, reason).at(place).advising(define(callee)));
        }
        let advice = match what.as_str() {
            what if what.contains("address") => {
                "limit the index with `--assume`, so that few enough places are left"
            }
            "size of a variable-length array" => "fix the size with `--assume`",
            _ => "keep inputs away from it with `--assume`, or write it without that operation",
        };
        Some(Doubt::new(Cause::Concretisation, reason).at(place).advising(advice))
    }

    /// Calls that were given nothing symbolic, but give something that is not an input.
    fn answered(&self, matters: &dyn Fn(Since) -> bool) -> Option<Doubt> {
        let relevant = |at: &&Concretised| at.count == 0 && at.since.iter().any(|&since| matters(since));
        let Concretised { place, what, .. } = self.obstacles.concretised.iter().find(relevant)?;
        let callee = what.strip_prefix("call to ");
        let subject = callee.map_or_else(|| what.clone(), |callee| format!("`{callee}`"));
        let doubt = Doubt::new(Cause::Model, format!("what {subject} gives at {place} is not an input"));
        let advice = callee.map_or_else(|| "write it in C".to_string(), define);
        Some(doubt.at(place).advising(advice))
    }

    fn unrepeatable(&self, matters: &dyn Fn(Since) -> bool) -> Option<Doubt> {
        if any(&self.losses.stopped, matters) {
            let text = "runs had to be stopped before their end; paths beyond are unknown";
            let advice = "keep runs short with `--assume`, for example by a smaller bound of a loop";
            return Some(Doubt::new(Cause::Stopped, text).advising(advice));
        }
        if self.losses.cut > 0 {
            let advice = "keep runs short with `--assume`, for example by a smaller bound of a loop";
            return Some(
                Doubt::new(Cause::Stopped, "paths were too long to keep as a whole").advising(advice),
            );
        }
        if self.losses.differing > 0 {
            return Some(does_not_repeat());
        }
        if any(&self.losses.unshared, matters) {
            return Some(shared_otherwise());
        }
        if any(&self.losses.addresses, matters) {
            let text = "it depends on the number that a pointer is: inputs have null and addresses of objects of the pointer's type, as the machine places them";
            let advice =
                "take it as an integer (`uintptr_t`), or call the function by hand with such a pointer";
            return Some(Doubt::new(Cause::Address, text).advising(advice));
        }
        if self.obstacles.sharing_untried {
            let text = "what is written through one pointer may be what is read through another: not every way to share was tried";
            let advice =
                "say with `--assume` which pointers are equal, or that they are not, for example `p != q`";
            return Some(Doubt::new(Cause::Sharing, text).advising(advice));
        }
        None
    }

    fn stub(&self) -> Option<Doubt> {
        let (&stub, _) = self.losses.stub_exhausted.iter().next()?;
        let name = self.stubs.get(stub as usize).map_or("a stub", |stub| stub.name.as_str());
        let reason = format!(
            "stub bound: `{name}` was called more often than it has values ({} calls)",
            self.stub_calls
        );
        let raised = (2 * self.stub_calls).max(8);
        let advice = format!("set `stub_calls = {raised}` in tarka.toml, or define `{name}`");
        Some(Doubt::new(Cause::Stub, reason).advising(advice))
    }

    /// A stub that had more to write than it has values, or that gives back nothing but its argument. Comes before runs that did not repeat: how much more it was is
    /// no part of their path.
    fn stub_cut(&self, matters: &dyn Fn(Since) -> bool) -> Option<Doubt> {
        let (&stub, _) = self.losses.stub_cut.iter().find(|(_, counts)| any(counts, matters))?;
        let stub = self.stubs.get(stub as usize)?;
        let define = format!("define `{}` in the file: then it is followed, too", stub.name);
        let Some(bound) = stub.bound() else {
            let reason = format!(
                "input bound: `{}` gives null or a place in its argument, and nothing else is tried",
                stub.name
            );
            return Some(Doubt::new(Cause::Bound, reason).advising(define));
        };
        let reason = format!("input bound: {}", bound.words(&stub.name));
        let advice = match bound.most {
            0 => define,
            most => format!("ask for at most {most} {} at a time, or {define}", bound.of),
        };
        Some(Doubt::new(Cause::Bound, reason).advising(advice))
    }

    fn bound(&self, matters: &dyn Fn(Since) -> bool) -> Option<Doubt> {
        let bound = |text: String| Doubt::new(Cause::Bound, format!("input bound: {text}"));
        let raise = |name: &str, to: u64| format!("set `{name} = {to}` in tarka.toml");
        let ShapeLimits { depth, elements, string, calls, .. } = self.limits;
        let cut_off = self.losses.only_null.iter().find(|(_, counts)| any(counts, matters));
        if let Some((why, _)) = cut_off {
            let doubt = bound(why.to_string());
            return Some(match why {
                OnlyNull::Depth(_) => doubt.advising(raise("depth", 2 * u64::from(*depth))),
                OnlyNull::Unsupported(_) => doubt.advising("hide it behind a function without a body here"),
                OnlyNull::ArenaFull => doubt.advising("lower `elements` or `string` in tarka.toml"),
            });
        }
        if let Some(member) = self.obstacles.kept_zero.first() {
            return Some(bound(member.clone()).advising("hide it behind a function without a body here"));
        }
        if let Some(name) = self.obstacles.fixed.first() {
            let text = format!("the variable `{name}` is no input, and nobody knows what it holds");
            return Some(bound(text).advising(format!("define `{name}` in the file, with what it holds")));
        }
        if let Some(variable) = self.obstacles.hidden.first() {
            let text = format!(
                "the variable {variable} begins as it does in the program: no test of this file can set it"
            );
            return Some(
                bound(text).advising("call what sets it first, or test the function that does both"),
            );
        }
        if let Some(name) = self.obstacles.opaque.first() {
            let text = format!("the unit looks into `{name}`, which is only declared here: it holds zeros");
            return Some(bound(text).advising(format!("define `{name}` before it is used")));
        }
        let left_object = any(&self.losses.left_object, matters);
        if let Some(object) = self.obstacles.cut_short.first().filter(|_| left_object) {
            return Some(bound(object.clone()).advising(raise("elements", 4 * elements)));
        }
        if left_object {
            let text = format!("it may need objects of more than {elements} elements");
            return Some(bound(text).advising(raise("elements", 4 * elements)));
        }
        if any(&self.losses.left_string, matters) {
            let text = format!("it may need strings of more than {string} bytes");
            return Some(bound(text).advising(raise("string", 4 * string)));
        }
        if any(&self.losses.guessed_size, matters) {
            let text = format!(
                "it may need objects of more than {elements} elements or strings of more than {string} bytes"
            );
            let advice =
                format!("set `elements = {}` or `string = {}` in tarka.toml", 4 * elements, 4 * string);
            return Some(bound(text).advising(advice));
        }
        if self.obstacles.state {
            let called = count((*calls).into(), "call");
            let text = format!(
                "it may take more calls than the {called} in a row that {} tried: the unit keeps state between them",
                if *calls == 1 { "is" } else { "are" }
            );
            return Some(bound(text).advising(raise("calls", 2 * u64::from(*calls))));
        }
        None
    }

    /// A fault says nothing about what lies behind it.
    fn fault(&self, matters: &dyn Fn(Since) -> bool) -> Option<Doubt> {
        let relevant =
            |(.., since): &&(FaultKind, Place, Vec<Since>)| since.iter().any(|&since| matters(since));
        let mut faults = self.obstacles.faults.iter().filter(relevant);
        let advice = "fix the fault, or rule it out with `--assume`";
        if any(&self.losses.faulted, matters) {
            let first = faults.next();
            let which = first.map(|(kind, place, _)| format!(": {} at {place}", kind.name()));
            let reason = format!(
                "the ways there end in a fault first{}; what would lie behind it nobody knows",
                which.unwrap_or_default()
            );
            let doubt = Doubt::new(Cause::Fault, reason).advising(advice);
            return Some(Doubt { place: first.map(|(_, place, _)| place.clone()), ..doubt });
        }
        let (kind, place, _) = faults.find(|(kind, ..)| leaves_disorder(*kind))?;
        let reason = format!("behind the fault at {place} ({}) memory may hold anything", kind.name());
        Some(Doubt::new(Cause::Fault, reason).at(place).advising(advice))
    }

    /// State that others than the unit may change while it runs.
    fn unowned(&self, matters: &dyn Fn(Since) -> bool) -> Option<Doubt> {
        let relevant = |(_, since): &&(Unowned, Vec<Since>)| since.iter().any(|&since| matters(since));
        let (Unowned { place, what, .. }, _) = self.obstacles.unowned.iter().find(relevant)?;
        let at = place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
        let (reason, advice) = match what {
            UnownedKind::Volatile | UnownedKind::Atomic => {
                let kind = if *what == UnownedKind::Volatile { "volatile" } else { "atomic" };
                let reason = format!("what is read{at} is {kind}: it may change between two reads");
                let advice = "read it once outside and take it as a parameter, or call the function by hand while something else changes it";
                (reason, advice.to_string())
            }
            UnownedKind::Errno => {
                let reason = format!("`errno` is read{at} as somebody before left it");
                (
                    reason,
                    "set `errno` before it is read, or call the function by hand with another one"
                        .to_string(),
                )
            }
            UnownedKind::ChangedBy(by) => {
                let who =
                    by.as_ref().map_or("a function behind a pointer".to_string(), |by| format!("`{by}`"));
                let reason = format!("{who} may have changed what is read{at}");
                let advice = by.as_deref().map_or("write a function that changes it".to_string(), define);
                (reason, advice)
            }
        };
        let doubt = Doubt::new(Cause::Environment, reason).advising(advice);
        Some(Doubt { place: place.clone(), ..doubt })
    }

    fn environment(&self, matters: &dyn Fn(Since) -> bool) -> Option<Doubt> {
        let mut conditions = self.obstacles.environment.iter();
        let (text, place, _) = conditions.find(|(.., since)| since.iter().any(|&since| matters(since)))?;
        let reason = format!("{text} was decided by something that is not an input");
        let advice =
            "make it an input: `--env all` for answers of the library, else a parameter or a global variable";
        Some(Doubt::new(Cause::Environment, reason).at(place).advising(advice))
    }
}

/// Runs went elsewhere than their inputs were made for.
pub(crate) fn does_not_repeat() -> Doubt {
    let text = "runs did not repeat: something beside the inputs decides, too";
    let advice =
        "make what decides an input: a parameter, a global variable or a function without a body here";
    Doubt::new(Cause::Environment, text).advising(advice)
}

/// Pointers may lead to the same object in ways that no input had.
pub(crate) fn shared_otherwise() -> Doubt {
    let text = "pointers may share objects in more ways than were tried";
    let advice = "say with `--assume` which pointers are equal, for example `p == q`";
    Doubt::new(Cause::Sharing, text).advising(advice)
}

/// What to do about a function whose inside is not known.
fn define(callee: &str) -> String {
    if let Some(answers) = tarka_library::answers(callee) {
        return format!("make what `{callee}` answers an input: `--env {}`", answers.input.name());
    }
    format!("define `{callee}` in the file, a simple version will do: then it is followed, too")
}

/// Faults after which memory may hold anything.
fn leaves_disorder(kind: FaultKind) -> bool {
    use FaultKind::{DoubleFree, InvalidFree, OutOfBounds, Uninitialised, UseAfterFree, UseAfterReturn};
    matches!(kind, OutOfBounds | UseAfterFree | DoubleFree | InvalidFree | UseAfterReturn | Uninitialised)
}

fn any(counts: &Counts, matters: &dyn Fn(Since) -> bool) -> bool {
    counts.keys().any(|&since| matters(since))
}
