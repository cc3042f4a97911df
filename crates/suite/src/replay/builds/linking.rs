//! How programs that are run a few times and thrown away are linked: quickly.
//!
//! Takes the compilers and the user's flags; gives options for the linker. Most of the time of linking a program with sanitizers goes
//! to copying them into it, so it finds them where they stand; a linker that reads less is taken where the system has one. Never:
//! changes how anything is compiled, or how a user's own flags say that it is linked.

use std::path::{Path, PathBuf};

use tarka_compilers::Call;

/// The sanitizers for addresses and undefined behaviour as a library, as clang's folder has it.
const SANITIZERS: &str = "libclang_rt.asan-x86_64.so";
/// What asks for them.
const WATCHES_ADDRESSES: &str = "-fsanitize=address";
/// How a user's flags speak to the linker, or choose it, or its sanitizers.
const ABOUT_LINKING: [&str; 8] = ["-fuse-ld", "-Wl,", "-Xlinker", "-T", "-B", "-z", "-static", "-fsanitize="];

/// What is known of the linkers of this machine.
#[derive(Clone, Debug, Default)]
pub struct Linking {
    /// gold can be had.
    has_gold: bool,
    /// The folder of clang's sanitizers as libraries.
    sanitizers: Option<PathBuf>,
}

impl Linking {
    /// Looks for what there is, unless the user's flags have something to say about it.
    pub(crate) fn found(clang: &Path, flags: &[String]) -> Linking {
        let is_theirs = flags.iter().any(|flag| ABOUT_LINKING.iter().any(|about| flag.starts_with(about)));
        if is_theirs {
            return Linking::default();
        }
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let has_gold = std::env::split_paths(&folders).any(|folder| folder.join("ld.gold").is_file());
        let asked = Call::new(clang).arg(format!("-print-file-name={SANITIZERS}")).run().ok();
        let named = asked.map(|answer| PathBuf::from(answer.text().trim()));
        // A file that it does not have is named without a folder.
        let is_there = |file: &PathBuf| file.is_absolute() && file.is_file();
        let sanitizers = named.filter(is_there).and_then(|file| Some(file.parent()?.to_path_buf()));
        Linking { has_gold, sanitizers }
    }

    /// What is added to the options of a call that links.
    pub(crate) fn options(&self, options: &[String]) -> Vec<String> {
        let mut added = Vec::new();
        if self.has_gold {
            added.push("-fuse-ld=gold".to_string());
        }
        if let Some(folder) = &self.sanitizers
            && options.iter().any(|option| option.starts_with(WATCHES_ADDRESSES))
        {
            added.extend(["-shared-libsan".to_string(), format!("-Wl,-rpath,{}", folder.display())]);
        }
        added
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(flags: &[&str]) -> Vec<String> {
        flags.iter().map(|flag| flag.to_string()).collect()
    }

    #[test]
    fn only_programs_that_watch_addresses_look_for_the_library() {
        let linking = Linking { has_gold: true, sanitizers: Some("/llvm/lib".into()) };
        assert_eq!(linking.options(&flags(&["-g"])), ["-fuse-ld=gold"]);
        assert_eq!(linking.options(&flags(&["-fsanitize=memory"])), ["-fuse-ld=gold"]);
        assert_eq!(
            linking.options(&flags(&["-g", "-fsanitize=address,undefined"])),
            ["-fuse-ld=gold", "-shared-libsan", "-Wl,-rpath,/llvm/lib"]
        );
    }

    #[test]
    fn flags_about_linking_are_the_users_affair() {
        for flag in ["-Wl,-Tscript", "-fuse-ld=lld", "-static-libsan", "-fsanitize=thread"] {
            let linking = Linking::found(Path::new("clang-19"), &flags(&["-O1", flag]));
            assert!(linking.options(&flags(&["-fsanitize=address"])).is_empty(), "{flag}");
        }
        // This machine's clang has its sanitizers as a library, too.
        let linking = Linking::found(Path::new("clang-19"), &flags(&["-O1", "-lm"]));
        assert!(linking.options(&flags(&["-fsanitize=address"])).contains(&"-shared-libsan".to_string()));
    }
}
