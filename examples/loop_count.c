/* The last branch needs a particular number of loop iterations to have gone one way: a counter between the input and
 * the condition. */
int loop(int v[6], int x)
{
    int i;

    if (x == 2) {
        for (i = 0; i < 6; i++) {
            if (v[i] == 3)
                x++;
        }
        if (x == 6)
            return 1;
    }
    return 0;
}
