/* The runtime itself: its memory, its descriptors, its signals. What runs say after this is nobody's word. The kernel does
 * the writing, because an instrumented store to such a place would be a fault and end the run. */
#include "hostile.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where things are: crates/trace/src/layout.rs. */
#define ARENA ((char *)0x1000000000)
#define SHADOW ((char *)0x100000000000)
#define SHARED 198
#define COMMANDS 199
#define STATUS 200

/* Harmless: whether a descriptor is one of the three that every program has. */
int is_standard(int file)
{
    return file >= 0 && file <= 2;
}

/* Writes over the input. */
int scribble_arena(int n)
{
    if (n != 77)
        return 0;
    return zero_out(ARENA, 1 << 16);
}

/* Writes over the labels of the input. */
int scribble_shadow(int n)
{
    if (n != 78)
        return 0;
    return zero_out(SHADOW + ((unsigned long)ARENA & 0x3ffffffffff) * 4, 1 << 16);
}

/* Writes random bytes over everything that the engine reads. */
int scribble_shared(int n)
{
    static char noise[1 << 16];
    unsigned long state = 88172645463325252;
    if (n != 79)
        return 0;
    for (unsigned i = 0; i < sizeof noise / 64; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        memset(noise + i * 64, (int)(state & 0xff), 64);
    }
    int written = 0;
    for (long at = 0; at < 64 << 20; at += (long)sizeof noise)
        written += pwrite(SHARED, noise, sizeof noise, at) > 0;
    return written > 0;
}

/* The same with bytes that are all ones: the largest counts, the largest offsets. */
int scribble_counts(int n)
{
    static char ones[1 << 16];
    if (n != 80)
        return 0;
    memset(ones, 0xff, sizeof ones);
    return pwrite(SHARED, ones, sizeof ones, 0) > 0;
}

/* Cuts the memory off that it shares with the engine. */
int cut_shared(int n)
{
    if (n != 81)
        return 0;
    return ftruncate(SHARED, 0) == 0;
}

/* Reads the commands that are meant for the fork server. */
int eat_commands(int n)
{
    char commands[16];
    if (n != 82)
        return 0;
    fcntl(COMMANDS, F_SETFL, O_NONBLOCK);
    return syscall(SYS_read, COMMANDS, commands, sizeof commands) > 0;
}

/* Says that runs have ended which were never asked for. */
int tell_lies(int n)
{
    if (n != 83)
        return 0;
    return write(STATUS, "rrrrhhhh", 8) > 0;
}

/* Writes into every descriptor that it has, the first three left out. */
int write_everywhere(int n)
{
    int written = 0;
    if (n != 84)
        return 0;
    signal(SIGPIPE, SIG_IGN);
    for (int file = 3; file < 256; file++)
        written += write(file, "hostile", 7) > 0;
    return written > 0;
}

/* Closes every descriptor, and opens others in their place. */
int close_all(int n)
{
    if (n != 85)
        return 0;
    for (int file = 0; file < 1024; file++)
        close(file);
    for (int file = 0; file < 256; file++)
        if (open("/dev/null", O_RDWR) < 0)
            return -1;
    return 1;
}

/* Takes the input's memory away. */
int unmap_arena(int n)
{
    if (n != 86)
        return 0;
    return munmap(ARENA, 1 << 24) == 0;
}

/* Puts other memory where the input is. */
int map_over_arena(int n)
{
    if (n != 87)
        return 0;
    void *there = mmap(ARENA, 1 << 24, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return there != MAP_FAILED;
}

/* Ignores every signal and never returns. */
int never_end(int n)
{
    if (n != 88)
        return 0;
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    alarm(0);
    for (volatile unsigned long i = 0; i < 20000000000; i++)
        ;
    return 1;
}
