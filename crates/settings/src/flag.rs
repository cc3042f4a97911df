//! `--assume 'f: n >= 0'`: a precondition of one function from the command line.

use crate::{Assume, Origin, Settings, SettingsError};

impl Settings {
    /// Adds the argument of one `--assume`.
    pub fn add_flag(&mut self, argument: &str) -> Result<(), SettingsError> {
        let refuse = |message: String| SettingsError { origin: Origin::CommandLine, message };
        let usage = "write it as --assume 'function: C expression'";
        let Some((function, expression)) = argument.split_once(':') else {
            return Err(refuse(format!("`{argument}` does not say which function it is about: {usage}")));
        };
        let (function, expression) = (function.trim(), expression.trim());
        let is_name = |name: &str| {
            name.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        if !is_name(function) {
            return Err(refuse(format!("`{function}` is not the name of a function: {usage}")));
        }
        if expression.is_empty() {
            return Err(refuse(format!("nothing is said about `{function}`: {usage}")));
        }
        let settings = self.functions.entry(function.to_string()).or_default();
        settings.assumes.push(Assume { expression: expression.to_string(), origin: Origin::CommandLine });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_may_hold_colons() {
        let mut settings = Settings::default();
        settings.add_flag("pick: n > 0 ? a : b").unwrap();
        assert_eq!(settings.assumes_of("pick")[0].expression, "n > 0 ? a : b");
    }

    #[test]
    fn what_is_missing_is_said() {
        let said = |argument| Settings::default().add_flag(argument).unwrap_err().to_string();
        assert_eq!(
            said("n > 0"),
            "--assume: `n > 0` does not say which function it is about: write it as --assume 'function: C expression'"
        );
        assert!(said("f:  ").contains("nothing is said about `f`"));
        assert!(said("a b: c").contains("`a b` is not the name of a function"));
    }
}
