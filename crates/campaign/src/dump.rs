//! A unit's questions to the solver, written down as SMT-LIB text.
//!
//! Takes what the path of the file begins with; gives a solver that writes each question it is asked. The file appears whole, when the
//! search is over: until then it has no name, so a search that is killed leaves nothing. One that cannot be written ends the
//! unit with a message.

use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tarka_solver::{Solver, smtlib};

/// The file of one unit.
pub(crate) struct Dump {
    path: PathBuf,
    written: Arc<Mutex<io::Result<BufWriter<File>>>>,
}

impl Dump {
    /// Begins the file of this function: `.FUNCTION.smt2` comes after what is given.
    pub(crate) fn create(begins: &Path, function: &str) -> Result<Dump, String> {
        let mut path = begins.as_os_str().to_os_string();
        path.push(format!(".{function}.smt2"));
        let path = PathBuf::from(path);
        let begun = tempfile::tempfile_in(folder_of(&path)).map(BufWriter::new).and_then(|mut out| {
            out.write_all(smtlib::HEADER.as_bytes())?;
            Ok(out)
        });
        match begun {
            Ok(out) => Ok(Dump { path, written: Arc::new(Mutex::new(Ok(out))) }),
            Err(error) => Err(message(&path, &error)),
        }
    }

    /// The solver of the unit.
    pub(crate) fn solver(&self, unit: &str) -> Box<dyn Solver + Send> {
        let written = Arc::clone(&self.written);
        let tell = move |text: &str| {
            let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
            if let Ok(out) = written.as_mut()
                && let Err(error) = out.write_all(text.as_bytes())
            {
                *written = Err(error);
            }
        };
        tarka_solver::recorded(unit, Box::new(tell))
    }

    /// Gives the file its name, if everything was written.
    pub(crate) fn finish(&self) -> Result<(), String> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let named = match written.as_mut() {
            Ok(out) => out.flush().and_then(|()| put_in_place(out.get_mut(), &self.path)),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        };
        named.map_err(|error| message(&self.path, &error))
    }
}

/// Of a new file, less what the user's mask takes away.
const PERMISSIONS: u32 = 0o666;

fn put_in_place(written: &mut File, path: &Path) -> io::Result<()> {
    written.rewind()?;
    let mut aside = tempfile::Builder::new()
        .prefix(".tarka")
        .permissions(Permissions::from_mode(PERMISSIONS))
        .tempfile_in(folder_of(path))?;
    io::copy(written, aside.as_file_mut())?;
    aside.persist(path)?;
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn message(path: &Path, error: &io::Error) -> String {
    format!("cannot write its questions to {}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_written_is_said() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let written = Arc::new(Mutex::new(Ok(BufWriter::new(full))));
        let dump = Dump { path: "full.smt2".into(), written };
        dump.written.lock().unwrap().as_mut().unwrap().write_all(b"(push 1)").unwrap();
        let said = dump.finish().unwrap_err();
        assert!(said.starts_with("cannot write its questions to full.smt2: "), "{said}");
        assert!(Dump::create(Path::new("/no/such/folder/a"), "f").is_err());
    }

    #[test]
    fn the_file_appears_whole_and_what_was_there_stays_until_then() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.f.smt2");
        std::fs::write(&path, "of an earlier call").unwrap();
        let dump = Dump::create(&folder.path().join("a"), "f").unwrap();
        dump.written.lock().unwrap().as_mut().unwrap().write_all(b"(push 1)").unwrap();
        let names = || std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!((std::fs::read_to_string(&path).unwrap().as_str(), names()), ("of an earlier call", 1));
        dump.finish().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(smtlib::HEADER) && text.ends_with("(push 1)") && names() == 1, "{text}");
    }
}
