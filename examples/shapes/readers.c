/* Programs read: characters until a stream ends, and what files are. No option asks for it. */
#include <ctype.h>
#include <stdio.h>
#include <sys/stat.h>

/* Reads a word into a buffer; 0 at the end of the stream, -1 if the word is too long. */
int read_word(FILE *in, char *word, int room)
{
    int c, n = 0;

    do
        c = getc(in);
    while (c == ' ');
    for (; c != EOF && isalpha(c); c = getc(in)) {
        if (n >= room - 1)
            return -1;
        word[n++] = (char)c;
    }
    word[n] = '\0';
    return n > 0;
}

/* The letter that `ls -F` puts behind a name. */
char kind_of_file(const char *path)
{
    struct stat about;

    if (stat(path, &about) != 0)
        return '?';
    if (S_ISDIR(about.st_mode))
        return '/';
    if (S_ISLNK(about.st_mode))
        return '@';
    return about.st_mode & S_IXUSR ? '*' : ' ';
}
