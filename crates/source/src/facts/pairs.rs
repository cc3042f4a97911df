//! Buffer-and-length pairs: which number counts the elements behind a pointer.
//!
//! Takes what bodies do with pointers and numbers; sets the length of parameters and members. A pair needs a use that
//! shows it (one rule of [`RULES`]) and agreement of name or position; one use against it (one of [`OBJECTIONS`]) is
//! enough to drop it, because a wrong length makes correct code look faulty. Never looks at values.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::facts::flow::{Access, Call, Flow, Index, Least, Pointer};
use crate::facts::names::{is_count_name, is_derived, is_last_name, is_room_name};
use crate::layout::TypeBuilder;
use crate::syntax::body::{Body, Declaration};
use crate::{Field, Function, TypeId, TypeKind, TypeTable};

/// A pointer in a body, looked at for its length.
struct Question<'a> {
    flow: &'a Flow,
    pointer: Declaration,
    /// Size of its elements; 1 for a `void *` of unknown use.
    element: u64,
    is_void: bool,
    lengths: &'a Lengths,
}

/// Lengths of parameters known so far, by function and position.
type Lengths = HashMap<String, Vec<Option<u32>>>;

/// A rule gives the numbers that one kind of use shows as lengths of the pointer.
type Rule = fn(&Question) -> Vec<Declaration>;

/// What must agree beside the use; the first asks least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Agreement {
    /// The number stands beside the pointer, or has the name of a count.
    Position,
    /// It has the name of a count.
    CountName,
    /// It has the name of a count and stands behind the pointer.
    CountNameBehind,
    /// Its name is made from the pointer's.
    DerivedName,
}

/// More bytes than that are a limit, not a size.
const MOST_STATED: u64 = 4096;

/// Uses that show a length, each with the agreement that it needs. `p + n` is as often a place within as the end, so
/// there the name must agree; where a pointer walks beside a comparison, nothing but the name ties the two together.
const RULES: &[(Rule, Agreement)] = &[
    (index_is_compared, Agreement::Position),
    (index_is_a_remainder, Agreement::Position),
    (last_element_is_used, Agreement::CountName),
    (counts_down_as_index, Agreement::Position),
    (end_is_formed, Agreement::CountName),
    (walked_while_counted_down, Agreement::Position),
    (walked_while_compared, Agreement::DerivedName),
    (last_is_checked_for, Agreement::CountName),
    (bytes_are_checked_for, Agreement::CountNameBehind),
    (library_takes_both, Agreement::Position),
    (function_here_takes_both, Agreement::Position),
];

/// An objection names the numbers that cannot be the length; `None` means that no number can.
type Objection = fn(&Question) -> Option<Vec<Declaration>>;

/// Uses that speak against a length.
const OBJECTIONS: &[Objection] = &[is_an_index_itself, reaches_further, is_text_up_to_its_zero];

impl Question<'_> {
    fn accesses(&self) -> impl Iterator<Item = &Access> {
        let pointer = Pointer { spot: self.pointer, element: self.element };
        self.flow.indexed.iter().filter(move |access| access.pointer == pointer)
    }

    fn indices(&self) -> impl Iterator<Item = &Index> {
        self.accesses().map(|access| &access.index)
    }

    /// Numbers that an index is kept below, and whether it may reach them.
    fn limits(&self) -> impl Iterator<Item = (Declaration, bool)> {
        self.accesses().flat_map(|access| match &access.index {
            Index::Bare(i) | Index::Address(i) => self.flow.limits_of(*i, access.node),
            _ => BTreeMap::new(),
        })
    }

    /// Calls that get the pointer as the argument at a position.
    fn calls(&self) -> impl Iterator<Item = (&Call, usize)> {
        self.flow.calls.iter().flat_map(move |call| {
            let is_it = |argument: &crate::facts::flow::Argument| {
                argument.spot == Some(self.pointer)
                    && (argument.element == self.element || self.is_void && argument.element == 0)
            };
            let positions = call.arguments.iter().enumerate().filter(move |(_, argument)| is_it(argument));
            positions.map(move |(position, _)| (call, position))
        })
    }
}

