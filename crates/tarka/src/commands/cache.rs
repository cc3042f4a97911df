//! `tarka cache`: what compilers built for earlier calls.
//!
//! Takes what to do with it; says what was done. Never: touches files that are no entries of the cache.

use crate::failure::{Failure, Finished};
use crate::output::say;
use crate::request::args::{CacheArgs, CacheCommand};

/// Runs the command.
pub fn cache(args: &CacheArgs) -> Result<Finished, Failure> {
    let CacheCommand::Clean = args.what;
    let Some(folder) = tarka_cache::folder() else {
        say!("there is no cache: TARKA_CACHE is empty, or HOME names no folder");
        return Ok(Finished::Clean);
    };
    let freed =
        tarka_cache::clean(&folder).map_err(|source| Failure::Cache { folder: folder.clone(), source })?;
    say!("removed {:.1} MB from {}", freed as f64 / 1e6, folder.display());
    Ok(Finished::Clean)
}
