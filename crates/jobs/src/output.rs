//! An output folder while a call works on it: nobody sees the new one before it is whole.
//!
//! Takes the folder; gives one beside it, with the same files, in which everything is written, and at the end has the two change places
//! in one step. Where that cannot be, everything is written in the folder itself, each file in one step. Never: what is written.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use tarka_suite::paths::replace;

use crate::JobError;
use crate::journal::{Journal, NAME};
use crate::key::version;
use crate::mark;

/// What the folder beside is called, behind a dot and the folder's own name, and the one that a killed call left.
const NEW: &str = ".tarka-new";
const LEFT: &str = ".tarka-left";

/// The report that `tarka replay` reads.
const REPORT: &str = "report.json";

/// Which file a name stands for: device and number.
type Which = (u64, u64);

/// The output folder of this call, which has it for itself while this lives.
pub struct Output {
    out: PathBuf,
    /// Where everything is written.
    stage: PathBuf,
    /// What a killed call had written.
    left: Option<PathBuf>,
    /// What stood in the folder when the one beside it was made.
    before: HashMap<PathBuf, Which>,
    pub(crate) journal: Journal,
}

impl Output {
    /// Takes a folder that exists. `sources` are files that stand where they stand: a folder that holds one stays in its place.
    /// With `anew`, what was done before counts for nothing.
    pub fn open(out: &Path, sources: &[PathBuf], anew: bool) -> Result<Output, JobError> {
        let journal = Journal::open(out, &version(), anew)?;
        let failed = |source| JobError::Output { path: out.to_path_buf(), source };
        let out = out.canonicalize().map_err(failed)?;
        let mut output = Output { stage: out.clone(), out, left: None, before: HashMap::new(), journal };
        if let Some((stage, left)) = beside(&output.out, sources) {
            output.left = keep_what_was_left(&stage, &left).map_err(failed)?.then_some(left);
            let linked =
                fs::create_dir(&stage).and_then(|()| link_all(&output.out, &stage, &mut output.before));
            match linked {
                Ok(()) => output.stage = stage,
                // Nothing may be made beside it, or the file system has no links.
                Err(_) => {
                    output.before.clear();
                    let _ = fs::remove_dir_all(&stage);
                }
            }
        }
        output.journal.set_place(output.stage.clone(), output.left.clone());
        Ok(output)
    }

    /// Where everything is written until [`Output::publish`].
    pub fn folder(&self) -> &Path {
        &self.stage
    }

    /// Leaves no journal behind where there is nothing in it: for work that nobody goes on with.
    pub fn without_journal(&self) -> io::Result<()> {
        if self.journal.is_empty() { removed(&self.stage.join(NAME)) } else { Ok(()) }
    }

    /// What the user should know about what an earlier call left.
    pub fn note(&self) -> Option<&str> {
        self.journal.note.as_deref()
    }

    /// A text that names files of the folder, as it is once the folder is in its place.
    pub fn shown(&self, text: String) -> String {
        if self.is_in_place() {
            return text;
        }
        text.replace(&format!("{}/", self.stage.display()), &format!("{}/", self.out.display()))
    }

    /// Writes a file of the folder in one step.
    pub fn write(&self, name: &str, text: &str) -> io::Result<()> {
        replace(&self.stage.join(name), text.as_bytes())
    }

    /// Puts the new folder in the place of the old one. `reports` are the files that speak of all others, with their texts; that
    /// of the tests gets the mark that this user's Tarka wrote it.
    pub fn publish(&self, reports: &[(&str, String)]) -> io::Result<()> {
        if self.is_in_place() {
            // Old reports do not speak of the new tests.
            reports.iter().try_for_each(|(name, _)| removed(&self.out.join(name)))?;
        }
        for (name, text) in reports {
            self.write(name, text)?;
        }
        if let Some((_, text)) = reports.iter().find(|(name, _)| *name == REPORT) {
            // Where no key can be kept, the folder is as foreign as any.
            if let Ok(mark) = mark::of_report(text.as_bytes()) {
                self.write(mark::NAME, &mark)?;
            }
        }
        if !self.is_in_place() {
            link_changed(&self.out, &self.stage, &self.before)?;
            match renameat_with(CWD, &self.stage, CWD, &self.out, RenameFlags::EXCHANGE) {
                Ok(()) => fs::remove_dir_all(&self.stage)?,
                Err(_) => self.move_in(reports)?,
            }
        }
        // One that stays large costs later calls a little time, and this one nothing.
        let _ = self.journal.compact(&self.out);
        self.left.iter().try_for_each(fs::remove_dir_all)
    }

