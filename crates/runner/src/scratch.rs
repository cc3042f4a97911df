//! The empty folder a target runs in.

use std::fs;
use std::io;
use std::path::Path;

use tarka_confine::ScratchFolder;

use crate::RunnerError;

/// A folder of its own, removed with its content at the end.
pub(crate) struct Scratch {
    folder: ScratchFolder,
}

impl Scratch {
    pub(crate) fn create() -> Result<Scratch, RunnerError> {
        let folder = ScratchFolder::new().map_err(RunnerError::system("create a scratch folder"))?;
        Ok(Scratch { folder })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Removes what a run left behind.
    pub(crate) fn clean(&self) -> Result<(), RunnerError> {
        let failed = RunnerError::system::<io::Error>("empty the scratch folder");
        for entry in fs::read_dir(self.path()).map_err(&failed)? {
            let entry = entry.map_err(&failed)?;
            let removed = if entry.file_type().map_err(&failed)?.is_dir() {
                fs::remove_dir_all(entry.path())
            } else {
                fs::remove_file(entry.path())
            };
            removed.map_err(&failed)?;
        }
        Ok(())
    }
}
