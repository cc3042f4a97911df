/* Expected: is_basic 2/6; counted 5/6; takes_address 2/2; neighbour 2/2; level_above 2/2. Variables that nobody defines: of unknown size,
   of unknown type, of each thread. What they hold is not known, so nothing is proved of it. */
struct entry {
    const char *name;
    int n;
};
extern const struct entry table[];
extern int counts[];
struct opaque;
extern struct opaque thing;
extern struct opaque *get(void);
extern _Thread_local int level;

int is_basic(const char *s)
{
    int i;
    for (i = 0; i < 3 && table[i].name; i++)
        if (s == table[i].name)
            return 1;
    return 0;
}

int counted(int i)
{
    if (i >= 0 && i < 3 && counts[i] == 4)
        return 1;
    return 0;
}

int takes_address(int x)
{
    if (x == 3)
        return get() == &thing;
    return 0;
}

int neighbour(int x)
{
    if (x == 3)
        return 1;
    return 0;
}

int level_above(int x)
{
    if (level > x)
        return 1;
    return 0;
}
