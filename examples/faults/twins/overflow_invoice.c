/* Adds an item to an invoice, in cents; no item is above a million.
 * Whether there is room is asked before the sum is made. */
#include <stddef.h>
#include <stdint.h>

struct invoice {
    uint32_t number;
    int32_t total;
    uint32_t check;
};

int invoice_add(struct invoice *invoice, int32_t cents)
{
    int32_t sum;

    if (invoice == NULL || cents <= 0 || cents > 100000000 || invoice->total < 0)
        return -1;
    if (invoice->check != (invoice->number ^ (uint32_t)invoice->total) + 0x1f35u)
        return -1;
    if (invoice->total > INT32_MAX - cents)
        return -2;
    sum = invoice->total + cents;
    invoice->total = sum;
    invoice->check = (invoice->number ^ (uint32_t)sum) + 0x1f35u;
    return 0;
}
