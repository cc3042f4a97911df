/* One driver for every tool that is compared: a fuzzer fills the input with bytes, in one process run after run; a bounded model
 * checker leaves it as it is, so that it is anything; by itself the program reads one input from its standard input.
 * A driver says what one run does in `one_run`, and asks `fill` for each part of its input. */
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void one_run(void);

#ifdef __CPROVER
#define fill(object, size) ((void)0)

int main(void)
{
    one_run();
    return 0;
}
#else
static const unsigned char *peer_bytes;
static size_t peer_left;

/* Bytes that are missing are zero. */
static void fill(void *object, size_t size)
{
    size_t count = size < peer_left ? size : peer_left;

    memset(object, 0, size);
    memcpy(object, peer_bytes, count);
    peer_bytes += count;
    peer_left -= count;
}

#ifdef __AFL_COMPILER
__AFL_FUZZ_INIT();

int main(void)
{
    const unsigned char *bytes;

    __AFL_INIT();
    bytes = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(100000)) {
        peer_left = (size_t)__AFL_FUZZ_TESTCASE_LEN;
        peer_bytes = bytes;
        one_run();
    }
    return 0;
}
#else
/* What was covered is written down at the end of a process, so a fault ends it in order. */
static void faulty(int number)
{
    exit(number);
}

int main(void)
{
    static unsigned char bytes[4096];
    ssize_t length = read(0, bytes, sizeof bytes);

    signal(SIGFPE, faulty);
    signal(SIGSEGV, faulty);
    signal(SIGABRT, faulty);
    peer_bytes = bytes;
    peer_left = length > 0 ? (size_t)length : 0;
    one_run();
    return 0;
}
#endif
#endif
