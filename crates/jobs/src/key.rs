//! What the work on a function depends on, as one digest: the same key gives the same answer, in this call or a later one.
//!
//! Takes a file's job and the place; gives the key of each of its functions. Never: reading what was done under a key.

use tarka_cache::{Digest, program};

use crate::{FileJob, Place};

/// The keys of a file's functions. All functions of the file are part of each, and all files of its program: they are built together.
pub(crate) fn keys(job: &FileJob, place: &Place) -> Vec<Digest> {
    let FileJob { model, units, options, folders, .. } = job;
    let names = |separator: &str| {
        let names: Vec<&str> = units.iter().map(|unit| model.function(*unit).name.as_str()).collect();
        names.join(separator)
    };
    let others = model.others.iter().map(|other| {
        let texts =
            [other.file.display().to_string(), format!("{:?}", other.flags), other.probed_text.clone()];
        format!("{:?}", Digest::of(texts))
    });
    let others: Vec<String> = others.collect();
    let shared = Digest::of([
        model.probed_text.clone(),
        model.file.display().to_string(),
        format!("{:?}", model.flags),
        names(" "),
        options.key(),
        program(&place.clang),
        program(&place.compilers.clang),
        place.compilers.cc.as_deref().map(program).unwrap_or_default(),
        place.out.display().to_string(),
        place.flags_folder.display().to_string(),
        others.join(""),
    ]);
    let key = |(unit, folder): (&tarka_source::FunctionId, &String)| {
        let shared = format!("{shared:?}");
        Digest::of([shared.as_str(), model.function(*unit).name.as_str(), folder.as_str()])
    };
    units.iter().zip(folders).map(key).collect()
}

/// The build of Tarka itself.
pub(crate) fn version() -> String {
    let own = std::env::current_exe().map(|exe| program(&exe)).unwrap_or_default();
    format!("{} {own}", env!("CARGO_PKG_VERSION"))
}
