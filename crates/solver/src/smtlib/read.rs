//! SMT-LIB text to questions: exactly what `write.rs` writes.
//!
//! Takes a file; gives its questions as terms of a store, or the line of what is not understood. What a helper's
//! definition says is not looked at: its name says what it is.

use super::sexpr::{Expr, parse};
use super::{Status, float_format, names};
use rustc_hash::FxHashMap;
use tarka_terms::{BinaryOp, ConvertOp, MAX_WIDTH, Node, Term, Terms, UnaryOp, predicate};

/// A question that was written once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// Where it comes from, in words.
    pub source: String,
    /// What must hold beside the flipped clause.
    pub prefix: Vec<Term>,
    /// What must hold now.
    pub flipped: Term,
    /// The bytes of the input it was asked for, sorted.
    pub input: Vec<(u32, u8)>,
    /// What was known of it then.
    pub status: Status,
    /// Whether the text says less than the question: then only "unsat" is an answer of who read the text.
    pub approximated: bool,
}

/// Why a text is no file of questions.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ReadError {
    line: usize,
    what: String,
}

impl ReadError {
    pub(super) fn new(line: usize, what: impl Into<String>) -> Self {
        ReadError { line, what: what.into() }
    }
}

/// The blocks of a file: each question's text, from its `(push 1)` to its `(pop 1)`.
pub fn blocks(text: &str) -> impl Iterator<Item = &str> {
    const END: &str = "(pop 1)\n";
    text.split_inclusive(END)
        .filter_map(|part| Some(&part[part.find("(push 1)\n")?..]).filter(|part| part.ends_with(END)))
}

/// The questions of a file, in order.
pub fn read(terms: &mut Terms, text: &str) -> Result<Vec<Recorded>, ReadError> {
    let mut questions = Vec::new();
    let mut block: Option<Block> = None;
    for (line, command) in parse(text)? {
        let failed = |what: String| ReadError::new(line, what);
        let parts = command.list();
        let name = parts.first().map_or("", Expr::atom);
        match (name, &mut block) {
            ("set-logic", None) | ("define-fun", None) | ("check-sat", Some(_)) => {}
            ("push", None) => block = Some(Block::default()),
            ("pop", Some(_)) => {
                questions.extend(block.take().and_then(Block::done).transpose().map_err(failed)?);
            }
            (_, Some(block)) => block.command(terms, name, &parts[1..]).map_err(failed)?,
            _ => return Err(failed(format!("`{name}` does not belong here"))),
        }
    }
    Ok(questions)
}

/// A value of the text: a term with how its bits are meant.
#[derive(Clone, Copy)]
enum Value {
    /// A truth value or a bit vector.
    Bits(Term),
    /// A float, by its bits.
    Float(Term),
}

impl Value {
    fn term(self) -> Term {
        match self {
            Value::Bits(term) | Value::Float(term) => term,
        }
    }
}

/// What is known of one question so far.
#[derive(Default)]
struct Block {
    source: String,
    input: Vec<(u32, u8)>,
    status: Option<Status>,
    approximated: bool,
    names: FxHashMap<String, Value>,
    /// Constants of this width that have no value yet: the bits of a float that is said next.
    open: FxHashMap<String, u16>,
    /// Entries of tables by name.
    tables: FxHashMap<String, Vec<Term>>,
    clauses: Vec<Term>,
}

/// Where a part of a table ends.
#[derive(Clone, Copy)]
struct Ends {
    /// The index after its last entry, if there is one.
    here: Option<usize>,
    /// Nothing comes after it, so zeros need no entries.
    last: bool,
}

type Read<T> = Result<T, String>;

fn not_understood<T>(what: &str) -> Read<T> {
    Err(format!("`{what}` is not understood here"))
}

impl Block {
    /// The question; none if nothing was asserted.
    fn done(mut self) -> Option<Read<Recorded>> {
        let flipped = self.clauses.pop()?;
        self.input.sort_unstable();
        Some(Ok(Recorded {
            source: self.source,
            prefix: self.clauses,
            flipped,
            input: self.input,
            status: self.status.unwrap_or(Status::Unknown),
            approximated: self.approximated,
        }))
    }

