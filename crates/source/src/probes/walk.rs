//! Finds the conditions, switches and statements of one function body.
//!
//! Takes the tree of the preprocessed text; gives sites in source order. The rules are those of clang's coverage
//! mapping: every operand of `&&` and `||` that is not itself one of these (`!` and parentheses looked through), and
//! every condition of `if`, `while`, `do`, `for` and `?:`, has two sides; constants have none. Operands that are never
//! evaluated (`sizeof`, `typeof`, `_Generic`) are left alone, and so are static initialisers, which are constants.

use std::collections::BTreeMap;

use crate::clang::{Cursor, binary, node, storage, ty, unary};
use crate::probes::fold;
use crate::syntax::text::Lexer;
use crate::syntax::tree::{NodeId, Tree};
use crate::{BoolShape, Context};

/// A condition or switch as found.
pub struct FoundSite {
    /// The condition, or the operand of the switch.
    pub node: NodeId,
    /// Its bytes in the preprocessed text.
    pub range: (usize, usize),
    /// Shared by the conditions of one decision; counted from 0 in source order.
    pub decision: u32,
    /// Position within the decision.
    pub position: u32,
    /// What it is.
    pub kind: FoundKind,
}

/// A decision with at least one condition.
pub struct FoundDecision {
    /// The outermost `&&` or `||`, or the only condition.
    pub node: NodeId,
    /// As in its conditions.
    pub number: u32,
    /// How the conditions are joined.
    pub shape: BoolShape,
    /// How many there are.
    pub conditions: u32,
    /// See [`crate::Decision::mcdc`].
    pub mcdc: bool,
}

/// What was found.
pub enum FoundKind {
    /// A condition.
    Condition(Context),
    /// The `a` of `a ?: b`, with the node of the whole.
    BinaryConditional(NodeId),
    /// A switch.
    Switch(FoundSwitch),
}

/// A switch and its arms.
pub struct FoundSwitch {
    /// `case` and `default` as written, in source order.
    pub arms: Vec<FoundArm>,
    /// Type of the promoted operand as C writes it.
    pub spelling: String,
    /// Its width.
    pub bits: u16,
    /// Its signedness.
    pub signed: bool,
}

/// A `case` or `default`.
pub struct FoundArm {
    /// The statement.
    pub node: NodeId,
    /// First and last value with their nodes; `None` for `default`.
    pub values: Option<[(i128, NodeId); 2]>,
}

/// Everything found in one body.
#[derive(Default)]
pub struct Found {
    /// In source order.
    pub sites: Vec<FoundSite>,
    /// In order of their numbers.
    pub decisions: Vec<FoundDecision>,
    /// Statements in source order.
    pub statements: Vec<NodeId>,
}

/// Walks a body. `text` is the preprocessed text that `tree` was parsed from.
pub fn walk(tree: &Tree, text: &str) -> Found {
    let mut walker =
        Walker { tree, text, found: Found::default(), decisions: 0, compound_depth: 0, switches: Vec::new() };
    walker.statement(0);
    let mut found = walker.found;
    // An outer condition stands before the conditions inside it; the sort is stable and the walk goes outside in.
    found.sites.sort_by_key(|site| (site.range.0, std::cmp::Reverse(site.range.1)));
    found.statements.sort_by_key(|&statement| tree.range(statement).0);
    number_decisions(&mut found);
    found
}

/// Numbers decisions by their first condition and conditions by their place in the decision.
fn number_decisions(found: &mut Found) {
    // From the number given on the way to the final one and how many conditions it has so far.
    let mut seen: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    for site in &mut found.sites {
        let next = seen.len() as u32;
        let (number, conditions) = seen.entry(site.decision).or_insert((next, 0));
        site.decision = *number;
        site.position = *conditions;
        *conditions += 1;
    }
    // What is folded as a whole has no condition and no number.
    found.decisions.retain(|decision| decision.conditions > 0);
    for decision in &mut found.decisions {
        if let Some((number, _)) = seen.get(&decision.number) {
            decision.number = *number;
        }
    }
    found.decisions.sort_by_key(|decision| decision.number);
}

struct Walker<'a, 'tu> {
    tree: &'a Tree<'tu>,
    text: &'a str,
    found: Found,
    decisions: u32,
    /// How many compound decisions stand around the current expression.
    compound_depth: u32,
    /// Arms of the switches around the current statement, innermost last.
    switches: Vec<Vec<FoundArm>>,
}

