/* New programs. Each of them would leave a file behind. */
#include "hostile.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHELL "/bin/sh"
#define LEAVE(name) ": > " CANARY "/" name

static char *const nothing[] = {NULL};

/* Harmless: whether a name is that of a shell. */
int is_shell(const char *name)
{
    return name[0] == 's' && name[1] == 'h' && name[2] == '\0';
}

/* Becomes another program. */
int start_by_exec(int n)
{
    char *const words[] = {SHELL, "-c", LEAVE("by-exec"), NULL};
    if (n != 59)
        return 0;
    execve(SHELL, words, nothing);
    return -1;
}

/* Has a shell run a command. */
int start_by_system(int n)
{
    if (n % 7 != 3)
        return 0;
    return system(LEAVE("by-system")) == 0 ? WORKED : -1;
}

/* Reads what a command prints. */
int start_by_popen(void)
{
    FILE *stream = popen(LEAVE("by-popen"), "r");
    if (!stream)
        return -1;
    return pclose(stream) == 0 ? WORKED : -1;
}

/* Starts a program beside it. */
int start_by_spawn(void)
{
    char *const words[] = {SHELL, "-c", LEAVE("by-spawn"), NULL};
    pid_t child;
    int status = -1;
    if (posix_spawn(&child, SHELL, NULL, NULL, words, nothing) != 0)
        return -1;
    if (waitpid(child, &status, 0) < 0)
        return -1;
    return status == 0 ? WORKED : -1;
}

/* Starts a program in a child that has the parent's memory. */
int start_by_vfork(void)
{
    int status = -1;
    pid_t child = vfork();
    if (child < 0)
        return -1;
    if (child == 0) {
        execl(SHELL, SHELL, "-c", LEAVE("by-vfork"), (char *)NULL);
        _exit(1);
    }
    if (waitpid(child, &status, 0) < 0)
        return -1;
    return status == 0 ? WORKED : -1;
}

/* Writes a program into memory and starts it from there. */
int start_from_memory(void)
{
    static const char script[] = "#!" SHELL "\n" LEAVE("from-memory") "\n";
    char *const words[] = {"script", NULL};
    int file = memfd_create("script", 0);
    if (file < 0 || write(file, script, sizeof script - 1) < 0)
        return -1;
    fexecve(file, words, nothing);
    return -1;
}

/* Writes a program into its own folder and starts it. */
int start_own_file(void)
{
    static const char script[] = "#!" SHELL "\n" LEAVE("own-file") "\n";
    char *const words[] = {"script", NULL};
    int file = open("script", O_WRONLY | O_CREAT | O_TRUNC, 0755);
    if (file < 0 || write(file, script, sizeof script - 1) < 0)
        return -1;
    close(file);
    execve("./script", words, nothing);
    return -1;
}

/* Has the loader start a program: the loader is no program that a list of names would think of. */
int start_by_loader(void)
{
    char *const words[] = {"ld.so", SHELL, "-c", LEAVE("by-loader"), NULL};
    execve("/lib64/ld-linux-x86-64.so.2", words, nothing);
    return -1;
}