    fn command(&mut self, terms: &mut Terms, name: &str, arguments: &[Expr]) -> Read<()> {
        match (name, arguments) {
            ("set-info", [key, value]) => self.info(key.atom(), value.atom()),
            ("declare-const", [name, sort]) => {
                let (name, width) = (name.atom(), width_of(sort)?);
                match name.strip_prefix("in").and_then(|byte| byte.parse().ok()) {
                    Some(byte) if width == 8 => {
                        self.names.insert(name.to_string(), Value::Bits(terms.input(byte)));
                    }
                    _ => drop(self.open.insert(name.to_string(), width)),
                }
                Ok(())
            }
            ("declare-fun", [name, ..]) => match unknown_function(name.atom()) {
                Some(_) => Ok(()),
                None => not_understood(name.atom()),
            },
            ("define-fun", [name, parameters, _, body]) => {
                let name = name.atom();
                if parameters.list().is_empty() {
                    let value = self.value(terms, body)?;
                    self.names.insert(name.to_string(), value);
                } else if name.starts_with("table") {
                    let mut entries = Vec::new();
                    let width = name.rsplit_once('_').and_then(|(_, width)| width.parse::<u32>().ok());
                    let end = width.filter(|width| *width <= 24).map(|width| 1 << width);
                    self.entries(terms, body, Ends { here: end, last: true }, &mut entries)?;
                    self.tables.insert(name.to_string(), entries);
                } else if conversion(name).is_none() {
                    return not_understood(name);
                }
                Ok(())
            }
            ("assert", [clause]) => self.assert(terms, clause),
            _ => not_understood(name),
        }
    }

    fn info(&mut self, key: &str, value: &str) -> Read<()> {
        match key {
            ":source" => self.source = value.to_string(),
            ":status" => {
                self.status = Some(Status::by_name(value).ok_or_else(|| format!("`{value}` is no status"))?)
            }
            ":approximated" => self.approximated = true,
            ":input" => {
                for pair in value.split_ascii_whitespace() {
                    let parsed = pair.split_once(':').and_then(|(byte, value)| {
                        Some((byte.parse().ok()?, u8::from_str_radix(value, 16).ok()?))
                    });
                    self.input.push(parsed.ok_or_else(|| format!("`{pair}` is no input byte"))?);
                }
            }
            _ => return not_understood(key),
        }
        Ok(())
    }

    /// A clause, or what a constant stands for.
    fn assert(&mut self, terms: &mut Terms, clause: &Expr) -> Read<()> {
        if let [equal, from_bits, value] = clause.list()
            && equal.atom() == "="
            && let [_, name] = from_bits.list()
            && let Some(width) = self.open.remove(name.atom())
        {
            return match self.value(terms, value)? {
                Value::Float(float) if terms.width(float) == width => {
                    self.names.insert(name.atom().to_string(), Value::Bits(float));
                    Ok(())
                }
                _ => not_understood(name.atom()),
            };
        }
        if clause.list().first().map(Expr::atom) == Some("is_long_double") {
            return Ok(());
        }
        match self.value(terms, clause)? {
            Value::Bits(clause) if terms.width(clause) == 1 => {
                self.clauses.push(clause);
                Ok(())
            }
            _ => Err("an assertion is no truth value".into()),
        }
    }

    /// The entries of a table, from the tree of comparisons with the ends of its runs.
    fn entries(&self, terms: &mut Terms, body: &Expr, ends: Ends, entries: &mut Vec<Term>) -> Read<()> {
        if let [ite, condition, low, high] = body.list()
            && ite.atom() == "ite"
            && let [less, index, bound] = condition.list()
            && (less.atom(), index.atom()) == ("bvult", "i")
        {
            let bound = self.value(terms, bound)?.term();
            let bound = terms.as_constant(bound).and_then(|bound| usize::try_from(bound).ok());
            let bound = bound.filter(|bound| *bound <= 1 << 24).ok_or("a table without bounds")?;
            self.entries(terms, low, Ends { here: Some(bound), last: false }, entries)?;
            return self.entries(terms, high, ends, entries);
        }
        let entry = self.value(terms, body)?.term();
        if ends.last && terms.as_constant(entry) == Some(0) {
            return Ok(());
        }
        match ends.here {
            Some(end) if terms.width(entry) == 8 && end >= entries.len() => {
                entries.resize(end, entry);
                Ok(())
            }
            _ => Err("a table of other than bytes, or without an end".into()),
        }
    }

