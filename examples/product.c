/* Prices: products of doubles that must meet a number exactly. */

/* What a price is a case of. */
int price_class(double unit, double count)
{
    if (!(unit > 0.0) || !(count > 0.0))
        return -1;
    if (unit > 1.0 && unit * count == 0.3)
        return 1;
    if (unit * unit == 2.25)
        return 2;
    return 0;
}
