//! The other files of a unit's program, as objects to link its emitted files with.
//!
//! Takes C files with their flags, and a compiler; gives objects, each made once for all units of a call. Never: which files belong
//! to a program, and what they define for the emitted file's own unit.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tarka_source::{OtherFile, SourceModel};

use crate::SuiteError;
use crate::paths::write;
use crate::replay::compile::{Compiler, in_order};
use crate::replay::recorder;
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
    let file = |other: &OtherFile| LinkedFile {
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

/// What an object is made of and how, and whether it has probes.
type Key = (PathBuf, LinkedFile, Vec<String>, bool);

/// An object while it is made, and when it is there.
type Slot = Arc<Mutex<Option<PathBuf>>>;

/// The objects of one call.
pub struct Objects {
    scratch: tempfile::TempDir,
    made: Mutex<HashMap<Key, Slot>>,
    /// Files whose probes are recorded, each with a number for its symbols.
    recorded: Mutex<Vec<PathBuf>>,
}

impl Objects {
    /// None yet.
    pub fn new() -> io::Result<Objects> {
        Ok(Objects { scratch: tempfile::tempdir()?, made: Mutex::default(), recorded: Mutex::default() })
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

    /// The same with probes, for a program with a recorder.
    pub(crate) fn probed(
        &self,
        compiler: &Compiler,
        model: &SourceModel,
        options: &[&str],
    ) -> Result<LinkedObjects, SuiteError> {
        let linked = linked_files(model);
        let probed = |(file, other): (&LinkedFile, &OtherFile)| {
            let number = self.number_of(&file.file);
            self.made_once((compiler.program, file, options, true), |object| {
                let text = object.with_extension("i");
                write(&text, &format!("{}{}", recorder::redirected(number), other.probed_text))?;
                let mut args = file.flags.clone();
                args.extend(options.iter().map(|option| option.to_string()));
                args.extend(["-c", "-x", "cpp-output"].map(String::from));
                args.extend([&text, Path::new("-o"), object].map(|part| part.display().to_string()));
                compiler.call(&args).map(|_| ())
            })
        };
        let objects = linked.iter().zip(&model.others).map(probed).collect::<Result<_, SuiteError>>()?;
        Ok(LinkedObjects { objects, options: link_options(compiler.flags, &linked) })
    }

    /// What the recorder must have so that it knows the other files' probes by their numbers in the program.
    pub(crate) fn ways_to_recorder(&self, model: &SourceModel) -> String {
        let others = model.others.iter();
        others.map(|other| recorder::way_for(self.number_of(&other.file), other.first)).collect()
    }

    fn number_of(&self, file: &Path) -> usize {
        let mut recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        let known = recorded.iter().position(|known| known == file);
        known.unwrap_or_else(|| {
            recorded.push(file.to_path_buf());
            recorded.len() - 1
        })
    }

    fn object(&self, compiler: &Compiler, file: &LinkedFile, extra: &[&str]) -> Result<PathBuf, SuiteError> {
        self.made_once((compiler.program, file, extra, false), |object| {
            Compiler { flags: &file.flags, ..*compiler }.object(&file.file, extra, object)
        })
    }

    fn made_once(
        &self,
        (program, file, extra, is_probed): (&Path, &LinkedFile, &[&str], bool),
        make: impl FnOnce(&Path) -> Result<(), SuiteError>,
    ) -> Result<PathBuf, SuiteError> {
        let options: Vec<String> = extra.iter().map(|option| option.to_string()).collect();
        let key = (program.to_path_buf(), file.clone(), options, is_probed);
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
        make(&object)?;
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
    for flag in linked.iter().flat_map(|file| in_order(&file.flags).1) {
        if !flags.contains(&flag) && !options.contains(&flag) {
            options.push(flag);
        }
    }
    options
}

impl Compiler<'_> {
    /// Compiles a C file of the user's to an object, whatever the compiler warns of.
    pub(crate) fn object(&self, file: &Path, extra: &[&str], out: &Path) -> Result<(), SuiteError> {
        let mut args: Vec<String> = Vec::new();
        args.extend(self.default_standard());
        args.extend(in_order(self.flags).0);
        args.extend(["-w", "-Wno-error"].map(String::from));
        args.extend(extra.iter().map(|flag| flag.to_string()));
        args.extend(trailing_arrays(self.flags, extra).map(String::from));
        args.extend(["-c".to_string(), file.display().to_string()]);
        args.extend(["-o".to_string(), out.display().to_string()]);
        self.call(&args).map(|_| ())
    }
}
