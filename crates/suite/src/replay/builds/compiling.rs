//! Calls of the compilers for emitted files, one or several at once.
//!
//! Takes files and the way they are wanted; gives programs and warnings. A file that may be built with others of its C file gets the
//! warnings of the unit from the unit alone: what is unused there is used by the tests of another function, and a file must stand
//! alone. Never: which files are built together.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use tarka_source::literals_escaped;

use crate::SuiteError;
use crate::format::Sources;
use crate::names;
use crate::paths::write;
use crate::replay::builds::joined::{self, Part};
use crate::replay::builds::{Builds, Built, Executable, MOST_PREPROCESSED, ScratchFile, Wanted, Way};
use crate::replay::compile::{Compiler, Warning};
use crate::replay::linked::{LinkedObjects, linked_files};
use crate::replay::probe::UninitialisedFill;
use crate::replay::recorder;

/// Where the text after the unit begins, while it is preprocessed behind the unit.
const MARK: &str = "#pragma tarka_unit_end";

/// A program without tests, for the warnings of the unit alone.
const NO_TESTS: &str = "int main(void)\n{\n    return 0;\n}\n";

impl Builds<'_> {
    /// Builds a file by itself.
    pub(super) fn compile_alone(&self, way: &Way, wanted: &Wanted) -> Result<Built, SuiteError> {
        let program = self.executable()?;
        let mut files = vec![wanted.path.clone()];
        files.extend(wanted.more.iter().cloned());
        let warnings = match way {
            Way::Probed(fill) => {
                let text = &wanted.text[wanted.unit.end..];
                self.probed(wanted, text, *fill, program.path())?;
                BTreeSet::new()
            }
            _ => {
                let linked = self.linked(way)?;
                let sources = Sources { files, libraries: wanted.libraries, linked };
                let warnings = self.compile(way, &sources, &[], program.path())?;
                match wanted.joins() {
                    true => self.warnings_of_file(way, wanted, &warnings)?,
                    false => warnings,
                }
            }
        };
        Ok(Built { program, warnings })
    }

    /// Builds files that include the unit alike as one program.
    pub(super) fn compile_joined(&self, way: &Way, wanted: &[Wanted]) -> Result<Vec<Built>, SuiteError> {
        // Sanitizers name the file where it stands. The probed text is built once wherever its files stand.
        let shown = |one: &Wanted| match way {
            Way::Probed(_) => file_name(&one.path),
            _ => one.path.display().to_string(),
        };
        let names: Vec<String> = wanted.iter().map(shown).collect();
        let parts: Vec<Part> = (wanted.iter().zip(&names))
            .map(|(one, name)| Part {
                name,
                tail: &one.text[one.unit.end..],
                line: one.text[..one.unit.end].lines().count() as u32 + 1,
                takes_arguments: one.takes_arguments,
            })
            .collect();
        let (first, tail) = (&wanted[0], joined::tail(&parts));
        let program = self.executable()?;
        let mut warnings = BTreeSet::new();
        if let Way::Probed(fill) = way {
            self.probed(first, &tail, *fill, program.path())?;
        } else {
            let unit = &first.text[first.unit.begin..first.unit.end];
            let file = self.file("joined.c", &format!("{unit}{tail}"))?;
            // The unit is found from there as from the files' own folders.
            let folder = first.path.parent().unwrap_or(Path::new("."));
            let files = vec![file.path().to_path_buf()];
            let sources = Sources { files, libraries: first.libraries, linked: self.linked(way)? };
            warnings =
                self.compile(way, &sources, &["-iquote", &folder.display().to_string()], program.path())?;
        }
        let built = wanted.iter().enumerate().map(|(number, one)| {
            let program = Executable { first: Some(number.to_string()), ..program.clone() };
            let warnings = match way {
                Way::Probed(_) => BTreeSet::new(),
                _ => self.warnings_of_file(way, one, &warnings)?,
            };
            Ok(Built { program, warnings })
        });
        built.collect()
    }

    /// What one of the emitted files is warned of, and what the unit is warned of when nothing uses it.
    fn warnings_of_file(
        &self,
        way: &Way,
        wanted: &Wanted,
        all: &BTreeSet<Warning>,
    ) -> Result<BTreeSet<Warning>, SuiteError> {
        let name = file_name(&wanted.path);
        let mut warnings = self.warnings_of_unit(way, wanted)?;
        let own = all.iter().filter(|warning| warning.file == name);
        warnings.extend(own.map(|warning| Warning { ours: true, ..warning.clone() }));
        Ok(warnings)
    }

    /// The warnings of the unit by itself, as the files include it.
    fn warnings_of_unit(&self, way: &Way, wanted: &Wanted) -> Result<BTreeSet<Warning>, SuiteError> {
        let is_clang = matches!(way, Way::Clang(_));
        let unit = &wanted.text[wanted.unit.begin..wanted.unit.end];
        let mut known = self.unit_warnings.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (is_clang, unit.to_string());
        if let Some(warnings) = known.get(&key) {
            return Ok(warnings.clone());
        }
        let file = self.file("unit.c", &format!("{unit}{NO_TESTS}"))?;
        let folder = wanted.path.parent().unwrap_or(Path::new(".")).display().to_string();
        let files = vec![file.path().to_path_buf()];
        let sources = Sources { files, libraries: &[], linked: LinkedObjects::default() };
        let found_from = ["-iquote", folder.as_str()];
        let warnings = self.compiler(is_clang).build(&sources, &found_from, None)?;
        known.insert(key, warnings.clone());
        Ok(warnings)
    }

    /// Calls a compiler on files.
    fn compile(
        &self,
        way: &Way,
        sources: &Sources,
        extra: &[&str],
        program: &Path,
    ) -> Result<BTreeSet<Warning>, SuiteError> {
        let (is_clang, flags, out): (bool, &[&str], Option<&Path>) = match way {
            Way::Clang(flags) => (true, flags, Some(program)),
            Way::Cc => (false, &[], Some(program)),
            Way::CcWarnings(flags) => (false, flags, None),
            Way::Probed(_) => unreachable!("built around the probed text"),
        };
        let flags: Vec<&str> = extra.iter().chain(flags).copied().collect();
        self.compiler(is_clang).build(sources, &flags, out)
    }

    /// The objects of the program's other files, built in the same way.
    fn linked(&self, way: &Way) -> Result<LinkedObjects, SuiteError> {
        let linked = || linked_files(self.model);
        match way {
            Way::CcWarnings(_) => Ok(LinkedObjects::default()),
            Way::Clang(flags) => self.objects.of(&self.compiler(true), &linked(), flags),
            Way::Cc => self.objects.of(&self.compiler(false), &linked(), &[]),
            Way::Probed(fill) => {
                self.objects.probed(&self.compiler(true), self.model, &probed_options(*fill))
            }
        }
    }

    fn compiler(&self, is_clang: bool) -> Compiler<'_> {
        let program = match &self.compilers.cc {
            Some(cc) if !is_clang => cc,
            _ => &self.compilers.clang,
        };
        let linking = Some(&self.linking);
        let flags = if is_clang { &self.clang_flags } else { &self.flags };
        Compiler { program, flags, folder: self.flags_folder, linking }
    }

    /// Builds the text after the unit around the probed text.
    fn probed(
        &self,
        wanted: &Wanted,
        tail: &str,
        fill: UninitialisedFill,
        program: &Path,
    ) -> Result<(), SuiteError> {
        let clang = self.compiler(true);
        let text = self.probed_text(wanted, tail, &clang)?;
        let file = self.file("probed.i", &text)?;
        let (recorder_text, recorder) = self.recorder(&clang)?;
        let options = probed_options(fill);
        let texts = [text, recorder_text];
        let given = options.iter().copied().chain(texts.iter().map(String::as_str));
        let given: Vec<&str> = given.chain(wanted.libraries.iter().copied()).collect();
        let linked = self.linked(&Way::Probed(fill))?;
        // Further files of the program include what they like.
        let is_alone = wanted.more.is_empty() && linked.objects.is_empty();
        clang.make_once(is_alone.then_some(&given), program, || {
            let object = program.with_extension("o");
            let mut all = clang.flags.to_vec();
            all.extend(options.iter().map(|option| option.to_string()));
            let mut args = all.clone();
            args.extend(["-c", "-x", "cpp-output"].map(String::from));
            args.extend([file.path(), Path::new("-o"), &object].map(|part| part.display().to_string()));
            clang.call(&args)?;
            let mut parts = vec![object.clone(), recorder.to_path_buf()];
            parts.extend(wanted.more.iter().cloned());
            parts.extend(linked.objects.iter().cloned());
            let libraries: Vec<&str> = linked.options.iter().map(String::as_str).collect();
            clang.link(&all, &parts, &[&libraries, wanted.libraries].concat(), program)?;
            // Its folder goes away with the program.
            let _ = std::fs::remove_file(object);
            Ok(())
        })
    }

    /// The probed text in the unit's place, and what follows the unit. That is preprocessed behind the real unit, so it sees the
    /// unit's macros.
    fn probed_text(&self, wanted: &Wanted, tail: &str, clang: &Compiler) -> Result<String, SuiteError> {
        let unit = &wanted.text[wanted.unit.begin..wanted.unit.end];
        let tail = self.preprocessed(&format!("{unit}{MARK}\n{tail}"), wanted, clang)?;
        let aside = names::stepping_aside(self.model);
        let unit = match aside.is_empty() {
            true => Cow::Borrowed(self.model.probed_text.as_str()),
            false => Cow::Owned(names::step_aside(&self.model.probed_text, &aside)),
        };
        let redirections: String = wanted.unit.redirections.iter().map(|line| format!("{line}\n")).collect();
        Ok(format!("{redirections}{unit}\n# 1 \"emitted\"\n{tail}"))
    }

    /// What follows the mark in a text, preprocessed.
    fn preprocessed(&self, text: &str, wanted: &Wanted, clang: &Compiler) -> Result<Arc<str>, SuiteError> {
        let kept = || self.preprocessed.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept().iter().find(|(before, _)| before == text).map(|(_, after)| after.clone());
        if let Some(known) = known {
            return Ok(known);
        }
        let (marked, out) = (self.file("marked.c", text)?, self.file("marked.i", "")?);
        let folder = wanted.path.parent().unwrap_or(Path::new("."));
        let mut args = vec!["-iquote".to_string(), folder.display().to_string()];
        args.extend(clang.flags.iter().cloned());
        args.extend(["-E", "-w"].map(String::from));
        args.extend([marked.path().display().to_string(), "-o".into(), out.path().display().to_string()]);
        clang.call(&args)?;
        let whole = std::fs::read(out.path())
            .map_err(|source| SuiteError::Write { path: out.path().to_path_buf(), source })?;
        let whole = literals_escaped(whole);
        let tail = whole.split_once(MARK).map(|(_, tail)| tail).unwrap_or_default();
        // The scratch folder has another name every time; what is built from the same text is built once.
        let tail: Arc<str> = tail.replace(&*marked.path().to_string_lossy(), "emitted").into();
        let mut kept = kept();
        kept.push_back((text.to_string(), tail.clone()));
        if kept.len() > MOST_PREPROCESSED {
            kept.pop_front();
        }
        Ok(tail)
    }

    /// The recorder's text and object, compiled once for all programs.
    fn recorder(&self, clang: &Compiler) -> Result<(String, &Path), SuiteError> {
        let recorder = recorder::text(self.model) + &self.objects.ways_to_recorder(self.model);
        if let Some(object) = self.recorder.get() {
            return Ok((recorder, object.path()));
        }
        let text = self.file("recorder.i", &recorder)?;
        let object = self.file("recorder.o", "")?;
        // It is written in a newer language than the unit may be.
        let options = ["-std=gnu11", "-w", "-Wno-error", "-c", "-x", "cpp-output"];
        let options: Vec<&str> = recorder::FLAGS.into_iter().chain(options).collect();
        let mut args = clang.flags.to_vec();
        args.extend(options.iter().map(|option| option.to_string()));
        args.extend([text.path().display().to_string(), "-o".into(), object.path().display().to_string()]);
        let given: Vec<&str> = options.into_iter().chain([recorder.as_str()]).collect();
        clang.make_once(Some(&given), object.path(), || clang.call(&args).map(|_| ()))?;
        // Two may have made it at the same time: either will do.
        Ok((recorder, self.recorder.get_or_init(|| object).path()))
    }

    /// A file in the scratch folder, while it is needed.
    fn file(&self, name: &'static str, text: &str) -> Result<ScratchFile, SuiteError> {
        let made = ScratchFile::new(self.scratch.path(), name);
        let file =
            made.map_err(|source| SuiteError::Write { path: self.scratch.path().to_path_buf(), source })?;
        if !text.is_empty() {
            write(file.path(), text)?;
        }
        Ok(file)
    }

    fn executable(&self) -> Result<Executable, SuiteError> {
        Ok(Executable { file: Arc::new(self.file("program", "")?), first: None })
    }
}

/// What a text with probes is compiled with.
fn probed_options(fill: UninitialisedFill) -> Vec<&'static str> {
    recorder::FLAGS.into_iter().chain(fill.option()).chain(["-w", "-Wno-error"]).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
