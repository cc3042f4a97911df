/* Streams and folders, which only the library can make: a test opens an empty one. Null is not theirs to open, so it is
 * the caller who must not give it, where the library gets it. */
#include <dirent.h>
#include <stdio.h>

struct log {
    FILE *out;
    int level;
};

/* contract: whoever calls it has an open stream. */
int put(FILE *file, int character)
{
    if (character == 3)
        return -1;
    return fputc(character, file);
}

/* contract: to pass a stream on is not to look at it. */
int count_characters(FILE *file)
{
    int count = 0;
    while (getc(file) != EOF)
        count++;
    return count;
}

/* none: fflush takes null. */
int flush(FILE *file)
{
    return fflush(file) == 0;
}

/* none: it looks. */
int log_text(const struct log *log, int number)
{
    if (log == NULL || log->out == NULL)
        return -1;
    if (log->level < 2)
        return 0;
    fprintf(log->out, "%d", number);
    rewind(log->out);
    return fgetc(log->out);
}

/* contract: a folder is like a stream. */
int count_entries(DIR *folder, int most)
{
    int count = 0;
    if (most < 0)
        return -1;
    while (readdir(folder) != NULL && count < most)
        count++;
    return count;
}

/* contract: one of the two may be null, the other not. */
int close_both(FILE *in, FILE *out)
{
    if (in == out || fclose(in) != 0)
        return -1;
    return out == NULL ? 0 : fclose(out);
}