    fn value(&self, terms: &mut Terms, expr: &Expr) -> Read<Value> {
        let parts = match expr {
            Expr::Atom(text) => return self.atom(terms, text),
            Expr::List(parts) => parts,
        };
        let (head, operands) = parts.split_first().ok_or("an empty expression")?;
        if let [underscore, name, indices @ ..] = head.list() {
            if underscore.atom() != "_" {
                return not_understood(underscore.atom());
            }
            let indices: Vec<u16> = indices.iter().filter_map(|index| index.atom().parse().ok()).collect();
            return self.indexed(terms, name.atom(), &indices, operands);
        }
        let name = head.atom();
        if let Some(entries) = self.tables.get(name) {
            let [index] = self.bits(terms, operands)?;
            let table = terms.table(entries.clone());
            return Ok(Value::Bits(terms.read(table, index)));
        }
        if let Some((from, to)) = conversion(name) {
            let [a] = self.floats(terms, operands)?;
            if terms.width(a) != from {
                return not_understood(name);
            }
            return Ok(Value::Bits(terms.convert(ConvertOp::FToSi, a, to)));
        }
        match name {
            "long_double" => {
                let [a] = self.bits(terms, operands)?;
                if terms.width(a) == 80 { Ok(Value::Float(a)) } else { not_understood(name) }
            }
            "ite" => self.ite(terms, operands),
            _ if name.starts_with("fp.") => self.float_operation(terms, name, operands),
            _ => match unknown_function(name) {
                Some(Unknown::Unary(op)) => {
                    let [a] = self.floats(terms, operands)?;
                    Ok(Value::Float(terms.unary(op, a)))
                }
                Some(Unknown::Binary(op)) => {
                    let [a, b] = self.floats(terms, operands)?;
                    Ok(Value::Float(terms.binary(op, a, b)))
                }
                Some(Unknown::Convert(op, to)) => {
                    let [a] = self.floats(terms, operands)?;
                    Ok(Value::Bits(terms.convert(op, a, to)))
                }
                None => self.bit_operation(terms, name, operands),
            },
        }
    }

    fn atom(&self, terms: &mut Terms, text: &str) -> Read<Value> {
        if let Some(value) = self.names.get(text) {
            return Ok(*value);
        }
        let number = |digits: &str, radix: u32, width: usize| {
            let value = u128::from_str_radix(digits, radix).ok().filter(|_| (1..=128).contains(&width));
            value.map(|value| (width as u16, value))
        };
        let parsed = match (text, text.get(..2)) {
            ("true", _) => Some((1, 1)),
            ("false", _) => Some((1, 0)),
            (_, Some("#x")) => number(&text[2..], 16, 4 * (text.len() - 2)),
            (_, Some("#b")) => number(&text[2..], 2, text.len() - 2),
            _ => None,
        };
        let Some((width, value)) = parsed else { return not_understood(text) };
        Ok(Value::Bits(terms.constant(width, value)))
    }

    /// So many operands as bits.
    fn bits<const N: usize>(&self, terms: &mut Terms, operands: &[Expr]) -> Read<[Term; N]> {
        let mut found = Vec::with_capacity(N);
        for operand in operands {
            match self.value(terms, operand)? {
                Value::Bits(term) => found.push(term),
                Value::Float(_) => return Err("a float where bits belong".into()),
            }
        }
        found.try_into().map_err(|found: Vec<Term>| format!("{} operands where {N} belong", found.len()))
    }

    /// So many operands as floats of one width.
    fn floats<const N: usize>(&self, terms: &mut Terms, operands: &[Expr]) -> Read<[Term; N]> {
        let mut found: Vec<Term> = Vec::with_capacity(N);
        for operand in operands {
            match self.value(terms, operand)? {
                Value::Float(term) if found.iter().all(|other| terms.width(*other) == terms.width(term)) => {
                    found.push(term);
                }
                _ => return Err("other than floats of one width where they belong".into()),
            }
        }
        found.try_into().map_err(|found: Vec<Term>| format!("{} operands where {N} belong", found.len()))
    }

    fn ite(&self, terms: &mut Terms, operands: &[Expr]) -> Read<Value> {
        let [condition, yes, no] = operands else { return not_understood("ite") };
        let [condition] = self.bits(terms, std::slice::from_ref(condition))?;
        let (yes, no) = (self.value(terms, yes)?, self.value(terms, no)?);
        if terms.width(condition) != 1 || terms.width(yes.term()) != terms.width(no.term()) {
            return not_understood("ite");
        }
        match (yes, no) {
            (Value::Bits(yes), Value::Bits(no)) => Ok(Value::Bits(terms.ite(condition, yes, no))),
            (Value::Float(yes), Value::Float(no)) => Ok(Value::Float(terms.ite(condition, yes, no))),
            _ => not_understood("ite"),
        }
    }

