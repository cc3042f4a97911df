/* <ctype.h> in the "C" locale, without branches, so that a test of the result is the only condition. Each class gives
 * the very bit glibc gives, because a unit may hand it on. */
#include "models.h"

static unsigned between(int c, int first, int last) { return (unsigned)(c - first) <= (unsigned)(last - first); }

int tkm_isupper(int c) { return (int)(between(c, 'A', 'Z') << 8); }
int tkm_islower(int c) { return (int)(between(c, 'a', 'z') << 9); }
int tkm_isalpha(int c) { return (int)((between(c, 'A', 'Z') | between(c, 'a', 'z')) << 10); }
int tkm_isdigit(int c) { return (int)(between(c, '0', '9') << 11); }
int tkm_isxdigit(int c) { return (int)((between(c, '0', '9') | between(c, 'A', 'F') | between(c, 'a', 'f')) << 12); }
int tkm_isspace(int c) { return (int)((between(c, '\t', '\r') | (c == ' ')) << 13); }
int tkm_isprint(int c) { return (int)(between(c, ' ', '~') << 14); }
int tkm_isgraph(int c) { return (int)(between(c, '!', '~') << 15); }
int tkm_isblank(int c) { return (c == ' ') | (c == '\t'); }
int tkm_iscntrl(int c) { return (int)((between(c, 0, 31) | (c == 127)) << 1); }
int tkm_ispunct(int c) {
  return (int)((between(c, '!', '/') | between(c, ':', '@') | between(c, '[', '`') | between(c, '{', '~')) << 2);
}
int tkm_isalnum(int c) {
  return (int)((between(c, '0', '9') | between(c, 'A', 'Z') | between(c, 'a', 'z')) << 3);
}
int tkm_isascii(int c) { return (c & ~0x7f) == 0; }
int tkm_toascii(int c) { return c & 0x7f; }

/* glibc's tables give a negative character other than EOF as an unsigned one. */
static int as_in_table(int c) { return c + (int)(between(c, -128, -2) << 8); }

int tkm_tolower(int c) { return as_in_table(c) + (int)(between(c, 'A', 'Z') << 5); }
int tkm_toupper(int c) { return as_in_table(c) - (int)(between(c, 'a', 'z') << 5); }
