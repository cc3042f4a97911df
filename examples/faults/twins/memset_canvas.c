/* Fills a bar of a canvas on the heap: `width` pixels from column `left`.
 * The bar has to end on the canvas. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CANVAS 40u

struct bar {
    uint32_t left;
    uint32_t width;
    uint32_t colour;
    uint32_t hash;
};

int bar_draw(const struct bar *bar)
{
    uint8_t *canvas;
    int result;

    if (bar == NULL || bar->hash != (bar->left * 31u + bar->width) * 31u + (bar->colour ^ 0x00ff00ffu))
        return -1;
    if (bar->left >= CANVAS || bar->width == 0 || bar->width > CANVAS - bar->left)
        return -2;
    canvas = calloc(CANVAS, 1);
    if (canvas == NULL)
        return -3;
    memset(canvas + bar->left, (int)(bar->colour & 0xff), bar->width);
    result = canvas[CANVAS - 1];
    free(canvas);
    return result;
}
