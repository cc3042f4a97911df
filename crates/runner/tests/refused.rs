//! What a unit reaches for outside its run is refused, noted, and no end of it.

use crate::common::*;
use tarka_runner::{End, Run};
use tarka_trace::FaultKind;

fn target(body: &str) -> Target {
    Target::new(&format!(
        "#define _GNU_SOURCE
         #include <fcntl.h>
         #include <signal.h>
         #include <stdio.h>
         #include <sys/socket.h>
         #include <sys/stat.h>
         #include <unistd.h>
         __attribute__((noinline)) void unit(void) {{ {body} }}
         void __tk_drive(unsigned number) {{ unit(); }}"
    ))
}

/// What was noted, in words.
fn attempts(run: &Run) -> Vec<String> {
    let ours = run.faults().iter().filter(|fault| fault.kind == FaultKind::OutsideEffect as u32);
    ours.map(|fault| run.attempt(fault.address).expect("an attempt").to_string()).collect()
}

fn noted(body: &str) -> (End, Vec<String>) {
    let mut server = target(body).start();
    let run = run(&mut server, &[]);
    (run.end(), attempts(&run))
}

#[test]
fn each_attempt_is_told_once_with_what_it_names_and_the_unit_goes_on() {
    let (end, told) = noted(
        "for (int i = 0; i < 3; i++) unlink(\"/usr/no-such-file\");
         if (unlink(\"/usr/bin/env\") == 0) tkw_exit(1);
         if (chmod(\"/usr/bin/env\", 0) == 0) tkw_exit(2);
         if (socket(AF_INET, SOCK_STREAM, 0) >= 0) tkw_exit(3);
         if (open(\"/etc/tarka\", O_WRONLY | O_CREAT, 0600) >= 0) tkw_exit(4);
         execl(\"/bin/true\", \"true\", (char *)0);
         tkw_exit(9);",
    );
    assert_eq!(end, End::Exited(9));
    let expected = [
        "calls unlink(\"/usr/no-such-file\")",
        "calls unlink(\"/usr/bin/env\")",
        "calls chmod(\"/usr/bin/env\")",
        "opens a socket (AF_INET)",
        "opens \"/etc/tarka\" for writing",
        "starts the program \"/bin/true\"",
    ];
    assert_eq!(told, expected);
}

#[test]
fn work_in_its_own_folder_is_nothing_to_tell() {
    let (end, told) = noted(
        "FILE *file = fopen(\"own\", \"w\"); if (!file) tkw_exit(1);
         fputs(\"text\", file); fclose(file);
         if (rename(\"own\", \"renamed\") || mkdir(\"folder\", 0700)) tkw_exit(2);
         file = fopen(\"renamed\", \"r\"); if (!file || fgetc(file) != 't') tkw_exit(3);
         if (fopen(\"/no/such/file\", \"r\")) tkw_exit(4);
         if (unlink(\"renamed\") || rmdir(\"folder\")) tkw_exit(5);",
    );
    assert_eq!((end, told), (End::Returned, vec![]));
}

#[test]
fn the_place_is_in_the_unit_also_below_library_functions() {
    let mut server = target("fopen(\"/etc/shadow\", \"r\"); tkw_exit(0);").start();
    let run = run(&mut server, &[]);
    assert_eq!(attempts(&run), ["opens \"/etc/shadow\" for reading"]);
    let record = run.faults()[0];
    let frames = &record.backtrace[..record.backtrace_len as usize];
    assert!(frames.iter().any(|frame| *frame < 0x1000_0000), "some frame is in the executable: {frames:x?}");
}

#[test]
fn paths_that_are_none_are_no_harm() {
    let (end, told) =
        noted("unlink((char *)1); chmod((char *)1, 0); execve((char *)1, 0, 0); open((char *)8, O_WRONLY);");
    assert_eq!(end, End::Returned);
    assert!(told.iter().all(|told| !told.contains("unlink")), "{told:?}");
}

#[test]
fn daemons_end_with_the_run_that_started_them() {
    let target = target(
        "if (fork() == 0) { setsid(); if (fork() == 0) for (;;) { FILE *f = fopen(\"alive\", \"w\"); if (f) fclose(f); usleep(500); } _exit(0); }
         usleep(20000);",
    );
    let mut server = target.start();
    assert_eq!(run(&mut server, &[]).end(), End::Returned);
    let _ = run_with(&mut server, &[], |request| request.unit = 1);
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert_eq!(entries(server.scratch()), 0);
}
