//! Whose mistake a fault is: the unit's, or that of a caller who gave it what it cannot take.
//!
//! Takes the condition that did not hold, what the program had looked at before, and the input; gives the blame, and for a
//! caller's mistake what the unit needs, as a precondition in C where that can be proved to be exactly it.
//!
//! A fault is the unit's if the way there looks at any input that decides over it (the unit let it pass), if no input
//! decides (its own doing), or if a link of a list or tree is null (every list ends somewhere). Otherwise the unit relies on
//! its callers: a contract.
//!
//! Never: reading sources, ranking.

mod name;
mod range;

use tarka_events::{Blame, FaultKind, Input, Need};
use tarka_search::{Arithmetic, Violation};
use tarka_source::{Function, SourceModel, Stub, TypeKind};
use tarka_terms::{Assignment, Term, Terms};

use name::{Leaf, Namer};
use range::{Number, allowed};

/// Most values of the input that are named one by one.
const MOST_NAMED: usize = 3;

/// What is known about a fault.
pub(crate) struct Case<'a> {
    pub model: &'a SourceModel,
    pub function: &'a Function,
    pub stubs: &'a [Stub],
    pub kind: FaultKind,
    /// The check that failed.
    pub violation: &'a Violation,
    /// The input, as a record and byte by byte.
    pub input: &'a Input,
    pub bytes: &'a dyn Assignment,
    /// How the file spells a null pointer: `NULL` where it knows that name.
    pub null: &'a str,
}

impl Case<'_> {
    /// The blame, and how many values of the input that nobody looked at it takes. `never` proves that a truth value is
    /// never 1.
    pub(crate) fn blame(
        &self,
        terms: &mut Terms,
        never: impl FnMut(&mut Terms, Term) -> bool,
    ) -> (Blame, u32) {
        let Violation { passes, looked_at, .. } = self.violation;
        let bytes: Vec<u32> = terms.inputs(*passes).to_vec();
        if !self.depends_on_caller() || bytes.iter().any(|byte| looked_at.contains(byte)) {
            return (Blame::Unit, 0);
        }
        let namer = Namer { model: self.model, function: self.function, input: self.input };
        let mut leaves: Vec<Leaf> = Vec::new();
        for byte in bytes {
            let Some(leaf) = namer.leaf(byte) else { return (Blame::Unit, 1) };
            if !leaves.iter().any(|known| known.offset == leaf.offset) {
                leaves.push(leaf);
            }
        }
        let unseen = leaves.len() as u32;
        let is_end_of_list =
            self.kind == FaultKind::NullDereference && leaves.iter().any(|leaf| leaf.is_link);
        if leaves.is_empty() || is_end_of_list {
            return (Blame::Unit, unseen);
        }
        (Blame::Caller(self.need(terms, &leaves, never)), unseen)
    }

    /// Kinds that inputs alone decide over, given the path: the others are about what the unit did before.
    fn depends_on_caller(&self) -> bool {
        use FaultKind::*;
        matches!(
            self.kind,
            NullDereference
                | WildDereference
                | Misaligned
                | OutOfBounds
                | SignedOverflow
                | Shift
                | DivisionByZero
                | DivisionOverflow
                | FloatConversion
                | PointerArithmetic
                | Undefined
                | UnsignedOverflow
                | ImplicitConversion
                | FloatDivision
        )
    }

    fn need(&self, terms: &mut Terms, leaves: &[Leaf], never: impl FnMut(&mut Terms, Term) -> bool) -> Need {
        let about_one = match leaves {
            [leaf] => self.about_one(terms, leaf, never),
            _ => None,
        };
        let expression = about_one.or_else(|| self.about_arithmetic(terms, leaves));
        let words = match &expression {
            Some(expression) => format!("needs {expression}"),
            None => format!("needs {} for which this does not happen", self.named(leaves)),
        };
        Need { words, expression }
    }

    /// What a single value must be.
    fn about_one(
        &self,
        terms: &mut Terms,
        leaf: &Leaf,
        never: impl FnMut(&mut Terms, Term) -> bool,
    ) -> Option<String> {
        let name = leaf.name.as_deref()?;
        let is_pointer = matches!(self.model.types.get(leaf.ty).kind, TypeKind::Pointer { .. });
        if is_pointer && self.kind == FaultKind::NullDereference {
            return Some(format!("{name} != {}", self.null));
        }
        let number = self.number(leaf)?;
        let allowed = allowed(terms, self.violation.passes, number, self.bytes, never)?;
        Some(allowed.expression(name))
    }

    /// That a sum, difference or product of named values fits `int`, computed where it cannot overflow.
    fn about_arithmetic(&self, terms: &mut Terms, leaves: &[Leaf]) -> Option<String> {
        let Arithmetic { operator, operands } = self.violation.arithmetic?;
        let [left, right] = operands.map(|operand| self.operand(terms, leaves, operand));
        let wide = format!("(long)({}) {operator} {}", left?, right?);
        Some(format!("{wide} >= {} && {wide} <= {}", i32::MIN, i32::MAX))
    }

    /// A value of the input, or a constant, as C writes it.
    fn operand(&self, terms: &mut Terms, leaves: &[Leaf], operand: Term) -> Option<String> {
        if let Some(value) = terms.as_constant(operand) {
            return Some((value as u32 as i32).to_string());
        }
        leaves.iter().find_map(|leaf| {
            let number = self.number(leaf)?;
            (number.promoted(terms) == operand).then(|| leaf.name.clone()).flatten()
        })
    }

    fn number(&self, leaf: &Leaf) -> Option<Number> {
        let signed = match self.model.types.get(leaf.ty).kind {
            TypeKind::Int { bits, signed, .. } | TypeKind::Enum { bits, signed, .. } if bits <= 64 => signed,
            _ => return None,
        };
        Some(Number { offset: leaf.offset, size: leaf.size, signed })
    }

    /// The values in words.
    fn named(&self, leaves: &[Leaf]) -> String {
        let stub = leaves.iter().find_map(|leaf| self.stubs.get(leaf.stub? as usize));
        if let Some(stub) = stub {
            return format!("answers of {}()", stub.name);
        }
        let mut names: Vec<&str> = leaves.iter().filter_map(|leaf| leaf.name.as_deref()).collect();
        let others = leaves.len() - names.len().min(MOST_NAMED);
        names.truncate(MOST_NAMED);
        match (names.as_slice(), others) {
            ([], _) => "inputs".to_string(),
            (names, 0) => format!("values of {}", names.join(", ")),
            (names, others) => format!("values of {} and {others} more", names.join(", ")),
        }
    }
}
