/* How decisions were evaluated: every vector of condition values once per run. */
#include "private.h"

TK_HOT_TABLE tk_seen_evaluation tk_seen_evaluations[TK_SEEN_EVALUATIONS];

/* True if this was not seen before in this run, and there is room for it in the log. */
static int is_new(uint32_t slot, uint64_t what, uint64_t bits, uint32_t records) {
  if (TK_HEADER->evaluations_dropped) return 0; /* nothing more is taken, so the table never fills up */
  for (uint32_t step = 0;; step++) {
    tk_seen_evaluation *seen = &tk_seen_evaluations[(slot + step) % TK_SEEN_EVALUATIONS];
    if (seen->what == what && seen->bits == bits) return 0;
    if (seen->what != 0) continue;
    if (records > TK_MAX_EVALUATIONS - TK_HEADER->evaluation_count) {
      TK_HEADER->evaluations_dropped = 1;
      return 0;
    }
    *seen = (tk_seen_evaluation){what, bits};
    return 1;
  }
}

TK_SLOW void tk_evaluation_slow(uint32_t slot, uint64_t what, uint64_t bits) {
  if (!is_new(slot, what, bits, 1)) return;
  TK_EVALUATIONS[TK_HEADER->evaluation_count++] = (tk_evaluation){
      (uint32_t)(what >> 32), 0, (uint16_t)((uint32_t)what - 1), (uint32_t)(bits >> 32), (uint32_t)bits};
}

void tk_long_evaluation(uint32_t decision, uint32_t chunks, const void *words, uint32_t result) {
  const uint32_t *word = words;
  uint64_t hash = 0xcbf29ce484222325ull;
  for (uint32_t i = 0; i < 2 * chunks; i++) hash = (hash ^ word[i]) * 0x100000001b3ull, hash ^= hash >> 29;
  uint64_t what = (uint64_t)decision << 32 | (1u << 31) | (result + 1);
  if (!is_new(decision * 8 + (uint32_t)(hash >> 61), what, hash, chunks)) return;
  for (uint32_t i = 0; i < chunks; i++)
    TK_EVALUATIONS[TK_HEADER->evaluation_count++] =
        (tk_evaluation){decision, (uint16_t)i, (uint16_t)result, word[2 * i], word[2 * i + 1]};
}
