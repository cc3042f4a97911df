/* What the library models need of the world. The models are plain C, compiled with the unit and instrumented like it;
 * they call each other by their own names and never the library's. */
#ifndef TARKA_MODELS_H
#define TARKA_MODELS_H
#include <stddef.h>

int *__errno_location(void);
void *tkw_malloc(size_t size);
void tkw_free(void *block);

/* So many bytes will be written, whatever they are: the number is checked as that of one block operation, before a loop
 * decides on it step by step. Changes nothing. */
#define WRITES(to, size) __builtin_memmove((to), (to), (size))

/* Where copies go: see copies.c of the runtime. */
#define NO_ROOM_KNOWN (~(size_t)0)
size_t tk_room(const void *to);
void tk_wants_text(const void *from, const size_t *length);
void tk_copies_text(const void *to, const void *from, const size_t *most, const size_t *more);
/* What is compared: see words.c of the runtime. */
void tk_compares_text(const void *left, const void *right, const size_t *most);
/* Whether what is written next fits: a condition that the engine may try to break. */
void __tk_fits(_Bool fits);

/* A text is about to be copied: at most so many characters, and so many bytes behind it. */
static inline void copies_text(const char *to, const char *from, size_t most, size_t more) {
  tk_copies_text(to, from, &most, &more);
}

static inline void wants_text(const char *from, size_t length) { tk_wants_text(from, &length); }

static inline void compares_text(const void *left, const void *right, size_t most) {
  tk_compares_text(left, right, &most);
}

#endif
