/* Linked into a program that llvm-cov judges. A program that crashes writes its profile all the same, and every
   process leaves a file "ended-PID" in its folder: the addresses on its stack when it ended, the innermost first.
   An address that a call will return to is given one byte earlier, inside the call. */
#define _GNU_SOURCE
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

int __llvm_profile_write_file(void);

enum { MOST_FRAMES = 4096 };

static void note_stack(const void *faulting)
{
    static void *frames[MOST_FRAMES];
    char text[64];
    int count = backtrace(frames, MOST_FRAMES);
    int file;

    snprintf(text, sizeof text, "ended-%d", (int)getpid());
    file = open(text, O_WRONLY | O_CREAT | O_APPEND, 0600);
    for (int i = 0; i < count; i++) {
        const char *at = frames[i];
        int length = snprintf(text, sizeof text, "%p\n", (const void *)(at == faulting ? at : at - 1));
        if (write(file, text, (size_t)length) != length)
            break;
    }
    close(file);
}

static void on_exit_of_any_kind(void)
{
    note_stack(NULL);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)info;
    note_stack((const void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP]);
    __llvm_profile_write_file();
    signal(number, SIG_DFL);
    raise(number);
}

__attribute__((constructor)) static void watch(void)
{
    static char stack[1 << 18];
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGTRAP, SIGALRM};
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    void *first[1];

    backtrace(first, 1); /* loads what it needs while memory is still whole */
    sigaltstack(&other, NULL);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
        sigaction(signals[i], &action, NULL);
    }
    atexit(on_exit_of_any_kind);
}
