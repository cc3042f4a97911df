// Functions that nobody defines, and function pointers.
#include <errno.h>
#include <stddef.h>

struct reading { int value; double weight; };
struct hidden;
struct big { char bytes[10000]; };
enum state { IDLE, BUSY };

int plain(int channel);
enum state by_pointer(struct reading *out);
void by_length(int *values, size_t count);
int length_first(unsigned n, struct reading *values);
int bytes_into(char *buffer, int len);
int raw_into(void *, size_t);
int text_only(char *buffer);
int untouched(const struct reading *in, void *context, struct hidden *hidden, struct big *big);
int size_in_bytes(struct reading *out, size_t size);
int fixed(int triple[3]);
char *find(const char *name, char **end);
struct reading whole(void);
struct hidden *handle(void);
struct hidden whole_hidden(void);
int printer(const char *format, ...);
_Noreturn void stop(int *status);
int no_list();

struct driver {
    int (*open)(const char *path, int *handle);
    long (*read)(int handle, char *buffer, size_t count);
    void (*fail)(const char *) __attribute__((noreturn));
    struct hidden (*make)(void);
    void (*old)();
};

int unit(struct driver *driver, struct reading *r) {
    struct big *big = 0;
    char *end;
    if (plain(1) && by_pointer(r) == BUSY && errno != EAGAIN) {
        by_length(&r->value, 1);
        return length_first(1, r) + bytes_into((char *)r, 2) + raw_into(r, 3) + text_only(0) + no_list(3);
    }
    if (untouched(r, 0, 0, big) || size_in_bytes(r, sizeof *r) || fixed(&r->value) || find("x", &end)) {
        return whole().value + (handle() != 0) + printer("x");
    }
    (void)whole_hidden;
    stop(0);
}

/* Everything here is handed over before anybody wrote it. */
int handing(struct driver *driver) {
    struct reading one, two, some[2] = {{0}};
    int numbers[4], triple[3];
    char text[8] = {0}, raw[8], read[8];
    by_length(numbers, 4);
    driver->read(0, read, sizeof read);
    return by_pointer(&one) + length_first(2, some) + bytes_into(text, 8) + raw_into(raw, 8) +
           size_in_bytes(&two, sizeof two) + fixed(triple);
}

/* Promised to be fresh, there and so large; and with one of these promises missing. */
void *fresh(unsigned long size) __attribute__((malloc, alloc_size(1), returns_nonnull));
char *fresh_array(long n, unsigned long size) __attribute__((__malloc__)) __attribute__((__alloc_size__(1, 2), __returns_nonnull__));
void *perhaps(unsigned long size) __attribute__((malloc, alloc_size(1)));
void *moved(void *old, unsigned long size) __attribute__((alloc_size(2), returns_nonnull));

int allocating(void) {
    return fresh(8) == fresh_array(2, 4) && perhaps(8) == moved(0, 8);
}
