/* Memory as it was before a run: which pages a run wrote, and what they held.
 *
 * A process that was forked shares its pages with the server until it writes them, and the kernel says of each page whether this
 * process has it alone. To write a page for the first time is a page fault, which the kernel counts: without one, a run
 * wrote nothing but pages that are known. Large tables of which little is used are looked at where they begin; the rest is
 * given back to the kernel. Never touches shared memory, which is the engine's to clear. */
#include "stay.h"

extern char __executable_start[], _end[];

enum { SYS_PREAD = 17, SYS_BREAK = 12, SYS_IS_MAPPED = 27, SYS_GIVE_BACK = 28, GIVE_BACK = 4, CLOSES_ON_EXEC = 02000000 };
#define ENTRIES (sizeof TK_STAY->entries / sizeof *TK_STAY->entries)
#define IS_PRESENT(entry) ((entry) >> 63 & 1)
#define IS_SWAPPED(entry) ((entry) >> 62 & 1)
#define IS_OF_FILE(entry) ((entry) >> 61 & 1)
#define IS_ALONE(entry) ((entry) >> 56 & 1)

/* How much of a sparse table, and of the shadow of what, is looked at page by page. */
#define TABLE_BEGINS (16 * TK_PAGE)
#define STACK_SHADOWED (32 * TK_PAGE)
#define HEAP_SHADOWED (64 * TK_PAGE)
#define ARENA_SHADOWED (32 * TK_PAGE)

/* ---- What there is ---- */

static uint64_t page_down(uint64_t address) { return address & ~(TK_PAGE - 1); }
static uint64_t page_up(uint64_t address) { return page_down(address + TK_PAGE - 1); }

static int add_span(tk_span *spans, uint32_t *count, uint64_t start, uint64_t end, uint32_t kind) {
  if (start >= end) return 1;
  if (*count == TK_MAX_SPANS) return 0;
  spans[(*count)++] = (tk_span){start, end, kind, 0};
  return 1;
}

static int look_at(uint64_t start, uint64_t end, uint32_t kind) {
  tk_stay *stay = TK_STAY;
  uint32_t number = stay->looked_count;
  if (!add_span(stay->looked, &stay->looked_count, start, end, kind)) return 0;
  if (stay->looked_count == number) return 1;
  stay->looked[number].first = stay->looked_pages;
  if ((end - start) / TK_PAGE > TK_MAX_LOOKED - stay->looked_pages) return 0;
  stay->looked_pages += (uint32_t)((end - start) / TK_PAGE);
  return 1;
}

static int drop(uint64_t start, uint64_t end) { return add_span(TK_STAY->dropped, &TK_STAY->dropped_count, start, end, 0); }

/* Parts of a mapping that are looked at; the rest of it is dropped after a run. */
typedef struct {
  tk_span parts[TK_MAX_SPANS];
  uint32_t count;
} windows;

static void open_window(windows *to, uint64_t start, uint64_t end) {
  add_span(to->parts, &to->count, page_down(start), page_up(end), 0);
}

static int split_mapping(windows *of, uint64_t start, uint64_t end) {
  for (uint32_t i = 1; i < of->count; i++)
    for (uint32_t k = i; k && of->parts[k - 1].start > of->parts[k].start; k--) {
      tk_span moving = of->parts[k];
      of->parts[k] = of->parts[k - 1];
      of->parts[k - 1] = moving;
    }
  uint64_t at = start;
  for (uint32_t i = 0; i < of->count; i++) {
    uint64_t from = of->parts[i].start < at ? at : of->parts[i].start, to = of->parts[i].end < end ? of->parts[i].end : end;
    if (from >= to) continue;
    if (!drop(at, from) || !look_at(from, to, TK_SPAN_PART)) return 0;
    at = to;
  }
  return of->count < TK_MAX_SPANS && drop(at, end);
}

