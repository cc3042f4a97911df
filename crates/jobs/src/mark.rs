//! What only this user's Tarka can have written, told from what merely looks like it.
//!
//! Takes texts; gives a digest of each that needs a key of the user's, kept where nobody else reads it, and says whether a text is
//! the one that a digest was made of. Never: what a text says.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The file beside a report that vouches for it.
pub(crate) const NAME: &str = ".tarka-mark";

/// Bytes of a key, and of a digest.
const KEY: usize = 32;

/// What a digest is about, so that none stands for anything else.
const REPORT: &[u8] = b"tarka report 1\n";

/// The mark of a report's text.
pub(crate) fn of_report(text: &[u8]) -> io::Result<String> {
    let digest = digest(REPORT, text)?.finalize().into_bytes();
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n")
}

/// Whether a report in this folder, with this text, was written by this user's Tarka.
pub fn is_own_report(folder: &Path, text: &str) -> bool {
    let Ok(mark) = fs::read_to_string(folder.join(NAME)) else { return false };
    let mark = mark.trim();
    let byte = |at: usize| u8::from_str_radix(mark.get(2 * at..2 * at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..KEY).map(byte).collect();
    bytes.is_some_and(|bytes| {
        mark.len() == 2 * KEY
            && digest(REPORT, text.as_bytes()).is_ok_and(|digest| digest.verify_slice(&bytes).is_ok())
    })
}

fn digest(about: &[u8], text: &[u8]) -> io::Result<Hmac<Sha256>> {
    let mut digest = Hmac::<Sha256>::new_from_slice(&key()?).map_err(io::Error::other)?;
    digest.update(about);
    digest.update(text);
    Ok(digest)
}

/// The user's key, which is made where there is none.
pub(crate) fn key() -> io::Result<[u8; KEY]> {
    let folder = state_folder().ok_or(io::ErrorKind::NotFound)?;
    let path = folder.join("key");
    match read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        other => return other,
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
    let mut key = [0; KEY];
    File::open("/dev/urandom")?.read_exact(&mut key)?;
    let mut file = tempfile::Builder::new().prefix(".key").tempfile_in(&folder)?;
    file.write_all(&key)?;
    match file.persist_noclobber(&path) {
        Ok(_) => Ok(key),
        // Another call was first.
        Err(_) => read(&path),
    }
}

fn read(path: &Path) -> io::Result<[u8; KEY]> {
    let mut file = OpenOptions::new().read(true).custom_flags(nofollow()).open(path)?;
    let about = file.metadata()?;
    if about.uid() != rustix::process::geteuid().as_raw() || about.mode() & 0o077 != 0 {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut key = [0; KEY];
    file.read_exact(&mut key)?;
    Ok(key)
}

fn nofollow() -> i32 {
    rustix::fs::OFlags::NOFOLLOW.bits() as i32
}

/// Where the user's programs keep what they want to find again.
fn state_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")))?;
    Some(state.join("tarka"))
}
