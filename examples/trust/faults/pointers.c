/* Pointers: not looked at, looked at too late, looked at rightly. */
#include <stddef.h>

struct box {
    unsigned id, width, height;
};

static struct box boxes[3] = { { 4, 10, 20 }, { 7, 11, 21 }, { 9, 12, 22 } };
static unsigned refused;

/* contract: a caller can pass a box. */
unsigned box_area(struct box *box)
{
    return box->width * box->height;
}

/* bug: the check comes after the access, so the author expects null. */
unsigned box_width_late(struct box *box)
{
    unsigned width = box->width;

    if (box == NULL)
        return 0;
    return width;
}

/* none: what box_width_late should be. */
unsigned box_width(struct box *box)
{
    if (box == NULL)
        return 0;
    return box->width;
}

/* bug: null is noticed, counted and used all the same. */
unsigned box_height_counted(struct box *box)
{
    if (box == NULL)
        refused++;
    return box->height;
}

/* contract: one pointer is looked at, and not the other. */
int box_copy(struct box *to, const struct box *from)
{
    if (to == NULL)
        return -1;
    to->width = from->width;
    to->height = from->height;
    return 0;
}

/* contract: the pointer to the pointer is looked at, what it holds is not. */
unsigned box_behind(struct box **place)
{
    if (place == NULL)
        return 0;
    return (*place)->width;
}

/* none: every way out is right. */
struct box *box_find(unsigned id)
{
    size_t i;

    for (i = 0; i < 3; i++)
        if (boxes[i].id == id)
            return &boxes[i];
    return NULL;
}

/* bug: any caller may ask for an id that is not there. */
unsigned box_width_of(unsigned id)
{
    return box_find(id)->width;
}

/* none: what box_width_of should be. */
unsigned box_height_of(unsigned id)
{
    struct box *box = box_find(id);

    return box == NULL ? 0 : box->height;
}

/* contract: where the answer goes is not looked at. */
int box_measure(unsigned id, unsigned *area)
{
    struct box *box = box_find(id);

    if (box == NULL)
        return -1;
    *area = box->width * box->height;
    return 0;
}
