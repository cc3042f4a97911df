/* The price of an order. The public function has no branch: everything is decided in helpers that nobody else can call. */

enum tax { TAX_NONE, TAX_REDUCED, TAX_FULL };

struct order {
    int pieces;
    int price;
    enum tax tax;
};

static int between(int number, int low, int high)
{
    if (number < low)
        return low;
    if (number > high)
        return high;
    return number;
}

static int discount(int pieces)
{
    if (pieces >= 100)
        return 20;
    return pieces >= 10 ? 5 : 0;
}

static int tax_rate(enum tax tax)
{
    switch (tax) {
    case TAX_NONE:
        return 0;
    case TAX_REDUCED:
        return 7;
    default:
        return 19;
    }
}

/* No order has a discount of more than a hundred: that side is for others to reach. */
static int reduced(int amount, int percent)
{
    if (percent > 100)
        return 0;
    return amount - amount / 100 * percent;
}

int order_total(struct order order)
{
    int pieces = between(order.pieces, 1, 1000);
    int net = reduced(pieces * between(order.price, 0, 10000), discount(pieces));
    return net + net / 100 * tax_rate(order.tax);
}
