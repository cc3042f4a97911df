//! A question to SMT-LIB text.
//!
//! Terms are written in the order in which they were made, so every name is defined before it is used. A short term
//! that is used once stands where it is used; the others get a definition.

use super::{Status, float_format, names};
use crate::sign::{self, Sign};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use tarka_terms::semantics::{self, extended};
use tarka_terms::{Assignment, BinaryOp, ConvertOp, Node, TableId, Term, Terms, UnaryOp, predicate};

/// A term used once is written in place up to this many characters.
const LONGEST_IN_PLACE: usize = 90;

/// A question to write.
pub struct Asked<'a> {
    /// Where it comes from, in words.
    pub source: &'a str,
    /// What must hold beside the flipped clause.
    pub prefix: &'a [Term],
    /// What must hold now.
    pub flipped: Term,
    /// The current input.
    pub current: &'a dyn Assignment,
    /// What is known of it.
    pub status: Status,
}

/// The block of a question; none if it has more than `most` terms.
pub fn write(terms: &Terms, asked: &Asked, most: usize) -> Option<String> {
    let clauses: Vec<Term> = asked.prefix.iter().copied().chain([asked.flipped]).collect();
    let mut writer = Writer::new(terms);
    let order = writer.find_uses(&clauses, most)?;
    order.into_iter().rev().for_each(|term| writer.define(term));
    let mut text = String::from("(push 1)\n");
    // A quoted symbol has no way to hold these two.
    let source: String = asked.source.chars().filter(|c| !matches!(c, '|' | '\\')).collect();
    line(&mut text, format_args!("(set-info :source |{source}|)"));
    let input: Vec<String> =
        writer.inputs.iter().map(|byte| format!("{byte}:{:02x}", asked.current.byte(*byte))).collect();
    line(&mut text, format_args!("(set-info :input |{}|)", input.join(" ")));
    if let Some(what) = &writer.approximated {
        line(&mut text, format_args!("(set-info :approximated |{what}|)"));
    }
    for byte in &writer.inputs {
        line(&mut text, format_args!("(declare-const in{byte} (_ BitVec 8))"));
    }
    text.push_str(&writer.definitions);
    for (position, clause) in clauses.iter().enumerate() {
        if position + 1 == clauses.len() {
            text.push_str("; flipped\n");
        }
        line(&mut text, format_args!("(assert {})", writer.bits(*clause)));
    }
    line(&mut text, format_args!("(set-info :status {})\n(check-sat)\n(pop 1)", asked.status.name()));
    Some(text)
}

/// Writing to a string cannot fail.
fn line(text: &mut String, arguments: std::fmt::Arguments) {
    let _ = writeln!(text, "{arguments}");
}

/// In which of its two forms a term is needed; see `z3/translate.rs`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    Bits,
    Float,
}

struct Writer<'t> {
    terms: &'t Terms,
    uses: FxHashMap<(Term, Form), u32>,
    written: FxHashMap<(Term, Form), String>,
    definitions: String,
    defined: u32,
    /// Tables and functions that have their definition.
    helpers: FxHashSet<String>,
    inputs: Vec<u32>,
    approximated: Option<String>,
}

impl<'t> Writer<'t> {
    fn new(terms: &'t Terms) -> Self {
        Writer {
            terms,
            uses: FxHashMap::default(),
            written: FxHashMap::default(),
            definitions: String::new(),
            defined: 0,
            helpers: FxHashSet::default(),
            inputs: Vec::new(),
            approximated: None,
        }
    }

