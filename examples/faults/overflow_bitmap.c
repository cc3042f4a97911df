/* The size of a bitmap from its header, refused where it is too large.
 * Fault: it is refused after the product was made, which may not fit: signed overflow of a product. */
#include <stddef.h>
#include <stdint.h>

struct bitmap {
    uint16_t type;
    uint16_t depth;
    int32_t width;
    int32_t height;
    uint32_t hash;
};

int bitmap_bytes(const struct bitmap *bitmap)
{
    int size;

    if (bitmap == NULL || bitmap->type != 0x4d42 || bitmap->depth != 8)
        return -1;
    if (bitmap->width <= 0 || bitmap->height <= 0 || bitmap->width > 100000 || bitmap->height > 100000)
        return -1;
    if (bitmap->hash != ((uint32_t)bitmap->width << 7) + (uint32_t)bitmap->height)
        return -1;
    size = bitmap->width * bitmap->height; /* fault */
    return size > 0x1000000 ? -2 : size;
}
