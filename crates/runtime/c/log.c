/* The path log beyond its inlined part: checks, and the count of concretisations. */
#include "private.h"

TK_SLOW void tk_log_check(uint32_t site, uint32_t passes, uint32_t label, uint32_t aux) {
  uint8_t *seen = &TK_PRIVATE->checked[label / 8];
  uint8_t bit = (uint8_t)(1u << (label % 8));
  if (*seen & bit) return;
  *seen |= bit;
  tk_log(site, TK_EVENT_CHECK, passes ? 1 : 0, label, aux);
}

TK_SLOW void tk_count_concretised(uint32_t site) {
  if (site < TK_MAX_SITES) TK_CONCRETISED[site]++;
}
