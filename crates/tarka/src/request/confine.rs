//! What the code under test may do on this machine.
//!
//! Takes the words of `--allow` and `--unconfined`; gives what they open. Never: what is in force without them.

use tarka_confine::Allow;

use crate::failure::Failure;
use crate::request::args::ConfineArgs;

/// What is opened.
pub fn allowed(args: &ConfineArgs) -> Result<Allow, Failure> {
    let mut allow = Allow { unconfined: args.unconfined, ..Allow::default() };
    for word in &args.allow {
        allow.add(word.trim()).map_err(|error| Failure::Usage(format!("--allow: {error}")))?;
    }
    Ok(allow)
}

/// The options as words again.
pub fn words(args: &ConfineArgs) -> impl Iterator<Item = String> {
    let allowed = args.allow.iter().flat_map(|word| ["--allow".to_string(), word.clone()]);
    allowed.chain(args.unconfined.then(|| "--unconfined".to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood_or_refused_with_what_there_is() {
        let args = |words: &[&str]| ConfineArgs {
            allow: words.iter().map(ToString::to_string).collect(),
            unconfined: false,
        };
        let allow = allowed(&args(&["net", " env=LANG"])).unwrap();
        assert!(allow.net && !allow.exec && allow.env == ["LANG"]);
        let error = allowed(&args(&["network"])).unwrap_err().to_string();
        assert!(error.contains("network") && error.contains("write=DIR"), "{error}");
        assert_eq!(words(&args(&["net"])).collect::<Vec<_>>(), ["--allow", "net"]);
    }
}
