/* The path log beyond its inlined part: checks, and the count of concretisations. */
#include "private.h"

TK_HOT_TABLE static uint8_t checked[TK_LABEL_NUMBERS / 8];

static int is_first_check(uint32_t label) {
  /* Counted from the first node on, so that the first page of the table is the one in use. */
  uint32_t number = (label - 1 - (uint32_t)TK_ARENA_SIZE) % TK_LABEL_NUMBERS;
  uint8_t *seen = &checked[number / 8];
  uint8_t bit = (uint8_t)(1u << (number % 8));
  if (*seen & bit) return 0;
  *seen |= bit;
  return 1;
}

TK_SLOW void tk_log_check(uint32_t site, uint32_t passes, uint32_t label, uint32_t aux) {
  if (is_first_check(label)) tk_log(site, TK_EVENT_CHECK, passes ? 1 : 0, label, aux);
}

TK_SLOW void tk_count_concretised(uint32_t site) {
  if (site < TK_MAX_SITES) TK_CONCRETISED[site]++;
}
