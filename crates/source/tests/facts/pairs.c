// Which number counts the elements behind a pointer. Names of functions say what is expected.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each rule on its own. */
int yes_index_is_compared(const int *a, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += a[i];
    return sum;
}
int yes_index_counts_up_to(const int *a, int n) {
    int sum = 0;
    for (int i = 0; i != n; ++i) sum += *(a + i);
    return sum;
}
int yes_guarded(const int *table, unsigned count, unsigned at) {
    if (at >= count) return -1;
    return table[at];
}
int yes_halved(const int *sorted, int n, int key) {
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] == key) return middle;
        if (sorted[middle] < key) low = middle + 1;
        else high = middle - 1;
    }
    return -1;
}
int yes_remainder(const int *ring, unsigned size, unsigned at) { return ring[at % size]; }
int yes_last(const int *a, int n) { return n > 0 ? a[n - 1] : 0; }
int yes_counted_down(const int *a, int n) {
    int sum = 0;
    while (n--) sum += a[n];
    return sum;
}
int yes_end(const int *first, size_t n) {
    const int *end = first + n;
    int sum = 0;
    while (first < end) sum += *first++;
    return sum;
}
unsigned yes_walked(const uint8_t *p, size_t left) {
    unsigned sum = 0;
    while (left-- > 0) sum = sum * 31 + *p++;
    return sum;
}
void yes_library(char *to, const char *from, size_t len) { memcpy(to, from, len); }
void yes_library_elements(int *to, size_t n) { memset(to, 0, n * sizeof *to); }
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void yes_sorted(int *values, size_t count) { qsort(values, count, sizeof *values, by_value); }
int yes_passed_on(int *values, int how_many) { return yes_index_is_compared(values, how_many); }
int yes_passed_on_twice(int flag, int *values, int count) { return flag ? yes_passed_on(values, count) : 0; }
int yes_alias(const void *data, size_t length) {
    const unsigned char *bytes = data;
    int sum = 0;
    for (size_t i = 0; i < length; i++) sum += bytes[i];
    return sum;
}
int yes_main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-') return i;
    return 0;
}
int yes_both(const int *a, const int *b, int n) {
    for (int i = 0; i < n; i++)
        if (a[i] != b[i]) return i;
    return n;
}
int yes_far_but_named(const int *items, int key, int flags, int nitems) {
    for (int i = 0; i < nitems; i++)
        if (items[i] == key) return i;
    return flags;
}
int yes_array(int n, const int a[n]) { return a[0]; }

/* Uses that are not enough, or speak against it. */
int no_use(const int *a, int n) { return a != 0 && n > 3; }
int no_name_or_position(const int *a, int key, int top) {
    for (int i = 0; i < top; i++)
        if (a[i] == key) return i;
    return -1;
}
int no_text(const char *s, int n) {
    int i = 0;
    while (i < n && s[i]) i++;
    return i;
}
int no_text_call(const char *s, int n) {
    for (int i = 0; i < n; i++)
        if (s[i] == ' ') return i;
    return (int)strlen(s);
}
int no_index(const int *a, int n) { return a[n]; }
int no_terminator(char *buffer, int len) {
    for (int i = 0; i < len; i++) buffer[i] = 'x';
    buffer[len] = 0;
    return 0;
}
int no_matrix(const int *m, int rows, int columns) {
    int sum = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) sum += m[i * columns + j];
    return sum;
}
int no_matrix_by_steps(const int *m, int rows, int columns) {
    int sum = 0;
    for (int i = 0; i < rows * columns; i++) sum += m[i];
    return sum;
}
int no_stretch(const int *a, int start, int n) {
    int sum = 0, end = start + n;
    for (int i = start; i < end; i++) sum += a[i];
    return sum;
}
int no_stated(const int a[6], int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += a[i];
    return sum;
}
int no_one_more(const int *a, int n) {
    int sum = 0;
    for (int i = 0; i < n + 1; i++) sum += a[i];
    return sum;
}
void no_bounds(int *a, int low, int high) {
    int i = low, j = high, pivot = a[(low + high) / 2];
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    if (low < j) no_bounds(a, low, j);
    if (i < high) no_bounds(a, i, high);
}
void no_bytes_of_elements(int *to, size_t size) { memset(to, 0, size); }
int no_element_size(const void *base, size_t n, size_t size) {
    const unsigned char *at = base;
    return at[(n - 1) * size];
}

