#include "board.h"
#include "registers.h"

struct ring uart_ring;
static unsigned overruns;

/* Degrees, or -100 while the converter is at work. */
int board_temperature(void)
{
    if (!(ADC_STATUS & ADC_DONE))
        return -100;
    return (int)(ADC_VALUE & 0xfffu) / 16 - 50;
}

void board_heat(int on)
{
    GPIO_SET = on ? GPIO_HEATER : GPIO_HEATER_OFF;
}

void UART_IRQHandler(void)
{
    uint32_t status = UART_STATUS;

    if (status & UART_OVERRUN)
        overruns++;
    if (status & UART_HAS_BYTE) {
        if (ring_put(&uart_ring, (uint8_t)UART_DATA) != 0)
            overruns++;
    }
}

/* Once round the main loop; the byte that was taken, or -1. */
int board_poll(void)
{
    int degrees = board_temperature();

    if (degrees > -100)
        board_heat(control_step(degrees));
    return ring_get(&uart_ring);
}
