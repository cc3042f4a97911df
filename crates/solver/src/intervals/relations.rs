//! Comparisons of the same two terms that cannot all hold: `a < b` and `b <= a`, whatever `a` and `b` are.
//!
//! Takes clauses; gives two or more of them that contradict each other by the order of two values alone.

use rustc_hash::FxHashMap;
use tarka_terms::{BinaryOp, Node, Term, Terms, UnaryOp, predicate};

const LESS: u8 = predicate::LESS;
const EQUAL: u8 = predicate::EQUAL;
const GREATER: u8 = predicate::GREATER;
const DIFFERENT: u8 = LESS | GREATER;

/// In which order two values may be: without sign, with sign, and read as floats.
#[derive(Clone, Copy)]
struct Orders([u8; 3]);

impl Orders {
    const ANY: Orders = Orders([LESS | EQUAL | GREATER, LESS | EQUAL | GREATER, predicate::ALWAYS]);

    /// What a clause says of two terms.
    fn of_clause(terms: &Terms, clause: Term) -> Option<(Term, Term, Orders)> {
        let any = Orders::ANY.0;
        let (a, b, orders) = match *terms.node(clause) {
            Node::Binary(BinaryOp::Eq, a, b) => (a, b, [EQUAL, EQUAL, any[2]]),
            Node::Binary(BinaryOp::Ult, a, b) => (a, b, [LESS, DIFFERENT, any[2]]),
            Node::Binary(BinaryOp::Ule, a, b) => (a, b, [LESS | EQUAL, any[1], any[2]]),
            Node::Binary(BinaryOp::Slt, a, b) => (a, b, [DIFFERENT, LESS, any[2]]),
            Node::Binary(BinaryOp::Sle, a, b) => (a, b, [any[0], LESS | EQUAL, any[2]]),
            Node::FCmp(predicate, a, b) => (a, b, [any[0], any[1], predicate]),
            Node::Unary(UnaryOp::Not, inner) => match *terms.node(inner) {
                Node::Binary(BinaryOp::Eq, a, b) => (a, b, [DIFFERENT, DIFFERENT, any[2]]),
                _ => return None,
            },
            _ => return None,
        };
        Some(if a <= b { (a, b, Orders(orders)) } else { (b, a, Orders(orders.map(predicate::swapped))) })
    }

    /// What both say; equal bits are equal in both integer orders.
    fn meet(self, other: Orders) -> Orders {
        let [mut unsigned, mut signed, float] = [0, 1, 2].map(|order| self.0[order] & other.0[order]);
        if unsigned & EQUAL == 0 || signed & EQUAL == 0 {
            (unsigned, signed) = (unsigned & !EQUAL, signed & !EQUAL);
        }
        Orders([unsigned, signed, float])
    }
}

/// Clauses that contradict each other by the order of two terms.
pub(super) fn contradiction(terms: &Terms, clauses: impl Iterator<Item = Term> + Clone) -> Option<Vec<Term>> {
    let mut known: FxHashMap<(Term, Term), Orders> = FxHashMap::default();
    for clause in clauses.clone() {
        let Some((a, b, orders)) = Orders::of_clause(terms, clause) else { continue };
        let now = known.entry((a, b)).or_insert(Orders::ANY);
        *now = now.meet(orders);
        if now.0.contains(&0) {
            let same = |clause: &Term| {
                Orders::of_clause(terms, *clause).is_some_and(|(left, right, _)| (left, right) == (a, b))
            };
            return Some(clauses.filter(same).collect());
        }
    }
    None
}
