//! A folder of what compilers have built, by what it was built from.
//!
//! Takes the key of a call and the file that it gave; gives that file again for the same key, in this process or another, at the same
//! time or later. Never: decides what a call depends on without being told (see [`call_key`]), fails (what cannot be kept is built
//! again), or grows beyond what it is allowed.
//!
//! An entry is a folder named after the key that holds one file, named after the digest of its content. It is made aside and
//! renamed, so it is there as a whole or not at all; a file that no longer has its name's content is dropped. There is a cache where
//! the variable `TARKA_CACHE` names a folder, and in the user's own folder for caches where the program chooses that ([`choose`]); a
//! variable that is empty says that there is none.

mod call;
mod digest;

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

pub use call::{call_key, program};
pub use digest::Digest;

/// Most bytes that are kept. One entry in 64 looks at the whole, so for a while there may be 64 more.
const CAP: u64 = 256 << 20;

/// How the name of an entry begins while it is made.
const IN_THE_MAKING: &str = "new-";

/// A folder with what was built.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    cap: u64,
}

/// Names the folder of the cache; says that there is none if it is empty.
const VARIABLE: &str = "TARKA_CACHE";

/// How long an entry may be in the making.
const LONGEST_MAKING: Duration = Duration::from_secs(3600);

/// Where a process has its cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Where the environment names a folder, and nowhere else.
    Named,
    /// There, or in the user's own folder for caches.
    Users,
    /// Nowhere.
    None,
}

static CHOICE: OnceLock<Choice> = OnceLock::new();

/// Says where this process has its cache. Only the first word counts, and what was asked before knows nothing of it.
pub fn choose(choice: Choice) {
    CHOICE.get_or_init(|| choice);
}

/// The folder that the environment names, or the user's own.
pub fn folder() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    match std::env::var_os(VARIABLE) {
        Some(_) => named(VARIABLE),
        None => {
            let all = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
            all.filter(|folder| folder.is_absolute()).map(|folder| folder.join("tarka"))
        }
    }
}

/// The cache of this process, if it has one.
pub fn shared() -> Option<&'static Cache> {
    static SHARED: OnceLock<Option<Cache>> = OnceLock::new();
    let has_one = || match CHOICE.get().unwrap_or(&Choice::Named) {
        Choice::Named => std::env::var_os(VARIABLE).is_some(),
        Choice::Users => true,
        Choice::None => false,
    };
    let find =
        || folder().filter(|folder| has_one() && is_ours(folder)).map(|folder| Cache { folder, cap: CAP });
    SHARED.get_or_init(find).as_ref()
}

/// Removes every entry of the cache, and nothing else that stands there; gives how many bytes that were.
pub fn clean(folder: &Path) -> io::Result<u64> {
    let mut freed = 0;
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if is_entry(&entry.file_name().to_string_lossy()) {
            freed += size(&entry.path());
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(freed)
}

/// Whether the folder, which is made if there is none, can be changed by this user alone: programs are run from there.
fn is_ours(folder: &Path) -> bool {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    // SAFETY: a plain call.
    let user = unsafe { libc::geteuid() };
    made.and_then(|()| fs::metadata(folder))
        .is_ok_and(|about| about.uid() == user && about.mode() & 0o022 == 0)
}

/// Whether something in the folder has the name of an entry, or of one in the making.
fn is_entry(name: &str) -> bool {
    let is_key = name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_key || name.starts_with(IN_THE_MAKING)
}

/// Bytes of the files of an entry.
fn size(entry: &Path) -> u64 {
    let files = fs::read_dir(entry).into_iter().flatten().flatten();
    files.filter_map(|file| Some(file.metadata().ok()?.len())).sum()
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
        let aside = self.folder.join(format!("{IN_THE_MAKING}{}-{count}", std::process::id()));
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
            .filter(|entry| is_entry(&entry.file_name().to_string_lossy()))
            .filter_map(|entry| {
                Some((entry.metadata().ok()?.modified().ok()?, size(&entry.path()), entry.path()))
            })
            .collect();
        // What a call that was killed had begun.
        let is_left = |(time, _, path): &(SystemTime, u64, PathBuf)| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(IN_THE_MAKING) && time.elapsed().is_ok_and(|age| age > LONGEST_MAKING)
        };
        for (_, _, path) in entries.extract_if(.., |entry| is_left(entry)) {
            let _ = fs::remove_dir_all(path);
        }
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
    fn cleaning_removes_entries_and_nothing_else() {
        let place = Place::new(CAP);
        place.keep("a", "one");
        fs::create_dir(place.cache.folder.join("new-1-0")).expect("made");
        fs::create_dir(place.cache.folder.join("photos")).expect("made");
        fs::write(place.cache.folder.join("notes"), "mine").expect("written");
        assert_eq!(clean(&place.cache.folder).expect("cleaned"), 3);
        let mut left = place.entries();
        left.sort();
        assert_eq!(left, ["notes", "photos"].map(|name| place.cache.folder.join(name)));
        assert_eq!(clean(&place.folder.path().join("nowhere")).expect("nothing to do"), 0);
    }

    #[test]
    fn a_folder_that_others_can_change_is_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("folder");
        let cache = folder.path().join("deep").join("cache");
        assert!(is_ours(&cache), "it is made");
        fs::set_permissions(&cache, fs::Permissions::from_mode(0o777)).expect("changed");
        assert!(!is_ours(&cache));
        assert!(!is_ours(Path::new("/proc/none")));
    }

    #[test]
    fn what_a_killed_call_had_begun_goes_in_time() {
        let place = Place::new(CAP);
        place.keep("a", "one");
        let names = ["new-1-0", "new-1-1"].map(|name| place.cache.folder.join(name));
        for name in &names {
            fs::create_dir(name).expect("made");
        }
        let long_ago = SystemTime::now() - 2 * LONGEST_MAKING;
        fs::File::open(&names[0]).and_then(|folder| folder.set_modified(long_ago)).expect("aged");
        place.cache.make_room();
        assert_eq!((names[0].exists(), names[1].exists()), (false, true));
        assert_eq!(place.fetch("a").as_deref(), Some("one"));
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
