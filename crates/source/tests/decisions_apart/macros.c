// Decisions that llvm-cov 19 leaves out: those in the body of a macro with a macro of a system header among its conditions.
#include <errno.h>
#define FAILED(r) ((r) < 0 || errno)
int lost(int r) { return FAILED(r) ? 1 : 2; }
int kept(int r) { return r < 0 || errno; }