    fn is_in_place(&self) -> bool {
        self.stage == self.out
    }

    /// Without a step that does it all: no report while the tests change.
    fn move_in(&self, reports: &[(&str, String)]) -> io::Result<()> {
        reports.iter().try_for_each(|(name, _)| removed(&self.out.join(name)))?;
        let mut gone: Vec<PathBuf> = self.before.keys().cloned().collect();
        gone.sort();
        for path in gone.iter().filter(|path| self.stage.join(path).symlink_metadata().is_err()) {
            removed(&self.out.join(path))?;
        }
        let mut files = Vec::new();
        walk(&self.stage, Path::new(""), &mut |path, about| {
            if about.is_dir() {
                return fs::create_dir_all(self.out.join(path));
            }
            files.push(path.to_path_buf());
            Ok(())
        })?;
        let is_report = |path: &PathBuf| reports.iter().any(|(name, _)| path == Path::new(name));
        let (last, first): (Vec<PathBuf>, Vec<PathBuf>) = files.into_iter().partition(is_report);
        for path in first.iter().chain(&last) {
            fs::rename(self.stage.join(path), self.out.join(path))?;
        }
        fs::remove_dir_all(&self.stage)
    }
}

/// The folder beside a real one, and the one for what was left; `None` if it has to stay in its place.
fn beside(real: &Path, sources: &[PathBuf]) -> Option<(PathBuf, PathBuf)> {
    let (parent, name) = (real.parent()?, real.file_name()?);
    let is_inside = |path: &Path| path.canonicalize().is_ok_and(|path| path.starts_with(real));
    if is_inside(Path::new(".")) || sources.iter().any(|source| is_inside(source)) {
        return None;
    }
    let device = |path: &Path| fs::metadata(path).map(|about| about.dev()).ok();
    (device(parent)? == device(real)?).then_some(())?;
    let hidden = |ending: &str| {
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(ending);
        parent.join(hidden)
    };
    Some((hidden(NEW), hidden(LEFT)))
}

/// What a killed call was writing is kept under another name; what an earlier one left goes away, unless there is nothing else.
fn keep_what_was_left(stage: &Path, left: &Path) -> io::Result<bool> {
    if stage.symlink_metadata().is_ok_and(|about| about.is_dir()) {
        if left.symlink_metadata().is_ok() {
            // What it had was taken over into the one that is kept, or is made again.
            fs::remove_dir_all(left)?;
        }
        fs::rename(stage, left)?;
    }
    Ok(left.symlink_metadata().is_ok_and(|about| about.is_dir()))
}

/// Every file and folder below `root`, parents first, by its path from there.
fn walk(
    root: &Path,
    below: &Path,
    each: &mut impl FnMut(&Path, &fs::Metadata) -> io::Result<()>,
) -> io::Result<()> {
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let (path, about) = (below.join(entry.file_name()), entry.metadata()?);
        each(&path, &about)?;
        if about.is_dir() {
            walk(root, &path, each)?;
        }
    }
    Ok(())
}

/// The same files under the same names in another folder.
fn link_all(from: &Path, to: &Path, before: &mut HashMap<PathBuf, Which>) -> io::Result<()> {
    fs::set_permissions(to, fs::metadata(from)?.permissions())?;
    walk(from, Path::new(""), &mut |path, about| {
        if about.is_dir() {
            fs::create_dir(to.join(path))?;
            return fs::set_permissions(to.join(path), about.permissions());
        }
        before.insert(path.to_path_buf(), (about.dev(), about.ino()));
        fs::hard_link(from.join(path), to.join(path))
    })
}

/// Takes over what somebody else has put into the folder meanwhile.
fn link_changed(from: &Path, to: &Path, before: &HashMap<PathBuf, Which>) -> io::Result<()> {
    walk(from, Path::new(""), &mut |path, about| {
        let target = to.join(path);
        if about.is_dir() {
            return if target.is_dir() { Ok(()) } else { made_if_new(&target, path, before) };
        }
        let which = Some((about.dev(), about.ino()));
        let known = before.get(path).copied();
        let now = target.symlink_metadata().ok().map(|about| (about.dev(), about.ino()));
        if which == known || now != known {
            return Ok(());
        }
        removed(&target)?;
        fs::hard_link(from.join(path), &target)
    })
}

/// A folder that this call removed because nothing was left in it stays away.
fn made_if_new(target: &Path, path: &Path, before: &HashMap<PathBuf, Which>) -> io::Result<()> {
    let was_there = before.keys().any(|known| known.starts_with(path));
    if was_there { Ok(()) } else { fs::create_dir_all(target) }
}

fn removed(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
