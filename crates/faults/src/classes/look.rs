//! Which decisions look at a value: those that could have kept a fault away, or show that the unit knows what may come.
//!
//! Takes the decisions on the way to a fault and what is known about their conditions in the source; says whether a value was
//! looked at, before the fault or after it. Never: where values come from, what class a fault is.

use tarka_events::FaultKind;
use tarka_search::{Equality, InputDecision};
use tarka_source::{Context, Site, SiteKind};

use super::Case;
use super::name::{Leaf, Origin};

impl Case<'_> {
    /// Whether the way there looks at a value, or the unit does so anywhere else. An assertion alone is no look: it says
    /// what is not taken.
    pub(super) fn is_looked_at(&self, leaf: &Leaf, is_checked: bool) -> bool {
        // What is asserted is taken: a fault behind it is one. Another assertion says no more than this one. Where no check
        // tells what is wrong, neither assertions nor the ends of loops could have kept it away; and that a loop without an
        // end goes on to a value of the caller is no check of that value, nor is what it asks in every round.
        let says_nothing = |look: &InputDecision| match self.kind {
            FaultKind::Timeout => {
                let is_round = self.is_of_another_loop(look) || self.is_in_endless_loop(look);
                is_round || self.is_end_of_loop(look) || !self.may_keep_away(look)
            }
            _ if self.is_deliberate() => self.is_asserted(look) || self.is_end_of_loop(look),
            _ => !is_checked && (self.is_asserted(look) || self.is_end_of_loop(look)),
        };
        let counts = |look: &&InputDecision| look.is_source && !says_nothing(look);
        let looks = self.looks.iter().filter(counts);
        let count = looks.clone().count();
        let has_own = self.is_deliberate() && !is_checked && !self.is_last_concrete;
        let last = self.looks.iter().rev().find(|look| look.is_source);
        let has_own = has_own && last.is_some_and(|look| !says_nothing(look));
        let before = if has_own { count.saturating_sub(1) } else { count };
        let is_looked_at = looks.take(before).any(|look| self.is_about(look, leaf, is_checked));
        // How much there is must be looked at before it is used, and what keeps a loop alive before it is entered.
        let is_late =
            self.kind == FaultKind::Timeout || self.kind == FaultKind::OutOfBounds && self.is_count(leaf);
        is_looked_at || !self.is_deliberate() && !is_late && self.is_asked(leaf)
    }

    /// Whether a decision belongs to an `assert`.
    fn is_asserted(&self, look: &InputDecision) -> bool {
        self.site(look).is_some_and(|site| site.is_assertion)
    }

    /// Whether a decision only says how far a loop goes that came to its end: it is not the one that goes on for ever.
    pub(super) fn is_of_another_loop(&self, look: &InputDecision) -> bool {
        let has_other_end = |other: &InputDecision| other.site == look.site && other.outcome != look.outcome;
        self.is_of_loop(look) && self.looks.iter().any(has_other_end)
    }

    /// Whether a decision is made in the rounds of the loop that does not end, and is not its condition.
    fn is_in_endless_loop(&self, look: &InputDecision) -> bool {
        let (Some(site), Some((function, line))) = (self.site(look), self.active.first()) else {
            return false;
        };
        let around = self.model.function(site.function);
        let mut loops =
            around.loops.iter().filter(|which| around.name == *function && which.place.line == *line);
        loops.any(|which| {
            let is_head = self.is_of_loop(look) && site.governs.start() == line;
            let (place, start) =
                ((site.place.line, site.place.column), (which.place.line, which.place.column));
            site.place.file == which.place.file && start < place && place < which.end && !is_head
        })
    }

    /// Whether a value says how far loops go, and all of these came to their end.
    pub(super) fn is_of_ended_loops_only(&self, leaf: &Leaf) -> bool {
        let is_about = |look: &&InputDecision| look.bytes.iter().any(|byte| leaf.holds(*byte));
        let mut loops = self.looks.iter().filter(is_about).filter(|look| self.is_of_loop(look)).peekable();
        loops.peek().is_some() && loops.all(|look| self.is_of_another_loop(look))
    }

    /// Whether a decision only says how far a loop goes, by another value and by nothing that is fixed.
    fn is_end_of_loop(&self, look: &InputDecision) -> bool {
        self.is_of_loop(look) && self.is_relative(look)
    }

    /// Whether a decision is the condition of a loop.
    fn is_of_loop(&self, look: &InputDecision) -> bool {
        match self.site(look).map(|site| &site.kind) {
            Some(SiteKind::Condition { context, .. }) => {
                matches!(context, Context::For | Context::While | Context::DoWhile)
            }
            _ => false,
        }
    }

    /// Whether a decision of the way there looks at a value. Which of two pointers is greater, or whether they are the
    /// same, says nothing of null; nor does a pointer into a buffer that has a length: it marks a place. Where a number is
    /// checked to be too large or too small, asking for one certain value other than 0 is no check.
    fn is_about(&self, look: &InputDecision, leaf: &Leaf, is_checked: bool) -> bool {
        let is_any = look.bytes.iter().any(|byte| leaf.holds(*byte));
        if self.asks_for_null(leaf) {
            let is_measured = self.param(leaf).is_some_and(|param| param.length.is_some());
            let is_only = look.bytes.iter().all(|byte| leaf.holds(*byte));
            let is_for_another = look.equality == Some(Equality::Other);
            return is_any && is_only && !is_measured && !look.is_order && !is_for_another;
        }
        let is_no_check = || self.says_no_bound(look, leaf) || !self.may_keep_away(look);
        let must_check = self.asks_how_much(leaf) && (is_checked || self.is_by_value());
        // What an assertion or a concrete number rests on nobody knows, so that a look must say something by itself.
        let is_guess = self.is_deliberate() || !is_checked && self.is_by_value();
        is_any && !(must_check && is_no_check()) && !(is_guess && self.is_beside(look, leaf))
    }

    /// Whether a decision says nothing about the values that may come to where the program is: it refuses none, and was made in a
    /// function that has returned, is about other values as well and what it decides over is left, or only asks whether a loop
    /// has something left to do.
    fn is_beside(&self, look: &InputDecision, leaf: &Leaf) -> bool {
        let Some(site) = self.site(look) else { return false };
        let is_only = look.bytes.iter().all(|byte| leaf.holds(*byte));
        let asks_for_more = self.is_of_loop(look) && (!is_only || look.equality == Some(Equality::Zero));
        let is_left = !is_only && !self.governs(site);
        !site.refuses && (!self.is_active(site) || is_left || asks_for_more)
    }

    /// Whether the function of a decision has not returned.
    fn is_active(&self, site: &Site) -> bool {
        let name = self.model.function(site.function).name.as_str();
        self.active.iter().any(|(function, _)| *function == name)
    }

    /// Whether the program is in what a decision decides over.
    fn governs(&self, site: &Site) -> bool {
        let name = self.model.function(site.function).name.as_str();
        let mut active = self.active.iter().filter(|(function, _)| *function == name);
        active.any(|(_, line)| site.governs.contains(line))
    }

    /// Whether a decision could have kept the program from where it is: it refuses values, changes them, or the program is
    /// in what it decides over. What a function that has returned asked only counts if it refused something: its assertions
    /// say what that function takes, not what comes after it.
    fn may_keep_away(&self, look: &InputDecision) -> bool {
        let Some(site) = self.site(look) else { return true };
        let is_active = self.is_active(site);
        let refuses = site.refuses && !site.is_assertion;
        refuses || is_active && (site.is_assertion || site.adjusts || self.governs(site))
    }

    /// Whether a decision says nothing about how large a number may be: it asks for one certain value, says how far a loop
    /// goes, or holds it to another number of the caller that says nothing about how much there is, either.
    fn says_no_bound(&self, look: &InputDecision, leaf: &Leaf) -> bool {
        use FaultKind::*;
        let is_another = |other: &Leaf| {
            other.offset != leaf.offset && other.origin == Origin::Scalar && !self.is_count(other)
        };
        match look.equality {
            Some(Equality::Other) => !self.is_case(look),
            // None is a certain number to divide by or to index with, and none is nothing to go beyond.
            Some(Equality::Zero) => self.is_by_value(),
            None if self.is_end_of_loop(look) => true,
            None => self.kind == DivisionByZero && self.leaves(&look.bytes).iter().any(is_another),
        }
    }

    /// Whether a decision holds values to one another, and to nothing that is fixed.
    fn is_relative(&self, look: &InputDecision) -> bool {
        self.site(look).is_some_and(|site| site.is_relative)
    }

    /// Whether a decision is a switch that went to one of its cases.
    fn is_case(&self, look: &InputDecision) -> bool {
        match self.site(look).map(|site| &site.kind) {
            Some(SiteKind::Switch { arms, .. }) => usize::from(look.outcome) + 1 < arms.len(),
            _ => false,
        }
    }

    /// Whether a condition of the unit is about a parameter.
    pub(super) fn is_asked(&self, leaf: &Leaf) -> bool {
        let asked = self.param(leaf).map(|param| param.asked).unwrap_or_default();
        match () {
            _ if self.asks_for_null(leaf) => asked.whether_null,
            _ if self.kind == FaultKind::DivisionByZero || self.kind == FaultKind::OutOfBounds => {
                asked.how_much || asked.whether_null
            }
            _ if self.asks_how_much(leaf) => asked.how_much,
            _ => asked.anything(),
        }
    }

    /// Whether what counts is a comparison with null.
    fn asks_for_null(&self, leaf: &Leaf) -> bool {
        self.kind == FaultKind::NullDereference && self.is_pointer(leaf)
    }

    /// Whether what counts is how large a number of the caller is.
    fn asks_how_much(&self, leaf: &Leaf) -> bool {
        use FaultKind::*;
        let by_access = matches!(
            self.kind,
            OutOfBounds | WildDereference | DivisionByZero | DivisionOverflow | PointerArithmetic
        );
        (by_access || self.is_by_value()) && leaf.origin == Origin::Scalar
    }

    /// Kinds of arithmetic that a number alone makes wrong.
    fn is_by_value(&self) -> bool {
        use FaultKind::*;
        matches!(self.kind, SignedOverflow | UnsignedOverflow | Shift | FloatConversion | ImplicitConversion)
    }

    /// The condition or switch of the source that a decision is.
    pub(super) fn site(&self, look: &InputDecision) -> Option<&Site> {
        self.model.sites.get(look.site as usize).filter(|_| look.is_source)
    }
}
