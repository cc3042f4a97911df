/* Options as programs read them: letters and words, with arguments and without. */
#include <getopt.h>
#include <stdlib.h>

struct settings {
    int quiet;
    int unique;
    long width;
    const char *delimiter;
};

static const struct option words[] = {
    {"quiet", no_argument, NULL, 'q'},
    {"width", required_argument, NULL, 'w'},
    {"delimiter", required_argument, NULL, 'd'},
    {"unique", no_argument, NULL, 'u'},
    {NULL, 0, NULL, 0},
};

/* 0, or -1 for a command line that is wrong. */
int read_settings(struct settings *settings, int argc, char **argv)
{
    int option;

    while ((option = getopt_long(argc, argv, "qw:d:", words, NULL)) != -1) {
        switch (option) {
        case 'q':
            settings->quiet = 1;
            break;
        case 'w':
            settings->width = strtol(optarg, NULL, 10);
            if (settings->width < 1)
                return -1;
            break;
        case 'd':
            if (optarg[0] != '\0' && optarg[1] != '\0')
                return -1;
            settings->delimiter = optarg;
            break;
        case 'u':
            settings->unique = 1;
            break;
        default:
            return -1;
        }
    }
    return optind == argc ? 0 : -1;
}