/* The tables in the executable's own .bss, in the order of their addresses. */
static uint32_t hot_tables(tk_span *tables) {
#if TK_PLAIN
  tk_span all[] = {{(uint64_t)evaluations, (uint64_t)evaluations + sizeof evaluations, 0, 0},
                   {(uint64_t)words, (uint64_t)words + sizeof words, 0, 0}};
#else
  tk_span all[] = {
      {(uint64_t)checked, (uint64_t)checked + sizeof checked, 0, 0},
      {(uint64_t)times, (uint64_t)times + sizeof times, 0, 0},
      {(uint64_t)stack_objects, (uint64_t)stack_objects + sizeof stack_objects, 0, 0}};
#endif
  uint32_t count = sizeof all / sizeof *all;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = i;
    for (; at && tables[at - 1].start > all[i].start; at--) tables[at] = tables[at - 1];
    tables[at] = all[i];
  }
  return count;
}

/* Everything but the hot tables, and of these the beginnings. */
static int split_executable(uint64_t start, uint64_t end) {
  tk_span tables[8];
  windows parts = {.count = 0};
  uint32_t count = hot_tables(tables);
  uint64_t at = start;
  for (uint32_t i = 0; i < count; i++) {
    open_window(&parts, at, tables[i].start + TABLE_BEGINS);
    at = page_down(tables[i].end);
  }
  open_window(&parts, at, end);
  return split_mapping(&parts, start, end);
}

#if TK_PLAIN
static int split_tables(uint64_t start, uint64_t end) { return look_at(start, end, TK_SPAN_WHOLE); }
static int split_shadow(void) { return 1; }
#else
static int split_tables(uint64_t start, uint64_t end) {
  tk_private *tables = TK_PRIVATE;
  windows parts = {.count = 0};
  open_window(&parts, (uint64_t)tables->globals, (uint64_t)(tables->globals + global_count) + 1);
  const void *begins[] = {tables->slots, tables->table_of_base, tables->heap, tables->kept, tables->input_freed_at,
                          tables->native, tables->native_bytes, tables->native_edges, tables->va, tables->va_staged,
                          tables->signal_stack, tables->by_value};
  for (uint32_t i = 0; i < sizeof begins / sizeof *begins; i++)
    open_window(&parts, (uint64_t)begins[i], (uint64_t)begins[i] + TABLE_BEGINS);
  return split_mapping(&parts, start, end);
}

static void open_shadow_of(windows *to, uint64_t start, uint64_t end) {
  open_window(to, (uint64_t)tk_shadow(start), (uint64_t)tk_shadow(start) + (end - start) * 4);
}

static int split_shadow(void) {
  tk_span tables[8];
  windows parts = {.count = 0};
  uint32_t count = hot_tables(tables);
  uint64_t heap = TK_STAY->heap_end;
  open_shadow_of(&parts, (uint64_t)__executable_start, tables[0].start);
  open_shadow_of(&parts, tables[count - 1].end, (uint64_t)_end);
  open_shadow_of(&parts, heap - HEAP_SHADOWED, heap + HEAP_SHADOWED);
  open_shadow_of(&parts, tk_stack_top - STACK_SHADOWED, tk_stack_top + TK_PAGE);
  open_shadow_of(&parts, TK_ARENA_BASE, TK_ARENA_BASE + ARENA_SHADOWED);
  return split_mapping(&parts, TK_SHADOW_BASE, TK_SHADOW_BASE + TK_SHADOW_SIZE);
}
#endif

/* ---- What the kernel says of pages ---- */

static long open_own(const char *path) { return tk_syscall(SYS_OPEN, (long)path, CLOSES_ON_EXEC, 0, 0, 0, 0); }

