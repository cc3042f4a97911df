/* Expected: of_a_part 2/2; of_this 2/2. What a C file that is included defines is tested with the rest; headers are not. */
#include "parts/part.c"
#include "parts/part.h"

int of_this(int x)
{
    if (of_a_part(x) == 8)
        return limited(x);
    return 0;
}
