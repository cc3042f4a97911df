/* Dates: a switch with shared cases, and a struct by value. */
#include <stdbool.h>

struct date {
    int year;
    unsigned char month;
    unsigned char day;
};

bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int days_in_month(int year, int month)
{
    switch (month) {
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    case 2:
        return is_leap(year) ? 29 : 28;
    default:
        return month >= 1 && month <= 12 ? 31 : 0;
    }
}

bool date_is_valid(struct date d)
{
    if (d.year < 1583)
        return false;
    if (d.month == 0 || d.month > 12)
        return false;
    return d.day >= 1 && d.day <= days_in_month(d.year, d.month);
}
