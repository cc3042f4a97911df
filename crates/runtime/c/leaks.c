/* Leaks: heap blocks of the unit that nothing points to any more when it has returned.
 *
 * A word that looks like an address inside a block counts as a pointer to it, wherever it lies: in the result, in the input's
 * objects, in data of the executable and of libraries, in blocks that are reached, in memory that libraries allocated. Blocks
 * that were handed to a function nobody defines are that function's. Never looks at the stack: its frames are gone.
 * Costs nothing when no block is left. */
#include "private.h"

/* More is not looked through: it would cost a run more than it is worth. */
#define MOST_BYTES (4ull << 20)
#define MOST_KEPT 256u
#define PAGE_SIZE 4096ull
/* Around the thread pointer: variables of the thread below it, the library's own record of it above. */
#define THREAD_BELOW (1ull << 16)
#define THREAD_ABOVE PAGE_SIZE

enum { SYS_MINCORE = 27, CLOSED_ON_EXEC = 02000000, RESIDENT_PAGES = 4096, MAPS_BYTES = 1 << 18 };
/* What `next` of a block says beside the next one of the list. */
#define LAST_REACHED UINT32_MAX
#define LOST_WITH_ANOTHER (UINT32_MAX - 1)

extern char __data_start[], _end[];

static uint64_t kept[MOST_KEPT]; /* blocks that stubs were given, and those in results of earlier calls */
static uint32_t kept_count;
static int too_much; /* more is kept than can be remembered: nothing is called lost */

/* ---- What the unit gives away ---- */

static void keep_block(uint64_t address) {
  const tk_heap_node *block = tk_heap_block(address);
  if (!block) return;
  for (uint32_t i = 0; i < kept_count; i++)
    if (kept[i] == block->base) return;
  if (kept_count < MOST_KEPT) kept[kept_count++] = block->base;
  else too_much = 1;
}

static void keep_words(uint64_t from, uint64_t size, uint32_t depth);

/* A pointer was given away: its block is, and so is what an object that is no block points to. */
static void keep_pointer(uint64_t address, uint32_t depth) {
  tk_extent object;
  keep_block(address);
  if (depth && !tk_heap_block(address) && tk_object_at(address, &object)) keep_words(object.base, object.size, depth - 1);
}

static void keep_words(uint64_t from, uint64_t size, uint32_t depth) {
  for (uint64_t at = (from + 7) & ~7ull; at + 8 <= from + size && at + 8 <= from + PAGE_SIZE; at += 8)
    keep_pointer(*(const uint64_t *)at, depth);
}

void tk_keeps(const void *argument, uint64_t size) {
  if (!argument) {
    too_much = 1;
    tk_written_by_anybody();
  }
  for (uint64_t at = 0; at + 8 <= size; at += 8) tk_written_by_others(*(const uint64_t *)((uint64_t)argument + at));
  if (tk_heap_live()) keep_words((uint64_t)argument, size, 2);
}

void tk_keeps_result(void) {
  if (!tk_heap_live()) return;
  if (TK_HEADER->result_size >= TK_MAX_RESULT) too_much = 1; /* the rest of it is not here */
  keep_words((uint64_t)TK_RESULT, TK_HEADER->result_size, 0);
}

/* ---- What is reached ---- */

static uint32_t reached; /* list of blocks whose words are still to be looked at */
static uint64_t unreached;
/* The addresses of all blocks, inverted: these variables are themselves looked through. */
static uint64_t not_lowest, not_highest;

static void reach(uint64_t word) {
  if (word < ~not_lowest || word > ~not_highest) return;
  tk_heap_node *block = tk_heap_block(word);
  if (!block || (block->next && block->next != LOST_WITH_ANOTHER)) return;
  block->next = reached ? reached : LAST_REACHED;
  reached = (uint32_t)(block - TK_PRIVATE->heap);
  unreached--;
}

static void scan(uint64_t from, uint64_t to) {
  for (uint64_t at = (from + 7) & ~7ull; at + 8 <= to; at += 8) reach(*(const uint64_t *)at);
}

/* Everything that reached blocks reach. */
static void flood(void) {
  while (reached) {
    const tk_heap_node *block = &TK_PRIVATE->heap[reached];
    reached = block->next == LAST_REACHED ? 0 : block->next;
    scan(block->base, block->base + block->size);
  }
}

/* Pages that nobody touched hold nothing: the tables of this runtime are mostly such. */
static void scan_touched(uint64_t from, uint64_t to) {
  uint8_t *resident = TK_PRIVATE->native_bytes + MAPS_BYTES;
  for (uint64_t part = from & ~(PAGE_SIZE - 1); part < to; part += RESIDENT_PAGES * PAGE_SIZE) {
    uint64_t pages = (to - part + PAGE_SIZE - 1) / PAGE_SIZE;
    if (pages > RESIDENT_PAGES) pages = RESIDENT_PAGES;
    if (tk_syscall(SYS_MINCORE, (long)part, (long)(pages * PAGE_SIZE), (long)resident, 0, 0, 0)) continue;
    for (uint64_t i = 0; i < pages; i++) {
      uint64_t page = part + i * PAGE_SIZE;
      if (resident[i] & 1) scan(page < from ? from : page, page + PAGE_SIZE < to ? page + PAGE_SIZE : to);
    }
  }
}

/* The heap between the unit's own blocks, live and freed: what libraries allocated. */
static void scan_between_blocks(uint64_t from, uint64_t to) {
  while (from < to) {
    const tk_heap_node *next = tk_heap_from(from);
    uint64_t end = next && next->base < to ? next->base : to;
    scan(from, end);
    from = next && next->base < to ? next->base + (next->size ? next->size : 1) : to;
  }
}

