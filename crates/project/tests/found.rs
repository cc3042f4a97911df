//! What a request finds: files, their flags and the notes, in folders made for it. clang is the real one.

use std::fs;
use std::path::{Path, PathBuf};

use tarka_project::{Project, ProjectError, Request, find};

/// A folder with files in it.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(files: &[&str]) -> Place {
        let place = Place { folder: tempfile::tempdir().expect("scratch folder") };
        files.iter().for_each(|file| place.put(file, "int x;\n"));
        place
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("real path")
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    /// A database in `folder`, with one command for each file; the compiler is called in that folder.
    fn database(&self, folder: &str, commands: &[(&str, &str)]) {
        let entry = |(file, command): &(&str, &str)| serde_json::json!({"directory": self.root().join(folder), "file": file, "command": command});
        let entries: Vec<serde_json::Value> = commands.iter().map(entry).collect();
        let database = Path::new(folder).join("compile_commands.json");
        self.put(&database.display().to_string(), &serde_json::Value::from(entries).to_string());
    }

    fn find(&self, named: &[&str]) -> Result<Project, ProjectError> {
        self.find_without(named, &[], None)
    }

    fn find_without(
        &self,
        named: &[&str],
        excludes: &[&str],
        build_dir: Option<&str>,
    ) -> Result<Project, ProjectError> {
        let named: Vec<PathBuf> = named.iter().map(|name| self.root().join(name)).collect();
        let excludes: Vec<String> = excludes.iter().map(ToString::to_string).collect();
        let build_dir = build_dir.map(|folder| self.root().join(folder));
        find(&Request {
            named: &named,
            excludes: &excludes,
            build_dir: build_dir.as_deref(),
            flags: &["-DOWN".to_string(), "-c".to_string()],
            out: &self.root().join("tarka-out"),
            clang: Path::new("clang-19"),
        })
    }

    /// The files and everything said, with the folder's name left out.
    fn shown(&self, project: &Project) -> String {
        let files =
            project.files.iter().map(|file| format!("{}: {}", file.path.display(), file.flags.join(" ")));
        let notes = project.notes.iter().map(|note| format!("note: {note}"));
        let refused = project.refused.iter().map(|refused| format!("refused: {refused}"));
        let lines: Vec<String> = files.chain(notes).chain(refused).collect();
        lines.join("\n").replace(&self.root().display().to_string(), "ROOT")
    }
}

fn names(project: &Project, place: &Place) -> Vec<String> {
    let name = |path: &Path| path.strip_prefix(place.root()).expect("inside").display().to_string();
    project.files.iter().map(|file| name(&file.path)).collect()
}

#[test]
fn files_folders_and_globs_in_their_order_each_once() {
    let place =
        Place::new(&["b.c", "a.c", "src/y.c", "src/x.c", "src/deep/z.c", "src/x.h", "src/u.cpp", "src/v.S"]);
    let project = place.find(&["b.c", "src", "*.c", "src/**/z.c", "src/x.c", "src"]).expect("found");
    assert_eq!(names(&project, &place), ["b.c", "src/deep/z.c", "src/x.c", "src/y.c", "a.c"]);
    assert_eq!(project.notes, ["left out: 1 C++ file, 1 assembler file"]);
    assert!(project.refused.is_empty());
    assert_eq!(project.files[0].flags, ["-DOWN"]);
    std::os::unix::fs::symlink(place.root().join("a.c"), place.root().join("link.c")).expect("linked");
    assert_eq!(names(&place.find(&["link.c", "a.c"]).expect("found"), &place), ["link.c"]);
}

#[test]
fn what_is_not_there_is_refused_by_name_and_the_others_go_on() {
    let place = Place::new(&["a.c", "empty/readme.txt"]);
    let project = place.find(&["empty", "src/*.c", "a.c"]).expect("found");
    assert_eq!(
        place.shown(&project),
        "ROOT/a.c: -DOWN\n\
         refused: there is no C file below ROOT/empty; name C files, or a folder that has some\n\
         refused: no C file matches ROOT/src/*.c; ** stands for any folders"
    );
}

