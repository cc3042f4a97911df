/* State that the code does not own alone: hardware, other threads, signals, functions that are called back, the rounding
 * mode, errno, and what an earlier call left behind. */
#include <errno.h>
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

volatile unsigned char ready;

/* An interrupt may set the flag right after it is cleared. */
int clear_and_look(void)
{
    ready = 0;
    if (ready)
        return 1;
    return 0;
}

struct uart {
    volatile unsigned SR;
    volatile unsigned DR;
};

/* The registers of a device change by themselves: the wait ends, and two reads need not agree. */
int uart_receive(struct uart *U)
{
    unsigned byte;

    U->DR = 0;
    while (!(U->SR & 0x20))
        ;
    byte = U->DR & 0xff;
    if (byte == 0x7e)
        return -1;
    if (U->SR & 0x0f)
        return -2;
    return (int)byte;
}

/* A volatile copy guards against a disturbed memory cell, so it may differ from what was stored a moment ago. */
int guarded_compare(int key, int secret)
{
    volatile int copy = key;

    if (copy != key)
        return -1;
    return key == secret ? 1 : 0;
}

_Atomic int shared_version;

/* Another thread may write between the two reads. */
int stable_version(void)
{
    int first = shared_version;
    int second = shared_version;

    if (first != second)
        return -1;
    if (first & 1)
        return -2;
    return first;
}

atomic_uint owner;

/* The lock can be free or taken, whatever was seen before. */
int try_lock(unsigned me)
{
    unsigned expected = 0;

    owner = 0;
    if (!atomic_compare_exchange_strong(&owner, &expected, me))
        return expected == me ? 2 : 0;
    return 1;
}

int pending;

/* The function that is called back may change the public counter. */
int run_callback(void (*callback)(void))
{
    pending = 0;
    callback();
    if (pending > 0)
        return 1;
    return 0;
}

static int busy;

void set_busy(int value)
{
    busy = value;
}

void publish(int event);

/* What receives the event may call set_busy, although the variable is private to this file. */
int send_event(int event)
{
    busy = 1;
    publish(event);
    if (!busy)
        return 0;
    if (busy == 7)
        return 7;
    return 1;
}

int error_count;

int transmit(int byte);

/* The transmitter is somebody else's code, and the error count is public. */
int send_byte(int byte)
{
    int before = error_count;

    if (transmit(byte) < 0)
        return -1;
    if (error_count != before)
        return -2;
    return 0;
}

struct walk {
    int stop;
    int seen;
};

/* The visitor gets the structure itself and may ask for a stop. */
int walk_items(struct walk *walk, void (*visit)(void *data, int item), int count)
{
    int i;

    walk->stop = 0;
    walk->seen = 0;
    for (i = 0; i < count; i++) {
        visit(walk, i);
        if (walk->stop)
            return i;
    }
    return walk->seen > 2 ? -2 : -1;
}

/* The third is rounded as the mode says: upward it is above the nearest double. */
int third_is_high(int mode)
{
#pragma STDC FENV_ACCESS ON
    int old = fegetround();
    double third;
    int high = 0;

    if (fesetround(mode) != 0)
        return -1;
    third = 1.0 / 3.0;
    if (third > 0.33333333333333331)
        high = 1;
    fesetround(old);
    return high;
}

/* The caller may have chosen to round upward. Then even a tiny addend is felt. */
int addend_is_felt(double x)
{
#pragma STDC FENV_ACCESS ON
    if (!(x >= 1.0))
        return -1;
    if (x + 1e-30 > x)
        return 1;
    return 0;
}

/* The size of a variable array is computed each time, so the increment in it takes place. */
int slot_after(int n)
{
    size_t size;

    if (n < 1 || n > 6)
        return -1;
    size = sizeof(int[n++]);
    if (n == 7)
        return 7;
    return size == 3 * sizeof(int) ? 3 : 0;
}

static volatile sig_atomic_t interrupted;

void on_interrupt(int number)
{
    interrupted = number;
}

/* The signal may arrive at any time in the loop. */
long count_until_signal(long limit)
{
    long i;

    interrupted = 0;
    for (i = 0; i < limit; i++)
        if (interrupted)
            return -i;
    return i;
}

/* The counter keeps its value from call to call; the fourth call in a row is one too many. */
int attempts_left(int reset)
{
    static unsigned attempts;

    if (reset) {
        attempts = 0;
        return 3;
    }
    attempts++;
    if (attempts > 3)
        return -1;
    return attempts == 3 ? 0 : 1;
}

/* An earlier call somewhere else may have left its error number. */
int last_error_class(void)
{
    if (errno == 0)
        return 0;
    if (errno == EINTR || errno == EAGAIN)
        return 1;
    return 2;
}

static jmp_buf way_out;

void give_up(void)
{
    longjmp(way_out, 1);
}

/* Either job may call give_up, which comes back out of setjmp a second time. */
int guarded_jobs(void (*first)(void), void (*second)(void))
{
    volatile int stage = 0;

    if (setjmp(way_out) != 0) {
        if (stage == 1)
            return -1;
        return -2;
    }
    stage = 1;
    first();
    stage = 2;
    second();
    return 0;
}

static const char *separator = "/";

/* The variable is not const: whoever sets up the program may point it at another text. */
int is_windows_path(char c)
{
    if (*separator == '\\')
        return 2;
    return c == *separator ? 1 : 0;
}

void use_separator(const char *text)
{
    separator = text;
}

extern const unsigned char char_class[257];

/* Another file defines the table: here nobody knows what it holds. */
int starts_with_space(const char *text)
{
    if (char_class[(unsigned char)*text + 1] & 8)
        return 1;
    return 0;
}
