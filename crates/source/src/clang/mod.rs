//! A small safe face of libclang: translation units, cursors, types and locations.
//!
//! Takes file names, flags and texts; gives syntax trees to walk. Never decides what a construct means for Tarka.

mod cursor;
mod ffi;
mod kinds;
mod types;

use std::ffi::{CStr, CString};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

pub use cursor::{Cursor, Location};
use ffi::{CxString, CxUnsavedFile, Functions, Opaque};
pub use kinds::*;
pub use types::ClangType;

use crate::SourceError;

/// libclang, loaded once for the whole process.
static LOADED: OnceLock<Functions> = OnceLock::new();

/// Loads libclang 19 from the first place that has it: `LIBCLANG_PATH`, then beside the compiler's own files, then
/// wherever the system's loader looks.
pub fn load(resource_dir: &Path) -> Result<Library, SourceError> {
    if let Some(functions) = LOADED.get() {
        return Ok(Library { functions });
    }
    let mut folders: Vec<PathBuf> = Vec::new();
    folders.extend(std::env::var_os("LIBCLANG_PATH").map(PathBuf::from));
    // The resource folder is `<llvm>/lib/clang/19`.
    folders.extend(resource_dir.ancestors().nth(2).map(Path::to_path_buf));
    folders.push(PathBuf::from("/usr/lib/llvm-19/lib"));
    let names = ["libclang-19.so.19", "libclang-19.so.1", "libclang-19.so", "libclang.so.1", "libclang.so"];
    let in_folders =
        folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name))).filter(|p| p.exists());
    let candidates = in_folders.chain(std::iter::once(PathBuf::from("libclang-19.so.19")));

    let functions = load_first(candidates)?;
    Ok(Library { functions: LOADED.get_or_init(|| functions) })
}

fn load_first(candidates: impl Iterator<Item = PathBuf>) -> Result<Functions, SourceError> {
    let mut reason = String::new();
    for path in candidates {
        // SAFETY: the candidates are libclang by name; a library of another make lacks the symbols and is refused.
        match unsafe { Functions::load(&path) } {
            Ok(functions) => return Ok(functions),
            Err(error) => reason = error.to_string(),
        }
    }
    Err(SourceError::LibclangMissing { reason })
}

/// The loaded library.
#[derive(Clone, Copy)]
pub struct Library {
    functions: &'static Functions,
}

impl Library {
    /// A fresh index. Making one registers LLVM's targets, in a list that has no lock of its own: two at the same
    /// time can tie it into a ring, which the next look-up never leaves.
    fn create_index(self) -> Opaque {
        static REGISTERING: Mutex<()> = Mutex::new(());
        let _alone = REGISTERING.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: two flags by value.
        unsafe { (self.functions.clang_createIndex)(0, 0) }
    }

    /// Parses a file, or `text` in its place. `None` when libclang gives up altogether.
    pub fn parse(self, file: &Path, flags: &[String], text: Option<&str>) -> Option<TranslationUnit> {
        let name = CString::new(file.as_os_str().as_encoded_bytes()).ok()?;
        let flags: Vec<CString> =
            flags.iter().map(|flag| CString::new(flag.as_str())).collect::<Result<_, _>>().ok()?;
        let flag_pointers: Vec<_> = flags.iter().map(|flag| flag.as_ptr()).collect();
        let mut unsaved: Vec<CxUnsavedFile> = text
            .iter()
            .map(|text| CxUnsavedFile {
                filename: name.as_ptr(),
                contents: text.as_ptr().cast(),
                length: text.len() as u64,
            })
            .collect();
        let mut unit: Opaque = std::ptr::null_mut();
        // SAFETY: every pointer lives until the call returns; libclang copies what it keeps.
        unsafe {
            let index = self.create_index();
            let status = (self.functions.clang_parseTranslationUnit2)(
                index,
                name.as_ptr(),
                flag_pointers.as_ptr(),
                flag_pointers.len() as i32,
                unsaved.as_mut_ptr(),
                unsaved.len() as u32,
                0,
                &mut unit,
            );
            if status != 0 || unit.is_null() {
                (self.functions.clang_disposeIndex)(index);
                return None;
            }
            Some(TranslationUnit { functions: self.functions, index, unit })
        }
    }
}

