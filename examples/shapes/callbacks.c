/* Functions of the caller that fill what they are given, and contexts that are handed through to them. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef char *(*line_reader)(char *buffer, int size, void *stream);

/* Counts the sections and keys of an ini text that arrives line by line. */
int ini_count(line_reader reader, void *stream, int *sections)
{
    char line[64];
    int keys = 0;

    *sections = 0;
    while (reader(line, (int)sizeof line, stream) != NULL) {
        if (line[0] == ';' || line[0] == '\0')
            continue;
        if (line[0] == '[') {
            if (strchr(line, ']') == NULL)
                return -1;
            ++*sections;
        } else if (strchr(line, '=') != NULL) {
            keys++;
        } else {
            return -2;
        }
    }
    return keys;
}

typedef size_t (*read_bytes)(void *user, unsigned char *into, size_t room);

/* A header that arrives in one piece. */
int read_header(read_bytes read, void *user)
{
    unsigned char header[4];
    size_t got = read(user, header, sizeof header);

    if (got < sizeof header)
        return -1;
    if (header[0] != 'P' || header[1] != 'K')
        return -2;
    return header[2] > 2;
}

/* Bytes up to a zero, one at a time. */
int read_name(int (*get)(void *), void *user, char *name, int room)
{
    int n = 0, c;

    if (room < 2 || room > 8)
        return -1;
    while ((c = get(user)) > 0) {
        if (n >= room - 1)
            return -2;
        name[n++] = (char)c;
    }
    name[n] = '\0';
    return n > 0 ? n : -3;
}

struct counter {
    int limit;
    int seen;
};

/* A visitor with its context behind a void pointer. */
int count_visitor(int value, void *user)
{
    struct counter *counter = user;

    if (value < 0)
        return 0;
    counter->seen++;
    return counter->seen >= counter->limit;
}

/* Calls a visitor for each element until it has had enough. */
int visit(const int *values, int count, int (*visitor)(int, void *), void *user)
{
    int i;

    for (i = 0; i < count && i < 4; i++)
        if (visitor(values[i], user))
            return i;
    return -1;
}

typedef int (*handler)(unsigned event, void *user);

struct subscription {
    unsigned mask;
    handler call;
    void *user;
};

/* Hands an event to those who asked for it; the first who takes it ends the round. */
int dispatch(const struct subscription *subscriptions, unsigned count, unsigned event)
{
    unsigned i;

    if (event == 0)
        return -1;
    for (i = 0; i < count && i < 3; i++) {
        if ((subscriptions[i].mask & event) == 0 || subscriptions[i].call == NULL)
            continue;
        if (subscriptions[i].call(event, subscriptions[i].user) != 0)
            return (int)i;
    }
    return -2;
}

/* A search whose order the caller defines. */
const void *lower_bound(const void *key, const void *base, size_t count, size_t size,
                        int (*compare)(const void *, const void *))
{
    const char *at = base;

    if (size == 0 || size > 8 || count > 4)
        return NULL;
    while (count-- > 0) {
        if (compare(key, at) <= 0)
            return at;
        at += size;
    }
    return NULL;
}
