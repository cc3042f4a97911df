/* ---- Options: whole command lines, read by the model and by the library, argument by argument ---- */

int getopt(int, char *const *, const char *);
int getopt_long(int, char *const *, const char *, const struct option *, int *);
int getopt_long_only(int, char *const *, const char *, const struct option *, int *);

extern int opterr;

enum { MOST_ARGUMENTS = 7, MOST_STEPS = 64 };

typedef struct {
  int found, index, optind, optopt, flag;
  const char *optarg;
} step;

/* Few words, many of which begin alike. */
static const char *const WORDS[] = {"-",     "--",      "-a",      "-ab",   "-bx",  "-b",    "-c",      "-cx",       "-W",
                                    "-Wall", "--all",   "--alike", "--al",  "--a",  "--b=1", "--bold",  "--bold=",   "--c",
                                    "other", "",        "--dark=", "--da",  "-all", "-bold", "-d",      "-x:",       "-;",
                                    "-W;",   "--all=x", "-a-",     "--boldly", "more", "-color=red", "--color"};
static const char *const LETTERS[] = {"ab:c::", "+ab:c::", "-ab:c::", ":ab:c::W;", "", "+:b:W;", "-:c::a"};

static int option_flag;
static const struct option KNOWN[] = {{"all", 0, 0, 'a'},         {"alike", 0, 0, 'a'}, {"bold", 1, 0, 'b'},
                                      {"color", 2, 0, 'c'},       {"colour", 2, 0, 'c'}, {"dark", 0, &option_flag, 7},
                                      {"dart", 1, &option_flag, 8}, {0, 0, 0, 0}};

static int read_one(int is_model, int kind, int argc, char **argv, const char *letters, int *index) {
  if (kind == 0) return is_model ? tkm_getopt(argc, argv, letters) : getopt(argc, argv, letters);
  if (kind == 1) {
    return is_model ? tkm_getopt_long(argc, argv, letters, KNOWN, index)
                    : getopt_long(argc, argv, letters, KNOWN, index);
  }
  return is_model ? tkm_getopt_long_only(argc, argv, letters, KNOWN, index)
                  : getopt_long_only(argc, argv, letters, KNOWN, index);
}

/* All options up to the end, and how many there were. */
static int read_all(int is_model, int kind, int argc, char **argv, const char *letters, step *steps) {
  optind = 0;
  optopt = 77;
  option_flag = 0;
  for (int n = 0; n < MOST_STEPS; n++) {
    int index = -1, found = read_one(is_model, kind, argc, argv, letters, &index);
    steps[n] = (step){found, index, optind, optopt, option_flag, optarg};
    if (found == -1) return n + 1;
  }
  return MOST_STEPS;
}

static void check_options(void) {
  opterr = 0;
  for (int round = 0; round < 40000; round++) {
    char *ours[MOST_ARGUMENTS + 1] = {0}, *theirs[MOST_ARGUMENTS + 1] = {0};
    step our_steps[MOST_STEPS], their_steps[MOST_STEPS];
    int argc = (int)below(MOST_ARGUMENTS + 1), kind = (int)below(3);
    const char *letters = LETTERS[below(sizeof LETTERS / sizeof *LETTERS)];
    for (int i = 0; i < argc; i++) ours[i] = theirs[i] = (char *)WORDS[below(sizeof WORDS / sizeof *WORDS)];
    int our_count = read_all(1, kind, argc, ours, letters, our_steps);
    int their_count = read_all(0, kind, argc, theirs, letters, their_steps);
    same(our_count, their_count, "number of options", letters);
    for (int i = 0; i < our_count && i < their_count; i++) {
      same(our_steps[i].found, their_steps[i].found, "option", letters);
      same(our_steps[i].index, their_steps[i].index, "index of an option", letters);
      same(our_steps[i].optind, their_steps[i].optind, "optind", letters);
      same(our_steps[i].optopt, their_steps[i].optopt, "optopt", letters);
      same(our_steps[i].flag, their_steps[i].flag, "flag of an option", letters);
      same((long)our_steps[i].optarg, (long)their_steps[i].optarg, "optarg", letters);
    }
    same(memcmp(ours, theirs, sizeof ours), 0, "order of arguments", letters);
  }
}
