//! From code addresses of a run back to functions and lines.
//!
//! Takes an executable made by [`crate::build`], gives the source frames of an address, inlined ones included. Frames
//! of the runtime, of the library models and of the driver say nothing about the user's code and are left out.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tarka_source::{OtherFile, Place, SourceModel};

use crate::InstrumentError;
use crate::compile::COMPILATION_FOLDER;
use crate::driver::DRIVER_FILE;
use crate::link::USER_MAIN;

/// A function and a place in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The function's name in the source.
    pub function: String,
    /// Where in it. The column is always 1.
    pub place: Option<Place>,
}

/// The debug information of one executable.
pub struct Symboliser {
    loader: addr2line::Loader,
    /// What functions are called that have the name of another one: by their name in their file, and the file.
    renamed: HashMap<(String, String), String>,
}

impl std::fmt::Debug for Symboliser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Symboliser").finish_non_exhaustive()
    }
}

impl Symboliser {
    /// Reads the debug information of an executable that was built from a program.
    pub fn open(exe: &Path, model: &SourceModel) -> Result<Symboliser, InstrumentError> {
        let loader = addr2line::Loader::new(exe).map_err(|error| InstrumentError::DebugInfo {
            path: PathBuf::from(exe),
            message: error.to_string(),
        })?;
        let of_file = |other: &OtherFile| {
            let file = other.file.display().to_string();
            let names = other.renamed.iter().cloned();
            names.map(move |(name, given)| ((name, file.clone()), given)).collect::<Vec<_>>()
        };
        let renamed = model.others.iter().flat_map(of_file).collect();
        Ok(Symboliser { loader, renamed })
    }

    /// The frames at a code address, innermost first. For a return address give the address minus 1: the call, not
    /// what comes after it.
    pub fn frames(&self, address: u64) -> Vec<Frame> {
        let mut frames = Vec::new();
        let Ok(mut found) = self.loader.find_frames(address) else { return frames };
        while let Ok(Some(frame)) = found.next() {
            let is_ours = frame.location.as_ref().and_then(|location| location.file).is_some_and(is_our_file);
            let name =
                frame.function.as_ref().and_then(|name| name.raw_name().ok()).map(|name| name.into_owned());
            let Some(name) = name.filter(|_| !is_ours) else { continue };
            let function = if name == USER_MAIN { "main".to_owned() } else { name };
            let place = frame.location.and_then(|location| {
                let line = location.line.filter(|line| *line > 0)?;
                Some(Place { file: user_file(location.file?), line, column: 1 })
            });
            let known = place
                .as_ref()
                .and_then(|place: &Place| self.renamed.get(&(function.clone(), place.file.clone())).cloned());
            frames.push(Frame { function: known.unwrap_or(function), place });
        }
        frames
    }
}

/// The file as the line markers named it.
fn user_file(file: &str) -> String {
    let relative = file.strip_prefix(COMPILATION_FOLDER).and_then(|rest| rest.strip_prefix('/'));
    relative.unwrap_or(file).to_owned()
}

/// Runtime and models are compiled under this name wherever they are built; the driver's text has a marker.
fn is_our_file(file: &str) -> bool {
    file.starts_with("tarka-runtime") || file.ends_with(DRIVER_FILE)
}
