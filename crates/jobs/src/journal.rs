//! The journal of an output folder: what is finished is written down as it is finished, and found again by a later call.
//!
//! Takes units with their keys and what was made of them; gives it back for the same key, as long as the files that belong
//! to it are there as they were written. An entry that a kill cut off is as if it had never been; a journal of another version
//! is set aside, and one that has grown well beyond what it vouches for is written anew. One call at a time has the folder. Never: deciding what a key stands for.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tarka_cache::Digest;
use tarka_confine::{Lock, lock};
use tarka_events::{Correction, UnitResult};
use tarka_suite::TestsWritten;

use crate::JobError;
use crate::mark;

/// The journal's file in the output folder, and what one of another version becomes.
pub(crate) const NAME: &str = ".tarka-journal";
const SET_ASIDE: &str = ".tarka-journal.old";

/// What a journal begins with: the number of its format.
const MAGIC: &[u8; 16] = b"tarka journal 2\n";

/// A journal of fewer bytes is never made smaller, and a larger one only when this part of it, or more, stands for nothing any more.
const SMALL: usize = 1 << 20;
const MOSTLY: usize = 2;

/// The digest of something that can be written down.
pub(crate) fn digest_of_value(value: &impl Serialize) -> Digest {
    Digest::of([postcard::to_allocvec(value).unwrap_or_default()])
}

/// A file of the output folder as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sealed {
    /// Relative to the output folder.
    path: PathBuf,
    content: Digest,
}

impl Sealed {
    /// All files that Tarka wrote for a unit, whose folder is given.
    pub(crate) fn all(out: &Path, folder: &str, prefixes: &[&str]) -> Vec<Sealed> {
        let mut files: Vec<PathBuf> = std::fs::read_dir(out.join(folder))
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| {
                let name = entry.file_name();
                prefixes.iter().any(|prefix| name.to_string_lossy().starts_with(prefix))
            })
            .map(|entry| Path::new(folder).join(entry.file_name()))
            .collect();
        files.sort();
        let seal = |path: PathBuf| Some(Sealed { content: content(&out.join(&path))?, path });
        files.into_iter().filter_map(seal).collect()
    }

    fn copy(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        let target = to.join(&self.path);
        target.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        tarka_suite::paths::replace(&target, &std::fs::read(from.join(&self.path))?)
    }

    fn is_unbroken(&self, out: &Path) -> bool {
        content(&out.join(&self.path)) == Some(self.content)
    }
}

fn content(file: &Path) -> Option<Digest> {
    Some(Digest::of([std::fs::read(file).ok()?]))
}

/// A unit whose tests are written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TestedEntry {
    pub result: UnitResult,
    pub tests: TestsWritten,
    pub files: Vec<Sealed>,
}

/// What came after: its faults, in the state that settling left them in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FinishedEntry {
    /// Digest of the unit's settled faults.
    pub settled: Digest,
    pub corrections: Vec<Correction>,
    pub files: Vec<Sealed>,
}

#[derive(Serialize, Deserialize)]
enum Entry {
    Tested(Digest, Box<TestedEntry>),
    Finished(Digest, Box<FinishedEntry>),
}

/// The journal of an output folder, which this call has for itself.
pub(crate) struct Journal {
    out: PathBuf,
    /// Where a killed call had written what was not in its place yet.
    left: Option<PathBuf>,
    /// What only this user has: an entry that was made without it is none.
    secret: [u8; 32],
    file: Mutex<File>,
    tested: HashMap<Digest, TestedEntry>,
    finished: HashMap<Digest, FinishedEntry>,
    /// What the user should know about what was found.
    pub note: Option<String>,
}

