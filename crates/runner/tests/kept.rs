//! Processes that make one run after another.

use std::time::Duration;

use crate::common::*;
use tarka_runner::{End, Processes, Server};

const COUNT: &str = "
    uint32_t x; static uint32_t before; static char filled[20000] = {1};
    void __tk_drive(unsigned unit) {
      tk_bind(&x, 4, 0);
      tkf_condition(3, 6, x > 10, tkf_binary(TK_OP_ULT, 1, 32, 0, tkf_load(0, &x, 0, 4), 10, x));
      uint32_t seen = before + filled[10000]; before += 7; filled[10000] = 9;
      tk_result(&seen, 4, tk_bind);
    }";

/// Runs ten times; gives what each returned and whether its process was kept.
fn ten(server: &mut Server) -> Vec<(Vec<u8>, bool)> {
    (0..10u8)
        .map(|x| {
            let run = run(server, &[root(0, &[x, 0, 0, 0])]);
            assert_eq!(run.end(), End::Returned);
            (run.result().to_vec(), run.was_kept())
        })
        .collect()
}

#[test]
fn a_run_does_not_see_what_the_one_before_wrote() {
    let target = Target::new(COUNT);
    let mut server = target.start();
    let runs = ten(&mut server);
    assert!(runs.iter().all(|(seen, _)| seen == &[0; 4]), "{runs:?}");
    assert_eq!(runs.iter().filter(|(_, kept)| *kept).count(), 9, "{runs:?}");
}

/// What a target does that is run ten times both ways; how many of the runs were in a process that was kept.
fn kept_of_ten(text: &str) -> usize {
    let target = Target::new(text);
    let mut server = target.start();
    server.set_processes(Processes::Both);
    let input: Vec<Vec<_>> = (0..10u8)
        .map(|x| vec![root(0, &[x, 0, 0, 0]), root(8, &address(64).to_le_bytes()), pointee(64, &[x; 64])])
        .collect();
    input.iter().filter(|input| run(&mut server, input).was_kept()).count()
}

/// A driver whose unit has `x`, `p` and what `body` does with them.
fn unit(declarations: &str, body: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <unistd.h>\n{declarations}\nuint32_t x; unsigned char *p;
         void __tk_drive(unsigned unit) {{
           tk_bind(&x, 4, 0); tk_bind(&p, 8, 8);
           tkf_condition(3, 6, x > 4, tkf_binary(TK_OP_ULT, 1, 32, 0, tkf_load(0, &x, 0, 4), 4, x));
           int result = 0; {body} tk_result(&result, 4, tk_bind); }}"
    )
}

#[test]
fn state_of_the_library_and_of_the_processor_is_given_back() {
    for (declarations, body) in [
        (
            "",
            "result = rand(); strtok(x ? \"\" : (char[]){\"a b\"}, \" \"); result += strtok(0, \" \") != 0;",
        ),
        ("#include <errno.h>", "result = errno; errno = 7;"),
        (
            "",
            "unsigned c, up = 0x5fa1; unsigned short w, low = 0x27f; __asm__ volatile(\"stmxcsr %0; ldmxcsr %2; fnstcw %1; fldcw %3; fld1\"
             : \"=m\"(c), \"=m\"(w) : \"m\"(up), \"m\"(low)); result = c + w;",
        ),
        (
            "#include <signal.h>",
            "sigset_t all, before; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, &before); result = sigismember(&before, SIGUSR1);",
        ),
        ("__thread int mine = 5;", "result = mine; mine = 9;"),
        (
            "",
            "for (int i = 0; i < 5; i++) { char *b = tkw_malloc(3000 << i); b[x] = 1; result ^= (int)(long)b; if (i & 1) tkw_free(b); }",
        ),
        ("", "char *b = malloc(100); result = b[50]; memset(b, 7, 100);"),
        ("", "printf(\"%d\\n\", x); result = printf(\"again\"); fflush(stdout);"),
        (
            "__attribute__((constructor)) void c(void) { free(malloc(1)); ((char *)sbrk(0))[-5000] = 4; }",
            "char *end = sbrk(0); result = end[-5000] + end[-9000]; end[-9000] = 1; if (x & 1) brk(end - 8192);",
        ),
        ("", "atexit(abort); result = (int)(long)sbrk(4096);"),
        (
            "",
            "volatile char buffer[3000]; result = buffer[1500]; for (int i = 0; i < 3000; i++) buffer[i] = x;",
        ),
        (
            "static int table[300000];",
            "result = table[x * 20000 + 7]; for (int i = 7; i < 300000; i += 5000) table[i] = 3;",
        ),
        ("", "p[3] = x; unsigned char q[64]; tk_bind(q, 64, 64); result = q[3]; memset(p, 1, 64);"),
    ] {
        assert_eq!(kept_of_ten(&unit(declarations, body)), 9, "{body}");
    }
}

