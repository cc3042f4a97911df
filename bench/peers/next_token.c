#include "../../examples/tokenizer.c"
#include "peer.h"

static void one_run(void)
{
    char line[32];
    unsigned char absent;
    size_t end;

    /* Either pointer may be null. */
    fill(&absent, sizeof absent);
    fill(line, sizeof line - 1);
    line[sizeof line - 1] = '\0';
    next_token(absent & 1 ? NULL : line, absent & 2 ? NULL : &end);
}
