/* What the probes of the plain program do: count sides, statements and evaluations, in the places where the instrumented
 * target counts them. Nothing is logged and nothing is followed.
 *
 * An evaluation under way belongs to the frame that evaluates. Frames below that of the probe at work are gone, by a
 * return or a jump, and their evaluations with them. */
#include "private.h"

/* Nothing is known of objects here. */
uint64_t tk_room(const void *to) {
  (void)to;
  return TK_NO_ROOM_KNOWN;
}

void __tk_fits(_Bool fits) { (void)fits; }

/* Written by the instrumenter: for each site the index of its first outcome in the coverage map, the decision that it is
 * a condition of (plus 1, or 0) and its position there; for each switch which arm a value takes; for each decision its
 * number of conditions; the index of the first statement. */
extern const uint32_t __tk_plain_sites[][3];
extern uint32_t (*const __tk_plain_arms[])(unsigned long long);
extern const uint32_t __tk_plain_conditions[];
extern const uint32_t __tk_plain_first_statement;

enum { CHUNK = 32, MOST_UNDER_WAY = 1 << 16, MOST_WORDS = 1 << 18 };

typedef struct {
  uint64_t frame; /* of the function that evaluates */
  uint32_t decision;
  uint32_t first; /* index of its words: values and evaluated bits of each chunk of conditions */
} under_way;

TK_HOT_TABLE static under_way evaluations[MOST_UNDER_WAY];
TK_HOT_TABLE static uint32_t words[MOST_WORDS];
static uint32_t evaluation_count, word_count;

static void drop_to(uint32_t count) {
  word_count = count < evaluation_count ? evaluations[count].first : word_count;
  evaluation_count = count;
}

/* The evaluation of a decision in a frame; 0 if none is under way. */
static under_way *evaluation_of(uint64_t frame, uint32_t decision) {
  uint32_t live = evaluation_count;
  while (live && evaluations[live - 1].frame < frame) live--;
  if (live < evaluation_count) drop_to(live);
  for (uint32_t i = live; i-- && evaluations[i].frame == frame;)
    if (evaluations[i].decision == decision) return &evaluations[i];
  return 0;
}

static void count_outcome(uint32_t index) {
  uint8_t *seen = &TK_COVERAGE[index];
  *seen = (uint8_t)(*seen + (*seen < TK_CONCRETE_EVENTS));
}

int __tk_cond(uint32_t site, int value) {
  const uint32_t *place = __tk_plain_sites[site];
  count_outcome(place[0] + (value != 0));
  under_way *of = place[1] ? evaluation_of(CALLER_FRAME, place[1] - 1) : 0;
  if (of) {
    uint32_t *chunk = &words[of->first + 2 * (place[2] / CHUNK)], bit = place[2] % CHUNK;
    chunk[0] |= (uint32_t)(value != 0) << bit;
    chunk[1] |= 1u << bit;
  }
  return value;
}

unsigned long long __tk_switch(uint32_t site, unsigned long long value) {
  count_outcome(__tk_plain_sites[site][0] + __tk_plain_arms[site](value));
  return value;
}

int __tk_begin(uint32_t decision) {
  under_way *again = evaluation_of(CALLER_FRAME, decision);
  if (again) drop_to((uint32_t)(again - evaluations));
  uint32_t size = 2 * ((__tk_plain_conditions[decision] + CHUNK - 1) / CHUNK);
  if (evaluation_count >= MOST_UNDER_WAY || size > MOST_WORDS - word_count) {
    TK_HEADER->evaluations_dropped = 1;
    return 0;
  }
  evaluations[evaluation_count++] = (under_way){CALLER_FRAME, decision, word_count};
  for (uint32_t i = 0; i < size; i++) words[word_count++] = 0;
  return 0;
}

int __tk_decision(uint32_t decision, int result) {
  const under_way *of = evaluation_of(CALLER_FRAME, decision);
  if (!of) return result;
  uint32_t *word = &words[of->first], chunks = (__tk_plain_conditions[decision] + CHUNK - 1) / CHUNK;
  if (chunks > 1) {
    tk_long_evaluation(decision, chunks, word, result != 0);
  } else {
    uint64_t what = (uint64_t)decision << 32 | ((uint32_t)(result != 0) + 1);
    tk_evaluation_slow(decision * 8 % TK_SEEN_EVALUATIONS, what, (uint64_t)word[0] << 32 | word[1]);
  }
  drop_to((uint32_t)(of - evaluations));
  return result;
}

void __tk_stmt(uint32_t statement) { *(volatile uint8_t *)&TK_COVERAGE[__tk_plain_first_statement + statement] = 1; }

/* What was `llvm.assume`. Of the argument only the lowest bit is given. */
void __tk_assume(uint32_t holds) {
  if (!(holds & 1)) tk_assume_failed(UINT32_MAX);
}

/* ---- Labels, of which there are none ---- */

void __tk_register_globals(void) {}

void tk_labels_ready(void) {}

void tk_labels_begin(void) {}

void tk_label_input(uint64_t address, uint32_t offset, uint64_t size) { (void)address, (void)offset, (void)size; }

void tk_shadow_clear(uint64_t address, uint64_t size) { (void)address, (void)size; }

void tk_keeps_result(void) {}