    /// `((_ name indices…) operands…)`.
    fn indexed(&self, terms: &mut Terms, name: &str, indices: &[u16], operands: &[Expr]) -> Read<Value> {
        match (name, indices) {
            ("extract", &[high, low]) => {
                let [a] = self.bits(terms, operands)?;
                if low > high || high >= terms.width(a) {
                    return not_understood(name);
                }
                Ok(Value::Bits(terms.extract(a, low, high - low + 1)))
            }
            ("zero_extend" | "sign_extend", &[more]) => {
                let [a] = self.bits(terms, operands)?;
                let width = terms.width(a).saturating_add(more);
                if width > MAX_WIDTH {
                    return not_understood(name);
                }
                let extended =
                    if name == "zero_extend" { terms.zext(a, width) } else { terms.sext(a, width) };
                Ok(Value::Bits(extended))
            }
            ("to_fp" | "to_fp_unsigned", &[exponent, significand]) => {
                let width =
                    [32, 64, 80].into_iter().find(|width| float_format(*width) == (exponent, significand));
                let Some(width) = width else { return not_understood(name) };
                match operands {
                    [bits] if width != 80 && name == "to_fp" => {
                        let [bits] = self.bits(terms, std::slice::from_ref(bits))?;
                        if terms.width(bits) == width { Ok(Value::Float(bits)) } else { not_understood(name) }
                    }
                    [mode, number] if mode.atom() == "RNE" => {
                        let op = match (self.value(terms, number)?, name) {
                            (Value::Float(a), "to_fp") => (ConvertOp::FToF, a),
                            (Value::Bits(a), "to_fp") => (ConvertOp::SiToF, a),
                            (Value::Bits(a), _) => (ConvertOp::UiToF, a),
                            _ => return not_understood(name),
                        };
                        Ok(Value::Float(terms.convert(op.0, op.1, width)))
                    }
                    _ => not_understood(name),
                }
            }
            _ => not_understood(name),
        }
    }

    fn float_operation(&self, terms: &mut Terms, name: &str, operands: &[Expr]) -> Read<Value> {
        let compared = |found: u8, terms: &mut Terms| {
            let [a, b] = self.floats(terms, operands)?;
            Ok(Value::Bits(terms.fcmp(found, a, b)))
        };
        match name {
            "fp.eq" => return compared(predicate::EQUAL, terms),
            "fp.lt" => return compared(predicate::LESS, terms),
            "fp.gt" => return compared(predicate::GREATER, terms),
            "fp.leq" => return compared(predicate::EQUAL | predicate::LESS, terms),
            "fp.geq" => return compared(predicate::EQUAL | predicate::GREATER, terms),
            "fp.isNaN" => {
                let [a] = self.floats(terms, operands)?;
                return Ok(Value::Bits(terms.fcmp(predicate::UNORDERED, a, a)));
            }
            "fp.neg" | "fp.abs" => {
                let [a] = self.floats(terms, operands)?;
                let op = if name == "fp.neg" { UnaryOp::FNeg } else { UnaryOp::FAbs };
                return Ok(Value::Float(terms.unary(op, a)));
            }
            _ => {}
        }
        let Some((mode, operands)) = operands.split_first() else { return not_understood(name) };
        let mode = mode.atom();
        if let Some(op) = names::rounded_of_two(name, mode) {
            let [a, b] = self.floats(terms, operands)?;
            return Ok(Value::Float(terms.binary(op, a, b)));
        }
        if let Some(op) = names::rounded(name, mode) {
            let [a] = self.floats(terms, operands)?;
            return Ok(Value::Float(terms.unary(op, a)));
        }
        match (name, mode) {
            ("fp.fma", "RNE") => {
                let [a, b, c] = self.floats(terms, operands)?;
                Ok(Value::Float(terms.fma(a, b, c)))
            }
            _ => not_understood(name),
        }
    }

