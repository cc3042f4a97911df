//! Every way a run can end, and that the server goes on after it.

use std::time::Duration;

use crate::common::*;
use tarka_runner::End;
use tarka_trace::FaultKind;

/// Unit 0 is the body, unit 1 returns 42: the proof that the server survived.
fn target(body: &str) -> Target {
    Target::new(&format!(
        "#include <unistd.h>
         #include <signal.h>
         #include <setjmp.h>
         #include <fcntl.h>
         #include <stdio.h>
         #include <sys/mman.h>
         int x; volatile int zero; jmp_buf never_set;
         __attribute__((noinline)) void unit(void) {{ {body} }}
         void __tk_drive(unsigned number) {{
           if (number == 1) {{ x = 42; tk_result(&x, sizeof x, tk_bind); return; }}
           unit();
         }}"
    ))
}

/// The end of the body's run with generous time and 64 MB of memory, after which the server must still work.
fn end(body: &str) -> End {
    end_within(Duration::from_secs(60), body)
}

/// The same for bodies that would never end.
fn hasty_end(body: &str) -> End {
    end_within(Duration::from_millis(300), body)
}

fn end_within(limit: Duration, body: &str) -> End {
    let target = target(body);
    let mut server = target.start();
    let ended = run_with(&mut server, &[], |request| request.time_limit = limit).end();
    let after = run_with(&mut server, &[], |request| request.unit = 1);
    assert_eq!((after.end(), after.result()), (End::Returned, &42i32.to_le_bytes()[..]), "after {body}");
    ended
}

fn signal(number: i32) -> impl Fn(End) -> bool {
    move |end| matches!(end, End::Signal { number: found, .. } if found == number)
}

#[test]
fn exits_are_recorded_with_their_status() {
    assert_eq!(end("tkw_exit(3);"), End::Exited(3));
    assert_eq!(end("tkw_exit(-1);"), End::Exited(255));
    assert_eq!(end("exit(4);"), End::Exited(4), "also when native code exits");
}

#[test]
fn aborts_and_assertions_are_faults() {
    assert_eq!(end("tkw_abort();"), End::Fault(FaultKind::Abort));
    assert_eq!(end("abort();"), End::Fault(FaultKind::Abort));
    assert_eq!(end("tkw_assert_fail(\"x\", \"f.c\", 3, \"f\");"), End::Fault(FaultKind::Assertion));
    assert_eq!(end("tk_check_failed(7, TK_FAULT_UNDEFINED);"), End::Fault(FaultKind::Undefined));
}

#[test]
fn signals_carry_their_address() {
    assert_eq!(end("*(volatile int *)24 = 1;"), End::Signal { number: libc::SIGSEGV, address: 24 });
    assert_eq!(
        end("*(volatile int *)0xdead00000000beef = 1;"),
        End::Signal { number: libc::SIGSEGV, address: u64::MAX },
        "an address that is not canonical is not null"
    );
    assert!(signal(libc::SIGFPE)(end("x = 7 / zero;")));
    assert!(signal(libc::SIGILL)(end("__builtin_trap();")));
    assert!(signal(libc::SIGKILL)(end("kill(getpid(), SIGKILL);")));
    assert!(signal(libc::SIGUSR1)(end("raise(SIGUSR1);")));
}

#[test]
fn the_backtrace_leads_from_the_fault_to_the_driver() {
    let target = target("*(volatile int *)8 = 1;");
    let mut server = target.start();
    let symbols = std::process::Command::new("nm").arg(target.exe()).output().expect("nm").stdout;
    let symbols = String::from_utf8_lossy(&symbols).into_owned();
    let address_of = |name: &str| {
        let line = symbols.lines().find(|line| line.ends_with(&format!(" T {name}"))).expect("the symbol");
        u64::from_str_radix(&line[..16], 16).expect("an address")
    };
    let run = run(&mut server, &[]);
    let near = |pc: u64, name: &str| (address_of(name)..address_of(name) + 256).contains(&pc);
    assert!(near(run.backtrace()[0], "unit"), "{:x?}", run.backtrace());
    assert!(near(run.backtrace()[1], "__tk_drive"), "{:x?}", run.backtrace());
}

