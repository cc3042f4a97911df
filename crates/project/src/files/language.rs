//! The language of a file, as compilers know it by its ending.

use std::path::Path;

/// A language of source files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// C, which is tested.
    C,
    /// C++.
    Cpp,
    /// Assembler.
    Assembler,
    /// Something else.
    Other,
}

impl Language {
    /// By the file's ending.
    pub fn of(file: &Path) -> Language {
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("c") => Language::C,
            Some("cc" | "cp" | "cpp" | "cxx" | "c++" | "C" | "CPP" | "cppm" | "ixx") => Language::Cpp,
            Some("s" | "S" | "sx" | "asm") => Language::Assembler,
            _ => Language::Other,
        }
    }

    /// By the way a compiler is called, which has the last word.
    pub fn of_call(file: &Path, compiler: &str, arguments: &[String]) -> Language {
        let named = arguments.iter().zip(arguments.iter().skip(1)).filter(|(option, _)| *option == "-x");
        let joined =
            arguments.iter().filter_map(|word| word.strip_prefix("-x").filter(|name| !name.is_empty()));
        let named = named.map(|(_, name)| name.as_str()).chain(joined).last();
        match named {
            Some("c") => Language::of(file),
            Some(name) if name.starts_with("c++") => Language::Cpp,
            Some(name) if name.starts_with("assembler") => Language::Assembler,
            Some("none") | None if is_cpp_compiler(compiler) && Language::of(file) == Language::C => {
                Language::Cpp
            }
            Some("none") | None => Language::of(file),
            Some(_) => Language::Other,
        }
    }

    /// So many files of it, in words.
    pub fn counted(self, count: usize) -> String {
        let name = match self {
            Language::C => "C",
            Language::Cpp => "C++",
            Language::Assembler => "assembler",
            Language::Other => "other",
        };
        format!("{count} {name} {}", if count == 1 { "file" } else { "files" })
    }
}

/// `g++`, `arm-none-eabi-g++-12`, `clang++`, `c++`.
fn is_cpp_compiler(name: &str) -> bool {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-').ends_with("++")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_may_see_another_language_than_the_name_says() {
        let of = |file: &str, compiler: &str, words: &str| {
            let words: Vec<String> = words.split_whitespace().map(String::from).collect();
            Language::of_call(Path::new(file), compiler, &words)
        };
        assert_eq!(of("a.c", "arm-none-eabi-gcc-12.2", "-c a.c"), Language::C);
        assert_eq!(of("a.c", "arm-none-eabi-g++-12.2", "-c a.c"), Language::Cpp);
        assert_eq!(of("a.c", "g++", "-x c a.c"), Language::C);
        assert_eq!(of("a.c", "cc", "-xc++ a.c"), Language::Cpp);
        assert_eq!(of("a.c", "cc", "-x assembler-with-cpp"), Language::Assembler);
        assert_eq!(of("a.S", "cc", "-c a.S"), Language::Assembler);
        assert_eq!(of("a.cu", "nvcc", ""), Language::Other);
    }
}
