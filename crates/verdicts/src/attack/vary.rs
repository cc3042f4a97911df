//! New inputs from old ones: bits flipped, numbers moved, values that programs compare with, pointers aimed elsewhere.
//!
//! Takes what runs were given and the constants of the code; gives inputs that a caller could give. Half of what programs
//! get wrong lies beside a constant or at the end of a type, so most values come from there. Never: running anything.

use std::collections::BTreeSet;
use std::rc::Rc;

use tarka_inputs::{InputBytes, Leaf, LeafKind, ObjectShape, ReplayInput};
use tarka_instrument::{Constant, PlainBuild};
use tarka_search::Rng;
use tarka_source::{FunctionId, SourceModel};
use tarka_terms::Assignment;
use tarka_trace::ARENA_BASE;

/// Most values that are changed at once.
const MOST_CHANGES: usize = 4;

/// Bytes at the beginning of an object among which most changes are made, and all of them.
const NEAR: u32 = 32;
const FAR: u32 = 4096;

/// Numbers at the ends of types and beside them.
const EDGES: [i64; 16] = [
    0,
    1,
    -1,
    2,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    i32::MAX as i64,
    i32::MIN as i64,
    u32::MAX as i64,
    i64::MAX,
    i64::MIN,
    1 << 32,
];

/// Floating-point numbers that behave unlike others.
const SPECIAL: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::EPSILON,
    5e-324,
    2_147_483_648.0,
    9_007_199_254_740_992.0,
];

/// Makes inputs.
pub struct Vary {
    rng: Rng,
    integers: Vec<i64>,
    floats: Vec<f64>,
    texts: Vec<Vec<u8>>,
}

