// What callers own is not filled, unless some call hands over uninitialised memory.
#include <stdlib.h>
#include <string.h>

struct node { int size; struct node *next; };

void written_before(struct node *node);
void member_set(struct node *node);
void second_mention(struct node *node);
void passed_on(struct node *node);
void of_a_global(struct node *node);
void pointer_set(char **text);
void buffer_set(char *buffer, size_t size);
void one_number(int *number);

void first_mention(struct node *node);
void cleared_before(struct node *node);
void all_zero(struct node *node);
void just_allocated(struct node *node);
void pointer_unset(char **text);
void pointer_null(char **text);
void buffer_unset(char *buffer, size_t size);

static struct node global;

int unit(struct node *given) {
    struct node a = {1, 0}, b, c, d, e = {0}, *f = malloc(sizeof *f);
    char *text = strdup("x"), *unset, *null = NULL, set[4] = "abc", room[4];
    int number = 3;
    written_before(&a);
    b.size = 1;
    member_set(&b);
    first_mention(&c);
    second_mention(&c);
    passed_on(given);
    of_a_global(&global);
    memset(&d, 0, sizeof d);
    cleared_before(&d);
    all_zero(&e);
    if (!f)
        return 0;
    just_allocated(f);
    pointer_set(&text);
    pointer_unset(&unset);
    pointer_null(&null);
    buffer_set(set, sizeof set);
    buffer_unset(room, sizeof room);
    one_number(&number);
    return number;
}
