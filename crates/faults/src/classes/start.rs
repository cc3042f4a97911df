//! How `main` is started: with `argc` arguments, none of which is null.
//!
//! Takes the case with its input; gives the contract, where a library function met a null pointer that such an argument
//! explains. Never: faults that a check of the unit's own tells, which names what it is about.

use tarka_events::FaultKind;
use tarka_scenario::Role;
use tarka_trace::ARENA_BASE;

use super::range::Number;
use super::{Case, Classed};

impl Case<'_> {
    /// What a null pointer inside the library is, where the input starts the program as nobody does.
    pub(super) fn by_start(&self) -> Option<Classed> {
        let is_untold = self.kind == FaultKind::NullDereference && self.violation.is_none();
        (is_untold && self.has_null_argument()).then(|| {
            Classed::contract(
                "a program is started with argc arguments, and none of them is null",
                "needs argc arguments that are not null",
            )
        })
    }

    fn has_null_argument(&self) -> bool {
        if self.function.name != "main" || self.function.params.len() < 2 {
            return false;
        }
        let mut roots = self.scenario.objects.iter();
        let argv = roots.find(|object| matches!(object.role, Role::Argument { position: 1, .. }));
        let argc = argv.and_then(|argv| self.sibling(argv, 0)).map_or(0, |argc| self.value(argc));
        let arguments = argv.and_then(|argv| self.object_of(self.value(argv) as u64));
        let Some(arguments) = arguments.filter(|_| argc > 0) else { return argc != 0 };
        let is_null = |index: usize| {
            let offset = (arguments.address - ARENA_BASE) as u32 + 8 * index as u32;
            Number { offset, size: 8, signed: false }.value(self.bytes) == 0
        };
        (0..arguments.bytes.len() / 8).take(argc as usize).any(is_null)
    }
}
