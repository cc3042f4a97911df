//! What the user opens: `--allow write=DIR,net,exec,env=NAME` and `--unconfined`.
//!
//! Takes the words of the command line; gives what they open. Never: whether the machine can hold the rest.

use std::fmt::Write as _;
use std::path::PathBuf;

/// What a target may do beyond its own work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allow {
    /// Folders it may read and write.
    pub write: Vec<PathBuf>,
    /// It may use the network.
    pub net: bool,
    /// It may start programs, and read what that takes.
    pub exec: bool,
    /// Variables of the environment that it sees.
    pub env: Vec<String>,
    /// Everything: nothing is confined.
    pub unconfined: bool,
}

impl Allow {
    /// Takes one word of `--allow`; the error says what is wrong with it.
    pub fn add(&mut self, word: &str) -> Result<(), String> {
        match word.split_once('=') {
            None if word == "net" => self.net = true,
            None if word == "exec" => self.exec = true,
            Some(("write", folder)) if !folder.is_empty() => {
                let path = PathBuf::from(folder);
                let path = path
                    .canonicalize()
                    .map_err(|error| format!("`{word}`: cannot open {folder}: {error}"))?;
                self.write.push(path);
            }
            Some(("env", name)) if !name.is_empty() && !name.contains('\0') => self.env.push(name.to_owned()),
            _ => return Err(format!("`{word}` is none of write=DIR, net, exec, env=NAME")),
        }
        Ok(())
    }

    /// The words that open this, for messages and keys; empty if nothing is opened.
    pub fn words(&self) -> String {
        let mut words = String::new();
        for folder in &self.write {
            let _ = write!(words, "write={},", folder.display());
        }
        for (is_open, word) in [(self.net, "net,"), (self.exec, "exec,"), (self.unconfined, "unconfined,")] {
            words.push_str(if is_open { word } else { "" });
        }
        for name in &self.env {
            let _ = write!(words, "env={name},");
        }
        words.pop();
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_open_what_they_name_and_others_are_refused() {
        let mut allow = Allow::default();
        assert_eq!(allow.words(), "");
        for word in ["net", "env=HOME", "write=/tmp", "exec"] {
            allow.add(word).unwrap();
        }
        assert_eq!(allow.words(), "write=/tmp,net,exec,env=HOME");
        for word in ["", "network", "write=", "env=", "net=1", "write=/no/such/folder"] {
            let error = allow.add(word).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
        assert_eq!(allow.words(), "write=/tmp,net,exec,env=HOME", "a refused word opens nothing");
    }
}
