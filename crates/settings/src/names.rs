//! Which known names a typed one may stand for.
//!
//! Takes a name that nobody knows and the known ones; gives those that look like it, best first. Every "did you mean" about
//! words of the command line and of `tarka.toml` asks here. Never: what the names mean, the words of a message.

/// Names less like the typed one than this, in thousandths, are no help.
const LEAST_LIKENESS: u32 = 700;
/// More names than this are a list, not a hint.
const MOST_NAMES: usize = 3;

/// The names most like `name`, best first.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let likeness = |other: &str| (strsim::jaro_winkler(name, other) * 1000.0) as u32;
    let known = known.into_iter().map(|other| (likeness(other), other));
    let mut close: Vec<(u32, &str)> = known.filter(|(likeness, _)| *likeness > LEAST_LIKENESS).collect();
    close.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    close.dedup();
    close.into_iter().take(MOST_NAMES).map(|(_, other)| other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_come_first_each_once_and_what_is_unlike_not_at_all() {
        assert_eq!(nearest("leek", ["shift", "leak", "leaks", "leak"]), ["leak", "leaks"]);
        assert_eq!(nearest("count", ["counts", "country", "counter", "counted"]).len(), MOST_NAMES);
        assert_eq!(nearest("count", ["zzz"]), Vec::<&str>::new());
    }
}