impl<'tu> Walker<'_, 'tu> {
    fn cursor(&self, id: NodeId) -> Cursor<'tu> {
        self.tree.cursor(id)
    }

    fn children(&self, id: NodeId) -> Vec<NodeId> {
        self.tree.children(id).to_vec()
    }

    fn new_decision(&mut self) -> u32 {
        self.decisions += 1;
        self.decisions
    }

    /// A statement, or an expression in a statement's place.
    fn statement(&mut self, id: NodeId) {
        match self.tree.kind(id) {
            node::COMPOUND | node::NULL_STMT => {}
            node::LABEL | node::CASE | node::DEFAULT | node::UNEXPOSED_STMT => {}
            node::DECLARATION_STMT if !self.declares_with_effect(id) => {}
            _ => self.found.statements.push(id),
        }
        match self.tree.kind(id) {
            node::IF => self.branch(id, Context::If),
            node::WHILE => self.branch(id, Context::While),
            node::DO => self.do_while(id),
            node::FOR => self.for_loop(id),
            node::SWITCH => self.switch(id),
            node::CASE => self.case(id),
            node::DEFAULT => self.default(id),
            node::DECLARATION_STMT => self.declarations(id),
            _ if self.cursor(id).is_expression() => self.expression(id),
            _ => self.parts(id),
        }
    }

    /// Every statement and expression directly inside.
    fn parts(&mut self, id: NodeId) {
        let in_statement = self.cursor(id).is_statement();
        // In these, an expression is a statement of its own; elsewhere (`return x;`) it is a part of one.
        let holds_statements =
            matches!(self.tree.kind(id), node::COMPOUND | node::LABEL | node::UNEXPOSED_STMT);
        for child in self.children(id) {
            let cursor = self.cursor(child);
            if cursor.is_statement() || (in_statement && holds_statements && cursor.is_expression()) {
                self.statement(child);
            } else if cursor.is_expression() {
                self.expression(child);
            }
        }
    }

    /// `if (c) s else s` and `while (c) s`.
    fn branch(&mut self, id: NodeId, context: Context) {
        let children = self.children(id);
        let Some((&condition, bodies)) = children.split_first() else { return };
        self.condition(condition, context);
        for &body in bodies {
            self.statement(body);
        }
    }

    fn do_while(&mut self, id: NodeId) {
        let [body, condition] = self.children(id)[..] else { return };
        self.statement(body);
        self.condition(condition, Context::DoWhile);
    }

    /// libclang leaves out the missing parts of `for (;;)`, so the semicolons tell which part a child is.
    fn for_loop(&mut self, id: NodeId) {
        let children = self.children(id);
        let Some((&body, parts)) = children.split_last() else { return };
        let start = self.tree.range(id).0;
        let semicolons = Lexer::new(self.text, start).head_semicolons();
        for &part in parts {
            let offset = self.tree.range(part).0;
            match semicolons {
                Some((first, second)) if offset > first && offset < second => {
                    self.condition(part, Context::For);
                }
                _ if self.cursor(part).is_expression() => self.expression(part),
                _ => self.declarations(part),
            }
        }
        self.statement(body);
    }

    fn switch(&mut self, id: NodeId) {
        let [operand, body] = self.children(id)[..] else { return };
        let promoted = self.cursor(operand).ty().canonical().unqualified();
        let kind = promoted.kind();
        let bits = promoted.size().unwrap_or(0) * 8;
        let slot = self.found.sites.len();
        self.switches.push(Vec::new());
        // A probe carries 64 bits, so a switch over `__int128` has no site.
        let has_probe = ty::is_integer(kind) && bits <= 64;
        if has_probe {
            let decision = self.new_decision();
            self.found.sites.push(FoundSite {
                node: operand,
                range: self.tree.range(operand),
                decision,
                position: 0,
                kind: FoundKind::Switch(FoundSwitch {
                    arms: Vec::new(),
                    spelling: promoted.spelling(),
                    bits: bits as u16,
                    signed: ty::is_signed(kind),
                }),
            });
        }
        self.expression(operand);
        self.statement(body);
        let written = self.switches.pop().unwrap_or_default();
        if has_probe
            && let FoundKind::Switch(FoundSwitch { arms, bits, signed, .. }) =
                &mut self.found.sites[slot].kind
        {
            *arms = written;
            // Case labels are converted to the promoted type of the operand.
            for (value, _) in arms.iter_mut().filter_map(|arm| arm.values.as_mut()).flatten() {
                *value = convert(*value, *bits, *signed);
            }
        }
    }

    fn case(&mut self, id: NodeId) {
        let children = self.children(id);
        let (first, last, body) = match children[..] {
            [value, body] => (value, value, body),
            [first, last, body] => (first, last, body),
            _ => return,
        };
        let value = |id: NodeId| (self.cursor(id).constant().unwrap_or(0), id);
        let values = Some([value(first), value(last)]);
        if let Some(arms) = self.switches.last_mut() {
            arms.push(FoundArm { node: id, values });
        }
        self.statement(body);
    }

    fn default(&mut self, id: NodeId) {
        if let Some(arms) = self.switches.last_mut() {
            arms.push(FoundArm { node: id, values: None });
        }
        for child in self.children(id) {
            self.statement(child);
        }
    }

    /// Whether a declaration does something when control passes over it.
    fn declares_with_effect(&self, id: NodeId) -> bool {
        self.tree.children(id).iter().any(|&child| {
            let cursor = self.cursor(child);
            cursor.kind() == node::VARIABLE && !is_static(cursor) && cursor.initialiser().is_some()
        })
    }

    fn declarations(&mut self, id: NodeId) {
        for declaration in self.children(id) {
            let cursor = self.cursor(declaration);
            let declared = match cursor.kind() {
                node::VARIABLE if !is_static(cursor) => cursor.ty(),
                node::TYPEDEF => cursor.typedef_type(),
                _ => continue,
            };
            let initialiser = if cursor.kind() == node::VARIABLE { cursor.initialiser() } else { None };
            let is_vla = declared.canonical().kind() == ty::VARIABLE_ARRAY;
            for child in self.children(declaration) {
                let is_initialiser = initialiser.is_some_and(|value| value.same_as(self.cursor(child)));
                // Other expressions below a declaration belong to its type: array bounds and `typeof`.
                let is_bound = is_vla && self.cursor(child).is_expression() && self.follows_bracket(child);
                if is_initialiser || is_bound {
                    self.expression(child);
                }
            }
        }
    }

    fn follows_bracket(&self, id: NodeId) -> bool {
        self.text_before(id).ends_with('[')
    }

    /// The operand of a `typeof` somewhere in a type; it is never evaluated.
    fn follows_typeof(&self, id: NodeId) -> bool {
        const SPELLINGS: [&str; 5] =
            ["typeof", "__typeof", "__typeof__", "typeof_unqual", "__typeof_unqual__"];
        let before = self.text_before(id);
        let word = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        self.tree.kind(id) == node::PAREN && SPELLINGS.contains(&&before[word..])
    }

    fn text_before(&self, id: NodeId) -> &str {
        self.text[..self.tree.range(id).0].trim_end()
    }

    /// A condition with a decision of its own.
    fn condition(&mut self, id: NodeId, context: Context) {
        let number = self.new_decision();
        let core = self.strip(id);
        let is_compound = self.is_logical(core);
        let node = if is_compound { core } else { id };
        let mcdc = is_compound && self.compound_depth == 0 && !self.is_split(core);
        self.compound_depth += u32::from(is_compound);
        let mut conditions = 0;
        let shape = self.operand(node, context, number, &mut conditions);
        self.compound_depth -= u32::from(is_compound);
        self.found.decisions.push(FoundDecision { node, number, shape, conditions, mcdc });
    }

    /// A condition or a part of one: down to the operands of `&&` and `||`.
    fn operand(&mut self, id: NodeId, context: Context, decision: u32, conditions: &mut u32) -> BoolShape {
        let core = self.strip(id);
        if let ([left, right], true) = (&self.children(core)[..], self.is_logical(core)) {
            let left = Box::new(self.operand(*left, context, decision, conditions));
            let right = Box::new(self.operand(*right, context, decision, conditions));
            let is_and = self.cursor(core).binary_operator() == binary::LOGICAL_AND;
            let joined = if is_and { BoolShape::And(left, right) } else { BoolShape::Or(left, right) };
            return if self.negates(id, core) { BoolShape::Not(Box::new(joined)) } else { joined };
        }
        // A condition of vector type selects lane by lane; it does not branch.
        let is_vector = self.cursor(id).ty().canonical().is_vector();
        let shape = match fold::folded(self.tree, id) {
            Some(value) => BoolShape::Constant(value),
            None if is_vector => BoolShape::Constant(true),
            None => {
                self.push_condition(id, decision, FoundKind::Condition(context));
                *conditions += 1;
                BoolShape::Condition(*conditions - 1)
            }
        };
        self.expression(id);
        shape
    }

    /// Whether an odd number of `!` stands from `outer` down to `inner`.
    fn negates(&self, outer: NodeId, inner: NodeId) -> bool {
        let mut id = outer;
        let mut negated = false;
        while id != inner {
            negated ^= self.cursor(id).unary_operator() == unary::LOGICAL_NOT;
            match self.tree.children(id) {
                [next] => id = *next,
                _ => break,
            }
        }
        negated
    }

    /// Whether something else than parentheses stands between this `&&` or `||` and one inside it. clang refuses MC/DC
    /// for such a decision and for everything in it.
    fn is_split(&self, logical: NodeId) -> bool {
        self.tree.children(logical).iter().any(|&operand| {
            let mut core = operand;
            while let (true, [inner]) = (
                self.tree.kind(core) == node::PAREN || self.cursor(core).unary_operator() == unary::EXTENSION,
                self.tree.children(core),
            ) {
                core = *inner;
            }
            if self.is_logical(core) {
                self.is_split(core)
            } else {
                self.tree.subtree(core).any(|id| self.is_logical(id))
            }
        })
    }

    fn push_condition(&mut self, node: NodeId, decision: u32, kind: FoundKind) {
        let range = self.tree.range(node);
        self.found.sites.push(FoundSite { node, range, decision, position: 0, kind });
    }

    /// Without parentheses, `!` and `__extension__`.
    fn strip(&self, mut id: NodeId) -> NodeId {
        loop {
            let operator = self.cursor(id).unary_operator();
            let see_through = self.tree.kind(id) == node::PAREN
                || operator == unary::LOGICAL_NOT
                || operator == unary::EXTENSION;
            match self.tree.children(id) {
                [inner] if see_through => id = *inner,
                _ => return id,
            }
        }
    }

    fn is_logical(&self, id: NodeId) -> bool {
        matches!(self.cursor(id).binary_operator(), binary::LOGICAL_AND | binary::LOGICAL_OR)
    }

    /// An expression whose value is used as a value.
    fn expression(&mut self, id: NodeId) {
        let kind = self.tree.kind(id);
        if self.is_logical(id) {
            return self.condition(id, Context::Value);
        }
        if self.tree.nodes[id].is_binary_conditional {
            return self.binary_conditional(id);
        }
        match kind {
            node::CONDITIONAL => {
                let [condition, yes, no] = self.children(id)[..] else { return };
                self.condition(condition, Context::Ternary);
                self.expression(yes);
                self.expression(no);
            }
            node::TYPE_TRAIT | node::GENERIC => {}
            node::PAREN if self.follows_typeof(id) => {}
            node::UNEXPOSED_EXPR if self.is_range_initialiser(id) => {}
            node::CALL if is_unevaluated_builtin(&self.cursor(id).name()) => {}
            // Children before the operand belong to the type.
            node::CAST | node::COMPOUND_LITERAL => {
                if let Some(operand) = self.children(id).pop() {
                    self.expression(operand);
                }
            }
            node::UNEXPOSED_EXPR
                if self.text[self.tree.range(id).0..].starts_with("__builtin_choose_expr") =>
            {
                self.choose(id);
            }
            _ => self.parts(id),
        }
    }

    /// `[0 ... 9] = value` in an initialiser: clang compiles it only while the value has no side effect, which a probe is.
    fn is_range_initialiser(&self, id: NodeId) -> bool {
        let start = self.tree.range(id).0;
        let Some(&value) = self.tree.children(id).last() else { return false };
        let value_start = self.tree.range(value).0;
        let designator = &self.text[start..value_start.max(start)];
        designator.starts_with(['[', '.']) && designator.contains("...")
    }

    /// `a ?: b`: `a` is one condition as a whole, even where it has conditions inside.
    fn binary_conditional(&mut self, id: NodeId) {
        let [common, other] = self.children(id)[..] else { return };
        if !fold::folds(self.tree, common) && !self.cursor(common).ty().canonical().is_vector() {
            let number = self.new_decision();
            self.push_condition(common, number, FoundKind::BinaryConditional(id));
            self.found.decisions.push(FoundDecision {
                node: common,
                number,
                shape: BoolShape::Condition(0),
                conditions: 1,
                mcdc: false,
            });
        }
        self.expression(common);
        self.expression(other);
    }

    /// `__builtin_choose_expr(constant, a, b)`: the one not chosen is never evaluated.
    fn choose(&mut self, id: NodeId) {
        let [constant, yes, no] = self.children(id)[..] else { return };
        let chosen = if self.cursor(constant).constant() == Some(0) { no } else { yes };
        self.expression(chosen);
    }
}

fn is_static(cursor: Cursor) -> bool {
    matches!(cursor.storage(), storage::STATIC | storage::EXTERN)
}

fn is_unevaluated_builtin(name: &str) -> bool {
    matches!(
        name,
        "__builtin_constant_p"
            | "__builtin_object_size"
            | "__builtin_dynamic_object_size"
            | "__builtin_classify_type"
    )
}

/// Conversion of an integer to a type, as C does it.
fn convert(value: i128, bits: u16, signed: bool) -> i128 {
    let modulus = 1i128 << bits;
    let value = value.rem_euclid(modulus);
    if signed && value >= modulus / 2 { value - modulus } else { value }
}

#[cfg(test)]
mod tests {
    use super::convert;

    #[test]
    fn case_values_wrap_to_the_operand_type() {
        assert_eq!(convert(-1, 32, false), 0xffff_ffff);
        assert_eq!(convert(0xffff_ffff, 32, true), -1);
        assert_eq!(convert(-1, 64, false), 0xffff_ffff_ffff_ffff);
        assert_eq!(convert(-5, 32, true), -5);
    }
}
