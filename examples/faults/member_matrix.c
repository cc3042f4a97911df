/* Sets one coefficient of a colour matrix that the camera sends with a tag and a check word.
 * Fault: the column is compared with the number of rows, so it may leave its row: out of bounds inside a matrix. */
#include <stddef.h>
#include <stdint.h>

#define ROWS 4
#define COLUMNS 3

struct update {
    uint32_t tag;
    uint32_t row;
    uint32_t column;
    int32_t value;
    uint32_t check;
};

static int32_t matrix[ROWS][COLUMNS];

int matrix_update(const struct update *update)
{
    if (update == NULL || update->tag != 0x434d5458u)
        return -1;
    if (update->check != (update->row << 20 ^ update->column << 4 ^ (uint32_t)update->value))
        return -1;
    if (update->row >= ROWS || update->column >= ROWS)
        return -2;
    matrix[update->row][update->column] = update->value; /* fault */
    return 0;
}