impl Vary {
    /// For a unit of a plain program.
    pub fn new(plain: &PlainBuild, model: &SourceModel, unit: FunctionId, seed: u64) -> Vary {
        let constants: BTreeSet<Constant> = constants_of(plain, model, unit);
        let (mut integers, mut floats, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        for constant in constants {
            match constant {
                Constant::Integer(number) => integers.push(number),
                Constant::Float(bits) => floats.push(f64::from_bits(bits)),
                Constant::Text(bytes) => texts.push(bytes),
            }
        }
        Vary { rng: Rng::new(seed), integers, floats, texts }
    }

    /// An input made of those known: of one of them, of two of them, or of none.
    pub fn next<'a>(&mut self, known: &[ReplayInput<'a>]) -> Option<ReplayInput<'a>> {
        let base = known.get(self.rng.below(known.len().max(1)))?;
        let way = self.rng.below(8);
        let input = match way {
            0 => base.shape.random(&mut self.rng),
            1 => pick(&mut self.rng, known)
                .map_or_else(|| base.input.clone(), |other| self.crossed(base, other)),
            _ => base.input.clone(),
        };
        let varied = self.varied(base, input);
        let objects = base.shape.objects(&varied);
        let is_legal = base.shape.is_legal(&objects, &varied);
        let input = if is_legal { varied } else { base.input.clone() };
        Some(ReplayInput { input, ..base.clone() })
    }

    /// One object's bytes from another input, if that has the same objects.
    fn crossed(&mut self, base: &ReplayInput<'_>, other: &ReplayInput<'_>) -> InputBytes {
        let objects = base.shape.objects(&base.input);
        let Some(object) = pick(&mut self.rng, &objects).filter(|_| Rc::ptr_eq(&base.shape, &other.shape))
        else {
            return base.input.clone();
        };
        let bytes = object.offset..object.offset + object.size.min(FAR);
        let changes: Vec<(u32, u8)> = bytes.map(|byte| (byte, other.input.byte(byte))).collect();
        base.shape.reachable(&base.input.with(&changes))
    }

    /// An input with some values changed. What a pointer is made to lead to is changed next: as it is, it is mostly zeros.
    fn varied(&mut self, base: &ReplayInput<'_>, mut input: InputBytes) -> InputBytes {
        let mut led_to = None;
        let mut left = 1 + self.rng.below(MOST_CHANGES);
        while left > 0 {
            left -= 1;
            let objects = base.shape.objects(&input);
            let next = objects.iter().find(|object| Some(arena_address(object)) == led_to);
            led_to = None;
            let any = pick(&mut self.rng, &objects);
            let Some(object) = next.or(any).filter(|object| object.size > 0) else { continue };
            let byte = object.offset + self.place(object.size);
            let Some(leaf) = base.shape.chosen_at(object, byte) else { continue };
            let change = match leaf.kind {
                LeafKind::Pointer => {
                    let values = base.shape.pointer_values(leaf.offset, &input);
                    let value = pick(&mut self.rng, &values).copied();
                    led_to = value.filter(|&value| value != 0 && value != input.word(leaf.offset));
                    left = left.max(usize::from(led_to.is_some()));
                    value.map(|value| bytes_of(&leaf, value))
                }
                LeafKind::Char if self.rng.below(4) == 0 => self.text(base, object, leaf.offset),
                _ => Some(bytes_of(&leaf, self.value(&leaf, &objects, &input))),
            };
            input = base.shape.reachable(&input.with(&change.unwrap_or_default()));
        }
        input
    }

    /// A place in an object: most of what decides lies at its beginning.
    fn place(&mut self, size: u32) -> u32 {
        let within = [1, NEAR, NEAR, FAR][self.rng.below(4)];
        self.rng.below(size.min(within) as usize) as u32
    }

    /// A string of the code, as far as there is room for it.
    fn text(&mut self, base: &ReplayInput<'_>, object: &ObjectShape, at: u32) -> Option<Vec<(u32, u8)>> {
        let with_end = pick(&mut self.rng, &self.texts)?.clone().into_iter().chain([0]);
        let is_char = |byte: u32| {
            let in_object = byte < object.offset + object.size;
            in_object && base.shape.chosen_at(object, byte).is_some_and(|leaf| leaf.kind == LeafKind::Char)
        };
        Some((at..).zip(with_end).take_while(|(byte, _)| is_char(*byte)).collect())
    }

    fn value(&mut self, leaf: &Leaf, objects: &[Rc<ObjectShape>], input: &InputBytes) -> u64 {
        let old = input.word(leaf.offset);
        if let Some((least, most)) = leaf.range {
            let room = most.wrapping_sub(least).wrapping_add(1).max(1) as usize;
            return least.wrapping_add(self.rng.below(room) as i64) as u64;
        }
        match &leaf.kind {
            LeafKind::Bool => self.rng.below(2) as u64,
            LeafKind::Float { bits } => self.float(old, *bits),
            LeafKind::Enum(values) if self.rng.below(3) > 0 => {
                pick(&mut self.rng, values).map_or(old, |value| *value as u64)
            }
            _ => self.number(old, leaf.size, objects, input),
        }
    }

    fn number(&mut self, old: u64, size: u32, objects: &[Rc<ObjectShape>], input: &InputBytes) -> u64 {
        let beside = self.rng.below(3) as u64;
        let sign = if self.rng.below(4) == 0 { u64::MAX } else { 1 };
        match self.rng.below(8) {
            0 => old ^ 1 << self.rng.below(8 * size as usize),
            1 => old.wrapping_add(self.rng.below(33) as u64).wrapping_sub(16),
            2 => EDGES[self.rng.below(EDGES.len())] as u64,
            3 => (1u64 << self.rng.below(8 * size as usize)).wrapping_sub(self.rng.below(2) as u64),
            4 => self.rng.bits(),
            // What another value of the input is: programs compare them.
            5 => pick(&mut self.rng, objects).map_or(old, |object| input.word(object.offset)),
            _ if self.integers.is_empty() => self.rng.below(256) as u64,
            _ => {
                let constant = self.integers[self.rng.below(self.integers.len())] as u64;
                constant.wrapping_mul(sign).wrapping_add(beside).wrapping_sub(1)
            }
        }
    }

    fn float(&mut self, old: u64, bits: u16) -> u64 {
        let number = match self.rng.below(6) {
            0 => return old ^ 1 << self.rng.below(usize::from(bits)),
            1 if self.rng.below(2) == 0 => return self.rng.bits(),
            1 | 2 => SPECIAL[self.rng.below(SPECIAL.len())],
            3 => self.rng.below(2001) as f64 - 1000.0,
            _ if self.floats.is_empty() => {
                pick(&mut self.rng, &self.integers).map_or(1.0, |number| *number as f64)
            }
            _ => {
                let constant = self.floats[self.rng.below(self.floats.len())];
                let moved = [constant, -constant, constant.next_up(), constant.next_down(), constant + 1.0];
                moved[self.rng.below(moved.len())]
            }
        };
        if bits == 32 { u64::from((number as f32).to_bits()) } else { number.to_bits() }
    }
}

/// The constants in the code that a unit can reach.
fn constants_of(plain: &PlainBuild, model: &SourceModel, unit: FunctionId) -> BTreeSet<Constant> {
    let reachable = model.reachable_functions(unit);
    let names = reachable.iter().map(|id| &model.function(*id).name);
    names.filter_map(|name| plain.constants.get(name)).flatten().cloned().collect()
}

fn pick<'t, T>(rng: &mut Rng, from: &'t [T]) -> Option<&'t T> {
    if from.is_empty() { None } else { from.get(rng.below(from.len())) }
}

fn arena_address(object: &ObjectShape) -> u64 {
    ARENA_BASE + u64::from(object.offset)
}

/// The bytes of a value, by arena offset.
fn bytes_of(leaf: &Leaf, value: u64) -> Vec<(u32, u8)> {
    // Wider ones (`__int128`) are filled up with the sign.
    let filler = if value >> 63 == 1 { 0xff } else { 0 };
    let bytes = value.to_le_bytes().into_iter().chain(std::iter::repeat(filler));
    (leaf.offset..leaf.offset + leaf.size).zip(bytes).collect()
}
