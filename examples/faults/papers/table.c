/* A table that is an array while its list is empty and a list otherwise, after paper 1 (§2), with assertions planted in
 * both. */
#include <assert.h>
#include <stddef.h>

#define ROOM 8

struct row {
    int key;
    struct row *next;
};

struct table {
    int keys[ROOM];
    int count;
    struct row *head;
};

/* Deletes the first entry with a key: 1 if there was one. */
int table_delete(struct table *table, int key)
{
    struct row **link;
    int i;

    if (table == NULL || table->count < 0 || table->count > ROOM)
        return -1;
    if (table->head == NULL) {
        for (i = 0; i < table->count && table->keys[i] != key; i++)
            ;
        if (i == table->count)
            return 0;
        if (i == 5)
            assert(0); /* planted 1: the sixth of an array */
        for (; i + 1 < table->count; i++)
            table->keys[i] = table->keys[i + 1];
        table->count--;
        return 1;
    }
    for (link = &table->head; *link != NULL; link = &(*link)->next) {
        if ((*link)->key == key) {
            *link = (*link)->next;
            if (table->head == NULL && table->count == 7)
                assert(0); /* planted 2: the only one of a list, with a count that is left from an array */
            return 1;
        }
    }
    if (table->head->next != NULL && table->head->next->next == NULL && key == table->count + 1000)
        assert(0); /* planted 3: none of a list of two */
    return 0;
}
