/* Records: a const one, or one filled from bytes, is data from outside; one that the unit keeps has invariants. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct header {
    uint8_t type, slot;
    uint16_t length;
};

struct message {
    uint16_t length;
    unsigned char body[32];
};

struct ring {
    unsigned head, tail;
    unsigned char data[16];
};

struct stack {
    unsigned size;
    int items[8];
};

struct door {
    unsigned state, moves;
};

static const unsigned slots[16] = { 1, 2, 4, 8, 16, 32, 64, 128 };
static const unsigned char delay[3] = { 5, 0, 9 };

/* unchecked: a const record is data that is read, and nobody looks at its slot. */
unsigned header_slot(const struct header *header)
{
    if (header == NULL)
        return 0;
    return slots[header->slot];
}

/* none: the slot is looked at. */
unsigned header_slot_checked(const struct header *header)
{
    if (header == NULL || header->slot >= 16)
        return 0;
    return slots[header->slot];
}

/* unchecked: the record is filled from bytes. */
unsigned data_slot(const void *data, size_t size)
{
    struct header header;

    if (data == NULL || size < sizeof header)
        return 0;
    memcpy(&header, data, sizeof header);
    return slots[header.slot];
}

/* none: filled from bytes, and looked at. */
unsigned data_slot_checked(const void *data, size_t size)
{
    struct header header;

    if (data == NULL || size < sizeof header)
        return 0;
    memcpy(&header, data, sizeof header);
    return header.slot < 16 ? slots[header.slot] : 0;
}

/* unchecked: the message says how long it is. */
unsigned message_start(const struct message *message)
{
    unsigned char body[32] = { 0 };

    if (message == NULL)
        return 0;
    memcpy(body, message->body, message->length);
    return body[0];
}

/* none: a message that is too long is refused. */
unsigned message_start_checked(const struct message *message)
{
    unsigned char body[32] = { 0 };

    if (message == NULL || message->length > sizeof body)
        return 0;
    memcpy(body, message->body, message->length);
    return body[0];
}

/* contract: head < 16 is the ring's own invariant. */
void ring_put(struct ring *ring, unsigned char byte)
{
    if (ring == NULL)
        return;
    ring->data[ring->head] = byte;
    ring->head = (ring->head + 1) % 16;
}

/* contract: the empty ring is looked at; tail < 16 is its own invariant all the same. */
int ring_get(struct ring *ring)
{
    int byte;

    if (ring == NULL || ring->head == ring->tail)
        return -1;
    byte = ring->data[ring->tail];
    ring->tail = (ring->tail + 1) % 16;
    return byte;
}

/* none: the mask makes any head a right one. */
void ring_put_masked(struct ring *ring, unsigned char byte)
{
    if (ring == NULL)
        return;
    ring->data[ring->head & 15] = byte;
    ring->head++;
}

/* contract: the full stack is looked at; size <= 8 is its own invariant. */
int stack_push(struct stack *stack, int item)
{
    if (stack == NULL || stack->size == 8)
        return -1;
    stack->items[stack->size] = item;
    stack->size++;
    return 0;
}

/* contract: the empty stack is looked at; size <= 8 is its own invariant. */
int stack_pop(struct stack *stack)
{
    if (stack == NULL || stack->size == 0)
        return -1;
    stack->size--;
    return stack->items[stack->size];
}

/* none: the size is held to the room, whatever it was. */
int stack_push_safe(struct stack *stack, int item)
{
    if (stack == NULL || stack->size >= 8)
        return -1;
    stack->items[stack->size] = item;
    stack->size++;
    return 0;
}

/* contract: only the door's own functions set its state. */
unsigned door_delay(struct door *door)
{
    if (door == NULL)
        return 0;
    door->moves++;
    return delay[door->state];
}

/* contract: a door that was never moved is one that its functions do not hand on. */
unsigned door_rate(struct door *door)
{
    if (door == NULL)
        return 0;
    return 600u / door->moves;
}

/* contract: an assertion about the unit's own record. */
void stack_clear(struct stack *stack)
{
    if (stack == NULL)
        return;
    assert(stack->size <= 8);
    stack->size = 0;
}
