//! Scalar values as C literals: integers, characters, strings and floats, each read back by a compiler as the same
//! bits.
//!
//! Takes numbers and bytes, gives text. Never looks at types of the model: the caller has decided what the bytes mean.

/// Reads `width` bits (at most 128) at bit `offset` of little-endian `bytes`. Bytes past the end count as zero.
pub fn read_bits(bytes: &[u8], offset: u64, width: u32) -> u128 {
    let bit = |index: u64| {
        let byte = bytes.get((index / 8) as usize).copied().unwrap_or(0);
        u128::from(byte >> (index % 8) & 1)
    };
    (0..u64::from(width.min(128))).fold(0, |value, index| value | bit(offset + index) << index)
}

/// The value of the low `width` bits of `raw`.
pub fn sign_extend(raw: u128, width: u32, signed: bool) -> i128 {
    if width == 0 {
        return 0;
    }
    let shift = 128 - width.min(128);
    if signed { ((raw << shift) as i128) >> shift } else { raw as i128 }
}

/// An integer of a type of `bits` bits.
pub fn integer(value: i128, bits: u32, signed: bool) -> String {
    if bits > 64 {
        return wide_integer(value, signed);
    }
    if signed {
        return match value {
            v if bits == 32 && v == i128::from(i32::MIN) => "INT_MIN".to_string(),
            v if bits == 32 && v == i128::from(i32::MAX) => "INT_MAX".to_string(),
            v if v == i128::from(i64::MIN) => "LONG_MIN".to_string(),
            v if v == i128::from(i64::MAX) => "LONG_MAX".to_string(),
            // `-2147483648` is the negation of a `long`: right in value, and wide enough everywhere it is used.
            v => v.to_string(),
        };
    }
    let value = if bits >= 128 { value as u128 } else { value as u128 & ((1u128 << bits) - 1) };
    if value > 0xffff { format!("{value:#x}u") } else { value.to_string() }
}

/// An unsigned number as hex if it has the look of a mask: one bit, or ones from the lowest bit on.
pub fn mask(value: u128) -> Option<String> {
    if !(10..=0xffff).contains(&value) {
        return None;
    }
    (value.is_power_of_two() || (value + 1).is_power_of_two()).then(|| format!("{value:#x}"))
}

/// A byte of a buffer.
pub fn byte(value: u8) -> String {
    format!("{value:#04x}")
}

fn wide_integer(value: i128, signed: bool) -> String {
    if let Ok(small) = i64::try_from(value)
        && small > i64::MIN
    {
        return small.to_string();
    }
    let (high, low) = ((value as u128 >> 64) as u64, value as u128 as u64);
    let low = if low == 0 { String::new() } else { format!(" | {low:#x}u") };
    let whole = format!("((unsigned __int128){high:#x}u << 64{low})");
    if signed { format!("(__int128){whole}") } else { whole }
}

/// `'a'` for a printable character or a common escape.
pub fn character(byte: u8) -> Option<String> {
    match byte {
        b'\'' => Some("'\\''".to_string()),
        b'"' => Some("'\"'".to_string()),
        _ => escape(byte).map(|text| format!("'{text}'")),
    }
}

/// A string literal of all these bytes (the terminating zero is the compiler's).
pub fn string(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' => text.push_str("\\\""),
            // Two question marks in a row may start a trigraph.
            b'?' if text.ends_with('?') => text.push_str("\\?"),
            // Three octal digits never swallow a digit that follows.
            _ => text.push_str(&escape(byte).unwrap_or_else(|| format!("\\{byte:03o}"))),
        }
    }
    text.push('"');
    text
}

/// Whether a string of these bytes reads well as a literal: words with zeros between them, or text with an odd byte
/// here and there.
pub fn reads_as_text(bytes: &[u8]) -> bool {
    if bytes.first() == Some(&0) {
        return false;
    }
    let zeros = bytes.iter().filter(|&&byte| byte == 0).count();
    let strange = bytes.iter().filter(|&&byte| escape(byte).is_none()).count();
    strange * 4 <= bytes.len() || strange == zeros && zeros * 2 <= bytes.len()
}

/// Whether every byte is a printable character or a common escape.
pub fn is_plain_text(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| escape(byte).is_some())
}

/// `L'a'` for a printable wide character or a common escape.
pub fn wide_character(value: u32) -> Option<String> {
    u8::try_from(value).ok().and_then(character).map(|text| format!("L{text}"))
}

/// A wide string literal, if every character is printable.
pub fn wide_string(values: &[u32]) -> Option<String> {
    let bytes: Option<Vec<u8>> = values.iter().map(|value| u8::try_from(*value).ok()).collect();
    bytes.filter(|bytes| is_plain_text(bytes)).map(|bytes| format!("L{}", string(&bytes)))
}