#[test]
fn excludes_leave_out_names_anywhere_and_paths_where_they_lead() {
    let place = Place::new(&["src/a.c", "src/a_test.c", "src/zlib/b.c", "old/src/c.c", "old/d.c"]);
    let found = |excludes: &[&str]| {
        let project = place.find_without(&[""], excludes, None).expect("found");
        (names(&project, &place), project.notes)
    };
    assert_eq!(found(&["zlib", "*_test.c"]).0, ["old/d.c", "old/src/c.c", "src/a.c"]);
    assert_eq!(found(&["old/src"]).0, ["old/d.c", "src/a.c", "src/a_test.c", "src/zlib/b.c"]);
    assert_eq!(found(&["nothing"]).1, ["--exclude nothing leaves out no C file"]);
    let all = place.find_without(&[""], &["*.c"], None).expect_err("nothing is left");
    assert!(all.to_string().contains("leaves nothing of the C files (5)"), "{all}");
    assert!(
        place.find_without(&[""], &["[a"], None).expect_err("no glob").to_string().contains("is no glob")
    );
}

#[test]
fn a_folder_is_what_its_build_compiles_with_the_builds_flags() {
    let place = Place::new(&["src/a.c", "src/b.c", "src/win32.c", "lib/c.c", "src/u.cpp", "src/inc/i.h"]);
    place.database(
        "build",
        &[
            ("../src/b.c", "ccache cc -I../src/inc -DB='x y' -o b.o -c ../src/b.c"),
            ("../src/a.c", "cc -O2 -Werror -c ../src/a.c"),
            ("../lib/c.c", "cc -c ../lib/c.c"),
            ("../src/u.cpp", "c++ -c ../src/u.cpp"),
            ("../src/gen.c", "cc -c ../src/gen.c"),
        ],
    );
    assert_eq!(
        place.shown(&place.find(&["src"]).expect("found")),
        "ROOT/src/a.c: -O2 -DOWN\n\
         ROOT/src/b.c: -IROOT/build/../src/inc -DB=x y -DOWN\n\
         note: flags are those of ROOT/build/compile_commands.json\n\
         note: left out: 1 C++ file\n\
         note: ROOT/src/gen.c of ROOT/build/compile_commands.json does not exist and is passed over; build the project to make what it generates\n\
         note: ROOT/src/win32.c is not in ROOT/build/compile_commands.json and left out; name it to have it tested"
    );
    let named = place.find(&["src/win32.c"]).expect("found");
    assert!(place.shown(&named).contains("only the flags after `--` are used"), "{}", place.shown(&named));
    let asked = place.find_without(&["src/win32.c", "src/a.c"], &[], Some("build")).expect("found");
    assert_eq!(names(&asked, &place), ["src/a.c"]);
    assert!(asked.refused[0].contains(
        "win32.c is not in ROOT/build".replace("ROOT", &place.root().display().to_string()).as_str()
    ));
    let excluded = place.find_without(&["src"], &["win32.c", "gen.c"], None).expect("found");
    let shown = place.shown(&excluded);
    assert!(!shown.contains("win32.c") && !shown.contains("gen.c"), "{shown}");
}

#[test]
fn a_cross_compilers_flags_are_told_once_for_all_files() {
    let place = Place::new(&["a.c", "b.c", "sys/s.h"]);
    let command = |file: &str| {
        format!(
            "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=hard --specs=nano.specs -fno-tree-ch -Os -g3 -ffunction-sections \
             -fshort-enums -std=gnu11 -isystem sys -isystem /no/such -DSTM32F4 -Wa,-alh={file}.lst -Wl,--gc-sections -MMD \
             -march=armv7e-m --sysroot=/no/such -c {file}.c"
        )
    };
    place.database("", &[("a.c", &command("a")), ("b.c", &command("b"))]);
    let shown = place.shown(&place.find(&["a.c", "b.c"]).expect("found"));
    let flags = "-Os -g3 -ffunction-sections -fshort-enums -std=gnu11 -isystem ROOT/sys -DSTM32F4 -DOWN";
    assert_eq!(
        shown,
        format!(
            "ROOT/a.c: {flags}\nROOT/b.c: {flags}\n\
             note: flags are those of ROOT/compile_commands.json\n\
             note: left out of the build's flags: -mcpu=cortex-m4, -mthumb, -mfloat-abi=hard, -march=armv7e-m (for another machine; tests run on this one, with its sizes of types)\n\
             note: left out of the build's flags: -fno-tree-ch (this clang cannot use them here)\n\
             note: left out of the build's flags: -Wa,-alh=a.lst and 1 like it, -Wl,--gc-sections (they tell linker and assembler how to make the whole program)\n\
             note: left out of the build's flags: --specs=nano.specs, --sysroot=/no/such (tests use this machine's C library)"
        )
    );
}

#[test]
fn what_this_machine_takes_stays() {
    let place = Place::new(&["a.c"]);
    place.database(
        "",
        &[("a.c", "cc -mavx2 -march=native -lm -lno-such-library -funsigned-char -fwrapv -c a.c")],
    );
    let shown = place.shown(&place.find(&["a.c"]).expect("found"));
    assert!(
        shown.starts_with("ROOT/a.c: -mavx2 -march=native -lm -funsigned-char -fwrapv -DOWN\n"),
        "{shown}"
    );
    assert!(shown.contains("-lno-such-library"), "{shown}");
}

