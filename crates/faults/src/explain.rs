//! What is told about a fault beyond its kind and place: the way there, and what class of fault it is.
//!
//! Takes the run that showed it first, while its trace is at hand. Questions to the solver asked here are few and short,
//! and about one value each.

use std::time::Duration;

use tarka_events::{Fault, FaultClass, FaultKind};
use tarka_inputs::{DomainWidth, InputBytes, Shape, Subject};
use tarka_instrument::THROUGH_POINTER;
use tarka_scenario::Executed;
use tarka_search::{RunTrace, input_decisions, violation};
use tarka_solver::{Answer, Query, Solver};
use tarka_source::{LibraryInput, Param, Place, Stub, StubKind, TypeKind, library_input_of};
use tarka_terms::{Term, Terms};
use tarka_trace::{EventKind, TraceEvent};

use crate::classes::{Case, Classed};
use crate::fault_list::{FaultList, Moment};
use crate::history::steps;

/// How long a proof about a precondition may take.
const PROOF_LIMIT: Duration = Duration::from_millis(200);

/// Runs of a known fault that are looked at again.
const MOST_LOOKS: u32 = 6;

/// Library functions that never return.
const JUMPS: [&str; 4] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];

/// What it takes to explain a fault.
pub struct Explaining<'e, 'a> {
    /// The unit it is in.
    pub subject: Subject<'a>,
    /// What its inputs look like.
    pub shape: &'e Shape<'a>,
    /// Where terms are made.
    pub terms: &'e mut Terms,
    /// Who is asked.
    pub solver: &'e mut (dyn Solver + Send),
    /// The run that showed the fault.
    pub trace: &'e RunTrace<'e>,
    /// Its input.
    pub input: &'e InputBytes,
    /// The stub that ran out of answers on the way, and the number of events before that.
    pub exhausted: Option<(u32, usize)>,
    /// It reached the time limit without using the processor.
    pub waited: bool,
}

impl Explaining<'_, '_> {
    /// Completes the faults from this number on, which the run has just shown.
    pub fn explain(&mut self, fault_list: &mut FaultList, first: usize) {
        for index in first..fault_list.faults.len() {
            let moment = fault_list.moments[index];
            let null = self.null(fault_list);
            let classed =
                self.classed(&fault_list.faults[index], moment, &fault_list.faults[index].executed, null);
            fault_list.unseen[index] = classed.unseen;
            self.fill(&mut fault_list.faults[index], moment, classed);
        }
    }

    /// Looks again at a fault that was known, where the run shows it on a way that makes it more serious; true if it does.
    pub fn reconsider(
        &mut self,
        fault_list: &mut FaultList,
        (index, moment): (usize, Moment),
        run: u64,
        record: impl Fn() -> Executed,
    ) -> bool {
        if fault_list.faults[index].class == FaultClass::Bug || fault_list.looks[index] >= MOST_LOOKS {
            return false;
        }
        fault_list.looks[index] += 1;
        let (executed, null) = (record(), self.null(fault_list));
        let classed = self.classed(&fault_list.faults[index], moment, &executed, null);
        if classed.class >= fault_list.faults[index].class {
            return false;
        }
        fault_list.unseen[index] = classed.unseen;
        fault_list.moments[index] = moment;
        let fault = &mut fault_list.faults[index];
        (fault.run, fault.executed) = (run, executed);
        self.fill(fault, moment, classed);
        true
    }

    /// Fills in the way to a fault and its class.
    fn fill(&self, fault: &mut Fault, moment: Moment, classed: Classed) {
        let before = moment.events.min(self.trace.events.len());
        fault.history = steps(self.subject.model, &self.trace.events[..before]);
        (fault.class, fault.why, fault.need) = (classed.class, classed.why, classed.need);
        fault.is_preventable = classed.is_preventable;
    }

