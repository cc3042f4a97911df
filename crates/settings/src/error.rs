//! What can be wrong with settings, each with its place and the next step.

use crate::Origin;

/// Something that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{origin}: {message}")]
pub struct SettingsError {
    /// Where it stands.
    pub origin: Origin,
    /// What is wrong and what to write instead.
    pub message: String,
}

/// `; did you mean …?` if one of the known names looks like it, else the list of them.
pub(crate) fn nearest(name: &str, known: &[&str]) -> String {
    let likeness = |other: &&&str| (strsim::jaro_winkler(name, other) * 1000.0) as u32;
    match known.iter().max_by_key(likeness).filter(|best| likeness(best) > 700) {
        Some(best) => format!("; did you mean `{best}`?"),
        None => format!("; known are {}", known.join(", ")),
    }
}
