//! Allocations that fail, unasked: a second search of a unit in which a branch on what an allocation gave stays open.
//!
//! Takes the first result of a unit, for which every allocation worked; gives the same with what failing ones add. The
//! second search has a build of its own, made when the first unit asks for it. Its runs take the place of the first ones if
//! they do all that those did and more; otherwise the goals they reached say how to reach them. Proofs stay as they are: they
//! are the first search's, and so is everything else that is said of open goals. Never reports a fault that the first search
//! did not find: a program that ends when memory is short does so on purpose.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use tarka_events::{Cause, Fault, KeptRun, RunEnd, Status, UnitResult, Verdict};
use tarka_instrument::{Build, BuildRequest};
use tarka_source::{FunctionId, LibraryInput, SourceModel, library_input_of};

use crate::Options;

/// One part in so many of a unit's time is left for this at least, whatever the first search took.
const SHARE: u32 = 4;

/// The build in which allocations may fail.
pub(crate) struct Failing<'a> {
    request: BuildRequest<'a>,
    built: OnceLock<Option<Build>>,
}

impl<'a> Failing<'a> {
    /// For a build that was made from this request.
    pub(crate) fn new(request: BuildRequest<'a>) -> Failing<'a> {
        Failing { request, built: OnceLock::new() }
    }

    /// The build; `None` if there can be none.
    pub(crate) fn build(&self) -> Option<&Build> {
        let make = || {
            let folder = self.request.work_dir.join("failing");
            std::fs::create_dir_all(&folder).ok()?;
            let mut inputs = self.request.library_inputs.to_vec();
            inputs.push(LibraryInput::Alloc);
            let work_dir: &Path = &folder;
            tarka_instrument::build(&BuildRequest { library_inputs: &inputs, work_dir, ..self.request }).ok()
        };
        self.built.get_or_init(make).as_ref()
    }
}

/// The options of the second search, if one is worth a try. `one_sided`: a condition always went the same way, and no
/// input decided it.
pub(crate) fn second_try(
    model: &SourceModel,
    function: FunctionId,
    options: &Options,
    (first, one_sided): (&UnitResult, bool),
) -> Option<Options> {
    let is_asked = options.library_inputs.contains(&LibraryInput::Alloc);
    let is_open = first.goals.iter().any(|goal| is_open(&goal.verdict));
    let is_over = matches!(first.status, Status::Complete | Status::Budget) && first.refuted.is_empty();
    if is_asked || options.goals_only || !one_sided || !is_open || !is_over || !allocates(model, function) {
        return None;
    }
    let runs = options.runs.map(|most| most.saturating_sub(first.runs));
    if runs == Some(0) {
        return None;
    }
    let used = Duration::from_millis(first.total_ms);
    let time = options.time.map(|time| time.saturating_sub(used).max(time / SHARE));
    Some(Options { runs, time, attacks: 0, dump_queries: None, ..options.clone() })
}

/// Whether a unit or something that it calls calls an allocation.
fn allocates(model: &SourceModel, function: FunctionId) -> bool {
    let calls = |id: &FunctionId| {
        let declared = model.function(*id).uses.declared_functions.iter();
        let mut names = declared.map(|&index| &model.declared_functions[index as usize].name);
        names.any(|name| library_input_of(name) == Some(LibraryInput::Alloc))
    };
    model.reachable_functions(function).iter().any(calls)
}

/// The first result with what the second one adds.
pub(crate) fn joined(first: UnitResult, mut second: UnitResult) -> UnitResult {
    let mut joined = first;
    count_on(&mut second, joined.runs, joined.total_ms);
    joined.runs += second.runs;
    joined.execute_ms += second.execute_ms;
    joined.total_ms += second.total_ms;
    if matches!(second.status, Status::Error(_) | Status::Skipped(_)) {
        return joined;
    }
    let (before, after) = (Well::of(&joined), Well::of(&second));
    let takes_over = before.goals.is_subset(&after.goals)
        && joined.faults.iter().all(|fault| knows(&second, fault))
        && (0..)
            .zip(&joined.goals)
            .any(|(index, goal)| is_open(&goal.verdict) && after.covers(index, &second));
    for (index, goal) in (0..).zip(&mut joined.goals) {
        let Verdict::Covered { run, .. } = second.goals[index as usize].verdict else { continue };
        let is_open = is_open(&goal.verdict);
        if takes_over && (!is_open || after.covers(index, &second)) {
            goal.verdict = second.goals[index as usize].verdict.clone();
        } else if is_open {
            goal.verdict = an_allocation_fails(&second, run);
        }
    }
    if takes_over {
        keep_known_faults(&mut second, &joined.faults);
        // Only the second search knows whether its faults are settled.
        let is_settled =
            second.status == Status::Complete && !joined.goals.iter().any(|goal| is_open(&goal.verdict));
        joined.status = if is_settled { Status::Complete } else { Status::Budget };
        joined.solver = second.solver;
        joined.kept_runs = second.kept_runs;
        joined.faults = second.faults;
        joined.stubs = second.stubs;
        joined.named_addresses = second.named_addresses;
    }
    joined
}

fn is_open(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown { .. })
}

