//! Answers of the library, unasked: a second search of a unit in which a branch stays open that no input decides, while
//! something it calls may answer in other ways: an allocation that fails, a character that arrives, the clock.
//!
//! Takes the first result of a unit, for which the library was the real one; gives the same with what its answers as inputs
//! add. The second search has a build of its own, made when the first unit asks for it. Its runs join the first ones if they
//! cover more, and stand for them if they cover all that those did; goals that they reach on the way to a fault only say how to reach them. Proofs stay as they are: they are the
//! first search's, and so is everything else that is said of open goals. Never reports a fault that the first search did not
//! find: a program that ends when memory is short does so on purpose.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use tarka_events::{Cause, Fault, KeptRun, Named, NamedAddress, RunEnd, Status, UnitResult, Verdict};
use tarka_instrument::{Build, BuildRequest};
use tarka_scenario::Role;
use tarka_source::{FunctionId, LibraryInput, SourceModel, library_input_of};

use crate::Options;

/// One part in so many of a unit's time is left for this at least, whatever the first search took.
const SHARE: u32 = 4;

/// The build in which every answer of the library that can be one is an input.
pub(crate) struct LibraryAnswersBuild<'a> {
    request: BuildRequest<'a>,
    built: OnceLock<Option<Build>>,
}

impl<'a> LibraryAnswersBuild<'a> {
    /// For a build that was made from this request.
    pub(crate) fn new(request: BuildRequest<'a>) -> LibraryAnswersBuild<'a> {
        LibraryAnswersBuild { request, built: OnceLock::new() }
    }

    /// The build; `None` if there can be none.
    pub(crate) fn build(&self) -> Option<&Build> {
        let make = || {
            let folder = self.request.work_dir.join("answering");
            std::fs::create_dir_all(&folder).ok()?;
            let work_dir: &Path = &folder;
            let library_inputs = &LibraryInput::ALL;
            tarka_instrument::build(&BuildRequest { library_inputs, work_dir, ..self.request }).ok()
        };
        self.built.get_or_init(make).as_ref()
    }
}

/// A second search that is worth a try.
pub(crate) struct SecondSearch {
    /// With the answers of the library that the unit uses as inputs.
    pub options: Options,
    /// Those that nobody asked for.
    pub unasked: Vec<LibraryInput>,
}

/// The second search, if one is worth a try. `one_sided`: a condition always went the same way, and no input decided it.
pub(crate) fn second_search(
    model: &SourceModel,
    function: FunctionId,
    options: &Options,
    (first, one_sided): (&UnitResult, bool),
) -> Option<SecondSearch> {
    let used = used(model, function);
    let unasked: Vec<LibraryInput> =
        used.into_iter().filter(|input| !options.library_inputs.contains(input)).collect();
    let is_open = first.goals.iter().any(|goal| is_open(&goal.verdict));
    let is_over = matches!(first.status, Status::Complete | Status::Budget) && first.refuted.is_empty();
    if unasked.is_empty() || options.goals_only || !one_sided || !is_open || !is_over {
        return None;
    }
    let runs = options.runs.map(|most| most.saturating_sub(first.runs));
    if runs == Some(0) {
        return None;
    }
    let spent = Duration::from_millis(first.total_ms);
    let time = options.time.map(|time| time.saturating_sub(spent).max(time / SHARE));
    let library_inputs = options.library_inputs.iter().chain(&unasked).copied().collect();
    let options = Options { runs, time, attacks: 0, dump_queries: None, library_inputs, ..options.clone() };
    Some(SecondSearch { options, unasked })
}

/// The answers of the library that a unit, or something that it calls, may get.
fn used(model: &SourceModel, function: FunctionId) -> BTreeSet<LibraryInput> {
    let reachable = model.reachable_functions(function);
    let declared = reachable.iter().flat_map(|id| &model.function(*id).uses.declared_functions);
    declared.filter_map(|&index| library_input_of(&model.declared_functions[index as usize].name)).collect()
}

/// The first result with what the second one adds, in which these answers were inputs.
pub(crate) fn joined(first: UnitResult, mut second: UnitResult, unasked: &[LibraryInput]) -> UnitResult {
    let mut joined = first;
    count_on(&mut second, joined.runs, joined.total_ms);
    joined.runs += second.runs;
    joined.execute_ms += second.execute_ms;
    joined.total_ms += second.total_ms;
    if matches!(second.status, Status::Error(_) | Status::Skipped(_)) {
        return joined;
    }
    let after = EndedWell::of(&second);
    let adds =
        (0..).zip(&joined.goals).any(|(index, goal)| is_open(&goal.verdict) && after.covers(index, &second));
    let is_one = adds && move_runs(&mut joined, &second);
    if is_one && after.replaces(&joined, &second) {
        leave_to(&mut joined, &second);
    }
    for (index, goal) in (0..).zip(&mut joined.goals).filter(|(_, goal)| is_open(&goal.verdict)) {
        let Verdict::Covered { run, .. } = second.goals[index as usize].verdict else { continue };
        goal.verdict = match is_one && after.covers(index, &second) {
            true => second.goals[index as usize].verdict.clone(),
            false => an_answer_leads_there(&second, run, unasked),
        };
    }
    if is_one {
        // Only the second search knows whether its faults are settled.
        let is_settled =
            second.status == Status::Complete && !joined.goals.iter().any(|goal| is_open(&goal.verdict));
        joined.status = if is_settled { Status::Complete } else { Status::Budget };
        joined.solver = second.solver;
        joined.kept_runs.extend(second.kept_runs.into_iter().filter(|kept| after.runs.contains(&kept.run)));
    }
    joined
}

/// Leaves what was covered to runs of the second search. In a test the library's functions have scripts, and those of the first
/// search would say nothing in them: what they saw was the answer of the machine.
fn leave_to(first: &mut UnitResult, second: &UnitResult) {
    first.kept_runs.retain(|kept| !ended_well(kept));
    for (goal, again) in first.goals.iter_mut().zip(&second.goals) {
        if matches!(goal.verdict, Verdict::Covered { .. }) {
            goal.verdict.clone_from(&again.verdict);
        }
    }
}

fn ended_well(kept: &KeptRun) -> bool {
    matches!(kept.end, RunEnd::Returned | RunEnd::Exited(_))
}

/// Puts the runs and faults of the first search into the words of the second one's build, which numbers stubs differently and has its
/// functions and variables at other addresses. False, and nothing is changed, if they mean something that it does not have.
fn move_runs(first: &mut UnitResult, second: &UnitResult) -> bool {
    let same_stub = |index: u32| {
        let name = &first.stubs[index as usize].name;
        second.stubs.iter().position(|stub| stub.name == *name).map(|position| position as u32)
    };
    let Some(stubs) = (0..first.stubs.len() as u32).map(same_stub).collect::<Option<Vec<u32>>>() else {
        return false;
    };
    let same_address = |old: &NamedAddress| {
        let what = match &old.what {
            Named::Stub(index) => Named::Stub(stubs[*index as usize]),
            what => what.clone(),
        };
        let new = second.named_addresses.iter().find(|new| new.what == what)?;
        Some((old.address, old.size.max(1), new.address))
    };
    let addresses: Option<Vec<(u64, u64, u64)>> = first.named_addresses.iter().map(same_address).collect();
    let Some(addresses) = addresses else { return false };
    let translated = |word: u64| {
        let inside = addresses.iter().find(|(old, size, _)| (*old..old + size).contains(&word))?;
        Some(inside.2 + (word - inside.0))
    };
    let of_runs = first.kept_runs.iter_mut().map(|kept| &mut kept.executed);
    let of_faults = first.faults.iter_mut().map(|fault| &mut fault.executed);
    let translate = |bytes: &mut [u8]| {
        for word in bytes.chunks_exact_mut(size_of::<u64>()) {
            let old = u64::from_le_bytes(word.try_into().expect("eight bytes"));
            if let Some(new) = translated(old) {
                word.copy_from_slice(&new.to_le_bytes());
            }
        }
    };
    for executed in of_runs.chain(of_faults) {
        for object in &mut executed.scenario.objects {
            if let Role::Stub { stub, .. } = &mut object.role {
                *stub = stubs[*stub as usize];
            }
            translate(&mut object.bytes);
            translate(&mut object.initial);
        }
        executed.observation.objects.iter_mut().for_each(|left| translate(&mut left.bytes));
    }
    first.stubs.clone_from(&second.stubs);
    first.named_addresses.clone_from(&second.named_addresses);
    true
}

fn is_open(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown { .. })
}