#[test]
fn however_a_run_ends_the_next_may_follow_in_its_process() {
    for body in [
        "tkw_exit(3);",
        "tkw_abort();",
        "tkw_assert_fail(\"a\", \"b\", 1, \"c\");",
        "if (x & 1) *(volatile int *)8 = 1;",
        "char *b = tkw_malloc(10); tkw_free(b); tkw_free(b);",
        "qsort(p, 8, 8, (int (*)(const void *, const void *))tkw_abort);",
        "tkf_load(1, p + 100, 0, 1);",
        "__asm__ volatile(\"std\"); *(volatile int *)8 = 1;",
    ] {
        assert_eq!(kept_of_ten(&unit("", body)), 9, "{body}");
    }
}

#[test]
fn what_is_outside_of_memory_is_seen_and_ends_the_process() {
    for (declarations, body) in [
        ("#include <fcntl.h>", "result = open(\"/dev/null\", O_RDONLY);"),
        ("#include <signal.h>\nstatic void h(int s) {}", "result = signal(SIGUSR1, h) == SIG_DFL;"),
        (
            "#include <signal.h>\nstatic void h(int s) {}",
            "stack_t s = {0}; sigaltstack(0, &s); result = s.ss_size;",
        ),
        (
            "#include <sys/mman.h>",
            "char *m = mmap(0, 8192, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); result = (int)(long)m + m[5]; m[5] = 3;",
        ),
        (
            "#include <sys/mman.h>",
            "static char c[8192] = {1}; result = mprotect((void *)((long)(c + 4095) & ~4095l), 4096, 1);",
        ),
        ("", "char *b = malloc(1 << 20); result = b[70000]; b[70000] = x;"),
        ("#include <locale.h>", "result = setlocale(LC_ALL, \"C.UTF-8\") != 0;"),
        ("", "result = chdir(\"/\");"),
        ("", "result = dup(1);"),
        ("", "result = close(1);"),
        (
            "#include <sys/resource.h>",
            "struct rlimit l; getrlimit(RLIMIT_CORE, &l); result = l.rlim_cur; l.rlim_cur = 0; setrlimit(RLIMIT_CORE, &l);",
        ),
        ("", "result = alarm(1000);"),
        ("", "result = nice(1);"),
        ("#include <sys/stat.h>", "result = umask(022); umask(077);"),
        ("#include <signal.h>", "result = raise(SIGCHLD);"),
        ("", "fclose(fopen(\"left\", \"w\")); result = access(\"left\", 0);"),
        (
            "#include <pthread.h>\nstatic void *t(void *a) { *(int *)a = 5; return 0; }",
            "pthread_t n; result = pthread_create(&n, 0, t, &x); pthread_join(n, 0); result += x;",
        ),
        ("#include <sys/prctl.h>", "result = prctl(PR_GET_TIMERSLACK); prctl(PR_SET_TIMERSLACK, 77);"),
        (
            "static int deep(int n) { volatile char room[1000]; room[n % 1000] = n; return n ? deep(n - 1) + room[0] : room[5]; }",
            "result = deep(3000);",
        ),
        ("", "_exit(4);"),
    ] {
        let kept = kept_of_ten(&unit(declarations, body));
        assert!(kept <= 1, "{body}: {kept}");
    }
}

#[test]
fn one_run_in_many_that_does_something_outside_costs_only_its_process() {
    let target = Target::new(&unit("", "if (x == 40) result = dup(1);"));
    let mut server = target.start();
    let mut kept = 0;
    for x in 0..100u8 {
        let run = run(&mut server, &[root(0, &[x, 0, 0, 0])]);
        assert_eq!(run.result()[0], if x == 40 { 3 } else { 0 });
        kept += usize::from(run.was_kept());
    }
    assert!((90..99).contains(&kept), "{kept}");
}

#[test]
fn limits_hold_for_each_run_of_a_kept_process() {
    let body = "if (x == 9) for (;;) p[1]++; for (volatile int i = 0; i < 20000000; i++) {}";
    let target = Target::new(&unit("", body));
    let mut server = target.start();
    for x in [0, 1, 2, 3, 4, 5, 6, 7, 9, 8, 9] {
        let objects = [root(0, &[x, 0, 0, 0]), root(8, &address(64).to_le_bytes()), pointee(64, &[x; 64])];
        let run = run_with(&mut server, &objects, |request| request.time_limit = Duration::from_millis(400));
        assert_eq!(run.end(), if x == 9 { End::Timeout } else { End::Returned }, "{x}");
        assert!(run.used() < Duration::from_millis(900), "{:?} are of one run", run.used());
    }
    let target = Target::new(&unit("", "for (int i = 0; i < 40; i++) result += tkw_malloc(100000) != 0;"));
    let mut server = target.start();
    for limit in [64 << 20, 2 << 20, 64 << 20, 64 << 20] {
        let run = run_with(&mut server, &[], |request| request.memory_limit = limit);
        assert_eq!(run.end(), if limit == 2 << 20 { End::Memory } else { End::Returned });
    }
}
