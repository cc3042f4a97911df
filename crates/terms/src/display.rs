//! A readable form of a term, cut at a depth and a length.
//!
//! Takes a term; writes an S-expression: `(add (concat in[1] in[0]) 0x5:16)`. What is left out shows as `…`.

use crate::node::{Node, Term};
use crate::op::predicate;
use crate::store::Terms;
use std::fmt;

/// Deeper operands are left out.
const DEPTH: u32 = 12;
/// Operands after this many terms are left out.
const LENGTH: u32 = 300;

/// A term to be written out; see [`Terms::display`].
#[derive(Debug)]
pub struct Display<'a> {
    terms: &'a Terms,
    term: Term,
}

impl Terms {
    /// A term in a form for people.
    pub fn display(&self, term: Term) -> Display<'_> {
        Display { terms: self, term }
    }
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self.terms, self.term, DEPTH, &mut { LENGTH }, out)
    }
}

/// Calls itself at most `depth` times deep.
fn write(
    terms: &Terms,
    term: Term,
    depth: u32,
    length: &mut u32,
    out: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    if *length == 0 || depth == 0 {
        return out.write_str("…");
    }
    *length -= 1;
    let width = terms.width(term);
    let node = terms.node(term);
    match *node {
        Node::Const(value) => return write!(out, "{value:#x}:{width}"),
        Node::Input(byte) => return write!(out, "in[{byte}]"),
        Node::Unary(op, _) => write!(out, "({}", lower_case(&op))?,
        Node::Binary(op, ..) => write!(out, "({}", lower_case(&op))?,
        Node::Concat(..) => write!(out, "(concat")?,
        Node::Extract(_, low) => write!(out, "(extract[{}:{low}]", low + width - 1)?,
        Node::ZExt(_) => write!(out, "(zext[{width}]")?,
        Node::SExt(_) => write!(out, "(sext[{width}]")?,
        Node::Ite(..) => write!(out, "(ite")?,
        Node::Read(table, _) => {
            write!(out, "(read table{}[{}]", table.index(), terms.table_entries(table).len())?
        }
        Node::Convert(op, _) => write!(out, "({}[{width}]", lower_case(&op))?,
        Node::FCmp(predicate, ..) => write!(out, "(fcmp.{}", predicate::name(predicate))?,
        Node::Fma(..) => write!(out, "(fma")?,
    }
    let mut result = Ok(());
    node.for_each_operand(|operand| {
        if result.is_ok() {
            result = out.write_str(" ").and_then(|()| write(terms, operand, depth - 1, length, out));
        }
    });
    result?;
    out.write_str(")")
}

fn lower_case(op: &impl fmt::Debug) -> String {
    format!("{op:?}").to_lowercase()
}

#[cfg(test)]
mod tests {
    use crate::{BinaryOp, Terms};

    #[test]
    fn an_expression() {
        let mut terms = Terms::new();
        let (low, high) = (terms.input(0), terms.input(1));
        let word = terms.concat(high, low);
        let product = terms.binary(BinaryOp::Mul, word, word);
        let five = terms.constant(16, 5);
        let less = terms.binary(BinaryOp::Slt, product, five);
        assert_eq!(
            terms.display(less).to_string(),
            "(slt (mul (concat in[1] in[0]) (concat in[1] in[0])) 0x5:16)"
        );
    }

    #[test]
    fn a_huge_term_is_cut() {
        let mut terms = Terms::new();
        let mut term = terms.input(0);
        for byte in 1..100 {
            let input = terms.input(byte);
            term = terms.binary(BinaryOp::Mul, term, input);
            term = terms.binary(BinaryOp::UDiv, term, term);
        }
        let text = terms.display(term).to_string();
        assert!(text.contains('…') && text.len() < 10_000, "{text}");
    }
}
