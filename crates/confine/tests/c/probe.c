/* What a hostile program may try, by name; prints `name: result errno` for each and ends as it is told. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *in_thread(void *argument) { return argument; }

static void tell(const char *what, long result) { printf("%s: %s %d\n", what, result < 0 ? "refused" : "done", result < 0 ? errno : 0); }

int main(int argc, char **argv)
{
    char outside[4096];
    for (int i = 1; i < argc; i++) {
        const char *what = argv[i];
        const char *canary = getenv("CANARY");
        snprintf(outside, sizeof outside, "%s/new", canary ? canary : "/nowhere");
        errno = 0;
        if (!strcmp(what, "write-inside")) tell(what, open("inside", O_WRONLY | O_CREAT, 0600));
        else if (!strcmp(what, "unlink-inside")) tell(what, unlink("inside"));
        else if (!strcmp(what, "write-outside")) tell(what, open(outside, O_WRONLY | O_CREAT, 0600));
        else if (!strcmp(what, "write-through-link")) { symlink(canary, "link"); tell(what, open("link/new", O_WRONLY | O_CREAT, 0600)); }
        else if (!strcmp(what, "unlink-outside")) { snprintf(outside, sizeof outside, "%s/file", canary); tell(what, unlink(outside)); }
        else if (!strcmp(what, "truncate-outside")) { snprintf(outside, sizeof outside, "%s/file", canary); tell(what, truncate(outside, 0)); }
        else if (!strcmp(what, "cut-outside")) { snprintf(outside, sizeof outside, "%s/file", canary); tell(what, open(outside, O_RDONLY | O_TRUNC)); }
        else if (!strcmp(what, "chmod-outside")) { snprintf(outside, sizeof outside, "%s/file", canary); tell(what, chmod(outside, 0)); }
        else if (!strcmp(what, "read-outside")) { snprintf(outside, sizeof outside, "%s/file", canary); tell(what, open(outside, O_RDONLY)); }
        else if (!strcmp(what, "read-library")) tell(what, open("/usr/include/stdio.h", O_RDONLY));
        else if (!strcmp(what, "socket")) tell(what, socket(AF_INET, SOCK_STREAM, 0));
        else if (!strcmp(what, "unix-socket")) tell(what, socket(AF_UNIX, SOCK_STREAM, 0));
        else if (!strcmp(what, "exec")) tell(what, execl("/bin/true", "true", (char *)0));
        else if (!strcmp(what, "loader")) tell(what, execl("/lib64/ld-linux-x86-64.so.2", "ld", "/bin/true", (char *)0));
        else if (!strcmp(what, "memory-exec")) { int fd = memfd_create("x", 0); write(fd, "#!/bin/true\n", 12); tell(what, fexecve(fd, argv, environ)); }
        else if (!strcmp(what, "number-exec")) { int fd = open("/bin/true", O_RDONLY | O_CLOEXEC); tell(what, dup2(fd, 998) < 0 ? -1 : syscall(SYS_execveat, 998, "", argv, environ, AT_EMPTY_PATH)); }
        else if (!strcmp(what, "fork")) { int child = fork(); if (child == 0) _exit(0); if (child > 0) waitpid(child, 0, 0); tell(what, child); }
        else if (!strcmp(what, "thread")) { pthread_t thread; tell(what, pthread_create(&thread, 0, in_thread, 0) ? -1 : pthread_join(thread, 0)); }
        else if (!strcmp(what, "daemon")) { if (fork() == 0) { setsid(); if (fork() == 0) for (;;) sleep(1); _exit(0); } tell(what, 0); }
        else if (!strcmp(what, "kill-parent")) tell(what, kill(getppid(), SIGTERM));
        else if (!strcmp(what, "kill-number")) tell(what, kill(atoi(getenv("VICTIM")), SIGKILL));
        else if (!strcmp(what, "trace")) tell(what, ptrace(PTRACE_ATTACH, atoi(getenv("VICTIM")), 0, 0));
        else if (!strcmp(what, "limit")) { struct rlimit more = {1 << 20, 1 << 20}; tell(what, setrlimit(RLIMIT_NOFILE, &more)); }
        else if (!strcmp(what, "shared-memory")) tell(what, shmget(IPC_PRIVATE, 4096, 0600));
        else if (!strcmp(what, "mount")) tell(what, syscall(SYS_mount, "none", ".", "tmpfs", 0, 0));
        else if (!strcmp(what, "namespace")) tell(what, unshare(CLONE_NEWUSER));
        else if (!strcmp(what, "ring")) { char parameters[256] = {0}; tell(what, syscall(SYS_io_uring_setup, 4, parameters)); }
        else if (!strcmp(what, "x32")) tell(what, syscall(0x40000000 + SYS_unlink, outside));
        else if (!strcmp(what, "large")) { int fd = open("large", O_RDWR | O_CREAT, 0600); tell(what, ftruncate(fd, 1l << 31)); }
        else if (!strcmp(what, "proc")) tell(what, open("/proc/sys/kernel/core_pattern", O_WRONLY));
        else if (!strcmp(what, "oom")) tell(what, open("/proc/self/oom_score_adj", O_WRONLY));
        else if (!strcmp(what, "secret")) printf("secret: %s\n", getenv("SECRET") ? getenv("SECRET") : "unknown");
        else if (!strcmp(what, "environment")) { snprintf(outside, sizeof outside, "/proc/%s/environ", getenv("TOOL")); char text[64]; int fd = open(outside, O_RDONLY | O_CLOEXEC); tell(what, fd < 0 ? -1 : read(fd, text, sizeof text)); }
        else if (!strcmp(what, "abort")) { fflush(0); abort(); }
        else if (!strcmp(what, "crash")) { fflush(0); *(volatile int *)0 = 1; }
        else if (!strcmp(what, "exit7")) { fflush(0); exit(7); }
        else if (!strcmp(what, "hang")) { fflush(0); for (;;) pause(); }
        else printf("%s: unknown\n", what);
        fflush(0);
    }
    return 0;
}