fn escape(byte: u8) -> Option<String> {
    match byte {
        b'\n' => Some("\\n".to_string()),
        b'\t' => Some("\\t".to_string()),
        b'\r' => Some("\\r".to_string()),
        b'\\' => Some("\\\\".to_string()),
        b' '..=b'~' => Some((byte as char).to_string()),
        _ => None,
    }
}

/// A floating value of 32, 64 or 80 bits by its bits; `None` where C has no literal for it.
pub fn float(bits: u16, raw: u128) -> Option<String> {
    match bits {
        32 => Some(float32(f32::from_bits(raw as u32))),
        64 => Some(float64(f64::from_bits(raw as u64))),
        80 => float80(raw),
        _ => None,
    }
}

/// Whether the bits are a NaN.
pub fn is_nan(bits: u16, raw: u128) -> bool {
    match bits {
        32 => f32::from_bits(raw as u32).is_nan(),
        64 => f64::from_bits(raw as u64).is_nan(),
        80 => exponent80(raw) == 0x7fff && raw as u64 != 1 << 63,
        _ => false,
    }
}

/// Whether the bits are a zero with a minus sign.
pub fn is_negative_zero(bits: u16, raw: u128) -> bool {
    bits > 0 && bits <= 80 && raw & ((1u128 << bits) - 1) == 1u128 << (bits - 1)
}

fn float32(value: f32) -> String {
    let raw = value.to_bits();
    match value {
        v if v.is_nan() => nan(u64::from(raw & 0x3f_ffff), raw >> 22 & 1 == 1, v.is_sign_negative(), "f"),
        v if v.is_infinite() => infinity(v.is_sign_negative()),
        // The shortest decimal that reads back as the same float.
        v => format!("{v:?}f"),
    }
}

/// Decimals longer than this say less than the hexadecimal form.
const LONGEST_DECIMAL: usize = 20;

fn float64(value: f64) -> String {
    let raw = value.to_bits();
    match value {
        v if v.is_nan() => nan(raw & 0x7_ffff_ffff_ffff, raw >> 51 & 1 == 1, v.is_sign_negative(), ""),
        v if v.is_infinite() => infinity(v.is_sign_negative()),
        v => {
            Some(format!("{v:?}")).filter(|text| text.len() <= LONGEST_DECIMAL).unwrap_or_else(|| hex64(raw))
        }
    }
}

/// `0x1.8p3`: exact by construction.
fn hex64(raw: u64) -> String {
    let sign = if raw >> 63 == 1 { "-" } else { "" };
    let fraction = format!("{:013x}", raw & ((1 << 52) - 1));
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    match (raw >> 52 & 0x7ff) as i64 {
        0 => format!("{sign}0x0{point}{fraction}p-1022"),
        exponent => format!("{sign}0x1{point}{fraction}p{}", exponent - 1023),
    }
}

/// The x87 format: sign, 15 bits of exponent, 64 bits of mantissa with its leading one written out.
fn float80(raw: u128) -> Option<String> {
    let mantissa = raw as u64;
    let exponent = exponent80(raw);
    let negative = raw >> 79 & 1 == 1;
    let sign = if negative { "-" } else { "" };
    match exponent {
        _ if exponent == 0 && mantissa == 0 => Some(format!("{sign}0.0L")),
        0x7fff if mantissa == 1 << 63 => Some(infinity(negative)),
        0x7fff => Some(nan(mantissa & 0x3fff_ffff_ffff_ffff, mantissa >> 62 & 1 == 1, negative, "l")),
        // Without its leading one the processor takes it for an invalid operand, and no literal makes one.
        _ if exponent != 0 && mantissa >> 63 == 0 => None,
        _ => {
            let zeros = mantissa.trailing_zeros() as i64;
            let power = exponent.max(1) - 16383 - 63 + zeros;
            let digits = mantissa >> zeros;
            let decimal = exact_decimal(digits, power).unwrap_or_else(|| format!("{digits:#x}p{power}"));
            Some(format!("{sign}{decimal}L"))
        }
    }
}

/// `digits * 2^power` in decimal, if that is exact and short.
fn exact_decimal(digits: u64, power: i64) -> Option<String> {
    if digits >= 1 << 53 || !(-60..=60).contains(&power) {
        return None;
    }
    // Both factors and their product are exact: nothing is rounded.
    let value = digits as f64 * 2f64.powi(power as i32);
    let shortest = format!("{value:?}");
    let all_digits = format!("{value:.70}");
    let exact = all_digits.trim_end_matches('0');
    let exact = if exact.ends_with('.') { format!("{exact}0") } else { exact.to_string() };
    (exact == shortest && shortest.len() < LONGEST_DECIMAL).then_some(shortest)
}