impl Journal {
    /// Opens the journal of a folder, or begins one. `version` tells journals of other builds of Tarka; one that is begun
    /// anew forgets what it had.
    pub(crate) fn open(out: &Path, version: &str, anew: bool) -> Result<Journal, JobError> {
        let path = out.join(NAME);
        let failed = |source| JobError::Journal { path: path.clone(), source };
        let mut file = loop {
            let opened =
                OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(failed)?;
            match lock(opened, &path).map_err(failed)? {
                Lock::Held(file) => break file,
                Lock::Taken => return Err(JobError::Taken { out: out.to_path_buf() }),
                // The call that had it has just written it anew.
                Lock::Gone => {}
            }
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        // Without a key nothing is found again.
        let secret = mark::key().unwrap_or_else(|_| Digest::of([format!("{:?}", Instant::now())]).bytes());
        let head = [MAGIC.as_slice(), &frame(&secret, version.as_bytes())].concat();
        let mut journal = Journal {
            out: out.to_path_buf(),
            left: None,
            secret,
            file: Mutex::new(file),
            tested: HashMap::new(),
            finished: HashMap::new(),
            note: None,
        };
        if anew {
            bytes.clear();
        }
        let read = bytes.strip_prefix(head.as_slice()).map(|entries| journal.read(entries));
        let whole = match read {
            Some(whole) => head.len() + whole,
            None => {
                if !bytes.is_empty() {
                    std::fs::write(out.join(SET_ASIDE), &bytes).map_err(failed)?;
                    journal.note = Some(format!(
                        "{} was written by another version of Tarka and is set aside as {SET_ASIDE}",
                        path.display()
                    ));
                }
                0
            }
        };
        // What a kill cut off goes away: the next entry begins where the last whole one ends.
        let file = journal.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.set_len(whole as u64).map_err(failed)?;
        if whole == 0 {
            file.write_all(&head).map_err(failed)?;
        }
        Ok(journal)
    }

    /// Takes in the entries; gives how many bytes of them are whole.
    fn read(&mut self, entries: &[u8]) -> usize {
        let mut rest = entries;
        while let Some((payload, after)) = unframed(&self.secret, rest) {
            match postcard::from_bytes::<Entry>(payload) {
                Ok(Entry::Tested(key, entry)) => drop(self.tested.insert(key, *entry)),
                Ok(Entry::Finished(key, entry)) => drop(self.finished.insert(key, *entry)),
                Err(_) => break,
            }
            rest = after;
        }
        entries.len() - rest.len()
    }

    /// A unit that was tested before, if its tests are still as they were written.
    pub(crate) fn tested(&self, key: Digest) -> Option<&TestedEntry> {
        self.tested.get(&key).filter(|entry| self.is_unbroken(&entry.files))
    }

    /// What came after, if its faults were settled in the same way and their files are still as they were written.
    pub(crate) fn finished(&self, key: Digest, settled: Digest) -> Option<&FinishedEntry> {
        let entry = self.finished.get(&key).filter(|entry| entry.settled == settled);
        entry.filter(|entry| self.is_unbroken(&entry.files))
    }

    /// Whether no earlier call has written anything down.
    pub(crate) fn is_empty(&self) -> bool {
        self.tested.is_empty() && self.finished.is_empty()
    }

    /// Where the files are that entries speak of, and where a killed call had them.
    pub(crate) fn set_place(&mut self, out: PathBuf, left: Option<PathBuf>) {
        (self.out, self.left) = (out, left);
    }

    /// Has the journal of a folder that is in its place forget what it no longer vouches for, once that is most of it: entries
    /// that were written again, and those whose files are not as they were written. What is kept is written aside and locked before it has the
    /// name, so a kill leaves one of the two, and nobody else gets the folder meanwhile.
    pub(crate) fn compact(&self, out: &Path) -> io::Result<()> {
        let path = out.join(NAME);
        let mut held = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if held.metadata()?.len() <= SMALL as u64 {
            return Ok(());
        }
        let bytes = std::fs::read(&path)?;
        let kept = self.kept(&bytes, out);
        if kept.len() * MOSTLY > bytes.len() {
            return Ok(());
        }
        let mut aside = tempfile::Builder::new().prefix(".tarka").tempfile_in(out)?;
        aside.as_file().set_permissions(held.metadata()?.permissions())?;
        aside.write_all(&kept)?;
        if let Lock::Held(_) = lock(aside.as_file().try_clone()?, aside.path())? {
            *held = aside.persist(&path)?;
        }
        Ok(())
    }

    /// The head of a journal and the entries that hold for this folder.
    fn kept(&self, bytes: &[u8], out: &Path) -> Vec<u8> {
        let mut entries = Vec::new();
        let mut newest = HashMap::new();
        let mut rest = bytes.strip_prefix(MAGIC.as_slice()).unwrap_or_default();
        while let Some((payload, after)) = unframed(&self.secret, rest) {
            // The first payload is the version and no entry.
            let entry = (!entries.is_empty()).then(|| postcard::from_bytes::<Entry>(payload).ok()).flatten();
            let position = entries.len();
            entries.push(&rest[..rest.len() - after.len()]);
            match entry {
                Some(Entry::Tested(key, entry)) => newest.insert((0, key), (position, entry.files)),
                Some(Entry::Finished(key, entry)) => newest.insert((1, key), (position, entry.files)),
                None => None,
            };
            rest = after;
        }
        let holds = |files: &[Sealed]| files.iter().all(|file| file.is_unbroken(out));
        let mut kept: Vec<usize> =
            newest.into_values().filter(|(_, files)| holds(files)).map(|(at, _)| at).collect();
        kept.sort_unstable();
        let head = entries.first().copied().unwrap_or_default();
        let kept = kept.into_iter().map(|position| entries[position]);
        std::iter::once(MAGIC.as_slice()).chain([head]).chain(kept).flatten().copied().collect()
    }

    /// Whether the files are as they were written; what a killed call left of them is put in its place.
    fn is_unbroken(&self, files: &[Sealed]) -> bool {
        if files.iter().all(|file| file.is_unbroken(&self.out)) {
            return true;
        }
        let Some(left) = &self.left else { return false };
        files.iter().all(|file| file.is_unbroken(left) && file.copy(left, &self.out).is_ok())
    }

    /// Writes down a unit whose tests are written.
    pub(crate) fn add_tested(&self, key: Digest, entry: TestedEntry) {
        self.add(&Entry::Tested(key, Box::new(entry)));
    }

    /// Writes down what came after.
    pub(crate) fn add_finished(&self, key: Digest, entry: FinishedEntry) {
        self.add(&Entry::Finished(key, Box::new(entry)));
    }

    /// A journal that cannot be written costs a later call its time, and this one nothing.
    fn add(&self, entry: &Entry) {
        let Ok(payload) = postcard::to_allocvec(entry) else { return };
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = file.write_all(&frame(&self.secret, &payload)).and_then(|()| file.flush());
    }
}

/// A payload with its length and a digest that takes the secret, so that a part of it is not taken for the whole, nor what somebody
/// else made for ours.
fn frame(secret: &[u8; 32], payload: &[u8]) -> Vec<u8> {
    let digest = Digest::of([secret.as_slice(), payload]).bytes();
    [&(payload.len() as u64).to_le_bytes(), digest.as_slice(), payload].concat()
}

/// The first payload and what follows it; `None` if it is not whole.
fn unframed<'b>(secret: &[u8; 32], bytes: &'b [u8]) -> Option<(&'b [u8], &'b [u8])> {
    let (len, rest) = bytes.split_first_chunk::<8>()?;
    let (check, rest) = rest.split_first_chunk::<32>()?;
    let len = usize::try_from(u64::from_le_bytes(*len)).ok()?;
    let payload = rest.get(..len)?;
    let digest = Digest::of([secret.as_slice(), payload]).bytes();
    (digest == *check).then(|| (payload, &rest[len..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(text: &str) -> FinishedEntry {
        FinishedEntry { settled: Digest::of([text]), corrections: Vec::new(), files: Vec::new() }
    }

    fn key(number: u8) -> Digest {
        Digest::of([[number]])
    }

    /// A journal with two entries.
    fn two(out: &Path) -> Vec<u8> {
        let journal = Journal::open(out, "one", false).unwrap();
        journal.add_finished(key(1), finished("a"));
        journal.add_finished(key(2), finished("b"));
        drop(journal);
        std::fs::read(out.join(NAME)).unwrap()
    }

    #[test]
    fn what_was_written_down_is_found_again_under_its_key_and_state() {
        let out = tempfile::tempdir().unwrap();
        two(out.path());
        let journal = Journal::open(out.path(), "one", false).unwrap();
        assert!(journal.finished(key(1), Digest::of(["a"])).is_some());
        assert!(journal.finished(key(1), Digest::of(["b"])).is_none(), "settled otherwise");
        assert!(journal.finished(key(3), Digest::of(["a"])).is_none());
    }

    #[test]
    fn wherever_a_kill_cuts_the_file_what_is_whole_is_kept_and_more_can_be_added() {
        let out = tempfile::tempdir().unwrap();
        let whole = two(out.path());
        for len in 0..whole.len() {
            std::fs::write(out.path().join(NAME), &whole[..len]).unwrap();
            let journal = Journal::open(out.path(), "one", false).unwrap();
            let first = journal.finished(key(1), Digest::of(["a"])).is_some();
            assert!(journal.finished(key(2), Digest::of(["b"])).is_none(), "cut at {len}");
            journal.add_finished(key(4), finished("d"));
            drop(journal);
            let again = Journal::open(out.path(), "one", false).unwrap();
            assert_eq!(again.finished(key(1), Digest::of(["a"])).is_some(), first, "cut at {len}");
            assert!(again.finished(key(4), Digest::of(["d"])).is_some(), "cut at {len}");
        }
    }

    #[test]
    fn bytes_that_were_changed_are_no_entry() {
        let out = tempfile::tempdir().unwrap();
        let mut bytes = two(out.path());
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(out.path().join(NAME), &bytes).unwrap();
        let journal = Journal::open(out.path(), "one", false).unwrap();
        assert!(journal.finished(key(1), Digest::of(["a"])).is_some());
        assert!(journal.finished(key(2), Digest::of(["b"])).is_none());
    }

    #[test]
    fn a_journal_of_another_version_is_set_aside_with_a_note() {
        let out = tempfile::tempdir().unwrap();
        let old = two(out.path());
        let journal = Journal::open(out.path(), "two", false).unwrap();
        assert!(journal.note.as_ref().is_some_and(|note| note.contains("another version")));
        assert!(journal.finished(key(1), Digest::of(["a"])).is_none());
        assert_eq!(std::fs::read(out.path().join(SET_ASIDE)).unwrap(), old);
    }

    #[test]
    fn what_a_large_journal_no_longer_vouches_for_goes_and_the_rest_stays() {
        let out = tempfile::tempdir().unwrap();
        let size = || std::fs::metadata(out.path().join(NAME)).unwrap().len() as usize;
        let long = |number: usize| FinishedEntry {
            settled: Digest::of([number.to_le_bytes()]),
            corrections: Vec::new(),
            files: vec![Sealed { path: "x".repeat(1000).into(), content: Digest::of(["never written"]) }],
        };
        let journal = Journal::open(out.path(), "one", false).unwrap();
        for name in ["kept", "edited"] {
            std::fs::write(out.path().join(name), name).unwrap();
        }
        let file = |name: &str| Sealed { path: name.into(), content: Digest::of([name]) };
        for (number, name) in [(1, "kept"), (2, "edited"), (1, "kept")] {
            journal.add_finished(key(number), FinishedEntry { files: vec![file(name)], ..finished(name) });
        }
        journal.add_finished(key(3), finished("without files"));
        std::fs::write(out.path().join("edited"), "by somebody").unwrap();
        let before = size();
        journal.compact(out.path()).unwrap();
        assert_eq!(size(), before, "a small one stays");
        (0..).take_while(|_| size() <= SMALL).for_each(|number| journal.add_finished(key(9), long(number)));
        journal.compact(out.path()).unwrap();
        assert!(size() < before, "{} bytes are left", size());
        assert!(matches!(Journal::open(out.path(), "one", false), Err(JobError::Taken { .. })), "it is held");
        journal.add_finished(key(4), finished("later"));
        drop(journal);
        let names = std::fs::read_dir(out.path()).unwrap().count();
        assert_eq!(names, 3, "nothing else is left in the folder");
        let journal = Journal::open(out.path(), "one", false).unwrap();
        assert_eq!(journal.note, None);
        for (number, settled, is_there) in
            [(1, "kept", true), (2, "edited", false), (3, "without files", true), (4, "later", true)]
        {
            assert_eq!(journal.finished(key(number), Digest::of([settled])).is_some(), is_there, "{settled}");
        }
        assert!(!journal.finished.contains_key(&key(9)), "its file was never there");
    }

    #[test]
    fn a_large_journal_that_holds_is_left_alone() {
        let out = tempfile::tempdir().unwrap();
        let journal = Journal::open(out.path(), "one", false).unwrap();
        let size = || std::fs::metadata(out.path().join(NAME)).unwrap().len() as usize;
        let numbers = (0u64..).take_while(|_| size() <= SMALL);
        numbers.for_each(|number| {
            let text = vec![(number % 250) as u8; 3000];
            journal
                .add_finished(Digest::of([number.to_le_bytes()]), finished(&String::from_utf8_lossy(&text)));
        });
        let before = std::fs::read(out.path().join(NAME)).unwrap();
        journal.compact(out.path()).unwrap();
        assert_eq!(std::fs::read(out.path().join(NAME)).unwrap(), before);
    }

    #[test]
    fn a_second_call_on_the_same_folder_is_refused() {
        let out = tempfile::tempdir().unwrap();
        let first = Journal::open(out.path(), "one", false).unwrap();
        assert!(matches!(Journal::open(out.path(), "one", false), Err(JobError::Taken { .. })));
        drop(first);
        assert!(Journal::open(out.path(), "one", false).is_ok());
    }

    #[test]
    fn an_edited_file_breaks_its_seal() {
        let out = tempfile::tempdir().unwrap();
        std::fs::create_dir(out.path().join("f")).unwrap();
        for name in ["test_f.c", "fault_f_1.c", "notes.txt"] {
            std::fs::write(out.path().join("f").join(name), name).unwrap();
        }
        let sealed = Sealed::all(out.path(), "f", &["test_", "fault_"]);
        assert_eq!(sealed.len(), 2);
        assert!(sealed.iter().all(|file| file.is_unbroken(out.path())));
        std::fs::write(out.path().join("f/test_f.c"), "edited").unwrap();
        assert_eq!(sealed.iter().filter(|file| file.is_unbroken(out.path())).count(), 1);
    }
}
