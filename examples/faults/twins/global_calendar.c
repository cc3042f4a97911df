/* The day of the year as logged by a meter: year, month, day and a check word.
 * December ends with the year. */
#include <stdint.h>

static const int days_before[13] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 };

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
    in_month = days_before[month] - days_before[month - 1];
    if (month == 2 && is_leap(year))
        in_month++;
    if (day > in_month)
        return -2;
    return days_before[month - 1] + day + (month > 2 && is_leap(year));
}