int no_last_index(const int *codes, int max_code) {
    int sum = 0;
    for (int i = 0; i <= max_code; i++) sum += codes[i];
    return sum;
}
int no_other_loop(int *limit, int width, int *base, int n) {
    int i, sum = 0;
    for (i = 0; i < 23; i++) sum += limit[i];
    for (i = 0; i < width; i++) sum += i;
    for (i = 0; i < n; i++) sum += base[i];
    return sum;
}
int no_offset(const int *a, int at) { return *(a + 1) + (a + at)[1]; }
int no_overshoot(int *block, int n) {
    for (int i = 0; i < n; i++) block[n + i] = block[i];
    return 0;
}
int no_other_length(char *dst, const char *src, size_t src_len) {
    while (src_len-- > 0) {
        if (*src == '"') *dst++ = '\\';
        *dst++ = *src++;
    }
    return 0;
}
int no_both_directions(int at, const int *ring, int n) {
    for (int steps = 0; steps < 9; steps++) {
        at++;
        if (at >= n) at -= n;
    }
    return ring[at];
}

/* Members. */
struct vector {
    int *data;
    size_t length, capacity;
};
int vector_push(struct vector *v, int value) {
    if (v->length == v->capacity) {
        return -1;
    }
    v->data[v->length++] = value;
    return 0;
}
int vector_sum(const struct vector *v) {
    int sum = 0;
    for (size_t i = 0; i < v->length; i++) sum += v->data[i];
    return sum;
}
typedef struct {
    const char *bytes;
    int len;
    int unrelated;
} slice;
int slice_find(const slice *s, char c) {
    const char *bytes = s->bytes;
    int n = s->len;
    for (int i = 0; i < n; i++)
        if (bytes[i] == c) return i;
    return -1;
}
struct packet {
    unsigned char count;
    struct vector items[];
};
int packet_total(const struct packet *p) {
    int sum = 0;
    for (int i = 0; i < p->count; i++) sum += vector_sum(&p->items[i]);
    return sum;
}
struct named {
    char *name;
    int n;
};
int named_length(const struct named *x) {
    int i = 0;
    while (i < x->n && x->name[i] != '\0') i++;
    return i;
}
void no_size_of_the_other(void *dest, size_t dest_size, const void *src, size_t src_size) {
    unsigned char *to = dest;
    const unsigned char *from = src;
    size_t written = 0;
    while (src_size) {
        if (dest_size > written) *to++ = *from;
        written++;
        src_size--;
        from++;
    }
}
void each_has_the_number_behind_it(unsigned char *to, unsigned room, const unsigned char *from, unsigned n) {
    unsigned written = 0;
    for (; n; n--, from++, written++) {
        if (room > written) *to++ = *from;
    }
}

/* utf8proc: a negative length means that the text ends itself */
int first_character(const unsigned char *str, long strlen)
{
    const unsigned char *end = str + ((strlen < 0) ? 4 : strlen);

    return str < end ? *str : -1;
}

/* A check against a constant that fits the last constant index behind it */
int last_checked_for(const unsigned short *words, int flags, unsigned count) {
    if (flags == 0 || count < 4) return -1;
    return words[3];
}
int a_header_checked_for(const unsigned char *packet, size_t n) {
    if (n < 3) return -1;
    return packet[0] == 1 ? packet[1] : 0;
}
int one_too_far(const unsigned char *packet, size_t n) { return n >= 3 && packet[0] ? packet[3] : 0; }
int leaves_inside(const unsigned char *packet, unsigned len) {
    if (3 <= len) {
        if (packet[0] == 7) return packet[2];
        return packet[1];
    }
    return 0;
}
/* No length: far too large an index, larger elements without a fitting index, a number that is no count, none behind it */
int no_length_far(const unsigned char *bytes, size_t n) { return n >= 2 ? bytes[9] : 0; }
int no_length_elements(const long *values, size_t n) { return n >= 3 ? values[1] : 0; }
int no_length_mode(const unsigned char *bytes, int mode) { return mode > 2 ? bytes[1] : 0; }
int no_length_before(int n, const unsigned char *bytes) { return n > 3 ? bytes[2] : 0; }
struct message { const unsigned char *body; unsigned flags; unsigned body_len; };
int message_kind(const struct message *m) {
    if (m->body_len != 4) return -1;
    return m->body[0] << 8 | m->body[3];
}
