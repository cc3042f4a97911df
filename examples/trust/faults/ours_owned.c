/* A stub does not overwrite what its caller owns: it fills what the caller has not written yet. */
#include <stdlib.h>
#include <string.h>

struct node {
    int size;
    struct node *next;
    char *name;
};

struct area {
    unsigned short width, height;
};

void log_node(struct node *node);
int visit(struct node *node, int depth);
int append(char **text, int character);
int get_area(struct area *area);
int get_value(int *value);

/* none: the nodes are the caller's: they stay linked. */
int total(void)
{
    struct node last = {1, NULL, "last"}, first = {2, &last, "first"};
    visit(&first, 1);
    return first.next->size + first.size;
}

/* none: what was allocated can be freed. */
int keep(void)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        return -1;
    node->size = 4;
    node->next = NULL;
    node->name = malloc(4);
    log_node(node);
    free(node->name);
    free(node);
    return 0;
}

/* none: what the pointer leads to is still there. */
int grow(void)
{
    char *text = malloc(4);
    int result;
    if (text == NULL)
        return -1;
    memcpy(text, "abc", 4);
    result = append(&text, 'd');
    free(text);
    return result;
}

/* none: nobody has written this one: it is there to be filled. */
int area_of(void)
{
    struct area area;
    if (get_area(&area) < 0)
        return -1;
    return (unsigned)area.width * area.height > 1000;
}

/* none: a number is there to be written. */
int value(void)
{
    int value = 0;
    if (get_value(&value) < 0)
        return -1;
    return value > 3 ? 1 : 0;
}
