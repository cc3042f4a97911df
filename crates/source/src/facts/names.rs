//! What names say: whether one counts something, and of whom.
//!
//! Takes identifiers in snake or camel case; gives yes or no. Never looks at types or code.

/// Words that count elements or bytes.
const COUNT_WORDS: &[&str] = &[
    "n",
    "len",
    "length",
    "size",
    "sz",
    "count",
    "cnt",
    "num",
    "nmemb",
    "cap",
    "capacity",
    "total",
    "max",
    "nbytes",
    "nbyte",
    "bytes",
    "nelem",
    "nelems",
    "nitems",
    "buflen",
    "bufsize",
    "bufsz",
    "buflength",
];
/// Words that count bytes rather than elements.
const BYTE_WORDS: &[&str] = &["size", "sz", "bytes", "nbytes", "nbyte", "bufsize", "bufsz"];
/// Words for the last of something rather than for how many there are.
const LAST_WORDS: &[&str] = &["max", "last", "high", "top", "end", "maximum"];
/// Words for room rather than for what is in it.
const ROOM_WORDS: &[&str] = &["cap", "capacity", "max", "alloc", "allocated", "room", "limit"];

/// The words of an identifier, in lower case: `maxItemCount` and `max_item_count` have the same three.
pub fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for character in name.chars() {
        let starts = character == '_' || (character.is_uppercase() && after_lower);
        if starts && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if character != '_' {
            words.last_mut().into_iter().for_each(|word| word.extend(character.to_lowercase()));
        }
        after_lower = character.is_lowercase() || character.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A name that counts something: `n`, `len`, `item_count`, `numItems`, `nrows`.
pub fn is_count_name(name: &str) -> bool {
    let words = words(name);
    let is_count = |word: &String| COUNT_WORDS.contains(&word.trim_end_matches(|c: char| c.is_ascii_digit()));
    words.first().is_some_and(is_count) || words.last().is_some_and(is_count)
}

/// A name that counts bytes.
pub fn counts_bytes(name: &str) -> bool {
    words(name).iter().any(|word| BYTE_WORDS.contains(&word.as_str()))
}

/// A name for the largest value or index.
pub fn is_last_name(name: &str) -> bool {
    words(name).iter().any(|word| LAST_WORDS.contains(&word.as_str()))
}

/// A name for how much there is room for.
pub fn is_room_name(name: &str) -> bool {
    words(name).iter().any(|word| ROOM_WORDS.contains(&word.as_str()))
}

/// A count whose name is made from the name of what it counts: `items` and `nitems`, `itemCount`, `items_n`.
pub fn is_derived(count: &str, counted: &str) -> bool {
    let lower = count.to_lowercase().replace('_', "");
    let stem = counted.to_lowercase().replace('_', "");
    let stem = stem.trim_end_matches('s');
    if stem.len() < 2 {
        // `a` and `na`, `p` and `np`.
        return lower == format!("n{stem}") || lower == format!("{stem}n");
    }
    let Some(rest) = lower
        .strip_prefix(stem)
        .or_else(|| lower.strip_suffix(stem))
        .or_else(|| lower.strip_suffix(&format!("{stem}s")))
    else {
        return false;
    };
    // `itemscount` and `nitemss`, but `size` begins with its own letter.
    COUNT_WORDS.contains(&rest) || COUNT_WORDS.contains(&rest.trim_matches('s'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_known_by_their_words() {
        for name in
            ["n", "n2", "len", "bufLen", "num_items", "itemCount", "max_len", "nmemb", "total", "buf_sz"]
        {
            assert!(is_count_name(name), "{name}");
        }
        for name in ["i", "name", "next", "lenient", "mode", "flags", "index", "value"] {
            assert!(!is_count_name(name), "{name}");
        }
    }

    #[test]
    fn counts_may_be_named_after_what_they_count() {
        for (count, counted) in [
            ("nitems", "items"),
            ("itemCount", "items"),
            ("rows_n", "rows"),
            ("na", "a"),
            ("datalen", "data"),
            ("dest_size", "dest"),
            ("srcSize", "src"),
        ] {
            assert!(is_derived(count, counted), "{count} of {counted}");
        }
        assert!(!is_derived("first", "items"));
        assert!(!is_derived("itemsleft", "items"));
    }

    #[test]
    fn bytes_and_room() {
        assert!(counts_bytes("buf_size") && !counts_bytes("count"));
        assert!(is_room_name("capacity") && !is_room_name("length"));
        assert!(is_last_name("max_code") && is_last_name("maxLen") && !is_last_name("n"));
    }
}
