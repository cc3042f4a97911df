/* Answers of the C library as inputs. tarka-options: --env time,rand,getenv,alloc,read */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int is_expired(time_t deadline)
{
    if (time(NULL) > deadline)
        return 1;
    return 0;
}

int lucky(void)
{
    if (rand() % 1000 == 777)
        return 1;
    return 0;
}

int debug_level(void)
{
    const char *text = getenv("DEBUG");

    if (text == NULL)
        return 0;
    if (text[0] == '2')
        return 2;
    return 1;
}

int copy_of(int value)
{
    int *copy = malloc(sizeof *copy);

    if (copy == NULL)
        return -1;
    *copy = value;
    value = *copy;
    free(copy);
    return value == 5 ? 1 : 0;
}

int read_record(int descriptor)
{
    unsigned char record[8];
    ssize_t size = read(descriptor, record, sizeof record);

    if (size < 0)
        return -1;
    if (size < (ssize_t)sizeof record)
        return 0;
    if (record[0] == 0xca && record[7] == 0xfe)
        return 2;
    return 1;
}
