/* The day of the year as logged by a meter: year, month, day and a check word.
 * Fault: the sum of the days before the *next* month is looked up to see whether the day exists, and after December there
 * is none: one past the end of a global array. */
#include <stdint.h>

static const int days_before[12] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int day_of_year(uint16_t year, uint8_t month, uint8_t day, uint32_t check)
{
    int in_month;

    if (year < 1970 || month < 1 || month > 12 || day < 1)
        return -1;
    if (check != (((uint32_t)year << 16 | (uint32_t)month << 8 | day) ^ 0xca1e4da2u))
        return -1;
    in_month = days_before[month] - days_before[month - 1]; /* fault */
    if (month == 2 && is_leap(year))
        in_month++;
    if (day > in_month)
        return -2;
    return days_before[month - 1] + day + (month > 2 && is_leap(year));
}