    fn bit_operation(&self, terms: &mut Terms, name: &str, operands: &[Expr]) -> Read<Value> {
        if matches!(name, "not" | "bvnot" | "bvneg") {
            let [a] = self.bits(terms, operands)?;
            let op = if name == "bvneg" { UnaryOp::Neg } else { UnaryOp::Not };
            return Ok(Value::Bits(terms.unary(op, a)));
        }
        let [a, b] = self.bits(terms, operands)?;
        if name == "concat" {
            if terms.width(a) + terms.width(b) > MAX_WIDTH {
                return not_understood(name);
            }
            return Ok(Value::Bits(terms.concat(a, b)));
        }
        let Some(op) = names::on_bits(name) else { return not_understood(name) };
        if terms.width(a) != terms.width(b) {
            return Err(format!("`{name}` of {} and {} bits", terms.width(a), terms.width(b)));
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) {
            return Ok(Value::Bits(match self.amount(terms, &operands[1], terms.width(a))? {
                Some(amount) => terms.binary(op, a, amount),
                None => shift(terms, op, a, b),
            }));
        }
        Ok(Value::Bits(terms.binary(op, a, b)))
    }

    /// The amount of a shift that is said modulo the width, as our shifts count.
    fn amount(&self, terms: &mut Terms, amount: &Expr, width: u16) -> Read<Option<Term>> {
        let [modulo, amount, number] = amount.list() else { return Ok(None) };
        let expected = match modulo.atom() {
            "bvand" if width.is_power_of_two() => width - 1,
            "bvurem" => width,
            _ => return Ok(None),
        };
        let number = self.value(terms, number)?.term();
        if terms.as_constant(number) != Some(expected.into()) {
            return Ok(None);
        }
        let [amount] = self.bits(terms, std::slice::from_ref(amount))?;
        Ok(Some(amount))
    }
}

/// A shift as SMT-LIB means it: everything is shifted out by the width or more.
fn shift(terms: &mut Terms, op: BinaryOp, a: Term, amount: Term) -> Term {
    let width = terms.width(a);
    let limit = u128::from(width);
    let largest = match *terms.node(amount) {
        Node::Const(amount) => Some(amount),
        Node::Binary(BinaryOp::And, _, mask) => terms.as_constant(mask),
        Node::Binary(BinaryOp::URem, _, modulus) => {
            terms.as_constant(modulus).and_then(|modulus| modulus.checked_sub(1))
        }
        Node::ZExt(part) if terms.width(part) < 8 => Some((1 << terms.width(part)) - 1),
        _ => None,
    };
    let shifted = terms.binary(op, a, amount);
    // A width of fewer than 8 bits may not hold itself, but then no amount reaches beyond 2^width - 1 either.
    let fits_all = width < 8 && (1u128 << width) <= limit;
    if fits_all || largest.is_some_and(|largest| largest < limit) {
        return shifted;
    }
    let limit = terms.constant(width, limit);
    let inside = terms.binary(BinaryOp::Ult, amount, limit);
    let beyond = if op == BinaryOp::AShr {
        let last = terms.constant(width, u128::from(width) - 1);
        terms.binary(op, a, last)
    } else {
        terms.constant(width, 0)
    };
    terms.ite(inside, shifted, beyond)
}

/// `Bool` or `(_ BitVec n)`.
fn width_of(sort: &Expr) -> Read<u16> {
    let width = match sort.list() {
        [underscore, name, width] if (underscore.atom(), name.atom()) == ("_", "BitVec") => {
            width.atom().parse().ok()
        }
        [] if sort.atom() == "Bool" => Some(1),
        _ => None,
    };
    width
        .filter(|width| (1..=MAX_WIDTH).contains(width))
        .ok_or_else(|| "a sort that is not understood".to_string())
}

/// The widths of `f64_to_s32`.
fn conversion(name: &str) -> Option<(u16, u16)> {
    let (from, to) = name.strip_prefix('f')?.split_once("_to_s")?;
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (matches!(from, 32 | 64 | 80) && (1..=64).contains(&to)).then_some((from, to))
}

/// An operation of which the text says nothing but the name.
enum Unknown {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Convert(ConvertOp, u16),
}

fn unknown_function(name: &str) -> Option<Unknown> {
    let (op, from) = name.rsplit_once('_')?;
    if !matches!(from, "32" | "64" | "80") {
        return None;
    }
    let of_one = names::unknown_of_one(op).map(Unknown::Unary);
    if let Some(known) = of_one.or_else(|| names::unknown_of_two(op).map(Unknown::Binary)) {
        return Some(known);
    }
    let (sign, to) = op.strip_prefix(&format!("f{from}_to_"))?.split_at_checked(1)?;
    let op = match sign {
        "s" => ConvertOp::FToSi,
        "u" => ConvertOp::FToUi,
        _ => return None,
    };
    Some(Unknown::Convert(op, to.parse().ok().filter(|to| (1..=MAX_WIDTH).contains(to))?))
}