/// `p[i]` with `i < n`.
fn index_is_compared(question: &Question) -> Vec<Declaration> {
    question.limits().map(|(number, _)| number).collect()
}

/// `p[x % n]`.
fn index_is_a_remainder(question: &Question) -> Vec<Declaration> {
    let remainder = |index: &Index| match index {
        Index::Remainder(n) => Some(*n),
        _ => None,
    };
    question.indices().filter_map(remainder).collect()
}

/// `p[n - 1]`.
fn last_element_is_used(question: &Question) -> Vec<Declaration> {
    let last = |index: &Index| match index {
        Index::Before(n) => Some(*n),
        _ => None,
    };
    question.indices().filter_map(last).collect()
}

/// `while (n--) use(p[n]);`
fn counts_down_as_index(question: &Question) -> Vec<Declaration> {
    let counted = |index: &Index| match index {
        Index::Bare(n) if question.flow.counted_down.contains(n) => Some(*n),
        _ => None,
    };
    question.indices().filter_map(counted).collect()
}

/// `end = p + n`.
fn end_is_formed(question: &Question) -> Vec<Declaration> {
    let end = |index: &Index| match index {
        Index::Address(n) => Some(*n),
        _ => None,
    };
    question.indices().filter_map(end).collect()
}

/// `while (n--) use(*p++);`
fn walked_while_counted_down(question: &Question) -> Vec<Declaration> {
    let walk = Pointer { spot: question.pointer, element: question.element };
    if question.flow.walked.contains(&walk) {
        question.flow.counted_down.iter().copied().collect()
    } else {
        Vec::new()
    }
}

/// `if (written++ < n) *p++ = c;`
fn walked_while_compared(question: &Question) -> Vec<Declaration> {
    let walk = Pointer { spot: question.pointer, element: question.element };
    if question.flow.walked.contains(&walk) {
        question.flow.bounds.iter().map(|bound| bound.high).collect()
    } else {
        Vec::new()
    }
}

/// `if (n < 4) return; use(p[3]);`: the check is for the very last element that is used behind it.
fn last_is_checked_for(question: &Question) -> Vec<Declaration> {
    checked_for(question, |last, least| last > 0 && last + 1 == least)
}

/// `if (n < 4) return; use(p[1]);`, and also `p[4]`, which is one too far.
fn bytes_are_checked_for(question: &Question) -> Vec<Declaration> {
    if question.element == 1 { checked_for(question, |last, least| last <= least) } else { Vec::new() }
}

/// Numbers that are checked against a constant, which fits the last constant index behind the check.
fn checked_for(question: &Question, fits: fn(u64, u64) -> bool) -> Vec<Declaration> {
    let last_behind = |least: &Least| {
        let behind = question.accesses().filter(|access| least.scope.contains(&access.node));
        let constants = behind.filter_map(|access| match access.index {
            Index::Constant(index) => Some(index),
            _ => None,
        });
        constants.max()
    };
    let leasts = question.flow.leasts.iter();
    let fitting = leasts.filter(|least| last_behind(least).is_some_and(|last| fits(last, least.value)));
    fitting.map(|least| least.number).collect()
}

/// A library function that takes a pointer and how much there is.
struct Together {
    name: &'static str,
    pointers: &'static [usize],
    length: usize,
    /// Position of the size of an element; without one the length is in bytes.
    size: Option<usize>,
}

const fn bytes(name: &'static str, pointers: &'static [usize], length: usize) -> Together {
    Together { name, pointers, length, size: None }
}

const fn elements(name: &'static str, pointers: &'static [usize], length: usize, size: usize) -> Together {
    Together { name, pointers, length, size: Some(size) }
}

