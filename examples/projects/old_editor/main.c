/* main.c: commands from the terminal, until q */
#include <stdio.h>
#include "ed.h"

char *readline(s, size)
char *s;
{
    int c, n;

    n = 0;
    while ((c = getchar()) != EOF && c != '\n')
        if (n < size - 1)
            s[n++] = c;
    s[n] = '\0';
    return c == EOF && n == 0 ? 0 : s;
}

main(argc, argv)
char **argv;
{
    static char typed[LINESIZE + 8];

    if (argc > 1) {
        printf("usage: %s\n", argv[0]);
        return 2;
    }
    while (readline(typed, sizeof typed) != 0) {
        if (typed[0] == 'q') {
            if (!changed)
                break;
            changed = 0;
            printf("?\n");
        } else if (command(typed) == ERR)
            printf("?\n");
        else if (dot > 0)
            printf("%s\n", lines[dot - 1]);
    }
    return 0;
}