    fn null(&self, fault_list: &mut FaultList) -> &'static str {
        fault_list.null_of(&self.subject.model.file.to_string_lossy())
    }

    fn classed(&mut self, fault: &Fault, moment: Moment, record: &Executed, null: &str) -> Classed {
        let model = self.subject.model;
        if fault.kind == FaultKind::Timeout && self.waited {
            return Classed::limit("the run waited for something that no input gives");
        }
        if let Some(name) = self.outside_of_loop(fault) {
            return Classed::limit(format!("{name}() decides when it ends, and its answers are no inputs"));
        }
        if self.waits_for_callee(fault) {
            return Classed::contract(
                "the loop ends when a function that it calls makes it end, and nobody here defines that one",
                "relies on what a function that the loop calls does",
            );
        }
        if let Some((stub, _)) = self.exhausted.filter(|&(_, events)| moment.events >= events) {
            let name = self.subject.build.stubs.get(stub as usize).map_or("a stub", |stub| &stub.name);
            return Classed::limit(format!("{name}() had run out of answers: what it gave then is nobody's"));
        }
        let before = moment.events.min(self.trace.events.len());
        let violation = violation(self.terms, self.trace, before, moment.site);
        if violation.is_none() && self.jumps(fault) {
            return Classed::contract(
                "where longjmp() leads to, a setjmp() before it says",
                "needs a setjmp() before it that has not returned",
            );
        }
        let looks = input_decisions(self.terms, self.trace, before);
        let frames = fault.stack.iter().map(|(function, place)| (function.as_str(), place.line));
        let active: Vec<_> = frames.chain([(fault.function.as_str(), fault.place.line)]).collect();
        let (shape, solver, input) = (self.shape, &mut *self.solver, self.input);
        let hidden = model
            .hidden_variables(self.subject.function)
            .first()
            .map(|variable| format!("`{}` of {}", variable.name, variable.place.file));
        let case = Case {
            hidden: hidden.as_deref(),
            model,
            function: model.function(self.subject.function),
            stubs: &self.subject.build.stubs,
            kind: fault.kind,
            active: &active,
            violation: violation.as_ref(),
            looks: &looks,
            is_last_concrete: is_last_concrete(&self.trace.events[..before]),
            address: moment.address,
            follows_fault: follows_fault(&self.trace.events[..before], moment.site),
            scenario: &record.scenario,
            bytes: input,
            null,
        };
        let never = |terms: &mut Terms, term: Term| {
            if let Some(value) = terms.as_constant(term) {
                return value == 0;
            }
            let domain = |terms: &mut Terms, byte: u32| shape.domain(terms, byte, input, DomainWidth::Wide);
            let query = Query {
                prefix: &[],
                flipped: term,
                domain: &domain,
                current: input,
                time_limit: PROOF_LIMIT,
                doubles_loop: false,
            };
            solver.solve(terms, &query) == Answer::Unsat
        };
        case.class(self.terms, never)
    }
}

impl Explaining<'_, '_> {
    /// Whether the program may have been lost in a jump out of the function: it is somewhere, and not by a null pointer.
    fn jumps(&self, fault: &Fault) -> bool {
        let is_lost = matches!(fault.kind, FaultKind::WildDereference | FaultKind::Signal);
        is_lost && self.library_calls(fault).any(|name| JUMPS.contains(&name))
    }

    /// The library functions that the function of a fault mentions.
    fn library_calls(&self, fault: &Fault) -> impl Iterator<Item = &str> {
        let model = self.subject.model;
        let found = model.function_named(&fault.function).map(|(_, function)| function);
        let declared = found.into_iter().flat_map(|function| &function.uses.declared_functions);
        declared.map(|&index| model.declared_functions[index as usize].name.as_str())
    }

    /// Whether an endless loop calls something that could move it on and that we stand in for, without an answer to give: a
    /// function behind a pointer, or one that nobody defines. Whether it does is for those who define it.
    fn waits_for_callee(&self, fault: &Fault) -> bool {
        if fault.kind != FaultKind::Timeout {
            return false;
        }
        let build = self.subject.build;
        let types = &self.subject.model.types;
        let may_write = |param: &Param| match types.get(param.ty).kind {
            TypeKind::Pointer { to, to_const } => !to_const && !types.is_void(to),
            _ => false,
        };
        let gives_nothing = |stub: &&Stub| {
            stub.outs.is_empty() && stub.value_type(types).is_none() && stub.params.iter().any(may_write)
        };
        let is_undefined =
            |name: &str| build.stubs.iter().filter(gives_nothing).any(|stub| stub.name == name);
        if self.library_calls(fault).any(is_undefined) {
            return true;
        }
        let found = self.subject.model.function_named(&fault.function).map(|(_, function)| function);
        let mut loops = found.into_iter().flat_map(|function| &function.loops);
        let Some(endless) = loops.find(|which| which.place == fault.place) else { return false };
        let is_inside = |place: &Place| (endless.place.line..=endless.end.0).contains(&place.line);
        let calls_pointer = build.sites.iter().any(|site| {
            site.what == THROUGH_POINTER
                && site.function == fault.function
                && site.place.as_ref().is_some_and(is_inside)
        });
        let is_callback = |stub: &Stub| stub.kind == StubKind::Pointer;
        calls_pointer && build.stubs.iter().filter(gives_nothing).any(is_callback)
    }

    /// The clock or the file that a loop may wait for: a library function whose answers are no inputs, in the function of an
    /// endless loop.
    fn outside_of_loop(&self, fault: &Fault) -> Option<&str> {
        let mut names = self.library_calls(fault).filter(|_| fault.kind == FaultKind::Timeout);
        let is_stub = |name: &str| self.subject.build.stubs.iter().any(|stub| stub.name == name);
        names.find(|name| {
            let input = library_input_of(name);
            matches!(input, Some(LibraryInput::Time | LibraryInput::Read)) && !is_stub(name)
        })
    }
}

/// Whether the last condition or switch of the source was concrete.
fn is_last_concrete(events: &[TraceEvent]) -> bool {
    let kinds = [EventKind::Condition as u16, EventKind::Switch as u16];
    let last = events.iter().rev().find(|event| kinds.contains(&event.kind));
    last.is_some_and(|event| event.label == 0)
}

/// Whether a check had failed at another site, and the run went on.
fn follows_fault(events: &[TraceEvent], site: Option<u32>) -> bool {
    let is_failed = |event: &TraceEvent| event.kind == EventKind::Undefined as u16 && event.outcome == 0;
    events.iter().any(|event| is_failed(event) && site.is_none_or(|site| site != event.site))
}