/* Calls `see` for each page that is looked at; 0 if the kernel does not tell. */
static int see_pages(int (*see)(const tk_span *span, uint64_t page, uint64_t entry)) {
  long file = open_own("/proc/self/pagemap");
  if (file < 0) return 0;
  int is_told = 1;
  for (uint32_t i = 0; i < TK_STAY->looked_count && is_told; i++) {
    const tk_span *span = &TK_STAY->looked[i];
    for (uint64_t page = span->start; page < span->end && is_told;) {
      uint64_t count = (span->end - page) / TK_PAGE < ENTRIES ? (span->end - page) / TK_PAGE : ENTRIES;
      long got = tk_syscall(SYS_PREAD, file, (long)TK_STAY->entries, (long)(count * 8), (long)(page / TK_PAGE * 8), 0, 0);
      is_told = got == (long)(count * 8);
      for (uint64_t k = 0; k < count && is_told; k++, page += TK_PAGE) is_told = see(span, page, TK_STAY->entries[k]);
    }
  }
  tk_syscall(SYS_CLOSE, file, 0, 0, 0, 0, 0);
  return is_told;
}

static uint32_t number_of(const tk_span *span, uint64_t page) { return span->first + (uint32_t)((page - span->start) / TK_PAGE); }

/* ---- In the server ---- */

static uint64_t pages_alone;

static int count_alone(const tk_span *span, uint64_t page, uint64_t entry) {
  (void)page;
  pages_alone += span->kind == TK_SPAN_PART && (IS_SWAPPED(entry) || (IS_PRESENT(entry) && IS_ALONE(entry)));
  return 1;
}

uint64_t tk_hexadecimal(const char **text) {
  uint64_t number = 0;
  for (;; ++*text) {
    char c = **text;
    uint32_t digit = c >= '0' && c <= '9' ? (uint32_t)(c - '0') : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10 : 16;
    if (digit > 15) return number;
    number = number << 4 | digit;
  }
}

static int is_within(uint64_t start, uint64_t end, uint64_t address) { return address >= start && address < end; }

/* `start-end rw-p offset device inode   path` */
static int take_mapping(uint64_t start, uint64_t end, const char *rights) {
  if (rights[1] != 'w' || rights[3] != 'p' || start == TK_STAY_BASE) return 1;
  if (start == TK_SHADOW_BASE) return split_shadow();
  if (start == TK_PRIVATE_BASE) return split_tables(start, end);
  if (start == TK_ARENA_BASE) return drop(start, end);
  tk_span tables[8];
  hot_tables(tables);
  if (is_within(start, end, tables[0].start)) return split_executable(start, end);
  if (is_within(start, end, tk_stack_top)) TK_STAY->stack_low = start;
  const char *device = rights + 5;
  while (*device != ' ') device++;
  int is_file = device[1] != '0' || device[2] != '0' || device[4] != '0' || device[5] != '0';
  return look_at(start, end, is_file ? TK_SPAN_FILE : TK_SPAN_WHOLE);
}

/* What pages the system says are there: those of anonymous mappings that are partly dropped must all be looked at. */
static uint64_t decimal_pages(const char *text) {
  uint64_t kilobytes = 0;
  for (; *text && *text != '\n'; text++)
    if (*text >= '0' && *text <= '9') kilobytes = kilobytes * 10 + (uint64_t)(*text - '0');
  return kilobytes * 1024 / TK_PAGE;
}

static int read_mappings(void) {
  char *text = TK_STAY->text;
  long file = open_own("/proc/self/smaps"), length = 0, got;
  if (file < 0) return 0;
  long room = sizeof TK_STAY->text - 1;
  while ((got = tk_syscall(SYS_READ, file, (long)(text + length), room - length, 0, 0, 0)) > 0) length += got;
  tk_syscall(SYS_CLOSE, file, 0, 0, 0, 0, 0);
  text[length] = 0;
  return got == 0 && length > 0 && length < room;
}

static int is_mapping(const char *line) { return (*line >= '0' && *line <= '9') || (*line >= 'a' && *line <= 'f'); }