fn exponent80(raw: u128) -> i64 {
    (raw >> 64 & 0x7fff) as i64
}

fn infinity(negative: bool) -> String {
    if negative { "-INFINITY" } else { "INFINITY" }.to_string()
}

fn nan(payload: u64, quiet: bool, negative: bool, suffix: &str) -> String {
    let sign = if negative { "-" } else { "" };
    match (quiet, payload) {
        (true, 0) => format!("{sign}NAN"),
        (true, _) => format!("{sign}__builtin_nan{suffix}(\"{payload:#x}\")"),
        (false, _) => format!("{sign}__builtin_nans{suffix}(\"{payload:#x}\")"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_keep_their_value_at_the_edges() {
        assert_eq!(integer(-1, 32, true), "-1");
        assert_eq!(integer(i128::from(i32::MIN), 32, true), "INT_MIN");
        assert_eq!(integer(i128::from(i64::MIN), 64, true), "LONG_MIN");
        assert_eq!(integer(i128::from(i32::MIN), 64, true), "-2147483648");
        assert_eq!(integer(255, 8, false), "255");
        assert_eq!(integer(i128::from(u64::MAX), 64, false), "0xffffffffffffffffu");
        assert_eq!(integer(i128::MIN, 128, true), "(__int128)((unsigned __int128)0x8000000000000000u << 64)");
    }

    #[test]
    fn masks_are_hex() {
        assert_eq!(mask(0x80).as_deref(), Some("0x80"));
        assert_eq!(mask(0xff).as_deref(), Some("0xff"));
        assert_eq!(mask(8), None);
        assert_eq!(mask(100), None);
        assert_eq!(byte(1), "0x01");
    }

    #[test]
    fn bits_are_read_across_byte_borders() {
        assert_eq!(read_bits(&[0b1010_0000, 0b0000_0011], 5, 5), 0b11101);
        assert_eq!(sign_extend(0b11101, 5, true), -3);
        assert_eq!(sign_extend(0b11101, 5, false), 29);
    }

    #[test]
    fn strings_escape_what_c_would_misread() {
        assert_eq!(string(b"a\"b\\\n"), r#""a\"b\\\n""#);
        assert_eq!(string(b"\x0112"), r#""\00112""#);
        assert_eq!(string(b"what??="), r#""what?\?=""#);
        assert_eq!(wide_string(&[104, 105]).as_deref(), Some(r#"L"hi""#));
        assert_eq!(wide_string(&[104, 0x20ac]), None);
        assert!(reads_as_text(b"ab\0c") && !reads_as_text(b"\0\0\0c"));
    }

    #[test]
    fn floats_are_exact_and_short() {
        assert_eq!(float(64, u128::from(0.1f64.to_bits())).unwrap(), "0.1");
        assert_eq!(float(32, u128::from(0.1f32.to_bits())).unwrap(), "0.1f");
        assert_eq!(float(64, u128::from((-0.0f64).to_bits())).unwrap(), "-0.0");
        assert_eq!(float(64, u128::from(5e-324f64.to_bits())).unwrap(), "5e-324");
        assert_eq!(float(64, u128::from(f64::NEG_INFINITY.to_bits())).unwrap(), "-INFINITY");
        assert_eq!(float(64, 0x7ff8_0000_0000_0000).unwrap(), "NAN");
        assert_eq!(float(64, 0x7ff8_0000_0000_0007).unwrap(), "__builtin_nan(\"0x7\")");
        assert_eq!(float(32, 0xff80_0001).unwrap(), "-__builtin_nansf(\"0x1\")");
        assert_eq!(float(80, 0x3fff_8000_0000_0000_0000).unwrap(), "1.0L");
        assert_eq!(float(80, 0x3ffe_8000_0000_0000_0000).unwrap(), "0.5L");
        assert_eq!(float(80, 0xbfff_c000_0000_0000_0000).unwrap(), "-1.5L");
        assert_eq!(float(80, 0x3fff_8000_0000_0000_0001).unwrap(), "0x8000000000000001p-63L");
        assert_eq!(float(80, 1).unwrap(), "0x1p-16445L");
        assert_eq!(float(64, u128::from(f64::MAX.to_bits())).unwrap(), "0x1.fffffffffffffp1023");
        assert_eq!(float(64, 0x000f_ffff_ffff_ffff).unwrap(), "0x0.fffffffffffffp-1022");
        assert_eq!(float(64, 0x3ff0_0000_0000_0000).unwrap(), "1.0");
        assert_eq!(float(80, 0x3fff_0000_0000_0000_0001), None);
    }
}
