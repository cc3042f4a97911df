/* The runtime of the plain program, in one translation unit: the same server, inputs and ways to end as the runtime's, side
 * counters in place of labels. Its code has the section by which a backtrace tells the runtime's frames. */
#pragma clang section text = "tarka_text"
#define TK_PLAIN 1
#include "evaluations.c"
#include "handles.c"
#include "inputs.c"
#include "kept.c"
#include "plain_heap.c"
#include "plain_probes.c"
#include "process.c"
#include "programs.c"
#include "notices.c"
#include "refused.c"
#include "restore.c"
#include "server.c"
#include "signals.c"
#include "stay.c"
