/* A condition that depends on the one before it: an order of 200 is also one of 100. Flipping `total >= 200` where the
 * order has just turned out to be below 100 is always in vain, however many orders there are to try it on; only a
 * strategy that looks at what came just before knows that they are all alike. */
struct order {
    int express;
    int total;
};

int fees(const struct order orders[8])
{
    int sum = 0;

    for (int i = 0; i < 8; i++) {
        int fee = 4;

        if (orders[i].express)
            fee += 5;
        if (orders[i].total >= 100)
            fee -= 1;
        if (orders[i].total >= 200)
            fee -= 3;
        sum += fee;
    }
    return sum;
}