    /// Counts how often each form of each term is needed; gives the terms, latest first.
    fn find_uses(&mut self, clauses: &[Term], most: usize) -> Option<Vec<Term>> {
        let mut open: std::collections::BTreeSet<Term> = clauses.iter().copied().collect();
        clauses.iter().for_each(|clause| *self.uses.entry((*clause, Form::Bits)).or_default() += 1);
        let mut order = Vec::new();
        // Operands are older than what they are operands of, so each term is met when all its uses are known.
        while let Some(term) = open.pop_last() {
            if order.len() >= most {
                return None;
            }
            order.push(term);
            let is_computed = self.is_computed_float(term);
            let forms = if is_computed { [Form::Bits, Form::Float] } else { [Form::Float, Form::Bits] };
            for form in forms {
                if self.uses.contains_key(&(term, form)) {
                    self.for_each_need(term, form, &mut |writer, operand, form| {
                        *writer.uses.entry((operand, form)).or_default() += 1;
                        if operand != term {
                            open.insert(operand);
                        }
                    });
                }
            }
        }
        Some(order)
    }

    /// Whether the term is a float that is computed from others: its bits follow from its value.
    fn is_computed_float(&self, term: Term) -> bool {
        match *self.terms.node(term) {
            Node::Unary(op, _) => op.is_float(),
            Node::Binary(op, ..) => op.is_float(),
            Node::Convert(op, _) => !matches!(op, ConvertOp::FToSi | ConvertOp::FToUi),
            Node::Fma(..) => true,
            _ => false,
        }
    }

    /// What the text of a term in one form is made of.
    fn for_each_need(&mut self, term: Term, form: Form, visit: &mut dyn FnMut(&mut Self, Term, Form)) {
        let node = *self.terms.node(term);
        let is_computed = self.is_computed_float(term);
        let operands = match (form, node) {
            (Form::Float, Node::Const(_)) => return,
            (Form::Float, Node::Ite(condition, yes, no)) => {
                visit(self, condition, Form::Bits);
                visit(self, yes, Form::Float);
                return visit(self, no, Form::Float);
            }
            (Form::Float, Node::Convert(ConvertOp::SiToF | ConvertOp::UiToF, a)) => {
                return visit(self, a, Form::Bits);
            }
            (Form::Float, _) if is_computed => Form::Float,
            (Form::Float, _) => {
                return match sign::change(self.terms, term) {
                    Some((a, _)) => visit(self, a, Form::Float),
                    None => visit(self, term, Form::Bits),
                };
            }
            (Form::Bits, _) if is_computed => return visit(self, term, Form::Float),
            (Form::Bits, Node::FCmp(..) | Node::Convert(..)) => Form::Float,
            (Form::Bits, Node::Read(table, index)) => {
                for (entry, _) in runs(self.terms, table, self.terms.width(index)) {
                    if let Some(entry) = entry {
                        visit(self, entry, Form::Bits);
                    }
                }
                Form::Bits
            }
            (Form::Bits, _) => Form::Bits,
        };
        node.for_each_operand(|operand| visit(self, operand, operands));
    }

    /// Writes a term in the forms that are needed.
    fn define(&mut self, term: Term) {
        let is_computed = self.is_computed_float(term);
        let forms = if is_computed { [Form::Float, Form::Bits] } else { [Form::Bits, Form::Float] };
        for form in forms {
            let Some(&uses) = self.uses.get(&(term, form)) else { continue };
            let width = self.terms.width(term);
            let text = match form {
                Form::Float => self.float_text(term),
                Form::Bits if is_computed => self.bits_of_float(term),
                Form::Bits => self.bits_text(term),
            };
            let is_name = !text.starts_with('(');
            let text = if is_name || (uses == 1 && text.len() <= LONGEST_IN_PLACE) {
                text
            } else {
                let name = self.fresh();
                let sort = match form {
                    Form::Float => float_sort(width),
                    Form::Bits => bits_sort(width),
                };
                line(&mut self.definitions, format_args!("(define-fun {name} () {sort} {text})"));
                name
            };
            self.written.insert((term, form), text);
        }
    }

    fn fresh(&mut self) -> String {
        self.defined += 1;
        format!("t{}", self.defined - 1)
    }

    fn bits(&self, term: Term) -> &str {
        &self.written[&(term, Form::Bits)]
    }

    fn float(&self, term: Term) -> &str {
        &self.written[&(term, Form::Float)]
    }

