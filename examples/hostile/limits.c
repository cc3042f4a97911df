/* Too much of everything, within bounds: files, memory, output, descriptors, time. */
#include "hostile.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static char piece[PIECE];

/* Harmless: how many pieces a size takes. */
int pieces_of(unsigned size)
{
    unsigned pieces = size / PIECE;
    if (size % PIECE != 0)
        pieces++;
    return pieces > PIECES ? -1 : (int)pieces;
}

/* Takes the limits off: of files first, then of processes. */
int raise_limits(int n)
{
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    if (n == 0)
        return 0;
    int failed = setrlimit(RLIMIT_FSIZE, &none);
    failed |= prlimit(0, RLIMIT_NPROC, &none, NULL);
    return failed ? -1 : WORKED;
}

/* Writes a file of 2 GB into its own folder. */
int fill_folder(int n)
{
    if (n != 2)
        return 0;
    int file = open("large", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0)
        return -1;
    int poured = pour(file, piece);
    close(file);
    unlink("large");
    return poured == PIECES ? WORKED : poured > 0;
}

/* Makes 32 files of 64 MB in its own folder. */
int fill_folder_by_parts(void)
{
    char name[] = "part-00";
    int made = 0;
    for (int i = 0; i < 32; i++) {
        name[5] = (char)('0' + i / 10);
        name[6] = (char)('0' + i % 10);
        int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        for (int k = 0; file >= 0 && k < 64; k++)
            made += write(file, piece, PIECE) == PIECE;
        if (file >= 0)
            close(file);
    }
    return made == PIECES ? WORKED : made > 0;
}

/* Prints 2 GB. */
int print_without_end(int n)
{
    if (n != 1 && n != 2)
        return 0;
    return pour(n, piece) == PIECES;
}

/* Takes 2 GB of memory and touches every page of it. */
int fill_memory(void)
{
    int taken = 0;
    for (; taken < 128; taken++) {
        char *block = mmap(NULL, 16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED)
            break;
        if (!zero_out(block, 16 << 20))
            break;
    }
    return taken > 0;
}

/* Takes all descriptors there are. */
int fill_descriptors(void)
{
    int taken = 0;
    while (taken < 100000 && dup(0) >= 0)
        taken++;
    return taken > 0;
}

/* Sleeps for ten minutes. */
int sleep_long(int n)
{
    if (n != 600)
        return 0;
    return sleep((unsigned)n) == 0;
}
