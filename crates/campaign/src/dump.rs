//! A unit's questions to the solver, written down as SMT-LIB text.
//!
//! Takes what the path of the file begins with; gives a solver that writes each question it is asked to that file. A file
//! that cannot be written any more ends the unit with a message, once its search is over.

use std::fs::File;
use std::io::{self, BufWriter, Write};
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
        let begun = File::create(&path).map(BufWriter::new).and_then(|mut out| {
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

    /// Whether everything was written.
    pub(crate) fn finish(&self) -> Result<(), String> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let flushed = match written.as_mut() {
            Ok(out) => out.flush(),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        };
        flushed.map_err(|error| message(&self.path, &error))
    }
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
}
