/* The thermostat: what its parts offer each other. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

/* Code that must not wait for the flash, and code that is too far away for a short call. */
#define FAST __attribute__((section(".ramfunc"), long_call))
#define VECTOR __attribute__((used, section(".isr_vector")))
#define HANDLER __attribute__((weak, isr_stack(1)))

#ifdef __arm__
#define INTERRUPTS_OFF() __asm__ volatile("cpsid i" ::: "memory")
#define INTERRUPTS_ON() __asm__ volatile("cpsie i" ::: "memory")
#else
#define INTERRUPTS_OFF() __asm__ volatile("nop" ::: "memory")
#define INTERRUPTS_ON() __asm__ volatile("nop" ::: "memory")
#endif

/* ring.c: bytes on their way from the interrupt to the main loop. */
#define RING_SIZE 16u
struct ring {
    volatile uint8_t head, tail;
    uint8_t bytes[RING_SIZE];
};
int ring_put(struct ring *ring, uint8_t byte);
int ring_get(struct ring *ring);

/* command.c: what the other side asks for. */
#define COMMAND_BYTES 24u
struct command {
    uint8_t length;
    uint8_t bytes[COMMAND_BYTES];
};
enum { COMMAND_TARGET = 1, COMMAND_MODE = 2 };
void command_take(struct command *command, const uint8_t *bytes, unsigned length);
int command_run(const struct command *command);

/* protocol.c: frames of start, length, bytes, sum. */
#define PROTOCOL_START 0xa5u
#define PROTOCOL_LONGEST 32u
enum { FRAME_OK, FRAME_SHORT, FRAME_START, FRAME_LENGTH, FRAME_SUM };
int protocol_frame(const uint8_t *frame, unsigned size);

/* control.c: when to heat. */
enum mode { MODE_OFF, MODE_ECO, MODE_COMFORT };
int control_set_mode(int mode);
int control_set_target(int degrees);
int control_step(int degrees);

/* board.c: the registers. */
extern struct ring uart_ring;
int board_temperature(void);
void board_heat(int on);
int board_poll(void);

#endif
