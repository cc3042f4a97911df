//! What can be wrong with settings, each with its place and the next step.

use crate::{Origin, nearest};

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
pub(crate) fn did_you_mean(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()).first() {
        Some(best) => format!("; did you mean `{best}`?"),
        None => format!("; known are {}", known.join(", ")),
    }
}
