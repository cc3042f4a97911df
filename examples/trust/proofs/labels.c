/* Values that come from functions labelled const, pure or the like. The label says that a call has no effect; it does not
 * say that the result is always the same. */
#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define unlikely(x) __builtin_expect(!!(x), 0)

/* abs is declared const, but the distance follows the two positions: it can be anything from 0 to 20000. */
int distance_class(int position, int target)
{
    int distance;

    if (position < -10000 || position > 10000 || target < -10000 || target > 10000)
        return -1;
    distance = abs(position - target);
    if (distance == 0)
        return 0;
    if (distance < 10)
        return 1;
    if (distance > 19990)
        return 3;
    return 2;
}

/* The wider forms of abs follow their arguments too, so each alarm can go off. */
int drift_alarm(long ppm, long long offset, intmax_t jitter)
{
    if (labs(ppm) > 500)
        return 1;
    if (llabs(offset) == 86400000000LL)
        return 2;
    if (imaxabs(jitter) % 1000 == 999)
        return 3;
    return 0;
}

/* memcmp is pure: its sign depends on the bytes that the caller put into the two keys. */
int key_order(const unsigned char left[8], const unsigned char right[8])
{
    int order = memcmp(left, right, 8);

    if (order < 0)
        return -1;
    if (order > 0)
        return 1;
    return memcmp(left, "\0\0\0\0\0\0\0\0", 8) == 0 ? 2 : 0;
}

/* The text is cut between the two calls of strlen, so the second length can be below the first. */
int cut_line(char *line)
{
    size_t before = strlen(line);
    char *end = strchr(line, '\n');

    if (end != NULL)
        *end = '\0';
    if (strlen(line) < before)
        return 1;
    if (strlen(line) == 12)
        return 2;
    return 0;
}

/* Every one of the words can be what the caller passes. */
int command_of(const char *word)
{
    if (strcmp(word, "get") == 0)
        return 1;
    if (strcmp(word, "set") == 0)
        return 2;
    if (strncmp(word, "del", 3) == 0)
        return strlen(word) > 3 ? 4 : 3;
    if (strcmp(word, "get") < 0)
        return 5;
    return 0;
}

/* Where memchr and strspn stop is up to the text, so the number can be missing, short, or followed by more. */
int split_field(const char *text)
{
    const char *colon = memchr(text, ':', strlen(text));
    size_t digits;

    if (colon == NULL)
        return -1;
    if (colon - text == 3)
        return 3;
    digits = strspn(colon + 1, "0123456789");
    if (digits > 2)
        return 2;
    return colon[1 + digits] != '\0' ? 1 : 0;
}

/* div gives a structure by value; both parts follow the number of minutes, and the rest of a negative one is negative. */
int clock_face(int minutes, long seconds)
{
    div_t hours = div(minutes, 60);
    ldiv_t days = ldiv(seconds, 86400L);

    if (hours.quot >= 24)
        return 1;
    if (hours.rem < 0)
        return 2;
    if (days.rem == 86399)
        return 3;
    if (days.quot == 365)
        return 4;
    return 0;
}

/* Plain digits and letters are all legal characters, so each class has members. */
int hex_value(int c)
{
    if (c < 0 || c > 127)
        return -2;
    if (isdigit(c))
        return c - '0';
    if (toupper(c) == 'F')
        return 15;
    if (toupper(c) >= 'A' && toupper(c) < 'F')
        return toupper(c) - 'A' + 10;
    return -1;
}

/* atoi follows the text, and ffs follows the mask; no bit at all gives 0. */
int first_channel(const char *mask_text, int mask)
{
    int bit = ffs(mask);

    if (bit == 0)
        return -1;
    if (bit > 31)
        return 31;
    if (atoi(mask_text) == bit)
        return bit;
    if (atoi(mask_text) < 0)
        return -2;
    return 0;
}

__attribute__((const)) static int weight(int place)
{
    return place % 2 ? 3 : 1;
}

/* The sum of a good number is a multiple of ten; a typing error gives any other sum. */
int check_number(const unsigned char digits[13])
{
    int sum = 0;
    int place;

    for (place = 0; place < 13; place++)
        sum += weight(place) * (digits[place] & 15);
    if (sum % 10 != 0)
        return 0;
    if (sum == 0)
        return 2;
    if (sum > 300)
        return 3;
    return 1;
}

__attribute__((const)) static int limited(int x)
{
    if (x > 1000)
        return 1000;
    return x < -1000 ? -1000 : x;
}

