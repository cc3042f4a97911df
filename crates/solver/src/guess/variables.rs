//! The inputs of hard arithmetic in a query: runs of input bytes that floating operations read as a float or convert from
//! an integer, or that wide integers are multiplied with or divided by, each with the values to try.
//!
//! Takes the clauses of a query; gives nothing if no such operation reads input bytes as they are.

use super::values::{self, Kind, Number};
use crate::layer::Question;
use rustc_hash::{FxHashMap, FxHashSet};
use tarka_terms::{BinaryOp, ConvertOp, Node, Term, Terms};

/// Constants of the query that values are made from, the first ones met.
const MAX_CONSTANTS: usize = 16;
/// Floating inputs that are varied, the first ones met.
const MAX_VARIABLES: usize = 48;

/// A run of input bytes that is one number.
#[derive(Debug, PartialEq)]
pub(super) struct Variable {
    pub(super) kind: Kind,
    /// Its input bytes, each with the position of its lowest bit in the number.
    pub(super) bytes: Vec<(u32, u16)>,
    /// Bit patterns to try, likeliest first.
    pub(super) values: Vec<u128>,
}

/// What the terms of a query are made of.
pub(super) struct Findings {
    pub(super) variables: Vec<Variable>,
    /// The terms that are read as the numbers, with their positions in the list.
    pub(super) positions: FxHashMap<Term, usize>,
    /// Whether there are floats, which are harder still.
    pub(super) has_floats: bool,
    /// How many terms there are: the most that one evaluation computes.
    pub(super) terms: usize,
}

impl Findings {
    /// Nothing if there is no floating input, or the query has more terms than that.
    pub(super) fn of(terms: &Terms, question: &Question, max_terms: usize) -> Option<Findings> {
        let (constants, variables, positions) = (Vec::new(), Vec::new(), FxHashMap::default());
        let mut walk = Walk { terms, constants, variables, positions, has_floats: false };
        let mut seen = FxHashSet::default();
        // The flipped clause comes first, so that its constants and inputs do.
        let mut open: Vec<Term> = question.prefix.iter().rev().copied().chain([question.flipped]).collect();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if seen.len() > max_terms {
                return None;
            }
            walk.visit(term);
            let node = terms.node(term);
            node.for_each_operand(|operand| open.push(operand));
            if let Node::Read(table, _) = *node {
                open.extend(terms.table_entries(table));
            }
        }
        let Walk { constants, mut variables, positions, has_floats, .. } = walk;
        for variable in &mut variables {
            variable.values = values::to_try(variable.kind, &constants);
        }
        (!variables.is_empty()).then_some(Findings { variables, positions, has_floats, terms: seen.len() })
    }
}

/// What was met so far.
struct Walk<'t> {
    terms: &'t Terms,
    constants: Vec<Number>,
    variables: Vec<Variable>,
    positions: FxHashMap<Term, usize>,
    has_floats: bool,
}