    /// A term as a bit vector even if it is one bit wide.
    fn vector(&self, term: Term) -> String {
        let bits = self.bits(term);
        if self.terms.width(term) == 1 { format!("(ite {bits} #b1 #b0)") } else { bits.to_string() }
    }

    fn bits_text(&mut self, term: Term) -> String {
        let terms = self.terms;
        let width = terms.width(term);
        // A bit vector of one bit as a truth value.
        let result = |vector: String| if width == 1 { format!("(= {vector} #b1)") } else { vector };
        match *terms.node(term) {
            Node::Const(value) if width == 1 => (value == 1).to_string(),
            Node::Const(value) => number(width, value),
            Node::Input(byte) => {
                self.inputs.push(byte);
                format!("in{byte}")
            }
            Node::Unary(UnaryOp::Not, a) if width == 1 => format!("(not {})", self.bits(a)),
            Node::Unary(UnaryOp::Not, a) => format!("(bvnot {})", self.bits(a)),
            Node::Unary(_, a) => result(format!("(bvneg {})", self.vector(a))),
            Node::Binary(op, a, b) => self.binary(op, a, b),
            Node::Concat(high, low) => format!("(concat {} {})", self.vector(high), self.vector(low)),
            Node::Extract(a, low) => {
                result(format!("((_ extract {} {low}) {})", low + width - 1, self.vector(a)))
            }
            Node::ZExt(a) => format!("((_ zero_extend {}) {})", width - terms.width(a), self.vector(a)),
            Node::SExt(a) => format!("((_ sign_extend {}) {})", width - terms.width(a), self.vector(a)),
            Node::Ite(condition, yes, no) => {
                format!("(ite {} {} {})", self.bits(condition), self.bits(yes), self.bits(no))
            }
            Node::Read(table, index) => self.read(table, index),
            Node::FCmp(found, a, b) => compared(found, self.float(a), self.float(b)),
            Node::Convert(op, a) => self.integer_from_float(op, a, width),
            Node::Fma(..) => unreachable!("a computed float"),
        }
    }