#[test]
fn a_crash_inside_the_library_is_traced_to_its_caller() {
    let target = target("x = (int)strlen((char *)(long)zero + 3); __asm__ volatile(\"\");");
    let mut server = target.start();
    let run = run(&mut server, &[]);
    assert_eq!(run.end(), End::Signal { number: libc::SIGSEGV, address: 3 });
    assert!(run.backtrace()[1] < 0x1000_0000, "the caller is in the executable: {:x?}", run.backtrace());
}

#[test]
fn endless_loops_time_out_also_when_the_alarm_is_blocked() {
    assert_eq!(hasty_end("for (;;) zero = 0;"), End::Timeout);
    assert_eq!(
        hasty_end("sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); for (;;) zero = 0;"),
        End::Timeout
    );
    assert_eq!(hasty_end("for (;;) pause();"), End::Timeout);
}

#[test]
fn memory_beyond_the_limit_ends_the_run() {
    assert_eq!(end("for (;;) memset(tkw_malloc(1 << 20), 1, 1 << 20);"), End::Memory);
    assert_eq!(end("tkw_malloc(1l << 40);"), End::Memory);
    assert_eq!(end("if (tkw_malloc(-1) == 0) tkw_exit(7);"), End::Exited(7), "no machine could give that");
    assert_eq!(
        end("if (malloc(1l << 30) == 0) tkw_exit(8);"),
        End::Exited(8),
        "native code is limited as well"
    );
}

#[test]
fn stack_overflow_is_told_from_other_segmentation_faults() {
    let target = Target::new(
        "volatile int depth;
         __attribute__((noinline, disable_tail_calls)) int deeper(volatile char *above) {
           volatile char here[2000]; here[0] = above[0]; return deeper(here) + here[0]; }
         void __tk_drive(unsigned number) { if (number) *(volatile int *)0x7000000000 = 1; volatile char c = 1; deeper(&c); }",
    );
    let mut server = target.start();
    let first = run(&mut server, &[]);
    assert!(signal(libc::SIGSEGV)(first.end()) && first.stack_overflow());
    assert!(first.backtrace().len() > 20, "{:x?}", first.backtrace());
    let second = run_with(&mut server, &[], |request| request.unit = 1);
    assert!(signal(libc::SIGSEGV)(second.end()) && !second.stack_overflow());
}

#[test]
fn a_jump_within_the_unit_is_carried_out_and_one_out_of_it_ends_the_run() {
    assert_eq!(
        end("jmp_buf here; if (setjmp(here) == 0) tkw_longjmp(here, 1); tkw_exit(9);"),
        End::Exited(9)
    );
    assert!(signal(libc::SIGSEGV)(end("tkw_longjmp(never_set, 1);")));
}

#[test]
fn a_unit_cannot_disturb_the_engine_through_descriptors() {
    assert_eq!(end("for (int i = 0; i < 1000; i++) close(i);"), End::Returned);
    assert_eq!(
        end("for (int i = 0; i < 1000; i++) if (write(i, \"d\", 1) == 1 && i > 2) tkw_exit(i);"),
        End::Returned
    );
    assert_eq!(
        end("char c; tkw_exit(read(0, &c, 1) == 0 && close(0) == 0 ? 5 : 6);"),
        End::Exited(5),
        "standard input is open and empty"
    );
    assert_eq!(end("printf(\"noise\\n\"); fflush(stdout); fprintf(stderr, \"noise\\n\");"), End::Returned);
}

#[test]
fn a_unit_cannot_take_the_server_with_it() {
    assert_eq!(end("kill(getppid(), SIGKILL); tkw_exit(3);"), End::Exited(3));
    assert_eq!(end("kill(getppid(), SIGSTOP); tkw_exit(4);"), End::Exited(4));
    assert_eq!(end("kill(-1, SIGTERM); tkw_exit(5);"), End::Exited(5));
    assert_eq!(
        hasty_end("sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); for (;;) pause();"),
        End::Timeout,
        "nor keep it waiting"
    );
}

#[test]
fn processes_the_unit_started_end_with_it() {
    let target = target(
        "if (fork() == 0) for (;;) { FILE *f = fopen(\"alive\", \"w\"); fclose(f); usleep(1000); }
        usleep(20000);",
    );
    let mut server = target.start();
    run(&mut server, &[]);
    let _ = run_with(&mut server, &[], |request| request.unit = 1);
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(entries(server.scratch()), 0);
}
