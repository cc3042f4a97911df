//! Simpler values than one that a solver found, the simplest first: what a person would have written.

use std::collections::HashSet;

use crate::shape::LeafKind;

/// Round numbers people write.
const NUMBERS: &[i128] =
    &[0, 1, 2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 200, 256, 500, 1000, 1024, 4096, 10_000];

/// Characters people write, the plainest first.
const PLAIN: &[u8] = b"ab0 ";

/// Floating values people write.
const FLOATS: &[f64] = &[0.0, 1.0, -1.0, 2.0, 0.5, -2.0, 10.0, 100.0, -10.0, -100.0, 1000.0];

/// Byte patterns that are simpler than `old`, the simplest first.
pub(super) fn simpler(kind: &LeafKind, old: &[u8], default: &[u8]) -> Vec<Vec<u8>> {
    let mut values: Vec<Vec<u8>> = match kind {
        LeafKind::Bool | LeafKind::Pointer => vec![default.to_vec(), vec![0; old.len()]],
        LeafKind::Enum(enumerators) => enumeration(enumerators, old, default),
        LeafKind::Char => characters(old, default),
        LeafKind::Integer { signed, .. } => {
            let mut all = vec![default.to_vec()];
            all.extend(integers(old, *signed));
            all
        }
        LeafKind::Float { bits } => floats(*bits, old, default),
        LeafKind::Other => other(old, default),
    };
    let mut seen = HashSet::new();
    values.retain(|value| seen.insert(value.clone()));
    // What comes after the value itself is no simpler than it is.
    if let Some(position) = values.iter().position(|value| value == old) {
        values.truncate(position);
    }
    values
}

fn little_endian(value: i128, size: usize) -> Vec<u8> {
    value.to_le_bytes()[..size.min(16)].to_vec()
}

fn read(bytes: &[u8], signed: bool) -> i128 {
    let negative = signed && bytes.last().is_some_and(|&high| high & 0x80 != 0);
    let mut wide = [if negative { 0xff } else { 0 }; 16];
    wide[..bytes.len().min(16)].copy_from_slice(&bytes[..bytes.len().min(16)]);
    i128::from_le_bytes(wide)
}

/// Smaller numbers of the kind people write, by their distance from 0; then shortened forms of the number itself.
fn integers(old: &[u8], signed: bool) -> Vec<Vec<u8>> {
    let value = read(old, signed);
    let smaller =
        NUMBERS.iter().flat_map(|&number| if signed { vec![number, -number] } else { vec![number] });
    let low = [8, 16, 32].map(|bits| value & ((1 << bits) - 1));
    let all = smaller.chain(low).filter(|number| number.unsigned_abs() < value.unsigned_abs());
    all.filter(|&number| fits(number, old.len(), signed))
        .map(|number| little_endian(number, old.len()))
        .collect()
}

fn fits(number: i128, size: usize, signed: bool) -> bool {
    size >= 16 || read(&little_endian(number, size), signed) == number
}

/// Enumerators before other numbers; the default only where it is one of them or nothing else will do.
fn enumeration(enumerators: &[i128], old: &[u8], default: &[u8]) -> Vec<Vec<u8>> {
    let patterns: Vec<Vec<u8>> = enumerators.iter().map(|&value| little_endian(value, old.len())).collect();
    let mut values: Vec<Vec<u8>> = patterns.iter().filter(|&pattern| pattern == default).cloned().collect();
    values.extend(patterns.iter().cloned());
    if patterns.iter().all(|pattern| pattern != old) {
        values.push(default.to_vec());
        values.extend(integers(old, true));
    }
    values
}

fn characters(old: &[u8], default: &[u8]) -> Vec<Vec<u8>> {
    let mut values = vec![default.to_vec()];
    values.extend(PLAIN.iter().map(|&plain| vec![plain]));
    let is_readable = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
    if !old.first().copied().is_some_and(is_readable) {
        let mut printable: Vec<u8> = (b' '..=b'~').filter(|byte| !PLAIN.contains(byte)).collect();
        printable.sort_by_key(|byte| !byte.is_ascii_alphanumeric());
        values.extend(printable.into_iter().map(|byte| vec![byte]));
    }
    values
}

fn floats(bits: u16, old: &[u8], default: &[u8]) -> Vec<Vec<u8>> {
    let pattern = |value: f64| float_pattern(bits, value, old.len());
    let mut values = vec![default.to_vec()];
    values.extend(FLOATS.iter().filter_map(|&value| pattern(value)));
    let Some(own) = float_value(bits, old).filter(|own| own.is_finite()) else { return values };
    values.extend(pattern(own.trunc()));
    // `{:e}` with a precision rounds to so many digits, in any magnitude.
    let rounded = (0..6).filter_map(|digits| format!("{own:.digits$e}").parse::<f64>().ok());
    values.extend(rounded.filter_map(pattern));
    values
}

