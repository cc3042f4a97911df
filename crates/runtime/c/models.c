/* All library models in one translation unit. */
#include "models/complex.c"
#include "models/ctype.c"
#include "models/math.c"
#include "models/memory.c"
#include "models/number.c"
#include "models/sort.c"
#include "models/string.c"
#include "models/wide.c"
