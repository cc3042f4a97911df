/* The registers of the board. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define UART_BASE 0x40011000u
#define UART_STATUS REGISTER(UART_BASE + 0x00u)
#define UART_DATA REGISTER(UART_BASE + 0x04u)
#define UART_HAS_BYTE 0x20u
#define UART_OVERRUN 0x08u

#define ADC_BASE 0x40012000u
#define ADC_STATUS REGISTER(ADC_BASE + 0x00u)
#define ADC_VALUE REGISTER(ADC_BASE + 0x4cu)
#define ADC_DONE 0x02u

#define GPIO_BASE 0x40020000u
#define GPIO_SET REGISTER(GPIO_BASE + 0x18u)
#define GPIO_HEATER 0x0010u
#define GPIO_HEATER_OFF 0x00100000u

#endif