__attribute__((const)) static int scaled(int x)
{
    return limited(x) * 3 + 1;
}

/* One labelled function inside another is still a function of the reading. */
int sensor_level(int reading)
{
    int level = limited(scaled(reading));

    if (level == 1000)
        return 3;
    if (level == -1000)
        return -3;
    if (level == 301)
        return 1;
    return 0;
}

__attribute__((pure)) static int largest(const int *values)
{
    int best = values[0];
    int i;

    for (i = 1; i < 4; i++)
        if (values[i] > best)
            best = values[i];
    return best;
}

/* The array is changed between the two calls, so a pure function may well answer differently. */
int lower_peak(int *values)
{
    int before = largest(values);
    int after;

    values[2] = 0;
    after = largest(values);
    if (after < before)
        return 1;
    if (after == 77)
        return 2;
    return after > before ? 3 : 0;
}

struct point {
    int x;
    int y;
};

__attribute__((const)) static struct point turned(int x, int y)
{
    struct point p = { -y, x };

    return p;
}

/* A quarter turn of (x, y) can land in any quarter of the plane. */
int quarter_of(int x, int y)
{
    struct point p;

    if (x < -500 || x > 500 || y < -500 || y > 500)
        return -1;
    p = turned(x, y);
    if (p.x > 0 && p.y > 0)
        return 1;
    if (p.x == 480)
        return 2;
    return 0;
}

__attribute__((const)) static const char *kind_name(unsigned kind)
{
    static const char *const names[4] = { "file", "folder", "link", "pipe" };

    return names[kind & 3];
}

/* The pointer is chosen by the kind, so it can be each of the four names. */
int is_special(unsigned kind)
{
    const char *name = kind_name(kind);

    if (name[0] == 'p')
        return 2;
    return name == kind_name(2) ? 1 : 0;
}

__attribute__((const)) static unsigned char mixed(unsigned char sum, unsigned char byte)
{
    return (unsigned char)((sum << 1) ^ byte);
}

/* The sum of the three bytes can have any value of a byte, zero and 255 included. */
int frame_sum(const unsigned char frame[3])
{
    unsigned char sum = mixed(mixed(frame[0], frame[1]), frame[2]);

    if (sum == 255)
        return 2;
    if (sum)
        return 1;
    return 0;
}

char slots[4];

__attribute__((returns_nonnull)) static char *slot(unsigned i)
{
    return &slots[i % 4];
}

/* Never null does not mean always the same slot, nor that the slot is empty. */
int same_slot(unsigned i, unsigned j)
{
    if (i == j)
        return -1;
    if (slot(i) == slot(j))
        return 1;
    if (*slot(i) == 'x')
        return 2;
    return 0;
}

static unsigned char pool[256];
static size_t pool_used;

__attribute__((malloc)) static void *take(size_t size)
{
    void *piece;

    if (size > sizeof pool - pool_used)
        return NULL;
    piece = pool + pool_used;
    pool_used += size;
    return piece;
}

/* The pool runs dry when the size is too large, and sometimes only at the second piece. */
int open_record(size_t size)
{
    unsigned char *header = take(size);
    unsigned char *body = take(size);

    if (header == NULL)
        return -1;
    if (body == NULL)
        return 1;
    return 0;
}

/* The hint says what is likely. It rules out nothing. */
int queue_packet(int length, unsigned flags)
{
    if (__builtin_expect(length > 1500, 0))
        return -1;
    if (unlikely(length == 1499))
        return 2;
    if (__builtin_expect((flags & 1) == 0, 1))
        return 1;
    return 0;
}

int gain = 1;

__attribute__((noinline, pure)) static int amplified(int x)
{
    return x * gain;
}

/* The function is pure but reads a global, which changes between the two calls. */
int gain_step(int x)
{
    int before, after;

    if (x < 0 || x > 100 || gain < 0 || gain > 1000)
        return -1;
    before = amplified(x);
    gain++;
    after = amplified(x);
    if (after != before)
        return 1;
    return 0;
}

static inline int rounded_up(int size)
{
    return (size + 7) & ~7;
}

/* An inline function is a function like any other: sizes that are no multiple of eight grow. */
int wasted_bytes(int size)
{
    if (size < 0 || size > 65536)
        return -1;
    if (rounded_up(size) - size == 7)
        return 7;
    return rounded_up(size) == size ? 0 : 1;
}
