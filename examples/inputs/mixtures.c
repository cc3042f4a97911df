/* Several kinds at once. */
#include <stddef.h>
#include <string.h>

enum shape_kind { CIRCLE, SQUARE, POLYGON };

struct vertex {
    float x, y;
};

struct shape {
    enum shape_kind kind;
    const char *label;
    union {
        float radius;
        float side;
        struct {
            const struct vertex *vertices;
            unsigned count;
        } polygon;
    } of;
    struct shape *group;
};

static unsigned shapes_seen;

int audit_shape(const struct shape *shape, int (*report)(const char *label))
{
    if (shape == NULL)
        return -1;
    shapes_seen++;
    if (shape->group == shape)
        return -2;
    switch (shape->kind) {
    case CIRCLE:
        if (shape->of.radius < 0.0f)
            return 1;
        break;
    case SQUARE:
        if (shape->of.side == 2.5f && shape->label != NULL && strcmp(shape->label, "unit") == 0)
            return 2;
        break;
    default:
        break;
    }
    if (report != NULL && shapes_seen > 1000 && report(shape->label) == 7)
        return 3;
    return 0;
}

struct buffer {
    unsigned char *bytes;
    size_t size;
    size_t used;
};

extern int refill(unsigned char *bytes, size_t size);

int next_tag(struct buffer *buffer)
{
    if (buffer == NULL || buffer->bytes == NULL || buffer->size == 0)
        return -1;
    if (buffer->used >= buffer->size) {
        if (refill(buffer->bytes, buffer->size) <= 0)
            return -2;
        buffer->used = 0;
    }
    if (buffer->bytes[buffer->used] == 0xfe)
        return 1;
    return 0;
}