/* ---- The mappings of the process ---- */

/* `start-end rw-p offset device inode   path`: writable data of libraries, what follows it, the heap, and the thread. */
static void scan_mapping(const char *line, const char *end, uint64_t *data_end) {
  uint64_t thread, from = tk_hexadecimal(&line), to = (line++, tk_hexadecimal(&line));
  __asm__("movq %%fs:0, %0" : "=r"(thread));
  if (line + 5 >= end || line[1] != 'r' || line[2] != 'w' || line[4] != 'p') return;
  const char *path = line;
  while (path < end && *path != '/' && *path != '[') path++;
  int is_file = path < end && *path == '/', is_heap = end - path >= 6 && path[1] == 'h' && path[2] == 'e';
  if (is_heap) scan_between_blocks(from, to);
  else if (is_file || from == *data_end) scan_touched(from, to);
  else if (thread >= from && thread < to)
    scan(thread - from > THREAD_BELOW ? thread - THREAD_BELOW : from,
         to - thread > THREAD_ABOVE ? thread + THREAD_ABOVE : to);
  *data_end = is_file ? to : 0;
}

/* 0 if the mappings cannot be read: then nothing is known to be lost. */
static int scan_mappings(void) {
  char *text = (char *)TK_PRIVATE->native_bytes;
  long file = tk_syscall(SYS_OPEN, (long)"/proc/self/maps", CLOSED_ON_EXEC, 0, 0, 0, 0), length = 0, got;
  if (file < 0) return 0;
  while ((got = tk_syscall(SYS_READ, file, (long)(text + length), MAPS_BYTES - length, 0, 0, 0)) > 0) length += got;
  tk_syscall(SYS_CLOSE, file, 0, 0, 0, 0, 0);
  if (got < 0 || length == MAPS_BYTES) return 0;
  uint64_t data_end = 0;
  for (const char *line = text, *stop = text + length; line < stop && unreached;) {
    const char *end = line;
    while (end < stop && *end != '\n') end++;
    scan_mapping(line, end, &data_end);
    line = end + 1;
  }
  return 1;
}

/* ---- What is lost ---- */

static tk_heap_node *live_from(uint64_t address) {
  tk_heap_node *block = tk_heap_from(address);
  while (block && block->freed) block = tk_heap_from(block->base + 1);
  return block;
}

static void record(const tk_heap_node *block) {
  uint32_t count = TK_HEADER->fault_count;
  for (uint32_t i = 0; i < count; i++) {
    if (TK_FAULTS[i].kind != TK_FAULT_LEAK || TK_FAULTS[i].backtrace[0] != block->allocated_at[0]) continue;
    TK_FAULTS[i].address += block->size;
    return;
  }
  if (count >= TK_MAX_FAULTS) return;
  tk_fault_record *fault = &TK_FAULTS[count];
  *fault = (tk_fault_record){.kind = TK_FAULT_LEAK, .events = TK_HEADER->event_count, .address = block->size};
  while (fault->backtrace_len < TK_PLACES && block->allocated_at[fault->backtrace_len]) {
    fault->backtrace[fault->backtrace_len] = block->allocated_at[fault->backtrace_len];
    fault->backtrace_len++;
  }
  TK_HEADER->fault_count = count + 1;
}

/* What only a lost block points to is part of that loss. */
static void find_losses(void) {
  tk_heap_node *block;
  for (block = live_from(0); block; block = live_from(block->base + 1)) {
    if (block->next && block->next != LOST_WITH_ANOTHER) continue;
    for (uint64_t at = (block->base + 7) & ~7ull; at + 8 <= block->base + block->size; at += 8) {
      tk_heap_node *other = tk_heap_block(*(const uint64_t *)at);
      if (other && other != block && !other->next) other->next = LOST_WITH_ANOTHER;
    }
  }
  /* First those that nothing points to, then rings, by their first block. */
  for (uint32_t ring = 0; ring < 2; ring++)
    for (block = live_from(0); block && unreached; block = live_from(block->base + 1)) {
      if (block->next && !(ring && block->next == LOST_WITH_ANOTHER)) continue;
      reach(block->base);
      flood();
      record(block);
    }
}

/* 0 if there are too many blocks to look through. */
static int gather(void) {
  uint64_t bytes = 0;
  uint64_t lowest = UINT64_MAX, highest = 0;
  for (const tk_heap_node *block = live_from(0); block; block = live_from(block->base + 1)) {
    unreached++;
    bytes += block->size;
    if (block->base < lowest) lowest = block->base;
    if (block->base + block->size > highest) highest = block->base + block->size;
    if (bytes > MOST_BYTES) return 0;
  }
  not_lowest = ~lowest;
  not_highest = ~highest;
  return 1;
}

void tk_leaks(void) {
  if (!tk_heap_live() || too_much || !gather()) return;
  scan((uint64_t)TK_RESULT, (uint64_t)TK_RESULT + TK_HEADER->result_size);
  for (uint32_t i = 0; i < kept_count; i++) reach(kept[i]);
  for (uint32_t i = 0; i < TK_HEADER->object_count; i++)
    scan(TK_ARENA_BASE + TK_OBJECTS[i].offset, TK_ARENA_BASE + TK_OBJECTS[i].offset + TK_OBJECTS[i].size);
  flood();
  if (unreached) scan_touched((uint64_t)__data_start, (uint64_t)_end);
  flood();
  if (!unreached || !scan_mappings()) return;
  flood();
  find_losses();
}
