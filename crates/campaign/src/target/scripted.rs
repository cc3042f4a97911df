//! The plain program of the real target: a Rust function plays the unit and says what a compiled one would have left.
//!
//! Takes a function over the input's bytes; gives runs that the loop cannot tell from others. Conditions have the labels that
//! the runtime would have given them, so the solver answers for them as for any other. Never: compilers, processes.

use std::rc::Rc;
use std::time::Duration;

use tarka_inputs::ObjectShape;
use tarka_runner::{End, ObjectImage, Run, RunnerError, Script};
use tarka_trace::{EventKind, Label, Node, Op, TraceEvent, input_label, node_label};

use super::{Limits, Target, images};

/// One run being played.
pub(crate) struct Play<'i> {
    objects: &'i [ObjectImage<'i>],
    script: Script,
}

impl Play<'_> {
    /// `input[at] == value` as condition `site` of the source.
    pub(crate) fn equals(&mut self, site: u32, at: u32, value: u8) -> bool {
        let label = self.compared(Op::Eq, at, value);
        self.condition(site, self.byte(at) == value, label)
    }

    /// `input[at] < limit` as condition `site` of the source.
    pub(crate) fn less(&mut self, site: u32, at: u32, limit: u8) -> bool {
        let label = self.compared(Op::Ult, at, limit);
        self.condition(site, self.byte(at) < limit, label)
    }

    /// A condition that claims to be `input[at] == value` and never holds: something that is no input decides it.
    pub(crate) fn equals_in_vain(&mut self, site: u32, at: u32, value: u8) -> bool {
        let label = self.compared(Op::Eq, at, value);
        self.condition(site, false, label)
    }

    /// Where the run is when it ends.
    pub(crate) fn stands_at(&mut self, address: u64) {
        self.script.backtrace = vec![address];
    }

    fn byte(&self, at: u32) -> u8 {
        let held = self.objects.iter().find_map(|object| {
            let inside = at.checked_sub(object.offset)?;
            object.bytes.get(inside as usize)
        });
        *held.expect("the input has this byte")
    }

    fn node(&mut self, op: Op, width: u16, [a, b, c]: [u32; 3]) -> Label {
        self.script.nodes.push(Node { op: op as u8, pad: 0, width, a, b, c });
        node_label(self.script.nodes.len() as u32 - 1)
    }

    fn compared(&mut self, op: Op, at: u32, value: u8) -> Label {
        let constant = self.node(Op::Const, 8, [0, value.into(), 0]);
        self.node(op, 1, [input_label(at), constant, 0])
    }

    /// All sites of a played program are conditions, so each has two places in the coverage map.
    fn condition(&mut self, site: u32, holds: bool, label: Label) -> bool {
        self.script.seen.push(2 * site + u32::from(holds));
        let kind = EventKind::Condition as u16;
        self.script.events.push(TraceEvent { site, kind, outcome: holds.into(), label, aux: 0 });
        holds
    }
}

/// A program that is played.
pub(crate) struct Scripted<'p> {
    memory: tarka_runner::Scripted,
    limits: Limits,
    program: &'p dyn Fn(&mut Play) -> End,
}

impl<'p> Scripted<'p> {
    /// Plays a program that says how each run ends.
    pub(crate) fn new(limits: Limits, program: &'p dyn Fn(&mut Play) -> End) -> Scripted<'p> {
        let memory = tarka_runner::Scripted::new().expect("memory for a run");
        Scripted { memory, limits, program }
    }
}

impl Target for Scripted<'_> {
    fn run_bytes(
        &mut self,
        objects: &[Rc<ObjectShape>],
        bytes: &[Vec<u8>],
        calls: u32,
        time_limit: Duration,
    ) -> Result<Run<'_>, RunnerError> {
        let images = images(objects, bytes);
        let mut play = Play { objects: &images, script: Script::default() };
        let end = (self.program)(&mut play);
        let script = Script { end, ..play.script };
        self.memory.run(&self.limits.request(&images, calls, time_limit), &script)
    }

    fn executing(&self) -> Duration {
        Duration::ZERO
    }
}
