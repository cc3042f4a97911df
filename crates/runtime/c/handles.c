/* Handles of the C library behind pointers of the input: streams and folders.
 *
 * An object of the input stands for one, and nobody but the library may look into it. When it is given to the library for
 * the first time in a run, a real one is opened: an empty stream that can be read and written, a folder without entries.
 * Tests do the same. Never: what the unit opens itself. */
#include <dirent.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "private.h"

enum { MOST_HANDLES = 64 };

static struct { uint64_t object; void *handle; } handles[MOST_HANDLES];
static uint32_t handle_count;

static void *open_stream(void) {
  int file = memfd_create("stream", 0);
  return file < 0 ? 0 : fdopen(file, "w+");
}

/* A folder that was removed has no entries, not even itself. */
static void *open_folder(void) {
  if (mkdir("tarka-folder", 0700)) return 0;
  void *folder = opendir("tarka-folder");
  rmdir("tarka-folder");
  return folder;
}

static void put_handle(void **pointer, void *(*open)(void)) {
  uint64_t object = (uint64_t)*pointer;
  if (object - TK_ARENA_BASE >= TK_ARENA_SIZE) return;
  uint32_t at = 0;
  while (at < handle_count && handles[at].object != object) at++;
  if (at == handle_count) {
    if (at == MOST_HANDLES) return;
    handles[at].object = object;
    handles[at].handle = open();
    handle_count++;
  }
  *pointer = handles[at].handle;
#if !TK_PLAIN
  tk_shadow_clear((uint64_t)pointer, sizeof *pointer);
#endif
}

void tk_stream(const void *pointer) { put_handle((void **)pointer, open_stream); }

void tk_folder(const void *pointer) { put_handle((void **)pointer, open_folder); }
