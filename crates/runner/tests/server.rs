//! The server over many runs, and targets that fail before their first.

use std::path::Path;

use crate::alone::is_alone;
use crate::common::*;
use tarka_runner::{Allow, End, ObjectImage, RunRequest, RunnerError, Server};

const ECHO: &str = "
    uint32_t x; char *p;
    void __tk_drive(unsigned unit) {
      tk_bind(&x, 4, 0); tk_bind(&p, 8, 8);
      tkf_condition(3, 6, x > 10, tkf_binary(TK_OP_ULT, 1, 32, 0, tkf_load(0, &x, 0, 4), 10, x));
      if (p) p[1] = 5;
      tk_result(&x, 4, tk_bind);
    }";

/// Of the whole process.
fn open_descriptors() -> usize {
    entries(Path::new("/proc/self/fd"))
}

/// Process ids of a thread's children, dead ones that nobody waited for included.
fn children(thread: &str) -> Vec<String> {
    // Not `/children` of other threads: tests run in parallel, each with a server of its own.
    let text =
        std::fs::read_to_string(format!("/proc/{thread}/children")).expect("Linux tells a thread's children");
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_thousand_runs_leave_nothing_behind() {
    if !is_alone("server::a_thousand_runs_leave_nothing_behind") {
        return;
    }
    let target = Target::new(ECHO);
    let mut server = target.start();
    let before = open_descriptors();
    for x in 0..1000u32 {
        let object = address(4096 + 16 * (x % 50)).to_le_bytes();
        let mut input = vec![root(0, &x.to_le_bytes()), root(8, &object)];
        input.insert(0, pointee(4096 + 16 * (x % 50), &[1, 2, 3]));
        let run = run(&mut server, &input);
        assert_eq!((run.end(), run.result()), (End::Returned, &x.to_le_bytes()[..]));
        assert_eq!(run.coverage()[6..8], if x > 10 { [0, 1] } else { [1, 0] });
        assert_eq!(run.arena(4096 + 16 * (x % 50), 3), [1, 5, 3]);
        assert_eq!(run.arena(4096 + 16 * ((x + 1) % 50), 3), [0, 0, 0], "the last run's object is gone");
        assert_eq!((run.events().len(), run.events()[0].outcome), (1, u16::from(x > 10)));
    }
    assert_eq!(open_descriptors(), before);
    let server_process = children("thread-self");
    assert_eq!(server_process.len(), 1, "the server is our only child");
    let kept = children(&format!("{0}/task/{0}", server_process[0]));
    assert_eq!(kept.len(), 1, "every run was waited for but the process that is kept");
}

#[test]
fn the_same_input_gives_the_same_trace_in_a_second_server() {
    let target = Target::new(ECHO);
    let trace = || {
        let mut server = target.start();
        let run = run(&mut server, &[root(0, &[77, 0, 0, 0]), root(8, &[0; 8])]);
        (run.events().to_vec(), run.nodes().to_vec())
    };
    assert_eq!(trace(), trace());
}

#[test]
fn the_scratch_folder_is_empty_for_every_run_and_gone_at_the_end() {
    let target = Target::new(
        "#include <stdio.h>
         #include <sys/stat.h>
         void __tk_drive(unsigned unit) {
           int seen = fopen(\"left\", \"r\") != 0; fclose(fopen(\"left\", \"w\")); mkdir(\"folder\", 0700);
           fclose(fopen(\"folder/inner\", \"w\")); tk_result(&seen, 4, tk_bind); }",
    );
    let mut server = target.start();
    let folder = server.scratch().to_owned();
    for _ in 0..3 {
        let seen = run(&mut server, &[]).result().to_vec();
        assert_eq!((seen, entries(&folder)), (vec![0; 4], 0));
    }
    drop(server);
    assert!(!folder.exists());
}

fn start_error(text: &str) -> RunnerError {
    let target = Target::new(&format!("#include <unistd.h>\n{text} void __tk_drive(unsigned unit) {{}}"));
    match Server::start(&target.exe(), &Allow::default()) {
        Ok(_) => panic!("this target must not start"),
        Err(error) => error,
    }
}

#[test]
fn a_target_that_fails_before_main_is_an_error_that_says_so() {
    let crash =
        start_error("__attribute__((constructor)) void c(void) { *(volatile int *)0 = 1; }").to_string();
    assert!(crash.contains("signal 11") && crash.contains("before `main`"), "{crash}");
    let exit = start_error("__attribute__((constructor)) void c(void) { _exit(5); }").to_string();
    assert!(exit.contains("exit status 5"), "{exit}");
}

#[test]
fn a_constructor_that_never_ends_is_an_error() {
    let error = start_error("__attribute__((constructor)) void c(void) { for (;;) pause(); }");
    assert!(matches!(error, RunnerError::HungAtStart { .. }), "{error}");
}

#[test]
fn constructors_may_use_the_hooks() {
    let target = Target::new(
        "int x; __attribute__((constructor)) void c(void) { tkf_store(0, &x, 0, 4, 0, 1); tkf_condition(0, 0, 1, 0); }
         void __tk_drive(unsigned unit) { tkf_condition(1, 2, 1, 0); }",
    );
    let mut server = target.start();
    let run = run(&mut server, &[]);
    assert_eq!((run.events().len(), &run.coverage()[..4]), (1, &[0, 0, 0, 1][..]));
}

#[test]
fn a_missing_executable_is_an_error_that_names_it() {
    let error =
        Server::start(Path::new("/no/such/target"), &Allow::default()).err().expect("no server").to_string();
    assert!(error.contains("/no/such/target"), "{error}");
}

#[test]
fn a_program_that_is_no_target_is_an_error() {
    let error = Server::start(Path::new("/bin/true"), &Allow::default()).err().expect("no server");
    assert!(matches!(error, RunnerError::DiedAtStart { .. }), "{error}");
}

#[test]
fn started_by_hand_a_target_says_what_it_is() {
    let target = Target::new("void __tk_drive(unsigned unit) {}");
    let output = std::process::Command::new(target.exe()).output().expect("it runs");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("tarka gen"));
}

#[test]
fn impossible_requests_are_refused() {
    let target = Target::new("void __tk_drive(unsigned unit) {}");
    let mut server = target.start();
    let bytes = [0; 8];
    let mut refused = |offset: u32, flags: &[u8], site_count: u32| {
        let objects = [ObjectImage { offset, root: true, bytes: &bytes, flags, ..Default::default() }];
        let request = RunRequest {
            unit: 0,
            objects: &objects,
            time_limit: std::time::Duration::from_secs(1),
            memory_limit: 0,
            self_check: false,
            site_count,
            coverage_len: 0,
            ..Default::default()
        };
        matches!(server.run(&request), Err(RunnerError::BadRequest(_)))
    };
    assert!(refused(u32::MAX, &[1; 8], 0));
    assert!(refused(0, &[1; 7], 0));
    assert!(refused(0, &[1; 8], u32::MAX));
    assert!(!refused(0, &[1; 8], 0));
}
