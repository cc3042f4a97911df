int of_a_part(int x)
{
    if (x == 4)
        return 8;
    return 0;
}