#[test]
fn a_file_that_is_compiled_twice_takes_the_first_command() {
    let place = Place::new(&["a.c", "b.c"]);
    place.database(
        "",
        &[
            ("a.c", "cc -DFIRST -o 1 -c a.c"),
            ("a.c", "cc -DSECOND -c a.c"),
            ("b.c", "cc -o x -c b.c"),
            ("b.c", "cc -o y -c b.c"),
        ],
    );
    assert_eq!(
        place.shown(&place.find(&["."]).expect("found")),
        "ROOT/./a.c: -DFIRST -DOWN\nROOT/./b.c: -DOWN\n\
         note: flags are those of ROOT/compile_commands.json\n\
         note: ROOT/./a.c is compiled with different flags in ROOT/compile_commands.json; the first ones are used"
    );
}

#[test]
fn a_command_that_cannot_be_read_is_refused_and_the_others_go_on() {
    let place = Place::new(&["a.c", "b.c", "c.c"]);
    place.database("", &[("a.c", "cc -DA='x -c a.c"), ("b.c", "cc @round.rsp -c b.c"), ("c.c", "cc -c c.c")]);
    place.put("round.rsp", "@round.rsp");
    let project = place.find(&["a.c", "b.c", "c.c"]).expect("found");
    assert_eq!(names(&project, &place), ["c.c"]);
    assert!(project.refused[0].contains("a.c ends inside a quotation"), "{}", project.refused[0]);
    assert!(project.refused[1].contains("name each other without end"), "{}", project.refused[1]);
}

#[test]
fn a_database_that_is_none_is_told_and_does_without() {
    let place = Place::new(&["a.c"]);
    place.put("compile_commands.json", "{");
    let shown = place.shown(&place.find(&["a.c"]).expect("found"));
    assert!(
        shown.starts_with("ROOT/a.c: -DOWN\nnote: ROOT/compile_commands.json is not a compilation database"),
        "{shown}"
    );
    let error = place.find_without(&["a.c"], &[], Some("")).expect_err("it was named");
    assert!(error.to_string().contains("is not a compilation database"), "{error}");
    place.put("compile_commands.json", "[3, {\"file\": \"a.c\", \"directory\": \".\"}]");
    let shown = place.shown(&place.find(&["a.c"]).expect("found"));
    assert!(shown.contains("an entry of ROOT/compile_commands.json names no file"), "{shown}");
    assert!(shown.contains("the command of ROOT/a.c is missing"), "{shown}");
}

#[test]
fn names_that_are_no_text_and_odd_ones_are_no_panic() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new(&["a b.c", "x#y.c", "ä.c", "q'\"$.c"]);
    let odd = place.root().join(std::ffi::OsStr::from_bytes(b"n\xe9.c"));
    fs::write(odd, "int x;\n").expect("written");
    let project = place.find(&[""]).expect("found");
    assert_eq!(names(&project, &place), ["a b.c", "q'\"$.c", "x#y.c", "ä.c"]);
    assert!(project.notes[0].contains("its name is no UTF-8"), "{:?}", project.notes);
    place.database("", &[("a b.c", r"cc -c a\ b.c"), ("x#y.c", "cc -DX=1 -c 'x#y.c'")]);
    let project = place.find(&["a b.c", "x#y.c"]).expect("found");
    assert_eq!(project.files[1].flags, ["-DX=1", "-DOWN"]);
}

#[test]
fn ten_thousand_entries_are_one_question_to_clang() {
    let place = Place::new(&[]);
    let names: Vec<String> = (0..10_000).map(|number| format!("s{}/f{number}.c", number % 50)).collect();
    let commands: Vec<String> = names
        .iter()
        .map(|name| format!("cc -mthumb -O2 -DNAME={name} -fvisibility=hidden -c {name}"))
        .collect();
    let entries: Vec<(&str, &str)> =
        names.iter().zip(&commands).map(|(name, command)| (name.as_str(), command.as_str())).collect();
    place.database("build", &entries);
    for name in names.iter().take(500) {
        place.put(&format!("build/{name}"), "");
    }
    let project = place.find(&["build"]).expect("found");
    assert_eq!(project.files.len(), 500);
    let said = project.notes.join("\n");
    assert!(said.contains("and 9497 more files") && said.contains("-mthumb (for another machine"), "{said}");
}
