/* What only the kernel has: mounts, namespaces, /proc, memory and queues without an owner, calls by other doors. */
#include "hostile.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The key of what stays in the kernel when nobody removes it. */
#define KEY 0x7a726b61

/* The bit that chooses the calls for programs with short pointers. */
#define SHORT_POINTERS 0x40000000

/* Harmless: what a number of a call has in it. */
int call_kind(unsigned number)
{
    if (number & SHORT_POINTERS)
        return 2;
    return number < 500;
}

/* Mounts a file system. The place is missing, so that it cannot happen anywhere. */
int mount_over(int n)
{
    if (n != 165)
        return 0;
    return mount("none", CANARY "/missing", "tmpfs", 0, NULL) == 0 ? WORKED : -1;
}

/* Takes a mount away. */
int unmount(void)
{
    return umount2(CANARY, MNT_DETACH) == 0 ? WORKED : -1;
}

/* Makes namespaces, in which it would be root. */
int make_namespaces(void)
{
    return unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET) == 0 ? WORKED : -1;
}

/* Goes back to the namespaces of the first process. */
int join_namespaces(void)
{
    int space = open("/proc/1/ns/mnt", O_RDONLY);
    int failed = setns(space, CLONE_NEWNS);
    if (space >= 0)
        close(space);
    return failed ? -1 : WORKED;
}

/* Takes another folder for its root. */
int change_root(void)
{
    return chroot(CANARY) == 0 ? WORKED : -1;
}

/* Changes how the kernel lays out programs it starts. */
int change_personality(void)
{
    int was = personality(0xffffffff);
    return personality((unsigned long)was | ADDR_NO_RANDOMIZE) >= 0 ? 1 : -1;
}

/* Makes memory that outlives every process. */
int leave_memory(void)
{
    return shmget(KEY, 4096, IPC_CREAT | 0600) < 0 ? -1 : WORKED;
}

/* Makes a queue that outlives every process. */
int leave_queue(void)
{
    return msgget(KEY, IPC_CREAT | 0600) < 0 ? -1 : WORKED;
}

/* Sets up the queue by which calls are made without calling. */
int make_ring(void)
{
    char parameters[120] = {0};
    return syscall(SYS_io_uring_setup, 4, parameters) < 0 ? -1 : WORKED;
}

/* Loads a program into the kernel. */
int load_filter(void)
{
    char attributes[128] = {0};
    attributes[0] = 1;
    attributes[4] = attributes[8] = 4;
    attributes[12] = 1;
    return syscall(SYS_bpf, 0, attributes, sizeof attributes) < 0 ? -1 : WORKED;
}

/* Puts a key into the kernel's ring. */
int leave_key(void)
{
    return syscall(SYS_add_key, "user", "hostile", "x", 1, -5) < 0 ? -1 : WORKED;
}

/* Says that it is to be killed first when memory runs out: the mildest of what can be written under /proc/self. */
int write_own_score(void)
{
    int file = open("/proc/self/oom_score_adj", O_WRONLY);
    if (file < 0)
        return -1;
    long written = write(file, "1000", 4);
    close(file);
    return written == 4 ? WORKED : -1;
}

/* Opens the memory of its parent; the byte would go to a page that nobody has. */
int write_parent_memory(void)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/mem", (int)getppid());
    int file = open(name, O_WRONLY);
    if (file < 0)
        return -1;
    (void)!pwrite(file, "", 1, 8);
    close(file);
    return WORKED;
}

/* Opens a setting of the kernel for writing, and writes nothing. */
int open_setting(void)
{
    int file = open("/proc/sys/kernel/core_pattern", O_WRONLY);
    if (file < 0)
        return -1;
    close(file);
    return WORKED;
}

/* Deletes a file by the numbers that calls have for short pointers. */
int delete_by_short_call(void)
{
    return syscall(SHORT_POINTERS | SYS_unlink, CANARY "/delete.txt") == 0 ? WORKED : -1;
}

/* Deletes a file by the calls of 32-bit programs, whose numbers mean something else. */
int delete_by_old_call(void)
{
    char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (low == MAP_FAILED)
        return -1;
    strcpy(low, CANARY "/delete.txt");
    long result = 10;
    __asm__ volatile("int $0x80" : "+a"(result) : "b"(low) : "memory", "r8", "r9", "r10", "r11");
    return result == 0 ? WORKED : -1;
}

/* Takes away what is called when a call is refused, then deletes a file. */
int delete_unseen(void)
{
    signal(SIGSYS, SIG_DFL);
    return unlink(CANARY "/delete.txt") == 0 ? WORKED : -1;
}

/* Blocks the signal by which refusals are told, then deletes a file. */
int delete_unheard(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    return unlink(CANARY "/delete.txt") == 0 ? WORKED : -1;
}