/// A parsed translation unit.
pub struct TranslationUnit {
    functions: &'static Functions,
    index: Opaque,
    unit: Opaque,
}

impl TranslationUnit {
    /// The root of the syntax tree.
    pub fn root(&self) -> Cursor<'_> {
        // SAFETY: the unit is alive.
        Cursor::new(self, unsafe { (self.functions.clang_getTranslationUnitCursor)(self.unit) })
    }

    /// The errors clang found, one line each.
    pub fn errors(&self) -> Vec<String> {
        const ERROR: i32 = 3;
        const WITH_PLACE: u32 = 0x01 | 0x02;
        let functions = self.functions;
        // SAFETY: the unit is alive; every diagnostic is disposed after its last use.
        unsafe {
            (0..(functions.clang_getNumDiagnostics)(self.unit))
                .filter_map(|number| {
                    let diagnostic = (functions.clang_getDiagnostic)(self.unit, number);
                    let message = ((functions.clang_getDiagnosticSeverity)(diagnostic) >= ERROR)
                        .then(|| self.string((functions.clang_formatDiagnostic)(diagnostic, WITH_PLACE)));
                    (functions.clang_disposeDiagnostic)(diagnostic);
                    message
                })
                .collect()
        }
    }

    /// The errors clang found, each with its line and column in the file that was parsed (`None` for others) and
    /// without a place in its text.
    pub fn located_errors(&self) -> Vec<(Option<(u32, u32)>, String)> {
        const ERROR: i32 = 3;
        let functions = self.functions;
        // SAFETY: the unit is alive; every diagnostic is disposed after its last use.
        unsafe {
            (0..(functions.clang_getNumDiagnostics)(self.unit))
                .filter_map(|number| {
                    let diagnostic = (functions.clang_getDiagnostic)(self.unit, number);
                    let is_error = (functions.clang_getDiagnosticSeverity)(diagnostic) >= ERROR;
                    let found = is_error.then(|| {
                        let location =
                            Location::new(self, (functions.clang_getDiagnosticLocation)(diagnostic));
                        let position = location.expansion();
                        let place = location.in_main_file().then_some((position.line, position.column));
                        (place, self.string((functions.clang_getDiagnosticSpelling)(diagnostic)))
                    });
                    (functions.clang_disposeDiagnostic)(diagnostic);
                    found
                })
                .collect()
        }
    }

    /// Takes a string over from libclang.
    fn string(&self, string: CxString) -> String {
        // SAFETY: the string comes from libclang and is disposed exactly once.
        unsafe {
            let pointer = (self.functions.clang_getCString)(string);
            let text = if pointer.is_null() {
                String::new()
            } else {
                CStr::from_ptr(pointer).to_string_lossy().into_owned()
            };
            (self.functions.clang_disposeString)(string);
            text
        }
    }
}

impl Drop for TranslationUnit {
    fn drop(&mut self) {
        // SAFETY: both were created by `parse` and nothing borrows them any more.
        unsafe {
            (self.functions.clang_disposeTranslationUnit)(self.unit);
            (self.functions.clang_disposeIndex)(self.index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_none_is_refused_with_the_next_step() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let fake = folder.path().join("libclang-19.so");
        std::fs::write(&fake, "not a library").expect("writable");
        let Err(error) = load_first([folder.path().join("missing.so"), fake].into_iter()) else {
            panic!("a text file was loaded as libclang");
        };
        assert!(error.to_string().contains("apt install libclang-19-dev"), "{error}");
    }
}
