//! The other files of a unit's program, as objects to link its emitted files with.
//!
//! Takes C files with their flags, and a compiler; gives objects, each made once for all units of a call. Never: which files belong
//! to a program, and what they define for the emitted file's own unit.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tarka_source::SourceModel;

use crate::SuiteError;
use crate::replay::compile::Compiler;
use crate::replay::sanitize::trailing_arrays;

/// Of two definitions the linker takes the first: the emitted file's `main`, rather than that of a file behind it.
pub(crate) const FIRST_MAIN: &str = "-Wl,-z,muldefs";

/// Another file of a unit's program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LinkedFile {
    /// The C file as the user named it, from the folder of the flags.
    pub file: PathBuf,
    /// Its flags.
    pub flags: Vec<String>,
    /// It has a `main` of its own.
    pub has_main: bool,
}

/// The files that a unit is linked with.
pub fn linked_files(model: &SourceModel) -> Vec<LinkedFile> {
    let others = model.others.iter();
    let file = |other: &tarka_source::OtherFile| LinkedFile {
        file: other.file.clone(),
        flags: other.flags.clone(),
        has_main: other.has_main,
    };
    others.map(file).collect()
}

/// What is linked beside the files of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkedObjects {
    /// Objects.
    pub objects: Vec<PathBuf>,
    /// What the linker is told besides.
    pub options: Vec<String>,
}

/// What an object is made of, and how.
type Key = (PathBuf, LinkedFile, Vec<String>);

/// An object while it is made, and when it is there.
type Slot = Arc<Mutex<Option<PathBuf>>>;

/// The objects of one call.
pub struct Objects {
    scratch: tempfile::TempDir,
    made: Mutex<HashMap<Key, Slot>>,
}

impl Objects {
    /// None yet.
    pub fn new() -> io::Result<Objects> {
        Ok(Objects { scratch: tempfile::tempdir()?, made: Mutex::default() })
    }

    /// The objects of these files, made by a compiler with these options.
    pub(crate) fn of(
        &self,
        compiler: &Compiler,
        linked: &[LinkedFile],
        extra: &[&str],
    ) -> Result<LinkedObjects, SuiteError> {
        let objects = linked.iter().map(|file| self.object(compiler, file, extra));
        let objects = objects.collect::<Result<Vec<PathBuf>, SuiteError>>()?;
        Ok(LinkedObjects { objects, options: link_options(compiler.flags, linked) })
    }

    fn object(&self, compiler: &Compiler, file: &LinkedFile, extra: &[&str]) -> Result<PathBuf, SuiteError> {
        let options: Vec<String> = extra.iter().map(|option| option.to_string()).collect();
        let key = (compiler.program.to_path_buf(), file.clone(), options);
        let (slot, number) = {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            let number = made.len();
            (made.entry(key).or_default().clone(), number)
        };
        // Whoever wants it meanwhile waits; a failure is found again by everyone.
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(object) = &*slot {
            return Ok(object.clone());
        }
        let object = self.scratch.path().join(format!("{number}.o"));
        Compiler { flags: &file.flags, ..*compiler }.object(&file.file, extra, &object)?;
        *slot = Some(object.clone());
        Ok(object)
    }
}

/// What a call that links needs for these files beside its own flags.
pub(crate) fn link_options(flags: &[String], linked: &[LinkedFile]) -> Vec<String> {
    let mut options: Vec<String> = Vec::new();
    if linked.iter().any(|file| file.has_main) {
        options.push(FIRST_MAIN.to_string());
    }
    let is_library = |flag: &&String| flag.starts_with("-l") || flag.starts_with("-L");
    for flag in linked.iter().flat_map(|file| &file.flags).filter(is_library) {
        if !flags.contains(flag) && !options.contains(flag) {
            options.push(flag.clone());
        }
    }
    options
}

impl Compiler<'_> {
    /// Compiles a C file of the user's to an object, whatever the compiler warns of.
    pub(crate) fn object(&self, file: &Path, extra: &[&str], out: &Path) -> Result<(), SuiteError> {
        let mut args: Vec<String> = Vec::new();
        args.extend(self.default_standard());
        args.extend(self.flags.iter().cloned());
        args.extend(["-w", "-Wno-error"].map(String::from));
        args.extend(extra.iter().map(|flag| flag.to_string()));
        args.extend(trailing_arrays(self.flags, extra).map(String::from));
        args.extend(["-c".to_string(), file.display().to_string()]);
        args.extend(["-o".to_string(), out.display().to_string()]);
        self.call(&args).map(|_| ())
    }
}