/// What runs that ended well show.
struct Well {
    runs: BTreeSet<u64>,
    /// Goals that one of them covers alone.
    goals: BTreeSet<u32>,
}

impl Well {
    fn of(result: &UnitResult) -> Well {
        let is_well = |kept: &&KeptRun| matches!(kept.end, RunEnd::Returned | RunEnd::Exited(_));
        let well = result.kept_runs.iter().filter(is_well);
        Well {
            runs: well.clone().map(|kept| kept.run).collect(),
            goals: well.flat_map(|kept| kept.covers.iter().copied()).collect(),
        }
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

/// Faults that it takes a failing allocation to show are reported where somebody asks for failing allocations: here they
/// only served goals.
fn keep_known_faults(second: &mut UnitResult, known: &[Fault]) {
    let mut numbers = Vec::new();
    let mut kept = 0;
    for fault in &second.faults {
        let is_known = known.iter().any(|known| is_same(known, fault));
        numbers.push(is_known.then_some(kept));
        kept += u32::from(is_known);
    }
    second.faults.retain(|fault| known.iter().any(|known| is_same(known, fault)));
    second.kept_runs.retain_mut(|kept| match &mut kept.end {
        RunEnd::Fault(number) => numbers[*number as usize].inspect(|new| *number = *new).is_some(),
        _ => true,
    });
}

/// Numbers the runs of the second search on from those of the first.
fn count_on(second: &mut UnitResult, runs: u64, before_ms: u64) {
    second.kept_runs.iter_mut().for_each(|kept| kept.run += runs);
    second.faults.iter_mut().for_each(|fault| fault.run += runs);
    second.solver.before_runs.iter_mut().for_each(|(run, _)| *run += runs);
    for goal in &mut second.goals {
        if let Verdict::Covered { run, ms, pair } = &mut goal.verdict {
            *run += runs;
            *ms += before_ms;
            pair.iter_mut().flatten().for_each(|half| *half += runs);
        }
    }
}

/// Whether a result has this fault.
fn knows(result: &UnitResult, fault: &Fault) -> bool {
    result.faults.iter().any(|known| is_same(known, fault))
}

fn is_same(one: &Fault, other: &Fault) -> bool {
    one.kind == other.kind && one.place == other.place
}

/// The verdict on a goal that this run of the second search reached, and that no test shows.
fn an_allocation_fails(second: &UnitResult, run: u64) -> Verdict {
    let fault = second.kept_runs.iter().find(|kept| kept.run == run).and_then(|kept| match kept.end {
        RunEnd::Fault(number) => second.faults.get(number as usize),
        _ => None,
    });
    let (cause, reason) = match fault {
        Some(Fault { kind, place, .. }) => (
            Cause::Fault,
            format!("an allocation that fails leads there, and on to a fault: {} at {place}", kind.name()),
        ),
        None => (Cause::Environment, "an allocation that fails leads there".to_string()),
    };
    let advice = Some("let allocations fail from the start: `--env alloc`".to_string());
    Verdict::Unknown { cause, place: fault.map(|fault| fault.place.clone()), reason, advice }
}
