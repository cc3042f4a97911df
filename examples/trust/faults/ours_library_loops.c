/* Loops around the library's own functions, with their answers as inputs. After their script, files are at their end and
 * time passes. */
/* tarka-options: --env all */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* none: a file ends. */
int read_all(int file)
{
    char block[16];
    long got;
    int rounds = 0;
    while ((got = read(file, block, sizeof block)) > 0)
        rounds++;
    return rounds;
}

/* none: the end of a file is -1, not 0. */
int count_characters(FILE *file)
{
    int count = 0;
    while (file != NULL && getc(file) != EOF)
        count++;
    return count;
}

/* none: a file ends. */
int count_lines(FILE *file)
{
    char line[32];
    int count = 0;
    while (file != NULL && fgets(line, sizeof line, file))
        count++;
    return count;
}

/* none: time passes. */
int wait_until(time_t then)
{
    int rounds = 0;
    while (time(NULL) < then)
        rounds++;
    return rounds;
}

/* none: time passes, also behind a pointer. */
int wait_monotonic(long seconds)
{
    struct timespec now;
    int rounds = 0;
    do {
        if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
            return -1;
        rounds++;
    } while (now.tv_sec < seconds);
    return rounds;
}

/* none: some time it is a six. */
int roll_six(void)
{
    int rounds = 0;
    while (rand() % 6 != 5)
        rounds++;
    return rounds;
}