int tk_memory_ready(void) {
  tk_stay *stay = TK_STAY;
  stay->heap_end = (uint64_t)tk_syscall(SYS_BREAK, 0, 0, 0, 0, 0, 0);
  if (!read_mappings()) return 0;
  uint64_t resident = 0;
  int is_part = 0;
  for (const char *line = stay->text; *line; line++) {
    if (is_mapping(line)) {
      const char *at = line;
      uint64_t start = tk_hexadecimal(&at), end = (at++, tk_hexadecimal(&at));
      uint32_t dropped = stay->dropped_count;
      if (!take_mapping(start, end, at + 1)) return 0;
      is_part = stay->dropped_count != dropped && start != TK_ARENA_BASE;
    } else if (is_part && line[0] == 'R' && line[1] == 's' && line[2] == 's') {
      resident += decimal_pages(line);
    }
    while (*line && *line != '\n') line++;
    if (!*line) break;
  }
  /* What is there already in a part that would be dropped could not be given back. */
  return stay->stack_low && see_pages(count_alone) && pages_alone == resident;
}

/* ---- In the process that stays ---- */

static int copy_page(uint32_t number, uint64_t page) {
  tk_stay *stay = TK_STAY;
  if (!stay->copy_of[number]) {
    if (stay->copy_count == TK_MAX_COPIES) return 0;
    stay->copy_of[number] = ++stay->copy_count;
  }
  tk_copy_bytes(stay->copies[stay->copy_of[number] - 1], (const void *)page, TK_PAGE);
  return 1;
}

static int keep_page(const tk_span *span, uint64_t page, uint64_t entry) {
  if (!(IS_PRESENT(entry) || IS_SWAPPED(entry)) || IS_OF_FILE(entry)) return 1;
  return copy_page(number_of(span, page), page);
}

int tk_memory_keep(void) { return see_pages(keep_page); }

static int find_page(const tk_span *span, uint64_t page, uint64_t entry) {
  tk_stay *stay = TK_STAY;
  uint32_t number = number_of(span, page);
  if (stay->is_touched[number]) return 1;
  int is_there = IS_PRESENT(entry) || IS_SWAPPED(entry);
  /* What was given back to the kernel is zeros now. */
  if (!is_there && !stay->copy_of[number]) return 1;
  if (is_there && !IS_SWAPPED(entry) && (IS_OF_FILE(entry) || !IS_ALONE(entry))) return 1;
  if (stay->touched_count == TK_MAX_TOUCHED) return 0;
  if (span->kind == TK_SPAN_FILE && !stay->copy_of[number]) {
    tk_syscall(SYS_GIVE_BACK, (long)page, TK_PAGE, GIVE_BACK, 0, 0, 0);
    if (!copy_page(number, page)) return 0;
  }
  stay->is_touched[number] = 1;
  stay->touched[stay->touched_count++] = (tk_touched){page, stay->copy_of[number]};
  return 1;
}

int tk_memory_find(void) {
  tk_stay *stay = TK_STAY;
  uint8_t resident;
  /* A stack that has grown stays so, and would count for the next run. */
  if (tk_syscall(SYS_IS_MAPPED, (long)(stay->stack_low - TK_PAGE), TK_PAGE, (long)&resident, 0, 0, 0) == 0) return 0;
  for (uint32_t i = 0; i < stay->dropped_count; i++) {
    const tk_span *span = &stay->dropped[i];
    tk_syscall(SYS_GIVE_BACK, (long)span->start, (long)(span->end - span->start), GIVE_BACK, 0, 0, 0);
  }
  return see_pages(find_page);
}

static void clear_page(void *page) {
  uint64_t words = TK_PAGE / 8;
  __asm__ volatile("rep stosq" : "+D"(page), "+c"(words) : "a"(0ull) : "memory");
}

void tk_memory_restore(void) {
  const tk_stay *stay = TK_STAY;
  for (uint32_t i = 0; i < stay->touched_count; i++) {
    const tk_touched *touched = &stay->touched[i];
    if (touched->copy) tk_copy_bytes((void *)touched->page, stay->copies[touched->copy - 1], TK_PAGE);
    else clear_page((void *)touched->page);
  }
}