    fn binary(&self, op: BinaryOp, a: Term, b: Term) -> String {
        let width = self.terms.width(a);
        if width == 1
            && let Some(name) = names::of_truths(op)
        {
            return format!("({name} {} {})", self.bits(a), self.bits(b));
        }
        let (left, mut right) = (self.vector(a), self.vector(b));
        let Some(name) = names::of_vectors(op) else { unreachable!("{op:?} never becomes a node") };
        if matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) {
            // Our amounts count modulo the width.
            right = match self.terms.as_constant(b) {
                Some(amount) => number(width, amount % u128::from(width)),
                None if width.is_power_of_two() => {
                    format!("(bvand {right} {})", number(width, u128::from(width) - 1))
                }
                None => format!("(bvurem {right} {})", number(width, width.into())),
            };
        }
        let text = format!("({name} {left} {right})");
        if width == 1 && !op.is_predicate() { format!("(= {text} #b1)") } else { text }
    }

    fn read(&mut self, table: TableId, index: Term) -> String {
        let width = self.terms.width(index);
        let name = format!("table{}_{width}", table.index());
        if self.helpers.insert(name.clone()) {
            let body = self.choice(&runs(self.terms, table, width), width);
            line(
                &mut self.definitions,
                format_args!("(define-fun {name} ((i {})) (_ BitVec 8) {body})", vector_sort(width)),
            );
        }
        format!("({name} {})", self.vector(index))
    }

    /// A balanced tree of comparisons over the ends of runs of equal entries.
    fn choice(&self, runs: &[(Option<Term>, u128)], width: u16) -> String {
        match runs {
            [] | [(None, _)] => "#x00".to_string(),
            [(Some(entry), _)] => self.bits(*entry).to_string(),
            _ => {
                let (low, high) = runs.split_at(runs.len() / 2);
                let end = number(width, low[low.len() - 1].1);
                format!("(ite (bvult i {end}) {} {})", self.choice(low, width), self.choice(high, width))
            }
        }
    }

    fn float_text(&mut self, term: Term) -> String {
        let terms = self.terms;
        let width = terms.width(term);
        let (exponent, significand) = float_format(width);
        match *terms.node(term) {
            Node::Const(bits) if width == extended::WIDTH => {
                from_bits(&number(width, extended::canonical(bits)), width)
            }
            Node::Const(bits) => from_bits(&number(width, bits), width),
            Node::Unary(op, a) if op.is_float() => {
                let operand = format!(" {})", self.float(a));
                let Some(name) = names::of_float(op) else { unreachable!("{op:?} never becomes a node") };
                self.float_operation(name, 1, width) + &operand
            }
            Node::Binary(op, a, b) if op.is_float() => {
                let operands = format!(" {} {})", self.float(a), self.float(b));
                let Some(name) = names::of_floats(op) else { unreachable!("{op:?} never becomes a node") };
                self.float_operation(name, 2, width) + &operands
            }
            Node::Fma(a, b, c) => {
                format!("(fp.fma RNE {} {} {})", self.float(a), self.float(b), self.float(c))
            }
            Node::Convert(ConvertOp::SiToF, a) => {
                format!("((_ to_fp {exponent} {significand}) RNE {})", self.vector(a))
            }
            Node::Convert(ConvertOp::UiToF, a) => {
                format!("((_ to_fp_unsigned {exponent} {significand}) RNE {})", self.vector(a))
            }
            Node::Convert(ConvertOp::FToF, a) => {
                format!("((_ to_fp {exponent} {significand}) RNE {})", self.float(a))
            }
            Node::Ite(condition, yes, no) => {
                format!("(ite {} {} {})", self.bits(condition), self.float(yes), self.float(no))
            }
            _ => match sign::change(terms, term) {
                Some((a, Sign::Flipped)) => format!("(fp.neg {})", self.float(a)),
                Some((a, Sign::Cleared)) => format!("(fp.abs {})", self.float(a)),
                Some((a, Sign::Set)) => format!("(fp.neg (fp.abs {}))", self.float(a)),
                None => from_bits(self.bits(term), width),
            },
        }
    }

    /// The beginning of an operation on floats.
    fn float_operation(&mut self, name: names::Float, operands: usize, width: u16) -> String {
        match name {
            names::Float::Known(name) => format!("({name}"),
            names::Float::Unknown(name) => self.unknown_function(name, operands, width, &float_sort(width)),
        }
    }

    /// The beginning of a call of a function of which nothing is known, from floats.
    fn unknown_function(&mut self, op: &str, operands: usize, from: u16, result: &str) -> String {
        let name = format!("{op}_{from}");
        if self.helpers.insert(name.clone()) {
            let sorts = vec![float_sort(from); operands].join(" ");
            line(&mut self.definitions, format_args!("(declare-fun {name} ({sorts}) {result})"));
        }
        self.approximated.get_or_insert_with(|| name.clone());
        format!("({name}")
    }

    /// The bits of a computed float: whatever reads back as it.
    fn bits_of_float(&mut self, term: Term) -> String {
        let (name, width) = (self.fresh(), self.terms.width(term));
        line(&mut self.definitions, format_args!("(declare-const {name} {})", bits_sort(width)));
        let same = format!("(assert (= {} {}))", from_bits(&name, width), self.float(term));
        line(&mut self.definitions, format_args!("{same}"));
        if width == extended::WIDTH {
            line(&mut self.definitions, format_args!("(assert (is_long_double {name}))"));
        }
        name
    }

    /// Truncation where the value fits, otherwise what the hardware gives.
    fn integer_from_float(&mut self, op: ConvertOp, a: Term, to: u16) -> String {
        let from = self.terms.width(a);
        let signed = if op == ConvertOp::FToSi { 's' } else { 'u' };
        if to > 64 || op == ConvertOp::FToUi {
            let text = format!(" {})", self.float(a));
            let result = bits_sort(to);
            return self.unknown_function(&format!("f{from}_to_{signed}{to}"), 1, from, &result) + &text;
        }
        let name = format!("f{from}_to_{signed}{to}");
        if self.helpers.insert(name.clone()) {
            let bound = semantics::convert(ConvertOp::UiToF, 64, from, semantics::sign_bit(to));
            let bound = from_bits(&number(from, bound), from);
            let whole = "(fp.roundToIntegral RTZ x)";
            line(
                &mut self.definitions,
                format_args!(
                    "(define-fun {name} ((x {})) {}\n  (ite (and (fp.lt {whole} {bound}) (fp.leq (fp.neg {bound}) {whole})) \
                     ((_ fp.to_sbv {to}) RTZ x) {}))",
                    float_sort(from),
                    vector_sort(to),
                    number(to, semantics::sign_bit(to)),
                ),
            );
        }
        let text = format!("({name} {})", self.float(a));
        if to == 1 { format!("(= {text} #b1)") } else { text }
    }
}