const TOGETHER: &[Together] = &[
    bytes("memcpy", &[0, 1], 2),
    bytes("memmove", &[0, 1], 2),
    bytes("memcmp", &[0, 1], 2),
    bytes("memset", &[0], 2),
    bytes("memchr", &[0], 2),
    bytes("memrchr", &[0], 2),
    bytes("memmem", &[0], 1),
    bytes("read", &[1], 2),
    bytes("write", &[1], 2),
    bytes("pread", &[1], 2),
    bytes("pwrite", &[1], 2),
    bytes("recv", &[1], 2),
    bytes("send", &[1], 2),
    bytes("recvfrom", &[1], 2),
    bytes("sendto", &[1], 2),
    bytes("snprintf", &[0], 1),
    bytes("vsnprintf", &[0], 1),
    bytes("fgets", &[0], 1),
    bytes("strftime", &[0], 1),
    bytes("strncpy", &[0], 2),
    bytes("strncat", &[0], 2),
    bytes("strncmp", &[0, 1], 2),
    bytes("strncasecmp", &[0, 1], 2),
    bytes("strnlen", &[0], 1),
    bytes("strndup", &[0], 1),
    elements("fread", &[0], 2, 1),
    elements("fread", &[0], 1, 2),
    elements("fwrite", &[0], 2, 1),
    elements("fwrite", &[0], 1, 2),
    elements("qsort", &[0], 1, 2),
    elements("bsearch", &[1], 2, 3),
];

/// `memset(p, 0, n)`, `qsort(p, n, sizeof *p, compare)`.
fn library_takes_both(question: &Question) -> Vec<Declaration> {
    let mut found = Vec::new();
    for (call, position) in question.calls() {
        let is_it = |known: &&Together| known.name == call.callee && known.pointers.contains(&position);
        for known in TOGETHER.iter().filter(is_it) {
            let Some(length) = call.arguments.get(known.length) else { continue };
            let element = i128::from(question.element);
            let size = known.size.map(|size| call.arguments.get(size).and_then(|size| size.constant));
            let counts_elements = match size {
                None => length.factor == element,
                Some(size) => length.factor == 1 && size == Some(element),
            };
            found.extend(length.spot.filter(|_| counts_elements));
        }
    }
    found
}

/// Pointers of a call of the library that are told to have a constant number of bytes.
pub fn stated_bytes(call: &Call) -> Vec<(Declaration, u64)> {
    let known = TOGETHER.iter().filter(|known| known.name == call.callee);
    let stated = |known: &'static Together| {
        let constant = |position: usize| call.arguments.get(position).and_then(|given| given.constant);
        let bytes = constant(known.length)?.checked_mul(known.size.map_or(Some(1), constant)?)?;
        let spots = known.pointers.iter().filter_map(|&position| call.arguments.get(position)?.spot);
        Some(spots.map(move |spot| (spot, u64::try_from(bytes).unwrap_or(0))))
    };
    known.filter_map(stated).flatten().filter(|&(_, bytes)| bytes <= MOST_STATED).collect()
}

/// A function of this file whose own parameters are such a pair.
fn function_here_takes_both(question: &Question) -> Vec<Declaration> {
    let mut found = Vec::new();
    for (call, position) in question.calls() {
        let length = question.lengths.get(&call.callee).and_then(|lengths| *lengths.get(position)?);
        let passed = length.and_then(|length| call.arguments.get(length as usize));
        found.extend(passed.filter(|passed| passed.factor == 1).and_then(|passed| passed.spot));
    }
    found
}

/// `p[n]`, `p[n + i]`: there is more than n.
fn is_an_index_itself(question: &Question) -> Option<Vec<Declaration>> {
    let indices = |index: &Index| match index {
        Index::Bare(n) if !question.flow.counted_down.contains(n) => vec![*n],
        Index::Sum(numbers) => numbers.clone(),
        _ => Vec::new(),
    };
    Some(question.indices().flat_map(indices).collect())
}

/// `p[i * width + j]`: no single number says how far that reaches.
fn reaches_further(question: &Question) -> Option<Vec<Declaration>> {
    let is_scaled = |index: &Index| match index {
        Index::Scaled => true,
        Index::Bare(i) | Index::Address(i) | Index::Before(i) => question.flow.scaled.contains(i),
        _ => false,
    };
    let any = question.indices().any(is_scaled);
    if any { None } else { Some(Vec::new()) }
}

/// Text that ends at its zero: the number is a limit, not its length.
fn is_text_up_to_its_zero(question: &Question) -> Option<Vec<Declaration>> {
    let is_text_call = |(call, position): (&Call, usize)| {
        let takes_both =
            TOGETHER.iter().any(|known| known.name == call.callee && known.pointers.contains(&position));
        const OTHERS: &[&str] =
            &["atoi", "atol", "atoll", "atof", "puts", "fputs", "sscanf", "printf", "fopen"];
        !takes_both && (call.callee.starts_with("str") || OTHERS.contains(&call.callee.as_str()))
    };
    let is_text = question.element == 1
        && (question.flow.followed_to_zero.contains(&question.pointer) || question.calls().any(is_text_call));
    if is_text { None } else { Some(Vec::new()) }
}

