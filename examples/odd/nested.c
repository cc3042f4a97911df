/* Refused: no functions inside functions */
int outer(int x)
{
    int inner(int y) { return y + x; }
    if (inner(2) == 5)
        return 1;
    return 0;
}
