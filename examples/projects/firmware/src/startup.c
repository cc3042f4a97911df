#include "board.h"

int main(void);
void UART_IRQHandler(void);
void Reset_Handler(void);
void HANDLER Default_Handler(void);
void HANDLER SysTick_Handler(void);

volatile uint32_t ticks;

void Default_Handler(void)
{
    for (;;)
        __asm__ volatile("nop");
}

void SysTick_Handler(void)
{
    if (++ticks == 1000u)
        ticks = 0;
}

void Reset_Handler(void)
{
    main();
    Default_Handler();
}

static void (*const vectors[])(void) VECTOR = {Reset_Handler, Default_Handler, SysTick_Handler, UART_IRQHandler};