/// What uses say about the length of a pointer.
#[derive(Default)]
struct Verdict {
    /// Numbers that a use shows, with the least agreement that is enough.
    shown: BTreeMap<Declaration, Agreement>,
    refused: BTreeSet<Declaration>,
    has_none: bool,
    /// Numbers that an index may reach.
    reached: BTreeSet<Declaration>,
}

impl Verdict {
    fn add(&mut self, question: &Question) {
        for (rule, agreement) in RULES {
            for number in rule(question) {
                let least = self.shown.entry(number).or_insert(*agreement);
                *least = (*least).min(*agreement);
            }
        }
        for objection in OBJECTIONS {
            match objection(question) {
                Some(refused) => self.refused.extend(refused),
                None => self.has_none = true,
            }
        }
        self.reached
            .extend(question.limits().filter(|(_, is_reached)| *is_reached).map(|(number, _)| number));
    }

    /// How well a number fits; less is better, `None` is not at all.
    fn fit(&self, pointer: Named, number: Named) -> Option<Fit> {
        let spot = number.declaration;
        let agreement = *self.shown.get(&spot)?;
        // With `i <= max_index`, one more is meant.
        let is_last = self.reached.contains(&spot) && is_last_name(number.name);
        if self.has_none || self.refused.contains(&spot) || is_last {
            return None;
        }
        let follows = number.position == pointer.position + 1;
        let precedes = number.position + 1 == pointer.position;
        let derived = is_derived(number.name, pointer.name);
        let is_named = derived || is_count_name(number.name);
        let agrees = match agreement {
            Agreement::Position => is_named || follows || precedes,
            Agreement::CountName => is_named,
            Agreement::CountNameBehind => is_named && follows,
            Agreement::DerivedName => derived,
        };
        agrees.then(|| (is_room_name(number.name), !derived, !follows, !precedes))
    }
}

/// What tells candidates apart, the most telling first.
type Fit = (bool, bool, bool, bool);

/// A parameter or member among its siblings.
#[derive(Clone, Copy)]
struct Named<'a> {
    name: &'a str,
    position: usize,
    declaration: Declaration,
    ty: TypeId,
    is_bit_field: bool,
}

/// The best number for a pointer among its siblings.
fn best(siblings: &[Named], pointer: usize, verdict: &Verdict, types: &TypeTable) -> Option<u32> {
    let pointer = siblings[pointer];
    let is_number = |other: &&Named| {
        !other.is_bit_field && matches!(types.get(other.ty).kind, TypeKind::Int { bits: ..=64, .. })
    };
    let is_pointer = |other: &Named| types.pointee(other.ty).is_some();
    let has_own = siblings.get(pointer.position + 1).as_ref().is_some_and(is_number);
    // `src_len` counts `src`, whatever is done with `dst` meanwhile; so does `n` in `(dst, room, src, n)`.
    let belongs_elsewhere = |number: &Named| {
        let owns = |other: &Named| is_pointer(other) && is_derived(number.name, other.name);
        let follows = |other: &Named| is_pointer(other) && other.position + 1 == number.position;
        let is_far = number.position != pointer.position + 1;
        (siblings.iter().any(owns) || is_far && has_own && siblings.iter().any(follows))
            && !is_derived(number.name, pointer.name)
    };
    siblings
        .iter()
        .filter(is_number)
        .filter(|number| !belongs_elsewhere(number))
        .filter_map(|number| verdict.fit(pointer, *number).map(|fit| (fit, number.position as u32)))
        .min()
        .map(|(_, position)| position)
}

/// The size to expect of elements; `None` for pointers that cannot have a length.
fn element_of(types: &TypeTable, to: TypeId, cast_to: Option<TypeId>) -> Option<(u64, bool)> {
    match types.get(to).kind {
        TypeKind::Void => Some((cast_to.map_or(1, |target| types.get(target).size), true)),
        _ => types.is_object(to).then(|| (types.get(to).size, false)),
    }
}

