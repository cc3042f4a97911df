//! What the code under test may do on this machine.
//!
//! Takes the words of `--allow` and `--unconfined`; gives what they open. Never: what is in force without them.

use tarka_confine::{Allow, Means};

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

/// What a user should know before the code runs: that nothing holds it, or less than there is elsewhere; with `all`, everything.
pub fn notes(allow: &Allow, means: Means, all: bool) -> Vec<String> {
    if allow.unconfined {
        return vec![
            "unconfined: the code under test may do whatever you may do on this machine".to_string(),
        ];
    }
    let is_weak = !means.is_isolated() || !means.guards_files();
    let mut notes = if all || is_weak { means.in_force() } else { Vec::new() };
    notes.iter_mut().for_each(|note| note.insert_str(0, "the code under test is confined: "));
    if all && !allow.words().is_empty() {
        notes.push(format!("allowed besides: {}", allow.words()));
    }
    notes
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
        let means = Means {
            landlock: 7,
            namespaces: tarka_confine::Namespaces::User,
            groups: false,
            bounds_folders: false,
        };
        assert_eq!(notes(&allow, means, false), Vec::<String>::new(), "nothing is missing");
        assert!(
            notes(&allow, means.reduced("bare"), false).iter().any(|note| note.contains("no namespaces"))
        );
        assert!(notes(&allow, means, true).iter().any(|note| note.contains("net,env=LANG")));
        assert_eq!(words(&args(&["net"])).collect::<Vec<_>>(), ["--allow", "net"]);
    }
}
