/* Memory from a function of the project that never gives null: its declaration says so, and how much it gives. */
#include <stddef.h>
#include <string.h>

void *xmalloc(size_t n) __attribute__((__malloc__, __alloc_size__(1), __returns_nonnull__));
void *xcalloc(size_t n, size_t size) __attribute__((__malloc__, __alloc_size__(1, 2), __returns_nonnull__));

struct word {
    struct word *next;
    size_t length;
    char text[100];
};

struct words {
    struct word *first;
    struct word *last;
};

/* Adds a word; 0 if it is too long or empty. */
int add_word(struct words *words, const char *text)
{
    size_t length = strlen(text);
    struct word *word;

    if (length == 0 || length >= sizeof word->text)
        return 0;
    word = xmalloc(sizeof *word);
    word->next = NULL;
    word->length = length;
    strcpy(word->text, text);
    if (words->last != NULL)
        words->last->next = word;
    else
        words->first = word;
    words->last = word;
    return word->text[0] == '#' ? 2 : 1;
}

/* The letter that a text has most of; '?' for a text without letters. */
int most_frequent(const char *text, unsigned **counts)
{
    unsigned *count = xcalloc(26, sizeof *count), most = 0;

    for (; *text != '\0'; text++)
        if (*text >= 'a' && *text <= 'z')
            count[*text - 'a']++;
    for (unsigned letter = 1; letter < 26; letter++)
        if (count[letter] > count[most])
            most = letter;
    *counts = count;
    return count[most] > 0 ? 'a' + (int)most : '?';
}

/* Memory from functions that the caller hands over. */
struct memory {
    void *(*allocate)(size_t size);
    void (*release)(void *block);
};

struct record {
    struct record *next;
    unsigned number;
    char name[64];
};

/* A new record at the head of a list; the list as it was if there is no memory for one. */
struct record *push_record(const struct memory *memory, struct record *list, const char *name)
{
    struct record *record;

    if (name == NULL || strlen(name) >= sizeof record->name)
        return list;
    record = memory->allocate(sizeof *record);
    if (record == NULL)
        return list;
    record->number = list != NULL ? list->number + 1 : 1;
    strcpy(record->name, name);
    record->next = list;
    if (record->number == 7) {
        memory->release(record);
        return NULL;
    }
    return record;
}