/// Sets the lengths of parameters, until no call tells anything new.
pub fn set_params(functions: &mut [Function], bodies: &[Body], flows: &[Flow], types: &TypeTable) {
    let declarations: Vec<Vec<Declaration>> = bodies
        .iter()
        .map(|body| body.cursor.parameters().into_iter().map(Declaration::of).collect())
        .collect();
    loop {
        let lengths: Lengths = functions
            .iter()
            .map(|function| {
                (function.name.clone(), function.params.iter().map(|param| param.length).collect())
            })
            .collect();
        let mut learnt = false;
        for ((function, flow), declarations) in functions.iter_mut().zip(flows).zip(&declarations) {
            for position in 0..function.params.len() {
                let length = param_length(function, position, declarations, flow, &lengths, types);
                if function.params[position].length.is_none() && length.is_some() {
                    function.params[position].length = length;
                    learnt = true;
                }
            }
        }
        if !learnt {
            return;
        }
    }
}

fn param_length(
    function: &Function,
    position: usize,
    declarations: &[Declaration],
    flow: &Flow,
    lengths: &Lengths,
    types: &TypeTable,
) -> Option<u32> {
    let param = &function.params[position];
    // `int a[6]` says itself how many there are.
    if param.array_len.is_some() {
        return None;
    }
    let (element, is_void) = element_of(types, types.pointee(param.ty)?, param.cast_to)?;
    let pointer = *declarations.get(position)?;
    let mut verdict = Verdict::default();
    verdict.add(&Question { flow, pointer, element, is_void, lengths });
    let siblings: Vec<Named> = function
        .params
        .iter()
        .zip(declarations)
        .enumerate()
        .map(|(position, (param, &declaration))| Named {
            name: &param.name,
            position,
            declaration,
            ty: param.ty,
            is_bit_field: false,
        })
        .collect();
    best(&siblings, position, &verdict, types)
}

/// Sets the lengths of members, from all bodies together.
pub fn set_fields(functions: &[Function], flows: &[Flow], types: &mut TypeBuilder) {
    let lengths: Lengths = functions
        .iter()
        .map(|function| (function.name.clone(), function.params.iter().map(|param| param.length).collect()))
        .collect();
    let touched: BTreeSet<Declaration> = flows
        .iter()
        .flat_map(|flow| {
            let indexed = flow.indexed.iter().map(|access| access.pointer.spot);
            let walked = flow.walked.iter().map(|pointer| pointer.spot);
            let passed =
                flow.calls.iter().flat_map(|call| &call.arguments).filter_map(|argument| argument.spot);
            indexed.chain(walked).chain(passed)
        })
        .collect();
    types.update_fields(|table, fields, declarations| {
        let length = |index: usize| {
            let pointer = declarations[index];
            let is_touched = touched.contains(&pointer);
            let length = || field_length(fields, index, declarations, flows, &lengths, table);
            if is_touched { length() } else { None }
        };
        (0..fields.len()).map(|index| Field { length: length(index), ..fields[index].clone() }).collect()
    });
}

fn field_length(
    fields: &[Field],
    index: usize,
    declarations: &[Declaration],
    flows: &[Flow],
    lengths: &Lengths,
    types: &TypeTable,
) -> Option<u32> {
    let field = &fields[index];
    let to = match types.get(field.ty).kind {
        TypeKind::Pointer { to, .. } => to,
        // A flexible array member.
        TypeKind::Array { of, len: None } => of,
        _ => return None,
    };
    let (element, is_void) = element_of(types, to, field.cast_to)?;
    let mut verdict = Verdict::default();
    for flow in flows {
        verdict.add(&Question { flow, pointer: declarations[index], element, is_void, lengths });
    }
    let siblings: Vec<Named> = fields
        .iter()
        .zip(declarations)
        .enumerate()
        .map(|(position, (field, &declaration))| Named {
            name: &field.name,
            position,
            declaration,
            ty: field.ty,
            is_bit_field: field.bit_width.is_some(),
        })
        .collect();
    best(&siblings, index, &verdict, types)
}