impl Walk<'_> {
    fn visit(&mut self, term: Term) {
        let terms = self.terms;
        match *terms.node(term) {
            Node::Unary(op, a) if op.is_float() => self.float(a),
            Node::Binary(op, a, b) if op.is_float() => {
                [a, b].into_iter().for_each(|operand| self.float(operand))
            }
            Node::FCmp(_, a, b) => [a, b].into_iter().for_each(|operand| self.float(operand)),
            Node::Fma(a, b, c) => [a, b, c].into_iter().for_each(|operand| self.float(operand)),
            Node::Convert(ConvertOp::FToSi | ConvertOp::FToUi | ConvertOp::FToF, a) => self.float(a),
            Node::Convert(ConvertOp::SiToF | ConvertOp::UiToF, a) => {
                self.has_floats = true;
                self.integer(a);
            }
            Node::Binary(op, a, b) if is_hard(op, terms.width(a)) => {
                [a, b].into_iter().for_each(|operand| self.integer(operand));
            }
            // What a converted float is compared with.
            Node::Binary(op, a, b) if op.is_predicate() && terms.width(a) >= 8 => {
                for operand in [a, b] {
                    if let Some(bits) = terms.as_constant(operand) {
                        self.constant(Number { kind: Kind::Integer(terms.width(operand)), bits });
                    }
                }
            }
            _ => {}
        }
    }

    /// An operand that is read as an integer, as it was before it was extended.
    fn integer(&mut self, operand: Term) {
        let narrow = match *self.terms.node(operand) {
            Node::SExt(inner) | Node::ZExt(inner) => inner,
            _ => operand,
        };
        self.variable(Kind::Integer(self.terms.width(narrow)), narrow);
    }

    /// An operand that is read as a float: one to vary, or a constant to vary with.
    fn float(&mut self, operand: Term) {
        self.has_floats = true;
        let kind = Kind::Float(self.terms.width(operand));
        match self.terms.as_constant(operand) {
            Some(bits) => self.constant(Number { kind, bits }),
            None => self.variable(kind, operand),
        }
    }

    fn constant(&mut self, constant: Number) {
        if !self.constants.contains(&constant) && self.constants.len() < MAX_CONSTANTS {
            self.constants.push(constant);
        }
    }

    fn variable(&mut self, kind: Kind, term: Term) {
        let Some(bytes) = bytes_of(self.terms, term) else { return };
        let same = |variable: &Variable| variable.kind == kind && variable.bytes == bytes;
        let position = self.variables.iter().position(same).unwrap_or(self.variables.len());
        if position == MAX_VARIABLES {
            return;
        }
        if position == self.variables.len() {
            self.variables.push(Variable { kind, bytes, values: Vec::new() });
        }
        if is_plain(self.terms, term) {
            self.positions.insert(term, position);
        }
    }
}

/// Whether integers of this width take Z3 long to compute with.
fn is_hard(op: BinaryOp, width: u16) -> bool {
    match op {
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => width >= 64,
        BinaryOp::Mul => width > 64,
        _ => false,
    }
}

/// Whether a term is nothing but input bytes side by side.
fn is_plain(terms: &Terms, term: Term) -> bool {
    let mut at = term;
    loop {
        match *terms.node(at) {
            Node::Input(_) => return true,
            Node::Concat(high, low) => match (terms.node(high), terms.node(low)) {
                (Node::Input(_), _) => at = low,
                (_, Node::Input(_)) => at = high,
                _ => return false,
            },
            _ => return false,
        }
    }
}

/// The input bytes a term is put together from and their positions; nothing if it is computed otherwise.
/// Bits that are masked, flipped or constant are looked through: the sign of a float is changed like that.
fn bytes_of(terms: &Terms, term: Term) -> Option<Vec<(u32, u16)>> {
    let mut bytes = Vec::new();
    let mut open = vec![(term, 0i32)];
    while let Some((term, position)) = open.pop() {
        match *terms.node(term) {
            Node::Const(_) => {}
            Node::Input(byte) => bytes.push((byte, u16::try_from(position).ok()?)),
            Node::Concat(high, low) => {
                open.extend([(high, position + i32::from(terms.width(low))), (low, position)]);
            }
            Node::Extract(a, low) => open.push((a, position - i32::from(low))),
            Node::ZExt(a) | Node::SExt(a) => open.push((a, position)),
            Node::Binary(BinaryOp::Xor | BinaryOp::And | BinaryOp::Or, a, b)
                if terms.as_constant(b).is_some() =>
            {
                open.push((a, position));
            }
            _ => return None,
        }
    }
    bytes.sort_unstable();
    bytes.dedup();
    let each_once = bytes.windows(2).all(|pair| pair[0].0 != pair[1].0);
    let aligned = bytes.iter().all(|(_, position)| position % 8 == 0 && *position <= 120);
    (each_once && aligned && !bytes.is_empty()).then_some(bytes)
}
