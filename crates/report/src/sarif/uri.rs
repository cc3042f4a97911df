//! Paths as SARIF writes them: relative to the source root where they are below it, percent-encoded, and back.

use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};

/// What cannot stand for itself in the path of a URI; a `:` would make a scheme of what is before it.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b':')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// A path as a URI, and whether it is relative to the source root.
pub(crate) fn uri_of(root: &Path, file: &str) -> (String, bool) {
    let path = tidy(&root.join(file));
    match path.strip_prefix(tidy(root)) {
        Ok(below) => (encoded(below), true),
        Err(_) => (format!("file://{}", encoded(&path)), false),
    }
}

/// The path that a URI was made of, as seen from the source root.
pub(crate) fn path_of(uri: &str) -> String {
    let path = uri.strip_prefix("file://").unwrap_or(uri);
    percent_decode_str(path).decode_utf8_lossy().into_owned()
}

/// Without `.` and `..`, as far as the path alone says.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                tidy.pop();
            }
            other => tidy.push(other),
        }
    }
    tidy
}

fn encoded(path: &Path) -> String {
    percent_encode(path.as_os_str().as_bytes(), ESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_below_the_root_are_relative_and_others_absolute() {
        let root = Path::new("/home/me/project");
        for (file, uri, relative) in [
            ("src/unit.c", "src/unit.c", true),
            ("./src/../unit.c", "unit.c", true),
            ("/home/me/project/unit.c", "unit.c", true),
            ("../other/unit.c", "file:///home/me/other/unit.c", false),
            ("/usr/include/x.h", "file:///usr/include/x.h", false),
            ("my unit#1:é.c", "my%20unit%231%3A%C3%A9.c", true),
        ] {
            assert_eq!(uri_of(root, file), (uri.to_string(), relative), "{file}");
        }
    }

    #[test]
    fn a_path_comes_back() {
        for file in ["src/unit.c", "my unit#1:é.c", "100%.c"] {
            assert_eq!(path_of(&uri_of(Path::new("/p"), file).0), file);
        }
        assert_eq!(path_of("%"), "%");
        assert_eq!(path_of("%zz%4"), "%zz%4");
        assert_eq!(path_of("file:///usr/include/x.h"), "/usr/include/x.h");
    }
}