/// What runs that ended well show.
struct EndedWell {
    runs: BTreeSet<u64>,
    /// Goals that one of them covers alone.
    goals: BTreeSet<u32>,
}

impl EndedWell {
    fn of(result: &UnitResult) -> EndedWell {
        let well = result.kept_runs.iter().filter(|kept| ended_well(kept));
        EndedWell {
            runs: well.clone().map(|kept| kept.run).collect(),
            goals: well.flat_map(|kept| kept.covers.iter().copied()).collect(),
        }
    }

    /// Whether they cover everything that the first search has covered.
    fn replaces(&self, first: &UnitResult, of: &UnitResult) -> bool {
        let mut goals = (0..).zip(&first.goals);
        goals.all(|(index, goal)| !matches!(goal.verdict, Verdict::Covered { .. }) || self.covers(index, of))
    }

    /// Whether they cover a goal, one alone or two together.
    fn covers(&self, goal: u32, of: &UnitResult) -> bool {
        let pair = match &of.goals[goal as usize].verdict {
            Verdict::Covered { pair, .. } => *pair,
            _ => None,
        };
        self.goals.contains(&goal)
            || pair.is_some_and(|pair| pair.iter().all(|half| self.runs.contains(half)))
    }
}

/// Numbers the runs of the second search on from those of the first.
fn count_on(second: &mut UnitResult, runs: u64, before_ms: u64) {
    second.kept_runs.iter_mut().for_each(|kept| kept.run += runs);
    second.solver.before_runs.iter_mut().for_each(|(run, _)| *run += runs);
    for goal in &mut second.goals {
        if let Verdict::Covered { run, ms, pair } = &mut goal.verdict {
            *run += runs;
            *ms += before_ms;
            pair.iter_mut().flatten().for_each(|half| *half += runs);
        }
    }
}

/// The verdict on a goal that this run of the second search reached, and that no test shows.
fn an_answer_leads_there(second: &UnitResult, run: u64, unasked: &[LibraryInput]) -> Verdict {
    let fault = second.kept_runs.iter().find(|kept| kept.run == run).and_then(|kept| match kept.end {
        RunEnd::Fault(number) => second.faults.get(number as usize),
        _ => None,
    });
    let names: Vec<&str> = unasked.iter().map(|input| input.name()).collect();
    let names = names.join(",");
    let (what, advice) = match unasked {
        [LibraryInput::Alloc] => {
            ("an allocation that fails leads there", "let allocations fail from the start")
        }
        _ => ("an answer of the library leads there", "let the library's answers be inputs from the start"),
    };
    let (cause, reason) = match fault {
        Some(Fault { kind, place, .. }) => {
            (Cause::Fault, format!("{what}, and on to a fault: {} at {place}", kind.name()))
        }
        None => (Cause::Environment, what.to_string()),
    };
    let advice = Some(format!("{advice}: `--env {names}`"));
    Verdict::Unknown { cause, place: fault.map(|fault| fault.place.clone()), reason, advice }
}
