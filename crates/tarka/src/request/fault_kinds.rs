//! Which kinds of fault `--faults` asks for.
//!
//! Takes the words of the option; gives the set, or the kind that was meant. Never: what a kind is.

use tarka_events::{FaultKind, FaultSet};
use tarka_settings::nearest;

use crate::failure::Failure;

/// The set that the words name. A list that begins with `-KIND` or `+KIND` changes the usual set.
pub fn fault_set(words: &[String]) -> Result<FaultSet, Failure> {
    let changes = words.first().is_none_or(|word| word.starts_with(['-', '+']));
    let mut set = if changes { FaultSet::default() } else { FaultSet::NONE };
    for word in words.iter().map(|word| word.trim()) {
        set = match word {
            "all" => FaultSet::all(),
            "none" => FaultSet::NONE,
            "default" => FaultSet::default(),
            _ => match word.strip_prefix('-') {
                Some(name) => set.without(kind(name)?),
                None => set.with(kind(word.strip_prefix('+').unwrap_or(word))?),
            },
        };
    }
    Ok(set)
}

fn kind(name: &str) -> Result<FaultKind, Failure> {
    FaultKind::from_name(name).ok_or_else(|| {
        let names = FaultKind::ALL.iter().map(|kind| kind.name());
        let hint = match nearest(name, names.clone()).first() {
            Some(best) => format!("did you mean {best}?"),
            None => format!("known are {}; and all, none, default", names.collect::<Vec<_>>().join(", ")),
        };
        Failure::Usage(format!("--faults knows no `{name}`; {hint}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(words: &str) -> FaultSet {
        let words: Vec<String> = words.split(',').map(str::to_string).collect();
        fault_set(&words).expect("known kinds")
    }

    #[test]
    fn a_list_names_the_set_and_signs_change_the_usual_one() {
        assert_eq!(fault_set(&[]).unwrap(), FaultSet::default());
        assert_eq!(set("none"), FaultSet::NONE);
        assert_eq!(set("leak,shift"), FaultSet::NONE.with(FaultKind::Leak).with(FaultKind::Shift));
        assert_eq!(set("-leak"), FaultSet::default().without(FaultKind::Leak));
        assert_eq!(set("+unsigned-overflow"), FaultSet::default().with(FaultKind::UnsignedOverflow));
        assert_eq!(set("all,-abort"), FaultSet::all().without(FaultKind::Abort));
    }

    #[test]
    fn an_unknown_kind_is_refused_with_the_nearest_one() {
        let Err(Failure::Usage(message)) = fault_set(&["leek".to_string()]) else { panic!() };
        assert_eq!(message, "--faults knows no `leek`; did you mean leak?");
    }
}
