//! What would keep a contract: a precondition in C where it was proved to be exactly that, otherwise the values seen.

use tarka_events::{FaultKind, Need};
use tarka_search::{Arithmetic, Violation};
use tarka_source::{StubKind, TypeKind};
use tarka_terms::{Term, Terms};

use super::Case;
use super::name::{Leaf, Origin};
use super::range::{allowed, is_where_inputs_lie};

/// Most values of the input that are named one by one.
const MOST_NAMED: usize = 4;

impl Case<'_> {
    pub(super) fn need(
        &self,
        terms: &mut Terms,
        violation: Option<&Violation>,
        leaves: &[Leaf],
        never: impl FnMut(&mut Terms, Term) -> bool,
    ) -> Need {
        let expression = violation.and_then(|violation| {
            let about_one = match leaves {
                [leaf] => self.about_one(terms, violation, leaf, never),
                _ => None,
            };
            about_one.or_else(|| self.about_arithmetic(terms, violation, leaves))
        });
        let words = match &expression {
            Some(expression) => format!("needs {expression}"),
            None => self.seen(leaves),
        };
        Need { words, expression }
    }

    /// What a single value must be.
    fn about_one(
        &self,
        terms: &mut Terms,
        violation: &Violation,
        leaf: &Leaf,
        never: impl FnMut(&mut Terms, Term) -> bool,
    ) -> Option<String> {
        let name = leaf.name.as_deref()?;
        let is_pointer = matches!(self.model.types.get(leaf.ty).kind, TypeKind::Pointer { .. });
        if is_pointer && self.kind == FaultKind::NullDereference {
            return Some(format!("{name} != {}", self.null));
        }
        // How far a pointer may move before it wraps around depends on where it happens to lead.
        let number = self.number(leaf).filter(|_| self.kind != FaultKind::PointerArithmetic)?;
        allowed(terms, violation.passes, number, self.bytes, never)?.expression(name)
    }

    /// That a sum, difference or product of named values fits `int`, computed where it cannot overflow.
    fn about_arithmetic(&self, terms: &mut Terms, violation: &Violation, leaves: &[Leaf]) -> Option<String> {
        let Arithmetic { operator, operands } = violation.arithmetic?;
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

    /// The values with which it was seen.
    fn seen(&self, leaves: &[Leaf]) -> String {
        let stub = leaves.iter().find_map(|leaf| match leaf.origin {
            Origin::Stub(stub) | Origin::Stream(stub) => self.stubs.get(stub as usize),
            _ => None,
        });
        if let Some(stub) = stub {
            let what = match stub.kind {
                StubKind::Pointer => "the function that it calls through a pointer".to_string(),
                _ => format!("{}()", stub.name),
            };
            return format!("relies on what {what} answers");
        }
        let says_something = |leaf: &&Leaf| {
            self.number(leaf).is_none_or(|number| !is_where_inputs_lie(number.value(self.bytes)))
        };
        let mut values: Vec<String> =
            leaves.iter().filter(says_something).filter_map(|leaf| self.seen_as(leaf)).collect();
        let others = leaves.len() - values.len().min(MOST_NAMED);
        values.truncate(MOST_NAMED);
        match (values.is_empty(), others) {
            (true, _) => "was seen to fail with the inputs of its fault file".to_string(),
            (false, 0) => format!("was seen to fail with {}", values.join(", ")),
            (false, others) => format!("was seen to fail with {} and {others} more", values.join(", ")),
        }
    }

    /// A value as C compares it: `n == 7`, `p == NULL`.
    pub(super) fn seen_as(&self, leaf: &Leaf) -> Option<String> {
        let name = leaf.name.as_deref()?;
        match self.number(leaf) {
            Some(number) => Some(format!("{name} == {}", number.value(self.bytes))),
            None => {
                self.model.types.pointee(leaf.ty)?;
                let is_null = (leaf.offset..leaf.offset + leaf.size).all(|byte| self.bytes.byte(byte) == 0);
                Some(format!("{name} {} {}", if is_null { "==" } else { "!=" }, self.null))
            }
        }
    }
}
