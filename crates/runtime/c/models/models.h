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

#endif