fn float_value(bits: u16, bytes: &[u8]) -> Option<f64> {
    match bits {
        32 => Some(f32::from_le_bytes(bytes.get(..4)?.try_into().ok()?).into()),
        64 => Some(f64::from_le_bytes(bytes.get(..8)?.try_into().ok()?)),
        _ => None,
    }
}

/// The bytes of a value in a floating type of `bits` bits; `None` for types whose values are left as they are.
fn float_pattern(bits: u16, value: f64, size: usize) -> Option<Vec<u8>> {
    match bits {
        32 => Some((value as f32).to_le_bytes().to_vec()),
        64 => Some(value.to_le_bytes().to_vec()),
        80 => {
            let mut bytes = extended(value).to_vec();
            bytes.resize(size, 0);
            Some(bytes)
        }
        _ => None,
    }
}

/// The x87 form of a number that is 0 or normal: sign and exponent in two bytes above a mantissa with its leading 1.
fn extended(value: f64) -> [u8; 10] {
    let mut bytes = [0; 10];
    let raw = value.to_bits();
    if value != 0.0 {
        let exponent = ((raw >> 52 & 0x7ff) as u16) - 1023 + 16383;
        bytes[..8].copy_from_slice(&(1 << 63 | (raw & ((1 << 52) - 1)) << 11).to_le_bytes());
        bytes[8..].copy_from_slice(&exponent.to_le_bytes());
    }
    bytes[9] |= (raw >> 56) as u8 & 0x80;
    bytes
}

/// Bytes without a type of their own: all back to their default, or one of them.
fn other(old: &[u8], default: &[u8]) -> Vec<Vec<u8>> {
    let mut values = vec![default.to_vec()];
    for position in
        (0..old.len().min(default.len())).rev().filter(|&position| old[position] != default[position])
    {
        let mut one = old.to_vec();
        one[position] = default[position];
        values.push(one);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i32) -> Vec<u8> {
        value.to_le_bytes().to_vec()
    }

    fn ints(kind: &LeafKind, old: i32, default: i32) -> Vec<i32> {
        let values = simpler(kind, &int(old), &int(default));
        values.into_iter().map(|bytes| i32::from_le_bytes(bytes.try_into().unwrap())).collect()
    }

    const INT: LeafKind = LeafKind::Integer { bits: 32, signed: true };

    #[test]
    fn the_default_comes_first_then_round_numbers_nearer_to_zero_only() {
        assert_eq!(ints(&INT, 4, 42), [42, 0, 1, -1, 2, -2, 3, -3]);
        assert_eq!(ints(&INT, 0, 42), [42]);
        assert_eq!(ints(&INT, 42, 42), []);
        assert!(ints(&INT, i32::MIN, 0).contains(&-10_000));
        assert!(ints(&INT, 0x1234_5641, 0).contains(&0x41));
        let byte = LeafKind::Integer { bits: 8, signed: true };
        assert!(simpler(&byte, &[0x80], &[0]).iter().all(|value| value != &[0x80]));
    }

    #[test]
    fn enumerators_are_preferred_even_to_a_default_that_is_none() {
        let colours = LeafKind::Enum(vec![3, 7, 9]);
        assert_eq!(ints(&colours, 9, 0), [3, 7]);
        assert_eq!(ints(&colours, 1, 0), [3, 7, 9, 0]);
        assert_eq!(ints(&LeafKind::Enum(vec![3, 0]), 3, 0), [0]);
    }

    #[test]
    fn characters_become_readable() {
        let texts: Vec<u8> = simpler(&LeafKind::Char, &[0x91], &[0]).concat();
        assert_eq!(&texts[..8], b"\0ab0 123");
        assert_eq!(texts.len(), 96);
        assert_eq!(simpler(&LeafKind::Char, b"b", &[0]).concat(), b"\0a");
        assert_eq!(simpler(&LeafKind::Char, b"k", &[0]).concat(), b"\0ab0 ");
    }

    #[test]
    fn floating_values_are_rounded_to_few_digits() {
        let kind = LeafKind::Float { bits: 64 };
        let values = simpler(&kind, &4.23456f64.to_le_bytes(), &[0; 8]);
        let values: Vec<f64> =
            values.into_iter().map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect();
        assert_eq!(values[11..], [4.0, 4.2, 4.23, 4.235, 4.2346]);
        let nan = simpler(&kind, &f64::NAN.to_le_bytes(), &[0; 8]);
        assert_eq!(nan.len(), 11);
    }

    #[test]
    fn the_extended_form_of_small_numbers_is_the_processors() {
        assert_eq!(extended(1.0), [0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f]);
        assert_eq!(extended(-2.0), [0, 0, 0, 0, 0, 0, 0, 0x80, 0x00, 0xc0]);
        assert_eq!(extended(10.0), [0, 0, 0, 0, 0, 0, 0, 0xa0, 0x02, 0x40]);
        assert_eq!(extended(0.0), [0; 10]);
    }
}
