/* Answers of the world outside: random numbers, the clock, the variables of the environment, memory and input. Each of
 * them may be anything that the manual of the function allows. tarka-options: --env all */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* mrand48 gives negative numbers too, and lrand48 covers all 31 bits. */
int dither(int sample)
{
    if (mrand48() < 0)
        return sample - 1;
    if (lrand48() > 2147000000L)
        return sample + 2;
    return sample + 1;
}

/* drand48 comes as close to 1 as a double can, and it may be 0. */
int lost_packet(void)
{
    double chance = drand48();

    if (chance > 0.999)
        return 2;
    if (chance < 0.001)
        return 1;
    return 0;
}

/* RAND_MAX itself is one of the results of rand, and 0 is another. */
double unit_random(void)
{
    int r = rand();

    if (r == RAND_MAX)
        return 1.0;
    if (r == 0)
        return 0.0;
    return (double)r / RAND_MAX;
}

/* random gives every face of the die, and sometimes the same one twice. */
int roll_twice(void)
{
    long first = random() % 6;
    long second = random() % 6;

    if (first == 5 && second == 5)
        return 2;
    return first == second ? 1 : 0;
}

/* A read may fill the buffer, stop short, meet the end, or be interrupted by a signal. */
int read_message(int fd)
{
    char buffer[64];
    ssize_t got = read(fd, buffer, sizeof buffer);

    if (got < 0)
        return errno == EINTR ? -2 : -1;
    if (got == 0)
        return 0;
    if (got > 40)
        return buffer[40] == '\n' ? 2 : 3;
    return 1;
}

/* The second read has its own answer, whatever the first one said. */
int read_header(int fd, unsigned char *header)
{
    if (read(fd, header, 4) != 4)
        return -1;
    if (header[0] != 0x7f)
        return -2;
    if (read(fd, header + 4, 64) > 40)
        return 1;
    return 0;
}

/* A whole block arrives if the file is long enough; otherwise the count is less. */
int load_block(FILE *file, unsigned char *block)
{
    size_t got = fread(block, 1, 64, file);

    if (got == 64)
        return 1;
    if (got == 0)
        return -1;
    return got == 63 ? 2 : 0;
}

/* fread counts members, not bytes: sixteen words of four bytes are a full table. */
int load_table(FILE *file, unsigned table[16])
{
    if (fread(table, 4, 16, file) == 16)
        return table[15] == 0xffffffffu ? 2 : 1;
    return 0;
}

/* The end of the file and the byte 255 are two different answers, and both can come. */
int next_token(FILE *file)
{
    int c = fgetc(file);

    if (c == EOF)
        return -1;
    if (c == 255)
        return 2;
    return c == '#' ? 1 : 0;
}

/* The terminal can give any character, or none. */
int ask_user(void)
{
    int c = getchar();

    if (c < 0)
        return -1;
    if (c == 'y' || c == 'Y')
        return 1;
    return 0;
}

/* Both clocks answer -1 if they have nothing to tell, and the two moments need not be the same. */
int time_source(void)
{
    time_t start = time(NULL);

    if (start < 0)
        return -1;
    if (clock() == (clock_t)-1)
        return -2;
    if (time(NULL) != start)
        return 1;
    return 0;
}

/* A variable of the environment may be missing, empty, or longer than the buffer. */
int config_path(char path[40])
{
    const char *value = getenv("APP_CONFIG");

    if (value && strlen(value) > 40)
        return -1;
    if (!value)
        return 0;
    if (*value == '\0')
        return 1;
    memcpy(path, value, strlen(value) < 40 ? strlen(value) + 1 : 40);
    return 2;
}

/* Memory can run out at the first request, or only at the second. */
int make_pair(char **first, char **second)
{
    *first = malloc(64);
    if (*first == NULL)
        return -1;
    *second = calloc(4, 16);
    if (*second == NULL) {
        free(*first);
        return -2;
    }
    return 0;
}

/* A function that is handed a buffer usually gives a place in it, but a name that it keeps itself is as good. */
char *unit_label(int kind, char *buffer);

int is_long_label(int kind)
{
    char buffer[4];
    char *label = unit_label(kind, buffer);

    if (!label)
        return -1;
    if (label[0] == 'a' && label[1] == 'm' && label[2] == 'p' && label[3] == 's')
        return 1;
    return 0;
}
