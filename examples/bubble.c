/* Sorts the first n elements of an array in place; the classic unit of path-filtering papers.
 * All eight branch sides are reachable. */
#define MAXLEN 6

void bubble(int v[MAXLEN], int n)
{
    int i, j, tmp;

    if (n >= MAXLEN)
        return;
    for (i = n; i > 1; i--) {
        for (j = 1; j < i; j++) {
            if (v[j] > v[j + 1]) {
                tmp = v[j];
                v[j] = v[j + 1];
                v[j + 1] = tmp;
            }
        }
    }
}
