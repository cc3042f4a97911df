/* A table that is an array while its list is empty and a list otherwise. Deleting from a list of one element follows
 * a null pointer: the fault to find. */
#include <stdlib.h>

struct node {
    int v;
    struct node *next;
};

struct table {
    int a[1000];
    struct node *head;
    int count;
};

void delete_from_table(struct table *t)
{
    struct node *second;
    int i;

    if (t->head == NULL) {
        for (i = 1; i < t->count && i < 1000; i++)
            t->a[i - 1] = t->a[i];
    } else {
        second = t->head->next;
        t->head->next = second->next;
        t->head->v = second->v;
        free(second);
    }
    t->count--;
}
