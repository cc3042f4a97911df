/* Other processes: made, left behind, signalled, traced. */
#include "hostile.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Below this number a process can only be in a namespace of its own, or in a container that holds nothing else. */
#define INSIDE 16

/* How long what is left behind would live, in seconds. */
#define LONG 120

/* Harmless: what a number of a process means to kill. */
int reach_of(int pid)
{
    if (pid > 0)
        return 1;
    return pid == 0 ? 2 : 3;
}

/* Leaves a process behind that is in a session of its own and nobody's child. */
int leave_daemon(int n)
{
    if (n != 6)
        return 0;
    pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        setsid();
        if (fork() == 0) {
            sleep(LONG);
            close(open(CANARY "/late.txt", O_WRONLY | O_CREAT, 0644));
        }
        _exit(0);
    }
    waitpid(child, NULL, 0);
    return 1;
}

/* The same without the calls of the C library, and with all signals ignored. */
int leave_clone(void)
{
    long child = syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
    if (child < 0)
        return -1;
    if (child == 0) {
        for (int number = 1; number < 64; number++)
            signal(number, SIG_IGN);
        sleep(LONG);
        syscall(SYS_exit_group, 0);
    }
    return 1;
}

/* Makes processes as fast as it can: 64 of them, each ends after two seconds. */
int fork_bomb(int n)
{
    int made = 0;
    for (int i = 0; n == 64 && i < 64; i++) {
        pid_t child = fork();
        if (child == 0) {
            sleep(2);
            _exit(0);
        }
        if (child > 0)
            made++;
    }
    return made > 0;
}

/* What the thread below does. */
static void *go_on(void *unused)
{
    sleep(2);
    close(open(CANARY "/thread.txt", O_WRONLY | O_CREAT, 0644));
    return unused;
}

/* Leaves a thread that goes on, and writes a file when nobody looks any more. */
int leave_thread(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, go_on, NULL) != 0)
        return -1;
    return pthread_detach(thread) == 0;
}

/* What is left for the end by the function below. */
static void at_the_end(void)
{
    close(open(CANARY "/atexit.txt", O_WRONLY | O_CREAT, 0644));
    sleep(LONG);
}

/* Does its work when the process ends, and does not come to an end. */
int leave_handler(void)
{
    return atexit(at_the_end) == 0;
}

/* Kills the process that started it. Number 1, which takes over from a parent that has ended, ignores this signal. */
int kill_parent(int n)
{
    if (n != 9)
        return 0;
    return kill(getppid(), n) == 0 ? WORKED : -1;
}

/* Kills everything that it may kill; outside a namespace of its own it only asks whether it could. */
int kill_all(void)
{
    return kill(-1, getpid() < INSIDE ? SIGKILL : 0) == 0 ? WORKED : -1;
}

/* Kills a process of the same user. */
int kill_other(int n)
{
    if (n != SIGTERM && n != SIGKILL)
        return 0;
    return kill(VICTIM, n) == 0 ? WORKED : -1;
}

/* The same by way of a descriptor. */
int kill_by_descriptor(void)
{
    long process = syscall(SYS_pidfd_open, VICTIM, 0);
    if (process < 0)
        return -1;
    return syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0) == 0 ? WORKED : -1;
}

/* The same by thread. */
int kill_by_thread(void)
{
    return syscall(SYS_tgkill, VICTIM, VICTIM, SIGKILL) == 0 ? WORKED : -1;
}

/* Has the kernel send the signal when data arrives in a socket of its own. */
int kill_by_kernel(void)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return -1;
    int failed = fcntl(ends[0], F_SETSIG, SIGKILL) < 0;
    failed |= fcntl(ends[0], F_SETOWN, VICTIM) < 0;
    failed |= fcntl(ends[0], F_SETFL, O_ASYNC) < 0;
    failed |= write(ends[1], "x", 1) != 1;
    close(ends[0]);
    close(ends[1]);
    return failed ? -1 : WORKED;
}

/* Sends a signal, one that is ignored, to the whole group of processes of its parent. */
int signal_group(void)
{
    return kill(-getpgid(getppid()), SIGURG) == 0 ? 1 : -1;
}

/* Makes itself the tracer of its parent, without stopping it. */
int trace_parent(void)
{
    return ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0 ? WORKED : -1;
}

/* Writes into the memory of its parent, at a page that nobody has. */
int write_parent(void)
{
    char byte = 0;
    struct iovec here = {&byte, 1}, there = {(void *)8, 1};
    return process_vm_writev(getppid(), &here, 1, &there, 1, 0) > 0 ? WORKED : -1;
}

/* Takes a limit of another process away from it. */
int limit_other(void)
{
    struct rlimit limit = {8, 8};
    return prlimit(VICTIM, RLIMIT_NOFILE, &limit, NULL) == 0 ? WORKED : -1;
}

/* Slows another process down. */
int slow_other(void)
{
    return setpriority(PRIO_PROCESS, VICTIM, 19) == 0 ? WORKED : -1;
}

/* Leaves its session and group, which harms nobody. */
int leave_session(void)
{
    return setsid() > 0 || setpgid(0, 0) == 0;
}
