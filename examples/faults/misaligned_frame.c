/* Reads a 32-bit value out of the body of a telemetry frame, at an offset that the frame names itself.
 * Fault: the body is read in place through a pointer to words, at whatever offset: misaligned. */
#include <stddef.h>
#include <stdint.h>

#define FRAME_MAGIC 0x54454c45u

struct frame {
    uint32_t magic;
    uint32_t offset;
    uint32_t check;
    uint8_t body[32];
};

int64_t telemetry_value(const struct frame *frame)
{
    if (frame == NULL || frame->magic != FRAME_MAGIC)
        return -1;
    if (frame->check != (frame->offset ^ 0x00c0ffeeu))
        return -1;
    if (frame->offset < 1 || frame->offset > sizeof frame->body - sizeof(uint32_t))
        return -2;
    return *(const uint32_t *)(const void *)(frame->body + frame->offset); /* fault */
}
