//! Bytes of files that may be no UTF-8, as text.
//!
//! Takes bytes, gives text: for compilers the same program, for people something to read. Never: other encodings than UTF-8 and
//! Latin-1.

/// Bytes that are no UTF-8 occur in preprocessed text only inside literals (Latin-1 strings); there an octal escape
/// means the same byte.
pub fn literals_escaped(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len() + 64);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\{byte:03o}"));
        }
    }
    text
}

/// The same for people: what is no UTF-8 is read as Latin-1.
pub fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| char::from(byte)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_utf8_is_latin_1() {
        assert_eq!(readable(b"caf\xe9 \xc3\xa9"), "café é");
        assert_eq!(literals_escaped(b"\"caf\xe9\"".to_vec()), "\"caf\\351\"");
    }
}
