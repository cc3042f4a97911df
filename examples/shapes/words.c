/* Words that are read letter by letter into a buffer of their own, and only then compared with those that are known, as
 * directives, keywords and options are. */
#include <stddef.h>
#include <string.h>

struct command {
    char name[12];
    int level;
};

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

int read_command(const char *line, struct command *command)
{
    size_t length = 0;

    while (*line == ' ' || *line == '\t')
        line++;
    while (is_letter(*line) && length < sizeof command->name - 1)
        command->name[length++] = *line++;
    command->name[length] = '\0';
    if (length == 0)
        return -1;
    if (strcmp(command->name, "verbose") == 0)
        command->level = 2;
    else if (strcmp(command->name, "exclude") == 0)
        command->level = -2;
    else if (strncmp(command->name, "quiet", 5) == 0)
        command->level = 0;
    else
        return -1;
    while (*line == ' ')
        line++;
    return *line == '=' ? command->level : 1;
}
