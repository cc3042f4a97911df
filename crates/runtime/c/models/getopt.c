/* <getopt.h>: reading options, as glibc does it, with its order of arguments and its state between calls. Messages are
 * not printed: no program sees them. */
#include "models.h"

char *getenv(const char *);
extern char *optarg;
extern int optind, optopt;

struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};

enum ordering { AT_THE_FIRST_OTHER, OTHERS_LAST, IN_ORDER };

/* What glibc remembers: where in a bundle of letters it is, the arguments before `optind` that are no options, and what it
 * told last: `optarg` and `optopt` are written by every call, `optind` is read as well. */
static char *rest, *last_argument;
static int first_other, behind_others, is_begun, last_wrong;
static enum ordering ordering;

struct command {
  int argc;
  char **argv;
  const char *letters;
  const struct option *words;
  int *index;
  int words_have_one_dash;
};

static int same_start(const char *name, const char *given, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (name[i] != given[i]) return 0;
  return 1;
}

static int is_other(const char *argument) { return argument[0] != '-' || !argument[1]; }

/* Puts the options just read before the other arguments in front of them. */
static void others_last(char **argv) {
  int others = behind_others - first_other, options = optind - behind_others;
  for (int option = 0; option < options; option++) {
    char *moved = argv[behind_others + option];
    for (int at = behind_others + option; at > first_other + option; at--) argv[at] = argv[at - 1];
    argv[first_other + option] = moved;
  }
  first_other = optind - others;
  behind_others = optind;
}

static int wrong(int about) {
  last_wrong = about;
  return '?';
}

static int without_argument(const struct command *command, int about) {
  last_wrong = about;
  return command->letters[0] == ':' ? ':' : '?';
}

/* Two options with one beginning that do different things. */
static int differ(const struct command *command, const struct option *one, const struct option *other) {
  return command->words_have_one_dash || one->has_arg != other->has_arg || one->flag != other->flag ||
         one->val != other->val;
}

/* The option that a word names, whole or by a beginning that no other has. */
static const struct option *named(const struct command *command, size_t length, int *is_ambiguous) {
  const struct option *found = 0;
  *is_ambiguous = 0;
  for (const struct option *option = command->words; option->name; option++)
    if (same_start(option->name, rest, length) && !option->name[length]) return option;
  for (const struct option *option = command->words; option->name; option++) {
    if (!same_start(option->name, rest, length)) continue;
    if (!found) found = option;
    else if (differ(command, found, option)) *is_ambiguous = 1;
  }
  return found;
}

static int word(const struct command *command) {
  size_t length = 0;
  while (rest[length] && rest[length] != '=') length++;
  int is_ambiguous;
  const struct option *option = named(command, length, &is_ambiguous);
  if (is_ambiguous) {
    rest += tkm_strlen(rest);
    optind++;
    return wrong(0);
  }
  if (!option) {
    int is_word = !command->words_have_one_dash || command->argv[optind][1] == '-';
    if (!is_word && tkm_strchr(command->letters, *rest)) return -1;
    rest = 0;
    optind++;
    return wrong(0);
  }
  char *argument = rest[length] ? rest + length + 1 : 0;
  optind++;
  rest = 0;
  if (argument && !option->has_arg) return wrong(option->val);
  if (!argument && option->has_arg == 1) {
    if (optind >= command->argc) return without_argument(command, option->val);
    argument = command->argv[optind++];
  }
  last_argument = argument;
  if (command->index) *command->index = (int)(option - command->words);
  if (!option->flag) return option->val;
  *option->flag = option->val;
  return 0;
}

static int letter(const struct command *command) {
  char given = *rest++;
  const char *known = tkm_strchr(command->letters, given);
  if (!*rest) optind++;
  if (!known || given == ':' || given == ';') return wrong(given);
  if (given == 'W' && known[1] == ';' && command->words) {
    if (!*rest && optind == command->argc) return without_argument(command, given);
    if (!*rest) rest = command->argv[optind];
    struct command words = *command;
    words.words_have_one_dash = 0;
    return word(&words);
  }
  if (known[1] != ':') return given;
  if (*rest) {
    last_argument = rest;
    optind++;
  } else if (known[2] != ':') {
    if (optind == command->argc) {
      rest = 0;
      return without_argument(command, given);
    }
    last_argument = command->argv[optind++];
  }
  rest = 0;
  return given;
}

static void begin(const char *letters) {
  if (!optind) optind = 1;
  first_other = behind_others = optind;
  rest = 0;
  is_begun = 1;
  if (*letters == '-') ordering = IN_ORDER;
  else ordering = *letters == '+' || getenv("POSIXLY_CORRECT") ? AT_THE_FIRST_OTHER : OTHERS_LAST;
}

static int next_option(struct command *command) {
  if (command->argc < 1) return -1;
  last_argument = 0;
  if (!optind || !is_begun) begin(command->letters);
  if (*command->letters == '-' || *command->letters == '+') command->letters++;
  if (rest && *rest) return letter(command);
  char **argv = command->argv;
  if (behind_others > optind) behind_others = optind;
  if (first_other > optind) first_other = optind;
  if (ordering == OTHERS_LAST) {
    if (first_other != behind_others && behind_others != optind) others_last(argv);
    else if (behind_others != optind) first_other = optind;
    while (optind < command->argc && is_other(argv[optind])) optind++;
    behind_others = optind;
  }
  if (optind != command->argc && same_start("--", argv[optind], 3)) {
    optind++;
    if (first_other != behind_others && behind_others != optind) others_last(argv);
    else if (first_other == behind_others) first_other = optind;
    behind_others = optind = command->argc;
  }
  if (optind == command->argc) {
    if (first_other != behind_others) optind = first_other;
    return -1;
  }
  if (is_other(argv[optind])) {
    if (ordering == AT_THE_FIRST_OTHER) return -1;
    last_argument = argv[optind++];
    return 1;
  }
  if (command->words && argv[optind][1] == '-') {
    rest = argv[optind] + 2;
    return word(command);
  }
  rest = argv[optind] + 1;
  if (command->words && command->words_have_one_dash && (rest[1] || !tkm_strchr(command->letters, *rest))) {
    int found = word(command);
    if (found != -1) return found;
  }
  return letter(command);
}

static int told(struct command command) {
  int found = next_option(&command);
  optarg = last_argument;
  optopt = last_wrong;
  return found;
}

int tkm_getopt(int argc, char *const *argv, const char *letters) {
  return told((struct command){argc, (char **)argv, letters, 0, 0, 0});
}

int tkm_getopt_long(int argc, char *const *argv, const char *letters, const struct option *words, int *index) {
  return told((struct command){argc, (char **)argv, letters, words, index, 0});
}

int tkm_getopt_long_only(int argc, char *const *argv, const char *letters, const struct option *words, int *index) {
  return told((struct command){argc, (char **)argv, letters, words, index, 1});
}
