/* What llvm-cov sees of an assert: its expression once. glibc mentions it a second time inside sizeof, which llvm-cov
   counts although it never runs (docs/coverage.md). */
#include_next <assert.h>

#if !defined NDEBUG
#undef assert
#define assert(expression) \
    ((expression) ? (void)0 : __assert_fail(#expression, __FILE__, __LINE__, __extension__ __PRETTY_FUNCTION__))
#endif
