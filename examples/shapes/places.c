/* Functions that nobody here defines give places in what they are handed: a number's first digit, the end of a run of blanks. */
#include <stddef.h>
#include <string.h>

/* Writes a number from its last digit on; gives its first. */
char *digits_of(unsigned long number, char *buffer);
/* What follows white space. */
const char *skip_spaces(const char *text);
/* The first such character of a text, or null. */
char *find_char(const char *text, int wanted);

/* Writes a number with zeros in front; 1 for one below zero. */
size_t write_number(char out[32], unsigned long number, size_t width)
{
    char buffer[21];
    const char *digits = digits_of(number, buffer);
    size_t length, pad = 0;

    if (digits == NULL)
        return 0;
    length = strlen(digits);
    if (digits != buffer && digits[-1] == '-')
        return 1;
    while (length + pad < width && pad < 8)
        out[pad++] = '0';
    memcpy(out + pad, digits, length);
    return length + pad;
}

/* Whether a line has a command, and whether it stands to the right. */
int is_command(const char *line)
{
    const char *start;

    if (line == NULL)
        return -1;
    start = line;
    line = skip_spaces(line);
    if (line == NULL || *line == '\0')
        return 0;
    return line - start > 2 ? 2 : 1;
}

/* Length of the key of `key=value`; -1 without one. */
long key_length(const char *setting)
{
    const char *equals;

    if (setting == NULL)
        return -1;
    equals = find_char(setting, '=');
    if (equals == NULL || equals == setting)
        return -1;
    return equals[0] == '=' && equals[1] != '\0' ? equals - setting : 0;
}
