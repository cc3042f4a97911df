/* State that lives on between calls, recursion, jumps, calls through pointers. */
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

/* 6.2.4p3: a static variable keeps its value from call to call, so the counter
   reaches 300 in the 300th call. */
int every_300th(void)
{
    static int calls;

    calls++;
    if (calls == 300) {
        calls = 0;
        return 1;
    }
    return 0;
}

/* 6.2.4p3 and 6.3.1.3p2: the id is kept between calls and wraps to 0 in the
   256th call. */
unsigned char fresh_id(void)
{
    static unsigned char id;

    id++;
    if (id == 0)
        id = 1;
    return id;
}

/* 6.2.4p3: stage lives on between calls. Only the keys 3, 1, 4 in three calls
   open the lock. */
int unlock(int key)
{
    static int stage;

    if (stage == 0 && key == 3)
        stage = 1;
    else if (stage == 1 && key == 1)
        stage = 2;
    else if (stage == 2 && key == 4)
        stage = 3;
    else
        stage = 0;
    if (stage == 3) {
        stage = 0;
        return 1;
    }
    return 0;
}

/* 6.7.9p10 and 6.2.4p3: the static variables start as zero, and only the first
   call finds ready at 0. The smallest value is kept for the later calls. */
int new_low(int value)
{
    static int ready;
    static int lowest;

    if (!ready) {
        ready = 1;
        lowest = value;
        return 0;
    }
    if (value < lowest) {
        lowest = value;
        return 1;
    }
    return -1;
}

/* 6.5.2.2p11: a function may call itself. A call from outside always finds
   busy at 0, the inner call finds it at 1. */
int enter(int again)
{
    static int busy;
    int result = 0;

    if (busy)
        return -1;
    busy = 1;
    if (again > 0)
        result = enter(again - 1);
    busy = 0;
    if (result < 0)
        return 1;
    return 0;
}

static int deepest;

static const char *skip_group(const char *s, int depth);

static const char *skip_items(const char *s, int depth)
{
    if (depth > deepest)
        deepest = depth;
    while (*s == '(')
        s = skip_group(s, depth);
    return s;
}

static const char *skip_group(const char *s, int depth)
{
    s = skip_items(s + 1, depth + 1);
    if (*s == ')')
        s++;
    return s;
}

/* 6.5.2.2p11: two functions may call each other. A text with more than 40
   open brackets goes deeper than 40. */
int too_deep(const char *text)
{
    deepest = 0;
    skip_items(text, 0);
    if (deepest > 40)
        return 1;
    return 0;
}

static unsigned walk(unsigned long n)
{
    if (n <= 1)
        return 0;
    if (n % 2 == 0)
        return 1 + walk(n / 2);
    return 1 + walk(3 * n + 1);
}

/* 6.5.2.2p11: recursion may be deep for a small argument. From 27 the walk
   takes 111 steps. */
int long_walk(unsigned char start)
{
    if (start < 30) {
        if (walk(start) > 100)
            return 1;
        return 0;
    }
    return -1;
}

static jmp_buf back;

static void leave(int code)
{
    longjmp(back, code);
}

/* 7.13.2.1p4: longjmp with the value 0 makes setjmp return 1. So case 1 is
   also reached with the code 0. */
int leave_code(int code)
{
    switch (setjmp(back)) {
    case 0:
        leave(code);
        return -1;
    case 1:
        if (code == 0)
            return 0;
        return 1;
    default:
        return 2;
    }
}

/* 7.13.2.1p3: a volatile variable keeps its last value after longjmp, so the
   count goes up although every jump starts again at setjmp. */
int tries_needed(unsigned char wanted)
{
    static jmp_buf start;
    volatile int tries = 0;

    if (setjmp(start) != 0)
        tries = tries + 1;
    if (tries < wanted)
        longjmp(start, 1);
    if (tries == 3)
        return 1;
    return 0;
}

static int level;

static void level_up(void)
{
    level += 10;
}

static void level_down(void)
{
    level -= 10;
}

static void (*const moves[2])(void) = { level_up, level_down };

/* 6.5.2.2: the function that is called through the pointer changes the global.
   Both of them do, so level is never 0 after the call. */
int level_after(unsigned move)
{
    level = 0;
    moves[move % 2]();
    if (level > 0)
        return 1;
    if (level == 0)
        return 0;
    return -1;
}

static volatile sig_atomic_t seen;

static void note_signal(int number)
{
    seen = number;
}

/* 7.14.2.1p2: raise returns only after the handler has run, and the handler
   has changed seen. */
int asked_to_stop(int ask)
{
    seen = 0;
    signal(SIGTERM, note_signal);
    if (ask)
        raise(SIGTERM);
    signal(SIGTERM, SIG_DFL);
    if (seen != 0)
        return 1;
    return 0;
}