/// A float compared: LLVM's predicate in the theory's words.
fn compared(found: u8, a: &str, b: &str) -> String {
    use predicate::{ALWAYS, EQUAL, GREATER, LESS, UNORDERED};
    const ORDERED: u8 = EQUAL | LESS | GREATER;
    const GREATER_OR_EQUAL: u8 = EQUAL | GREATER;
    const LESS_OR_EQUAL: u8 = EQUAL | LESS;
    const UNEQUAL: u8 = LESS | GREATER;
    match found {
        0 => "false".to_string(),
        ALWAYS => "true".to_string(),
        EQUAL => format!("(fp.eq {a} {b})"),
        GREATER => format!("(fp.gt {a} {b})"),
        LESS => format!("(fp.lt {a} {b})"),
        GREATER_OR_EQUAL => format!("(fp.geq {a} {b})"),
        LESS_OR_EQUAL => format!("(fp.leq {a} {b})"),
        UNEQUAL => format!("(or (fp.lt {a} {b}) (fp.gt {a} {b}))"),
        ORDERED => format!("(not {})", compared(UNORDERED, a, b)),
        UNORDERED if a == b => format!("(fp.isNaN {a})"),
        UNORDERED => format!("(or (fp.isNaN {a}) (fp.isNaN {b}))"),
        other => format!("(not {})", compared(ALWAYS & !other, a, b)),
    }
}

/// Runs of equal entries of a table, each with the index after its last one; nothing stands for the zeros beyond the
/// table, which come last.
fn runs(terms: &Terms, table: TableId, index_width: u16) -> Vec<(Option<Term>, u128)> {
    let entries = terms.table_entries(table);
    let reachable = 1u128.checked_shl(index_width.into()).unwrap_or(u128::MAX);
    let mut runs: Vec<(Option<Term>, u128)> = Vec::new();
    for (entry, index) in entries.iter().zip(0..reachable) {
        match runs.last_mut() {
            Some((Some(last), end)) if last == entry => *end = index + 1,
            _ => runs.push((Some(*entry), index + 1)),
        }
    }
    if (entries.len() as u128) < reachable {
        runs.push((None, reachable));
    }
    runs
}

fn from_bits(bits: &str, width: u16) -> String {
    if width == extended::WIDTH {
        return format!("(long_double {bits})");
    }
    let (exponent, significand) = float_format(width);
    format!("((_ to_fp {exponent} {significand}) {bits})")
}

fn number(width: u16, value: u128) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = usize::from(width / 4))
    } else {
        format!("#b{value:0digits$b}", digits = usize::from(width))
    }
}

fn vector_sort(width: u16) -> String {
    format!("(_ BitVec {width})")
}

fn bits_sort(width: u16) -> String {
    if width == 1 { "Bool".to_string() } else { vector_sort(width) }
}

fn float_sort(width: u16) -> String {
    let (exponent, significand) = float_format(width);
    format!("(_ FloatingPoint {exponent} {significand})")
}
