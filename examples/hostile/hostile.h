/* What the hostile units have in common.
 *
 * They are safe where nothing confines them: all they reach for is what the test made for them. CANARY is a folder with files,
 * VICTIM a process, TCP_PORT and UDP_PORT are ports on loopback, ABSTRACT is the name of a socket. Loops and sizes are bounded. */
#ifndef HOSTILE_H
#define HOSTILE_H

#if !defined CANARY || !defined VICTIM || !defined TCP_PORT || !defined UDP_PORT || !defined ABSTRACT
#error "crates/tarka/tests/hostile/ says what may be attacked; see README.md"
#endif

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

/* What a unit gives when its attempt had an effect. No test may ever say so. */
#define WORKED 7777

/* The variable that holds a secret, and what the files with a secret begin with. */
#define SECRET "HOSTILE_SECRET="

/* Bytes of a secret that a unit carries off. */
#define LOOT 64

/* Looks for a secret in a text and carries it off. These helpers give whether they did what they are for. */
static inline int carry_off(const char *text, size_t size, char *loot)
{
    const char *found = memmem(text, size, SECRET, strlen(SECRET));
    if (!found)
        return 0;
    size_t left = size - (size_t)(found - text);
    memcpy(loot, found, left < LOOT ? left : LOOT);
    return 1;
}

/* Reads a file, by a call whose answers the search does not make up. */
static inline size_t take(int file, void *text, size_t size)
{
    struct iovec room = {text, size};
    long got = readv(file, &room, 1);
    return got > 0 ? (size_t)got : 0;
}

/* Has the kernel write zeros. */
static inline int zero_out(char *where, size_t size)
{
    int zero = open("/dev/zero", O_RDONLY);
    long done = syscall(SYS_read, zero, where, size);
    close(zero);
    return done > 0;
}

/* Bytes at once, and how often: 2 GB. */
#define PIECE (1 << 20)
#define PIECES 2048

/* Writes until that is refused, and gives how many pieces were written. */
static inline int pour(int file, const char *piece)
{
    int poured = 0;
    signal(SIGXFSZ, SIG_IGN);
    while (poured < PIECES && write(file, piece, PIECE) == PIECE)
        poured++;
    return poured;
}

/* A port of this machine. */
static inline struct sockaddr_in loopback(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

#endif
