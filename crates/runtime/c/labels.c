/* Labels at their beginning: the books when the process starts, the input's bytes when a run does. */
#include "private.h"

void tk_labels_ready(void) {
  tk_calls.stack_depth = 0;
  tk_calls.clean_below = UINT64_MAX;
  tk_objects_ready();
  tk_heap_ready();
  tk_va_reset();
  tk_native_reset();
}

void tk_label_input(uint64_t address, uint32_t offset, uint64_t size) {
  uint32_t *entries = tk_shadow(address);
  for (uint64_t i = 0; i < size; i++) {
    uint32_t entry = TK_FLAGS[offset + i] & TK_FLAG_SYMBOLIC ? (uint32_t)(offset + i + 1) << 4 : 0;
    if (entries[i] != entry) entries[i] = entry;
  }
}

void tk_labels_begin(void) {
  for (uint32_t i = 0; i < TK_HEADER->object_count; i++) {
    const tk_object *object = &TK_OBJECTS[i];
    if (!object->root) tk_label_input(TK_ARENA_BASE + object->offset, object->offset, object->size);
  }
}
