/*
 * Keeps a program at its beginning: everything is loaded and initialised, and `main` has not run.
 *
 * Loaded into a compiler before it starts. Takes calls from a socket: a folder, arguments, and where its input and outputs are.
 * Gives each to a child of the process, which goes on into the compiler's own `main`, and tells its number and how it ended.
 * Never: decides anything about a call, or lives longer than the socket's other end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Has the number of the socket. What was to be loaded into the compiler anyway follows after a colon. */
#define VARIABLE "TARKA_KEPT"

/* A call has at most so many bytes and arguments; more are not sent. */
#define MOST_BYTES (128 << 10)
#define MOST_ARGUMENTS 8192

/* Standard input, output, error, and where the end is told. */
enum { INPUT, OUTPUT, ERROR, TELL, DESCRIPTORS };

/* A call that goes on. */
struct running {
    struct running *next;
    pid_t pid;
    int tell;
};

typedef int main_function(int, char **, char **);

extern char **environ;

static main_function *compiler_main;
/* What it was started with: its name, or a script's interpreter and the script. */
static int own_count;
static char **own_arguments;
static struct running *all_running;
static char message[MOST_BYTES];
static char *arguments[MOST_ARGUMENTS + 1];

static void ended(int signal)
{
    /* Only wakes `ppoll` up. */
    (void)signal;
}

/* The next call: how long its message is, and its descriptors. 0 at the end of the socket, less than 0 if it is no call. */
static ssize_t receive(int from, int descriptors[DESCRIPTORS])
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
    } control;
    struct iovec bytes = {message, sizeof message - 1};
    struct msghdr header = {0};
    struct cmsghdr *found;
    ssize_t length;

    header.msg_iov = &bytes;
    header.msg_iovlen = 1;
    header.msg_control = &control;
    header.msg_controllen = sizeof control;
    length = recvmsg(from, &header, MSG_CMSG_CLOEXEC);
    if (length <= 0)
        return length < 0 && errno == EINTR ? -1 : 0;
    found = CMSG_FIRSTHDR(&header);
    if (!found || found->cmsg_type != SCM_RIGHTS || found->cmsg_len != CMSG_LEN(DESCRIPTORS * sizeof(int)))
        return -1;
    memcpy(descriptors, CMSG_DATA(found), DESCRIPTORS * sizeof(int));
    message[length] = 0;
    return length;
}

/* Becomes the compiler, called as the message says: a folder, then its arguments, each with a zero behind it. */
static int call(ssize_t length, const int descriptors[DESCRIPTORS], const sigset_t *mask)
{
    const char *folder = message;
    char *next = message + strlen(message) + 1;
    int count = 0;

    for (; count < own_count; count++)
        arguments[count] = own_arguments[count];
    for (; next < message + length && count < MOST_ARGUMENTS; next += strlen(next) + 1)
        arguments[count++] = next;
    arguments[count] = NULL;
    for (; all_running; all_running = all_running->next)
        close(all_running->tell);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (*folder && chdir(folder))
        _exit(127);
    for (int number = INPUT; number <= ERROR; number++)
        if (dup2(descriptors[number], number) < 0)
            _exit(127);
    for (int number = INPUT; number < DESCRIPTORS; number++)
        close(descriptors[number]);
    return compiler_main(count, arguments, environ);
}

/* Tells of each child that has ended. */
static void tell_ends(void)
{
    struct running **place, *one;
    int32_t status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        for (place = &all_running; *place && (*place)->pid != pid; place = &(*place)->next)
            ;
        if (!(one = *place))
            continue;
        *place = one->next;
        if (write(one->tell, &status, sizeof status) < 0) {
            /* Nobody waits for it any more. */
        }
        close(one->tell);
        free(one);
    }
}

/* In the process that is kept, until the other end of the socket is closed; in a child, what the compiler gives. */
static int serve(int from)
{
    struct sigaction action = {.sa_handler = ended};
    struct pollfd wanted = {.fd = from, .events = POLLIN};
    sigset_t child, before;

    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    sigaction(SIGCHLD, &action, NULL);
    /* Who closes a pipe has stopped to wait for it. */
    signal(SIGPIPE, SIG_IGN);
    if (write(from, "", 1) != 1)
        return 2;
    for (;;) {
        int descriptors[DESCRIPTORS];
        struct running *one;
        int32_t pid;
        ssize_t length;

        if (ppoll(&wanted, 1, NULL, &before) < 0) {
            tell_ends();
            continue;
        }
        length = receive(from, descriptors);
        if (length == 0)
            _exit(0);
        if (length < 0)
            continue;
        one = malloc(sizeof *one);
        pid = one ? fork() : -1;
        if (pid == 0) {
            setpgid(0, 0);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            signal(SIGPIPE, SIG_DFL);
            close(from);
            return call(length, descriptors, &before);
        }
        for (int number = INPUT; number <= ERROR; number++)
            close(descriptors[number]);
        if (pid < 0 || write(descriptors[TELL], &pid, sizeof pid) < 0) {
            close(descriptors[TELL]);
            free(one);
            continue;
        }
        setpgid(pid, pid);
        *one = (struct running){all_running, pid, descriptors[TELL]};
        all_running = one;
    }
}

static int kept_main(int count, char **given, char **variables)
{
    char *said = getenv(VARIABLE), *theirs;
    int from;

    if (!said)
        return compiler_main(count, given, variables);
    from = (int)strtol(said, &theirs, 10);
    if (*theirs == ':')
        setenv("LD_PRELOAD", theirs + 1, 1);
    else
        unsetenv("LD_PRELOAD");
    unsetenv(VARIABLE);
    own_count = count;
    own_arguments = given;
    return serve(from);
}

/* The C library's own name for what calls `main`. */
__attribute__((visibility("default"))) int __libc_start_main(main_function *main, int count, char **given,
    main_function *initialise, void (*finish)(void), void (*finish_loader)(void), void *stack_end)
{
    int (*real)(main_function *, int, char **, main_function *, void (*)(void), void (*)(void), void *);

    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    compiler_main = main;
    return real(kept_main, count, given, initialise, finish, finish_loader, stack_end);
}
