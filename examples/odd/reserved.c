/* Refused: `__tk_cond` */
int __tk_cond(int x)
{
    if (x == 4)
        return 1;
    return 2;
}
