//! Comparisons that cannot all hold because of how far values are apart: `i + 1 < n`, `n <= i + 2` and `n != i + 2`.
//!
//! Takes clauses and the ranges of their terms, which say where sums do not wrap round; gives clauses that contradict each
//! other. Each comparison is an edge of a graph, "this value is at most that one plus so much", and a circle with a negative
//! sum is a contradiction. Never says that there is a model.

use super::analysis::{Analysis, Reason, named};
use rustc_hash::FxHashMap;
use tarka_terms::{BinaryOp, Node, Term, Terms, UnaryOp};

/// Larger graphs are not looked at.
const MAX_EDGES: usize = 1_000;
/// How many inequalities are looked at: each takes two more searches.
const MAX_DIFFERENT: usize = 16;
/// Sums of wider values are not looked at.
const MAX_WIDTH: u16 = 64;

/// The value of `to` is at most that of `from` plus `by`.
#[derive(Clone, Copy)]
struct Edge {
    from: usize,
    to: usize,
    by: i128,
    reason: Reason,
}

/// A value as a part that is not known and a number that is added to it. Part 0 is the number 0.
#[derive(Clone, Copy)]
struct Sum {
    part: usize,
    plus: i128,
    reason: Reason,
}

/// Clauses that contradict each other by the distances of values. The analysis must have narrowed these very clauses.
pub(super) fn contradiction(terms: &Terms, clauses: &[Term], analysis: &Analysis) -> Option<Vec<Term>> {
    let mut graph = Graph { terms, analysis, parts: FxHashMap::default(), edges: Vec::new() };
    let mut different = Vec::new();
    for (position, clause) in clauses.iter().enumerate() {
        graph.add_clause(*clause, 1 << position.min(127), &mut different);
    }
    if graph.edges.is_empty() || graph.edges.len() > MAX_EDGES {
        return None;
    }
    graph.add_ranges();
    let count = graph.parts.len() + 1;
    let found = negative_circle(count, &graph.edges).or_else(|| {
        different.iter().take(MAX_DIFFERENT).find_map(|(a, b)| {
            let mut without = |less: &Sum, more: &Sum| {
                graph.edges.push(at_most(less, more, -1, 0));
                let found = negative_circle(count, &graph.edges);
                graph.edges.pop();
                found
            };
            Some(without(a, b)? | without(b, a)? | a.reason | b.reason)
        })
    })?;
    Some(named(clauses, found))
}

/// The edge that says that one sum is at most another plus a number.
fn at_most(less: &Sum, more: &Sum, plus: i128, reason: Reason) -> Edge {
    let by = more.plus - less.plus + plus;
    Edge { from: more.part, to: less.part, by, reason: reason | less.reason | more.reason }
}

struct Graph<'a> {
    terms: &'a Terms,
    analysis: &'a Analysis,
    /// The parts that are not known, numbered from 1.
    parts: FxHashMap<Term, usize>,
    edges: Vec<Edge>,
}

impl Graph<'_> {
    fn add_clause(&mut self, clause: Term, reason: Reason, different: &mut Vec<(Sum, Sum)>) {
        match *self.terms.node(clause) {
            Node::Binary(BinaryOp::And, a, b) => {
                self.add_clause(a, reason, different);
                self.add_clause(b, reason, different);
            }
            Node::Binary(op, a, b) if self.terms.width(a) <= MAX_WIDTH => {
                let signs = match op {
                    BinaryOp::Eq | BinaryOp::Ult | BinaryOp::Ule => Some(0),
                    BinaryOp::Slt | BinaryOp::Sle => self.without_sign(a, b),
                    _ => None,
                };
                let Some(reason) = signs.map(|signs| signs | reason) else { return };
                let (a, b) = (self.sum(a), self.sum(b));
                match op {
                    BinaryOp::Eq => {
                        self.edges.push(at_most(&a, &b, 0, reason));
                        self.edges.push(at_most(&b, &a, 0, reason));
                    }
                    BinaryOp::Ult | BinaryOp::Slt => self.edges.push(at_most(&a, &b, -1, reason)),
                    _ => self.edges.push(at_most(&a, &b, 0, reason)),
                }
            }
            Node::Unary(UnaryOp::Not, inner) => {
                if let Node::Binary(BinaryOp::Eq, a, b) = *self.terms.node(inner)
                    && (2..=MAX_WIDTH).contains(&self.terms.width(a))
                {
                    let (mut a, b) = (self.sum(a), self.sum(b));
                    a.reason |= reason;
                    different.push((a, b));
                }
            }
            _ => {}
        }
    }

    /// Why two values are the same with and without sign; `None` if they need not be.
    fn without_sign(&self, a: Term, b: Term) -> Option<Reason> {
        let is_plain = |term: Term| self.analysis.range(self.terms, term).signed_low >= 0;
        (is_plain(a) && is_plain(b)).then(|| self.analysis.reason(a) | self.analysis.reason(b))
    }

    /// A term as a sum, as far as nothing wraps round.
    fn sum(&mut self, term: Term) -> Sum {
        let (mut term, mut plus, mut reason) = (term, 0, 0);
        loop {
            match *self.terms.node(term) {
                Node::Const(value) => return Sum { part: 0, plus: plus + value as i128, reason },
                Node::ZExt(inner) => term = inner,
                Node::Binary(BinaryOp::Add, a, b) => {
                    let constants = (self.terms.as_constant(a), self.terms.as_constant(b));
                    let (inner, added) = match constants {
                        (_, Some(added)) => (a, added),
                        (Some(added), _) => (b, added),
                        _ => break,
                    };
                    let range = self.analysis.range(self.terms, inner);
                    let (added, end) = (added as i128, 1_i128 << range.width);
                    plus += if (range.high as i128) + added < end {
                        added
                    } else if (range.low as i128) + added >= end {
                        added - end
                    } else {
                        break;
                    };
                    reason |= self.analysis.reason(inner);
                    term = inner;
                }
                _ => break,
            }
        }
        let next = self.parts.len() + 1;
        Sum { part: *self.parts.entry(term).or_insert(next), plus, reason }
    }

    /// What the ranges say of the parts.
    fn add_ranges(&mut self) {
        for (&term, &part) in &self.parts {
            let range = self.analysis.range(self.terms, term);
            let reason = self.analysis.reason(term);
            self.edges.push(Edge { from: 0, to: part, by: range.high as i128, reason });
            self.edges.push(Edge { from: part, to: 0, by: -(range.low as i128), reason });
        }
    }
}

/// Why there is a circle of edges with a negative sum, if there is one.
fn negative_circle(count: usize, edges: &[Edge]) -> Option<Reason> {
    let mut least = vec![0_i128; count];
    let mut by: Vec<Option<usize>> = vec![None; count];
    let mut last = None;
    for _ in 0..count {
        last = None;
        for (index, edge) in edges.iter().enumerate() {
            let through = least[edge.from] + edge.by;
            if through < least[edge.to] {
                least[edge.to] = through;
                by[edge.to] = Some(index);
                last = Some(edge.to);
            }
        }
        last?;
    }
    // Something changed after as many rounds as there are parts: going back as often ends on a circle.
    let back = |part: usize| by[part].map(|edge| edges[edge].from);
    let mut on_circle = last?;
    for _ in 0..count {
        on_circle = back(on_circle)?;
    }
    let (mut reason, mut part) = (0, on_circle);
    loop {
        let edge = &edges[by[part]?];
        reason |= edge.reason;
        part = edge.from;
        if part == on_circle {
            return Some(reason);
        }
    }
}
