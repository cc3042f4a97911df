//! The plain program of a file: built once, when the first proof asks for it.
//!
//! Takes the request of the first build; gives the plain program or why there is none. Never: running anything.

use std::sync::OnceLock;

use tarka_instrument::{Build, BuildRequest, PlainBuild, build_plain};

/// The plain program of a file, if it is ever needed.
pub(crate) struct PlainProgram<'a> {
    request: BuildRequest<'a>,
    build: &'a Build,
    built: OnceLock<Result<PlainBuild, String>>,
}

impl<'a> PlainProgram<'a> {
    /// The plain program of a build that was made from this request.
    pub(crate) fn new(request: BuildRequest<'a>, build: &'a Build) -> PlainProgram<'a> {
        PlainProgram { request, build, built: OnceLock::new() }
    }

    /// The plain program, or why there is none.
    pub(crate) fn get(&self) -> Result<&PlainBuild, &str> {
        let built = self.built.get_or_init(|| {
            let folder = self.request.work_dir.join("plain");
            std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            build_plain(&self.request, self.build, &folder).map_err(|error| error.to_string())
        });
        built.as_ref().map_err(String::as_str)
    }
}
