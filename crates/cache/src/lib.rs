//! A folder of what compilers have built, by what it was built from.
//!
//! Takes the key of a call and the file that it gave; gives that file again for the same key, in this process or another, at the same
//! time or later. Never: decides what a call depends on without being told (see [`call_key`]), fails (what cannot be kept is built
//! again), or grows beyond what it is allowed.
//!
//! An entry is a folder named after the key that holds one file, named after the digest of its content. It is made aside and
//! renamed, so it is there as a whole or not at all; a file that no longer has its name's content is dropped. There is a cache only
//! where the variable `TARKA_CACHE` names a folder.

mod call;
mod digest;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

pub use call::{call_key, program};
pub use digest::Digest;

/// Most bytes that are kept. One entry in 64 looks at the whole, so for a while there may be 64 more.
const CAP: u64 = 256 << 20;

/// A folder with what was built.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    cap: u64,
}

/// The cache that the environment names, if it names one.
pub fn shared() -> Option<&'static Cache> {
    static SHARED: OnceLock<Option<Cache>> = OnceLock::new();
    let named = || std::env::var_os("TARKA_CACHE").filter(|folder| !folder.is_empty());
    SHARED.get_or_init(|| named().map(|folder| Cache { folder: folder.into(), cap: CAP })).as_ref()
}

/// Has `make` make the file `out`, unless it is known what that gives; without a cache or a key it always has.
pub fn built<E>(key: Option<Digest>, out: &Path, make: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
    let Some((cache, key)) = shared().zip(key) else { return make() };
    if cache.fetch(&key, out) {
        return Ok(());
    }
    make()?;
    cache.keep(&key, out);
    Ok(())
}

impl Cache {
    /// Puts what is known under the key at `out`; false if nothing is.
    fn fetch(&self, key: &Digest, out: &Path) -> bool {
        let entry = self.folder.join(key.name());
        let Some(file) = fs::read_dir(&entry).ok().and_then(|mut files| files.next()?.ok()) else {
            return false;
        };
        let is_whole = fs::read(file.path())
            .is_ok_and(|bytes| file.file_name().to_str() == Some(&Digest::of([bytes]).name()));
        if !is_whole {
            // Whoever else is about to use it sees the same.
            let _ = fs::remove_dir_all(&entry);
        }
        is_whole && put(&file.path(), out).is_ok()
    }

    /// Remembers the file under the key.
    fn keep(&self, key: &Digest, file: &Path) {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let aside = self.folder.join(format!("new-{}-{count}", std::process::id()));
        let made = || -> io::Result<()> {
            fs::create_dir_all(&aside)?;
            put(file, &aside.join(Digest::of([fs::read(file)?]).name()))?;
            // Fails where another has been faster: it has the same.
            fs::rename(&aside, self.folder.join(key.name()))
        };
        if made().is_err() {
            let _ = fs::remove_dir_all(&aside);
        }
        if key.bytes()[0] < 4 {
            self.make_room();
        }
    }

    /// Drops the oldest entries until a quarter is free, if there are too many.
    fn make_room(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = entries
            .filter_map(|entry| {
                let files = fs::read_dir(entry.path()).ok()?.flatten();
                let size = files.filter_map(|file| Some(file.metadata().ok()?.len())).sum();
                Some((entry.metadata().ok()?.modified().ok()?, size, entry.path()))
            })
            .collect();
        let mut total: u64 = entries.iter().map(|(_, size, _)| size).sum();
        if total <= self.cap {
            return;
        }
        entries.sort();
        for (_, size, path) in entries {
            if total <= self.cap / 4 * 3 {
                break;
            }
            let _ = fs::remove_dir_all(path);
            total -= size;
        }
    }
}

/// The same file under another name. Where that cannot be, another process copies: a program that this one has open for writing could
/// not be started while a child that is about to start inherits it.
fn put(from: &Path, to: &Path) -> io::Result<()> {
    match fs::remove_file(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::hard_link(from, to).or_else(|_| {
        let copied = Command::new("cp").arg("-p").arg(from).arg(to).output()?;
        copied.status.success().then_some(()).ok_or_else(|| io::Error::other("cp failed"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place {
        folder: tempfile::TempDir,
        cache: Cache,
    }

    impl Place {
        fn new(cap: u64) -> Place {
            let folder = tempfile::tempdir().expect("folder");
            let cache = Cache { folder: folder.path().join("cache"), cap };
            Place { folder, cache }
        }

        fn keep(&self, key: &str, content: &str) {
            let file = self.folder.path().join(key);
            fs::write(&file, content).expect("written");
            self.cache.keep(&Digest::of([key]), &file);
        }

        fn fetch(&self, key: &str) -> Option<String> {
            let out = self.folder.path().join("out");
            self.cache.fetch(&Digest::of([key]), &out).then(|| fs::read_to_string(&out).expect("read"))
        }

        fn entries(&self) -> Vec<PathBuf> {
            fs::read_dir(&self.cache.folder)
                .into_iter()
                .flatten()
                .map(|entry| entry.expect("entry").path())
                .collect()
        }
    }

    #[test]
    fn what_was_kept_is_found_under_its_key_only() {
        let place = Place::new(CAP);
        assert_eq!(place.fetch("a"), None);
        place.keep("a", "one");
        place.keep("b", "two");
        assert_eq!(
            (place.fetch("a"), place.fetch("b"), place.fetch("c")),
            (Some("one".into()), Some("two".into()), None)
        );
        // The first is as good as any: what a key gives does not change.
        place.keep("a", "one");
        assert_eq!(place.entries().len(), 2, "{:?}", place.entries());
    }

    #[test]
    fn an_entry_that_was_changed_is_dropped() {
        let place = Place::new(CAP);
        for damage in ["", "on", "One"] {
            place.keep("a", "one");
            let entry = fs::read_dir(&place.entries()[0])
                .expect("entry")
                .next()
                .expect("a file")
                .expect("entry")
                .path();
            fs::remove_file(&entry).expect("removed");
            fs::write(&entry, damage).expect("written");
            assert_eq!(place.fetch("a"), None, "{damage:?}");
            assert!(place.entries().is_empty());
        }
        place.keep("a", "one");
        assert_eq!(place.fetch("a").as_deref(), Some("one"));
    }

    #[test]
    fn the_oldest_entries_go_when_there_are_too_many() {
        let place = Place::new(100);
        for number in 0..300 {
            place.keep(&number.to_string(), "ten bytes.");
        }
        place.cache.make_room();
        let left: Vec<u32> = (0..300).filter(|number| place.fetch(&number.to_string()).is_some()).collect();
        assert!((1..=10).contains(&left.len()), "{left:?}");
        assert!(left[0] >= 200, "the youngest are kept: {left:?}");
    }

    #[test]
    fn many_at_once_see_whole_entries_only() {
        let place = Place::new(2000);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (cache, folder) = (&place.cache, place.folder.path());
                scope.spawn(move || {
                    for round in 0..200 {
                        let content = format!("content {}", round % 20);
                        let (key, out) = (Digest::of([&content]), folder.join(format!("out-{thread}")));
                        if cache.fetch(&key, &out) {
                            assert_eq!(fs::read_to_string(&out).expect("read"), content);
                        } else {
                            fs::write(&out, &content).expect("written");
                            cache.keep(&key, &out);
                        }
                        fs::remove_file(&out).expect("its own");
                    }
                });
            }
        });
        assert!(place.entries().iter().all(|entry| !entry.to_string_lossy().contains("new-")));
    }
}
